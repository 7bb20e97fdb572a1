// Two axes that turn one direction onto another, Rz(a) C Rz(b) k = w (subproblem 2 of Paden 1986 and of Elias & Wen
// 2025, for axes at any angle): the part along the first axis sees b alone.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "torsor/spatial/rotation.hpp"

namespace torsor {

struct TwoTurns {
  std::array<double, 2> a{}, b{};
  int count = 0;
  double short_by = 0;  // how far the cosine asked of b is beyond one; the nearest is then the one solution
};

inline TwoTurns two_turns(const Mat3<double>& C, const Vec3<double>& k, const Vec3<double>& w) {
  constexpr double touching = 1e-13;
  const Vec3<double> h{C.x.z, C.y.z, C.z.z};
  const double c = h.x * k.x + h.y * k.y, s = h.y * k.x - h.x * k.y, length = std::hypot(c, s);
  const double asked = length > 0 ? (w.z - h.z * k.z) / length : 0;
  TwoTurns out;
  if (std::abs(asked) > 1 + touching) out.short_by = std::abs(asked) - 1;
  const double middle = std::atan2(s, c), half = std::acos(std::clamp(asked, -1.0, 1.0));
  for (const double b : {middle + half, middle - half}) {
    const Vec3<double> v = C * (rotation_z(b) * k);
    out.a[static_cast<std::size_t>(out.count)] = std::atan2(v.x * w.y - v.y * w.x, v.x * w.x + v.y * w.y);
    out.b[static_cast<std::size_t>(out.count++)] = b;
    if (half == 0 || out.short_by > 0) break;
  }
  return out;
}

}  // namespace torsor
