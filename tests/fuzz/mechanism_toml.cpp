// Fuzz target: any bytes as a mechanism file. Either a mechanism that can be built, or faults; never a crash, a hang or a
// leak. Files that it names are not read.
#include "torsor/files/mechanism_toml.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "torsor/mechanism/mechanism.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto mechanism = torsor::read_mechanism_toml({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  if (mechanism && !torsor::build(*mechanism)) std::abort();
  return 0;
}
