#include "torsor/reduction/proven_error.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/model/robot_forms.hpp"
#include "torsor/reduction/reduce.hpp"

using namespace torsor;

namespace {

/// An arm of the library with other masses, mass centres and tensors.
Description varied(const char* name, testing::Random& random) {
  Description robot = *load_robot(name);
  for (LinkDescription& link : robot.links)
    for (Part& part : link.parts) {
      part.mass *= random.uniform(0.5, 2);
      part.com = part.com * random.uniform(0.7, 1.4);
      part.tensor = part.tensor * random.uniform(1, 2);
    }
  return robot;
}

/// Numbers from one to another, each.
std::vector<StateRange> ranges(int n, double middle, double width, testing::Random& random) {
  std::vector<StateRange> out;
  for (int i = 0; i < n; ++i) {
    const double at = random.uniform(-middle, middle), half = random.uniform(0.1, 1) * width / 2;
    out.push_back({at - half, at + half});
  }
  return out;
}

double drawn(const StateRange& range, bool at_end, testing::Random& random) {
  const double share = random.uniform(0, 1);
  return range.low + (range.high - range.low) * (at_end ? std::round(share) : share);
}

}  // namespace

TEST_CASE(
    "no state of random ranges exceeds the proven error of reduced models of random arms, nor does a longer search") {
  testing::Random random(1988);
  int arms = 0;
  for (const char* name : {"puma560", "stanford", "articulated3", "rotary_hollerbach"})
    for (int variant = 0; variant < testing::draws(1); ++variant) {
      CAPTURE(std::string(name));
      CAPTURE(variant);
      const Description robot = varied(name, random);
      const auto forms = robot_forms(robot);
      REQUIRE(forms);
      const int n = forms->model.nv;
      const auto count = static_cast<std::size_t>(n);
      const StateRanges box{ranges(n, 1, 2.5, random), ranges(n, 0.5, 3, random), ranges(n, 1, 8, random)};
      std::vector<JointState> motion = random_states(box, {.draws = 30, .seed = 7});
      const auto reduction = reduce(
          robot, motion, {.tolerance = random.uniform(0.01, 0.05), .consistent = random.chance(0.5), .ranges = box});
      REQUIRE(reduction);
      CHECK(!reduction->dropped.terms.empty());
      const ReductionStatement& said = reduction->model.statement;
      REQUIRE(said.proven);
      ++arms;

      // dense random states, half of them with rates and accelerations at their ends, against Newton-Euler
      TreeDynamics<double> full(forms->model);
      ReducedDynamics<double> reduced(reduction->model);
      std::vector<double> tau(count), approximate(count), worst(count, 0.0);
      for (int k = 0; k < 20000; ++k) {
        JointState s;
        const bool at_ends = random.chance(0.5);
        for (std::size_t i = 0; i < count; ++i) {
          s.q.push_back(drawn(box.q[i], false, random));
          s.qd.push_back(drawn(box.qd[i], at_ends, random));
          s.qdd.push_back(drawn(box.qdd[i], at_ends, random));
        }
        full.inverse(s.q, s.qd, s.qdd, tau);
        reduced.inverse(s.q, s.qd, s.qdd, approximate);
        for (std::size_t i = 0; i < count; ++i)
          worst[i] = std::max(worst[i], std::abs(approximate[i] - tau[i]) / said.scale[i]);
      }
      const auto longer = worst_errors(reduction->dropped, box, said.scale, {.draws = 2000, .starts = 10, .seed = 5});
      for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(i);
        CHECK(worst[i] <= said.on_ranges[i]);
        CHECK(longer[i].error <= said.on_ranges[i]);
        // what is told as found is there, and the bound is of use
        ReducedDynamics<double> error(reduction->dropped);
        const JointState& at = reduction->found[i].state;
        if (said.found[i] > 0) {
          error.inverse(at.q, at.qd, at.qdd, tau);
          CHECK(std::abs(tau[i]) / said.scale[i] == doctest::Approx(said.found[i]).epsilon(1e-6));
        }
        CHECK(said.found[i] <= said.on_ranges[i]);
        CHECK(said.on_ranges[i] <= 8 * said.found[i] + 1e-6);
      }
    }
  CHECK(arms >= 4);
}

TEST_CASE("more work makes the bound lower, and less of it only higher") {
  testing::Random random(1989);
  const Description robot = varied("puma560", random);
  const StateRanges box{ranges(6, 1, 2.5, random), ranges(6, 0.5, 3, random), ranges(6, 1, 8, random)};
  const auto reduction =
      reduce(robot, random_states(box, {.draws = 30, .seed = 7}), {.tolerance = 0.03, .ranges = box});
  REQUIRE(reduction);
  const std::vector<double>& scale = reduction->model.statement.scale;
  std::vector<double> before;
  for (const double work : {0.0, 1e5, 3e6}) {
    std::vector<WorstState> found = reduction->found;
    const std::vector<double> bound = proven_errors(reduction->dropped, box, scale, found, {.work = work});
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(bound[i] >= found[i].error);
      if (!before.empty()) CHECK(bound[i] <= before[i]);
    }
    before = bound;
  }
}
