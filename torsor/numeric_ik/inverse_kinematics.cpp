#include "torsor/numeric_ik/inverse_kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/closed_form_ik/solve_rates_6x6.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric_ik/follow_path.hpp"
#include "torsor/numeric_ik/frame_rates.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/numeric_ik/made_forms.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {
namespace {

/// The motion of another frame of the same body, whose origin is at r (world) from that of the first.
CartesianState moved(const CartesianState& state, const Transform<double>& X_first_other) {
  const Vec3<double> r = state.X.R * X_first_other.p;
  const Motion<double>&t = state.twist, &a = state.acceleration;
  return {state.X * X_first_other, {t.w, t.v + cross(t.w, r)}, {a.w, a.v + cross(a.w, r) + cross(t.w, cross(t.w, r))}};
}

/// What of a pose does not count, in words; empty: all of it does.
std::string free_components(const TaskWeights& weights) {
  const Vec3<double>&turn = weights.turn, &shift = weights.shift;
  if (shift.x == 0 || shift.y == 0 || shift.z == 0) return "not all of the position counts";
  const int free = (turn.x == 0) + (turn.y == 0) + (turn.z == 0);
  if (free == 0) return "";
  const char axis = turn.x == 0 ? 'x' : turn.y == 0 ? 'y' : 'z';
  if (free == 1) return fmt::format("the turn about the tool's {} is free", axis);
  return "only the position counts";
}

template <class T>
std::unique_ptr<T> copied(const std::unique_ptr<T>& from) {
  return from ? std::make_unique<T>(*from) : nullptr;
}

IkSolution solution_of(const IkBranch& branch) {
  return {{branch.q.begin(), branch.q.end()}, label_text(branch.label), branch.status, branch.position_residual,
          branch.angle_residual, branch, inside_limits(branch)};
}

}  // namespace

InverseKinematics::InverseKinematics(const Model<double>& model, const Description& description,
                                     const Frame<double>& tool, const IkTask& task)
    : model_(&model),
      task_(task),
      tool_(tool),
      carrier_(model.frames.empty() ? tool : model.frames.back()),
      made_(std::make_unique<Made>()) {
  if (const std::string free = free_components(task.weights); !free.empty())
    refusal_ = {{{}, "task", "ik-task", free, ""}};
  else if (tool.body != carrier_.body)
    refusal_ = {{{}, fmt::format("tool \"{}\"", tool.name), "ik-tool", "is not on the last link", ""}};
  else if (auto arm = arm_solver(description))
    arm_ = std::make_unique<ArmSolver>(*std::move(arm));
  else
    refusal_ = arm.faults();
  not_special_ = refusal_;
  if (!arm_) carrier_ = tool;
  const bool is_nearly_special = arm_ && !arm_->snaps().empty(), is_whole_pose = free_components(task.weights).empty();
  if (is_whole_pose && (!arm_ || is_nearly_special)) {
    if (auto general = turning_arm(model, carrier_); !general) {
      if (not_special_.empty()) not_special_ = general.faults();
    } else if (arm_) {
      described_ = std::make_unique<TurningArm>(*std::move(general));
    } else {
      arm_ = std::make_unique<ArmSolver>(ArmSolver{*std::move(general)});
      refusal_.clear();
    }
  }
  X_carrier_tool_ = inverse(carrier_.X_body_frame) * tool.X_body_frame;
  if (const auto chain = joint_chain(model, tool); !arm_ && is_whole_pose && chain && chain->joints() == 7)
    refusal_ = {{{}, fmt::format("robot \"{}\"", model.name), "no-closed-form",
                 "its seven joints are one more than a pose determines",
                 "hold one of them, or take the best of all: redundancy, best"}};
  general_ = std::make_unique<GeneralSolver>(model, tool);
  rates_ = std::make_unique<FrameRates>(model, tool);
}

InverseKinematics::~InverseKinematics() = default;

InverseKinematics::InverseKinematics(const InverseKinematics& other)
    : kept_(other.kept_),
      model_(other.model_),
      task_(other.task_),
      tool_(other.tool_),
      carrier_(other.carrier_),
      arm_(copied(other.arm_)),
      described_(copied(other.described_)),
      refusal_(other.refusal_),
      not_special_(other.not_special_),
      X_carrier_tool_(other.X_carrier_tool_),
      made_(copied(other.made_)),
      general_(std::make_unique<GeneralSolver>(*model_, tool_)),
      rates_(std::make_unique<FrameRates>(*model_, tool_)) {}

IkSolutions InverseKinematics::solve_all(const Transform<double>& X_world_tool, const IkChoice& choice) const {
  if (choice.redundancy || choice.swivel || chooses_redundancy(choice)) return solve_redundant(X_world_tool, choice);
  if (!arm_) return solve_short(X_world_tool, choice);
  IkSolutions out;
  const IkAnswer answer = branches(X_world_tool);
  out.status = answer.status;
  out.count = answer.count;
  for (const IkBranch& branch : answer.branches())
    if (!choice.branch || fits(*choice.branch, branch.label)) {
      if (choice.outside_limits || inside_limits(branch))
        out.found.push_back(solution_of(branch));
      else
        ++out.outside;
    }
  return out;
}

IkSolutions InverseKinematics::solve(const Transform<double>& X_world_tool, const IkChoice& choice) const {
  IkSolutions out = solve_one_way(X_world_tool, choice);
  find_families(choice, out);
  return out;
}

IkSolutions InverseKinematics::solve_one_way(const Transform<double>& X_world_tool, const IkChoice& choice) const {
  IkSolutions out;
  if (!arm_ || choice.redundancy || choice.swivel) {
    const bool is_asked = choice.redundancy || choice.swivel;
    if (IkSolutions all = solve_all(X_world_tool, choice); is_asked || !all.empty() || all.outside > 0) return all;
    const GeneralAnswer answer = descend(X_world_tool, choice.near ? *choice.near : neutral_position(*model_));
    IkSolution one{{answer.q.begin(), answer.q.end()}, {}, IkStatus::ok, answer.position_residual,
                   answer.angle_residual};
    if (answer.status == GeneralStatus::singular) one.status = IkStatus::singular;
    out.count = answer.solved();
    if (answer.solved()) {
      out.found = {std::move(one)};
      return out;
    }
    out.status = answer.status != GeneralStatus::out_of_reach && answer.status != GeneralStatus::outside_limits
                     ? PoseStatus::not_a_pose
                 : answer.short_by > 0 ? PoseStatus::unreachable
                                       : PoseStatus::orientation_unreachable;
    one.status = answer.status == GeneralStatus::outside_limits ? IkStatus::outside_limits : one.status;
    out.short_by = answer.short_by > 0 ? answer.short_by : answer.angle_residual;
    out.nearest = std::move(one);
    return out;
  }
  const IkAnswer answer = branches(X_world_tool);
  out.status = answer.status;
  out.count = answer.count;
  std::vector<IkBranch> wanted(answer.branches().begin(), answer.branches().end());
  if (choice.near) {
    const auto next = nearest(answer, *choice.near);
    wanted.assign(next ? 1 : 0, next.value_or(IkBranch{}));
  }
  for (IkBranch& branch : wanted) {
    if (choice.branch && !fits(*choice.branch, branch.label)) continue;
    if (choice.outside_limits || inside_limits(branch))
      out.found.push_back(solution_of(branch));
    else
      ++out.outside;
  }
  if (choice.near && out.size() == 1)
    if (const auto branch = straightened(X_world_tool, *choice.near, out[0].branch))
      out.straightened = solution_of(*branch);
  if (arm_->is_general() && answer.status == PoseStatus::unreachable) {
    find_nearest(X_world_tool, choice, out);
  } else if (answer.status == PoseStatus::unreachable || answer.status == PoseStatus::orientation_unreachable) {
    out.short_by = answer.short_by;
    out.nearest_is_least = answer.nearest_is_least;
    out.nearest = solution_of(answer.nearest);
  }
  return out;
}

std::optional<IkBranch> InverseKinematics::nearest(const IkAnswer& answer, std::span<const double> near) const {
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

std::optional<IkBranch> InverseKinematics::straightened(const Transform<double>& X_world_tool,
                                                        std::span<const double> near, const IkBranch& branch) const {
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

Transform<double> InverseKinematics::tool_pose(const std::array<double, 6>& q) const {
  return arm_->tool_pose(q) * X_carrier_tool_;
}

GeneralAnswer InverseKinematics::descend(const Transform<double>& X_world_tool, std::span<const double> start) const {
  GeneralOptions options;
  options.weights = task_.weights;
  options.aim = task_.aim;
  options.seed = task_.seed;
  return general_->solve(X_world_tool, start, options);
}

JointRates InverseKinematics::joint_rates(const IkBranch& branch, const ToolMotion& motion) const {
  JointRates rates = arm_->rates(branch, motion);
  // a singular branch is one of the snapped arm, and so is what it loses
  const bool is_followed = rates.status == RateStatus::ok || rates.status == RateStatus::near_singular;
  if (arm_->snaps().empty() || !is_followed) return rates;
  Configuration<double> configuration(*model_);
  configuration.set(*model_, branch.q);
  std::vector<Transform<double>> X(model_->bodies.size());
  forward_kinematics<double>(*model_, configuration, X);
  const JointRates described = solve_rates_6x6(tool_columns(*model_, X, carrier_), motion);
  rates.qd = described.qd;
  rates.qdd = described.qdd;
  return rates;
}

ToolRates InverseKinematics::rates(const IkSolution& solution, const CartesianState& state) const {
  if (arm_) {
    const JointRates rates = joint_rates(solution.branch, {state.twist, state.acceleration, X_carrier_tool_.p});
    return {{rates.qd.begin(), rates.qd.end()}, {rates.qdd.begin(), rates.qdd.end()}, rates.status, rates.missed_twist,
            rates.missed_acceleration};
  }
  const auto nv = static_cast<std::size_t>(model_->nv);
  ToolRates rates{std::vector<double>(nv), std::vector<double>(nv)};
  const RateAnswer answer = rates_->solve(solution.q, state, task_.weights, rates.qd, rates.qdd);
  if (answer.lost > 0) rates.status = RateStatus::singular;
  rates.lost = answer.lost;
  rates.velocity_residual = answer.velocity_residual;
  rates.acceleration_residual = answer.acceleration_residual;
  return rates;
}

double InverseKinematics::determinant(const IkBranch& branch) const {
  return arm_->determinant(branch);
}

FollowedPath InverseKinematics::follow(const ToolPath& path, std::span<const double> start, bool limits,
                                       std::span<const double> posture, bool jumps) const {
  FollowOptions options;
  options.jumps = jumps;
  options.weights = task_.weights;
  options.aim = task_.aim;
  options.seed = task_.seed;
  options.limits = limits;
  options.posture = posture;
  if (path.guide) options.guide = &path.guide;
  const Transform<double> X_tool_carrier = inverse(X_carrier_tool_);
  const PathOfTime carrier = [&](double u) { return moved(path.at(u), X_tool_carrier); };
  FollowedPath followed = follow_path(*model_, carrier_, labels(), carrier, path.duration, path.period, start, options);
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

std::vector<BranchAlong> InverseKinematics::follow_others(const ToolPath& path, const FollowedPath& followed) const {
  std::vector<BranchAlong> all;
  if (!arm_ || !followed.samples.empty())
    all.push_back({followed.closed_form ? label_text(followed.samples.front().label) : "followed", followed});
  if (!arm_) return all;
  const IkAnswer answer = branches(path.at(0).X);
  const auto is_followed = [&](const IkBranch& branch) {
    if (followed.samples.empty()) return false;
    if (labels()) return branch.label == followed.samples.front().label;
    const std::vector<double>& q = followed.samples.front().q;
    return apart(branch.q, {q[0], q[1], q[2], q[3], q[4], q[5]}) < 1e-6;
  };
  for (const IkBranch& branch : answer.branches())
    if (!is_followed(branch))
      all.push_back({label_text(branch.label), follow(path, branch.q, false)});
  return all;
}

const ArmSolver* InverseKinematics::labels() const {
  return arm_ && !arm_->is_general() ? arm_.get() : nullptr;
}

int InverseKinematics::joints() const {
  return static_cast<int>(general_->task().joints().size());
}

int InverseKinematics::components() const {
  int counted = 0;
  for (const Vec3<double>& part : {task_.weights.turn, task_.weights.shift})
    for (const double weight : {part.x, part.y, part.z}) counted += weight > 0;
  return counted;
}

PathStart InverseKinematics::start(const ToolPath& path, const IkChoice& choice) const {
  if (arm_) return branch_start(path, choice);
  if (choice.branch) return {PathStart::Status::no_labels};
  PathStart start;
  if (choice.near)
    start.q = *choice.near;
  else if (path.start && model_->nq == 6)
    start.q.assign(path.start->begin(), path.start->end());
  else
    start.q = neutral_position(*model_);
  // a path that pursues an aim begins where a single pose would be; the follower itself begins near the start
  if (!task_.aim || task_.aim->name == "near") return start;
  const GeneralAnswer answer = descend(path.at(0).X, start.q);
  if (answer.solved()) start.q.assign(answer.q.begin(), answer.q.end());
  return start;
}

PathStart InverseKinematics::branch_start(const ToolPath& path, const IkChoice& choice) const {
  const IkAnswer answer = branches(path.at(0).X);
  PathStart start;
  if (answer.status != PoseStatus::solved) {  // the follower says why
    start.q = choice.near ? *choice.near : neutral_position(*model_);
    return start;
  }
  std::optional<IkBranch> best;
  if (choice.near || (path.start && !choice.branch)) {
    best = nearest(answer, choice.near ? std::span<const double>(*choice.near) : *path.start);
  } else {
    const auto cost = [](const IkBranch& b) { return (inside_limits(b) ? 0 : 100) - least_factor(b); };
    for (const IkBranch& branch : answer.branches())
      if ((!choice.branch || fits(*choice.branch, branch.label)) && (!best || cost(branch) < cost(*best)))
        best = branch;
  }
  if (!best) return {PathStart::Status::no_such_branch};
  if (choice.branch && !inside_limits(*best)) return {PathStart::Status::outside_limits, {}, *best};
  start.q.assign(best->q.begin(), best->q.end());
  // of any other family the member near what was given: the follower brings it onto the pose
  for (std::size_t k = 0; k < 6 && choice.near; ++k)
    if (best->free[k] && best->wrist_sign == 0) start.q[k] = (*choice.near)[k];
  return start;
}

}  // namespace torsor
