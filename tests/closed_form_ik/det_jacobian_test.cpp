// det J in factors against the determinant of all six columns of the tree.
#include "torsor/closed_form_ik/det_jacobian.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/moving_tool.hpp"
#include "tests/closed_form_ik/random_arms.hpp"
#include "tests/support/shipped_robot.hpp"
#include "torsor/closed_form_ik/arm_family.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The columns of a tree at q, at any point of the tool.
double determinant(const Model<double>& model, const Joints& q, const Vec3<double>& point) {
  Configuration<double> configuration(model);
  configuration.set(model, q);
  std::vector<Transform<double>> X(model.bodies.size());
  forward_kinematics<double>(model, configuration, X);
  ToolColumns columns = tool_columns(model, X, model.frames.back());
  for (Motion<double>& m : columns.column) m.v += cross(m.w, columns.R_world_tool * point);
  return determinant_6x6(columns);
}

}  // namespace

TEST_CASE("the factors of every family multiply to the determinant of the whole Jacobian") {
  for (const ArmKind& kind : arm_kinds) {
    CAPTURE(kind.what);
    Random random(1);
    for (int k = 0; k < draws(20); ++k) {
      Witness w = witness(random_arm(random, kind));
      for (int i = 0; i < 20; ++i) {
        const IkAnswer answer = solve_position(w.arm, w.tool(random_joints(random, w.arm)));
        for (const IkBranch& b : answer.branches()) {
          const double scale = 1 + largest(b.q) * largest(b.q);
          CHECK(std::abs(det_jacobian(w.arm, b) - determinant(w.model, b.q, random.vector(0.3))) < 1e-13 * scale);
        }
      }
    }
  }
}

TEST_CASE("the rotary arm has the determinant of its source") {
  Witness w = witness(shipped_robot("rotary_hollerbach"));
  CHECK(w.arm.family->determinant == "a2 s4 p_wx c3 s5");
  const Joints q{0.3, -0.5, 0.4, 0.2, 0.7, 0.5};
  for (const IkAnswer answer = solve_position(w.arm, w.tool(q)); const IkBranch& b : answer.branches()) {
    const double p_wx = 0.43 * std::cos(b.q[1]) - 0.47 * std::sin(b.q[1] + b.q[2]);
    CHECK(det_jacobian(w.arm, b) ==
          doctest::Approx(0.43 * 0.47 * p_wx * std::cos(b.q[2]) * std::sin(b.q[4])).epsilon(1e-13));
  }
}

TEST_CASE("every family says what its determinant is") {
  for (const ArmFamily& family : arm_families()) CHECK(!family.determinant.empty());
}
