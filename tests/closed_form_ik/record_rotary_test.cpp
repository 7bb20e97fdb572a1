#include "torsor/closed_form_ik/record_rotary.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/golden_branch.hpp"
#include "tests/support/figures.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Figures step(const Tape& tape, std::string_view stages) { return figures(count_steps(tape, stages)); }

}  // namespace

TEST_CASE("positions of the rotary arm take 64 multiplications, 37 additions and 10 transcendental functions") {
  const Tape tape = record_rotary(golden_rotary_arm);
  CHECK(step(tape, "position 1") == Figures{9, 9});
  CHECK(step(tape, "position 2") == Figures{15, 8});
  CHECK(step(tape, "position 3") == Figures{34, 17});
  CHECK(step(tape, "position 4") == Figures{6, 3});
  const OperationCount all = count_steps(tape, "position");
  CHECK(figures(all) == Figures{64, 37});
  CHECK(all.square_roots == 2);
  CHECK(all.arctangents == 6);
  CHECK(all.trigonometric == 2);
  // the transcendental functions by steps
  const OperationCount second = count_steps(tape, "position 2"), last = count_steps(tape, "position 4");
  CHECK(second.square_roots + second.arctangents == 5);
  CHECK(last.arctangents + last.trigonometric == 5);
}

TEST_CASE("velocities of the rotary arm take 37 multiplications and 25 additions") {
  const Tape tape = record_rotary(golden_rotary_arm);
  CHECK(step(tape, "velocity 1") == Figures{6, 6});
  CHECK(step(tape, "velocity 2") == Figures{15, 7});
  CHECK(step(tape, "velocity 3") == Figures{14, 11});
  CHECK(step(tape, "velocity 4") == Figures{2, 1});
  CHECK(step(tape, "velocity") == Figures{37, 25});
}

TEST_CASE("accelerations of the rotary arm take 76 multiplications and 57 additions") {
  const Tape tape = record_rotary(golden_rotary_arm);
  CHECK(step(tape, "acceleration 1") == Figures{12, 12});
  CHECK(step(tape, "acceleration 2") == Figures{29, 17});
  CHECK(step(tape, "acceleration 3") == Figures{28, 23});
  CHECK(step(tape, "acceleration 4") == Figures{7, 5});
  CHECK(step(tape, "acceleration") == Figures{76, 57});
  CHECK(step(tape, "") == Figures{177, 119});
}

TEST_CASE("what is counted solves the golden poses in all branches") {
  const Json file = golden("wrist_ik_200");
  const Json& pose = file.at("poses")[0];
  Numbers inputs;
  const auto put = [&](const Vec3<double>& v) { inputs.insert(inputs.end(), {v.x, v.y, v.z}); };
  const Mat3<double> W6 = matrix(pose.at("W6"));
  for (const Vec3<double>& v : {W6.x, W6.y, W6.z}) put(v);
  for (const char* key : {"p7", "w6", "v7", "al6", "a7"}) put(vector(pose.at(key)));
  for (const Json& b : pose.at("branches")) {
    const Tape recorded = record_rotary(golden_rotary_arm, {b.at("shoulder"), b.at("elbow"), b.at("wrist")});
    const Numbers out = evaluate<double>(recorded, inputs);
    Numbers expected = numbers(b.at("q"));
    for (const char* key : {"qd", "qdd"})
      for (const double x : numbers(b.at(key))) expected.push_back(x);
    CHECK(relative(out, expected) < 1e-13 * double(b.at("cond_J")));
  }
}
