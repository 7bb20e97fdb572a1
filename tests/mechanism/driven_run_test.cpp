#include "torsor/mechanism/driven_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/support/mechanism.hpp"
#include "tests/support/mechanism_text.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/files/mechanism_toml.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"

using namespace torsor;
using namespace mechanism_text;

namespace {

Mechanism mechanism_of(const Result<MechanismDescription>& description) {
  REQUIRE(description);
  auto built = build(*description);
  REQUIRE(built);
  return *std::move(built);
}

struct Compared {
  double position = 0, velocity = 0, acceleration = 0, effort = 0;
  int instants = 0;
};

double worse(double error, double scale) { return error / std::max(scale, 1.0); }

// the built-in mechanism beside the golden file: maximal coordinates and their derivatives, and the torques
Compared compare(const std::string& name, const nlohmann::json& golden, const std::string& torques) {
  const Mechanism m = mechanism_of(load_mechanism(name));
  MechanismState state = described_state(m);
  const std::vector<double> t = golden["t"];
  MechanismInverse inverse(m);
  inverse.expect_redundancy(true);
  std::vector<double> u(m.description.actuators.size());
  Compared worst;
  const auto report = run_driven(m, state, {t.back(), t[1] - t[0]}, [&](const DrivenInstant& at) {
    const auto k = static_cast<std::size_t>(worst.instants++);
    CHECK(at.state.t == doctest::Approx(t[k]).epsilon(1e-12));
    CHECK(at.gap < 1e-12);
    // joint coordinates of a robot are something else
    if (golden.contains("q") && golden["q"][k].size() == 7 * at.state.bodies.size()) {
      const std::vector<double> q = golden["q"][k], qd = golden["qd"][k], qdd = golden["qdd"][k];
      for (std::size_t b = 0; b < at.state.bodies.size(); ++b) {
        const BodyState& body = at.state.bodies[b];
        const double *gq = &q[7 * b], *gd = &qd[7 * b], *gdd = &qdd[7 * b];
        // p and -p are one orientation
        const double same = body.p.e0 * gq[3] + body.p.e1 * gq[4] + body.p.e2 * gq[5] + body.p.e3 * gq[6];
        worst.position = std::max({worst.position, norm(body.r - Vec3<double>{gq[0], gq[1], gq[2]}),
                                   std::sqrt(2 * std::fabs(1 - std::fabs(same)))});
        worst.velocity =
            std::max(worst.velocity, worse(norm(body.v - Vec3<double>{gd[0], gd[1], gd[2]}), norm(body.v)));
        const Vec3<double> a{gdd[0], gdd[1], gdd[2]};
        worst.acceleration = std::max(worst.acceleration, worse(norm(at.A[b].v - a), norm(a)));
      }
    }
    const InverseReport report_at = inverse.torques(at.state, at.A, u);
    CHECK(report_at.unbalanced < 1e-9);
    std::vector<double> expected;
    if (golden[torques][k].is_array())
      expected = golden[torques][k].get<std::vector<double>>();
    else
      expected = {golden[torques][k].get<double>()};
    double largest = 0;
    for (const double x : expected) largest = std::max(largest, std::fabs(x));
    REQUIRE(u.size() == expected.size());
    for (std::size_t i = 0; i < u.size(); ++i)
      worst.effort = std::max(worst.effort, worse(std::fabs(u[i] - expected[i]), largest));
    return true;
  });
  CHECK(report.finished);
  CHECK(worst.instants == static_cast<int>(t.size()));
  return worst;
}

void check_all(const Compared& worst) {
  CHECK(worst.position < 3e-8);  // of an orientation: the root of what its cosine can show
  CHECK(worst.velocity < 1e-9);
  CHECK(worst.acceleration < 1e-9);
  CHECK(worst.effort < 1e-9);
}

/// A parallelogram with bars of 1 m and 2 m, upright where the angle of its crank is 0; flat at a quarter turn either way.
MechanismDescription parallelogram(const TimeFunction& angle) {
  MechanismDescription d;
  const Sym3<double> I{0.1, 0.1, 0.1, 0, 0, 0};
  const Vec3<double> z{0, 0, 1};
  testing::add_body(d, "crank", 1, I, {0, 0.5, 0});
  testing::add_body(d, "coupler", 1, I, {1, 1, 0});
  testing::add_body(d, "rocker", 1, I, {2, 0.5, 0});
  testing::add_hinge(d, "A", ground, 0, {}, z);
  testing::add_hinge(d, "B", 0, 1, {0, 1, 0}, z);
  testing::add_hinge(d, "C", 1, 2, {2, 1, 0}, z);
  testing::add_hinge(d, "D", ground, 2, {2, 0, 0}, z);
  d.drivers.push_back({"turn", {{{0, Measure::What::angle}, 1, {}}}, angle, -1, {}});
  return d;
}

}  // namespace

TEST_CASE("a branch point is passed straight on, its time told, also where an instant falls upon it") {
  constexpr double pi = std::numbers::pi;
  // flat at 1 s and 3 s, with velocities and accelerations there
  const auto angle = [](double t) {
    return TimeValue{-pi / 2 * t + 0.3 * std::sin(pi * t), -pi / 2 + 0.3 * pi * std::cos(pi * t),
                     -0.3 * pi * pi * std::sin(pi * t)};
  };
  const auto accelerating = [](double t) {
    return TimeValue{-pi / 2 * t - 0.2 * t * (t - 1) * (t - 3), -pi / 2 - 0.2 * (3 * t * t - 8 * t + 3),
                     -0.2 * (6 * t - 8)};
  };
  for (const double interval : {0.5, 0.3, 0.25, 0.2, 0.1, 0.05, 0.01})
    for (const TimeFunction& f : {TimeFunction(angle), TimeFunction(accelerating)}) {
      CAPTURE(interval);
      const Result<Mechanism> m = build(parallelogram(f));
      REQUIRE(m);
      MechanismState state = described_state(*m);
      double position = 0, velocity = 0, acceleration = 0;
      const auto report = run_driven(*m, state, {3.5, interval}, [&](const DrivenInstant& at) {
        const TimeValue a = f(at.state.t);
        const BodyState& rocker = at.state.bodies[2];
        position = std::max(position, norm(rocker.r - Vec3<double>{2 - std::sin(a.f) / 2, std::cos(a.f) / 2, 0}));
        velocity = std::max(velocity, std::fabs(rocker.w.z - a.fd));
        acceleration = std::max(acceleration, std::fabs(at.A[2].w.z - a.fdd));
        return true;
      });
      CHECK_MESSAGE(report.finished, report.why);
      CHECK(position < 1e-8);
      CHECK(velocity < 1e-8);
      CHECK(acceleration < 1e-6);
      REQUIRE(report.branch_times.size() == 2);
      CHECK(std::fabs(report.branch_times[0] - 1) < 1e-6);
      CHECK(std::fabs(report.branch_times[1] - 3) < 1e-6);
    }
}

TEST_CASE("a mechanism driven from a singular position is told that, not that it cannot close") {
  // the slider at the very end of its reach, from bodies that stand roughly
  const Mechanism still = mechanism_of(read_mechanism_toml(stretched("0.8"), "still.toml"));
  MechanismState state = described_state(still);
  Assembly assembly(still, EquationSet::all);
  assembly.expect_redundancy(true);
  CHECK(assemble_start(still, assembly, state).empty());
  const Mechanism back = mechanism_of(read_mechanism_toml(stretched("0.8 - 0.1*t"), "back.toml"));
  state = described_state(back);
  const auto stuck = run_driven(back, state, {1, 0.1}, [](const DrivenInstant&) { return true; });
  CHECK_FALSE(stuck.finished);
  CHECK(stuck.why.find("singular") != std::string::npos);
  // and a parallelogram that starts flat
  constexpr double quarter = std::numbers::pi / 2;
  const Result<Mechanism> flat = build(parallelogram([](double t) { return TimeValue{-quarter - t, -1, 0}; }));
  REQUIRE(flat);
  state = described_state(*flat);
  const auto report = run_driven(*flat, state, {1, 0.1}, [](const DrivenInstant&) { return true; });
  CHECK_FALSE(report.finished);
  CHECK(report.why.find("singular") != std::string::npos);
}

TEST_CASE("drivers that fight each other are named, not the joints between them") {
  const auto rate = [](double start, double w) {
    return TimeFunction([=](double t) { return TimeValue{start + w * t, w, 0}; });
  };
  for (const double start : {0.0, 0.3}) {
    MechanismDescription d = parallelogram(rate(0, 1));
    d.drivers.push_back({"rocker", {{{3, Measure::What::angle}, 1, {}}}, rate(start, start == 0 ? 2 : 1), -1, {}});
    const Result<Mechanism> m = build(d);
    REQUIRE(m);
    MechanismState state = described_state(*m);
    Assembly assembly(*m, EquationSet::all);
    assembly.expect_redundancy(true);
    const Faults errors = assemble_start(*m, assembly, state);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].rule == "drivers-fight");
    CHECK(errors[0].offender == "driver \"rocker\"");
    CHECK(errors[0].what.find("driver \"turn\"") != std::string::npos);
  }
}

TEST_CASE("built-in mechanisms run as the golden files do, efforts included") {
  check_all(compare("four_bar", testing::golden("fourbar"), "actuator_torque"));
  check_all(compare("slider_crank", testing::golden("slidercrank"), "actuator_torque"));
  check_all(compare("stewart_platform", testing::golden("stewart"), "actuator_force"));
}

TEST_CASE("the robot driven by its hand needs the torques of the serial formulation") {
  const Compared worst = compare("hand_driven_robot", testing::golden("robot001")["series"][0], "tau");
  CHECK(worst.instants == 201);
  CHECK(worst.effort < 1e-9);
}

TEST_CASE("a mechanism that locks stops at the time, with the joint and everything before") {
  const Mechanism m = mechanism_of(read_mechanism_toml(stretched("0.6 + 0.1*t"), "stretched.toml"));
  MechanismState state = described_state(m);
  int instants = 0;
  const auto report = run_driven(m, state, {3, 0.01}, [&](const DrivenInstant&) { return ++instants > 0; });
  CHECK_FALSE(report.finished);
  CHECK(report.t == doctest::Approx(2).epsilon(1e-6));
  CHECK(instants == 200);  // none upon the end of its reach, where velocities have no bounds
  CHECK(report.why.find("locks") != std::string::npos);
  CHECK(report.block >= 0);
}

TEST_CASE("a position that no step was small enough for is not jumped over") {
  // from near the stretched position on, one step of the interval would land on the other branch
  const Mechanism m = mechanism_of(
      read_mechanism_toml(stretched("0.799 - 0.3*sin(t)^2"),
                          "there_and_back.toml"));
  MechanismState state = described_state(m);
  double least = 1;
  const auto report = run_driven(m, state, {3.1, 0.31}, [&](const DrivenInstant& at) {
    least = std::min(least, at.state.bodies[0].r.y);
    return true;
  });
  CHECK(report.finished);
  CHECK(least > 0);  // the knee never falls below the line
}

TEST_CASE("what cannot be assembled is told with the element and by how much") {
  const Mechanism m = mechanism_of(
      read_mechanism_toml(stretched("0.9"), "too_far.toml"));
  MechanismState state = described_state(m);
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  const Faults errors = assemble_start(m, assembly, state);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].rule == "cannot-close");
  CHECK(errors[0].where.file == "too_far.toml");
  CHECK(errors[0].where.line > 0);
}

TEST_CASE("a pole of a profile is found long before all steps are spent, and a peak that can be climbed is none") {
  const auto cam = [](const std::string& profile) {
    const auto along = [](const std::string& axis) {
      return "point_i = [0, 0, 0]; point_j = [0, 0, 0]; reference_i = [1, 0, 0]; reference_j = [1, 0, 0]; axis_i = " +
             axis + "; axis_j = " + axis;
    };
    return mechanism_of(read_mechanism_toml(
        body("disc", "axis = [0, 1, 0]; angle = -1") + body("follower", "") +
            joint("shaft", "revolute", "ground", "disc", along("[0, 1, 0]")) +
            joint("rail", "translational", "ground", "follower", along("[0, 0, 1]")) +
            block("coupling", "cam",
                  "kind = \"cam\"; joints = [\"shaft\", \"rail\"]; offset = 0; profile = \"" + profile + "\"") +
            driver("turn", "shaft", "-1+t"),
        "cam.toml"));
  };
  const auto all = [](const DrivenInstant&) { return true; };
  for (const double interval : {0.1, 0.3, 2.0}) {
    CAPTURE(interval);
    const Mechanism pole = cam("0.1/x");
    MechanismState state = described_state(pole);
    const DrivenRunReport report = run_driven(pole, state, {2, interval}, all);
    CHECK(report.stop == RunStop::function_ends);
    CHECK(report.why.find("x = 0, ") != std::string::npos);
    CHECK(report.t > 0.95);
    CHECK(report.t < 1);
    CHECK(report.steps < 2000);
  }
  // as steep as a pole for long, 30 m high
  const Mechanism peak = cam("3e-3/(x^2 + 1e-4)");
  MechanismState state = described_state(peak);
  const DrivenRunReport report = run_driven(peak, state, {1.9, 1.9}, all);
  CHECK(report.finished);
  CHECK(report.steps > 1000);
  CHECK(std::fabs(state.bodies[1].r.z) == doctest::Approx(3e-3 / (0.81 + 1e-4)));
}
