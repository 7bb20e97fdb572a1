// Fuzz target: any bytes as a motion file. Either a motion that can be sampled, or faults; never a crash, a hang or a
// leak.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "torsor/files/motion_toml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto motion = torsor::read_motion_toml({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  if (!motion) return 0;
  if (!(motion->duration() > 0)) std::abort();
  if (const torsor::Trajectory* joints = motion->joints()) {
    std::vector<double> q(joints->size()), qd(q), qdd(q);
    joints->sample(motion->duration() / 3, q, qd, qdd);
  } else {
    motion->tool()->sample(motion->duration() / 3);
  }
  return 0;
}
