#include "torsor/reduction/reduction_error.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "torsor/reduction/proven_error.hpp"

using namespace torsor;

namespace {

/// e = a cos(q) qdd + b qd^2 sin(q) + c: the largest magnitude over ranges is known.
ReducedModel one_joint(double a, double b, double c) {
  ReducedModel model;
  model.joints = {{"a", false, 0, -1}};
  model.angles = {{0}};
  model.terms = {{TermPart::inertia, 0, 0, 0, a, {{TermFactor::Kind::cosine, 0, 1}}},
                 {TermPart::velocity, 0, 0, 0, b, {{TermFactor::Kind::sine, 0, 1}}},
                 {TermPart::gravity, 0, 0, 0, c, {}}};
  return model;
}

}  // namespace

TEST_CASE("the worst error over ranges is found where it is known, and the proof is just above it") {
  // 2 cos(q) qdd + 3 qd^2 sin(q) with qdd up to 4 and qd up to 2: |(8, 12)| where tan q = 12 / 8
  const StateRanges ranges{{{-2, 2}}, {{-1, 2}}, {{-4, 4}}};
  const std::vector<double> scale{2};
  auto found = worst_errors(one_joint(2, 3, 0), ranges, scale);
  const double known = std::hypot(8, 12) / 2;
  CHECK(found[0].error == doctest::Approx(known).epsilon(1e-6));
  CHECK(found[0].error <= known * (1 + 1e-12));
  CHECK(std::abs(found[0].state.qdd[0]) == 4);
  CHECK(found[0].state.qd[0] == 2);
  CHECK(std::abs(std::tan(found[0].state.q[0])) == doctest::Approx(1.5).epsilon(1e-3));
  const auto proven = proven_errors(one_joint(2, 3, 0), ranges, scale, found, {.sharpness = 1.01});
  CHECK(proven[0] >= known);
  CHECK(proven[0] <= 1.01 * known);

  // a negative one is as bad as a positive one, and one point is a range, too
  const auto constant = worst_errors(one_joint(0, 0, -5), {{{1, 1}}, {{0, 0}}, {{0, 0}}}, scale);
  CHECK(constant[0].error == doctest::Approx(2.5));
}

TEST_CASE("the inside of a quadratic range is searched, not only its ends") {
  // - (qd - 1/2)^2 + ... by two joints: u_1 u_2 - u_1^2 is largest inside for u_1
  ReducedModel model;
  model.joints = {{"a", false, 0, -1}, {"b", false, 0, -1}};
  model.terms = {{TermPart::velocity, 0, 0, 1, 1, {}}, {TermPart::velocity, 0, 0, 0, -1, {}}};
  const auto found = worst_errors(model, {{{0, 0}, {0, 0}}, {{0, 1}, {0, 1}}, {{0, 0}, {0, 0}}}, std::vector{1.0, 1.0});
  CHECK(found[0].error == doctest::Approx(1));  // at u = (1, 0)
  const auto inside =
      worst_errors(model, {{{0, 0}, {0, 0}}, {{0, 0.8}, {1.2, 1.2}}, {{0, 0}, {0, 0}}}, std::vector{1.0, 1.0});
  CHECK(inside[0].error == doctest::Approx(0.36));  // at u_1 = 0.6
}

TEST_CASE("a mass matrix that loses its definiteness is found out") {
  // D = [1, c; c, 1/4] with c = cos q2 is singular at 60 degrees
  ReducedModel model;
  model.joints = {{"a", false, 0, -1}, {"b", false, 0, -1}};
  model.angles = {{1}};
  model.terms = {{TermPart::inertia, 0, 0, 0, 1, {}},
                 {TermPart::inertia, 1, 1, 0, 0.25, {}},
                 {TermPart::inertia, 0, 1, 0, 1, {{TermFactor::Kind::cosine, 0, 1}}}};
  const std::vector<StateRange> safe{{-1, 1}, {1.1, 1.5}}, unsafe{{-1, 1}, {1.0, 1.5}};
  CHECK(least_eigenvalue(model, safe) > 0);
  CHECK(is_proven_definite(model, safe));
  CHECK(least_eigenvalue(model, unsafe) < 0);
  CHECK_FALSE(is_proven_definite(model, unsafe));
}
