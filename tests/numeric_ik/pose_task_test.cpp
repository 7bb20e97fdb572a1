#include "torsor/numeric_ik/pose_task.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Largest difference of J and central differences of e, relative to the largest entry of J; as it is where J is zero, as
/// for the place of a frame whose origin is on all axes.
double derivative_error(PoseTask& task, Numbers x) {
  task.place(x);
  task.linearise();
  const Numbers J(task.J().begin(), task.J().end());
  const std::size_t n = x.size();
  double worst = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double h = 1e-6, given = x[k];
    x[k] = given + h;
    task.place(x);
    const Numbers above(task.e().begin(), task.e().end());
    x[k] = given - h;
    task.place(x);
    for (std::size_t i = 0; i < above.size(); ++i) {
      const double slope = (above[i] - task.e()[i]) / (2 * h) * task.joints()[k].unit;
      worst = std::max(worst, std::abs(slope - J[i * n + k]));
    }
    x[k] = given;
  }
  const double size = largest(J);
  return size > 0 ? worst / size : worst;
}

const TaskWeights tasks[] = {{},
                             {{1, 2, 0.5}, {1, 0.2, 3}},
                             TaskWeights::position(),
                             TaskWeights::free_turn_about_z(),
                             {{0, 1, 2}, {1, 1, 1}},
                             {{1, 0, 1}, {0, 1, 1}},
                             {{1, 1, 1}, {0, 0, 0}}};

}  // namespace

TEST_CASE("J is the derivative of the error, however large, for every choice of what counts") {
  Random random(730);
  for (const TaskWeights& weights : tasks) {
    int near_half_turn = 0;
    for (int k = 0; k < draws(40); ++k) {
      const Model<double> model = built(random_dh_arm(random, 6, Convention::standard_dh, 0.2));
      PoseTask task(model, model.frames.back());
      task.aim(random.transform(1), weights);
      const Numbers x = random.numbers(6, 2);
      task.place(x);
      // at half a turn the error jumps to the other side
      if (task.angle_error() > 2.9) {
        ++near_half_turn;
        continue;
      }
      CHECK(derivative_error(task, x) < 1e-8);
    }
    CHECK(near_half_turn < draws(40) / 2);
  }
}

TEST_CASE("J is right for joints that follow others, and for slides") {
  Random random(731);
  for (int k = 0; k < draws(40); ++k) {
    const Model<double> model =
        built(random_robot(random, {.links = 9, .branching = 0.1, .one_dof = true, .mimics = true}).description);
    PoseTask task(model, model.frames.back());
    if (task.n() == 0) continue;
    const Numbers x = random.numbers(task.n(), 1);
    task.aim(random.transform(1), TaskWeights::position());
    CHECK(derivative_error(task, x) < 1e-7);
  }
}

TEST_CASE("a turn that is free counts nothing, also past half a turn") {
  Random random(732);
  const Model<double> model = built(random_dh_arm(random, 6, Convention::standard_dh));
  PoseTask task(model, model.frames.back());
  const Numbers x = random.numbers(6, 2);
  task.aim({}, {});
  task.place(x);
  const Transform<double> there = task.pose();
  for (const double angle : {0.3, 3.1, 3.1415926, -3.1, 6.0}) {
    task.aim({there.R * rotation_z(angle), there.p}, TaskWeights::free_turn_about_z());
    CHECK(task.place(x) < 1e-28);
    CHECK(task.angle_error() < 1e-14);
  }
}

TEST_CASE("weights that make no task are told from those that do") {
  for (const TaskWeights& weights : tasks) CHECK(is_task(weights));
  CHECK(!is_task({{0, 0, 0}, {0, 0, 0}}));
  CHECK(!is_task({{0, 1, 0}, {1, 1, 1}}));
  CHECK(!is_task({{1, 1, 1}, {1, -1, 1}}));
  CHECK(!is_task({{1, 1, 1}, {1, INFINITY, 1}}));
  CHECK(!is_task({{NAN, 1, 1}, {1, 1, 1}}));
}

TEST_CASE("no position takes the frame farther than its reach") {
  Random random(733);
  for (int k = 0; k < 50; ++k) {
    Description arm = random_dh_arm(random, 5, Convention::modified_dh, 0.3);
    for (LinkDescription& link : arm.links)
      if (link.kind == JointKind::prismatic) link.limits = {-0.3, 0.5};
    const Model<double> model = built(arm);
    PoseTask task(model, model.frames.back());
    task.aim({}, {});
    for (int j = 0; j < 50; ++j) {
      Numbers x = random.numbers(5, 3);
      for (std::size_t i = 0; i < 5; ++i) x[i] = std::clamp(x[i], task.joints()[i].lower, task.joints()[i].upper);
      task.place(x);
      CHECK(norm(task.pose().p - task.root()) <= task.reach() * (1 + 1e-14));
    }
  }
}
