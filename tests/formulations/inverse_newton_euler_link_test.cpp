#include "torsor/formulations/inverse_newton_euler_link.hpp"

#include "tests/support/chain_loads.hpp"
#include "tests/support/counted.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the rows of the link-frame recursion take the operations of full 3 x 3 products") {
  const RecordOptions options{.gravity_at_run_time = true, .lengths_at_run_time = true};
  for (int n = 1; n <= 12; ++n) {
    CAPTURE(n);
    const Tape tape = recorded_inverse("newton-euler-link", general_forms(n), options);
    const auto row = [&](const char* name) { return count_of(name, tape, Rule::dense); };
    CHECK(row("w") == cost(9 * n, 7 * n));
    CHECK(row("wd") == cost(11 * n, 9 * n));
    CHECK(row("vd") == cost(27 * n, 21 * n));
    CHECK(row("a") == cost(18 * n, 15 * n));
    CHECK(row("F") == cost(3 * n, 0));
    CHECK(row("f") == cost(9 * n - 9, 9 * n - 9));
    CHECK(row("N") == cost(24 * n, 18 * n));
    CHECK(row("n") == cost(21 * n - 15, 24 * n - 15));
    // beside the table: the entries of the rotations, and the torques
    CHECK(row("R") == cost(4 * n, 0));
    CHECK(row("tau") == cost(3 * n, 2 * n));
    CHECK(count_except({"off-line", "R", "tau"}, tape, Rule::dense) == cost(122 * n - 24, 103 * n - 24));
  }
  const Tape six = recorded_inverse("newton-euler-link", general_forms(6), options);
  CHECK(count_except({"off-line", "R", "tau"}, six, Rule::dense) == cost(708, 594));
}

TEST_CASE("with zeros and ones used and p* + s off-line the rows of the link-frame recursion take less") {
  for (int n = 2; n <= 12; ++n) {
    CAPTURE(n);
    const Tape tape = recorded_inverse("newton-euler-link", general_forms(n));
    CHECK(count_except({"off-line", "R", "tau"}, tape, Rule::structured) == cost(117 * n - 62, 95 * n - 61));
  }
}

TEST_CASE("the link-frame recursion carries a load and overcomes damping as the tree does") {
  check_chain_loads<NewtonEulerLinkWork<double>>(inverse_newton_euler_link<double>);
}

TEST_CASE("only a load that is there is paid for") {
  const auto counted = [](bool with_load, bool with_damping) {
    const DhArm<Trace> arm = cast<Trace>(*general_forms(3).standard, [](double x) { return Trace(x); });
    Tape tape;
    const Recording recording(tape);
    const auto input = [&] { return tape.input("x"); };
    DhPosition<Trace> position(3);
    std::vector<Trace> qd, qdd, b, tau(3);
    for (int i = 1; i <= 3; ++i) {
      position.c[i] = input();
      position.s[i] = input();
      position.d[i] = arm[i].d;
      for (auto* rates : {&qd, &qdd, &b}) rates->push_back(input());
    }
    ChainLoads<Trace> loads;
    if (with_load) loads.tip = Force<Trace>{{input(), input(), input()}, {input(), input(), input()}};
    if (with_damping) loads.damping = b;
    NewtonEulerLinkWork<Trace> work(arm);
    inverse_newton_euler_link<Trace>(arm, position, qd, qdd, loads, work, tau);
    return count(tape, Rule::dense);
  };
  const OperationCount plain = counted(false, false);
  CHECK(counted(false, true) == plain + cost(3, 3));
  CHECK(counted(true, false) == plain + cost(6, 12));  // p* x f, and three sums of vectors
}
