// Whether rows are there: those that are given, and those for answers.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "torsor/fast/state_rows.hpp"

namespace torsor::rows {

/// Rows that are given, at any distance, backwards and one over the other, too; and rows for answers, which are apart.
/// Rows without numbers, those of a robot without joints, need no data.
template <class Real>
bool are_given(StateRows<const Real> rows, std::int64_t states, std::size_t length) {
  return rows.data || states == 0 || length == 0;
}
template <class Real>
bool are_apart(StateRows<Real> rows, std::int64_t states, std::size_t length) {
  return states == 0 || length == 0 ||
         (rows.data && (states == 1 || std::abs(rows.stride) >= static_cast<std::ptrdiff_t>(length)));
}

}  // namespace torsor::rows
