// Fuzz target: any bytes as an NPY motion of a two-joint arm, with derivatives given or to be derived; then as a plain
// array.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>

#include "torsor/files/motion_reader.hpp"
#include "torsor/text/npy_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream bytes(std::string(reinterpret_cast<const char*>(data), size));
  const std::vector<std::string> joints{"shoulder", "elbow"};
  torsor::MotionReader motion(bytes, "fuzz.npy", torsor::motion_names(joints, joints));
  torsor::MotionRow instant;
  while (motion.next(instant))
    for (const double x : instant.q)
      if (!std::isfinite(x)) std::abort();

  bytes.clear();
  bytes.seekg(0);
  torsor::NpyReader array(bytes, "fuzz.npy");
  std::vector<double> row(array.header().size());
  while (array.next(row))
    for (const double x : row)
      if (!std::isfinite(x)) std::abort();
  return 0;
}
