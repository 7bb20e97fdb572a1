// Fuzz target: any bytes as an MJCF whose other files cannot be read. Either a robot that builds, or faults, and the same
// as a mechanism; never a crash, a hang or a leak.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "torsor/files/loops_of_mjcf.hpp"
#include "torsor/files/mjcf_reader.hpp"
#include "torsor/mechanism/mechanism.hpp"
#include "torsor/robot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto none = [](const std::string&) -> torsor::Result<std::string> {
    return torsor::Fault{{}, "", "file-read", "there are no files here", "none"};
  };
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  if (const auto mechanism = torsor::read_mjcf_mechanism(text, "fuzz.xml", none)) (void)torsor::build(*mechanism);
  const auto robot = torsor::read_mjcf(text, "fuzz.xml", none);
  if (!robot) return 0;
  // loops close or they do not
  if (!robot->loops.empty()) {
    (void)torsor::Robot::try_build(*robot);
    return 0;
  }
  // limits that coupled joints cannot keep together are found when the model is built
  const auto model = torsor::build(*robot);
  if (!model && model.faults().front().rule != "limits-order") std::abort();
  return 0;
}
