// Arms a micrometre long and arms a thousand kilometres long are the arms that they are: what counts as zero, as reached and
// as singular is measured by the arm.
#include <doctest/doctest.h>

#include "tests/closed_form_ik/random_arms.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The same robot, all lengths times a factor; masses stay.
Description scaled(Description robot, double factor) {
  const auto parts = [&](std::vector<Part>& all) {
    for (Part& part : all) {
      part.com = part.com * factor;
      part.tensor = part.tensor * (factor * factor);
    }
  };
  robot.base.p = robot.base.p * factor;
  parts(robot.base_parts);
  for (LinkDescription& l : robot.links) {
    if (auto* row = std::get_if<DhRow>(&l.geometry)) {
      row->d *= factor;
      row->a *= factor;
    } else {
      Vec3<double>& p = std::get<JointPlacement>(l.geometry).X_parent_joint.p;
      p = p * factor;
    }
    l.pitch *= factor;
    parts(l.parts);
    if (l.kind == JointKind::prismatic) {
      l.limits.lower *= factor;
      l.limits.upper *= factor;
    }
  }
  for (ToolDescription& tool : robot.tools) tool.X_link_tool.p = tool.X_link_tool.p * factor;
  return robot;
}

constexpr double factors[] = {1e-6, 1e-4, 1e-3, 0.1, 7, 1e3, 1e6};

/// Every pose, near and far, has the same answer at every size.
void check_sizes(const Description& robot, Random& random, int poses) {
  CAPTURE(robot.name);
  const auto solver = arm_solver(robot);
  REQUIRE(solver);
  const SixAxis& arm = std::visit([](const auto& a) -> const SixAxis& { return a; }, solver->arm);
  for (const double factor : factors) {
    CAPTURE(factor);
    const auto other = arm_solver(scaled(robot, factor));
    REQUIRE(other);
    CHECK(other->family() == solver->family());
    REQUIRE(other->snaps().size() == solver->snaps().size());
    for (std::size_t i = 0; i < solver->snaps().size(); ++i) CHECK(other->snaps()[i].what == solver->snaps()[i].what);
    for (int i = 0; i < poses; ++i) {
      Transform<double> X = solver->tool_pose(random_joints(random, arm));
      if (i % 3 == 2) X = {random.rotation(), X.p * 3.0};
      const IkAnswer expected = solver->position(X);
      const IkAnswer answer = other->position({X.R, X.p * factor});
      REQUIRE(answer.status == expected.status);
      REQUIRE(answer.count == expected.count);
      for (std::size_t k = 0; k < static_cast<std::size_t>(answer.count); ++k) {
        const IkBranch &a = answer.branch[k], &b = expected.branch[k];
        CHECK(a.label == b.label);
        CHECK(a.status == b.status);
        for (std::size_t j = 0; j < 6; ++j) {
          const bool slides = arm.joint[arm.backwards ? 5 - j : j].prismatic;
          CHECK(std::abs(a.q[j] / (slides ? factor : 1) - b.q[j]) < 1e-6);
        }
      }
      if (answer.status == PoseStatus::unreachable) {
        CHECK(answer.short_by == doctest::Approx(expected.short_by * factor).epsilon(1e-7));
        CHECK(answer.nearest_is_least == expected.nearest_is_least);
      }
    }
  }
}

}  // namespace

TEST_CASE("shipped arms of any size have the same closed form, branches and statuses") {
  Random random(1);
  int arms = 0;
  for (const EmbeddedRobot& each : embedded_robots()) {
    const std::string name{each.name};
    const auto robot = load_robot(name);
    REQUIRE(robot);
    const auto solver = arm_solver(*robot);
    for (const double factor : factors) {
      CAPTURE(name);
      CAPTURE(factor);
      CHECK(bool(arm_solver(scaled(*robot, factor))) == bool(solver));
    }
    if (!solver) continue;
    ++arms;
    check_sizes(*robot, random, 12);
  }
  CHECK(arms > 3);
}

TEST_CASE("random arms of every family are of that family at any size, with the same answers") {
  Random random(2);
  for (const ArmKind& kind : arm_kinds) {
    CAPTURE(kind.what);
    check_sizes(random_arm(random, kind), random, 12);
  }
}

TEST_CASE("the general solver answers an arm of any size as it answers the arm") {
  Random random(3);
  for (const char* name : {"panda", "puma560"}) {
    const auto robot = load_robot(name);
    REQUIRE(robot);
    const Model<double> model = built(*robot);
    GeneralSolver solver(model, model.frames.back());
    for (const double factor : factors) {
      CAPTURE(factor);
      const Model<double> other_model = built(scaled(*robot, factor));
      GeneralSolver other(other_model, other_model.frames.back());
      for (int i = 0; i < draws(3, 6); ++i) {
        const std::vector<double> start = random.numbers(model.nq, 0.5);
        const Transform<double> X{random.rotation(), random.direction() * (i % 3 == 2 ? 2.0 : 0.5)};
        const GeneralAnswer expected = solver.solve(X, start), answer = other.solve({X.R, X.p * factor}, start);
        CHECK(answer.status == expected.status);
        CHECK(answer.short_by == doctest::Approx(expected.short_by * factor).epsilon(1e-6));
        if (!answer.solved()) continue;
        CHECK(answer.position_residual <= 1e-10 * factor * solver.task().length());
      }
    }
  }
}
