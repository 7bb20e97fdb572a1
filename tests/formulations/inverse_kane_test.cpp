#include "torsor/formulations/inverse_kane.hpp"

#include "tests/support/counted.hpp"
#include "tests/support/measure.hpp"
#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// What a run takes: a_i of a revolute joint is off-line.
OperationCount run_count(const Tape& tape, Rule rule) { return count_except({"off-line"}, tape, rule); }

/// The general arm, with the first axis on Z_0 and perhaps gravity along it.
RobotForms<double> upright_forms(int n, bool gravity_along_z) {
  RobotForms<double> forms = general_forms(n);
  DhLink<double>& first = forms.modified->links[0];
  first.a = first.sa = 0;
  first.ca = 1;
  if (gravity_along_z) forms.modified->g = {0, 0, -9};
  return forms;
}

}  // namespace

TEST_CASE("Kane's algorithm takes the operations of the paper's listing, in both sets of signs") {
  const RecordOptions listed{.gravity_at_run_time = true, .lengths_at_run_time = true};
  const RecordOptions masses{.gravity_at_run_time = true, .lengths_at_run_time = true, .masses_at_run_time = true};
  const RecordOptions off_line{.gravity_at_run_time = true};
  for (const char* name : {"kane", "kane-set-a"})
    for (int n = 2; n <= 12; ++n) {
      CAPTURE(name);
      CAPTURE(n);
      const RobotForms<double> forms = general_forms(n);
      const Tape tape = live(recorded_inverse(name, forms, listed));
      CHECK(run_count(tape, Rule::listing) == cost(105 * n - 99, 90 * n - 92));
      // m_1 rho_1 not off-line
      CHECK(run_count(live(recorded_inverse(name, forms, masses)), Rule::listing) == cost(105 * n - 97, 90 * n - 92));
      // the zeros of link 1 carried into link 2; where they meet (a_2 - rho_1)_z, it need not be formed either
      CHECK(run_count(tape, Rule::structured) == cost(105 * n - 112, 90 * n - 105));
      CHECK(run_count(live(fold(tape)), Rule::all) == cost(105 * n - 112, 90 * n - 106));
      // and a_i - rho_{i-1} off-line; and gravity a design constant; and all that goes with the first axis upright
      CHECK(run_count(live(recorded_inverse(name, forms, off_line)), Rule::structured) ==
            cost(105 * n - 112, 87 * n - 102));
      CHECK(run_count(live(recorded_inverse(name, forms)), Rule::structured) == cost(105 * n - 118, 87 * n - 104));
      CHECK(run_count(live(recorded_inverse(name, upright_forms(n, true))), Rule::structured) ==
            cost(105 * n - 122, 87 * n - 108));
    }
}

TEST_CASE("a general link of Kane's algorithm takes the operations of the paper's steps, six axes their sums") {
  const RecordOptions listed{.gravity_at_run_time = true, .lengths_at_run_time = true};
  const Tape tape = live(recorded_inverse("kane", general_forms(6), listed));
  for (const char* link : {"2", "3", "4", "5"}) {
    CHECK(count_of(std::string("stage 2, link ") + link, tape, Rule::listing) == cost(50, 46));
    CHECK(count_of(std::string("stage 3, link ") + link, tape, Rule::listing) == cost(55, 44));
  }
  CHECK(count_of("stage 3, link 6", tape, Rule::listing) == cost(55 - 22, 44 - 20));  // nothing comes after it
  CHECK(count_of("link 1", tape, Rule::listing) == cost(13 + 15, 8 + 10));
  CHECK(run_count(tape, Rule::listing) == cost(531, 448));
  CHECK(run_count(tape, Rule::structured) == cost(518, 435));
}

TEST_CASE("an upright first axis saves Kane's listing four or eight multiplications") {
  const RecordOptions general{.gravity_at_run_time = true, .lengths_at_run_time = true};
  const RecordOptions constant{.lengths_at_run_time = true};
  CHECK(run_count(live(recorded_inverse("kane", upright_forms(6, false), general)), Rule::listing) == cost(527, 446));
  CHECK(run_count(live(recorded_inverse("kane", upright_forms(6, true), constant)), Rule::listing) == cost(523, 442));
}

TEST_CASE("a prismatic joint costs Kane four operations of each kind, less those of its missing rotation") {
  const RecordOptions listed{.gravity_at_run_time = true, .lengths_at_run_time = true};
  const Tape tape = live(recorded_inverse("kane", general_forms(6, "RRPRRR"), listed));
  CHECK(count_of("stage 1", tape, Rule::listing) == cost(2, 0));
  CHECK(count_of("stage 2, link 3", tape, Rule::listing) == cost(50 + 2 - 2, 46 + 4 - 4));
}

TEST_CASE("the two sets of signs are one robot seen from both ends of its slides") {
  Random random(41);
  for (int k = 0; k < draws(50); ++k) {
    CAPTURE(k);
    const auto usual = dh_arm(random_dh_arm(random, 6, Convention::modified_dh, 0.5), Convention::modified_dh);
    REQUIRE(usual);
    Numbers q = random.numbers(6, 1), qd = random.numbers(6, 1), qdd = random.numbers(6, 1), tau(6), tau_paper(6);
    const auto solve = [&]<KaneSigns signs>(const DhArm<double>& arm, Numbers& out) {
      DhPosition<double> position(6);
      position.set(arm, q);
      KaneWork<double, signs> work(arm);
      inverse_kane<double, signs>(arm, position, qd, qdd, work, out);
    };
    solve.operator()<KaneSigns::set_b>(*usual, tau);

    DhArm<double> paper = *usual;
    const auto turn_slides = [&](Numbers& x) {
      for (int i = 1; i <= 6; ++i)
        if (paper[i].prismatic) x[i - 1] = -x[i - 1];
    };
    for (DhLink<double>& l : paper.links) l.d = -l.d;
    for (Numbers* x : {&q, &qd, &qdd}) turn_slides(*x);
    solve.operator()<KaneSigns::set_a>(paper, tau_paper);
    turn_slides(tau_paper);
    CHECK(relative(tau_paper, tau) < 1e-14);
  }
}
