// Rates of six joints of any geometry from their Jacobian: against duals, against the partition, where J is singular.
#include "torsor/closed_form_ik/solve_rates_6x6.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/moving_tool.hpp"
#include "tests/closed_form_ik/random_arms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The columns of a tree at q.
ToolColumns columns_of(const Model<double>& model, const Joints& q) {
  Configuration<double> configuration(model);
  configuration.set(model, q);
  std::vector<Transform<double>> X(model.bodies.size());
  forward_kinematics<double>(model, configuration, X);
  return tool_columns(model, X, model.frames.back());
}

double apart_columns(const ToolColumns& a, const ToolColumns& b) {
  double worst = apart(a.R_world_tool, b.R_world_tool);
  for (std::size_t k = 0; k < 6; ++k) worst = std::max(worst, apart(a.column[k], b.column[k]));
  return worst;
}

}  // namespace

TEST_CASE("the rates of arms without a wrist are those that duals say move the hand so") {
  Random random(1);
  double worst_velocity = 0, worst_acceleration = 0;
  for (int k = 0; k < draws(100); ++k) {
    Description robot = random_dh_arm(random, 6, Convention::modified_dh, 0.2);
    if (k % 3 == 0) {
      robot.links[2].kind = JointKind::helical;
      robot.links[2].pitch = 0.1;
    }
    const Model<double> model = built(robot);
    MovingTool tool(model);
    for (int i = 0; i < 50; ++i) {
      const Joints q = random_rates(random, 3), qd = random_rates(random, 1), qdd = random_rates(random, 2);
      const ToolMotion motion = tool.at(q, qd, qdd, i % 2 ? random.vector(0.3) : Vec3<double>{});
      const JointRates rates = solve_rates_6x6(columns_of(model, q), motion);
      // three parallel slides and the like are singular everywhere
      if (rates.status == RateStatus::singular) continue;
      const double condition = tool.condition(q);
      worst_velocity = std::max(worst_velocity, difference(rates.qd, qd) / condition);
      worst_acceleration =
          std::max(worst_acceleration, difference(rates.qdd, qdd) / condition / std::max(1.0, 1e-6 * condition));
      CHECK(rates.status == (rates.factor < near_singular_factor ? RateStatus::near_singular : RateStatus::ok));
    }
  }
  CHECK(worst_velocity < 1e-13);
  CHECK(worst_acceleration < 1e-9);
}

TEST_CASE("the columns of a branch are those of the tree, and both ways give the same rates") {
  for (const ArmKind& kind : arm_kinds) {
    CAPTURE(kind.what);
    Random random(2);
    for (int k = 0; k < draws(5); ++k) {
      Witness w = witness(random_arm(random, kind));
      for (int i = 0; i < 10; ++i) {
        const IkAnswer answer = solve_position(w.arm, w.tool(random_joints(random, w.arm)));
        for (const IkBranch& b : answer.branches()) {
          const ToolColumns columns = tool_columns(w.arm, b);
          CHECK(apart_columns(columns, columns_of(w.model, b.q)) < 1e-13 * (1 + largest(b.q)));
          if (b.status != IkStatus::ok) continue;
          const ToolMotion motion{
              {random.vector(1), random.vector(1)}, {random.vector(1), random.vector(1)}, random.vector(0.3)};
          const JointRates one = solve_rates(w.arm, b, motion), other = solve_rates_6x6(columns, motion);
          CHECK(relative(other.qd, one.qd) < 1e-9);
          CHECK(relative(other.qdd, one.qdd) < 1e-9);
        }
      }
    }
  }
}

TEST_CASE("where the Jacobian is singular what can be followed is, and the rest is told") {
  Random random(3);
  int met[3] = {};
  for (int k = 0; k < draws(200); ++k) {
    // columns that depend on others
    ToolColumns tool;
    for (Motion<double>& m : tool.column) m = {random.direction(), random.vector(0.5)};
    if (random.chance(0.3)) tool.column[1].w = {};
    const int lost_count = random.below(3);
    for (std::size_t i = 0; i < static_cast<std::size_t>(lost_count); ++i)
      tool.column[5 - 3 * i] = tool.column[4 - 3 * i] * 0.5 + tool.column[3 - 3 * i] * 0.3;
    tool.R_world_tool = random.rotation();
    const LostMotions lost = lost_motions_6x6(tool);
    CHECK(lost.count == lost_count);
    ++met[lost_count];

    const auto done = [&](const Joints& qd) {
      Motion<double> m;
      for (std::size_t i = 0; i < 6; ++i) m += tool.column[i] * qd[i];
      return m;
    };
    const Motion<double> twist{random.vector(1), random.vector(1)};
    JointRates rates = solve_rates_6x6(tool, {twist, {}, {}});
    CHECK((rates.status == RateStatus::singular) == (lost_count > 0));
    CHECK(apart(done(rates.qd) + rates.missed_twist, twist) < 1e-9 * (1 + largest(rates.qd)));
    const Joints qd = random_rates(random, 1);
    rates = solve_rates_6x6(tool, {done(qd), {}, {}});
    CHECK(apart(done(rates.qd), done(qd)) < 1e-9);
    for (std::size_t i = 0; i < static_cast<std::size_t>(lost_count); ++i) {
      CHECK(apart(done(lost.idle[i]), {}) < 1e-11);
      CHECK(largest(solve_rates_6x6(tool, {lost.lost[i], {}, {}}).qd) < 1e-11);
    }
  }
  for (const int count : met) CHECK(count > 0);
}
