// What lies inside the steps of a run under forces: pushes by functions of time, stops, corners of laws. No step passes over them, and
// they are where closed forms have them.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/mechanism.hpp"
#include "torsor/files/mechanism_toml.hpp"
#include "torsor/files/time_expression.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/scalar/infinity.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

const std::vector<std::string> every_method{"dormand-prince", "radau", "rk4", "gauss", "semi-implicit"};

/// A block of 2 kg on a rail along x, or along z under gravity.
MechanismDescription railed_block(bool falls = false) {
  MechanismDescription d;
  if (!falls) d.gravity = {0, 0, 0};
  const Vec3<double> axis = falls ? Vec3<double>{0, 0, 1} : Vec3<double>{1, 0, 0};
  add_body(d, "block", 2, {0.1, 0.1, 0.1, 0, 0, 0}, {0, 0, 0});
  add_joint(d, "rail", MechanismJointKind::translational, ground, 0, {0, 0, 0}, axis);
  return d;
}

struct EventRun {
  ForwardRunReport report;
  MechanismState state;
};

EventRun run_events(const MechanismDescription& d, double time, double interval, const std::string& integrator,
                    double tolerance = 1e-10) {
  const Result<Mechanism> m = build(d);
  REQUIRE_MESSAGE(m, (m ? "" : to_string(m.faults().front())));
  EventRun out{{}, described_state(*m)};
  ForwardRunRules rules;
  rules.integrator = integrator;
  rules.time = time, rules.interval = interval, rules.tolerance = tolerance;
  out.report = run_forward(*m, out.state, rules, [](const ForwardInstant&) { return true; });
  REQUIRE_MESSAGE(out.report.finished, out.report.why);
  return out;
}

TimeFunction function_of(const std::string& text) {
  Result<TimeFunction> f = read_time_expression(text);
  REQUIRE(f);
  return *std::move(f);
}

}  // namespace

TEST_CASE("no method passes over a narrow push by a function of time, however far apart the rows are") {
  struct Push {
    TimeFunction f;
    double impulse;
  };
  const double pi = std::numbers::pi;
  const TimeFunction table =
      table_in_time({0, 1, 1.35, 1.351, 1.352, 1.353, 1.354, 2, 3}, {0, 0, 0, 0, 80, 0, 0, 0, 0});
  const auto sum = [](const TimeFunction& f) {
    double all = 0;  // Simpson's rule, over steps that end at the knots
    for (int k = 0; k < 30'000; ++k) all += (f(k * 1e-4).f + 4 * f((k + 0.5) * 1e-4).f + f((k + 1) * 1e-4).f) / 6e4;
    return all;
  };
  const Push pushes[] = {{function_of("1e4*max(0, 0.01-abs(t-1.355))"), 1},
                         {function_of("100*exp(-((t-1.355)/0.004)^2)"), 0.4 * std::sqrt(pi)},
                         {function_of("1e6*max(0, 1-abs(t-0.7313)/1e-6)"), 1},
                         {table, sum(table)},
                         {function_of("min(50, 1e5*max(0, 0.003-abs(t-2.9)))"), 50 * 0.006 - 2 * 50 * 0.0005 / 2}};
  for (const Push& push : pushes)
    for (const std::string& integrator : every_method)
      for (const double interval : {3.0, 0.2}) {
        CAPTURE(&push - pushes);
        CAPTURE(integrator);
        CAPTURE(interval);
        MechanismDescription d = railed_block();
        MechanismActuator motor;
        motor.name = "motor", motor.measure = {0, Measure::What::slide}, motor.effort = push.f;
        d.actuators.push_back(motor);
        const EventRun out = run_events(d, 3, interval, integrator);
        const bool second_order = integrator == "semi-implicit";
        CHECK(out.state.bodies[0].v.x == doctest::Approx(push.impulse / 2)
                                             .epsilon(second_order          ? 2e-2
                                                      : integrator == "rk4" ? 1e-5
                                                                            : 1e-7)
                                             .scale(1e-3));
      }
}

TEST_CASE("forces on bodies and springs are seen like actuators, and a driver's bump like them") {
  for (int way = 0; way < 2; ++way) {
    MechanismDescription d = railed_block();
    const TimeFunction push = function_of("1e4*max(0, 0.01-abs(t-1.355))");
    if (way == 0) {
      MechanismForce force;
      force.name = "push", force.body = 0, force.force[0] = push;
      d.forces.push_back(force);
    } else {
      MechanismSpring spring;
      spring.name = "push", spring.measure = {0, Measure::What::slide}, spring.effort = push;
      d.springs.push_back(spring);
    }
    CHECK(run_events(d, 3, 3, "dormand-prince").state.bodies[0].v.x == doctest::Approx(0.5).epsilon(1e-8));
  }
  // a mass on a spring to a driven block: the bump of the block pushes it
  MechanismDescription d = railed_block();
  add_body(d, "mass", 1, {0.1, 0.1, 0.1, 0, 0, 0}, {0, 0, 1});
  add_joint(d, "upper rail", MechanismJointKind::translational, ground, 1, {0, 0, 1}, {1, 0, 0});
  add_joint(d, "between", MechanismJointKind::translational, 0, 1, {0, 0, 1}, {1, 0, 0});
  d.joints.back().kind = MechanismJointKind::free;
  MechanismSpring spring;
  spring.name = "spring", spring.measure = {2, Measure::What::slide}, spring.k = 100;
  d.springs.push_back(spring);
  MechanismDriver driver;
  driver.name = "shaker", driver.terms = {{{0, Measure::What::slide}, 1, {}}};
  driver.function = function_of("0.1*exp(-((t-1.355)/0.02)^2)");
  d.drivers.push_back(driver);
  // x'' + w^2 x = w^2 f(t): a swing of w times the transform of f at w
  const double w = 10, impulse = 0.1 * 0.02 * std::sqrt(std::numbers::pi) * std::exp(-w * w * 0.02 * 0.02 / 4);
  const EventRun out = run_events(d, 3, 3, "dormand-prince");
  const double x = out.state.bodies[1].r.x, v = out.state.bodies[1].v.x;
  CHECK(std::hypot(x, v / w) == doctest::Approx(w * impulse).epsilon(1e-7));
}

TEST_CASE("a stop is touched and left when the closed form says, by every method, in steps that do not know of it") {
  const double height = 1, k = 1e5, m = 2, g = 9.81;
  const double fall = std::sqrt(2 * height / g), v = g * fall, w = std::sqrt(k / m), rest = g / (w * w);
  const double touch = 2 * (std::numbers::pi + std::atan2(-v / w, rest)) / w;
  for (const std::string& integrator : every_method) {
    CAPTURE(integrator);
    MechanismDescription d = railed_block(true);
    MechanismSpring stop;
    stop.name = "floor", stop.measure = {0, Measure::What::slide}, stop.k = k;
    stop.play = {-height, infinity};
    d.springs.push_back(stop);
    const EventRun out = run_events(d, 2 * fall + touch + 0.3, 0.25, integrator);
    const bool second_order = integrator == "semi-implicit";
    REQUIRE(out.report.events.size() >= 2);
    const MechanismEvent &first = out.report.events[0], &second = out.report.events[1];
    CHECK(first.kind == MechanismEventKind::touches_lower);
    CHECK(first.of == "stop \"floor\"");
    CHECK(first.t == doctest::Approx(fall).epsilon(second_order ? 1e-6 : 1e-10));
    CHECK(second.kind == MechanismEventKind::leaves);
    CHECK(second.t - first.t == doctest::Approx(touch).epsilon(second_order          ? 5e-2
                                                               : integrator == "rk4" ? 1e-3
                                                                                     : 1e-6));
    if (integrator == "dormand-prince" || integrator == "radau") {
      CHECK(out.report.count.steps < 400);  // 1 ms would be more than 1000
      CHECK(out.report.worst_energy_error < 1e-7 * out.report.largest_energy);
    }
  }
}

TEST_CASE("a damped stop lets go before it is back at its end, and energy is accounted for over every impact") {
  MechanismDescription d = railed_block(true);
  MechanismSpring stop;
  stop.name = "floor", stop.measure = {0, Measure::What::slide}, stop.k = 1e4, stop.c = 60;
  stop.play = {-1, infinity};
  d.springs.push_back(stop);
  const EventRun out = run_events(d, 6, 6, "dormand-prince");
  CHECK(out.report.worst_energy_error < 1e-8 * out.report.largest_energy);
  CHECK(out.report.events.size() >= 6);
  CHECK(out.state.bodies[0].r.z == doctest::Approx(-1 - 2 * 9.81 / 1e4).epsilon(1e-5));
}

TEST_CASE("a law of the state: a linear one is a spring, a cubic one keeps its energy, one with a corner is a stop") {
  const std::string head =
      "gravity = [0, 0, 0]\n[[body]]\nname = \"b\"\nmass = 2\ninertia = [1, 1, 1]\n[[joint]]\nname = \"rail 1\"\nkind "
      "= "
      "\"translational\"\nbodies = [\"ground\", \"b\"]\npoint = [0, 0, 0]\naxis = [1, 0, 0]\nslide_rate = "
      "3\n[[point]]\n"
      "name = \"P\"\nbody = \"b\"\nposition = [0.5, 0, 0]\n";
  const auto with = [&](const std::string& more) {
    const auto m = read_mechanism_toml(head + more, "m.toml");
    CAPTURE((m ? "" : to_string(m.faults().front())));
    REQUIRE(m);
    return *m;
  };
  const std::string law = "[[law]]\nname = \"law\"\njoint = \"rail 1\"\neffort = ";
  for (const std::string integrator : {"dormand-prince", "radau", "semi-implicit"}) {
    CAPTURE(integrator);
    const EventRun spring = run_events(
        with("[[spring]]\njoint = \"rail 1\"\nstiffness = 50\ndamping = 2\nrest = 0.2\n"), 1.7, 0.5, integrator);
    for (const char* effort : {"\"-50*(x-0.2) - 2*xd\"", "\"-50*([slide.rail 1]-0.2) - 2*[rate.slide.rail 1]\"",
                               "\"-50*(x.P - 0.7) - 2*vx.P\""}) {
      CAPTURE(effort);
      const EventRun same = run_events(with(law + effort + "\n"), 1.7, 0.5, integrator);
      CHECK(same.state.bodies[0].r.x == doctest::Approx(spring.state.bodies[0].r.x).epsilon(1e-7));
      CHECK(same.state.bodies[0].v.x == doctest::Approx(spring.state.bodies[0].v.x).epsilon(1e-7));
    }
  }
  const EventRun cubic = run_events(with(law + "\"-40*x - 300*x^3\"\n"), 5, 5, "dormand-prince");
  const double x = cubic.state.bodies[0].r.x, v = cubic.state.bodies[0].v.x;
  CHECK(v * v + 20 * x * x + 75 * x * x * x * x == doctest::Approx(9).epsilon(1e-8));
  // a wall at 6 m, 0.2 m ahead of where a step that knows nothing of it would look
  const EventRun corner = run_events(with(law + "\"-1e5*max(0, x - 6)\"\n"), 4, 4, "dormand-prince");
  CHECK(corner.state.bodies[0].v.x == doctest::Approx(-3).epsilon(1e-7));
  const EventRun stop =
      run_events(with("[[stop]]\njoint = \"rail 1\"\nupper = 6\nstiffness = 1e5\n"), 4, 4, "dormand-prince");
  CHECK(corner.state.bodies[0].r.x == doctest::Approx(stop.state.bodies[0].r.x).epsilon(1e-7));
}
