// Rows of numbers, one state per row, as CSV files and NumPy arrays hold them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace torsor {

/// `stride` apart, in numbers; 0: the same row for all states.
template <class Real>
struct StateRows {
  Real* data = nullptr;  // none: zeros, where a question allows it
  std::ptrdiff_t stride = 0;

  Real* row(std::int64_t k) const { return data + k * stride; }
};

}  // namespace torsor
