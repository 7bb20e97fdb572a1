// What the small dense factorisations share: indices into storage that belongs to the caller, and what a test of a
// pivot asks of a scalar. No factorisation allocates; matrices are row-major.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <span>

#include "torsor/expect.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/scalar/concepts.hpp"

namespace torsor {

/// A number whose comparison is one bool, so that a pivot can be chosen: double, float, Dual over them; not a Pack.
template <class T>
concept Decidable = Ordered<T> && requires(const T& a, const T& b) {
  { a < b } -> std::convertible_to<bool>;
  { a > b } -> std::convertible_to<bool>;
};

namespace detail {

// rows x columns entries of the caller's storage
template <class T>
class DenseView {
 public:
  DenseView(std::span<T> entries, [[maybe_unused]] int rows, int columns) : entries_(entries), columns_(columns) {
    TORSOR_EXPECT(rows >= 0 && columns >= 0);
    TORSOR_EXPECT(entries.size() >= cells(rows, columns));
  }
  T& operator()(int i, int j = 0) const { return entries_[cell(i, columns_, j)]; }

 private:
  std::span<T> entries_;
  int columns_;
};

template <Decidable T>
T epsilon() {
  return T(std::numeric_limits<T>::epsilon());
}

}  // namespace detail
}  // namespace torsor
