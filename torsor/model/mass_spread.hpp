// How the mass of a body is spread about its centre, read off its inertia tensor. With the principal moments A, B, C,
//
//   integral of x^2 dm = (B + C - A) / 2 = m sigma_x^2     along the axis of A, and so on,
//
// which cannot be negative: hence the triangle inequality A <= B + C. Of all bodies of one mass and one largest
// density, the homogeneous ellipsoid has the least sigma_x sigma_y sigma_z, and it has semi-axes sqrt(5) sigma; so no
// body of a given material is denser than that ellipsoid. A rod or plate without thickness has none.
#pragma once

#include <algorithm>
#include <array>
#include <numbers>
#include <optional>

#include "torsor/numeric/symmetric_eigen.hpp"
#include "torsor/spatial/mat3.hpp"

namespace torsor {

struct MassSpread {
  double mass = 0;
  std::array<double, 3> moments{};    // principal, about the mass centre, the smallest first; kg m^2
  std::array<double, 3> variances{};  // sigma^2 along the axes of these moments: the largest first; m^2, 0 without mass
};

/// The spread of a body with this tensor about its mass centre.
inline MassSpread mass_spread(double mass, const Sym3<double>& I) {
  std::array<double, 9> A{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, axes{};
  symmetric_eigen<double>(A, 3, axes);
  MassSpread spread{mass, {A[0], A[4], A[8]}, {}};
  const double half = (A[0] + A[4] + A[8]) / 2;
  for (std::size_t k = 0; k < 3 && mass > 0; ++k) spread.variances[k] = (half - spread.moments[k]) / mass;
  return spread;
}

/// By how much the largest moment exceeds the sum of the others; negative or zero for a body that can be.
inline double triangle_excess(const MassSpread& s) { return s.moments[2] - s.moments[1] - s.moments[0]; }

/// Whether there is nothing: no mass, and then no moments and no mass centre either.
inline bool is_nothing(const MassSpread& s, const Vec3<double>& com) {
  return s.mass == 0 && s.moments == std::array{0.0, 0.0, 0.0} && dot(com, com) == 0;
}

/// Whether some rigid body, or nothing, has this mass, mass centre and these moments: none of them negative, none larger than
/// the other two together, to nine digits. Products of inertia that exceed their moments show as a negative principal moment.
inline bool can_be_a_body(const MassSpread& s, const Vec3<double>& com) {
  const double slack = 1e-9 * s.moments[2];
  return (s.mass > 0 || is_nothing(s, com)) && s.moments[0] >= -slack && triangle_excess(s) <= slack;
}

/// Of the largest moment: the distance at which the whole mass would have it. In m; 0 without mass.
inline double gyration_radius(const MassSpread& s) {
  return s.mass > 0 ? std::sqrt(std::max(s.moments[2], 0.0) / s.mass) : 0;
}

/// Density of the homogeneous ellipsoid with this mass and these moments, in kg/m^3; nothing for a body without
/// thickness. `flattest`: no dimension is taken as less than this part of the largest, since that of a flat body is the
/// small difference of large moments.
inline std::optional<double> ellipsoid_density(const MassSpread& s, double flattest = 0) {
  constexpr double thickness = 1e-3;
  const auto [largest, middle, least] = s.variances;
  if (!(least > thickness * thickness * largest)) return std::nullopt;
  const double floor = flattest * flattest * largest;
  const double volume = 4 * std::numbers::pi / 3 * std::sqrt(125 * largest) * std::sqrt(std::max(middle, floor)) *
                        std::sqrt(std::max(least, floor));
  return s.mass / volume;
}

}  // namespace torsor
