// From the tool to torques, by every path: against golden torques, against one another, and against the tree.
#include "tests/support/shipped_robot.hpp"
#include "torsor/closed_form_ik/tool_catalogue.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/wrist_arm.hpp"
#include "torsor/closed_form_ik/record_rotary.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A robot and a state of it, with what its tool does there.
struct Scene {
  ToolDrivenRobot<double> robot;
  Numbers q, qd, qdd;
  FrameMotion tool;
  EndEffectorMotion<double> end;

  Scene(const Description& description, const Numbers& q_, const Numbers& qd_, const Numbers& qdd_)
      : q(q_), qd(qd_), qdd(qdd_) {
    auto made = tool_driven_robot(description);
    for (const Fault& error : made.faults()) MESSAGE(to_string(error));
    REQUIRE(made);
    robot = *std::move(made);
    FrameMotions motions(robot.forms.model);
    motions.set(robot.forms.model, q, qd, qdd);
    tool = motions.of(robot.forms.model.frames.back());
    end = end_effector_motion(robot, tool);
    find_branch();
  }

  double least_factor = 0;  // of det J, of the branch that q is in
  BranchLabel branch;

  void find_branch() {
    for (const IkAnswer answer = solve_position(robot.wrist, tool.X); const IkBranch& b : answer.branches()) {
      double off = 0;
      for (std::size_t i = 0; i < 6; ++i)
        off = std::max(off, std::abs(std::remainder(b.q[i] - q[i], 2 * std::numbers::pi)));
      if (off > 1e-6) continue;
      branch = b.label;
      least_factor = std::min({b.factor[0], b.factor[1], b.factor[2]});
    }
  }

  /// Torques that the tree needs for these joints, and how far others are from them.
  double off(const ToolTorques<double>& out) const {
    const Model<double>& model = robot.forms.model;
    const Numbers at(out.q.begin(), out.q.end()), rates(out.qd.begin(), out.qd.end());
    const Numbers accelerations(out.qdd.begin(), out.qdd.end()), tau(out.tau.begin(), out.tau.end());
    return disagreement(tau, inverse(model, at, rates, accelerations), mass_matrix(model, at), accelerations,
                        velocity_torques(model, at, rates), gravity(model, at));
  }
};

Numbers all(const std::array<double, 6>& values) { return {values.begin(), values.end()}; }

/// A description with a tool of its own.
Description with_tool(Description robot, Random& random) {
  robot.tools.push_back({"tip", robot.links.back().name, random.transform(0.2), {}});
  return robot;
}

/// Every path that serves the robot gives the torques and the accelerations of the scene.
void check_paths(const Scene& scene) {
  for (const auto& row : tool_formulations<double>()) {
    if (!row.premise(scene.robot).empty()) continue;
    CAPTURE(row.name);
    ToolTorques<double> out;
    REQUIRE(row.prepare(scene.robot)(scene.end, scene.branch, out));
    CHECK(scene.off(out) < 1e-12);
    CHECK(relative(all(out.qdd), scene.qdd) < 1e-9);
  }
}

}  // namespace

TEST_CASE("every path from the hand gives the golden torques of the wrist-partitioned arm") {
  const Json file = golden("wrist_torques_50");
  struct Case {
    const char* inertias;
    bool with_gravity;
    const char* key;
    int rows;
  };
  Random random(4);
  for (const Case& c :
       {Case{"general", true, "tau_general_g", 4}, Case{"general", false, "tau_general_nog", 4},
        Case{"simplified", true, "tau_simplified_g", 5}, Case{"simplified", false, "tau_simplified_nog", 5}}) {
    CAPTURE(c.key);
    const Description arm = with_tool(testing::wrist_arm(file.at("meta"), c.inertias, c.with_gravity), random);
    for (const Json& state : file.at("states")) {
      const Scene scene(arm, numbers(state.at("q")), numbers(state.at("qd")), numbers(state.at("qdd")));
      REQUIRE(scene.least_factor > 0);
      // angles lose digits as 1 / factor, rates and accelerations once more each
      const double lost = 1 / std::pow(scene.least_factor, 3);
      int served = 0;
      for (const auto& row : tool_formulations<double>()) {
        CAPTURE(row.name);
        if (!row.premise(scene.robot).empty()) continue;
        ++served;
        ToolTorques<double> out;
        REQUIRE(row.prepare(scene.robot)(scene.end, scene.branch, out));
        CHECK(relative(all(out.qdd), scene.qdd) < 1e-11 + 1e-16 * lost);
        CHECK(relative(all(out.tau), numbers(state.at(c.key))) < 1e-12 + 1e-17 * lost);
        CHECK(scene.off(out) < 1e-12);
      }
      CHECK(served == c.rows);
    }
  }
}

TEST_CASE("every path gives the torques of the tree on random arms and motions under any gravity") {
  Random random(5);
  int served[5] = {}, states = 0;
  double worst = 0, worst_joints = 0;
  for (int k = 0; k < draws(2000); ++k) {
    const Description arm = with_tool(random_wrist_arm(random, {.offsets = k % 2 == 1, .simple = k % 4 < 2}), random);
    if (!wrist_arm(arm)) continue;  // parallel axes in its wrist
    const Scene scene(arm, random.numbers(6, 3), random.numbers(6, 2), random.numbers(6, 2));
    if (scene.least_factor < 0.1) continue;
    ++states;
    for (std::size_t i = 0; i < 5; ++i) {
      const auto& row = tool_formulations<double>()[i];
      if (!row.premise(scene.robot).empty()) continue;
      CAPTURE(row.name);
      ++served[i];
      ToolTorques<double> out;
      REQUIRE(row.prepare(scene.robot)(scene.end, scene.branch, out));
      worst = std::max(worst, scene.off(out));
      worst_joints = std::max(worst_joints, relative(all(out.qdd), scene.qdd));
    }
  }
  CHECK(states > draws(2000) / 3);
  CHECK(served[0] > draws(2000) / 4);  // the rotary arm
  CHECK(served[1] > draws(2000) / 8);
  CHECK(served[2] == states);
  CHECK(served[3] == states);
  CHECK(served[4] == states);
  CHECK(worst < 1e-12);
  CHECK(worst_joints < 1e-9);
}

namespace {

const ToolFormulation<Trace>& traced(std::string_view name) {
  for (const auto& row : tool_formulations<Trace>())
    if (row.name == name) return row;
  FAIL("no such row");
  return tool_formulations<Trace>()[0];
}

ToolDrivenRobot<double> shipped_tool_driven_robot(const char* name) {
  const auto made = tool_driven_robot(shipped_robot(name));
  REQUIRE(made);
  return *made;
}

Figures taken(const char* name, const char* robot) {
  return figures(count_steps(record(traced(name), shipped_tool_driven_robot(robot)), ""));
}

}  // namespace

TEST_CASE("one pass saves 40 multiplications and 26 additions, on any inertias") {
  CHECK(taken("fused", "rotary_hollerbach") == Figures{539, 407});
  CHECK(taken("unfused", "rotary_hollerbach") == Figures{539 + 40, 407 + 26});
  CHECK(taken("unfused-gauss", "rotary_hollerbach") == Figures{870, 635});
  CHECK(taken("fused", "rotary_hollerbach_simple") == Figures{391, 268});
  CHECK(taken("unfused", "rotary_hollerbach_simple") == Figures{391 + 40, 268 + 26});
}

TEST_CASE("simple inertias save 15 multiplications and 15 additions more") {
  CHECK(taken("fused-simple", "rotary_hollerbach_simple") == Figures{391 - 15, 268 - 15});
}

TEST_CASE("what is counted is what is run") {
  Random random(6);
  const auto description = load_robot("rotary_hollerbach");
  REQUIRE(description);
  const Scene scene(*description, random.numbers(6, 1), random.numbers(6, 2), random.numbers(6, 2));
  const EndEffectorMotion<double>& end = scene.end;
  Numbers inputs;
  for (const Vec3<double>& v : {end.W6.x, end.W6.y, end.W6.z, end.p7, end.w6, end.pd7, end.wd6, end.pdd7})
    inputs.insert(inputs.end(), {v.x, v.y, v.z});
  for (const auto& row : tool_formulations<double>()) {
    CAPTURE(row.name);
    const ToolFormulation<Trace>& same = traced(row.name);
    if (!same.premise(cast<Trace>(scene.robot, [](double x) { return Trace(x); })).empty()) continue;
    ToolTorques<double> out;
    REQUIRE(row.prepare(scene.robot)(end, scene.branch, out));
    Numbers expected;
    for (const auto& values : {out.tau, out.qd, out.qdd}) expected.insert(expected.end(), values.begin(), values.end());
    CHECK(relative(evaluate<double>(record(same, scene.robot, scene.branch), inputs), expected) < 1e-11);
  }
}

TEST_CASE("arms with offsets have one pass of their own, and are refused the rotary arm's") {
  Random random(7);
  const auto description = load_robot("puma560");
  REQUIRE(description);
  int states = 0;
  for (int k = 0; k < 100; ++k) {
    const Scene scene(*description, random.numbers(6, 3), random.numbers(6, 2), random.numbers(6, 2));
    if (scene.least_factor < 0.1) continue;
    ++states;
    std::string served;
    for (const auto& row : tool_formulations<double>()) {
      if (!row.premise(scene.robot).empty()) continue;
      served += std::string(row.name) + " ";
      ToolTorques<double> out;
      REQUIRE(row.prepare(scene.robot)(scene.end, scene.branch, out));
      CHECK(scene.off(out) < 1e-12);
      CHECK(relative(all(out.qdd), scene.qdd) < 1e-9);
    }
    CHECK(served == "fused-offset unfused unfused-gauss ");
  }
  CHECK(states > 30);
  const ToolDrivenRobot<double> puma = shipped_tool_driven_robot("puma560");
  CHECK(tool_formulations<double>()[0].premise(puma).find("elbow") != std::string::npos);
}

TEST_CASE("every shipped arm with its wrist at the hand is served, whatever its file is written in") {
  Random random(9);
  std::string robots;
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    const std::string name(embedded.name);
    CAPTURE(name);
    const auto description = load_robot(name);
    REQUIRE(description);
    if (!tool_driven_robot(*description)) continue;
    robots += name + " ";
    int states = 0;
    for (int k = 0; k < 40; ++k) {
      const Scene scene(*description, random.numbers(6, 1), random.numbers(6, 2), random.numbers(6, 2));
      if (scene.least_factor < 0.1) continue;
      ++states;
      check_paths(scene);
    }
    CHECK(states > 5);
  }
  CHECK(robots == "irb1200 kr210 kr6 puma560 puma560_drives rotary_hollerbach rotary_hollerbach_simple stanford ");
}

TEST_CASE("every path serves a hand whose frame is at any angle, and the torques are those of the tree") {
  Random random(10);
  for (const char* name : {"rotary_hollerbach", "puma560"}) {
    CAPTURE(name);
    auto description = load_robot(name);
    REQUIRE(description);
    const auto served = [](const ToolDrivenRobot<double>& robot) {
      std::string names;
      for (const auto& row : tool_formulations<double>())
        if (row.premise(robot).empty()) names += std::string(row.name) + " ";
      return names;
    };
    const std::string level = served(shipped_tool_driven_robot(name));
    const auto table = to_dh(*description, Convention::standard_dh);
    REQUIRE(table);
    Description twisted = table->description;
    std::get<DhRow>(twisted.links.back().geometry).alpha = 0.3;
    const Scene scene(twisted, random.numbers(6, 1), random.numbers(6, 2), random.numbers(6, 2));
    CHECK(served(scene.robot) == level);
    REQUIRE(scene.least_factor > 0.01);
    check_paths(scene);
  }
}

TEST_CASE("rotors are accelerated on every path") {
  Random random(8);
  auto description = load_robot("rotary_hollerbach");
  REQUIRE(description);
  for (LinkDescription& link : description->links) link.rotor.emplace().inertia = random.uniform(0.1, 1);
  const Scene scene(*description, random.numbers(6, 1), random.numbers(6, 2), random.numbers(6, 2));
  REQUIRE(!scene.robot.forms.rotors.empty());
  check_paths(scene);
}

TEST_CASE("a hand out of reach has no torques, nor has a singular position") {
  const ToolDrivenRobot<double> robot = shipped_tool_driven_robot("rotary_hollerbach");
  FrameMotions motions(robot.forms.model);
  const auto answered = [&](const Numbers& q, double farther) {
    motions.set(robot.forms.model, q, {}, {});
    FrameMotion tool = motions.of(robot.forms.model.frames.back());
    tool.X.p = tool.X.p * farther;
    int answers = 0;
    for (const auto& row : tool_formulations<double>()) {
      ToolTorques<double> out;
      if (row.premise(robot).empty() && row.prepare(robot)(end_effector_motion(robot, tool), {1, 1, 1, 0}, out))
        ++answers;
    }
    return answers;
  };
  CHECK(answered({0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, 1) == 4);
  CHECK(answered({0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, 10) == 0);
  const double quarter = std::numbers::pi / 2;
  CHECK(answered({0.1, 0.2, -quarter, 0.4, 0.5, 0.6}, 1) == 0);              // stretched
  CHECK(answered({0.1, 0.2, 0.3, 0.4, 0, 0.6}, 1) == 0);                     // axes 4 and 6 in line
  CHECK(answered({0.1, std::atan2(0.43, 0.47), 0, 0.4, 0.5, 0.6}, 1) == 0);  // wrist over the waist
}

TEST_CASE("an arm without a spherical wrist at the hand is no such robot") {
  for (const char* name : {"ur5", "scara", "two_arm"}) {
    const auto robot = load_robot(name);
    REQUIRE(robot);
    CHECK(!tool_driven_robot(*robot));
  }
}
