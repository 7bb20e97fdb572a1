// Fuzz target: any bytes as a formula in t. Either a function that can be asked at any time, or one fault; never a crash,
// a hang or a leak.
#include "torsor/files/time_expression.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto f = torsor::read_time_expression({reinterpret_cast<const char*>(data), size});
  if (f)
    for (const double t : {-1.0, 0.0, 1e300}) (void)(*f)(t);
  return 0;
}
