// Fuzz target: any bytes as a robot file. Either a robot that builds, or faults; never a crash, a hang or a leak.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "torsor/files/robot_toml.hpp"
#include "torsor/files/robot_toml_writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto robot = torsor::read_robot_toml({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  if (!robot) return 0;
  if (!torsor::build(*robot)) std::abort();
  if (!torsor::read_robot_toml(torsor::write_robot_toml(*robot), "written.toml")) std::abort();
  return 0;
}
