// InverseKinematics of fewer and of more than six joints: short_arm.hpp, redundant_arm.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/pose_family.hpp"
#include "torsor/numeric_ik/made_forms.hpp"
#include "torsor/numeric_ik/nearest_solution.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"

namespace torsor {
namespace {

constexpr RedundancyObjective objectives[] = {
    {"limits", "farthest from the joint limits, per range of each joint"},
    {"distance", "nearest to given joint positions"},
    {"manipulability", "greatest volume of tool motions, sqrt det J J^T"},
    {"torque", "least torques against gravity"},
};

/// The task of a short arm by what counts of the pose; nothing where it is none of the three.
std::optional<std::pair<ShortTask, Vec3<double>>> short_task(const TaskWeights& w) {
  if (w.shift.x == 0 || w.shift.y == 0 || w.shift.z == 0) return std::nullopt;
  const int free = (w.turn.x == 0) + (w.turn.y == 0) + (w.turn.z == 0);
  if (free == 0) return std::pair{ShortTask::pose, Vec3<double>{0, 0, 1}};
  if (free == 3) return std::pair{ShortTask::place, Vec3<double>{0, 0, 1}};
  if (free == 2) return std::nullopt;
  return std::pair{ShortTask::place_and_axis,
                   Vec3<double>{w.turn.x == 0 ? 1.0 : 0.0, w.turn.y == 0 ? 1.0 : 0.0, w.turn.z == 0 ? 1.0 : 0.0}};
}

IkStatus status_of(double sigma, bool inside_limits) {
  return sigma < 1e-7     ? IkStatus::singular
         : !inside_limits ? IkStatus::outside_limits
         : sigma < 0.01   ? IkStatus::near_singular
                          : IkStatus::ok;
}

/// The least singular value of the columns of all joints but the held one, as far as the task sees them; lengths in units of
/// the chain, of six columns about joint 1. What solvers bring along is nearly that.
double least_singular_value(const JointChain& chain, ShortTask task, const Vec3<double>& axis, std::span<const double> q,
                            int held) {
  const auto n = static_cast<std::size_t>(chain.joints());
  const Transform<double> X = chain.tool_pose(q);
  ChainError at = chain_error(chain, task, axis, X, q);
  const auto rows = static_cast<std::size_t>(at.rows);
  const Vec3<double> way = (chain.B[0].p - X.p) * (1 / chain.size);
  std::size_t m = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (static_cast<int>(k) == held) continue;
    std::array<double, 6> column{};
    std::copy_n(at.J.begin() + static_cast<std::ptrdiff_t>(k * rows), rows, column.begin());
    if (n > 5) {
      const Vec3<double> moved = cross(Vec3<double>{column[3], column[4], column[5]}, way);
      column = {column[0] + moved.x, column[1] + moved.y, column[2] + moved.z, column[3], column[4], column[5]};
    }
    std::copy_n(column.begin(), rows, at.J.begin() + static_cast<std::ptrdiff_t>(m++ * rows));
  }
  std::array<double, 49> U{};
  std::array<double, 7> sigma{};
  singular_values<double>(std::span(at.J).first(m * rows), static_cast<int>(m), at.rows, std::span(U).first(m * m),
                          std::span(sigma).first(m));
  return m > 0 ? sigma[m - 1] : 0;
}

/// sqrt det J J^T of the joints of a chain, lengths in units of its size.
double manipulability_of(const JointChain& chain, std::span<const double> q) {
  const std::size_t n = static_cast<std::size_t>(chain.joints());
  std::vector<Transform<double>> frame(n);
  Transform<double> X = chain.B[0];
  for (std::size_t k = 0; k < n; ++k) {
    frame[k] = X;
    X = X * chain.moved(static_cast<int>(k), q[k]) * chain.B[k + 1];
  }
  std::vector<double> J(6 * n);
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3<double>& z = frame[k].R.z;
    const bool slides = chain.slides[k];
    const Vec3<double> v = slides ? z : cross(z, X.p - frame[k].p) * (1 / chain.size), w = slides ? Vec3<double>{} : z;
    const double column[] = {v.x, v.y, v.z, w.x, w.y, w.z};
    for (std::size_t r = 0; r < 6; ++r) J[r * n + k] = column[r];
  }
  std::array<double, 36> U;
  std::array<double, 6> sigma;
  singular_values<double>(J, 6, static_cast<int>(n), U, sigma);
  double product = 1;
  for (const double s : sigma) product *= s;
  return product;
}

/// At a swivel angle: joints of shoulder and wrist that turn about one line, of which the sum alone is determined.
PoseFamily family_at_swivel(const JointChain& chain, std::span<const double> q) {
  constexpr double in_line = 1e-9;
  PoseFamily out;
  std::array<Vec3<double>, 7> z;
  Transform<double> X = chain.B[0];
  for (std::size_t k = 0; k < 7; ++k) {
    z[k] = X.R.z;
    X = X * chain.moved(static_cast<int>(k), q[k]) * chain.B[k + 1];
  }
  for (const std::size_t first : {0, 4}) {
    if (norm(cross(z[first], z[first + 2])) > in_line) continue;
    ++out.dimension;
    out.moves[first] = out.moves[first + 2] = true;
  }
  return out;
}

/// Numbered, those that are wanted kept: the one nearest to given joints, or those inside the limits.
void choose(const IkChoice& choice, const JointChain& chain, IkSolutions& out) {
  out.count = static_cast<int>(out.size());
  if (choice.near && !out.empty()) {
    out.found = {*nearest_solution(chain, out.found, *choice.near)};
    return;
  }
  if (choice.outside_limits) return;
  out.outside = static_cast<int>(std::erase_if(out.found, [](const IkSolution& s) { return !s.inside_limits; }));
}

}  // namespace

std::span<const RedundancyObjective> redundancy_objectives() { return objectives; }

const ShortArm* InverseKinematics::short_arm() const {
  if (arm_ || joints() > 5) return nullptr;
  std::optional<Result<ShortArm>>& made = made_->short_arm;
  if (!made) {
    const auto task = short_task(task_.weights);
    const auto chain = joint_chain(*model_, tool_);
    if (!task)
      made = Fault{{}, "task", "ik-task", "is none of pose, place and axis, place", ""};
    else if (!chain)
      made = chain.faults();
    else
      made = ShortArm::of(*chain, task->first, task->second);
  }
  return *made ? &**made : nullptr;
}

IkSolutions InverseKinematics::solve_short(const Transform<double>& X_world_tool, const IkChoice& choice) const {
  IkSolutions out;
  const ShortArm* const arm = short_arm();
  const auto task = short_task(task_.weights);
  if (!arm || !task) return out;
  if (!is_frame(X_world_tool.R) || !is_within(X_world_tool.p, farthest_pose * arm->chain().size)) return out;
  ShortSolutions found;
  arm->solve(X_world_tool, found);
  const std::vector<double> rest = choice.near ? *choice.near : neutral_position(*model_);
  for (const ShortSolution& s : found.all()) {
    IkSolution one;
    one.q = rest;
    for (std::size_t k = 0; k < arm->chain().coordinate.size(); ++k)
      one.q[static_cast<std::size_t>(arm->chain().coordinate[k])] = s.q[k];
    one.label = std::to_string(out.size() + 1);
    one.inside_limits = s.inside_limits;
    const std::span<const double> q(s.q.data(), arm->chain().coordinate.size());
    one.smallest_singular_value = least_singular_value(arm->chain(), task->first, task->second, q, -1);
    one.status = status_of(one.smallest_singular_value, s.inside_limits);
    one.position_residual = s.position_residual;
    one.angle_residual = s.angle_residual;
    out.found.push_back(std::move(one));
  }
  choose(choice, arm->chain(), out);
  return out;
}

/// Of singular solutions: whether each is one of a curve or a surface of them.
void InverseKinematics::find_families(const IkChoice& choice, IkSolutions& out) const {
  const bool is_swivel = choice.swivel && out.status == PoseStatus::solved;
  if (!is_swivel && std::ranges::none_of(out, [](const IkSolution& s) { return s.status == IkStatus::singular; })) return;
  const auto task = short_task(task_.weights);
  const auto chain = joint_chain(*model_, tool_);
  if (!task || !chain) return;
  const int n = chain->joints();
  if (n > 7 || (n == 7 && !out.redundancy && !choice.swivel)) return;
  std::vector<double> q(static_cast<std::size_t>(n));
  for (IkSolution& s : out.found) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = s.q[static_cast<std::size_t>(chain->coordinate[k])];
    PoseFamily family;
    if (is_swivel)
      family = family_at_swivel(*chain, q);
    else if (s.status == IkStatus::singular)
      family = family_at(*chain, task->first, task->second, q, n == 7 ? redundant(choice.redundant_joint)->held() : -1);
    s.family_dimension = family.dimension;
    for (std::size_t k = 0; k < q.size(); ++k)
      if (family.moves[k]) s.moves.push_back(chain->coordinate[k]);
    if (family.dimension > 0) s.status = IkStatus::singular;
  }
}

const Result<RedundantArm>& InverseKinematics::redundant(std::optional<int> joint) const {
  const int key = joint.value_or(-1);
  for (const auto& [made, arm] : made_->redundant)
    if (made == key) return *arm;
  const auto chain = joint_chain(*model_, tool_);
  made_->redundant.emplace_back(key, std::make_unique<Result<RedundantArm>>(chain ? RedundantArm::of(*chain, joint)
                                                                            : Result<RedundantArm>(chain.faults())));
  return *made_->redundant.back().second;
}

IkSolution InverseKinematics::seven_solution(const RedundantArm& arm, const Transform<double>& X_world_tool,
                                             const SevenSolution& found, int number) const {
  IkSolution one;
  one.q = neutral_position(*model_);
  for (std::size_t k = 0; k < 7; ++k) one.q[static_cast<std::size_t>(arm.chain().coordinate[k])] = found.q[k];
  one.label = std::to_string(number);
  one.inside_limits = found.inside_limits;
  one.smallest_singular_value =
      least_singular_value(arm.chain(), ShortTask::pose, {0, 0, 1}, std::span(found.q).first(7), arm.held());
  one.status = status_of(one.smallest_singular_value, found.inside_limits);
  const Transform<double> X = arm.chain().tool_pose(found.q);
  const Mat3<double> off = X.R - X_world_tool.R;
  one.position_residual = norm(X.p - X_world_tool.p);
  one.angle_residual = std::max({norm(off.x), norm(off.y), norm(off.z)});
  return one;
}

bool InverseKinematics::chooses_redundancy(const IkChoice& choice) const {
  if (choice.redundancy || choice.swivel) return false;
  const auto task = short_task(task_.weights);
  const bool is_whole_pose = task && task->first == ShortTask::pose;
  return !arm_ && joints() == 7 && is_whole_pose && !task_.aim && !choice.near && redundant(choice.redundant_joint);
}

IkSolutions InverseKinematics::solve_redundant(const Transform<double>& X_world_tool, const IkChoice& choice) const {
  IkSolutions out;
  const Result<RedundantArm>& arm = redundant(choice.redundant_joint);
  if (!arm || (choice.swivel && !arm->swivel()) || !is_frame(X_world_tool.R) ||
      !is_within(X_world_tool.p, farthest_pose * (arm ? arm->chain().size : 1))) {
    out.status = PoseStatus::not_a_pose;
    return out;
  }
  SevenSolutions found;
  const auto held = static_cast<std::size_t>(arm->chain().coordinate[static_cast<std::size_t>(arm->held())]);
  if (choice.swivel)
    arm->solve_swivel(X_world_tool, *choice.swivel, found);
  else if (choice.redundancy)
    arm->solve(X_world_tool, *(out.redundancy = arm->inside_limits(*choice.redundancy)), found);
  else
    out.redundancy = arm->nearest_value(X_world_tool, neutral_position(*model_)[held], found);
  for (const SevenSolution& s : found.all())
    out.found.push_back(seven_solution(*arm, X_world_tool, s, static_cast<int>(out.size()) + 1));
  if (out.empty()) out.status = PoseStatus::unreachable;
  choose(choice, arm->chain(), out);
  return out;
}

Result<std::vector<FeasibleInterval>> InverseKinematics::feasible(const Transform<double>& X_world_tool, bool limits,
                                                                  std::optional<int> joint) const {
  const Result<RedundantArm>& arm = redundant(joint);
  if (!arm) return arm.faults();
  return arm->feasible(X_world_tool, limits);
}

Result<std::vector<FeasibleInterval>> InverseKinematics::feasible_swivel(const Transform<double>& X_world_tool) const {
  const Result<RedundantArm>& arm = redundant();
  if (!arm) return arm.faults();
  if (!arm->swivel())
    return Fault{{},
                 fmt::format("robot \"{}\"", model_->name),
                 "no-swivel",
                 "it has no swivel angle: axes 1, 2, 3, axes 3, 4 and axes 5, 6, 7 do not meet in three points",
                 "ask for the values of a joint"};
  return arm->swivel()->feasible(X_world_tool);
}

Result<std::optional<IkSolution>> InverseKinematics::best(const Transform<double>& X_world_tool,
                                                          std::string_view objective, std::span<const double> near,
                                                          std::optional<int> joint) const {
  const Result<RedundantArm>& arm = redundant(joint);
  if (!arm) return arm.faults();
  const JointChain& chain = arm->chain();
  const std::vector<double> posture =
      near.empty() ? neutral_position(*model_) : std::vector<double>(near.begin(), near.end());
  std::function<double(const SevenAngles&)> cost;
  std::optional<Dynamics> dynamics;
  if (objective == "limits") {
    cost = [&](const SevenAngles& q) {
      double least = 1;
      for (std::size_t k = 0; k < 7; ++k) {
        const auto& [lower, upper] = std::pair{chain.limits[k].lower, chain.limits[k].upper};
        if (std::isfinite(lower) && std::isfinite(upper) && upper > lower)
          least = std::min({least, (q[k] - lower) / (upper - lower), (upper - q[k]) / (upper - lower)});
      }
      return -least;
    };
  } else if (objective == "distance") {
    cost = [&](const SevenAngles& q) { return farthest_apart(chain, q, posture); };
  } else if (objective == "manipulability") {
    cost = [&](const SevenAngles& q) { return -manipulability_of(chain, q); };
  } else if (objective == "torque") {
    dynamics.emplace(*model_);
    cost = [&](const SevenAngles& q) {
      std::vector<double> at = posture, tau(static_cast<std::size_t>(model_->nv));
      for (std::size_t k = 0; k < 7; ++k) at[static_cast<std::size_t>(chain.coordinate[k])] = q[k];
      if (!dynamics->gravity(at, tau)) return 1e300;
      double square = 0;
      for (const double t : tau) square += t * t;
      return std::sqrt(square);
    };
  } else {
    std::vector<std::string_view> names;
    for (const RedundancyObjective& o : objectives) names.push_back(o.name);
    return Fault{{},
                 fmt::format("objective \"{}\"", objective),
                 "option-value",
                 "there is no such objective",
                 fmt::format("write one of {}", fmt::join(names, ", "))};
  }
  const std::optional<SevenSolution> found = arm->best(X_world_tool, cost);
  if (!found) return std::optional<IkSolution>();
  return std::optional(seven_solution(*arm, X_world_tool, *found, 1));
}

}  // namespace torsor
