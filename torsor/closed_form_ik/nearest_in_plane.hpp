// How near an arm with its shoulder in planes (shoulder_planes.hpp) comes to a wrist point that it does not reach. The
// places (g, Y) that joints 2 and 3 reach lie between two circles about (a_1, 0); joint 1 turns them to the distance
// sqrt(g^2 + o^2) from axis 1. The nearest one is therefore on a circle of radius R, at the angle that makes
//
//   (sqrt(g^2 + o^2) - rho)^2 + (R sin phi - Y)^2,   g = a_1 + R cos phi
//
// least, or, for points nearer to axis 1 than |o|, at g = 0 and their own height. The function of phi has up to four
// minima: the zeros of its derivative are bracketed, then halved. Its root changes by no more than R per radian: arcs are
// halved until none can hold anything nearer, to 1e-6 of the lengths, than what was found.
#pragma once

#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/shoulder_planes.hpp"

namespace torsor::detail {

struct PlanePlace {
  double g = 0, Y = 0;
  double distance = std::numeric_limits<double>::infinity();  // m, from the wrist point
};

/// The better of `best` and what is nearest to (rho, Y) on the circle of radius R.
inline PlanePlace nearest_on_circle(double R, double a1, double o, double rho, double Y, PlanePlace best) {
  constexpr int steps = 90;  // minima are farther apart than this
  constexpr double step = 2 * std::numbers::pi / steps;
  const auto slope = [&](double phi) {
    const double c = std::cos(phi), s = std::sin(phi), g = a1 + R * c;
    return R * c * (R * s - Y) - R * s * g * (1 - rho / hypotenuse(g, o));
  };
  double before = slope(0);
  for (int k = 1; k <= steps; ++k) {
    const double after = slope(k * step);
    if (before <= 0 && after >= 0) {
      double low = (k - 1) * step, high = k * step;
      for (int halving = 0; halving < 50; ++halving) {
        const double middle = (low + high) / 2;
        (slope(middle) > 0 ? high : low) = middle;
      }
      const double phi = (low + high) / 2, g = a1 + R * std::cos(phi), at = R * std::sin(phi);
      const double distance = hypotenuse(hypotenuse(g, o) - rho, at - Y);
      if (distance < best.distance) best = {g, at, distance};
    }
    before = after;
  }

  struct Arc {
    double middle, half;
  };
  std::array<Arc, 64> arcs;
  std::size_t open = 0;
  arcs[open++] = {std::numbers::pi, std::numbers::pi};
  const double slack = 1e-6 * (R + rho + abs(a1) + abs(o) + abs(Y));
  while (open > 0) {
    const Arc arc = arcs[--open];
    const double g = a1 + R * std::cos(arc.middle), at = R * std::sin(arc.middle);
    const double distance = hypotenuse(hypotenuse(g, o) - rho, at - Y);
    if (distance < best.distance) best = {g, at, distance};
    if (distance - R * arc.half >= best.distance - slack) continue;
    arcs[open++] = {arc.middle - arc.half / 2, arc.half / 2};
    arcs[open++] = {arc.middle + arc.half / 2, arc.half / 2};
  }
  return best;
}

/// The nearest place between the circles (far infinite: outside the near one) for an arm with an offset o.
inline PlanePlace nearest_in_plane(double near, double far, double a1, double o, double rho, double Y) {
  PlanePlace best;
  const double D = hypotenuse(a1, Y);
  if (near <= D && D <= far) best = {0, Y, abs(abs(o) - rho)};
  if (near > 0) best = nearest_on_circle(near, a1, o, rho, Y, best);
  if (std::isfinite(far)) best = nearest_on_circle(far, a1, o, rho, Y, best);
  return best;
}

/// Joint 1 at that place.
inline ArmPose nearest_shoulder(const WristArm& arm, const Vec3<double>& p, double o, const PlanePlace& place) {
  ArmPose pose;
  pose.d = {arm[1].d, arm[2].d, arm[3].d};
  const double rho = hypotenuse(p.x, p.y);
  // on axis 1 any direction is as near
  const bool anywhere = rho <= singular_distance * arm.size;
  face(pose, place.g, o, anywhere ? Vec3<double>{1, 0, 0} : p, anywhere ? 1 : rho);
  pose.shoulder = place.g > 0 ? 1 : place.g < 0 ? -1 : 0;
  pose.shoulder_factor = std::min(1.0, abs(place.g) / arm.size);
  pose.shoulder_singular = place.g == 0;
  pose.free[0] = anywhere;
  return pose;
}

}  // namespace torsor::detail
