#include "torsor/control/control_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/control/controlled_tool.hpp"
#include "torsor/numeric_ik/follow_path.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/position_path.hpp"

namespace torsor {
namespace {

Fault task_error(std::string offender, std::string what, std::string remedy) {
  return {{}, "task: " + std::move(offender), "task", std::move(what), std::move(remedy)};
}

/// Every joint whose start is outside its limits: a plan could begin a whole turn away only.
Faults start_faults(const Model<double>& model, std::span<const double> start) {
  Faults errors;
  for (int i = 0; i < model.size(); ++i) {
    const Body<double>& b = model[i];
    if (row(b.kind).nv != 1 || model.joint_names[i] != model.position_names[b.q]) continue;  // mimics have none
    const Limits& limits = model.limits[b.v];
    if (start[b.q] >= limits.lower && start[b.q] <= limits.upper) continue;
    errors.push_back({{},
                      fmt::format("task: start of joint \"{}\"", model.velocity_names[b.v]),
                      "start-limit",
                      fmt::format("{:.10g} is outside its range", start[b.q]),
                      fmt::format("give {:.10g} to {:.10g}", limits.lower, limits.upper)});
  }
  return errors;
}

/// What makes no task of this robot, whatever it can do.
Faults check(const Model<double>& model, const ControlTask& task) {
  Faults errors = check_task(task);
  if (const std::string why = control_refusal(model); !why.empty())
    errors.push_back(task_error("robot", why, "the laws are for arms of simple joints"));
  if (task.start.size() != static_cast<std::size_t>(model.nq))
    errors.push_back(
        task_error("start", fmt::format("has {} entries", task.start.size()), fmt::format("give {}", model.nq)));
  if (!errors.empty()) return errors;
  return start_faults(model, task.start);
}

Result<PathMotion> end_effector_motion(const Transform<double>& X, const ControlTask& task) {
  const double turn = norm(task.turn);
  const TurnPath orientation{X.R, turn > 0 ? ~X.R * (task.turn * (1 / turn)) : Vec3<double>{0, 0, 1}, turn};
  const auto law = pace("quintic", task.duration);
  if (!law) return law.faults();
  if (task.kind != TaskKind::arc) return PathMotion(LinePath{X.p, X.p + task.way}, orientation, *law);

  // from the foot of the start on the axis
  const Vec3<double> out = X.p - task.centre, x = out - task.axis * dot(task.axis, out);
  if (!(norm(x) > 0)) return task_error("centre", "the tool starts on the axis of the arc", "move the centre");
  return PathMotion(ArcPath{X.p - x, x, cross(task.axis, x), task.angle}, orientation, *law);
}

FollowOptions follow_options(const Model<double>& model, std::span<const double> start) {
  FollowOptions options;
  if (model.nv < 6) options.weights = TaskWeights::position();
  options.posture = start;
  return options;
}

Transform<double> pose_of_tool(const Model<double>& model, const Frame<double>& tool, std::span<const double> q) {
  FrameMotions motions(model);
  motions.set(model, q, {}, {});
  return motions.of(tool).X;
}

/// The least singular value on the way, sampled coarsely; nothing where the robot cannot follow.
std::optional<double> ease(const Model<double>& model, const Frame<double>& tool, const ControlTask& task) {
  const auto motion = end_effector_motion(pose_of_tool(model, tool, task.start), task);
  if (!motion) return std::nullopt;
  const FollowedPath followed = follow_path(model, tool, nullptr, path_of(*motion), task.duration, task.duration / 16,
                                            task.start, follow_options(model, task.start));
  if (!followed.finished()) return std::nullopt;
  ControlledTool controlled(model, tool);
  double least = 1;
  for (const PathSample& sample : followed.samples) {
    controlled.set(sample.q, sample.qd);
    controlled.factor();
    least = std::min(least, controlled.smallest_singular_value());
  }
  return least;
}

/// The arc on which one turning joint moves the tool, as far as its limits allow.
std::optional<ControlTask> own_arc(const Model<double>& model, const Frame<double>& tool, ControlTask task) {
  FrameMotions motions(model);
  const std::vector<double> rate{1};
  motions.set(model, task.start, rate, {});
  const FrameMotion m = motions.of(tool);
  if (!(norm(m.w) > 0)) return std::nullopt;
  task.centre = m.X.p - cross(m.v, m.w);
  for (task.angle = 2 * std::numbers::pi; task.angle > 0.01; task.angle /= 2)
    for (const double side : {1.0, -1.0}) {
      task.axis = unit(m.w) * side;
      if (ease(model, tool, task)) return task;
    }
  return std::nullopt;
}

/// Why there is no task to be found from a start.
Fault no_task(const Model<double>& model, const Frame<double>& tool, const ControlTask& task) {
  if (model.nv == 1)
    return task_error("start", "one joint moves the tool on one curve, which is not of this kind",
                      task.kind == TaskKind::arc ? "use the task line" : "use the task arc");
  ControlledTool controlled(model, tool);
  controlled.set(task.start, std::vector<double>(static_cast<std::size_t>(model.nv)));
  controlled.factor();
  if (controlled.smallest_singular_value() < 1e-3)
    return task_error("start", "is a singular position: there the tool cannot set out in every direction",
                      "give joint positions away from it");
  return task_error("start", "none of the ways along the axes of the world that were tried can be followed from there",
                    "give another start");
}

/// Of many positions in the middle of the ranges, the one farthest from singular.
std::vector<double> regular_position(const Model<double>& model, const Frame<double>& tool) {
  std::mt19937_64 engine(1);
  const std::vector<Limits> bounds = position_bounds(model);
  ControlledTool controlled(model, tool);
  const std::vector<double> at_rest(static_cast<std::size_t>(model.nv));
  std::vector<double> best;
  double value = -1;
  for (int k = 0; k < 300; ++k) {
    std::vector<double> q = random_position(model, engine);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.4 * ((bounds[i].lower + bounds[i].upper) / 2 - q[i]);
    controlled.set(q, at_rest);
    controlled.factor();
    if (controlled.smallest_singular_value() <= value) continue;
    value = controlled.smallest_singular_value();
    best = std::move(q);
  }
  return best;
}

double moved_mass(const Model<double>& model) {
  double mass = 0;
  for (const Body<double>& body : model.bodies) mass += body.inertia.m;
  return mass;
}

}  // namespace

ControlReference ControlPlan::at(double t) {
  joints_.sample(t, q_, qd_, qdd_);
  return {q_, qd_, qdd_, tool_.sample(t), {}};
}

std::vector<JointKnot> ControlPlan::knots(int count) const {
  std::vector<JointKnot> knots;
  std::vector<double> q(q_.size()), rates(q_.size()), accelerations(q_.size());
  for (int k = 0; k < count; ++k) {
    const double t = count > 1 ? duration() * k / (count - 1) : 0;
    joints_.sample(t, q, rates, accelerations);
    knots.push_back({t, q});
  }
  return knots;
}

Result<ControlPlan> plan_task(const Model<double>& model, const Frame<double>& tool, const ControlTask& task,
                              double period) {
  if (Faults errors = check(model, task); !errors.empty()) return errors;
  const Transform<double> start = pose_of_tool(model, tool, task.start);
  if (const double depth = dot(task.wall.normal, task.wall.point - start.p);
      task.kind == TaskKind::contact && depth > 0)
    return task_error("wall", fmt::format("the tool starts {:.3g} m behind it", depth),
                      "give a start before the wall, to where its normal points");
  auto motion = end_effector_motion(start, task);
  if (!motion) return motion.faults();

  // a whole number of equal steps
  const double steps = std::clamp(std::ceil(task.duration / period), 16.0, 1e6);
  const FollowedPath followed = follow_path(model, tool, nullptr, path_of(*motion), task.duration,
                                            task.duration / steps, task.start, follow_options(model, task.start));
  if (!followed.finished())
    return task_error("way", explanation(followed, model), "give a start, a way or a centre that the robot can follow");
  std::vector<MotionRow> rows;
  ControlPlan plan;
  plan.smallest_ = 1;
  ControlledTool controlled(model, tool);
  for (const PathSample& sample : followed.samples) {
    if (sample.rates == RatesFrom::least)
      return task_error(
          "way", fmt::format("passes a singular position at {:.4g} s, where the tool cannot move as asked", sample.t),
          "give another start or way");
    rows.push_back({sample.t, sample.q, sample.qd, sample.qdd});
    controlled.set(sample.q, sample.qd);
    controlled.factor();
    plan.smallest_ = std::min(plan.smallest_, controlled.smallest_singular_value());
  }
  auto joints = sampled_motion(rows);
  if (!joints) return joints.faults();
  plan.tool_ = *std::move(motion);
  plan.joints_ = *std::move(joints);
  for (auto* x : {&plan.q_, &plan.qd_, &plan.qdd_}) x->resize(static_cast<std::size_t>(model.nv));
  return plan;
}

Result<ControlTask> default_task(TaskKind kind, const Model<double>& model, const Frame<double>& tool,
                                 std::vector<double> start) {
  ControlTask task;
  task.kind = kind;
  task.start = std::move(start);
  if (!control_refusal(model).empty())
    return task_error("robot", control_refusal(model), "the laws are for arms of simple joints");
  if (task.start.empty()) task.start = regular_position(model, tool);
  if (task.start.size() != static_cast<std::size_t>(model.nq))
    return task_error("start", fmt::format("has {} entries", task.start.size()), fmt::format("give {}", model.nq));
  if (Faults errors = start_faults(model, task.start); !errors.empty()) return errors;
  const Vec3<double> p = pose_of_tool(model, tool, task.start).p;
  if (model.nv >= 6) task.turn = {0, 0, 0.4};

  // along the axes of the world, shorter and shorter until there is one to follow
  const std::array<Vec3<double>, 6> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  double length = PoseTask(model, tool).length() * (kind == TaskKind::contact ? 0.2 : 0.4);
  std::optional<ControlTask> best;
  double best_ease = 0;
  for (int halving = 0; halving < 6 && !best; ++halving, length /= 2)
    for (const Vec3<double>& way : axes)
      for (const Vec3<double>& axis : axes) {
        if (kind == TaskKind::arc ? dot(way, axis) != 0 : axis.x != 1) continue;
        task.way = way * length;
        if (kind == TaskKind::arc) {
          task.way = {};
          task.axis = axis;
          task.angle = 2 * std::numbers::pi;
          task.centre = p + way * (length / std::numbers::pi);
        }
        const auto found = ease(model, tool, task);
        if (!found || *found <= best_ease) continue;
        best_ease = *found;
        best = task;
      }
  if (!best && kind == TaskKind::arc && model.nv == 1) best = own_arc(model, tool, task);
  if (!best) return no_task(model, tool, task);

  // the wall five millimetres before the end; a payload at the middle
  if (kind == TaskKind::contact) {
    const Vec3<double> direction = unit(best->way);
    best->wall.normal = Vec3<double>{} - direction;
    best->wall.point = p + best->way - direction * 0.005;
  }
  if (kind == TaskKind::payload) {
    best->payload = 0.1 * moved_mass(model);
    best->payload_time = best->duration / 2;
  }
  return *best;
}

}  // namespace torsor
