#include "torsor/control/control_plan.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/support/closed_loop.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE(
    "for every kind of task and every arm there is one that suits it, and joints and hand of its plan belong "
    "together") {
  for (const char* name : {"puma560", "panda", "ur5", "stanford", "scara", "two_link", "cartesian3"}) {
    const Model<double> model = robot_named(name);
    const Frame<double>& tool = model.frames.back();
    FrameMotions motions(model);
    for (const std::string_view kind : task_kind_names) {
      CAPTURE(name);
      CAPTURE(kind);
      const auto task = default_task(*task_kind(kind), model, tool, {});
      REQUIRE(task);
      auto plan = plan_task(model, tool, *task, 4e-3);
      REQUIRE(plan);
      CHECK(plan->smallest_singular_value() > DampedInverse::damped_below);
      // between the samples, too: the quintics are wrong by the sixth power of 4 ms
      for (const double t : {0.0, 0.1234, 0.5, 0.777, 1.0, 1.2}) {
        const ControlReference r = plan->at(t);
        motions.set(model, r.q, r.qd, r.qdd);
        const FrameMotion m = motions.of(tool);
        CHECK(norm(m.X.p - r.tool.X.p) < 1e-8);
        CHECK(norm(m.v - r.tool.twist.v) < 1e-6);
        CHECK(norm(m.a - r.tool.acceleration.v) < 1e-4);
        if (model.nv < 6) continue;
        CHECK(norm(pose_error(r.tool.X, m.X).w) < 1e-8);
        CHECK(norm(m.w - r.tool.twist.w) < 1e-6);
      }
      if (task->kind == TaskKind::arc) {
        CHECK(norm(plan->tool(1).X.p - plan->tool(0).X.p) < 1e-12);  // once around
        CHECK(plan->length() > 0.01);
      }
      if (task->kind == TaskKind::contact) {
        CHECK(dot(plan->tool(0).X.p - task->wall.point, task->wall.normal) > 0);
        CHECK(dot(plan->tool(1).X.p - task->wall.point, task->wall.normal) == doctest::Approx(-0.005));
      }
    }
  }
}

TEST_CASE("the knots of a plan are positions on it") {
  const Model<double> model = robot_named("puma560");
  auto plan = *plan_task(model, model.frames.back(), *default_task(TaskKind::line, model, model.frames.back(), {}));
  const auto knots = plan.knots(5);
  REQUIRE(knots.size() == 5);
  for (const JointKnot& knot : knots) {
    const ControlReference r = plan.at(knot.t);
    CHECK(std::equal(knot.q.begin(), knot.q.end(), r.q.begin()));
  }
  CHECK(knots.back().t == plan.duration());
}

TEST_CASE("a task that makes no sense or leads out of the workspace is told with all its faults") {
  const Model<double> model = robot_named("puma560");
  const Frame<double>& tool = model.frames.back();
  const ControlTask sound = *default_task(TaskKind::line, model, tool, {});
  const auto faults = [&](const auto& change) {
    ControlTask task = sound;
    change(task);
    const auto plan = plan_task(model, tool, task);
    REQUIRE_FALSE(plan);
    return plan.faults();
  };
  CHECK(faults([](ControlTask& t) { t.way = {50, 0, 0}; }).front().what.find("reach") != std::string::npos);
  CHECK(faults([](ControlTask& t) { t.start.pop_back(); }).front().offender == "task: start");
  CHECK(faults([](ControlTask& t) { t.start[2] = NAN; }).front().offender == "task: start");
  CHECK(faults([](ControlTask& t) { t.way = {}; }).front().offender == "task: way");
  CHECK(faults([](ControlTask& t) {
          t.duration = -1;
          t.rest = NAN;
        }).size() == 2);
  CHECK(faults([](ControlTask& t) {
          t.kind = TaskKind::arc;
          t.axis = {1, 1, 0};
        }).size() == 2);  // and no angle
  CHECK(faults([](ControlTask& t) {
          t.kind = TaskKind::contact;
          t.wall = {{}, {0, 0, 2}, -1, INFINITY};
        }).size() == 3);
  CHECK(faults([](ControlTask& t) {
          t.kind = TaskKind::payload;
          t.payload = NAN;
          t.payload_time = 99;
        }).size() == 2);
  CHECK_FALSE(default_task(TaskKind::line, model, tool, {1, 2}));
  CHECK_FALSE(default_task(TaskKind::line, robot_named("floating"), model.frames.back(), {}));
}

TEST_CASE("a plan begins at the start that is given, on the same turn, and a start outside the limits is refused") {
  const Model<double> puma = robot_named("puma560"), ur5 = robot_named("ur5");
  for (const double waist : {3.0, 6.283185307}) {
    const auto refused = default_task(TaskKind::line, puma, puma.frames.back(), {waist, 0.7, -2, 0, 0.5, 0});
    REQUIRE_FALSE(refused);
    REQUIRE(refused.faults().size() == 1);
    CHECK(refused.faults().front().rule == "start-limit");
    CHECK(refused.faults().front().offender.find("waist") != std::string::npos);
  }
  ControlTask task = *default_task(TaskKind::line, ur5, ur5.frames.back(), {});
  const double turn = task.start[5] > 0 ? -2 * std::numbers::pi : 2 * std::numbers::pi;
  for (int k = 0; k < 2; ++k, task.start[5] += turn) {
    auto plan = plan_task(ur5, ur5.frames.back(), task, 4e-3);
    REQUIRE(plan);
    for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(plan->at(0).q[i] - task.start[i]) < 1e-9);
  }
  task.start[5] = 8;
  task.start[0] = -8;
  CHECK(plan_task(ur5, ur5.frames.back(), task).faults().size() == 2);
}

TEST_CASE("a hand that starts behind the wall is refused, and told how far") {
  const Model<double> puma = robot_named("puma560");
  ControlTask task = *default_task(TaskKind::contact, puma, puma.frames.back(), {});
  CHECK(plan_task(puma, puma.frames.back(), task));
  task.wall.point = task.wall.point - task.way * 1.5;
  const auto refused = plan_task(puma, puma.frames.back(), task);
  REQUIRE_FALSE(refused);
  CHECK(refused.faults().front().offender == "task: wall");
  CHECK(refused.faults().front().what.find("behind it") != std::string::npos);
}

TEST_CASE("an arm of one joint has the arc about its axis, and a singular start is called that") {
  Description rod = *load_robot("two_link");
  rod.links.pop_back();
  const Model<double> pendulum = built(rod), puma = robot_named("puma560");
  const Frame<double>& bob = pendulum.frames.back();
  const auto arc = default_task(TaskKind::arc, pendulum, bob, {});
  REQUIRE(arc);
  CHECK(plan_task(pendulum, bob, *arc));
  const auto line = default_task(TaskKind::line, pendulum, bob, {});
  REQUIRE_FALSE(line);
  CHECK(line.faults().front().what.find("one joint") != std::string::npos);
  const auto singular = default_task(TaskKind::line, puma, puma.frames.back(), {0, 0.7, -2, 0, 0, 0});
  REQUIRE_FALSE(singular);
  CHECK(singular.faults().front().what.find("singular") != std::string::npos);
}
