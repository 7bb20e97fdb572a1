#include "torsor/scalar/infinity.hpp"
#include "torsor/trajectory/time_scaling.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/trajectory/point_to_point.hpp"
#include "torsor/trajectory/spline_motion.hpp"

using namespace torsor;
using namespace torsor::testing;


namespace {


/// A mass that slides along z (up, if there is gravity), with friction.
Model<double> slider(double mass, double gravity, double viscous, double coulomb) {
  Description d;
  d.name = "slider";
  d.convention = Convention::placement;
  d.gravity = {0, 0, -gravity};
  LinkDescription link;
  link.name = "mass";
  link.joint_name = "lift";
  link.kind = JointKind::prismatic;
  link.geometry = JointPlacement{{}, {0, 0, 1}};
  link.parts = {Part{mass, {}, {}, InertiaAbout::mass_centre, {}}};
  link.friction.emplace();
  link.friction->viscous = viscous;
  link.friction->coulomb_positive = link.friction->coulomb_negative = coulomb;
  d.links = {link};
  return built(d);
}

/// The largest share of its limit that each kind of demand takes along a motion, by the tree's own inverse dynamics.
std::array<double, 3> shares(const Model<double>& model, const auto& motion, const ScalingLimits& limits, int samples) {
  TreeDynamics<double> dynamics(model);
  std::array<double, 3> most{};
  const auto n = static_cast<std::size_t>(model.nv);
  Numbers q(n), qd(n), qdd(n), tau(n);
  for (int k = 0; k <= samples; ++k) {
    motion.sample(k == samples ? motion.duration() : motion.duration() * k / samples, q, qd, qdd);
    dynamics.inverse(q, qd, qdd, tau);
    for (std::size_t i = 0; i < n; ++i) {
      if (!limits.velocity.empty()) most[0] = std::max(most[0], std::abs(qd[i]) / limits.velocity[i]);
      if (!limits.acceleration.empty()) most[1] = std::max(most[1], std::abs(qdd[i]) / limits.acceleration[i]);
      if (!limits.effort.empty()) most[2] = std::max(most[2], std::abs(tau[i]) / limits.effort[i]);
    }
  }
  return most;
}
double largest_share(const Model<double>& model, const auto& motion, const ScalingLimits& limits, int samples) {
  const auto s = shares(model, motion, limits, samples);
  return std::max({s[0], s[1], s[2]});
}

}  // namespace

TEST_CASE("velocity and acceleration limits give the factor of a point-to-point motion by hand") {
  const Model<double> model = slider(2, 0, 0, 0);
  const auto motion = point_to_point({0}, {1}, 1, "quintic");
  // 1.875 m/s at the middle
  const auto by_velocity = smallest_time_factor(model, *motion, {{1.5}, {}, {}});
  REQUIRE(by_velocity);
  CHECK(by_velocity->status == ScalingStatus::ok);
  CHECK(by_velocity->factor == doctest::Approx(1.25).epsilon(1e-12));
  CHECK(by_velocity->kind == LimitKind::velocity);
  CHECK(by_velocity->time == doctest::Approx(0.5).epsilon(1e-6));
  CHECK(by_velocity->value == doctest::Approx(1.5));
  CHECK(describe(*by_velocity, model) == "times 1.25: velocity of \"lift\" at 0.625 s reaches 1.5");
  CHECK(describe(*by_velocity, model, 2) == "times 1.25: velocity of \"lift\" at 2.625 s reaches 1.5");
  // 10/sqrt(3) m/s^2 between the samples, at (3 - sqrt(3))/6
  const auto by_acceleration = smallest_time_factor(model, *motion, {{}, {1}, {}}, {.samples = 7});
  CHECK(by_acceleration->factor == doctest::Approx(std::sqrt(10 / std::sqrt(3))).epsilon(1e-12));
  CHECK(std::min(by_acceleration->time, 1 - by_acceleration->time) ==
        doctest::Approx((3 - std::sqrt(3)) / 6).epsilon(1e-6));
  // a motion that may be faster
  CHECK(smallest_time_factor(model, *motion, {{18.75}, {}, {}})->factor == doctest::Approx(0.1));
}

TEST_CASE(
    "effort limits give the factor by hand: inertia by 1/k^2, damping by 1/k, weight and dry friction as they are") {
  const auto motion = point_to_point({0}, {1}, 1, "trapezoid");
  // the end of the first ramp: speed 1.5, acceleration 4.5: 2 (9.81 + 4.5 x^2) + 3 * 1.5 x + 4 <= 30
  const Model<double> model = slider(2, 9.81, 3, 4);
  const auto scaling = smallest_time_factor(model, *motion, {{}, {}, {30}});
  REQUIRE(scaling);
  const double a = 9, b = 4.5, c = 19.62 + 4 - 30, x = (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
  CHECK(scaling->factor == doctest::Approx(1 / x).epsilon(1e-8));
  CHECK(scaling->kind == LimitKind::effort);
  CHECK(scaling->coordinate == 0);
  CHECK(scaling->time == doctest::Approx(1.0 / 3).epsilon(1e-6));
  CHECK(scaling->value == doctest::Approx(30));
}

TEST_CASE("no scaling helps against weight and dry friction; a force from outside may") {
  const auto motion = point_to_point({0}, {1}, 1, "cycloidal");
  const Model<double> model = slider(2, 9.81, 3, 4);
  const auto scaling = smallest_time_factor(model, *motion, {{}, {}, {22}});
  REQUIRE(scaling);
  CHECK(scaling->status == ScalingStatus::impossible);
  CHECK(scaling->coordinate == 0);
  CHECK(scaling->value == doctest::Approx(23.62).epsilon(1e-6));
  CHECK(scaling->limit == 22);
  CHECK(describe(*scaling, model).starts_with("no scaling of time keeps the limits"));
  const std::vector<Force<double>> lift = {{{}, {0, 0, 10}}};
  CHECK(smallest_time_factor(model, *motion, {{}, {}, {22}}, {.external = lift})->status == ScalingStatus::ok);
  CHECK(smallest_time_factor(model, *motion, {})->status == ScalingStatus::unlimited);
  CHECK(smallest_time_factor(model, *point_to_point({1}, {1}, 1), {{1}, {}, {30}})->status == ScalingStatus::unlimited);
}

TEST_CASE("where weight is too much at rest but not in a fall, the window of speeds is found") {
  // always falling: qdd = -4 x^2 throughout, from a sampler of its own; 2 (9.81 - 4 x^2) within +-10
  const Model<double> model = slider(2, 9.81, 0, 0);
  const Trajectory fall(1, 1, [](double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
    q[0] = -2 * t * t;
    qd[0] = -4 * t;
    qdd[0] = -4;
  });
  const auto scaling = smallest_time_factor(model, fall, {{}, {}, {10}});
  REQUIRE(scaling);
  CHECK(scaling->status == ScalingStatus::ok);
  CHECK(scaling->factor == doctest::Approx(1 / std::sqrt((9.81 + 5) / 4)).epsilon(1e-9));
  CHECK(scaling->value == doctest::Approx(-10));
  // the window is open downwards only to sqrt((9.81 - 5)/4): a speed limit below it closes it
  CHECK(smallest_time_factor(model, fall, {{4.6}, {}, {10}})->factor == doctest::Approx(4 / 4.6));
  CHECK(smallest_time_factor(model, fall, {{4.3}, {}, {10}})->status == ScalingStatus::impossible);
}

TEST_CASE(
    "over random arms, motions and limits: at the factor all limits hold and one is touched, below it one is broken") {
  Random random(80);
  int odd = 0;
  std::map<LimitKind, int> by_kind;
  for (int k = 0; k < draws(40); ++k) {
    CAPTURE(k);
    const int n = 1 + random.below(6);
    Description arm = random_dh_arm(random, n, Convention::standard_dh, 0.2);
    for (LinkDescription& link : arm.links) {
      if (random.chance(0.3)) continue;
      link.friction.emplace();
      link.friction->viscous = random.uniform(0, 3);
      link.friction->coulomb_positive = random.uniform(0, 2);
      link.friction->coulomb_negative = random.uniform(0, 2);
      if (random.chance(0.2)) {
        link.friction->breakaway_positive = link.friction->coulomb_positive + random.uniform(0, 1);
        link.friction->breakaway_negative = link.friction->coulomb_negative + random.uniform(0, 1);
        link.friction->stribeck_velocity = random.uniform(0.05, 0.5);
        ++odd;
      }
    }
    const Model<double> model = built(arm);
    std::vector<std::vector<double>> positions;
    for (int i = 0; i < 4; ++i) positions.push_back(random.numbers(n, 2));
    const std::vector<double> times = {0, 0.6, 1.1, 2};
    const auto motion = spline_motion(times, positions, SplineDegree::quintic,
                                      SplineEnds::clamped(SplineDegree::quintic, static_cast<std::size_t>(n)));
    REQUIRE(motion);

    // effort limits above what weight and friction take at any instant, below what the motion takes
    const auto crawl = [&](double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
      motion->sample(t, q, qd, qdd);
      for (double& x : qd) x *= 1e-6;
      for (double& x : qdd) x *= 1e-12;
    };
    ScalingLimits limits;
    TreeDynamics<double> dynamics(model);
    limits.effort.assign(static_cast<std::size_t>(n), 0.1);
    Numbers q(static_cast<std::size_t>(n)), qd(q), qdd(q), tau(q);
    for (int i = 0; i <= 500; ++i) {
      crawl(2.0 * i / 500, q, qd, qdd);
      dynamics.inverse(q, qd, qdd, tau);
      for (std::size_t c = 0; c < q.size(); ++c)
        limits.effort[c] = std::max(limits.effort[c], 1.2 * std::abs(tau[c]) + 0.1);
    }
    if (k % 3 != 0) limits.velocity.assign(q.size(), random.uniform(0.1, 10));
    if (k % 2 != 0) limits.acceleration.assign(q.size(), random.uniform(0.1, 30));

    const auto scaling = smallest_time_factor(model, *motion, limits);
    REQUIRE(scaling);
    REQUIRE(scaling->status == ScalingStatus::ok);
    ++by_kind[scaling->kind];
    const Trajectory scaled = Trajectory(*motion).stretched(scaling->factor);
    CHECK(largest_share(model, scaled, limits, 5000) < 1 + 1e-7);
    CHECK(std::abs(scaling->value) == doctest::Approx(scaling->limit).epsilon(1e-7));

    // the joint named touches its limit at the instant named, and breaks it there when faster
    // (scaled here: at a jump of dry friction the very instant matters)
    const auto reached = [&](double factor) {
      motion->sample(scaling->time, q, qd, qdd);
      for (double& x : qd) x /= factor;
      for (double& x : qdd) x /= factor * factor;
      dynamics.inverse(q, qd, qdd, tau);
      const auto c = static_cast<std::size_t>(scaling->coordinate);
      return scaling->kind == LimitKind::velocity ? qd[c] : scaling->kind == LimitKind::acceleration ? qdd[c] : tau[c];
    };
    CHECK(reached(scaling->factor) == doctest::Approx(scaling->value).epsilon(1e-9));
    CHECK(std::abs(reached(scaling->factor * 0.999)) > scaling->limit);
  }
  // the draws are of every sort
  CHECK(odd > 0);
  for (const LimitKind kind : {LimitKind::velocity, LimitKind::acceleration, LimitKind::effort})
    CHECK(by_kind[kind] > 0);
}

TEST_CASE("friction that is felt only where a joint turns back is not overlooked") {
  // turns back at 0.57 s, between the samples; 5 N of breakaway are gone within 0.01 m/s of rest; fastest at its end
  Model<double> model = slider(1, 0, 0, 0);
  model.friction = {{0, {}}};
  model.friction[0].law.breakaway_positive = model.friction[0].law.breakaway_negative = 5;
  model.friction[0].law.stribeck_velocity = 0.01;
  const Trajectory back(1, 2, [](double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
    const double y = t - 0.57;
    q[0] = y * y / 2 + y * y * y / 3;
    qd[0] = y + y * y;
    qdd[0] = 1 + 2 * y;
  });
  const auto scaling = smallest_time_factor(model, back, {{}, {}, {6}}, {.samples = 40});
  REQUIRE(scaling);
  CHECK(scaling->factor == doctest::Approx(1));
  CHECK(scaling->time == doctest::Approx(0.57));
  CHECK(scaling->value == doctest::Approx(6));
}

TEST_CASE("where an acceleration is said to jump both sides of the instant are looked at") {
  const Model<double> model = slider(2, 0, 0, 0);
  // for a moment before the jump, between any two samples, the acceleration is 4 instead of 1 m/s^2
  const double jump = 0.50037;
  const auto motion = [jump](double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
    q[0] = qd[0] = 0;
    qdd[0] = t < jump && t > jump - 1e-6 ? 4 : 1;
  };
  CHECK(smallest_time_factor(model, Trajectory(1, 1, motion), {{}, {1}, {}})->factor == doctest::Approx(1));
  const auto found = smallest_time_factor(model, Trajectory(1, 1, motion, {jump}), {{}, {1}, {}});
  CHECK(found->factor == doctest::Approx(2));
  CHECK(found->time == doctest::Approx(jump).epsilon(1e-6));
}

TEST_CASE("limits of the wrong size or sign are named") {
  const Model<double> model = slider(1, 9.81, 0, 0);
  const auto motion = point_to_point({0}, {1}, 1);
  const auto bad = smallest_time_factor(model, *motion, {{1, 2}, {-1}, {std::nan("")}}, {.samples = 0});
  REQUIRE_FALSE(bad);
  CHECK(bad.faults().size() == 4);
  CHECK(smallest_time_factor(model, *point_to_point({0, 0}, {1, 1}, 1), {}).faults()[0].rule == "motion-size");
  CHECK(limits_of(model).effort == std::vector<double>{infinity});
}
