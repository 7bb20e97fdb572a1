// Regressors and identification of robots with loops: against torques of their engine, of the robot and of changed ones.
#include "torsor/identification/robot_regressor.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/loop_robots.hpp"
#include "tests/support/measure.hpp"
#include "torsor/identification/identification.hpp"
#include "torsor/identification/regressor_rows.hpp"
#include "torsor/loops/random_closed_position.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using Numbers = std::vector<double>;

Numbers drawn(std::mt19937_64& engine, int n, double size) {
  Numbers x(static_cast<std::size_t>(n));
  for (double& each : x) each = size * (static_cast<double>(engine() >> 11) * 0x1p-52 - 1);
  return x;
}

TorqueSample sample(const Robot& robot, Dynamics& dynamics, std::mt19937_64& engine) {
  const auto q = random_closed_position(robot, dynamics, engine);
  REQUIRE(q);
  TorqueSample s{*q, drawn(engine, robot.nv(), 2), drawn(engine, robot.nv(), 5),
                 Numbers(static_cast<std::size_t>(robot.nv()))};
  REQUIRE(dynamics.inverse(s.q, s.qd, s.qdd, s.tau));
  return s;
}

}  // namespace

TEST_CASE("with loops Y phi are the torques of the independent joints, and Y what a parameter changes of them") {
  for (const Robot& robot : loop_robots()) {
    CAPTURE(robot.name());
    const std::vector<DynamicParameter> list = dynamic_parameters(robot.tree());
    RobotRegressor regressor(robot, list);
    Dynamics dynamics(robot);
    const Numbers phi = parameter_values<double>(robot.tree(), list);
    const auto n = static_cast<std::size_t>(robot.nv()), p = list.size();
    Numbers Y(n * p), there(n);
    std::mt19937_64 engine(5);
    double worst = 0;
    for (int draw = 0; draw < 50; ++draw) {
      const TorqueSample s = sample(robot, dynamics, engine);
      REQUIRE(regressor.at(s.q, s.qd, s.qdd, Y));
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0, size = 1e-3;
        for (std::size_t k = 0; k < p; ++k) sum += Y[i * p + k] * phi[k], size += std::abs(Y[i * p + k] * phi[k]);
        worst = std::max(worst, std::abs(sum - s.tau[i]) / size);
      }
    }
    CHECK(worst < 1e-12);
    // a body of the tree that is heavier by a parameter's unit: the engine's torques change by its column
    for (const std::size_t column : {std::size_t{0}, p / 2, std::size_t{inertial_count - 1}}) {
      Numbers changed = phi;
      changed[column] += 1;
      const TorqueSample s = sample(robot, dynamics, engine);
      REQUIRE(regressor.at(s.q, s.qd, s.qdd, Y));
      Dynamics other(robot);
      const DynamicParameter& which = list[column];
      if (which.kind != ParameterKind::inertial) continue;
      other.set_inertia(which.index, with_parameters(robot.tree(), list, changed)[which.index].inertia);
      REQUIRE(other.inverse(s.q, s.qd, s.qdd, there));
      double scale = 1;
      for (std::size_t i = 0; i < n; ++i) scale = std::max(scale, std::abs(there[i]));
      for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(there[i] - s.tau[i] - Y[i * p + column]) < 1e-11 * scale);
    }
  }
}

TEST_CASE("rows of regressors with loops are those of single states, and NaN where a position does not close") {
  const Robot robot = Robot::load("palletising_arm");
  const std::vector<DynamicParameter> list = dynamic_parameters(robot.tree());
  RobotRegressor one(robot, list);
  RegressorRows rows(robot, list);
  const Numbers q{0, 0.3, 0, -0.2, 0.1, 0.2, 0.3, -0.1, 0, 0.3, 0, 3.0}, qd(12, 0.4), qdd(12, -1.0);
  const std::size_t size = 4 * list.size();
  Numbers Y(3 * size), single(size);
  rows.at(3, {q.data(), 4}, {qd.data(), 4}, {qdd.data(), 4}, {Y.data(), static_cast<std::ptrdiff_t>(size)});
  for (std::size_t k = 0; k < 2; ++k) {
    REQUIRE(one.at(std::span(q).subspan(4 * k, 4), std::span(qd).first(4), std::span(qdd).first(4), single));
    for (std::size_t i = 0; i < size; ++i) CHECK(Y[k * size + i] == doctest::Approx(single[i]).epsilon(1e-13));
  }
  CHECK(!one.at(std::span(q).subspan(8, 4), {}, {}, single));
  CHECK(std::isnan(single[0]));
  CHECK(std::isnan(Y[2 * size]));
}

TEST_CASE("motors of a robot with loops identify its links and passive joints") {
  for (const char* name : {"palletising_arm", "delta"}) {
    CAPTURE(name);
    const Robot truth = Robot::load(name);
    // the file has other numbers: links heavier, friction that is not there
    Description d = truth.description();
    for (std::size_t k = 0; k < d.links.size(); ++k)
      for (Part& part : d.links[k].parts) {
        const double by = 1 + 0.3 * std::sin(static_cast<double>(k) + 1);
        part.mass *= by, part.tensor = part.tensor * by;
      }
    const Robot file(std::move(d));
    Dynamics dynamics(truth);
    std::mt19937_64 engine(9);
    std::vector<TorqueSample> record;
    for (int k = 0; k < 400; ++k) record.push_back(sample(truth, dynamics, engine));
    const auto found = identify(file, file_parameters(file.tree()), record);
    for (const Fault& fault : found.faults()) MESSAGE(to_string(fault));
    REQUIRE(found);
    CHECK(found->unexcited.empty());
    CHECK(found->count() > file.nv());
    for (const JointFit& joint : found->joints) {
      CHECK(joint.fit < 1e-9);
      CHECK(joint.held_fit < 1e-9);
      CHECK(joint.held_file > 1e-3);
    }
    CHECK(implausible(file.coordinates(), *found).empty());
    // the written robot has the torques of the true one
    const IdentifiedSet set = identified_set(file.tree(), *found);
    const auto written = with_parameters(file.description(), file.tree(), found->base.parameters, set.phi);
    REQUIRE(written);
    Dynamics again((Robot(*written)));
    for (int k = 0; k < 20; ++k) {
      const TorqueSample s = sample(truth, dynamics, engine);
      Numbers tau(s.tau.size());
      REQUIRE(again.inverse(s.q, s.qd, s.qdd, tau));
      for (std::size_t i = 0; i < tau.size(); ++i) tau[i] -= s.tau[i];
      CHECK(largest(tau) < 1e-8 * std::max(1.0, largest(s.tau)));
    }
  }
}

TEST_CASE("a record whose positions do not close is refused with its row") {
  const Robot robot = Robot::load("palletising_arm");
  Dynamics dynamics(robot);
  std::mt19937_64 engine(9);
  std::vector<TorqueSample> record;
  for (int k = 0; k < 100; ++k) record.push_back(sample(robot, dynamics, engine));
  record[6].q[3] = 3.0;
  const auto found = identify(robot, file_parameters(robot.tree()), record);
  REQUIRE(!found);
  CHECK(found.faults().front().rule == "loop-open");
  CHECK(found.faults().front().offender == "row 7");
}
