// Branches of driven mechanisms next to and upon dead centres, beside their closed forms.
#include "torsor/mechanism/branch_watch.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "tests/support/dead_centre.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/run_diagnosis.hpp"
#include "torsor/model/random_position.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("slider-cranks driven close to a dead centre and back end where the closed form says, at any rows") {
  std::mt19937_64 engine(1);
  const int draws = std::getenv("TORSOR_FULL") ? 3000 : 60;
  for (int draw = 0; draw < draws; ++draw) {
    const double r = 0.05 + 0.25 * uniform(engine), l = r * (1.2 + 4 * uniform(engine));
    const double missing = (r + l) * std::pow(10, -3 - 5 * uniform(engine));
    const double side = draw % 2 ? 1 : -1, start = 0.4 + 0.8 * uniform(engine);
    const double intervals[] = {0.5, 0.37, 0.1, 0.05, 0.03, 0.013};
    const double interval = intervals[draw % 6];
    const double x = r * std::cos(start) + std::sqrt(l * l - r * r * std::sin(start) * std::sin(start));
    const TimeFunction f = there_and_back(x, r + l - missing);
    CAPTURE(r); CAPTURE(l); CAPTURE(missing); CAPTURE(interval);
    const Followed run =
        follow(slider_crank(r, l, side * start, f, draw % 3 == 0), 4, interval, 0,
               [&](double t) {
                 const double back = (1 + std::cos(pi * t)) / 2;  // of the way
                 return side * crank_angle(r, l, missing + (r + l - missing - x) * back);
               });
    CHECK_MESSAGE(run.report.finished, run.report.why);
    CHECK(run.report.branch_times.empty());
    CHECK(run.worst < 1e-8);
  }
}

TEST_CASE("four-bars driven close to a dead centre and back stay on their branch, at any rows") {
  std::mt19937_64 engine(2);
  const int draws = std::getenv("TORSOR_FULL") ? 3000 : 60;
  int tried = 0;
  while (tried < draws) {
    // crank a, coupler b, rocker c on a base of 1: stretched where the diagonal is b + c
    const double a = 0.4 + 1.1 * uniform(engine), b = 0.3 + 0.9 * uniform(engine), c = 0.3 + 0.9 * uniform(engine);
    const FourBar bars{a, b, c, tried % 2 ? 1.0 : -1.0};
    const double end = bars.crank_at(b + c), inner = bars.crank_at(std::fabs(b - c));
    if (!(std::fabs(std::cos(end)) <= 0.95)) continue;
    const double begin = std::isfinite(inner) ? inner : 0;
    if (end - begin < 0.3) continue;
    const double from = begin + (end - begin) * (0.3 + 0.4 * uniform(engine));
    const double to = end - std::pow(10, -3 - 5 * uniform(engine));
    const double intervals[] = {0.5, 0.37, 0.1, 0.05, 0.03, 0.013};
    const double interval = intervals[tried % 6];
    const TimeFunction f = there_and_back(from, to);
    CAPTURE(a); CAPTURE(b); CAPTURE(c); CAPTURE(end - to); CAPTURE(interval);
    // hinges count from where they stand
    const Followed run = follow(bars.driven(from, there_and_back(0, to - from)), 4, interval, 2,
                                [&](double t) { return bars.place(f(t).f).rocker(); });
    CHECK_MESSAGE(run.report.finished, run.report.why);
    CHECK(run.report.branch_times.empty());
    CHECK(run.worst < 1e-7);
    ++tried;
  }
}

TEST_CASE("two cranks that come near their dead centres at one time are both kept on their sides") {
  // the determinant of all equations changes its sign twice, which is not at all
  for (const double interval : {0.5, 0.1, 0.03, 0.013}) {
    const double r = 0.1, l = 0.3, missing = 1e-7, start = 0.8;
    const double x = r * std::cos(start) + std::sqrt(l * l - r * r * std::sin(start) * std::sin(start));
    MechanismDescription d = slider_crank(r, l, start, there_and_back(x, r + l - missing), false);
    const Vec3<double> A{r * std::cos(start), -r * std::sin(start), 0}, B{x, 0, 0};
    add_bar(d, "other crank", {}, A), add_bar(d, "other rod", A, B);
    testing::add_hinge(d, "P", ground, 3, {}, z_axis), testing::add_hinge(d, "Q", 3, 4, A, z_axis);
    testing::add_hinge(d, "R", 4, 2, B, z_axis);
    for (const std::size_t body : {0, 3}) {
      const Followed run = follow(d, 2, interval, body, [&](double t) {
        const double back = (1 + std::cos(pi * t)) / 2;
        return (body == 0 ? 1 : -1) * crank_angle(r, l, missing + (r + l - missing - x) * back);
      });
      CHECK_MESSAGE(run.report.finished, run.report.why);
      CHECK(run.worst < 1e-8);
    }
  }
}

TEST_CASE("a driver that only touches a dead centre locks nothing, whether or not a row falls upon it") {
  const double r = 0.1, l = 0.3, reach = r + l;
  const double start = -crank_angle(r, l, 0.05);
  const auto power = [&](int n) {
    return TimeFunction([=](double t) {
      const double x = t - 1;
      return TimeValue{reach - 0.05 * std::pow(x, n), -0.05 * n * std::pow(x, n - 1),
                       -0.05 * n * (n - 1) * std::pow(x, n - 2)};
    });
  };
  for (const double interval : {0.5, 0.25, 0.1, 0.03, 0.01}) {
    CAPTURE(interval);
    // with the square it passes straight through, with the fourth power it turns about: both as smoothly as it came
    for (const int n : {2, 4}) {
      CAPTURE(n);
      const Followed run = follow(slider_crank(r, l, start, power(n), true), 2, interval, 0, [&](double t) {
        return (n == 2 && t > 1 ? 1 : -1) * crank_angle(r, l, 0.05 * std::pow(t - 1, n));
      });
      CHECK_MESSAGE(run.report.finished, run.report.why);
      CHECK(run.worst < 1e-7);
      REQUIRE(run.report.branch_times.size() == 1);
      CHECK(std::fabs(run.report.branch_times[0] - 1) < 1e-4);
    }
    // a clamp comes to rest there and stays
    const Followed clamp =
        follow(slider_crank(r, l, start, to_rest(reach - 0.05, reach), true), 2, interval, 0, [&](double t) {
          return -crank_angle(r, l, reach - to_rest(reach - 0.05, reach)(t).f);
        });
    CHECK_MESSAGE(clamp.report.finished, clamp.report.why);
    CHECK(clamp.worst < 3e-7);
    CHECK(clamp.report.rest_time == doctest::Approx(1).epsilon(1e-2));
  }
}

TEST_CASE("a touch of a dead centre that is begun from rest is passed straight on, at any rows") {
  const double r = 0.1, l = 0.3, reach = r + l;
  const TimeFunction f = there_and_back(reach - 0.05, reach);
  for (const double interval : {0.1, 0.03, 0.02, 0.01, 0.005}) {
    CAPTURE(interval);
    const auto angle = [&](double t) {
      const double c = std::cos(pi * t / 2);
      return (t > 1 ? 1 : -1) * crank_angle(r, l, 0.05 * c * c);
    };
    const Followed run = follow(slider_crank(r, l, angle(0), f, true), 2, interval, 0, angle);
    CHECK_MESSAGE(run.report.finished, run.report.why);
    CHECK(run.worst < 1e-7);
    REQUIRE(run.report.branch_times.size() == 1);
    CHECK(std::fabs(run.report.branch_times[0] - 1) < 1e-4);
    CHECK(run.report.rest_time < 0);
  }
}

TEST_CASE("who leaves a dead centre after a rest upon it is told that the way is not determined") {
  const double r = 0.1, l = 0.3, reach = r + l;
  const TimeFunction closing = to_rest(reach - 0.05, reach);
  const TimeFunction f = [&](double t) {
    if (t < 1.5) return closing(t);
    const TimeValue back = closing(2.5 - t);
    return TimeValue{back.f, -back.fd, back.fdd};
  };
  const Followed run = follow(slider_crank(r, l, -crank_angle(r, l, 0.05), f, true), 2.5, 0.1, 0,
                              [&](double t) { return -crank_angle(r, l, reach - f(t).f); });
  CHECK_FALSE(run.report.finished);
  CHECK(run.report.stop == RunStop::undetermined);
  CHECK(run.report.t > 1.49);
  CHECK(run.report.t < 1.52);
  CHECK(run.worst < 3e-7);
}

TEST_CASE("who rests upon a dead centre for an instant leaves it no longer, with and without forces, at any rows") {
  const double r = 0.1, l = 0.3, reach = r + l;
  const TimeFunction f = [&](double t) {
    const double x = std::fabs(t - 1), sign = t < 1 ? -1 : 1;
    return TimeValue{reach - 0.05 * x * x * x, -sign * 0.15 * x * x, -0.3 * x};
  };
  for (const bool redundant : {true, false}) {
    const Result<Mechanism> m = build(slider_crank(r, l, -crank_angle(r, l, 0.05), f, redundant));
    REQUIRE(m);
    for (const double interval : {0.1, 0.05, 0.03, 0.02}) {
      CAPTURE(redundant); CAPTURE(interval);
      MechanismState driven = described_state(*m), forced = driven;
      const DrivenRunReport without = run_driven(*m, driven, {2, interval}, [](const DrivenInstant&) { return true; });
      CHECK(without.stop == RunStop::undetermined);
      CHECK(std::fabs(without.t - 1) < 5e-3);
      ForwardRunRules rules;
      rules.time = 2, rules.interval = interval;
      const ForwardRunReport with = run_forward(*m, forced, rules, [](const ForwardInstant&) { return true; });
      CHECK(with.stop == RunStop::undetermined);
      CHECK(std::fabs(with.t - 1) < 5e-3);
    }
  }
}

TEST_CASE("upon a dead centre a driver that turns back locks nothing, and one that goes on does") {
  const double r = 0.1, l = 0.3, reach = r + l;
  for (const double to : {-1.0, 1.0})
    for (const double power : {1.0, 3.0})
      for (const double moment : {1e-3, 3e-3, 1e-2}) {
        CAPTURE(to); CAPTURE(power); CAPTURE(moment);
        const TimeFunction f = [&](double t) {
          return TimeValue{reach + to * 0.05 * std::pow(t, power), to * 0.05 * power * std::pow(t, power - 1), 0};
        };
        const Result<Mechanism> m = build(slider_crank(r, l, 0, f, true));
        REQUIRE(m);
        const std::optional<LockAhead> lock = lock_ahead(*m, described_state(*m), moment);
        CHECK(lock.has_value() == (to > 0));
      }
}

TEST_CASE("a clamp that rests upon a dead centre costs a simulation no more per row than one that moves") {
  const double r = 0.1, l = 0.3, reach = r + l;
  long calls = 0, upon_it = 0;
  const TimeFunction law = to_rest(reach - 0.05, reach);
  const TimeFunction counted = [&](double t) { return ++calls, law(t); };
  const Result<Mechanism> m = build(slider_crank(r, l, -crank_angle(r, l, 0.05), counted, true));
  REQUIRE(m);
  ForwardRunRules rules;
  rules.time = 2, rules.interval = 0.02;
  MechanismState state = described_state(*m);
  const ForwardRunReport run = run_forward(*m, state, rules, [&](const ForwardInstant& at) {
    if (at.state.t < 1.5) upon_it = calls;
    return true;
  });
  CHECK_MESSAGE(run.finished, run.why);
  CHECK(calls - upon_it < 26 * 500);
}

TEST_CASE("one lock has one time and one joint, whatever integrates up to it") {
  const double r = 0.1, l = 0.3;
  const TimeFunction f = [](double t) { return TimeValue{0.35 + 0.06 * t, 0.06, 0}; };
  const Result<Mechanism> m = build(slider_crank(r, l, -crank_angle(r, l, 0.05), f, false));
  REQUIRE(m);
  MechanismState driven = described_state(*m);
  const DrivenRunReport wanted = run_driven(*m, driven, {2, 0.1}, [](const DrivenInstant&) { return true; });
  REQUIRE(wanted.stop == RunStop::locked);
  CHECK(wanted.t == doctest::Approx(0.05 / 0.06).epsilon(1e-7));
  for (const std::string integrator : {"dormand-prince", "radau", "rk4", "semi-implicit", "gauss"}) {
    CAPTURE(integrator);
    ForwardRunRules rules;
    rules.time = 2, rules.interval = 0.1, rules.integrator = integrator;
    MechanismState state = described_state(*m);
    const ForwardRunReport run = run_forward(*m, state, rules, [](const ForwardInstant&) { return true; });
    CHECK(run.stop == RunStop::locked);
    CHECK(run.block == wanted.block);
    CHECK(run.t == doctest::Approx(wanted.t).epsilon(1e-7));
  }
}

TEST_CASE("what is beyond the reach is no branch point, however little it is") {
  const double r = 0.1, l = 0.3, reach = r + l;
  for (const double beyond : {1e-4, 1e-6, 1e-7, 1e-8})
    for (const double interval : {0.1, 0.03, 0.013}) {
      const double far = 0.05 + beyond;
      const TimeFunction f = there_and_back(reach - 0.05, reach - 0.05 + far);
      const Followed run = follow(slider_crank(r, l, -crank_angle(r, l, 0.05), f, true), 2, interval, 0, [&](double t) {
        return -crank_angle(r, l, std::max(0.0, reach - f(t).f));
      });
      CAPTURE(beyond); CAPTURE(interval);
      CHECK_FALSE(run.report.finished);
      CHECK(run.report.stop == RunStop::locked);
      // (1 - cos pi t) / 2 = 0.05 / far
      CHECK(run.report.t == doctest::Approx(std::acos(1 - 0.1 / far) / pi).epsilon(1e-6));
      CHECK(run.worst < 1e-7);
    }
}

TEST_CASE("no branch points are invented in a linkage whose equations are dependent everywhere") {
  // Bennett's: opposite links equal, a / b = sin alpha / sin beta
  const double a = 1, alpha = 40 * pi / 180, b = 0.7, beta = std::asin(b * std::sin(alpha) / a);
  // the joints one after the other, by links and twists; the last one closes for every angle
  const double theta = 70 * pi / 180;
  const double k = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2);
  const double phi = 2 * std::atan(k / std::tan(theta / 2));
  struct Axis {
    Vec3<double> P, z;
  };
  Mat3<double> R = Mat3<double>::identity();
  Vec3<double> P{};
  std::vector<Axis> axes;
  const double angles[] = {theta, phi, -theta, -phi}, lengths[] = {a, b, a, b}, twists[] = {alpha, beta, alpha, beta};
  for (int n = 0; n < 4; ++n) {
    axes.push_back({P, R.z});
    R = R * turned(angles[n]);
    P = P + R.x * lengths[n];
    const double c = std::cos(twists[n]), s = std::sin(twists[n]);
    R = R * Mat3<double>{{1, 0, 0}, {0, c, s}, {0, -s, c}};
  }
  REQUIRE(norm(P) < 1e-12);  // it closes
  MechanismDescription d;
  for (std::size_t n = 0; n < 3; ++n)
    testing::add_body(d, "link" + std::to_string(n), 1, bar_tensor, (axes[n].P + axes[n + 1].P) * 0.5);
  for (int n = 0; n < 4; ++n)
    testing::add_hinge(d, "J" + std::to_string(n), n == 0 ? ground : n - 1, n == 3 ? ground : n,
                       axes[static_cast<std::size_t>(n)].P, axes[static_cast<std::size_t>(n)].z);
  d.drivers.push_back({"turn", {{{0, Measure::What::angle}, 1, {}}},
                       [](double t) { return TimeValue{2 * t, 2, 0}; }, -1, {}});
  const Result<Mechanism> m = build(d);
  REQUIRE(m);
  for (const double interval : {0.05, 0.02, 0.01, 0.005}) {
    MechanismState state = described_state(*m);
    const auto report = run_driven(*m, state, {3.2, interval}, [](const DrivenInstant&) { return true; });
    CHECK_MESSAGE(report.finished, report.why);
    CHECK(report.branch_times.empty());
  }
}
