// The part of XLA's foreign function interface that a call on the CPU needs: plain data, laid out as version 0.3 of its C
// interface (xla/ffi/api/c_api.h) has it, whose layout XLA keeps for at least a year. So the package needs neither JAX nor
// its headers to be built.
#pragma once

#include <cstddef>
#include <cstdint>

namespace torsor::python::xla {

inline constexpr int major_version = 0, minor_version = 3;

struct Extension {
  std::size_t struct_size;
  int type;  // 1: metadata
  Extension* next;
};
struct Version {
  std::size_t struct_size;
  Extension* extensions;
  int major_version, minor_version;
};
struct Metadata {
  std::size_t struct_size;
  Version version;
  std::uint32_t traits;
};
struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

enum Type : int { f32 = 11, f64 = 12 };

struct Buffer {
  std::size_t struct_size;
  Extension* extensions;
  Type type;
  void* data;
  std::int64_t rank;
  std::int64_t* shape;
};
struct Buffers {
  std::size_t struct_size;
  Extension* extensions;
  std::int64_t size;
  int* types;
  Buffer** all;
};
struct Text {
  const char* data;
  std::size_t size;
};
struct Scalar {
  Type type;
  void* value;
};
struct Attributes {  // sorted by name
  std::size_t struct_size;
  Extension* extensions;
  std::int64_t size;
  int* types;
  Text** names;
  Scalar** values;
};

struct Error;
struct ErrorArguments {
  std::size_t struct_size;
  Extension* extensions;
  const char* message;
  int code;  // 3: an argument is not what it should be
};
struct Interface {
  std::size_t struct_size;
  Extension* extensions;
  Version version;
  const void* internal;
  Error* (*create_error)(ErrorArguments*);
};

enum Stage : int { instantiate, prepare, initialize, execute };

struct Call {
  std::size_t struct_size;
  Extension* extensions;
  const Interface* interface;
  void* context;
  Stage stage;
  Buffers arguments, results;
  Attributes attributes;
};

}  // namespace torsor::python::xla
