#include "torsor/reduction/reduce.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/model/robot_forms.hpp"
#include "torsor/trajectory/motion.hpp"
#include "torsor/trajectory/pick_and_place.hpp"
#include "torsor/trajectory/point_to_point.hpp"

using namespace torsor;

namespace {

template <JointMotion M>
std::vector<JointState> states_of(const M& motion, double period) {
  std::vector<JointState> states;
  sample_motion(motion, period, [&](const MotionRow& row) { states.push_back({row.q, row.qd, row.qdd}); });
  return states;
}

std::vector<JointState> pick_and_place() { return states_of(pick_and_place_puma560(), 0.02); }

/// All joints some way in a second or two, none at rest before the others.
std::vector<JointState> simple_motion(int n) {
  std::vector<double> from, to;
  for (int i = 0; i < n; ++i) {
    from.push_back(0.1 * (i + 1));
    to.push_back(from.back() + (i % 2 == 0 ? 0.8 : -0.6));
  }
  return states_of(*point_to_point(from, to, 1.5, "quintic"), 0.02);
}

JointState drawn(const ReductionStatement& s, testing::Random& random) {
  const auto part = [&](const std::vector<StateRange>& ranges) {
    std::vector<double> x;
    for (const StateRange& range : ranges) x.push_back(random.uniform(range.low, range.high));
    return x;
  };
  JointState state;
  state.q = part(s.q);
  state.qd = part(s.qd);
  state.qdd = part(s.qdd);
  return state;
}

/// Per joint the largest error against Newton-Euler in random states of the ranges.
std::vector<double> largest_errors(const Description& robot, const ReducedModel& model, int states) {
  const auto forms = robot_forms(robot);
  TreeDynamics<double> full(forms->model);
  ReducedDynamics<double> reduced(model);
  const auto n = static_cast<std::size_t>(model.size());
  std::vector<double> tau(n), approximate(n), worst(n, 0.0);
  testing::Random random(70);
  for (int k = 0; k < states; ++k) {
    const JointState s = drawn(model.statement, random);
    full.inverse(s.q, s.qd, s.qdd, tau);
    reduced.inverse(s.q, s.qd, s.qdd, approximate);
    for (std::size_t i = 0; i < n; ++i)
      worst[i] = std::max(worst[i], std::abs(approximate[i] - tau[i]) / model.statement.scale[i]);
  }
  return worst;
}

}  // namespace

TEST_CASE(
    "a PUMA reduced to 1 % on its pick-and-place motion saves 30 % of the multiplications of the cheapest full path") {
  const auto robot = load_robot("puma560");
  const auto reduction = reduce(*robot, pick_and_place());
  REQUIRE(reduction);
  const ReductionStatement& said = reduction->model.statement;
  for (const double error : said.on_motion) CHECK(error <= 0.01);
  CHECK(reduction->full.front().count.multiplications <= 225);  // no strawman: wrist-simple is known to take that many
  CHECK(reduction->cost.count.multiplications <= 0.7 * reduction->full.front().count.multiplications);
  CHECK(said.definite);
  CHECK_FALSE(said.consistent);

  // the bound is not exceeded, and not far from the worst one met: 10^6 states in the long run
  const std::vector<double> worst = largest_errors(*robot, reduction->model, testing::draws(20000));
  for (std::size_t i = 0; i < worst.size(); ++i) {
    CHECK(worst[i] <= said.on_ranges[i]);
    CHECK(said.on_ranges[i] <= 5 * worst[i]);
  }
}

TEST_CASE("the tolerance holds at every instant of a motion with more of them than selection looks at") {
  const auto reduction =
      reduce(*load_robot("puma560"), states_of(pick_and_place_puma560(), 0.002), {.tolerance = 0.003});
  REQUIRE(reduction);
  for (const double error : reduction->model.statement.on_motion) CHECK(error <= 0.003 * (1 + 1e-8));
}

TEST_CASE("where right angles are typed rounded, the stated errors are those to the robot as typed") {
  auto robot = load_robot("puma560");
  for (LinkDescription& link : robot->links) {
    double& alpha = std::get<DhRow>(link.geometry).alpha;
    if (alpha != 0) alpha = alpha > 0 ? 1.5708 : -1.5708;
  }
  // so small that the rounding of the file is a good part of it
  const double tolerance = 1e-3;
  const auto reduction = reduce(*robot, pick_and_place(), {.tolerance = tolerance});
  REQUIRE(reduction);
  CHECK(reduction->snaps.size() == 4);
  CHECK(reduction->snap_effect.relative > 1e-7);
  const ReductionStatement& said = reduction->model.statement;
  CHECK_FALSE(said.proven);
  const Model<double> typed = *build(*robot);
  TreeDynamics<double> full(typed);
  ReducedDynamics<double> reduced(reduction->model);
  std::vector<double> tau(6), approximate(6);
  for (const JointState& s : pick_and_place()) {
    full.inverse(s.q, s.qd, s.qdd, tau);
    reduced.inverse(s.q, s.qd, s.qdd, approximate);
    for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(approximate[i] - tau[i]) <= said.on_motion[i] * said.scale[i]);
  }
  for (const double error : said.on_motion) CHECK(error <= tolerance * (1 + 1e-8));
  const std::vector<double> worst = largest_errors(*robot, reduction->model, testing::draws(5000));
  for (std::size_t i = 0; i < worst.size(); ++i) CHECK(worst[i] <= said.on_ranges[i]);

  const auto finer = reduce(*robot, pick_and_place(), {.tolerance = 1e-6});
  REQUIRE(!finer);
  CHECK(finer.faults()[0].rule == "reduce-snapped");
}

TEST_CASE("neither the ranges nor the error that are stated are exceeded by any sampling of the motion") {
  for (const char* name : {"puma560", "two_link"}) {
    CAPTURE(std::string(name));
    const auto robot = load_robot(name);
    const auto forms = robot_forms(*robot);
    const bool puma = name == std::string("puma560");
    const Course coarse =
        puma ? course_of(pick_and_place_puma560(), 40)
             : course_of(*point_to_point(std::vector{0.1, 0.2}, std::vector{1.9, -0.6}, 1.5, "quintic"), 7);
    const auto reduction = reduce(*robot, coarse, {.tolerance = puma ? 0.01 : 0.2});
    REQUIRE(reduction);
    CHECK(!reduction->dropped.terms.empty());
    const ReductionStatement& said = reduction->model.statement;
    ReducedDynamics<double> reduced(reduction->model);
    TreeDynamics<double> full(forms->model);
    std::vector<double> tau(said.scale.size()), approximate(tau), worst(tau.size(), 0.0);
    const int samples = 4003;
    for (int k = 0; k <= samples; ++k) {
      const JointState s = state_at(coarse, coarse.times.back() * k / samples, static_cast<int>(tau.size()));
      CHECK(holds_at(said, s.q, s.qd, s.qdd));
      full.inverse(s.q, s.qd, s.qdd, tau);
      reduced.inverse(s.q, s.qd, s.qdd, approximate);
      for (std::size_t i = 0; i < tau.size(); ++i)
        worst[i] = std::max(worst[i], std::abs(approximate[i] - tau[i]) / said.scale[i]);
    }
    for (std::size_t i = 0; i < tau.size(); ++i) {
      CHECK(worst[i] <= said.on_motion[i]);
      CHECK(said.on_motion[i] <= 1.002 * worst[i] + 2e-7);
      CHECK(said.on_motion[i] <= said.tolerance);
    }
  }
}

TEST_CASE("with a tolerance of nothing nothing is dropped") {
  const auto robot = load_robot("puma560");
  const auto reduction = reduce(*robot, pick_and_place(), {.tolerance = 0});
  REQUIRE(reduction);
  CHECK(reduction->dropped.terms.empty());
  for (const double error : reduction->model.statement.on_motion) CHECK(error < 1e-8);
}

TEST_CASE("a tolerance for the ranges is kept wherever a search looks, and of up to three joints it is proven") {
  for (const char* name : {"puma560", "articulated3"}) {
    CAPTURE(std::string(name));
    const auto robot = load_robot(name);
    const bool puma = name == std::string("puma560");
    const ReduceOptions options{.tolerance = 0.02, .on_ranges = true};
    const auto reduction = reduce(*robot, puma ? pick_and_place() : simple_motion(3), options);
    REQUIRE(reduction);
    CHECK(!reduction->dropped.terms.empty());
    CHECK(reduction->model.statement.proven);
    const std::vector<double> worst = largest_errors(*robot, reduction->model, testing::draws(5000));
    for (std::size_t i = 0; i < worst.size(); ++i) {
      CHECK(worst[i] <= reduction->model.statement.on_ranges[i]);
      CHECK(worst[i] <= 0.02 + 1e-6);
      CHECK(reduction->model.statement.found[i] <= 0.02 + 1e-6);
      CHECK(reduction->model.statement.on_ranges[i] <= (puma ? 2 : 1) * 0.02 + 1e-6);
    }
  }
}

TEST_CASE("of up to three joints the error is proven, and the proof is sharp") {
  for (const char* name : {"two_link", "articulated3", "cylindrical3"}) {
    CAPTURE(std::string(name));
    const auto robot = load_robot(name);
    REQUIRE(robot);
    const int n = name == std::string("two_link") ? 2 : 3;
    const auto reduction = reduce(*robot, simple_motion(n), {.tolerance = 0.2});
    REQUIRE(reduction);
    const ReductionStatement& said = reduction->model.statement;
    CHECK(said.proven);
    CHECK(!reduction->dropped.terms.empty());
    const std::vector<double> worst = largest_errors(*robot, reduction->model, testing::draws(5000));
    for (std::size_t i = 0; i < worst.size(); ++i) {
      CHECK(worst[i] <= said.on_ranges[i]);
      CHECK(reduction->found[i].error <= said.on_ranges[i]);
      CHECK(said.on_ranges[i] <= 1.1 * reduction->found[i].error + 2e-7);
    }
  }
}

TEST_CASE("a consistent model has a Coriolis matrix that is half of the rate of its mass matrix, up to a skew one") {
  const auto robot = load_robot("puma560");
  const auto reduction = reduce(*robot, pick_and_place(), {.tolerance = 0.02, .consistent = true});
  REQUIRE(reduction);
  CHECK(reduction->model.statement.consistent);
  CHECK(!reduction->dropped.terms.empty());
  // power: qd . h = 1/2 qd . (dD/dt) qd for every state
  ReducedDynamics<double> dynamics(reduction->model);
  testing::Random random(72);
  const auto quadratic = [&](const std::vector<double>& q, const std::vector<double>& qd) {
    std::vector<double> M(36);
    dynamics.mass(q, M);
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) sum += qd[i] * M[i * 6 + j] * qd[j];
    return sum;
  };
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> q = random.numbers(6, 3), qd = random.numbers(6, 2);
    std::vector<double> bias(6), rest(6), before(q), after(q);
    dynamics.bias(q, qd, bias);
    dynamics.bias(q, {}, rest);
    const double step = 1e-5;
    double power = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      power += qd[i] * (bias[i] - rest[i]);
      before[i] -= step * qd[i];
      after[i] += step * qd[i];
    }
    // central differences of functions of order one: 1e-10 of them, and rounding 1e-11
    CHECK(power == doctest::Approx((quadratic(after, qd) - quadratic(before, qd)) / (4 * step)).epsilon(1e-7).scale(1));
  }
}

TEST_CASE("where nothing was dropped the velocity terms follow from the mass matrix, asked for or not") {
  const auto reduction = reduce(*load_robot("two_link"), simple_motion(2), {.tolerance = 1e-6});
  REQUIRE(reduction);
  CHECK(reduction->dropped.terms.empty());
  CHECK(reduction->model.statement.consistent);
}

TEST_CASE("a reduced model is known to be that of its robot, and of no other") {
  const auto robot = load_robot("two_link");
  const auto reduction = reduce(*robot, simple_motion(2));
  REQUIRE(reduction);
  CHECK(mismatch(reduction->model, *build(*robot)).empty());
  Description heavier = *robot;
  heavier.links[1].parts.at(0).mass *= 1.0001;
  CHECK(mismatch(reduction->model, *build(heavier)).find("has changed") != std::string::npos);
  ReducedModel shifted = reduction->model;
  shifted.joints[1].offset += 0.3;
  CHECK(mismatch(shifted, *build(*robot)).find("larger than it says") != std::string::npos);
  ReducedModel unknown = reduction->model;
  unknown.reference.clear();
  CHECK(mismatch(unknown, *build(*robot)).find("does not say") != std::string::npos);
}

TEST_CASE("a torque on the motion that is no number is a fault of its joint") {
  auto fast = simple_motion(2);
  fast[1].qd = {1e200, 0};
  const auto reduction = reduce(*load_robot("two_link"), fast);
  REQUIRE_FALSE(reduction);
  CHECK(reduction.faults().front().rule == "not-finite");
}

TEST_CASE("a joint without any effort on the motion is a fault, and so is a robot that is no serial arm") {
  const auto robot = load_robot("two_link");
  auto still = simple_motion(2);
  for (JointState& s : still) {
    s.q = {std::acos(-1) / 2, 0};
    s.qd = s.qdd = {0, 0};
  }
  Description floating = *robot;
  floating.gravity = {};
  const auto reduction = reduce(floating, still);
  REQUIRE_FALSE(reduction);
  CHECK(reduction.faults().size() == 2);
  CHECK(reduction.faults().front().rule == "no-effort");
  CHECK_FALSE(reduce(*load_robot("two_arm"), simple_motion(7)));
}
