#include "torsor/dynamics/limit_watch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/description.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("of every limit that a motion passes the worst value is kept, with its instant, the first one and how many") {
  Model<double> model = *build(*load_robot("puma560"));
  for (Limits& limits : model.limits) limits = {-1, 2, 3, 4};
  Random random(901);
  for (int draw = 0; draw < draws(50); ++draw) {
    LimitWatch watch(model);
    std::vector<std::vector<double>> q, qd, tau;
    for (int i = 0; i < 40; ++i) {
      q.push_back(random.numbers(6, 2.2));
      qd.push_back(random.numbers(6, 3.2));
      tau.push_back(random.numbers(6, 4.2));
      watch.add(0.1 * i, {.q = q.back(), .qd = qd.back(), .tau = tau.back(), .alone = true});
    }
    // by another way: each kind and joint by itself
    std::size_t expected = 0;
    const std::vector<PassedLimit> passed = watch.passed();
    const auto check = [&](LimitKind kind, int k, auto&& beyond, auto&& value) {
      double worst = 0;
      int at = -1, first = -1, count = 0;
      for (int i = 0; i < 40; ++i) {
        if (!(beyond(i) > 0)) continue;
        if (count++ == 0) first = i;
        if (beyond(i) > worst) worst = beyond(i), at = i;
      }
      const auto found = std::find_if(passed.begin(), passed.end(),
                                      [&](const PassedLimit& p) { return p.kind == kind && p.coordinate == k; });
      REQUIRE((found != passed.end()) == (count > 0));
      if (count == 0) return;
      ++expected;
      CHECK(found->value == value(at));
      CHECK(found->time == 0.1 * at);
      CHECK(found->first == 0.1 * first);
      CHECK(found->instants == count);
    };
    for (std::size_t k = 0; k < 6; ++k) {
      const int v = static_cast<int>(k);
      const auto at = [](int i) { return static_cast<std::size_t>(i); };
      check(LimitKind::position, v, [&](int i) { return std::max(-1 - q[at(i)][k], q[at(i)][k] - 2); },
            [&](int i) { return q[at(i)][k]; });
      check(
          LimitKind::velocity, v, [&](int i) { return std::abs(qd[at(i)][k]) - 3; },
          [&](int i) { return qd[at(i)][k]; });
      check(
          LimitKind::effort, v, [&](int i) { return std::abs(tau[at(i)][k]) - 4; },
          [&](int i) { return tau[at(i)][k]; });
    }
    CHECK(passed.size() == expected);
    CHECK(watch.kept() == passed.empty());
  }
}

TEST_CASE("a limit that is just reached is kept, and parts that are not given are not looked at") {
  Model<double> model = *build(*load_robot("two_link"));
  for (Limits& limits : model.limits) limits = {-1, 2, 3, 4};
  LimitWatch watch(model);
  const std::vector<double> q{2, -1}, qd{3, -3}, tau{4 * (1 + 1e-12), -4}, faster{0, 3.3};
  watch.add(0, {.q = q, .qd = qd, .tau = tau});
  watch.add(1, {});
  CHECK(watch.kept());
  watch.add(2, {.qd = faster});
  REQUIRE(watch.passed().size() == 1);
  const std::string text = describe(watch.passed()[0], model, "at 2 s");
  CHECK(text == "\"" + model.velocity_names[1] + "\": speed 3.3 rad/s at 2 s is beyond its limit 3 rad/s (110 %)");
}

namespace {

/// Two joints that turn, of these limits.
Model<double> limited_to(const Limits& limits) {
  Model<double> model = *build(*load_robot("two_link"));
  for (Limits& each : model.limits) each = limits;
  return model;
}

const PassedLimit* find(const std::vector<PassedLimit>& passed, LimitKind kind) {
  const auto found = std::ranges::find(passed, kind, &PassedLimit::kind);
  return found == passed.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("accelerations are held against their limits, those that slow down against that of deceleration") {
  const Model<double> model = limited_to({.acceleration = 2, .deceleration = 5});
  struct Case {
    double qd, qdd;
    bool passed;
    double limit;
  };
  for (const Case& c : {Case{1, 1.9, false, 0}, Case{1, 2.1, true, 2}, Case{-1, 2.1, false, 0}, Case{-1, 4.9, false, 0},
                        Case{-1, 5.1, true, 5}, Case{1, -5.1, true, 5}, Case{-1, -2.1, true, 2},
                        // at rest it may be either
                        Case{0, 4.9, false, 0}, Case{0, 5.1, true, 5}}) {
    LimitWatch watch(model);
    const std::vector<double> qd{0, c.qd}, qdd{0, c.qdd};
    watch.add(0.5, {.qd = qd, .qdd = qdd});
    const std::vector<PassedLimit> passed = watch.passed();
    REQUIRE(passed.size() == (c.passed ? 1 : 0));
    CHECK(watch.peak(LimitKind::acceleration, 1).value == c.qdd);
    if (!c.passed) continue;
    CHECK(passed[0].kind == LimitKind::acceleration);
    CHECK(passed[0].limit == c.limit);
    CHECK(passed[0].value == c.qdd);
    CHECK_FALSE(passed[0].mean_from);
  }
  // one limit is for both
  const Model<double> one = limited_to({.acceleration = 2});
  LimitWatch watch(one);
  const std::vector<double> qd{-1, 0}, qdd{2.1, 2.2};
  watch.add(0, {.qd = qd, .qdd = qdd});
  CHECK(watch.passed().size() == 2);
}

TEST_CASE("what a rate reaches between rows is never more than it is there, and little less where rows are close") {
  Random random(902);
  for (int draw = 0; draw < draws(200); ++draw) {
    // q = A sin(w t + p): peaks of speed, acceleration and jerk are A w, A w^2, A w^3
    const double A = random.uniform(0.2, 1.2), w = random.uniform(1, 5), p = random.uniform(-3, 3);
    const double h = random.uniform(0.02, 0.04) / w;
    for (const double part : {0.9, 1.0001}) {
      const Model<double> model = limited_to({.velocity = part * A * w, .acceleration = part * A * w * w,
                                              .deceleration = part * A * w * w, .jerk = part * A * w * w * w});
      LimitWatch steps(model), rates(model);
      for (int i = 0; i * h * w < 8; ++i) {
        const double t = i * h, x = w * t + p;
        const std::vector<double> q{0, A * std::sin(x)}, qd{0, A * w * std::cos(x)}, qdd{0, -A * w * w * std::sin(x)};
        steps.add(t, {.q = q});
        rates.add(t, {.qd = qd, .qdd = qdd});
      }
      CHECK(steps.kept() == (part > 1));
      CHECK(rates.kept() == (part > 1));
      if (part > 1) continue;
      const auto means = steps.passed(), known = rates.passed();
      const PassedLimit *speed = find(means, LimitKind::velocity), *same = find(known, LimitKind::velocity),
                        *acceleration = find(known, LimitKind::acceleration), *jerk = find(known, LimitKind::jerk);
      REQUIRE(speed);
      REQUIRE(same);
      REQUIRE(acceleration);
      REQUIRE(jerk);
      CHECK(means.size() == 1);
      REQUIRE(speed->mean_from);
      CHECK(speed->time - *speed->mean_from == doctest::Approx(h));
      CHECK_FALSE(same->mean_from);
      REQUIRE(jerk->mean_from);
      CHECK(std::abs(speed->value) == doctest::Approx(A * w).epsilon(1e-3));
      CHECK(std::abs(speed->value) <= A * w * (1 + 1e-9));
      CHECK(std::abs(acceleration->value) == doctest::Approx(A * w * w).epsilon(1e-3));
      CHECK(std::abs(jerk->value) == doctest::Approx(A * w * w * w).epsilon(1e-3));
      CHECK(std::abs(jerk->value) <= A * w * w * w * (1 + 1e-9));
    }
  }
}

TEST_CASE("rounded rows of a motion that just keeps its limits pass none") {
  for (const double h : {1.0 / 240, 1.0 / 300, 1.0 / 3, 0.01})
    for (const double digit : {1e-3, 1e-4, 1e-5, 1e-8}) {
      if (digit > h) continue;
      const Model<double> model = limited_to({.velocity = 2, .acceleration = 1.5, .deceleration = 1.5, .jerk = 3});
      const auto written = [digit](double x) { return std::round(x / digit) * digit; };
      LimitWatch watch(model), jerky(model);
      for (int i = 0; i < 200; ++i) {
        // at the limit of speed; and at that of jerk, to and fro
        const double t = h * i, u = std::fmod(t, 0.5), jerk = std::fmod(t, 1) < 0.5 ? 3 : -3,
                     a = jerk > 0 ? 3 * u - 0.75 : 0.75 - 3 * u;
        const std::vector<double> q{0, written(2 * t)}, qd{0, written(2)}, rest{0, 0}, qdd{0, written(a)};
        watch.add(written(t), {.q = q, .qd = qd, .qdd = rest});
        jerky.add(written(t), {.qdd = qdd});
      }
      INFO("rows every ", h, " s, last digit ", digit);
      CHECK(watch.kept());
      CHECK(jerky.kept());
    }
}

TEST_CASE("an angle that comes back by a whole turn has not moved, one without room for that has") {
  const std::vector<double> before{0, 3.1}, after{0, -3.1};
  for (const double bound : {3.0, 3.12, 4.0, 1e300}) {
    const Model<double> model = limited_to({.lower = -bound, .upper = bound, .velocity = 1});
    LimitWatch own(model);
    own.add(0.1, {.q = before});
    own.add(0.2, {.q = after});
    const std::vector<PassedLimit> passed = own.passed();
    CHECK((find(passed, LimitKind::velocity) != nullptr) == (bound == 3.12));
  }
  // rows without times are states of their own
  const Model<double> model = limited_to({.velocity = 1});
  LimitWatch states(model), timed(model);
  const std::vector<double> away{0, 1.1};
  timed.add(1, {.q = before});
  timed.add(2, {.q = away});
  CHECK_FALSE(timed.kept());
  states.add(1, {.q = before, .alone = true});
  states.add(2, {.q = away, .alone = true});
  CHECK(states.kept());
}
