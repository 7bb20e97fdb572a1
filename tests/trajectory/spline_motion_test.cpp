#include "torsor/trajectory/spline_motion.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tests/support/random.hpp"
#include "torsor/trajectory/motion.hpp"

using namespace torsor;
using namespace torsor::testing;

static_assert(JointMotion<SplineMotion>);

namespace {

constexpr std::array degrees = {SplineDegree::cubic, SplineDegree::quintic};

struct Draw {
  std::vector<double> t;
  std::vector<std::vector<double>> q;
};
Draw draw(Random& random, int n, bool closed) {
  Draw d;
  double time = random.uniform(-1, 1);
  for (int i = 0; i < n; ++i) {
    d.t.push_back(time);
    d.q.push_back(random.numbers(2, 3));
    time += random.uniform(0.2, 1);
  }
  if (closed) d.q.back() = d.q.front();
  return d;
}

/// The derivatives 0 to 5 of a channel at a time within interval i: those of the polynomial through six of its values.
std::array<double, 6> derivatives(const SplineMotion& motion, std::size_t channel, std::size_t i, double time) {
  const std::vector<double>& t = motion.spline().t;
  std::array<double, 6> x{}, c{};
  const double h = t[i + 1] - t[i];
  for (std::size_t k = 0; k < 6; ++k) {
    // the last point is kept off the next interval
    x[k] = t[i] + h * (k == 5 ? 1 - 1e-12 : static_cast<double>(k) / 5);
    c[k] = motion.spline().at(x[k], channel).s;
  }
  for (std::size_t j = 1; j < 6; ++j)
    for (std::size_t k = 5; k >= j; --k) c[k] = (c[k] - c[k - 1]) / (x[k] - x[k - j]);
  // newton's form to derivatives, by horner on taylor coefficients
  std::array<double, 6> taylor{};
  for (std::size_t k = 6; k-- > 0;) {
    for (std::size_t j = 5; j > 0; --j) taylor[j] = taylor[j] * (time - x[k]) + taylor[j - 1];
    taylor[0] = taylor[0] * (time - x[k]) + c[k];
  }
  double factorial = 1;
  for (std::size_t k = 0; k < 6; ++k) {
    taylor[k] *= factorial;
    factorial *= static_cast<double>(k + 1);
  }
  return taylor;
}

double size_of(double x) { return 1 + std::abs(x); }

}  // namespace

TEST_CASE("a spline goes through its points with continuous derivatives: two of a cubic, four of a quintic") {
  Random random(66);
  for (int k = 0; k < draws(60); ++k)
    for (const SplineDegree degree : degrees)
      for (const bool periodic : {false, true}) {
        const Draw d = draw(random, 3 + random.below(8), periodic);
        const auto motion = spline_motion(d.t, d.q, degree, periodic ? SplineEnds::cycle() : SplineEnds::natural());
        REQUIRE(motion);
        const std::size_t last = d.t.size() - 1, continuous = degree == SplineDegree::cubic ? 2 : 4;
        for (std::size_t c = 0; c < 2; ++c)
          for (std::size_t i = 0; i <= last; ++i) {
            CHECK(motion->spline().at(d.t[i], c).s == doctest::Approx(d.q[i][c]).epsilon(1e-13));
            if ((i == 0 || i == last) && !periodic) continue;
            const auto left = derivatives(*motion, c, i == 0 ? last - 1 : i - 1, i == 0 ? d.t[last] : d.t[i]);
            const auto right = derivatives(*motion, c, i == last ? 0 : i, i == last ? d.t[0] : d.t[i]);
            double scale = 1;
            for (std::size_t order = 0; order <= continuous; ++order, scale *= 60)
              CHECK(std::abs(left[order] - right[order]) < 1e-11 * scale * size_of(right[order]));
            if (degree == SplineDegree::cubic) CHECK(std::abs(right[4]) < 1e-11 * scale * 60);
            // what is sampled are the derivatives of the curve
            CHECK(std::abs(motion->spline().at(d.t[i], c).sd - right[1]) <
                  1e-9 * size_of(right[1]) + (i == last ? 1e-9 : 0));
            CHECK(std::abs(motion->spline().at(d.t[i], c).sdd - right[2]) < 1e-7 * size_of(right[2]));
          }
      }
}

TEST_CASE("between the knots velocity and acceleration are those of the curve") {
  Random random(67);
  for (const SplineDegree degree : degrees) {
    const Draw d = draw(random, 7, false);
    const auto motion = spline_motion(d.t, d.q, degree);
    std::array<double, 2> q{}, qd{}, qdd{};
    for (std::size_t i = 0; i + 1 < d.t.size(); ++i) {
      const double time = d.t[i] + 0.37 * (d.t[i + 1] - d.t[i]);
      motion->sample(time - d.t[0], q, qd, qdd);
      for (std::size_t c = 0; c < 2; ++c) {
        const auto exact = derivatives(*motion, c, i, time);
        CHECK(q[c] == doctest::Approx(exact[0]));
        CHECK(std::abs(qd[c] - exact[1]) < 1e-9 * size_of(exact[1]));
        CHECK(std::abs(qdd[c] - exact[2]) < 1e-7 * size_of(exact[2]));
      }
    }
  }
}

TEST_CASE("each end is as asked: natural, clamped, with a given velocity or acceleration or both") {
  Random random(68);
  for (int k = 0; k < draws(20); ++k) {
    const Draw d = draw(random, 2 + random.below(6), false);
    const std::size_t last = d.t.size() - 1;
    const auto end_of = [&](const SplineMotion& motion, bool start) {
      return derivatives(motion, 1, start ? 0 : last - 1, start ? d.t[0] : d.t[last]);
    };
    const std::vector<double> v = random.numbers(2, 2), a = random.numbers(2, 2);
    for (const bool start : {true, false}) {
      const auto with = [&](SplineDegree degree, const SplineEnd& end) {
        const auto motion = spline_motion(d.t, d.q, degree, start ? SplineEnds{end, {}} : SplineEnds{{}, end});
        REQUIRE(motion);
        return end_of(*motion, start);
      };
      CHECK(with(SplineDegree::cubic, {v, {}})[1] == doctest::Approx(v[1]).epsilon(1e-9));
      CHECK(std::abs(with(SplineDegree::cubic, {{}, a})[2] - a[1]) < 1e-7);
      CHECK(std::abs(with(SplineDegree::cubic, {})[2]) < 1e-7);
      const auto both = with(SplineDegree::quintic, {v, a});
      CHECK(both[1] == doctest::Approx(v[1]).epsilon(1e-8));
      CHECK(std::abs(both[2] - a[1]) < 1e-7);
      const auto only_v = with(SplineDegree::quintic, {v, {}}), only_a = with(SplineDegree::quintic, {{}, a});
      CHECK(only_v[1] == doctest::Approx(v[1]).epsilon(1e-8));
      CHECK(std::abs(only_v[3]) < 1e-5);
      CHECK(std::abs(only_a[2] - a[1]) < 1e-7);
      CHECK(std::abs(only_a[4]) < 1e-3);
      if (last < 2) continue;
      const auto neither = with(SplineDegree::quintic, {});
      CHECK(std::abs(neither[3]) < 1e-5);
      CHECK(std::abs(neither[4]) < 1e-3);
    }
    for (const SplineDegree degree : degrees) {
      const auto rest = spline_motion(d.t, d.q, degree, SplineEnds::clamped(degree, 2));
      REQUIRE(rest);
      std::array<double, 2> q{}, qd{}, qdd{};
      rest->sample(rest->duration(), q, qd, qdd);
      CHECK(std::abs(qd[0]) < 1e-12);
      if (degree == SplineDegree::quintic) CHECK(std::abs(qdd[0]) < 1e-12);
      rest->sample(rest->duration() + 1, q, qd, qdd);
      CHECK(q[0] == doctest::Approx(d.q.back()[0]).epsilon(1e-14));
      CHECK(qdd[1] == 0);
    }
  }
}

TEST_CASE("a cubic spline reproduces a cubic and a quintic spline a quintic, given its end derivatives") {
  const auto cubic = [](double t) { return std::array{t * t * t - 2 * t * t, 3 * t * t - 4 * t, 6 * t - 4}; };
  const auto quintic = [](double t) {
    const double t2 = t * t, t3 = t2 * t;
    return std::array{t3 * t2 - t3 + t, 5 * t2 * t2 - 3 * t2 + 1, 20 * t3 - 6 * t};
  };
  const std::vector<double> t = {-1, -0.3, 0.2, 0.9, 1.4};
  std::vector<std::vector<double>> q3, q5;
  for (const double x : t) {
    q3.push_back({cubic(x)[0]});
    q5.push_back({quintic(x)[0]});
  }
  const auto a = spline_motion(t, q3, SplineDegree::cubic, {{{cubic(-1)[1]}, {}}, {{}, {cubic(1.4)[2]}}});
  const auto b = spline_motion(t, q5, SplineDegree::quintic,
                               {{{quintic(-1)[1]}, {quintic(-1)[2]}}, {{quintic(1.4)[1]}, {quintic(1.4)[2]}}});
  REQUIRE(a);
  REQUIRE(b);
  for (double x = -1; x <= 1.4; x += 0.05) {
    CHECK(std::abs(a->spline().at(x).sd - cubic(x)[1]) < 1e-12);
    CHECK(std::abs(a->spline().at(x).sdd - cubic(x)[2]) < 1e-12);
    CHECK(std::abs(b->spline().at(x).s - quintic(x)[0]) < 1e-12);
    CHECK(std::abs(b->spline().at(x).sdd - quintic(x)[2]) < 1e-11);
  }
}

TEST_CASE("every fault of a spline is named") {
  const std::vector<std::vector<double>> q = {{0, 1}, {1, 1}, {2}};
  CHECK(spline_motion(std::vector<double>{0, 1, 1}, q, SplineDegree::cubic).faults().size() == 2);
  const std::vector<std::vector<double>> sound = {{0}, {1}, {2}};
  const std::vector<double> t = {0, 1, 2};
  CHECK(spline_motion(t, sound, SplineDegree::cubic, {{{1}, {1}}, {}}).faults()[0].rule == "spline-ends");
  CHECK(spline_motion(t, sound, SplineDegree::cubic, SplineEnds::cycle()).faults()[0].rule == "spline-periodic");
  CHECK(spline_motion(t, sound, SplineDegree::quintic, {{{1, 2}, {}}, {}}).faults()[0].rule == "spline-ends");
  CHECK_FALSE(spline_motion({}, {}, SplineDegree::cubic));
  // any parabola through two points is a natural quintic
  CHECK(spline_motion(std::vector<double>{0, 1}, std::vector<std::vector<double>>{{1}, {2}}, SplineDegree::quintic)
            .faults()[0]
            .rule == "spline-points");
  CHECK_FALSE(spline_motion(std::vector<double>{0}, std::vector<std::vector<double>>{{1}}, SplineDegree::quintic));
}

TEST_CASE("a motion through samples with their derivatives is the motion that they are of") {
  // a polynomial of degree five lies between its samples exactly
  const auto value = [](double t, int order) {
    double sum = 0;
    const std::array c = {0.3, -1.0, 0.7, 2.0, -1.5, 0.4};
    for (int k = order; k < 6; ++k) {
      double term = c[static_cast<std::size_t>(k)];
      for (int i = 0; i < order; ++i) term *= k - i;
      sum += term * std::pow(t, k - order);
    }
    return sum;
  };
  std::vector<MotionRow> rows;
  for (const double t : {0.5, 0.8, 1.7, 2.0}) rows.push_back({t, {value(t, 0), 1}, {value(t, 1), 0}, {value(t, 2), 0}});
  const auto motion = sampled_motion(rows);
  REQUIRE(motion);
  CHECK(motion->size() == 2);
  CHECK(motion->duration() == 1.5);
  for (const double t : {0.5, 0.61, 1.2, 1.9, 2.0}) {
    std::array<double, 2> q{}, qd{}, qdd{};
    motion->sample(t - 0.5, q, qd, qdd);
    CHECK(q[0] == doctest::Approx(value(t, 0)).epsilon(1e-12));
    CHECK(qd[0] == doctest::Approx(value(t, 1)).epsilon(1e-12));
    CHECK(qdd[0] == doctest::Approx(value(t, 2)).epsilon(1e-11));
    CHECK(q[1] == doctest::Approx(1).epsilon(1e-14));
  }
  CHECK(sampled_motion(std::span(rows).first(1)).faults().at(0).rule == "motion-points");
  rows[2].t = 0.8;
  rows[3].qd = {1};
  const Faults errors = sampled_motion(rows).faults();
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].rule == "motion-duration");
  CHECK(errors[1].rule == "motion-size");
}
