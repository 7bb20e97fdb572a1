// Newton's matrix of mechanisms by blocks, against differences of the slope that a run integrates; and what it is for, radau.
#include "torsor/mechanism/newton_blocks.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/mechanism.hpp"
#include "tests/support/random.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/mechanism/packed_state.hpp"
#include "torsor/numeric/row_major.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Links on hinges, each with a stiff spring and damper to the one before.
MechanismDescription stiff_chain(int n, double k, double c) {
  MechanismDescription d;
  for (int b = 0; b < n; ++b) {
    add_body(d, "link" + std::to_string(b), 1, {1e-4, 8.3e-4, 8.3e-4, 0, 0, 0}, {0.05 + 0.1 * b, 0, 0});
    const int hinge = add_hinge(d, "hinge" + std::to_string(b), b - 1, b, {0.1 * b, 0, 0}, {0, 1, 0});
    MechanismSpring spring;
    spring.name = "spring" + std::to_string(b);
    spring.measure = {hinge, Measure::What::angle};
    spring.k = k, spring.c = c;
    d.springs.push_back(spring);
  }
  return d;
}

}  // namespace

TEST_CASE("Newton's matrix of a mechanism is that of the slope, by differences") {
  Random random(3);
  for (const char* name :
       {"four_bar", "slider_crank", "stewart_platform", "rssr", "andrews_squeezer", "geared_two_link"}) {
    CAPTURE(name);
    const auto description = load_mechanism(name);
    REQUIRE(description);
    const Result<Mechanism> m = build(*description);
    REQUIRE(m);
    MechanismState state = described_state(*m);
    Assembly assembly(*m, EquationSet::all);
    const bool redundant = mobility(*m, state, EquationSet::all).redundant > 0;
    assembly.expect_redundancy(redundant);
    REQUIRE(assembly.from_guess(state).closed);
    for (BodyState& b : state.bodies) b.w += Vec3<double>{0.3, 0.2, -0.4}, b.v += Vec3<double>{0.1, 0.2, 0.3};
    assembly.velocities(state);
    const OwnUnits units = own_units(*m, 0.01);
    MechanismForward forward(*m);
    forward.expect_redundancy(redundant);
    std::vector<Motion<double>> A(state.bodies.size());
    const std::size_t n = packed_per_body * state.bodies.size() + 1;
    MechanismState there = state;
    const auto slope = [&](double t, std::span<const double> y, std::span<double> dy) {
      there.t = t;
      unpack_state(y, units, there);
      forward.accelerations(there, A);
      pack_slope(there, y, A, units, dy);
      dy.back() = 0;
    };
    std::vector<double> y(n), f0(n), f1(n);
    pack_state(state, units, y);
    slope(state.t, y, f0);
    const auto blocks = newton_blocks(*m, state, units, redundant);
    blocks->differentiate(Slope(slope), state.t, y, f0);
    const double s = 300;
    REQUIRE(blocks->factor(s, {200, 250}));
    // along the equations: off them what depends on one another contradicts itself
    MechanismState beside = state;
    std::vector<Motion<double>> x(state.bodies.size());
    for (Motion<double>& each : x)
      each = {{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
              {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}};
    displace(beside, x, 1e-6);
    for (std::size_t b = 0; b < x.size(); ++b)
      beside.bodies[b].w += Vec3<double>{x[b].v.y, x[b].w.x, x[b].w.y} * 1e-6, beside.bodies[b].v += x[b].w * 1e-6;
    assembly.positions(beside);
    assembly.velocities(beside);
    std::vector<double> yb(n), d(n), fb(n);
    pack_state(beside, units, yb);
    slope(state.t, yb, fb);
    double size = 0, worst = 0;
    for (std::size_t k = 0; k < n; ++k) {
      d[k] = yb[k] - y[k];
      f1[k] = s * d[k] - (fb[k] - f0[k]);
      size = std::max(size, std::fabs(d[k]));
    }
    if (size < 1e-9) continue;  // driven altogether: nothing is free to differ
    blocks->solve(f1);
    for (std::size_t k = 0; k < n; ++k) worst = std::max(worst, std::fabs(f1[k] - d[k]));
    CHECK(worst < 1e-2 * size);  // terms of (w / s)^2 are left out
    // (a + bi - J) d = (a d - J d) + i b d
    std::vector<double> re(n), im(n);
    for (std::size_t k = 0; k < n; ++k) re[k] = 200 * d[k] - (fb[k] - f0[k]), im[k] = 250 * d[k];
    blocks->solve(re, im);
    worst = 0;
    for (std::size_t k = 0; k < n; ++k) worst = std::max({worst, std::fabs(re[k] - d[k]), std::fabs(im[k])});
    CHECK(worst < 1e-2 * size);
  }
}

TEST_CASE("radau goes through stiff springs in few steps, and where it should") {
  // moderately stiff, against the explicit method
  const Result<Mechanism> m = build(stiff_chain(3, 5, 1e-3));
  REQUIRE(m);
  ForwardRunRules rules;
  rules.time = 0.3, rules.interval = 0.3;
  const auto run = [&](const Mechanism& of, const std::string& integrator, double tolerance) {
    MechanismState state = described_state(of);
    rules.integrator = integrator, rules.tolerance = tolerance;
    const ForwardRunReport report = run_forward(of, state, rules, [](const ForwardInstant&) { return true; });
    REQUIRE_MESSAGE(report.finished, report.why);
    return std::pair{state, report};
  };
  CHECK(apart(run(*m, "radau", 1e-9).first, run(*m, "dormand-prince", 1e-12).first, size_of(*m)) < 1e-5);
  // stiffer by far than what an explicit method follows
  const Result<Mechanism> stiff = build(stiff_chain(30, 1e5, 1e3));
  REQUIRE(stiff);
  const auto [end, report] = run(*stiff, "radau", 1e-6);
  CHECK(report.count.steps < 400);
  CHECK(report.worst_gap < 1e-12);
}
