// Any arm: poses made from joints are found again, inside the limits, by the forward kinematics of the whole tree; aims
// end where nothing is left to gain; and what cannot be reached is said to be so, with the right number.
#include "torsor/numeric_ik/general_solver.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/round_trip.hpp"
#include "tests/support/shipped_robot.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/scalar/infinity.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A model, a solver for one of its frames, and where the tree puts that frame.
struct Arm {
  Model<double> model;
  Frame<double> frame = model.frames.back();
  GeneralSolver solver{model, frame};
  Configuration<double> configuration{model};
  std::vector<Transform<double>> X{model.bodies.size()};

  Transform<double> pose(View q) {
    configuration.set(model, q);
    forward_kinematics<double>(model, configuration, X);
    return frame_pose<double>(frame, X);
  }
  bool inside_limits(View q) const {
    for (const Body<double>& b : model.bodies) {
      if (row(b.kind).nv != 1) continue;
      const Limits& l = model.limits[b.v];
      if (!(l.lower <= q[b.q] && q[b.q] <= l.upper)) return false;
    }
    return true;
  }
};

Arm random_arm(Random& random, int n) {
  Description d = random_dh_arm(random, n, random.chance(0.5) ? Convention::standard_dh : Convention::modified_dh, 0.2);
  for (LinkDescription& link : d.links) {
    if (link.kind == JointKind::prismatic)
      link.limits = {-0.4, 0.6};
    else if (random.chance(0.7))
      link.limits = {random.uniform(-3, -1.5), random.uniform(1.5, 3)};
  }
  return {built(d)};
}

Numbers copy(View q) { return {q.begin(), q.end()}; }

/// A planar arm of two bars, elbow within the limits, the tool at the end.
Description with_elbow_limits(double lower, double upper) {
  Description d = planar_arm(2);
  d.links[1].limits = {lower, upper};
  return d;
}

}  // namespace

TEST_CASE("poses of random arms of one to ten joints are found again, inside the limits") {
  Random random(700);
  for (int n = 1; n <= 10; ++n) {
    int unsolved = 0, outside = 0;
    double worst = 0, worst_stated = 0;
    const int poses = draws(40);
    for (int k = 0; k < poses; ++k) {
      Arm arm = random_arm(random, n);
      std::mt19937_64 engine(static_cast<std::uint64_t>(k));
      const Numbers q = random_position(arm.model, engine), start = random_position(arm.model, engine);
      const Transform<double> target = arm.pose(q);
      const GeneralAnswer answer = arm.solver.solve(target, start);
      if (!answer.solved()) {
        ++unsolved;
        continue;
      }
      worst = std::max(worst, apart(arm.pose(answer.q), target));
      worst_stated = std::max({worst_stated, answer.position_residual, answer.angle_residual});
      outside += arm.inside_limits(answer.q) ? 0 : 1;
    }
    CAPTURE(n);
    // of 20 000 arms of each number of joints one is missed, of six
    CHECK(unsolved <= poses / 10'000);
    CHECK(outside == 0);
    CHECK(worst < 1e-10);
    CHECK(worst_stated <= 1e-10);
  }
}

TEST_CASE("of the poses of every shipped arm of six and seven joints 99.9 % are found, and all to 1e-10") {
  for (const char* name : {"panda", "iiwa14", "puma560", "stanford", "ur5", "sixr_angeles", "sixr_sim",
                           "rotary_hollerbach", "rotary_hollerbach_simple", "two_arm"}) {
    Arm arm{built(shipped_robot(name))};
    std::mt19937_64 engine(7);
    const int poses = draws(1000);
    int unsolved = 0, outside = 0;
    double worst = 0;
    for (int k = 0; k < poses; ++k) {
      const Numbers q = random_position(arm.model, engine), start = random_position(arm.model, engine);
      const Transform<double> target = arm.pose(q);
      const GeneralAnswer answer = arm.solver.solve(target, start);
      unsolved += answer.solved() ? 0 : 1;
      outside += arm.inside_limits(answer.q) ? 0 : 1;
      if (answer.solved()) worst = std::max(worst, apart(arm.pose(answer.q), target));
    }
    CAPTURE(name);
    CHECK(unsolved <= poses / 10'000);
    CHECK(outside == 0);
    CHECK(worst < 1e-10);
  }
}

TEST_CASE("answers of arms with a spherical wrist are among the branches of the closed form") {
  for (const char* name : {"puma560", "stanford", "rotary_hollerbach", "sixr_angeles"}) {
    const Description robot = without_limits(name);
    const auto closed = wrist_arm(robot);
    if (!closed) continue;
    Arm arm{built(robot)};
    Random random(702);
    int missing = 0;
    for (int k = 0; k < draws(200); ++k) {
      const Joints q = random_joints(random, *closed);
      const Transform<double> target = arm.pose(q);
      const IkAnswer branches = solve_position(*closed, target);
      const GeneralAnswer answer = arm.solver.solve(target, random_joints(random, *closed));
      REQUIRE(answer.solved());
      if (answer.smallest_singular_value < 1e-3) continue;  // there joints are worth fewer digits than poses
      Joints found{};
      std::copy(answer.q.begin(), answer.q.end(), found.begin());
      double nearest = infinity;
      for (const IkBranch& b : branches.branches())
        nearest = std::min(nearest, apart_modulo_turns(*closed, b.q, found));
      missing += nearest < 1e-9 ? 0 : 1;
    }
    CAPTURE(name);
    CHECK(missing == 0);
  }
}

TEST_CASE("the same question has the same answer") {
  Arm arm{built(shipped_robot("panda"))}, other{built(shipped_robot("panda"))};
  std::mt19937_64 engine(8);
  for (int k = 0; k < 50; ++k) {
    const Numbers q = random_position(arm.model, engine), start = random_position(arm.model, engine);
    const Transform<double> target = arm.pose(q);
    const GeneralAnswer first = arm.solver.solve(target, start);
    const Numbers answer = copy(first.q);
    const GeneralAnswer second = arm.solver.solve(target, start), third = other.solver.solve(target, start);
    CHECK(difference(second.q, answer) == 0);
    CHECK(difference(third.q, answer) == 0);
    CHECK(first.iterations == third.iterations);
  }
}

TEST_CASE("angles come out as the turns nearest to the start") {
  // joints of a UR5 go two turns
  Arm arm{built(shipped_robot("ur5"))};
  Random random(703);
  for (int k = 0; k < 100; ++k) {
    Numbers q = random.numbers(6, 3), start = q;
    for (double& x : start)
      x += random.uniform(-0.05, 0.05) + (random.chance(0.5) ? 2 * std::numbers::pi * (x < 0 ? 1 : -1) : 0);
    q = start;
    for (double& x : q) x = std::remainder(x + 0.01, 2 * std::numbers::pi);
    const GeneralAnswer answer = arm.solver.solve(arm.pose(q), start);
    REQUIRE(answer.solved());
    CHECK(arm.inside_limits(answer.q));
    for (std::size_t i = 0; i < 6 && answer.restarts == 0; ++i) CHECK(std::abs(answer.q[i] - start[i]) <= 4);
  }
}

TEST_CASE("an aim ends where no neighbour that keeps the pose is better") {
  Arm arm{built(shipped_robot("iiwa14"))};
  Random random(704);
  std::mt19937_64 engine(9);
  const Numbers posture = random.numbers(7, 0.5);
  for (const SecondaryAim& aim : secondary_aims()) {
    int not_least = 0, not_ended = 0, worse = 0;
    double slowest = 0;
    for (int k = 0; k < draws(30); ++k) {
      const Numbers q = random_position(arm.model, engine), start = random_position(arm.model, engine);
      const Transform<double> target = arm.pose(q);
      GeneralOptions options;
      const GeneralAnswer plain = arm.solver.solve(target, start, options);
      REQUIRE(plain.solved());
      AimWork work(arm.solver.task());
      const double before = aim.value({arm.solver.task(), copy(plain.q), posture, work});
      options.aim = &aim;
      options.posture = posture;
      const GeneralAnswer answer = arm.solver.solve(target, start, options);
      REQUIRE(answer.solved());
      CHECK(arm.inside_limits(answer.q));
      CHECK(apart(arm.pose(answer.q), target) < 1e-10);
      not_ended += answer.aim_gradient <= options.aim_tolerance ? 0 : 1;
      slowest = std::max(slowest, 1.0 * answer.aim_iterations);
      worse += answer.aim_value <= before + 1e-12 ? 0 : 1;

      // a little aside in the null space, and back on the pose. At a limit the least may be one by the slope alone, and
      // a larger step aside leads down again: of three distances one must not be better
      const Numbers best = copy(answer.q);
      const double least = answer.aim_value, sigma_least = answer.smallest_singular_value;
      for (const double sign : {1.0, -1.0}) {
        Numbers B = copy(arm.solver.task().J()), U(36), sigma(6), null = random.numbers(7, 1);
        singular_values<double>(B, 6, 7, U, sigma);
        project_to_null_space<double>(B, sigma, 7, 6, null);
        int looked_at = 0, better = 0;
        for (const double by : {1e-2, 1e-3, 1e-4}) {
          Numbers aside = best;
          for (std::size_t i = 0; i < 7; ++i) aside[i] += sign * by * null[i];
          const GeneralAnswer beside = arm.solver.solve(target, aside);
          const double moved = difference(beside.q, best);
          if (!beside.solved() || beside.restarts > 0 || moved > 5 * by) continue;
          ++looked_at;
          // the slope that is left, and positions that are worth 1e-15 / sigma, values as much again
          const double gain = least - aim.value({arm.solver.task(), copy(beside.q), posture, work});
          better += gain > 10 * options.aim_tolerance * moved + 1e-14 / (sigma_least * sigma_least) ? 1 : 0;
        }
        not_least += looked_at > 0 && better == looked_at ? 1 : 0;
        arm.solver.solve(target, best);
      }
    }
    CAPTURE(aim.name);
    CAPTURE(slowest);
    CHECK(not_ended == 0);
    CHECK(worse == 0);
    CHECK(not_least == 0);
  }
}

TEST_CASE("the gradient of every aim is that of its value") {
  Random random(705);
  for (int k = 0; k < 20; ++k) {
    Arm arm = random_arm(random, 8);
    PoseTask task(arm.model, arm.frame);
    AimWork work(task);
    Numbers x = random.numbers(8, 0.4), posture = random.numbers(8, 1), g(8);
    // near the target only: there the error is as good as zero and the rows are those of the frame
    task.aim(arm.pose(x), {});
    const auto value = [&](const SecondaryAim& aim) {
      task.place(x);
      task.aim(task.pose(), {});
      task.place(x);
      task.linearise();
      return aim.value({task, x, posture, work});
    };
    for (const SecondaryAim& aim : secondary_aims()) {
      value(aim);
      aim.gradient({task, x, posture, work}, g);
      for (std::size_t i = 0; i < 8; ++i) {
        const double h = 1e-5, given = x[i];
        x[i] = given + h;
        const double above = value(aim);
        x[i] = given - h;
        const double below = value(aim);
        x[i] = given;
        CHECK(std::abs((above - below) / (2 * h) * task.joints()[i].unit - g[i]) < 1e-6 * (1 + std::abs(g[i])));
      }
    }
  }
}

TEST_CASE("an arm of five joints reaches any of its poses when the turn about the tool is free") {
  Random random(706);
  for (int k = 0; k < draws(60); ++k) {
    Arm arm = random_arm(random, 5);
    std::mt19937_64 engine(static_cast<std::uint64_t>(k));
    Transform<double> target = arm.pose(random_position(arm.model, engine));
    target.R = target.R * rotation_z(random.uniform(-3, 3));
    GeneralOptions options;
    options.weights = TaskWeights::free_turn_about_z();
    const GeneralAnswer answer = arm.solver.solve(target, random_position(arm.model, engine), options);
    REQUIRE(answer.solved());
    const Transform<double> there = arm.pose(answer.q);
    CHECK(apart(there.p, target.p) < 1e-10);
    CHECK(apart(there.R.z, target.R.z) < 1e-10);
  }
}

TEST_CASE("a position alone is reached by three joints, whatever the orientation") {
  Arm arm{built(shipped_robot("articulated3"))};
  std::mt19937_64 engine(10);
  GeneralOptions options;
  options.weights = TaskWeights::position();
  Random random(707);
  for (int k = 0; k < 100; ++k) {
    const Transform<double> target{random.rotation(), arm.pose(random_position(arm.model, engine)).p};
    const GeneralAnswer answer = arm.solver.solve(target, random_position(arm.model, engine), options);
    REQUIRE(answer.solved());
    CHECK(apart(arm.pose(answer.q).p, target.p) < 1e-10);
  }
}

TEST_CASE("what is out of reach is so by the right distance") {
  Arm arm{built(with_elbow_limits(-3, 3))};
  GeneralOptions options;
  options.weights = TaskWeights::position();
  const Numbers start{0.3, 0.5};
  for (const double x : {1.012, 2.0, 50.0}) {
    const GeneralAnswer answer = arm.solver.solve(Transform<double>::translation({0, x, 0}), start, options);
    CHECK(answer.status == GeneralStatus::out_of_reach);
    CHECK(answer.beyond_doubt);
    CHECK(answer.short_by == doctest::Approx(x - 1).epsilon(1e-6));
    CHECK(answer.position_residual == doctest::Approx(x - 1).epsilon(1e-6));
  }
  // aside of the plane: within its length, yet not there
  const GeneralAnswer aside = arm.solver.solve(Transform<double>::translation({0.5, 0, 0.25}), start, options);
  CHECK(aside.status == GeneralStatus::out_of_reach);
  CHECK(!aside.beyond_doubt);
  CHECK(aside.short_by == doctest::Approx(0.25).epsilon(1e-6));
  // the place is there, the orientation is not
  const Transform<double> tilted{rotation_x(0.4), {0.6, 0.2, 0}};
  const GeneralAnswer turned = arm.solver.solve(tilted, start);
  CHECK(turned.status == GeneralStatus::out_of_reach);
  CHECK(turned.short_by == 0);
  CHECK(turned.angle_residual > 0.1);
}

TEST_CASE("a limit in the way is named, with what is beyond it") {
  Arm arm{built(with_elbow_limits(-0.5, 0.7))}, free{built(with_elbow_limits(-infinity, infinity))};
  GeneralOptions options;
  options.weights = TaskWeights::position();
  const GeneralAnswer answer = arm.solver.solve(free.pose(Numbers{0.2, 0.9}), Numbers{0, 0}, options);
  CHECK(answer.status == GeneralStatus::outside_limits);
  CHECK(answer.limit_joint == 1);
  CHECK(std::abs(answer.beyond_limit) == doctest::Approx(0.2).epsilon(1e-6));
  CHECK(arm.inside_limits(answer.q));
  options.limits = false;
  CHECK(arm.solver.solve(free.pose(Numbers{0.2, 0.9}), Numbers{0, 0}, options).solved());
}

TEST_CASE("a stretched arm is singular, and says along what") {
  Arm arm{built(with_elbow_limits(-3, 3))};
  GeneralOptions options;
  options.weights = {{0, 0, 0}, {1, 1, 0}};
  const GeneralAnswer answer = arm.solver.solve(arm.pose(Numbers{0.4, 0}), Numbers{0.4, 1e-9}, options);
  CHECK(answer.status == GeneralStatus::singular);
  CHECK(answer.smallest_singular_value < 1e-6);
  CHECK(std::abs(dot(answer.lost.v, Vec3<double>{std::cos(0.4), std::sin(0.4), 0})) == doctest::Approx(1));
}

TEST_CASE("a frame of a tree, with joints that follow and joints that float, is solved by the joints on the way") {
  Random random(708);
  int solved = 0, tried = 0;
  for (int k = 0; k < draws(60); ++k) {
    Description d = random_robot(random, {.links = 14, .floating = k % 2 == 0, .mimics = true}).description;
    Arm arm{built(d)};
    Numbers q = random_state(random, arm.model).q;
    const Transform<double> target = arm.pose(q);
    const Numbers true_q = q;
    Numbers start = q;
    for (const TaskJoint& j : arm.solver.task().joints()) start[j.q] += random.uniform(-0.5, 0.5);
    const GeneralAnswer answer = arm.solver.solve(target, start);
    ++tried;
    if (!answer.solved()) continue;
    ++solved;
    CHECK(apart(arm.pose(answer.q), target) < 1e-9);
    // nothing else moved
    Numbers others = copy(answer.q);
    for (const TaskJoint& j : arm.solver.task().joints()) others[j.q] = start[j.q];
    CHECK(difference(others, start) == 0);
  }
  CHECK(solved >= tried * 95 / 100);
}

TEST_CASE("a target is out of reach by its distance however far it is, and axes that do not count put none far away") {
  Arm arm{built(shipped_robot("panda"))};
  const Numbers start(7, 0.1);
  const Vec3<double> direction{0.6, -0.64, 0.48};
  for (const double far : {1e5, 1e7, 1e8, 1e300}) {
    CAPTURE(far);
    const GeneralAnswer answer = arm.solver.solve(Transform<double>::translation(direction * far), start);
    REQUIRE(answer.status == GeneralStatus::out_of_reach);
    CHECK(answer.beyond_doubt);
    for (const double distance : {answer.short_by, answer.at_least, answer.position_residual})
      CHECK(std::abs(distance / far - 1) < 2 / far + 1e-12);
    CHECK(answer.at_least <= answer.short_by);
  }
  // only x and y of the target count
  GeneralOptions plane;
  plane.weights = {{0, 0, 0}, {1, 1, 0}};
  const GeneralAnswer free = arm.solver.solve(Transform<double>::translation({0.3, 0.2, 1e9}), start, plane);
  REQUIRE(free.solved());
  CHECK(free.position_residual < 1e-9);
}

TEST_CASE("nonsense in gives a status and finite numbers out") {
  Arm arm{built(shipped_robot("panda"))};
  const Numbers start(7, 0.1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto check = [&](const Transform<double>& target, View from, const GeneralOptions& options,
                         GeneralStatus status) {
    const GeneralAnswer answer = arm.solver.solve(target, from, options);
    CHECK(answer.status == status);
    for (const double x : answer.q) CHECK(std::isfinite(x));
    CHECK(std::isfinite(answer.position_residual));
    CHECK(std::isfinite(answer.smallest_singular_value));
  };
  check(Transform<double>::translation({nan, 0, 0}), start, {}, GeneralStatus::not_a_pose);
  check(Transform<double>::translation({1e300, 0, 0}), start, {}, GeneralStatus::out_of_reach);
  check(Transform<double>::translation({infinity, 0, 0}), start, {}, GeneralStatus::not_a_pose);
  check({Mat3<double>{}, {}}, start, {}, GeneralStatus::not_a_pose);
  check(Transform<double>::translation({1e5, -1e5, 3}), start, {}, GeneralStatus::out_of_reach);
  check({}, Numbers(7, nan), {}, arm.solver.solve({}, Numbers(7, 0.0)).status);
  for (const TaskWeights& w : {TaskWeights{{0, 0, 0}, {0, 0, 0}}, TaskWeights{{1, 0, 0}, {1, 1, 1}},
                               TaskWeights{{1, 1, 1}, {-1, 1, 1}}, TaskWeights{{nan, 1, 1}, {1, 1, 1}}}) {
    GeneralOptions options;
    options.weights = w;
    check(arm.pose(start), start, options, GeneralStatus::not_a_task);
  }
}

TEST_CASE("poses next to a singular wrist are found, however near") {
  for (const char* name : {"puma560", "stanford", "ur5", "sixr_sim"}) {
    Arm arm{built(shipped_robot(name))};
    std::mt19937_64 engine(12);
    int unsolved = 0;
    for (int k = 0; k < draws(150); ++k) {
      Numbers q = random_position(arm.model, engine);
      q[4] = std::pow(10, -3 - k % 5);
      unsolved += arm.solver.solve(arm.pose(q), random_position(arm.model, engine)).solved() ? 0 : 1;
    }
    CAPTURE(name);
    CHECK(unsolved == 0);
  }
}

TEST_CASE("slides are metres: no turn is taken off a long one") {
  Description gantry;
  gantry.name = "gantry";
  for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}}) {
    LinkDescription link;
    link.name = "link" + std::to_string(gantry.links.size());
    link.joint_name = "slide" + std::to_string(gantry.links.size());
    link.kind = JointKind::prismatic;
    link.geometry = JointPlacement{{}, axis};
    link.limits = {-20, 20};
    link.parts = {{1, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}}};
    gantry.links.push_back(std::move(link));
  }
  Arm arm{built(gantry)};
  const Numbers wanted{17, -3};
  const GeneralAnswer answer = arm.solver.solve(arm.pose(wanted), Numbers{-18, 15});
  REQUIRE(answer.solved());
  CHECK(difference(answer.q, wanted) < 1e-12);
}

TEST_CASE("from a start near the answer few iterations do") {
  for (const char* name : {"panda", "puma560", "ur5"}) {
    Arm arm{built(shipped_robot(name))};
    std::mt19937_64 engine(11);
    Random random(710);
    int iterations = 0, starts = 0;
    for (int k = 0; k < 200; ++k) {
      const Numbers q = random_position(arm.model, engine);
      Numbers start = q;
      for (double& x : start) x += random.uniform(-0.05, 0.05);
      const GeneralAnswer answer = arm.solver.solve(arm.pose(q), start);
      REQUIRE(answer.solved());
      if (answer.smallest_singular_value < 0.02) continue;
      iterations += answer.iterations;
      ++starts;
    }
    CAPTURE(name);
    CHECK(iterations <= 6 * starts);
    CHECK(starts > 100);
  }
}

TEST_CASE("an arm of thirty joints is as easy as one of seven") {
  Random random(709);
  for (int k = 0; k < 10; ++k) {
    Arm arm = random_arm(random, 30);
    std::mt19937_64 engine(static_cast<std::uint64_t>(k));
    const Numbers q = random_position(arm.model, engine), start = random_position(arm.model, engine);
    const Transform<double> target = arm.pose(q);
    const GeneralAnswer answer = arm.solver.solve(target, start);
    REQUIRE(answer.solved());
    CHECK(apart(arm.pose(answer.q), target) < 1e-10);
  }
}
