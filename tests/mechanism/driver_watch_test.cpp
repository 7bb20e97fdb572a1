// Corners and jumps of functions of time: found to their time and size, and never where a function only bends.
#include "torsor/mechanism/driver_watch.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/mechanism.hpp"
#include "torsor/files/time_expression.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/forward_run.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Mechanism wheel(TimeFunction f) {
  MechanismDescription d = rods_in_line(1);
  d.gravity = {};
  d.drivers.push_back({"turn", {{{0, Measure::What::angle}, 1, {}}}, std::move(f), -1, {}});
  Result<Mechanism> m = build(d);
  REQUIRE(m);
  return *std::move(m);
}

TimeFunction formula(const char* text) {
  Result<TimeFunction> f = read_time_expression(text, "t");
  REQUIRE(f);
  return *std::move(f);
}

std::vector<DriverJump> jumps_of(const TimeFunction& f, double end, double interval) {
  const Mechanism m = wheel(f);
  DriverWatch watch(m, 0);
  for (int k = 1; k * interval < end + interval / 2; ++k) watch.look(k * interval);
  return watch.jumps();
}

}  // namespace

TEST_CASE("a corner is found to its time and size, whether or not an instant falls upon it") {
  for (const double interval : {0.01, 0.1, 0.3}) {
    CAPTURE(interval);
    const auto corner = jumps_of(formula("abs(t - 1)"), 2.1, interval);
    REQUIRE(corner.size() == 1);
    CHECK(corner[0].name == "driver \"turn\"");
    CHECK_FALSE(corner[0].of_value);
    CHECK(corner[0].t == doctest::Approx(1).epsilon(1e-8));
    CHECK(corner[0].by == doctest::Approx(2).epsilon(1e-6));
    CHECK(corner[0].count == 1);
    // a wave of triangles, corners at odd multiples of pi/2, where asin has half the digits
    const auto wave = jumps_of(formula("asin(sin(t))"), 6, interval);
    REQUIRE(wave.size() == 1);
    CHECK(wave[0].count == 2);
    CHECK(wave[0].t == doctest::Approx(1.5707963267948966).epsilon(1e-7));
    const auto step = jumps_of(formula("atan(tan(t))"), 3, interval);
    REQUIRE(step.size() == 1);
    CHECK(step[0].of_value);
    CHECK(step[0].by == doctest::Approx(3.141592653589793).epsilon(1e-6));
  }
}

TEST_CASE("a corner is none of the value, wherever it lies between instants") {
  for (const char* text : {"abs(sin(20*t))", "abs(sin(50*t))", "40*abs(t - 1.7278759594743862)"})
    for (const double interval : {0.01, 0.1, 0.03}) {
      CAPTURE(text);
      CAPTURE(interval);
      const auto corners = jumps_of(formula(text), 3, interval);
      REQUIRE(corners.size() == 1);
      CHECK_FALSE(corners[0].of_value);
    }
}

TEST_CASE("a whole turn of a hinge more or less is no jump, half of one is") {
  for (const double interval : {0.01, 0.1}) {
    CHECK(jumps_of(formula("atan2(sin(5*t), cos(5*t))"), 2, interval).empty());
    const auto half = jumps_of(formula("atan2(sin(5*t), cos(5*t))/2"), 2, interval);
    REQUIRE(half.size() == 1);
    CHECK(half[0].of_value);
  }
}

TEST_CASE("what only bends has no corner: laws with ramps, short ramps, steep and fast functions") {
  const TimeFunction smooth[] = {law_in_time("trapezoid", 0, 2, 0.5, 1.5),
                                 law_in_time("trapezoid", 0, 2, 0.5, 1.5, 1e-3),
                                 law_in_time("cubic", 0, 2, 0.5, 1.5),
                                 table_in_time({0, 0.3, 0.5, 1.1, 2}, {0, 1, -1, 2, 0}),
                                 formula("tanh(1000*(t - 1))"),
                                 formula("sin(1000*t)"),
                                 formula("1000*t"),
                                 formula("exp(5*t)")};
  for (const TimeFunction& f : smooth)
    for (const double interval : {0.01, 0.1}) CHECK(jumps_of(f, 2, interval).empty());
}

TEST_CASE("a driver that runs away ends a run in bounded work, everything before it told") {
  for (const char* text : {"tan(t)", "1/(1.570796 - t)", "1e9*t"}) {
    CAPTURE(text);
    const Mechanism m = wheel(formula(text));
    MechanismState state = described_state(m);
    int rows = 0;
    double worst = 0;
    const TimeFunction& f = m.description.drivers[0].function;
    const auto run = run_driven(m, state, {3, 0.1}, [&](const DrivenInstant& at) {
      worst = std::max(worst, std::fabs(at.state.angles[0] - f(at.state.t).f));
      return ++rows > 0;
    });
    CHECK_FALSE(run.finished);
    CHECK(run.stop == RunStop::driver_too_fast);
    CHECK(run.why.find("driver \"turn\"") != std::string::npos);
    CHECK(rows == (text[0] == '1' && text[1] == 'e' ? 1 : 16));
    CHECK(worst < 1e-12);
    CHECK(run.steps < 40000);
    CHECK(run.t < 1.5708);
    state = described_state(m);
    rows = 0;
    const auto under_forces = run_forward(m, state, {3, 0.1}, [&](const ForwardInstant&) { return ++rows > 0; });
    CHECK_FALSE(under_forces.finished);
    CHECK_MESSAGE(under_forces.stop == RunStop::driver_too_fast, under_forces.why);
  }
}

TEST_CASE("a fast driver is followed turn by turn, however few the instants") {
  const Mechanism m = wheel(formula("1000*t"));
  MechanismState state = described_state(m);
  int rows = 0;
  const auto run = run_driven(m, state, {1, 0.1}, [&](const DrivenInstant& at) {
    CHECK(at.state.angles[0] == doctest::Approx(1000 * at.state.t).epsilon(1e-12));
    return ++rows > 0;
  });
  CHECK(run.finished);
  CHECK(rows == 11);
}

TEST_CASE("a value that jumps is called that, and no lock") {
  const Mechanism m = wheel(formula("atan(tan(t))"));
  MechanismState state = described_state(m);
  const auto run = run_driven(m, state, {3, 0.1}, [](const DrivenInstant&) { return true; });
  CHECK_FALSE(run.finished);
  CHECK_MESSAGE(run.stop == RunStop::driver_jumps, run.why);
  CHECK(run.t == doctest::Approx(1.5707963267948966).epsilon(1e-6));
  // under forces as well, and no row behind it
  state = described_state(m);
  double last = 0;
  const auto under_forces = run_forward(m, state, {3, 0.1}, [&](const ForwardInstant& at) {
    last = at.state.t;
    return true;
  });
  CHECK_FALSE(under_forces.finished);
  CHECK_MESSAGE(under_forces.stop == RunStop::driver_jumps, under_forces.why);
  CHECK(under_forces.t == doctest::Approx(1.5707963267948966).epsilon(1e-6));
  CHECK(last == doctest::Approx(1.5));
}
