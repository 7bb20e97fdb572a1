// Fuzz target: any bytes as the file of an experiment. Either an experiment that is written and read again, or faults;
// never a crash, a hang or a leak.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "torsor/files/experiment_toml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto experiment = torsor::read_experiment_toml({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  if (!experiment) return 0;
  if (!torsor::read_experiment_toml(torsor::write_experiment_toml(*experiment), "again.toml")) std::abort();
  return 0;
}
