// Inverse kinematics of parallel robots: every leg's branches, there and back by Dynamics, and against closed forms.
#include "torsor/numeric_ik/parallel_inverse_kinematics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/loop_robots.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/loops/loop_model.hpp"
#include "torsor/model/random_position.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using Numbers = std::vector<double>;

ParallelInverseKinematics solver_of(const Robot& robot, const TaskWeights& weights = {}) {
  auto made = ParallelInverseKinematics::make(robot, robot.tool(), weights);
  for (const Fault& fault : made.faults()) MESSAGE(to_string(fault));
  REQUIRE(made);
  return *std::move(made);
}

/// A planar manipulator 3-RRR: a triangle carried by three legs of two bars, motors at their feet.
std::string three_rrr() {
  std::string text = R"(name = "3-RRR"
gravity = [0, 0, -9.81]
)";
  const auto bar = [](int leg, const char* part, const std::string& parent, const std::string& place, double start) {
    return fmt::format(R"([[link]]
name = "{1}{0}"
{2}joint = {{ kind = "revolute", name = "{1}{0}", start = {4} }}
{3}mass = 1
com = [0.2, 0, 0]
inertia = [0.01, 0.02, 0.02]
)",
                       leg, part, parent.empty() ? "" : "parent = \"" + parent + "\"\n", place, start);
  };
  for (int leg = 0; leg < 3; ++leg) {
    const double at = 2 * std::numbers::pi / 3 * leg - 5 * std::numbers::pi / 6;
    text += bar(leg, "crank", "base",
                fmt::format("placement = {{ position = [{}, {}, 0] }}\n", 0.8 * std::cos(at), 0.8 * std::sin(at)),
                at + std::numbers::pi - 0.9);
    text += bar(leg, "rod", fmt::format("crank{}", leg), "placement = { position = [0.5, 0, 0] }\n", 1.6);
    if (leg == 0)
      text += bar(0, "platform", "rod0", "placement = { position = [0.5, 0, 0] }\n",
                  5 * std::numbers::pi / 6 - std::numbers::pi - 0.7 + 5 * std::numbers::pi / 6);
  }
  for (int leg = 1; leg < 3; ++leg) {
    const double at = 2 * std::numbers::pi / 3 * leg - 5 * std::numbers::pi / 6;
    // corners of the triangle from the first, which is the platform's origin
    const double x = 0.2 * (std::cos(at) - std::cos(-5 * std::numbers::pi / 6)),
                 y = 0.2 * (std::sin(at) - std::sin(-5 * std::numbers::pi / 6));
    text += fmt::format(R"([[loop]]
name = "corner{0}"
kind = "revolute"
links = ["rod{0}", "platform0"]
first = {{ position = [0.5, 0, 0] }}
second = {{ position = [{1}, {2}, 0] }}
actuated = ["crank0", "crank{0}"]
)",
                        leg, x, y);
  }
  return text + "[[tool]]\nname = \"corner\"\nlink = \"platform0\"\n";
}

}  // namespace

TEST_CASE("poses of parallel robots lead back to their actuators") {
  struct Case {
    Robot robot;
    TaskWeights weights;
    std::size_t modes;  // at most, of all combinations
  };
  const Case cases[] = {{Robot::load("delta"), TaskWeights::position(), 8},
                        {Robot::load("five_bar"), TaskWeights::position(), 4},
                        {Robot::load("ankle"), {}, 4},
                        {Robot::load("stewart_robot"), {}, 64},
                        {Robot::load(three_rrr()), {}, 8}};
  for (const Case& c : cases) {
    CAPTURE(c.robot.name());
    const ParallelInverseKinematics solver = solver_of(c.robot, c.weights);
    Dynamics dynamics(c.robot);
    std::mt19937_64 engine(17);
    const auto n = static_cast<std::size_t>(c.robot.nv());
    Numbers J(6 * n);
    std::size_t most = 0;
    for (int k = 0; k < (c.modes > 8 ? 5 : 20); ++k) {
      Numbers q;
      for (int trial = 0; trial < 100 && q.empty(); ++trial) {
        Numbers near;
        for (const int at : c.robot.loops()->q)
          near.push_back(c.robot.loops()->reference[static_cast<std::size_t>(at)]);
        for (double& x : near) x += 0.2 * (uniform(engine) - 0.5) * (c.robot.name() == "stewart platform" ? 0.5 : 1);
        dynamics.return_to_start();
        Numbers all(static_cast<std::size_t>(c.robot.tree().nq));
        if (dynamics.positions(near, all)) q = near;
      }
      REQUIRE_FALSE(q.empty());
      Transform<double> X;
      REQUIRE(dynamics.tool(q, X, J));
      const ParallelSolutions answer = solver.solve(X);
      REQUIRE(answer.status == PoseStatus::solved);
      REQUIRE_FALSE(answer.found.empty());
      most = std::max(most, answer.found.size());
      // the one that we came from is among them, and known as the mode of the robot
      const auto same = std::ranges::find_if(answer.found, [&](const ParallelSolution& s) {
        for (std::size_t i = 0; i < n; ++i)
          if (std::abs(std::remainder(s.q[i] - q[i], 2 * std::numbers::pi)) > 1e-7) return false;
        return true;
      });
      REQUIRE(same != answer.found.end());
      CHECK(same->assembled);
      for (const ParallelSolution& s : answer.found) {
        CHECK(s.residual < 1e-9);
        CHECK(s.pose_residual < 1e-9);
        // all are different
        const auto twins = std::ranges::count_if(answer.found, [&](const ParallelSolution& other) {
          double away = 0;
          for (std::size_t i = 0; i < n; ++i) away = std::max(away, std::abs(s.q[i] - other.q[i]));
          return away < 1e-8;
        });
        CHECK(twins == 1);
      }
    }
    CHECK(most == c.modes);
  }
}

TEST_CASE("a delta's arms are those of the textbook: two for each leg") {
  // an arm a at radius R, rod L to the platform at radius r: in the plane of the arm with the platform's point at (x, y, z)
  const Robot delta = Robot::load("delta");
  const ParallelInverseKinematics solver = solver_of(delta, TaskWeights::position());
  const double a = 0.3, L = 0.8, R = 0.2, r = 0.05;
  const Vec3<double> p{0.05, -0.08, -0.72};
  Transform<double> X;
  X.p = p;
  // the tool is at the platform's origin
  const ParallelSolutions answer = solver.solve(X);
  REQUIRE(answer.found.size() == 8);
  for (int leg = 0; leg < 3; ++leg) {
    const double turn = 2 * std::numbers::pi / 3 * leg, c = std::cos(turn), s = std::sin(turn);
    const double x = c * p.x + s * p.y + r - R, y = -s * p.x + c * p.y;
    // |(a cos, 0, -a sin) - (x, y, z)|^2 = L^2
    const double A = 2 * a * x, B = -2 * a * p.z, C = a * a + x * x + y * y + p.z * p.z - L * L;
    for (const double sign : {1.0, -1.0}) {
      const double theta = std::atan2(B, A) + sign * std::acos(C / std::hypot(A, B));
      const auto with = std::ranges::count_if(answer.found, [&](const ParallelSolution& each) {
        return std::abs(std::remainder(each.q[static_cast<std::size_t>(leg)] - theta, 2 * std::numbers::pi)) < 1e-9;
      });
      CHECK(with == 4);
    }
  }
  X.p = {0, 0, -2};
  const ParallelSolutions far = solver.solve(X);
  CHECK(far.status == PoseStatus::unreachable);
  CHECK(far.found.empty());
  CHECK(far.unreachable.find("rods") == 0);
}

TEST_CASE("loops that are no legs of the platform are refused") {
  const Robot arm = Robot::load("palletising_arm");
  const auto made = ParallelInverseKinematics::make(arm, arm.tool());
  REQUIRE_FALSE(made);
  CHECK(made.faults().front().rule == "parallel-leg");
}
