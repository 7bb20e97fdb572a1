// Many poses at once; seven joints without a word about the redundancy; proofs and words about a pose; the start of a path by
// what becomes of it.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/numeric_ik/ik_batch.hpp"
#include "torsor/numeric_ik/plan_path.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/path_motion.hpp"
#include "torsor/trajectory/tool_path.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

std::vector<Transform<double>> drawn_poses(const Robot& robot, int count, std::uint64_t seed) {
  Random random(seed);
  const auto chain = joint_chain(robot.model(), robot.tool());
  std::vector<Transform<double>> poses;
  for (int k = 0; k < count; ++k) {
    std::vector<double> q;
    for (const Limits& limits : chain->limits)
      q.push_back(random.uniform(std::max(limits.lower, -3.0), std::min(limits.upper, 3.0)));
    poses.push_back(chain->tool_pose(q));
  }
  return poses;
}

double worst(const Robot& robot, std::span<const double> q, const Transform<double>& X) {
  const Transform<double> there = joint_chain(robot.model(), robot.tool())->tool_pose(q);
  return norm(there.p - X.p) + norm(there.R.x - X.R.x) + norm(there.R.y - X.R.y);
}

}  // namespace

TEST_CASE("many poses have the solutions that each has alone, on one thread or several") {
  for (const char* name : {"puma560", "ur5", "panda", "two_link"}) {
    CAPTURE(name);
    const Robot robot = Robot::load(name);
    const InverseKinematics ik(robot);
    std::vector<Transform<double>> poses = drawn_poses(robot, 150, 5);
    poses[7].p.x = 50;                      // out of reach
    poses[9].R = poses[9].R * 1.1;          // no pose
    poses[11].p.y = std::nan("");
    const IkBatch one = solve_poses(ik, poses), three = solve_poses(ik, poses, {}, 3);
    REQUIRE(one.poses() == poses.size());
    CHECK(one.count == three.count);
    CHECK(one.count[7] == 0);
    CHECK(one.count[9] == -1);
    CHECK(one.count[11] == -1);
    int solutions = 0;
    for (std::size_t k = 0; k < poses.size(); ++k) {
      if (one.count[k] < 0) continue;
      const IkSolutions alone = ik.solve_all(poses[k]);
      REQUIRE(one.count[k] == static_cast<int>(alone.size()));
      for (int s = 0; s < one.count[k]; ++s) {
        ++solutions;
        const auto q = one.at(k, s), again = three.at(k, s);
        CHECK(std::equal(q.begin(), q.end(), alone[static_cast<std::size_t>(s)].q.begin()));
        CHECK(std::equal(q.begin(), q.end(), again.begin()));
        CHECK(worst(robot, q, poses[k]) < 1e-10);
      }
      for (int s = one.count[k]; s < one.most; ++s) CHECK(std::isnan(one.at(k, s)[0]));
    }
    CHECK(solutions > 100);
  }
}

TEST_CASE("many poses of seven joints at one value of the redundancy, or of few joints inside the limits, likewise") {
  struct Asked {
    const char* robot;
    IkChoice choice;
  };
  for (const Asked& asked : {Asked{"panda", {.outside_limits = false, .redundancy = 0.4}}, {"iiwa14", {.swivel = 0.7}},
                             {"iiwa14", {.redundancy = -0.5}}, {"scara", {.outside_limits = false}}, {"gen3", {.redundancy = 0.2}}}) {
    CAPTURE(std::string(asked.robot));
    const Robot robot = Robot::load(asked.robot);
    const InverseKinematics ik(robot);
    const std::vector<Transform<double>> poses = drawn_poses(robot, 40, 8);
    const IkBatch batch = solve_poses(ik, poses, asked.choice);
    int solutions = 0;
    for (std::size_t k = 0; k < poses.size(); ++k) {
      const IkSolutions alone = ik.solve_all(poses[k], asked.choice);
      REQUIRE(batch.count[k] == static_cast<int>(alone.size()));
      for (int s = 0; s < batch.count[k]; ++s) {
        const auto q = batch.at(k, s);
        CHECK(std::equal(q.begin(), q.end(), alone[static_cast<std::size_t>(s)].q.begin()));
        CHECK(worst(robot, q, poses[k]) < 1e-10);
        ++solutions;
      }
    }
    CHECK(solutions > 20);
  }
}

TEST_CASE("seven joints without a word about the redundancy: all solutions where it is next to neutral") {
  for (const char* name : {"panda", "iiwa14"}) {
    CAPTURE(name);
    const Robot robot = Robot::load(name);
    const InverseKinematics ik(robot);
    REQUIRE(ik.chooses_redundancy());
    CHECK(!ik.chooses_redundancy({.near = std::vector<double>(7)}));
    const RedundantArm& arm = *ik.redundant();
    int away = 0;
    for (const Transform<double>& X : drawn_poses(robot, 12, 6)) {
      const IkSolutions found = ik.solve(X);
      REQUIRE(found.status == PoseStatus::solved);
      REQUIRE(found.redundancy);
      CHECK(found.count > 1);
      CHECK(std::ranges::any_of(found, [](const IkSolution& s) { return s.inside_limits; }));
      for (const IkSolution& s : found) CHECK(worst(robot, s.q, X) < 1e-10);
      // as if the value had been given, and none of a grid nearer to zero serves
      CHECK(ik.solve(X, {.redundancy = found.redundancy}).count == found.count);
      away += std::abs(*found.redundancy) > 1e-9;
      const double step = 2 * std::numbers::pi / 120;
      for (double at = 0; at < std::abs(*found.redundancy) - step / 2; at += step)
        for (const double value : {at, -at}) {
          SevenSolutions there;
          arm.solve(X, value, there);
          CHECK(std::ranges::none_of(there.all(), [](const SevenSolution& s) { return s.inside_limits; }));
        }
      CHECK(ik.explain(X).size() > 2);
    }
    CHECK((std::string(name) != "panda" || away > 0));
    const IkSolutions none = ik.solve({Mat3<double>::identity(), {9, 0, 0}});
    CHECK(none.empty());
    CHECK(none.nearest);
    Transform<double> bad;
    bad.p.x = std::nan("");
    CHECK(ik.solve(bad).status == PoseStatus::not_a_pose);
  }
}

TEST_CASE(
    "what is proven of a pose is what was found, by closed forms, the general form, and seven joints with one held") {
  for (const char* name : {"puma560", "ur5", "panda"}) {
    CAPTURE(name);
    const Robot robot = Robot::load(name);
    const InverseKinematics ik(robot);
    int proven = 0, tried = 0;
    for (const Transform<double>& X : drawn_poses(robot, 5, 7)) {
      const IkProof proof = ik.prove(X, {}, 10);
      ++tried;
      if (!proof.proven) continue;
      ++proven;
      CHECK(proof.count == ik.solve(X).count);
      CHECK(proof.missing.empty());
      CHECK(proof.sentence.find("proven") != std::string::npos);
    }
    CHECK(proven >= tried - 1);
    // far off, and near enough for the length of the arm
    IkChoice choice;
    if (std::string(name) == "panda") choice.redundancy = 0.5;
    std::vector<Transform<double>> away{{Mat3<double>::identity(), {0.9, 0.9, 0.9}}};
    for (Transform<double> X : drawn_poses(robot, 60, 9)) {
      X.p = X.p * 1.2;
      if (away.size() < 4 && ik.solve_all(X, choice).count == 0) away.push_back(X);
    }
    REQUIRE(away.size() == 4);
    int without = 0;
    for (const Transform<double>& X : away) {
      const IkProof none = ik.prove(X, choice, 20);
      without += none.proven;
      CHECK(none.count == 0);
    }
    CHECK(without > 2);
  }
  // a straight wrist: a curve of solutions
  const Robot puma = Robot::load("puma560");
  const auto chain = joint_chain(puma.model(), puma.tool());
  const IkProof open =
      InverseKinematics(puma).prove(chain->tool_pose(std::vector<double>{0.3, 0.5, -0.4, 0.7, 0, 0.2}), {}, 0.3);
  CHECK(!open.proven);
  CHECK(open.sentence.find("Not proven") == 0);
}

TEST_CASE("along a path the start is the best of those that go to the end; where none does, each says why") {
  const Robot robot = Robot::load("puma560");
  const InverseKinematics ik(robot);
  const Transform<double> first{rotation_y(1.2), {0.5, 0.1, 0.6}};
  const auto motion = pose_motion(
      std::vector<Transform<double>>{first, {first.R, first.p + Vec3<double>{0, -0.3, 0.1}}}, 0, *pace("quintic", 1));
  REQUIRE(motion);
  const ToolPath path = tool_path(*motion, 0.1);
  for (const PlanObjective& objective : plan_objectives()) {
    CAPTURE(std::string(objective.name));
    const PathPlan plan = plan_path(ik, path, objective.name);
    REQUIRE(plan.found());
    CHECK(plan.candidates.size() == 8);
    const PathCandidate& best = plan.candidates[static_cast<std::size_t>(plan.best)];
    CHECK(ik.follow(path, best.start).finished());  // inside the limits
    CHECK(best.finished);
    for (const PathCandidate& one : plan.candidates) CHECK((!one.finished || one.cost >= best.cost));
  }
  // a path that leads out of reach has none, and says so of each
  const auto away = pose_motion(std::vector<Transform<double>>{first, {first.R, {3, 0, 0.6}}}, 0, *pace("quintic", 1));
  REQUIRE(away);
  const PathPlan none = plan_path(ik, tool_path(*away, 0.1), "shortest");
  CHECK(!none.found());
  CHECK(none.candidates.size() == 8);
  for (const PathCandidate& one : none.candidates) CHECK(one.stop_time < 1);
  CHECK(explanation(none).find("none of 8 solutions") != std::string::npos);
  // seven joints: the redundancy along the path
  const Robot panda = Robot::load("panda");
  const InverseKinematics seven(panda);
  const Transform<double> start =
      joint_chain(panda.model(), panda.tool())->tool_pose(std::vector<double>{0, -0.3, 0, -2, 0, 1.8, 0.7});
  const auto line = pose_motion(std::vector<Transform<double>>{start, {start.R, start.p + Vec3<double>{0, 0.2, 0}}}, 0,
                                *pace("quintic", 1));
  REQUIRE(line);
  ToolPath along = tool_path(*line, 0.25);
  const PathPlan plan = plan_path(seven, along, "limits");
  REQUIRE(plan.found());
  REQUIRE(plan.guide);
  const auto margin = [&](const FollowedPath& followed) {
    double least = 1;
    for (const PathSample& sample : followed.samples)
      for (std::size_t k = 0; k < 7; ++k) {
        const Limits& own = panda.model().limits[k];
        least = std::min({least, (sample.q[k] - own.lower) / (own.upper - own.lower), (own.upper - sample.q[k]) / (own.upper - own.lower)});
      }
    return least;
  };
  ToolPath guided = along;
  const double planned = margin(seven.follow(guided, plan.begin(guided)));
  // whatever solution of the first pose shortest velocities start from, none is much farther from the limits
  int starts = 0;
  for (int k = -6; k <= 6; ++k)
    for (const IkSolution& one : seven.solve(start, {.redundancy = 0.45 * k})) {
      ++starts;
      const FollowedPath followed = seven.follow(along, one.q);
      CHECK((!followed.finished() || margin(followed) < planned / 0.95));
    }
  CHECK(starts > 8);
  const std::vector<double> begin = plan.begin(along);
  CHECK(seven.follow(along, begin).finished());
}

TEST_CASE("arms of the textbooks with slides have every solution of a pose or of a place") {
  for (const auto& [name, only_place] : {std::pair{"scara", false},
                                         {"cartesian3", true},
                                         {"cylindrical3", true},
                                         {"spherical3", true},
                                         {"articulated3", true}}) {
    const auto& which = name;  // clang captures no structured binding
    CAPTURE(which);
    const Robot robot = Robot::load(name);
    IkTask task;
    if (only_place) task.weights = TaskWeights::position();
    const InverseKinematics ik(robot, task);
    REQUIRE(ik.gives_all());
    const auto chain = joint_chain(robot.model(), robot.tool());
    REQUIRE(chain);
    Random random(8);
    for (int k = 0; k < 8; ++k) {
      std::vector<double> q;
      for (std::size_t j = 0; j < chain->slides.size(); ++j)
        q.push_back(chain->slides[j] ? random.uniform(0.2, 0.9) : random.uniform(-2, 2));
      const Transform<double> X = chain->tool_pose(q);
      const IkSolutions found = ik.solve(X);
      CHECK(std::ranges::count_if(found, [&](const IkSolution& s) {
              double by = 0;
              for (std::size_t j = 0; j < q.size(); ++j)
                by = std::max(by, std::abs(chain->slides[j] ? s.q[j] - q[j]
                                                            : std::remainder(s.q[j] - q[j], 2 * std::numbers::pi)));
              return by < 1e-8;
            }) == 1);
      for (const IkSolution& s : found) CHECK(norm(chain->tool_pose(s.q).p - X.p) < 1e-11);
      CHECK(found.count <= 4);
    }
  }
}
