// Two axes that turn one direction onto another, Rz(a) C Rz(b) k = w (subproblem 2 of Paden 1986 and of Elias & Wen
// 2025, for axes at any angle): the part along the first axis sees b alone.
//
// With the angles alpha, beta, gamma between the axes, from the second axis to k, from the first to w, that part is the law of
// cosines of a spherical triangle, cos gamma = cos alpha cos beta + sin alpha sin beta cos(b - middle). Where gamma is near
// alpha - beta or alpha + beta (an arm nearly stretched) its cosine says little of b - middle; the half angle does:
//
//   tan^2 (b - middle)/2 = (vers gamma - vers(alpha - beta)) / (covers gamma - covers(alpha + beta)),
//
// vers x = 1 - cos x and covers x = 1 + cos x, each without a difference of nearly equal numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "torsor/spatial/rotation.hpp"

namespace torsor {

struct TwoTurns {
  std::array<double, 2> a{}, b{};
  int count = 0;
  double short_by = 0;  // how far the cosine asked of b is beyond one; the nearest is then the one solution
};

inline TwoTurns two_turns(const Mat3<double>& C, const Vec3<double>& k, const Vec3<double>& w) {
  constexpr double touching = 1e-13, straight = 1e-14;
  const Vec3<double> h{C.x.z, C.y.z, C.z.z};
  const double c = h.x * k.x + h.y * k.y, s = h.y * k.x - h.x * k.y;
  // 1 - cos of the angle with this sine and cosine; 1 + cos of it is vers of its supplement
  const auto vers = [](double sine, double cosine) { return cosine > 0 ? sine * sine / (1 + cosine) : 1 - cosine; };
  const double length = norm(k), across_h = std::sqrt(h.x * h.x + h.y * h.y), along_k = k.z / length,
               across_k = std::sqrt(k.x * k.x + k.y * k.y) / length, of_w = norm(w), along_w = w.z / of_w,
               across_w = std::sqrt(w.x * w.x + w.y * w.y) / of_w;
  const double less = vers(across_w, along_w) -
                      vers(across_h * along_k - h.z * across_k, h.z * along_k + across_h * across_k),
               more = vers(across_w, -along_w) -
                      vers(across_h * along_k + h.z * across_k, across_h * across_k - h.z * along_k);
  TwoTurns out;
  const double beyond = std::max(-less, -more) / (across_h * across_k);
  if (beyond > touching) out.short_by = beyond;
  double half = 2 * std::atan2(std::sqrt(std::max(0.0, less)), std::sqrt(std::max(0.0, more)));
  if (half < straight) half = 0;
  if (std::numbers::pi - half < straight) half = std::numbers::pi;
  const double middle = std::atan2(s, c);
  for (const double b : {middle + half, middle - half}) {
    const Vec3<double> v = C * (rotation_z(b) * k);
    out.a[static_cast<std::size_t>(out.count)] = std::atan2(v.x * w.y - v.y * w.x, v.x * w.x + v.y * w.y);
    out.b[static_cast<std::size_t>(out.count++)] = b;
    if (half == 0 || half == std::numbers::pi || out.short_by > 0) break;
  }
  return out;
}

}  // namespace torsor
