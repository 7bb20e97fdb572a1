// Slider-cranks and four-bars driven near and upon a dead centre, beside their closed forms.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/driven_run.hpp"

namespace torsor::testing {

using std::numbers::pi;
inline const Sym3<double> bar_tensor{0.01, 0.01, 0.01, 0, 0, 0};
inline const Vec3<double> z_axis{0, 0, 1};

inline Mat3<double> turned(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

/// A bar from one point of the plane to another.
inline int add_bar(MechanismDescription& d, const std::string& name, const Vec3<double>& from, const Vec3<double>& to) {
  const Vec3<double> way = to - from;
  return add_body(d, name, 1, bar_tensor, from + way * 0.5, turned(std::atan2(way.y, way.x)));
}

/// From one value to another and back in 2 s, over and over.
inline TimeFunction there_and_back(double from, double to) {
  return [=](double t) {
    return TimeValue{from + (to - from) * (1 - std::cos(pi * t)) / 2, (to - from) * pi * std::sin(pi * t) / 2,
                     (to - from) * pi * pi * std::cos(pi * t) / 2};
  };
}

/// A slider-crank along x with the crank r at an angle (its sign is its side) and the rod l; the slider is driven.
inline MechanismDescription slider_crank(double r, double l, double angle, const TimeFunction& f, bool redundant) {
  MechanismDescription d;
  const Vec3<double> A{r * std::cos(angle), r * std::sin(angle), 0};
  const Vec3<double> B{A.x + std::sqrt(l * l - A.y * A.y), 0, 0};
  add_bar(d, "crank", {}, A), add_bar(d, "rod", A, B);
  add_body(d, "slider", 1, bar_tensor, B);
  add_hinge(d, "O", ground, 0, {}, z_axis);
  add_joint(d, "A", redundant ? MechanismJointKind::revolute : MechanismJointKind::spherical, 0, 1, A, z_axis);
  add_hinge(d, "B", 1, 2, B, z_axis);
  const int slide = add_joint(d, "G", MechanismJointKind::translational, ground, 2, {}, {1, 0, 0});
  d.joints.back().j.X.p = {};  // its slide is the place of the slider
  d.drivers.push_back({"pull", {{{slide, Measure::What::slide}, 1, {}}}, f, -1, {}});
  return d;
}

/// The angle of its crank for a place of the slider; near the dead centre from what is missing to it.
inline double crank_angle(double r, double l, double missing) {
  const double s = r + l - missing;
  // 1 - cos of it
  const double versine = missing * (2 * l - missing) / (2 * r * s);
  return 2 * std::asin(std::sqrt(versine / 2));
}

struct Followed {
  DrivenRunReport report;
  double worst = 0;  // rad: of the angle of a body, beside what it should be
};

template <class Wanted>
Followed follow(const MechanismDescription& d, double time, double interval, std::size_t body, const Wanted& wanted) {
  const Result<Mechanism> m = build(d);
  REQUIRE(m);
  MechanismState state = described_state(*m);
  Followed out;
  out.report = run_driven(*m, state, {time, interval}, [&](const DrivenInstant& at) {
    const Vec3<double> x = rotation(at.state.bodies[body].p).x;
    out.worst = std::max(out.worst, std::fabs(std::remainder(std::atan2(x.y, x.x) - wanted(at.state.t), 2 * pi)));
    return true;
  });
  return out;
}

/// A law that comes to rest at 1 s, and stays.
inline TimeFunction to_rest(double from, double to) {
  return [=](double t) {
    if (t >= 1) return TimeValue{to, 0, 0};
    const double way = to - from;
    return TimeValue{from + way * t * t * t * (10 - 15 * t + 6 * t * t), way * 30 * t * t * (1 - t) * (1 - t),
                     way * 60 * t * (1 - t) * (1 - 2 * t)};
  };
}

/// A four-bar in the plane, driven at its crank: crank a, coupler b and rocker c on a base of 1; stretched where the diagonal
/// from the end of the crank is b + c.
struct FourBar {
  double a, b, c, side;

  /// Of the crank, where the diagonal is so long; no number where it never is.
  double crank_at(double diagonal) const { return std::acos((a * a + 1 - diagonal * diagonal) / (2 * a)); }

  struct Place {
    Vec3<double> A, B;
    double rocker() const { return std::atan2(B.y, B.x - 1); }
  };
  Place place(double crank, double of_side = 1) const {
    const Vec3<double> A{a * std::cos(crank), a * std::sin(crank), 0};
    const double x = 1 - A.x, y = -A.y, diagonal = std::hypot(x, y);
    // 1 - cos of the angle between coupler and diagonal, with all digits where it is small
    const double lacking = (b + c - diagonal) * (c - b + diagonal) / (2 * b * diagonal);
    const double angle = 2 * std::asin(std::sqrt(std::max(lacking, 0.0) / 2));
    const double coupler = std::atan2(y, x) + of_side * side * angle;
    return Place{A, A + Vec3<double>{b * std::cos(coupler), b * std::sin(coupler), 0}};
  }

  /// Standing where its crank has that angle. `f`: the angle on from there.
  MechanismDescription driven(double crank, const TimeFunction& f) const {
    const auto [A, B] = place(crank);
    MechanismDescription d;
    add_bar(d, "crank", {}, A), add_bar(d, "coupler", A, B), add_bar(d, "rocker", {1, 0, 0}, B);
    const int O = add_hinge(d, "O", ground, 0, {}, z_axis);
    add_hinge(d, "A", 0, 1, A, z_axis), add_hinge(d, "B", 1, 2, B, z_axis);
    add_hinge(d, "Q", ground, 2, {1, 0, 0}, z_axis);
    d.drivers.push_back({"turn", {{{O, Measure::What::angle}, 1, {}}}, f, -1, {}});
    return d;
  }
};

}  // namespace torsor::testing
