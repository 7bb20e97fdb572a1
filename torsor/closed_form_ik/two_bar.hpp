// Two bars of lengths a and l, hinged, whose ends shall be D apart. With psi the angle from the one to the other (0:
// stretched)
//
//   1 - cos psi = (a + l - D)(a + l + D) / (2 a l),   1 + cos psi = (D - |a - l|)(D + |a - l|) / (2 a l)
//
// products of small factors where the bars are stretched or folded, so that no digits are lost there.
#pragma once

#include <algorithm>
#include <cmath>

namespace torsor::detail {

struct TwoBar {
  double c = 1, s = 0;  // cosine of psi, and its sine, not negative; the other bend has -s
  double missing = 0;   // m; the bars as near as they can be
};

/// Within `tolerance` (m) of stretched or folded they are so.
inline TwoBar two_bar(double a, double l, double D, double tolerance) {
  const double far = a + l, near = std::fabs(a - l);
  if (D >= far - tolerance) return {1, 0, std::max(0.0, D - far)};
  if (D <= near + tolerance) return {-1, 0, std::max(0.0, near - D)};
  const double one_minus = (far - D) * ((far + D) / (2 * a * l)), one_plus = (D - near) * ((D + near) / (2 * a * l));
  return {one_minus < one_plus ? 1 - one_minus : one_plus - 1, std::sqrt(one_minus * one_plus), 0};
}

}  // namespace torsor::detail
