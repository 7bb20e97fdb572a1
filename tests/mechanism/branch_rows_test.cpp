// What a driven mechanism does near and upon a dead centre does not depend on the rows that are asked for.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "tests/support/dead_centre.hpp"
#include "tests/support/random.hpp"
#include "torsor/mechanism/forward_run.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// From 1 at the start to 0 at 1 s, where it is at rest, and on: a power of what is left, evenly or not, or a cosine.
struct Law {
  int power = 2;  // 0: the cosine
  double uneven = 0;

  TimeValue operator()(double t) const {
    const double x = t - 1, n = power;
    if (power == 0) return {(1 + std::cos(pi * t)) / 2, -pi / 2 * std::sin(pi * t), -pi * pi / 2 * std::cos(pi * t)};
    const auto term = [x](double factor, double m) {
      return TimeValue{factor * std::pow(x, m), factor * m * std::pow(x, m - 1),
                       factor * m * (m - 1) * std::pow(x, m - 2)};
    };
    const TimeValue even = term(1, n), odd = term(uneven, n + 1);
    return {even.f + odd.f, even.fd + odd.fd, even.fdd + odd.fdd};
  }
  /// Straight on through the dead centre that it touches; else back to where it came from.
  bool through() const { return power != 4; }
};
constexpr Law laws[] = {{2, 0}, {2, 0.4}, {4, 0}, {4, 0.4}, {4, -0.3}, {0, 0}};

TimeFunction law_between(const Law& law, double from, double to) {
  return [=](double t) {
    const TimeValue g = law(t);
    return TimeValue{to + (from - to) * g.f, (from - to) * g.fd, (from - to) * g.fdd};
  };
}

/// A mechanism with a law, and the angle of a body that the closed form says.
struct Case {
  MechanismDescription description;
  std::size_t body;
  std::function<double(double)> wanted;
};

/// `missing`: of its length, to the dead centre.
Case drawn_slider_crank(Random& random, const Law& law, double missing_share) {
  const double r = random.uniform(0.05, 0.3), l = r * random.uniform(1.2, 4.2), missing = missing_share * (r + l);
  const double way = random.uniform(0.05, 0.25) * r, side = random.chance(0.5) ? -1 : 1;
  const auto at = [=](double t) { return missing + way * law(t).f; };
  const TimeFunction f = law_between(law, r + l - missing - way, r + l - missing);
  const bool through = missing == 0 && law.through();
  const double start = side * crank_angle(r, l, at(0));
  return {slider_crank(r, l, start, f, random.chance(0.5)), 0,
          [=](double t) { return (through && t > 1 ? -side : side) * crank_angle(r, l, at(t)); }};
}

Case drawn_four_bar(Random& random, const Law& law, double missing_share) {
  for (;;) {
    const double a = random.uniform(0.4, 1.5), b = random.uniform(0.3, 1.2), c = random.uniform(0.3, 1.2);
    const FourBar bars{a, b, c, random.chance(0.5) ? -1.0 : 1.0};
    const double end = bars.crank_at(b + c), inner = bars.crank_at(std::fabs(b - c));
    if (!(std::fabs(std::cos(end)) <= 0.95)) continue;
    const double begin = std::isfinite(inner) ? inner : 0;
    if (end - begin < 0.3) continue;
    const double from = end - (end - begin) * random.uniform(0.2, 0.7);
    // the diagonal grows by a sin(crank) / (b + c) with the angle of the crank
    const double to = end - missing_share * (b + c) * (b + c) / (a * std::sin(end));
    const bool through = missing_share == 0 && law.through();
    return {bars.driven(from, law_between(law, 0, to - from)), 2,
            [=](double t) { return bars.place(law_between(law, from, to)(t).f, through && t > 1 ? -1 : 1).rocker(); }};
  }
}

/// Rows of 2 s: few and many, odd and even, so that they fall upon the dead centre, evenly about it, or neither.
int drawn_rows(Random& random) {
  const double most = random.chance(0.8) ? 60 : 400;
  return 2 + static_cast<int>(random.uniform(0, most));
}

template <class Check>
void for_each_draw(unsigned seed, const Check& check) {
  Random random(seed);
  for (int draw = 0; draw < draws(12); ++draw)
    for (const Law& law : laws) {
      const bool four_bar = draw % 2;
      const int rows = drawn_rows(random);
      CAPTURE(draw); CAPTURE(four_bar); CAPTURE(law.power); CAPTURE(law.uneven); CAPTURE(rows);
      const auto of = [&](double missing) {
        return four_bar ? drawn_four_bar(random, law, missing) : drawn_slider_crank(random, law, missing);
      };
      check(random, law, rows, of);
    }
}

}  // namespace

TEST_CASE("a touch of a dead centre is passed at any rows, on the side that its smoothness says") {
  for_each_draw(11, [](Random&, const Law&, int rows, const auto& of) {
    const Case c = of(0);
    const Followed run = follow(c.description, 2, 2.0 / rows, c.body, c.wanted);
    CHECK_MESSAGE(run.report.finished, run.report.why);
    CHECK(run.worst < 3e-7);
    CHECK(run.report.rest_time < 0);
    REQUIRE(run.report.branch_times.size() == 1);
    CHECK(std::fabs(run.report.branch_times[0] - 1) < 1e-4);
  });
}

TEST_CASE("a dead centre that is missed by little is no branch point at any rows") {
  for_each_draw(12, [](Random& random, const Law&, int rows, const auto& of) {
    const double missing = std::pow(10, random.uniform(-13, -3));
    CAPTURE(missing);
    const Case c = of(missing);
    const Followed run = follow(c.description, 2, 2.0 / rows, c.body, c.wanted);
    CHECK_MESSAGE(run.report.finished, run.report.why);
    CHECK(run.worst < 1e-7);
    CHECK(run.report.rest_time < 0);
    CHECK(run.report.branch_times.empty());
  });
}

TEST_CASE("rows evenly about a touch, so that a step across it ends where it began, take it for no rest") {
  const double r = 0.1, l = 0.3, reach = r + l;
  for (const double missing : {0.0, 1.2e-10})
    for (const int rows : {33, 37, 43, 65}) {
      CAPTURE(missing); CAPTURE(rows);
      const Law law{4, 0};
      const auto angle = [&](double t) { return -crank_angle(r, l, missing + 0.05 * law(t).f); };
      const Result<Mechanism> m =
          build(slider_crank(r, l, angle(0), law_between(law, reach - missing - 0.05, reach - missing), true));
      REQUIRE(m);
      MechanismState driven = described_state(*m), forced = driven;
      const DrivenRunReport without =
          run_driven(*m, driven, {2, 2.0 / rows}, [](const DrivenInstant&) { return true; });
      CHECK_MESSAGE(without.finished, without.why);
      CHECK(without.branch_times.size() == (missing == 0 ? 1 : 0));
      ForwardRunRules rules;
      rules.time = 2, rules.interval = 2.0 / rows;
      const ForwardRunReport with = run_forward(*m, forced, rules, [](const ForwardInstant&) { return true; });
      CHECK_MESSAGE(with.finished, with.why);
    }
}

TEST_CASE("a row upon or behind a flat touch has the rates of the closed form, or there is none") {
  // 0.4 - 0.05 |t - 1|^n: so flat that the driver leaves again while bodies seem to rest
  constexpr double r = 0.1, l = 0.3, way = 0.05;
  int behind = 0, undetermined = 0;
  for (int n = 5; n <= 12; n += testing::draws(1) == 1 ? 3 : 1)
    for (const double interval : {0.1, 0.05, 0.03, 0.02, 0.01}) {
      CAPTURE(n);
      CAPTURE(interval);
      const TimeFunction f = [n](double t) {
        const double x = std::fabs(t - 1), sign = t < 1 ? -1 : 1;
        return TimeValue{r + l - way * std::pow(x, n), -sign * way * n * std::pow(x, n - 1),
                         -way * n * (n - 1) * std::pow(x, n - 2)};
      };
      const MechanismDescription d = slider_crank(r, l, crank_angle(r, l, way), f, false);
      const Result<Mechanism> m = build(d);
      REQUIRE(m);
      MechanismState state = described_state(*m);
      const DrivenRunReport report = run_driven(*m, state, {1.3, interval}, [&](const DrivenInstant& at) {
        const double x = std::fabs(at.state.t - 1);
        // s'' = r cos'' + ..: theta is about (missing)^(1/2), so x^(n/2): its rates by that power, and as many digits as
        // the angle has beside what rounding leaves open of it
        const double angle = crank_angle(r, l, way * std::pow(x, n));
        behind += at.state.t > 1;
        if (angle < 1e-5) {
          CHECK(std::fabs(at.state.bodies[0].w.z) < 1e-2);
          CHECK(std::fabs(at.A[0].w.z) < 10);
        } else {
          CHECK(std::fabs(std::fabs(at.state.bodies[0].w.z) - n / 2.0 * angle / x) < 0.1 * n * angle / x);
        }
        return true;
      });
      undetermined += report.stop == RunStop::undetermined;
      CHECK((report.finished || report.stop == RunStop::undetermined));
    }
  CHECK(undetermined + behind > 0);
}

TEST_CASE("a driver that goes on beyond the reach is locked, whatever the rows") {
  constexpr double r = 0.1, l = 0.3, way = 0.05;
  const TimeFunction f = [](double t) {
    const double x = 1 - t;
    return TimeValue{r + l - way * x * x * x, 3 * way * x * x, -6 * way * x};
  };
  for (const double interval : {0.1, 0.03, 0.013, 0.01, 0.007}) {
    if (interval != 0.1 && interval != 0.013 && testing::draws(1) == 1) continue;
    CAPTURE(interval);
    const Followed run = follow(slider_crank(r, l, crank_angle(r, l, way), f, false), 2, interval, 0,
                                [&](double t) { return crank_angle(r, l, std::max(0.0, way * std::pow(1 - t, 3))); });
    CHECK(run.report.stop == RunStop::locked);
    CHECK(run.report.t < 1.1);
    CHECK(run.worst < 1e-4);
  }
}
