// Fuzz target: any bytes as a drive file. Either motors whose curves can be asked, or faults; never a crash, a hang or a
// leak.
#include "torsor/files/drive_toml.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto sheet = torsor::read_drive_toml({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  if (!sheet) return 0;
  for (const torsor::Motor& motor : sheet->motors)
    for (const torsor::TorqueCurve* curve : {&motor.peak, &motor.continuous})
      if (!curve->empty() && !curve->at(0)) std::abort();
  return 0;
}
