#include "cli/hand_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/ik/det_jacobian.hpp"
#include "torsor/ik/settle_branch.hpp"
#include "torsor/ik/solve_rates_6x6.hpp"
#include "torsor/ik/task_rates.hpp"
#include "torsor/io/text_table.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

/// The motion of another frame of the same body, whose origin is at r (world) from that of the first.
CartesianState moved(const CartesianState& state, const Transform<double>& X_first_other) {
  const Vec3<double> r = state.X.R * X_first_other.p;
  const Motion<double>&t = state.twist, &a = state.acceleration;
  return {state.X * X_first_other, {t.w, t.v + cross(t.w, r)}, {a.w, a.v + cross(a.w, r) + cross(t.w, cross(t.w, r))}};
}

}  // namespace

HandSolver::HandSolver(const Robot& robot, const Frame<double>& tool, const HandTask& task)
    : model_(&robot.model()), task_(task), tool_(tool), hand_(robot.model().frames.back()) {
  auto arm = arm_solver(robot.description());
  if (!task.free.empty())
    refusal_ = {{{}, "task", "ik-task", task.free, ""}};
  else if (tool.body != hand_.body)
    refusal_ = {{{}, fmt::format("tool \"{}\"", tool.name), "ik-tool", "is not on the last link", ""}};
  else if (arm)
    arm_ = *std::move(arm);
  else
    refusal_ = arm.faults();
  if (!arm_) hand_ = tool;
  X_hand_tool_ = inverse(hand_.X_body_frame) * tool.X_body_frame;
  general_ = std::make_unique<GeneralSolver>(robot.model(), tool);
}

IkAnswer HandSolver::branches(const Transform<double>& X_world_tool) const {
  return arm_->position(X_world_tool * inverse(X_hand_tool_));
}

void HandSolver::settle(const Transform<double>& X_world_tool, IkBranch& branch) {
  settle_branch(*general_, X_world_tool, branch);
}

std::optional<IkBranch> HandSolver::nearest(const IkAnswer& answer, std::span<const double> near) const {
  std::optional<IkBranch> best;
  double least = 0;
  for (IkBranch branch : answer.branches()) {
    arm_->bring_near(near, branch);
    double farthest = 0;
    for (std::size_t k = 0; k < 6; ++k)
      if (!branch.free[k] || branch.wrist_sign != 0) farthest = std::max(farthest, std::abs(branch.q[k] - near[k]));
    // any inside the limits before any outside
    const double cost = farthest + (inside_limits(branch) ? 0 : 1e9);
    if (best && cost >= least) continue;
    best = branch;
    least = cost;
  }
  return best;
}

std::optional<IkBranch> HandSolver::straightened(const Transform<double>& X_world_tool, std::span<const double> near,
                                                 const IkBranch& branch) const {
  constexpr double near_enough = 1e-3;
  const auto* const wrist = std::get_if<WristArm>(&arm_->arm);
  if (!wrist || branch.wrist_sign != 0 || !(branch.factor[2] < near_enough)) return std::nullopt;
  // theta_5 to the whole half turn
  std::array<double, 6> q = branch.q;
  const std::size_t k = wrist->backwards ? 1 : 4;
  const double sign = wrist->backwards ? -1 : 1, offset = wrist->joint[4].theta, pi = std::numbers::pi;
  q[k] = sign * (pi * std::nearbyint((sign * q[k] + offset) / pi) - offset);
  const IkAnswer answer = branches(tool_pose(q));
  for (IkBranch b : answer.branches()) {
    double apart = 0;
    for (std::size_t i = 0; i < 6; ++i)
      if (!b.free[i]) apart = std::max(apart, std::abs(std::remainder(b.q[i] - q[i], 2 * pi)));
    if (b.wrist_sign == 0 || !(apart < near_enough)) continue;
    arm_->bring_near(near, b);
    const Transform<double> X = tool_pose(b.q);
    const Mat3<double> off = ~X_world_tool.R * X.R;
    b.position_residual = norm(X.p - X_world_tool.p);
    b.angle_residual = norm(Vec3<double>{off.y.z - off.z.y, off.z.x - off.x.z, off.x.y - off.y.x}) / 2;
    return b;
  }
  return std::nullopt;
}

Transform<double> HandSolver::tool_pose(const std::array<double, 6>& q) const {
  return arm_->tool_pose(q) * X_hand_tool_;
}

GeneralAnswer HandSolver::solve(const Transform<double>& X_world_tool, std::span<const double> start) const {
  GeneralOptions options;
  options.weights = task_.weights;
  options.aim = task_.aim;
  options.seed = task_.seed;
  return general_->solve(X_world_tool, start, options);
}

JointRates HandSolver::joint_rates(const IkBranch& branch, const ToolMotion& motion) const {
  JointRates rates = arm_->rates(branch, motion);
  // a singular branch is one of the snapped arm, and so is what it loses
  const bool is_followed = rates.status == RateStatus::ok || rates.status == RateStatus::near_singular;
  if (arm_->snaps().empty() || !is_followed) return rates;
  Configuration<double> configuration(*model_);
  configuration.set(*model_, branch.q);
  std::vector<Transform<double>> X(model_->bodies.size());
  forward_kinematics<double>(*model_, configuration, X);
  const JointRates described = solve_rates_6x6(tool_columns(*model_, X, hand_), motion);
  rates.qd = described.qd;
  rates.qdd = described.qdd;
  return rates;
}

HandRates HandSolver::rates(const IkBranch& branch, const CartesianState& state) const {
  const JointRates rates = joint_rates(branch, {state.twist, state.acceleration, X_hand_tool_.p});
  const auto words = [&](const Motion<double>& missed, const char* per) {
    if (rates.status != RateStatus::singular) return std::string(status_name(rates.status));
    return fmt::format("singular: missed by {} m/{}, {} rad/{}", format_number(norm(missed.v), 3), per,
                       format_number(norm(missed.w), 3), per);
  };
  return {{rates.qd.begin(), rates.qd.end()},
          {rates.qdd.begin(), rates.qdd.end()},
          words(rates.missed_twist, "s"),
          words(rates.missed_acceleration, "s²")};
}

double HandSolver::determinant(const IkBranch& branch) const {
  // it does not depend on which point of the hand moves
  const auto* const wrist = std::get_if<WristArm>(&arm_->arm);
  return wrist ? det_jacobian(*wrist, branch) : determinant_6x6(tool_columns(std::get<ParallelArm>(arm_->arm), branch));
}

HandRates HandSolver::rates(std::span<const double> q, const CartesianState& state) {
  PoseTask& task = general_->task();
  task.hold(q);
  task.aim(state.X, task_.weights);
  std::vector<double> x, xd(task.joints().size()), xdd(xd);
  for (const TaskJoint& joint : task.joints()) x.push_back(q[static_cast<std::size_t>(joint.q)]);
  task.place(x);
  task.linearise();
  RateOptions options;
  options.limits = false;
  const RateAnswer answer = TaskRates(task).solve(task, x, state.twist, state.acceleration, options, xd, xdd);
  const auto nv = static_cast<std::size_t>(model_->nv);
  const auto words = [&](double residual) {
    if (answer.lost == 0) return std::string("ok");
    return fmt::format("singular: {} lost, missed by {} of half the arm's length",
                       answer.lost == 1 ? "a direction is" : "directions are", format_number(residual, 3));
  };
  HandRates rates{std::vector<double>(nv), std::vector<double>(nv), words(answer.velocity_residual),
                  words(answer.acceleration_residual)};
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto v = static_cast<std::size_t>(task.joints()[k].v);
    rates.qd[v] = xd[k];
    rates.qdd[v] = xdd[k];
  }
  return rates;
}

std::vector<double> HandSolver::aimed(const HandPath& path, std::vector<double> start) const {
  // nearness to the start is what the follower begins with
  if (!task_.aim || closed() || task_.aim->name == "near") return start;
  const GeneralAnswer answer = solve(path.at(0).X, start);
  if (answer.solved()) start.assign(answer.q.begin(), answer.q.end());
  return start;
}

Faults HandSolver::check_aim() const {
  if (!task_.aim) return {};
  const std::size_t joints = general_->task().joints().size();
  std::size_t counted = 0;
  for (const Vec3<double>& part : {task_.weights.turn, task_.weights.shift})
    for (const double weight : {part.x, part.y, part.z}) counted += weight > 0;
  if (joints > counted) return {};
  return {{{},
           fmt::format("--aim {}", task_.aim->name),
           "option-mode",
           fmt::format("{} joints for {} components of the pose leave nothing to choose", joints, counted),
           "--position-only or --free-turn leave something, and so do arms of more joints"}};
}

FollowedPath HandSolver::follow(const HandPath& path, std::span<const double> start, bool limits,
                                std::span<const double> posture, bool jumps) const {
  FollowOptions options;
  options.jumps = jumps;
  options.weights = task_.weights;
  options.aim = task_.aim;
  options.seed = task_.seed;
  options.limits = limits;
  options.posture = posture;
  const Transform<double> X_tool_hand = inverse(X_hand_tool_);
  const PathOfTime hand = [&](double u) {
    const CartesianState state = moved(path.at(u), X_tool_hand);
    return PathInstant{state.X, state.twist, state.acceleration};
  };
  FollowedPath followed = follow_path(*model_, hand_, closed(), hand, path.duration, path.period, start, options);
  for (PathSample& sample : followed.samples) {
    const double h = path.step(sample.t);
    sample.t = path.time(sample.t);
    for (double& x : sample.qd) x /= h;
    for (double& x : sample.qdd) x /= h * h;
  }
  followed.stop_time = path.time(followed.stop_time);
  followed.asked_time = path.time(followed.asked_time);
  return followed;
}

Result<std::vector<double>> choose_start(const HandSolver& solver, const HandPath& path,
                                         const std::optional<BranchChoice>& choice,
                                         const std::optional<std::vector<double>>& near) {
  const Model<double>& model = solver.model();
  if (!solver.closed()) {
    if (choice)
      return Fault{
          {},
          "--branch",
          "ik-branch",
          fmt::format("{} has no closed form whose branches had names: {}", model.name, solver.refusal().front().what),
          "give joint positions near the branch with --q"};
    if (near) return *near;
    if (path.start && model.nq == 6) return std::vector<double>(path.start->begin(), path.start->end());
    return neutral_position(model);
  }
  const IkAnswer answer = solver.branches(path.at(0).X);
  if (answer.status != PoseStatus::solved) return near ? *near : neutral_position(model);  // the follower says why
  std::optional<IkBranch> best;
  const bool as_published = path.start && !near && !choice;
  if (near || as_published) {
    best = solver.nearest(answer, near ? std::span<const double>(*near) : *path.start);
  } else {
    const auto cost = [](const IkBranch& b) { return (inside_limits(b) ? 0 : 100) - least_factor(b); };
    for (const IkBranch& branch : answer.branches())
      if ((!choice || choice->fits(branch.label)) && (!best || cost(branch) < cost(*best))) best = branch;
  }
  if (!best)
    return Fault{{},
                 fmt::format("--branch \"{}\"", choice->text),
                 "ik-branch",
                 "the first pose has no such branch",
                 "torsor ik ROBOT --pose ... --all shows those that it has"};
  if (choice && !inside_limits(*best))
    return Fault{{},
                 fmt::format("--branch \"{}\"", choice->text),
                 "ik-limits",
                 fmt::format("at the first pose {}", standing(*best, *solver.closed(), model, 4)),
                 "torsor ik ROBOT --pose ... shows the branches inside the limits"};
  std::vector<double> start(best->q.begin(), best->q.end());
  // of any other family the member near what was given: the follower brings it onto the pose
  for (std::size_t k = 0; k < 6 && near; ++k)
    if (best->free[k] && best->wrist_sign == 0) start[k] = (*near)[k];
  return start;
}

}  // namespace torsor
