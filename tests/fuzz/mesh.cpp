// Fuzz target: any bytes as a mesh, its format chosen by the first of them. Either a mesh whose integrals are finite, or faults;
// never a crash, a hang or a leak.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "torsor/files/mesh_reader.hpp"
#include "torsor/model/mesh_solid.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char* const names[] = {"fuzz.stl", "fuzz.obj", "fuzz.dae", "fuzz.gltf", "fuzz.glb"};
  const auto none = [](const std::string&) -> torsor::Result<std::string> {
    return torsor::Fault{{}, "", "file-read", "there are no files here", "none"};
  };
  const auto read = torsor::read_mesh({reinterpret_cast<const char*>(data) + 1, size - 1}, names[data[0] % 5], none);
  if (!read) return 0;
  const torsor::MeshSolid found = torsor::mesh_solid(read->mesh);
  if (!std::isfinite(found.sheet.size) || !std::isfinite(found.solid.size)) std::abort();
  return 0;
}
