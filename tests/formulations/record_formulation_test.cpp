#include "torsor/formulations/record_formulation.hpp"

#include "tests/support/measure.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

void append(Numbers& values, View more) { values.insert(values.end(), more.begin(), more.end()); }

/// The inputs of a recording in DH frames with every option, at the robot's own values.
Numbers inputs(const DhArm<double>& arm, const DhPosition<double>& position) {
  Numbers values = flat(arm.g);
  for (int i = 1; i <= arm.n(); ++i) {
    values.push_back(arm[i].a);
    if (!arm[i].prismatic) values.push_back(arm[i].d);
    values.push_back(arm[i].m);
  }
  for (int i = 1; i <= arm.n(); ++i)
    append(values, arm[i].prismatic ? Numbers{position.d[i]} : Numbers{position.c[i], position.s[i]});
  return values;
}

/// The same for the tree.
Numbers inputs(const Model<double>& model, const Configuration<double>& configuration) {
  Numbers values = flat(model.gravity);
  for (const Body<double>& b : model.bodies) {
    append(values, flat(b.placement.p));
    const auto& [m, h, I] = b.inertia;
    append(values, Numbers{m, h.x, h.y, h.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
  }
  for (int i = 0; i < model.size(); ++i) {
    const JointPosition<double>& joint = configuration[i];
    append(values, model[i].kind == JointKind::prismatic ? Numbers{joint.d} : Numbers{joint.c, joint.s});
  }
  return values;
}

}  // namespace

TEST_CASE("a recording with run-time constants gives the torques of the robot whose constants it is fed") {
  Random random(44);
  std::mt19937_64 engine(45);
  for (const Convention convention : {Convention::standard_dh, Convention::modified_dh}) {
    auto forms = robot_forms(random_dh_arm(random, 5, convention, 0.3));
    REQUIRE(forms);
    forms->set(random_position(forms->model, engine));
    const Numbers qd = random.numbers(5, 1), qdd = random.numbers(5, 1);
    for (const auto& row : inverse_formulations<double>()) {
      if (!refusal(row, *forms).empty()) continue;
      CAPTURE(row.name);
      Numbers tau(5);
      auto run = row.prepare(*forms);
      run(*forms, qd, qdd, tau);

      const auto* traced = find_formulation(inverse_formulations<Trace>(), row.name);
      REQUIRE(traced);
      const RecordOptions all{.gravity_at_run_time = true, .lengths_at_run_time = true, .masses_at_run_time = true};
      Numbers values = row.frames == Frames::tree          ? inputs(forms->model, forms->configuration)
                       : row.frames == Frames::standard_dh ? inputs(*forms->standard, forms->standard_position)
                                                           : inputs(*forms->modified, forms->modified_position);
      append(values, qd);
      append(values, qdd);
      CHECK(relative(evaluate(record(*traced, *forms, all), values), tau) < 1e-13);
    }
  }
}
