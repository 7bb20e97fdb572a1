// Random straight lines of the tool, an arm of each class: what is planned goes to the end without a jump and inside
// the limits; where nothing is planned, a dense search that knows nothing of the planner finds no way either.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/joint_chain.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/numeric_ik/plan_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/path_motion.hpp"
#include "torsor/trajectory/tool_path.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr int rows = 200;

struct PathClass {
  const char* robot;
  bool place_only;
  double share;  // of the joints' ranges between the ends
};

ToolPath random_path(const JointChain& chain, double share, Random& random) {
  std::vector<double> a, b;
  for (const Limits& limits : chain.limits) {
    const double low = std::max(limits.lower, -3.0), high = std::min(limits.upper, 3.0);
    a.push_back(random.uniform(low, high));
    b.push_back(a.back() + share * (random.uniform(low, high) - a.back()));
  }
  const auto motion =
      pose_motion(std::vector<Transform<double>>{chain.tool_pose(a), chain.tool_pose(b)}, 0, *pace("quintic", 1));
  REQUIRE(motion);
  return tool_path(*motion, motion->duration() / rows);
}

/// A solution, and of each joint the whole turns (-2 .. 2, as bits) with which a way leads to it inside the limits.
struct Reached {
  std::vector<double> q;
  std::vector<unsigned> turns;
};

/// Whether solutions of so many instants, each within `near` (rad, m) of the one before it, lead to the end inside the
/// limits, by whatever whole turns. With few instants it may find more than there is, never less.
bool solutions_lead_on(const InverseKinematics& ik, const JointChain& chain, const ToolPath& path, int instants,
                       double near) {
  constexpr double turn = 2 * std::numbers::pi;
  const auto n = static_cast<std::size_t>(chain.joints());
  const auto inside = [&](std::size_t k, double q) {
    return q >= chain.limits[k].lower - 1e-9 && q <= chain.limits[k].upper + 1e-9;
  };
  std::vector<Reached> here, next;
  for (int l = 0; l <= instants; ++l) {
    next.clear();
    for (const IkSolution& s : ik.solve_all(path.at(path.duration * l / instants).X)) {
      Reached one{s.q, std::vector<unsigned>(n, 0)};
      // with any turns at the first pose; else with those of a neighbour
      const auto lead = [&](std::size_t k, int shift, unsigned from) {
        for (int m = -2; m <= 2; ++m)
          if ((from >> (m + 2) & 1U) && std::abs(m + shift) <= 2 && inside(k, s.q[k] + (m + shift) * turn))
            one.turns[k] |= 1U << (m + shift + 2);
      };
      for (std::size_t k = 0; k < n && l == 0; ++k) lead(k, 0, chain.slides[k] ? 4U : 31U);
      for (const Reached& from : here) {
        std::vector<double> by(n);
        bool is_near = true;
        for (std::size_t k = 0; k < n; ++k) {
          by[k] = chain.slides[k] ? s.q[k] - from.q[k] : std::remainder(s.q[k] - from.q[k], turn);
          is_near = is_near && std::abs(by[k]) < near;
        }
        for (std::size_t k = 0; k < n && is_near; ++k)
          lead(k, static_cast<int>(std::nearbyint((from.q[k] + by[k] - s.q[k]) / turn)), from.turns[k]);
      }
      if (std::ranges::all_of(one.turns, [](unsigned turns) { return turns != 0; })) next.push_back(one);
    }
    if (next.empty()) return false;
    here.swap(next);
  }
  return true;
}

}  // namespace

TEST_CASE("a line from rest beside a singular position, which leaves it at once, is followed") {
  // the wrist of the Stanford arm 2 mm from both axes of its shoulder: in 5 ms of a quintic the tool goes 3 um and turns
  // the wrist by 0.03 rad; speeds still have half of their digits there, accelerations few
  const Robot robot = Robot::load("stanford");
  const auto chain = joint_chain(robot.model(), robot.tool());
  REQUIRE(chain);
  const std::vector<double> a{0.5881534, 0.1702866, -0.5979769, -1.1523858, 0.5251782, -1.0911389};
  const std::vector<double> b{0.180, 0.524, -0.102, -2.017, 2.626, -1.983};
  const auto motion =
      pose_motion(std::vector<Transform<double>>{chain->tool_pose(a), chain->tool_pose(b)}, 0, *pace("quintic", 1));
  REQUIRE(motion);
  const ToolPath path = tool_path(*motion, motion->duration() / rows);
  const InverseKinematics ik(robot);
  const PathPlan plan = plan_path(ik, path, "shortest");
  CHECK(plan.found());
  const FollowedPath followed = ik.follow(path, a);
  REQUIRE(followed.finished());
  REQUIRE(followed.samples.size() == rows + 1);
  const PathSample& second = followed.samples[1];
  CHECK(second.smallest_singular_value < 1e-5);
  CHECK(second.rates == RatesFrom::least);
  // the speeds are those of the tool: beside differences of solutions 10 us apart
  constexpr double h = 1e-5;
  const auto nearest = [&](double t) {
    const auto all = ik.solve_all(path.at(t).X);
    REQUIRE(!all.empty());
    return std::ranges::min_element(all, {}, [&](const IkSolution& s) { return std::abs(s.q[3] - second.q[3]) +
                                                                              std::abs(s.q[1] - second.q[1]); })->q;
  };
  const std::vector<double> before = nearest(second.t - h), behind = nearest(second.t + h);
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(std::abs((behind[k] - before[k]) / (2 * h) - second.qd[k]) < 1e-3 * (1 + std::abs(second.qd[k])));
}

TEST_CASE(
    "a random line is followed without a jump whenever a continuous solution exists, and the reason named otherwise") {
  // elbow, parallel, another wrist, any geometry, and fewer joints
  for (const PathClass& each : {PathClass{"puma560", false, 0.4}, {"ur5", false, 0.4}, {"stanford", false, 0.4},
                                {"crx10ia", false, 0.4}, {"scara", false, 0.6}, {"articulated3", true, 0.6}}) {
    CAPTURE(std::string(each.robot));
    const Robot robot = Robot::load(each.robot);
    const auto chain = joint_chain(robot.model(), robot.tool());
    REQUIRE(chain);
    IkTask task;
    if (each.place_only) task.weights = TaskWeights::position();
    const InverseKinematics ik(robot, task);
    REQUIRE(ik.gives_all());
    Random random(11);
    const int lines = draws(8, 1000);
    int planned = 0, without = 0, finer = 0;
    for (int k = 0; k < lines; ++k) {
      CAPTURE(k);
      ToolPath path = random_path(*chain, each.share, random);
      const PathPlan plan = plan_path(ik, path, "shortest");
      if (!plan.found()) {
        ++without;
        REQUIRE(!plan.candidates.empty());
        for (const PathCandidate& one : plan.candidates) {
          CHECK(one.stop_time >= 0);
          CHECK(one.stop_time <= path.duration);
          CHECK(!one.explanation.empty());
        }
        // beside a singular place solutions of two branches are near: then closer
        bool leads = solutions_lead_on(ik, *chain, path, 400, 0.2);
        if (leads) ++finer, leads = solutions_lead_on(ik, *chain, path, 6400, 0.02);
        CHECK(!leads);
        if (leads) MESSAGE(explanation(plan));
        continue;
      }
      ++planned;
      const FollowedPath followed = ik.follow(path, plan.begin(path));
      REQUIRE(followed.finished());
      REQUIRE(followed.samples.size() == rows + 1);
      for (std::size_t i = 0; i < followed.samples.size(); ++i) {
        const PathSample& s = followed.samples[i];
        const Transform<double> there = chain->tool_pose(s.q), asked = path.at(s.t).X;
        CHECK(norm(there.p - asked.p) < 1e-11);
        if (!each.place_only) CHECK(norm(there.R.x - asked.R.x) + norm(there.R.y - asked.R.y) < 1e-11);
        for (std::size_t j = 0; j < s.q.size(); ++j) {
          CHECK(s.q[j] >= chain->limits[j].lower - 1e-9);
          CHECK(s.q[j] <= chain->limits[j].upper + 1e-9);
          if (i == 0) continue;
          // no more than the speeds of both rows tell
          const PathSample& before = followed.samples[i - 1];
          const double told = (s.t - before.t) * std::max(std::abs(s.qd[j]), std::abs(before.qd[j]));
          CHECK(std::abs(s.q[j] - before.q[j]) <= std::max(2 * told, 0.1));
        }
      }
    }
    CHECK(planned >= lines / 4);
    MESSAGE(std::string(each.robot), ": ", planned, " planned, ", without, " without a way, of which ", finer, " looked at closer");
  }
}
