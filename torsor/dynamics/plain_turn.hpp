// Most joints turn about their z and share their coordinate with no other: S = (z, 0), and a product with S is a matter
// of picking components. Numbers alone go this way; a tape or a polynomial is to see the recursion as it stands.
#pragma once

#include <concepts>
#include <iterator>

#include "torsor/model/model.hpp"

namespace torsor::detail {

/// Whether a scalar holds numbers, and nothing but.
template <class T>
inline constexpr bool holds_numbers = std::floating_point<T>;

template <class T>
bool plain_turn(const Tree<T>& model, const Body<T>& b) {
  return holds_numbers<T> && b.kind == JointKind::revolute && std::ssize(model.S) == model.nv;
}

}  // namespace torsor::detail
