#include "torsor/formulations/operation_census.hpp"

#include <doctest/doctest.h>

#include "torsor/formulations/catalogue.hpp"
#include "torsor/formulations/record_formulation.hpp"
#include "torsor/model/general_arm.hpp"
#include "torsor/scalar/stage.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

using namespace torsor;

namespace {

constexpr auto tree = [] { return inverse_formulations<Trace>()[0]; };

/// The tree's Newton-Euler with a number of products too many.
template <int extra>
InverseRun<Trace> wasteful(const RobotForms<Trace>& forms) {
  return [run = tree().prepare(forms)](const RobotForms<Trace>& r, Rates<const Trace> qd, Rates<const Trace> qdd,
                                       Rates<Trace> tau) {
    run(r, qd, qdd, tau);
    for (int k = 0; k < extra; ++k) tau[0] += qd[0] * qdd[0] - qd[0] * qdd[0];
  };
}

}  // namespace

TEST_CASE("one operation more in an algorithm is one more in its count") {
  const RobotForms<double> forms = general_forms(3);
  InverseFormulation<Trace> row = tree();
  const auto counted = [&](Rule rule) { return total(tally_stages(record(row, forms), rule)).all; };
  for (const Rule rule : {Rule::dense, Rule::structured, Rule::listing}) {
    row.prepare = tree().prepare;
    const OperationCount plain = counted(rule);
    row.prepare = wasteful<1>;
    CHECK(counted(rule) == plain + OperationCount{.multiplications = 2, .additions = 2});
  }
}

TEST_CASE("what no torque depends on is executed but not live, and what the source takes as given is told apart") {
  Tape tape;
  {
    const Recording recording(tape);
    const Trace x = tape.input("x");
    mark_stage<Trace>("given: entries");
    const Trace square = x * x;
    mark_stage<Trace>("forward");
    const Trace dead = square * x;
    tape.output(square + x + Trace(0) * dead, "tau");
  }
  const auto stages = tally_stages(tape, Rule::structured);
  REQUIRE(stages.size() == 2);
  CHECK(stages[0].is_given());
  CHECK(stages[0].count.all.multiplications == 1);
  CHECK(stages[1].count.all == OperationCount{.multiplications = 1, .additions = 1});
  CHECK(stages[1].count.live == OperationCount{.additions = 1});
  CHECK(total(stages).all == stages[1].count.all);
}

TEST_CASE("a recording evaluates to the torques of the algorithm itself, for every formulation of every question") {
  const RobotForms<double> robot = *robot_forms(general_arm(4, Convention::modified_dh, "RPRR"));
  RobotForms<double> forms = robot;
  const std::vector<double> q{0.3, 0.2, -0.7, 1.1}, qd{0.4, -0.3, 0.9, -1.2}, qdd{1.3, 0.6, -0.8, 0.2};
  forms.set(q);
  for (std::size_t k = 0; k < inverse_formulations<Trace>().size(); ++k) {
    const auto& row = inverse_formulations<Trace>()[k];
    CAPTURE(row.name);
    if (!refusal(inverse_formulations<double>()[k], forms).empty()) continue;
    // inputs of the recording: the cosine and sine of the DH angle, or the displacement, per joint
    const DhPosition<double>& at =
        row.frames == Frames::standard_dh ? forms.standard_position : forms.modified_position;
    std::vector<double> inputs;
    for (int i = 1; i <= 4; ++i) {
      const JointPosition<double>& joint = forms.configuration[i - 1];
      const bool in_dh = row.frames != Frames::tree;
      if ((*forms.modified)[i].prismatic) {
        inputs.push_back(in_dh ? at.d[i] : joint.d);
      } else {
        inputs.push_back(in_dh ? at.c[i] : joint.c);
        inputs.push_back(in_dh ? at.s[i] : joint.s);
      }
    }
    inputs.insert(inputs.end(), qd.begin(), qd.end());
    inputs.insert(inputs.end(), qdd.begin(), qdd.end());
    std::vector<double> tau(4);
    inverse_formulations<double>()[k].prepare(forms)(forms, qd, qdd, tau);
    const std::vector<double> again = evaluate(record(row, forms), inputs);
    for (std::size_t i = 0; i < 4; ++i) CHECK(again[i] == doctest::Approx(tau[i]).epsilon(1e-13));
  }
}
