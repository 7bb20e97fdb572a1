// Fuzz target: any bytes as a URDF. Either a robot that builds, or faults; never a crash, a hang or a leak.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "torsor/files/urdf_patch.hpp"
#include "torsor/files/urdf_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto robot = torsor::read_urdf({reinterpret_cast<const char*>(data), size}, "fuzz.urdf");
  if (robot && !torsor::build(*robot)) std::abort();
  // what is patched is a robot still
  if (robot && !robot->links.empty()) {
    const auto patched = torsor::patch_urdf({reinterpret_cast<const char*>(data), size},
                                            {{robot->links[0].name, 1, {}, {1, 1, 1, 0, 0, 0}}});
    if (patched && !torsor::read_urdf(*patched, "patched.urdf")) std::abort();
  }
  return 0;
}
