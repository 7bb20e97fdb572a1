// Reactions of robots with loops against those of the mechanism in maximal coordinates, and which of them are unique.
#include "torsor/loops/loop_reactions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/loop_mechanism.hpp"
#include "tests/support/loop_robots.hpp"
#include "tests/support/random.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/loops/loop_map.hpp"
#include "torsor/loops/random_closed_position.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using Numbers = std::vector<double>;

double largest(const Force<double>& f) {
  return std::max(
      {std::abs(f.n.x), std::abs(f.n.y), std::abs(f.n.z), std::abs(f.f.x), std::abs(f.f.y), std::abs(f.f.z)});
}

/// Without what acts along the joint's own motion, where motors and springs act, too.
Force<double> across(Force<double> f, JointKind kind) {
  if (kind == JointKind::revolute || kind == JointKind::helical) f.n.z = 0;
  if (kind == JointKind::prismatic || kind == JointKind::helical) f.f.z = 0;
  if (kind == JointKind::spherical) f.n = {};
  return f;
}

struct Found {
  Numbers tau;
  std::vector<Force<double>> joints, loops;
  std::vector<unsigned char> unique;
};

Found reactions(const Robot& robot, Dynamics& dynamics, const Numbers& q, const Numbers& qd, const Numbers& qdd) {
  const std::size_t bodies = robot.tree().bodies.size(), loops = robot.description().loops.size();
  Found f{Numbers(static_cast<std::size_t>(robot.nv())), std::vector<Force<double>>(bodies),
          std::vector<Force<double>>(loops), std::vector<unsigned char>(bodies + loops)};
  REQUIRE(dynamics.reactions(q, qd, qdd, f.tau, f.joints, {f.loops, f.unique}));
  return f;
}

std::vector<Robot> robots() {
  std::vector<Robot> all = loop_robots();
  // redundant: hinges all parallel; and not: one of them a ball, in a four-bar that leans
  all.push_back(Robot::load(four_bar()));
  all.push_back(Robot::load(four_bar(1, 0.4, 0.9, 0.8, "actuated = [\"crank\"]", "spherical")));
  return all;
}

}  // namespace

TEST_CASE("reactions with loops are those of the mechanism, and the same of them are unique") {
  int compared = 0, open = 0;
  for (const Robot& robot : robots()) {
    CAPTURE(robot.name());
    Dynamics dynamics(robot);
    LoopMap map(robot.tree(), robot.loops());
    Random random(21);
    std::mt19937_64 engine(4);
    const auto n = static_cast<std::size_t>(robot.tree().nv);
    double worst = 0;
    for (int k = 0; k < 20; ++k) {
      const auto drawn = random_closed_position(robot, dynamics, engine);
      REQUIRE(drawn);
      const Numbers& q_a = *drawn;
      const Numbers qd_a = random.numbers(robot.nv(), 2), qdd_a = random.numbers(robot.nv(), 5);
      Numbers q(static_cast<std::size_t>(robot.tree().nq)), qd(n), qdd(n);
      const Found found = reactions(robot, dynamics, q_a, qd_a, qdd_a);
      REQUIRE(dynamics.positions(q_a, q));
      map.return_to_start();
      REQUIRE(map.place(q_a));
      map.rates(qd_a, qd);
      map.accelerations(qd, qdd_a, qdd);
      LoopMechanism mechanism(robot, q, qd);
      const std::vector<Force<double>> others = mechanism.reactions(mechanism.accelerations(q, qd, qdd));
      const std::vector<bool> shared = mechanism.shared();
      double scale = 1e-3;
      for (const Force<double>& f : found.joints) scale = std::max(scale, largest(f));
      for (std::size_t i = 0; i < others.size(); ++i) {
        const bool of_tree = i < found.joints.size();
        CAPTURE(i);
        CHECK((found.unique[i] == 0) == shared[i]);
        if (shared[i]) {
          ++open;
          continue;
        }
        ++compared;
        const JointKind kind = of_tree ? robot.tree()[static_cast<int>(i)].kind : JointKind::fixed;
        const Force<double> ours = across(of_tree ? found.joints[i] : found.loops[i - found.joints.size()], kind);
        worst = std::max(worst, largest(ours - across(others[i], kind)) / scale);
      }
    }
    MESSAGE(robot.name() << ": reactions " << worst);
    CHECK(worst < 1e-10);
  }
  CHECK(compared > 500);
  CHECK(open > 100);
}

TEST_CASE("joints carry nothing along their own motion but what motors, rotors and friction give there") {
  for (const Robot& robot : robots()) {
    CAPTURE(robot.name());
    // reactions are those of the links: friction and rotors act beside them
    Description plain = robot.description();
    for (LinkDescription& link : plain.links) link.friction.reset(), link.rotor.reset();
    const Robot bare(plain);
    Dynamics dynamics(bare);
    Random random(8);
    std::mt19937_64 engine(8);
    for (int k = 0; k < 10; ++k) {
      const auto q = random_closed_position(bare, dynamics, engine);
      REQUIRE(q);
      const Found found = reactions(bare, dynamics, *q, random.numbers(bare.nv(), 2), random.numbers(bare.nv(), 5));
      double scale = 1e-3;
      for (const Force<double>& f : found.joints) scale = std::max(scale, largest(f));
      // joints that follow one share its motor
      Numbers along(static_cast<std::size_t>(bare.tree().nv));
      for (int b = 0; b < bare.tree().size(); ++b) {
        const Body<double>& body = bare.tree()[b];
        const Force<double>& f = found.joints[static_cast<std::size_t>(b)];
        if (body.nv == 1)
          along[static_cast<std::size_t>(body.v)] += body.ratio * (body.kind == JointKind::prismatic ? f.f.z : f.n.z);
      }
      const auto& v = bare.loops()->v;
      for (std::size_t i = 0; i < along.size(); ++i) {
        const auto at = std::ranges::find(v, static_cast<int>(i));
        CHECK(std::abs(along[i] - (at == v.end() ? 0 : found.tau[static_cast<std::size_t>(at - v.begin())])) <
              1e-11 * scale);
      }
    }
  }
}

TEST_CASE("a pin of a four-bar carries what statics say: a rocker held upright by a massless coupler") {
  // the coupler weighs nothing to speak of and is level: it holds the rocker along itself alone
  Description d = Robot::load(four_bar(1, 0.5, 1, 0.5, "actuated = [\"crank\"]", "spherical")).description();
  d.links[1].parts = {{.mass = 1e-12, .com = {}, .tensor = {1e-12, 1e-12, 1e-12}}};
  d.links[0].start = 1.2, d.links[1].start = -1.2, d.links[2].start = 1.2;  // a parallelogram
  const Robot robot(d);
  Dynamics dynamics(robot);
  const Found found = reactions(robot, dynamics, {1.2}, {0.0}, {0.0});
  // moments about the rocker's foot, S along x at its tip: -m g (a/2) cos q - S a sin q = 0
  const double push = -1.5 * 9.81 / 2 / std::tan(1.2);
  // in the rocker's frame, turned by q
  CHECK(found.loops[0].f.x == doctest::Approx(push * std::cos(1.2)).epsilon(1e-9));
  CHECK(found.loops[0].f.y == doctest::Approx(-push * std::sin(1.2)).epsilon(1e-9));
  CHECK(norm(found.loops[0].n) < 1e-12);
}

TEST_CASE("where loops do not close there are no reactions") {
  // the crank comes into line with the coupler at 1.54
  const Robot robot = Robot::load(four_bar(1, 0.4, 0.9, 0.8, "actuated = [\"rocker\"]"));
  Dynamics dynamics(robot);
  std::vector<Force<double>> joints(3, Force<double>{{7, 7, 7}, {7, 7, 7}});
  Numbers tau(1);
  const Status status = dynamics.reactions(Numbers{1.0}, {}, {}, tau, joints);
  REQUIRE(status.kind == Status::not_closed);
  for (const Force<double>& f : joints) CHECK(std::isnan(f.f.x));
  std::vector<unsigned char> wrong(3);
  CHECK(dynamics.reactions(Numbers{1.7}, {}, {}, tau, joints, {{}, wrong}).kind == Status::wrong_size);
}
