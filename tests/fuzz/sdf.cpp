// Fuzz target: any bytes as an SDF whose other files cannot be read. Either a robot that builds, or faults; never a
// crash, a hang or a leak.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "torsor/files/sdf_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torsor::detail::OpenUri none = [](const std::string&,
                                          const std::string&) -> torsor::Result<torsor::detail::SdfText> {
    return torsor::Fault{{}, "", "file-read", "there are no files here", "none"};
  };
  const auto robot = torsor::read_sdf({reinterpret_cast<const char*>(data), size}, "fuzz.sdf", none);
  if (!robot) return 0;
  // limits that coupled joints cannot keep together are found when the model is built
  const auto model = torsor::build(*robot);
  if (!model && model.faults().front().rule != "limits-order") std::abort();
  return 0;
}
