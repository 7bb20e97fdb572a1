// `semi-implicit` of mechanisms: impulses at both ends of a flight. What it is for is that energy neither
// grows nor falls, however long it runs.
#include "torsor/mechanism/impulse_step.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/mechanism.hpp"
#include "tests/support/random.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/free_body_turn.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Mechanism built_of(const MechanismDescription& d) {
  Result<Mechanism> m = build(d);
  REQUIRE(m);
  return *std::move(m);
}

Mechanism built_in(const char* name) {
  const auto description = load_mechanism(name);
  REQUIRE(description);
  return built_of(*description);
}

/// The largest error of energy in the first and in the last tenth of a run, of the largest energy.
struct Swing {
  double first = 0, last = 0;
  MechanismState end;
};

Swing swing_of(const Mechanism& m, double time, double step) {
  ForwardRunRules rules;
  rules.integrator = "semi-implicit";
  rules.time = time;
  rules.step = step;
  rules.interval = time / 1000;
  Swing swing;
  swing.end = described_state(m);
  const ForwardRunReport report = run_forward(m, swing.end, rules, [&](const ForwardInstant& at) {
    double& worst = at.state.t < time / 10 ? swing.first : swing.last;
    if (at.state.t < time / 10 || at.state.t > 0.9 * time) worst = std::max(worst, std::fabs(at.energy_error));
    return true;
  });
  REQUIRE_MESSAGE(report.finished, report.why);
  CHECK(report.worst_gap < 1e-12);
  swing.first /= report.largest_energy, swing.last /= report.largest_energy;
  return swing;
}

MechanismDescription chain(int n) {
  MechanismDescription d;
  for (int k = 0; k < n; ++k) {
    add_body(d, "link" + std::to_string(k), 1, {1e-4, 8.3e-4, 8.3e-4, 0, 0, 0}, {0.05 + 0.1 * k, 0, 0});
    add_hinge(d, "hinge" + std::to_string(k), k - 1, k, {0.1 * k, 0, 0}, {0, 1, 0});
  }
  return d;
}

}  // namespace

TEST_CASE("a body that turns freely keeps its momentum exactly and its energy without end") {
  const Sym3<double> I{1, 2, 3.5, 0.1, -0.2, 0.3};
  const FreeBodyTurn turn(I);
  Quaternion<double> p = quaternion_about(unit(Vec3<double>{1, 2, 3}), 0.7);
  Vec3<double> w{0.1, 3, 0.2};  // near the middle axis: it tumbles
  const auto momentum = [&] { return rotate(rotation(p), I) * w; };
  const Vec3<double> L = momentum();
  const double T = dot(w, L) / 2;
  double first = 0, last = 0;
  for (int k = 0; k < 100'000; ++k) {
    turn.go(1e-3, p, w);
    double& worst = k < 10'000 ? first : last;
    worst = std::max(worst, std::fabs(dot(w, momentum()) / 2 - T));
  }
  CHECK(norm(momentum() - L) < 1e-9);  // rounding of 100 000 steps
  CHECK(first < 1e-5);
  CHECK(last < 1.5 * first);
}

TEST_CASE("what is round turns exactly, at any step") {
  const Sym3<double> I{2, 2, 5, 0, 0, 0};
  Quaternion<double> p, q;
  Vec3<double> w{0.4, 0.3, 7}, v = w;
  const FreeBodyTurn turn(I);
  turn.go(1.0, p, w);
  for (int k = 0; k < 1000; ++k) turn.go(1e-3, q, v);
  CHECK(norm(w - v) < 1e-12);
  CHECK(std::fabs(dot(vector_part(p * ~q), vector_part(p * ~q))) < 1e-24);
  // the spin about its axis stays, its axis goes round the momentum
  CHECK(dot(rotation(p).z, w) == doctest::Approx(7).epsilon(1e-13));
}

TEST_CASE("semi-implicit: energy of pendulum, linkages and chain swings and does not drift") {
  for (const char* name : {"pendulum", "four_bar", "bricard"}) {
    CAPTURE(name);
    Mechanism m = built_in(name);
    m.description.actuators.clear(), m.description.drivers.clear();
    const Mechanism free = built_of(m.description);
    const Swing swing = swing_of(free, testing::draws(1) == 1 ? 25 : 100, 2e-3);
    CHECK(swing.first < 1e-3);
    CHECK(swing.last < 2 * swing.first + 1e-9);
  }
  const Swing hundred = swing_of(built_of(chain(100)), 2, 1e-3);
  CHECK(hundred.last < 1e-2);
}

TEST_CASE("semi-implicit is of order two, drivers, dampers and bodies without inertia included") {
  int measured = 0;
  for (const char* name : {"four_bar", "slider_crank", "pendulum", "double_four_bar"}) {
    CAPTURE(name);
    const Mechanism m = built_in(name);
    ForwardRunRules rules;
    rules.time = 0.5;
    rules.interval = 0.5;
    rules.tolerance = 1e-12;
    const auto end_of = [&](const std::string& integrator, double step) {
      MechanismState state = described_state(m);
      rules.integrator = integrator, rules.step = step;
      const ForwardRunReport report = run_forward(m, state, rules, [](const ForwardInstant&) { return true; });
      REQUIRE_MESSAGE(report.finished, report.why);
      return state;
    };
    const MechanismState exact = end_of("dormand-prince", 0);
    const auto error = [&](double step) { return apart(end_of("semi-implicit", step), exact, size_of(m)); };
    const double coarse = error(2e-3), fine = error(1e-3);
    CHECK(fine < 1e-3);
    // what is driven altogether has no error at all
    measured += fine > 1e-10;
    CHECK((fine <= 1e-10 || coarse / fine == doctest::Approx(4).epsilon(0.15)));
  }
  CHECK(measured > 0);
}
