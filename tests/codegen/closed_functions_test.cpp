// Code of robots with loops: the recorded functions against the engine of loops, which closes them step by step; and compiled.
#include "torsor/codegen/closed_functions.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/loop_robots.hpp"
#include "tests/support/random.hpp"
#include "torsor/codegen/generate.hpp"
#include "torsor/codegen/prove.hpp"
#include "torsor/loops/cluster_kinematics.hpp"
#include "torsor/loops/random_closed_position.hpp"

using namespace torsor;
using namespace torsor::testing;
using enum CodeFunction;

namespace {

using Numbers = std::vector<double>;

const std::vector<std::string> planar{"palletising_arm", "five_bar", "excavator", "four_bar_knee",
                                      "parallel_gripper_arm"};

/// The largest difference beside the largest number.
double apart(std::span<const double> a, std::span<const double> b) {
  REQUIRE(a.size() == b.size());
  double most = 0, scale = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    REQUIRE(std::isfinite(a[k]));
    REQUIRE(std::isfinite(b[k]));
    most = std::max(most, std::abs(a[k] - b[k])), scale = std::max(scale, std::abs(b[k]));
  }
  return most / std::max(scale, 1e-3);
}

/// How far from a dead centre the loops are.
double determined(const Robot& robot, Dynamics& dynamics, std::span<const double> q) {
  Numbers all(static_cast<std::size_t>(robot.tree().nq));
  REQUIRE(dynamics.positions(q, all));
  double least = 1;
  for (const LoopCluster& cluster : robot.loops()->clusters) {
    ClusterKinematics<double> kinematics(robot.tree(), cluster);
    kinematics.place(all);
    kinematics.factor();
    least = std::min(least, kinematics.determined());
  }
  return least;
}

/// The answers of Dynamics, as code has them.
Numbers of_engine(Dynamics& dynamics, CodeFunction function, std::span<const double> q, std::span<const double> x,
                  std::span<const double> y) {
  const std::size_t n = x.size();
  Numbers out(function == id || function == bias || function == gravity || function == fd ? n : n * n);
  switch (function) {
    case id: REQUIRE(dynamics.inverse(q, x, y, out)); break;
    case bias: REQUIRE(dynamics.bias(q, x, out)); break;
    case gravity: REQUIRE(dynamics.gravity(q, out)); break;
    case mass: REQUIRE(dynamics.mass(q, out)); break;
    case coriolis: REQUIRE(dynamics.coriolis_matrix(q, x, out)); break;
    case fd: REQUIRE(dynamics.forward(q, x, y, out)); break;
    case derivatives: {
      out.resize(3 * n * n);
      Numbers tau(n);
      const std::span<double> all(out);
      REQUIRE(dynamics.inverse(q, x, y, tau, {all.first(n * n), all.subspan(n * n, n * n), all.subspan(2 * n * n)}));
      break;
    }
    default: {
      Transform<double> X;
      Numbers J(6 * n);
      REQUIRE(dynamics.tool(q, X, J));
      const Mat3<double> R = ~X.R;
      out.clear();
      for (const Vec3<double>& v : {R.x, R.y, R.z, X.p}) out.insert(out.end(), {v.x, v.y, v.z});
      if (function == jacobian) out.insert(out.end(), J.begin(), J.end());
    }
  }
  return out;
}

}  // namespace

TEST_CASE("the functions that code has of robots with loops are those of their engine") {
  for (const std::string& name : planar) {
    const Robot robot = Robot::load(name);
    CAPTURE(name);
    Dynamics dynamics(robot);
    std::mt19937_64 engine(7);
    const auto n = static_cast<std::size_t>(robot.nv());
    double worst = 0;
    int used = 0;
    for (int draw = 0; draw < draws(30); ++draw) {
      const auto q = random_closed_position(robot, dynamics, engine);
      REQUIRE(q);
      if (determined(robot, dynamics, *q) < 0.03) continue;  // rates grow with the inverse of that
      ++used;
      Numbers x(n), y(n);
      for (auto* numbers : {&x, &y})
        for (double& each : *numbers) each = static_cast<double>(engine() >> 11) * 0x1p-51 - 2;
      for (const CodeFunction function : {id, bias, gravity, mass, coriolis, fd, fk, jacobian, derivatives}) {
        CAPTURE(std::string(row(function).name));
        Numbers arguments = *q;
        const std::size_t rates = row(function).arguments[2] != "" ? 2 : row(function).arguments[1] != "" ? 1 : 0;
        if (rates > 0) arguments.insert(arguments.end(), x.begin(), x.end());
        if (rates > 1) arguments.insert(arguments.end(), y.begin(), y.end());
        const Numbers wanted = of_engine(dynamics, function, *q, x, y);
        Numbers got(wanted.size());
        run_closed(robot, robot.tool(), function, std::span<const double>(arguments), std::span(got));
        worst = std::max(worst, apart(got, wanted));
      }
    }
    MESSAGE(name << ": " << worst);
    CHECK(worst < 1e-10);
    CHECK(used > 10);
  }
}

TEST_CASE("C of robots with loops compiles and gives the library's numbers") {
  std::vector<std::string> names{"five_bar"};
  if (draws(1) > 1) names = planar;
  for (const std::string& name : names) {
    const Robot robot = Robot::load(name);
    CAPTURE(name);
    const CodeSubject subject{.model = &robot.coordinates(), .tool = robot.tool(), .closed = &robot};
    CodeOptions options;
    options.functions = {id, mass, fd, jacobian};
    const auto code = codegen(subject, options);
    for (const Fault& fault : code.faults()) MESSAGE(to_string(fault));
    REQUIRE(code);
    CodeProofOptions how;
    how.states = 10;
    how.flags = "-std=c99 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror";
    const auto proof = prove_code(*code, subject, c_double, nullptr, how);
    for (const Fault& fault : proof.faults()) MESSAGE(to_string(fault));
    REQUIRE(proof);
    CHECK(proof->holds());
    // no angle is taken of what the loops determine: as many as independent joints that turn
    CHECK(code->functions[0].angles <= robot.nv());
  }
}

TEST_CASE("loops without a closed form have no code, and are named") {
  const Robot robot = Robot::load("ankle");
  const CodeSubject subject{.model = &robot.coordinates(), .tool = robot.tool(), .closed = &robot};
  const auto code = codegen(subject, {});
  REQUIRE(!code);
  CHECK(code.faults().front().rule == "codegen-loops");
  CHECK(code.faults().front().offender == "loop \"left_ball\"");
  CHECK(refuse_closed(Robot::load("five_bar"), ik).front().rule == "codegen-ik");
}
