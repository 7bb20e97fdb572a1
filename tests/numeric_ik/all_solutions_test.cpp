// Every solution through the face of inverse kinematics: general and nearly special arms of six joints, seven joints,
// fewer.
#include <doctest/doctest.h>

#include "tests/closed_form_ik/golden_chain.hpp"
#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/kinematics/frame_motion.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A chain of the golden files as a robot.
struct GoldenRobot {
  JointChain chain;
  Description description;
  Model<double> model;

  explicit GoldenRobot(const Json& arm) : chain(golden_chain(arm)) {
    description.name = "golden";
    for (std::size_t k = 0; k < chain.slides.size(); ++k) {
      LinkDescription link;
      link.name = "link" + std::to_string(k + 1);
      link.joint_name = "q" + std::to_string(k + 1);
      link.geometry = JointPlacement{chain.B[k]};
      link.parts = {{1, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}}};
      link.limits = chain.limits[k];
      description.links.push_back(link);
    }
    description.tools.push_back({"tool", description.links.back().name, chain.B.back()});
    model = *build(description);
  }
  double residual(std::span<const double> q, const Transform<double>& X) const {
    const Transform<double> there = chain.tool_pose(q);
    return norm(there.p - X.p) + norm(there.R.x - X.R.x) + norm(there.R.y - X.R.y);
  }
};

const Json& arm_of(const char* name) { return golden("ik_all_solutions").at("arms").at(name); }

/// Every simple reference solution is among those found, and what is found reaches the pose.
void check_pose(const GoldenRobot& robot, const InverseKinematics& ik, const Json& pose) {
  const Transform<double> X = golden_placement(pose.at("T"));
  const IkSolutions found = ik.solve(X);
  for (const IkSolution& s : found) {
    CHECK(robot.residual(s.q, X) < 1e-10);
    CHECK(s.position_residual < 1e-10);
    CHECK(!s.label.empty());
  }
  for (std::size_t k = 0; k < pose.at("solutions").size(); ++k) {
    const double sigma = pose.at("sigma").at(k);
    if (sigma < 1e-6 || (pose.contains("multiplicity") && pose.at("multiplicity").at(k) != 1)) continue;
    const Json& q = pose.at("solutions").at(k);
    CHECK(std::ranges::count_if(found.found, [&](const IkSolution& s) {
            return turns_apart(s.q, q) < std::max(1e-8, 1e-13 / sigma);
          }) == 1);
  }
}

}  // namespace

TEST_CASE("arms without special geometry have every solution by the general form") {
  for (const char* name : {"fanuc_crx10ia", "xarm6", "m1013", "piper", "sixteen_manseur_doty", "near_wrist_1e-4"}) {
    CAPTURE(name);
    const GoldenRobot robot(arm_of(name));
    const InverseKinematics ik(robot.model, robot.description, robot.model.frames.back());
    REQUIRE(ik.closed());
    CHECK(ik.closed()->family() == "general");
    CHECK(ik.labels() == nullptr);
    CHECK(ik.refusal().empty());
    CHECK(ik.explain().size() == 2);
    for (const Json& pose : arm_of(name).at("poses")) check_pose(robot, ik, pose);
  }
}

TEST_CASE(
    "an arm whose right angles are written 1.5708 has the solutions of the arm as written, beside singular poses too") {
  const GoldenRobot robot(arm_of("yam"));
  const InverseKinematics ik(robot.model, robot.description, robot.model.frames.back());
  REQUIRE(ik.closed());
  CHECK(ik.closed()->family() == "parallel");
  CHECK(!ik.closed()->snaps().empty());
  for (const Json& pose : arm_of("yam").at("poses")) {
    CAPTURE(pose.at("kind").get<std::string>());
    check_pose(robot, ik, pose);
  }
}

TEST_CASE("labels of the general form choose a solution, and its rates move the tool as asked") {
  const GoldenRobot robot(arm_of("gen3_lite"));
  const Frame<double>& tool = robot.model.frames.back();
  const InverseKinematics ik(robot.model, robot.description, tool);
  const Transform<double> X = golden_placement(arm_of("gen3_lite").at("poses").at(0).at("T"));
  const IkSolutions all = ik.solve(X);
  REQUIRE(all.size() >= 2);
  const Motion<double> twist{{0.1, -0.2, 0.3}, {0.2, 0.1, -0.1}}, acceleration{{0.3, 0.1, -0.2}, {-0.1, 0.4, 0.2}};
  for (const IkSolution& s : all) {
    IkChoice choice;
    choice.branch = parse_label(s.label.substr(5));
    REQUIRE(choice.branch);
    const IkSolutions one = ik.solve(X, choice);
    REQUIRE(one.size() == 1);
    CHECK(one[0].q == s.q);
    // the sign in the label is that of det J
    CHECK((ik.determinant(s.branch) > 0) == (s.label.back() == '+'));

    const ToolRates rates = ik.rates(s, {X, twist, acceleration});
    FrameMotions motions(robot.model);
    motions.set(robot.model, s.q, rates.qd, rates.qdd);
    const FrameMotion there = motions.of(tool);
    CHECK(norm(there.w - twist.w) + norm(there.v - twist.v) < 1e-9);
    CHECK(norm(there.wd - acceleration.w) + norm(there.a - acceleration.v) < 1e-8);
    // the nearest to a position beside it is itself
    IkChoice near;
    near.near = s.q;
    for (double& x : *near.near) x += 1e-3;
    const IkSolutions next = ik.solve(X, near);
    REQUIRE(next.size() == 1);
    CHECK(turns_apart(next[0].q, Json(s.q)) < 1e-9);
  }
}

TEST_CASE("a pose out of reach of the general form has none, and the nearest found") {
  const GoldenRobot robot(arm_of("hc10"));
  const InverseKinematics ik(robot.model, robot.description, robot.model.frames.back());
  const IkSolutions none = ik.solve({Mat3<double>::identity(), {9, 0, 0}});
  CHECK(none.empty());
  CHECK(none.status == PoseStatus::unreachable);
  CHECK(none.short_by > 5);
  REQUIRE(none.nearest);
  Transform<double> bad;
  bad.p.x = NAN;
  CHECK(ik.solve(bad).status == PoseStatus::not_a_pose);
}

TEST_CASE(
    "seven joints: a position is found again where its redundancy is held, inside what is feasible, and the best is no "
    "worse") {
  const Robot panda = Robot::load("panda");
  const InverseKinematics ik(panda);
  CHECK(!ik.closed());
  const std::vector<double> q{0.3, -0.4, 0.2, -1.9, 0.3, 1.7, 0.6};
  const auto chain = joint_chain(panda.model(), panda.tool());
  REQUIRE(chain);
  const Transform<double> X = chain->tool_pose(q);
  for (const int joint : {6, 4, 2, 0}) {
    CAPTURE(joint);
    IkChoice choice;
    choice.redundant_joint = joint;
    choice.redundancy = q[static_cast<std::size_t>(joint)];
    const IkSolutions found = ik.solve(X, choice);
    CHECK(found.count >= 2);
    CHECK(std::ranges::count_if(found.found, [&](const IkSolution& s) { return turns_apart(s.q, Json(q)) < 1e-8; }) ==
          1);
    for (const IkSolution& s : found) CHECK(s.position_residual < 1e-12);
  }
  const auto ranges = ik.feasible(X);
  REQUIRE(ranges);
  CHECK(std::ranges::any_of(*ranges, [](const FeasibleInterval& i) { return i.from < 0.6 && 0.6 < i.to; }));
  CHECK(!ik.feasible_swivel(X));
  for (const RedundancyObjective& objective : redundancy_objectives()) {
    CAPTURE(std::string(objective.name));
    const auto best = ik.best(X, objective.name, q);
    REQUIRE(best);
    REQUIRE(*best);
    CHECK((*best)->inside_limits);
    CHECK((*best)->position_residual < 1e-12);
    if (objective.name == "distance") CHECK(turns_apart((*best)->q, Json(q)) < 1e-6);
  }
  CHECK(!ik.best(X, "beauty"));
}

TEST_CASE("two and three joints have every solution of a place") {
  for (const auto& [name, place, count] :
       {std::tuple{"two_link", Vec3<double>{1.2, 0.8, 0}, 2}, {"articulated3", Vec3<double>{0.5, 0.2, 0.6}, 4}}) {
    const auto& which = name;  // clang captures no structured binding
    CAPTURE(which);
    const Robot robot = Robot::load(name);
    IkTask task;
    task.weights = TaskWeights::position();
    const InverseKinematics ik(robot, task);
    CHECK(ik.gives_all());
    const IkSolutions found = ik.solve({Mat3<double>::identity(), place});
    CHECK(found.count == count);
    const auto chain = joint_chain(robot.model(), robot.tool());
    REQUIRE(chain);
    for (const IkSolution& s : found) CHECK(norm(chain->tool_pose(s.q).p - place) < 1e-12);
    // out of reach: descents say what is nearest
    const IkSolutions none = ik.solve({Mat3<double>::identity(), {9, 0, 0}});
    CHECK(none.empty());
    CHECK(none.nearest);
  }
}
