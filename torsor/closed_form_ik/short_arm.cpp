#include "torsor/closed_form_ik/short_arm.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor {
namespace {

int free_joints(ShortTask task) { return task == ShortTask::pose ? 0 : task == ShortTask::place_and_axis ? 1 : 3; }

/// Six joints: those of the chain, others that must stand at zero, and the free ones at the tool.
std::array<Transform<double>, 7> extended(const JointChain& chain, ShortTask task, const Vec3<double>& axis) {
  std::array<Transform<double>, 7> B;
  const int n = chain.joints(), free = free_joints(task);
  for (int k = 0; k <= n; ++k) B[static_cast<std::size_t>(k)] = chain.B[static_cast<std::size_t>(k)];
  std::size_t at = static_cast<std::size_t>(n);
  Transform<double> back;  // from the last of them to the tool
  for (int k = 0; k < 6 - n - free; ++k) {
    // nothing about them is special
    const Transform<double> off{rotation_x(0.9 + 0.7 * k) * rotation_y(0.6 - 0.8 * k),
                                Vec3<double>{0.31, -0.23 + 0.17 * k, 0.19 - 0.29 * k} * chain.size};
    B[at] = B[at] * off;
    back = inverse(off) * back;
    B[++at] = {};
  }
  B[at] = B[at] * back;
  if (free == 1) {
    const Mat3<double> A = rotation_z_onto(axis);
    B[at] = B[at] * Transform<double>::rotation(A);
    B[++at] = Transform<double>::rotation(~A);
  }
  for (int k = 0; k < (free == 3 ? 3 : 0); ++k) {
    B[at] = B[at] * Transform<double>::rotation(k == 1   ? rotation_x(std::numbers::pi / 2)
                                                : k == 2 ? rotation_x(-std::numbers::pi / 2)
                                                         : rotation_x(0.0));
    B[++at] = {};
  }
  return B;
}

}  // namespace

Result<ShortArm> ShortArm::of(const JointChain& chain, ShortTask task, const Vec3<double>& axis) {
  const auto refuse = [](std::string what) {
    return Fault{{}, "robot", "no-closed-form", std::move(what), "a general numeric solver has no such limit"};
  };
  const int n = chain.joints(), most = task == ShortTask::pose ? 6 : task == ShortTask::place_and_axis ? 5 : 3;
  if (n > 5 || n > most) return refuse(fmt::format("{} joints for {} components of the pose leave a choice", n, most));
  std::array<bool, 6> slides{};
  std::copy(chain.slides.begin(), chain.slides.end(), slides.begin());
  ShortArm arm(chain, task, axis, SixTurns(extended(chain, task, axis), slides));
  // of a pose the last joint turns about a line whose point the others place
  const std::size_t few = static_cast<std::size_t>(task == ShortTask::pose ? n - 1 : n);
  if (few <= 3 && (task != ShortTask::pose || !slides[few])) {
    arm.few_ = FewJoints::of(std::span(chain.B).first(few + 1), std::span<const bool>(slides).first(few));
    if (arm.few_ && !arm.few_agree()) arm.few_.reset();
  }
  using Rest = RegularChain::Rest;
  if (arm.few_ && arm.few_->missed() == 0)
    arm.regular_ = RegularChain::of_few(
        chain, task == ShortTask::pose ? Rest::turn : task == ShortTask::place ? Rest::place : Rest::axis, axis);
  if (!arm.six_.serves() && !arm.few_) return refuse("its joints do not determine the position");
  return arm;
}

/// Whether the closed form has the answers of the six joints at random positions, and the position itself, most of them by itself.
bool ShortArm::few_agree() const {
  constexpr int positions = 24, least_by_itself = 16;
  std::mt19937_64 engine(1);
  int by_itself = 0;
  for (int k = 0; k < positions; ++k) {
    std::vector<double> q;
    for (const bool slides : chain_.slides)
      q.push_back((static_cast<double>(engine() >> 11) * 0x1p-53 * 2 - 1) * (slides ? chain_.size : std::numbers::pi));
    const Transform<double> X = chain_.tool_pose(q);
    ShortSolutions few, six;
    if (!solve_few(X, few)) continue;
    ++by_itself;
    const auto is_found = [&](const ShortSolution& s) {
      return std::ranges::any_of(few.all(), [&](const ShortSolution& other) { return apart(s, other) < 1e-6; });
    };
    ShortSolution made;
    std::ranges::copy(q, made.q.begin());
    if (!is_found(made)) return false;
    solve_general(X, six);
    if (!std::ranges::all_of(six.all(), is_found)) return false;
  }
  return by_itself >= least_by_itself;
}

bool ShortArm::correct(const Transform<double>& X_world_tool, ShortSolution& s) const {
  constexpr int most_steps = 12;
  const std::size_t n = static_cast<std::size_t>(chain_.joints());
  const double unit = chain_.size;
  double before = std::numeric_limits<double>::infinity();
  for (int step = 0;; ++step) {
    // transposed: as many rows as joints, so that the shortest least-squares step comes out
    ChainError at = chain_error(chain_, task_, axis_, X_world_tool, std::span(s.q).first(n));
    const std::size_t rows = static_cast<std::size_t>(at.rows);
    s.position_residual = at.position_residual;
    s.angle_residual = at.angle_residual;
    std::array<double, 25> U{};
    std::array<double, 5> sigma{};
    singular_values<double>(std::span(at.J).first(n * rows), static_cast<int>(n), at.rows, std::span(U).first(n * n),
                            std::span(sigma).first(n));
    s.sigma = sigma[n - 1];
    const double error = std::max(s.position_residual / unit, s.angle_residual);
    // rounding; beside a singular position every step may leave half of what is missing
    const bool stays = step >= most_steps && !(error < 0.6 * before);
    if (error < 1e-15 || stays || step == 4 * most_steps) return error < 1e-11;
    before = error;
    // J^T = U B with orthogonal rows B: dq = U diag(1 / sigma^2) B b
    for (std::size_t i = 0; i < n; ++i) {
      if (!(sigma[i] > 1e-10)) continue;
      double along = 0;
      for (std::size_t r = 0; r < rows; ++r) along += at.J[i * rows + r] * at.missing[r];
      for (std::size_t k = 0; k < n; ++k)
        s.q[k] += U[k * n + i] * along / (sigma[i] * sigma[i]) * (chain_.slides[k] ? unit : 1);
    }
  }
}

/// By whole turns; metres of slides.
double ShortArm::apart(const ShortSolution& a, const ShortSolution& b) const {
  double by = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(chain_.joints()); ++k)
    by = std::max(by,
                  std::abs(chain_.slides[k] ? a.q[k] - b.q[k] : std::remainder(a.q[k] - b.q[k], 2 * std::numbers::pi)));
  return by;
}

/// A corrected solution inside the limits by whole turns, if it is new.
void ShortArm::keep(ShortSolution& s, ShortSolutions& out) const {
  constexpr double same = 1e-7;
  for (std::size_t k = 0; k < static_cast<std::size_t>(chain_.joints()); ++k) {
    if (!chain_.slides[k]) s.q[k] = representative(std::remainder(s.q[k], 2 * std::numbers::pi), chain_.limits[k]);
    if (outside(s.q[k], chain_.limits[k]) != 0) s.inside_limits = false;
  }
  const double near = std::max(same, 1e-13 / std::max(s.sigma, 1e-7));
  const bool is_known =
      std::ranges::any_of(out.all(), [&](const ShortSolution& other) { return apart(s, other) < near; });
  if (!is_known && out.count < 16) out.solution[static_cast<std::size_t>(out.count++)] = s;
}

/// Away from singular positions nothing needs a case, nor a correction.
bool ShortArm::solve_regular_chain(const Transform<double>& X_world_tool, ShortSolutions& out) const {
  RegularSolutions found;
  if (!regular_ || !regular_->solve(X_world_tool, 0, found)) return false;
  out.count = 0;
  for (const RegularSolution& s : found.all()) {
    ShortSolution& one = out.solution[static_cast<std::size_t>(out.count++)];
    std::copy_n(s.q.begin(), 5, one.q.begin());
    one.position_residual = s.position_residual;
    one.angle_residual = s.angle_residual;
    one.sigma = s.sigma;
    one.inside_limits = s.inside_limits;
  }
  return true;
}

/// False where the closed form leaves a doubt: beside a singular position, or what nearly has the pose and does not.
bool ShortArm::solve_few(const Transform<double>& X_world_tool, ShortSolutions& out) const {
  // of an arm that the form nearly has: what is farther off than that explains is none, and what is moved farther another's
  const double missed = few_->missed(), plain_sigma = 1e-4 + 30 * missed, surely_not = 1e-4 + 30 * missed;
  const double farthest = missed > 0 ? 1e-6 + 100 * missed : std::numeric_limits<double>::infinity();
  out.count = 0;
  const std::size_t n = static_cast<std::size_t>(chain_.joints()), few = task_ == ShortTask::pose ? n - 1 : n;
  const Transform<double> end = task_ == ShortTask::pose ? X_world_tool * inverse(chain_.B[n]) : X_world_tool;
  FewJoints::Found found;
  few_->solve(end.p, found);
  bool clear = found.clear;
  for (std::size_t i = 0; i < static_cast<std::size_t>(found.count); ++i) {
    ShortSolution s;
    Transform<double> X = chain_.B[0];
    for (std::size_t k = 0; k < few; ++k) {
      s.q[k] = found.q[i][k];
      X = X * chain_.moved(static_cast<int>(k), s.q[k]) * chain_.B[k + 1];
    }
    double off = norm(X.p - end.p) / chain_.size;
    if (task_ == ShortTask::pose) {
      const Mat3<double> R = ~X.R * end.R;
      s.q[few] = std::atan2(R.x.y - R.y.x, R.x.x + R.y.y);
      off = std::max(off, norm(X.R.z - end.R.z));
    } else if (task_ == ShortTask::place_and_axis) {
      off = std::max(off, norm(X.R * axis_ - end.R * axis_));
    }
    if (off > surely_not) continue;
    const ShortSolution near = s;
    const bool reached = correct(X_world_tool, s);
    const int before = out.count;
    clear = clear && reached && s.sigma > plain_sigma && apart(near, s) < farthest;
    if (reached) keep(s, out);
    clear = clear && out.count > before;
  }
  return clear;
}

void ShortArm::solve_six(const Transform<double>& X_world_tool, TurningSolutions& out) const {
  Transform<double> X = X_world_tool;
  // where the orientation is free, one that is special to nothing
  if (task_ == ShortTask::place) X.R = X.R * rotation_x(0.71) * rotation_y(-0.53) * rotation_z(0.37);
  six_.solve(X, out);
}

void ShortArm::solve(const Transform<double>& X_world_tool, ShortSolutions& out) const {
  if (solve_regular_chain(X_world_tool, out)) return;
  if (few_ && solve_few(X_world_tool, out)) return;
  // beside singular positions rounding may leave either without some of them; of a curve of solutions one stands for all
  ShortSolutions near, all;
  if (few_) near = out;
  solve_general(X_world_tool, all);
  out.count = 0;
  for (const ShortSolutions& found : {near, all})
    for (ShortSolution s : found.all())
      if (std::ranges::none_of(out.all(), [&](const ShortSolution& other) { return are_joined(X_world_tool, s, other); }))
        keep(s, out);
}

/// Whether nothing but solutions is between two of them.
bool ShortArm::are_joined(const Transform<double>& X_world_tool, const ShortSolution& a, const ShortSolution& b) const {
  constexpr double singular = 1e-6;
  if (a.sigma > singular || b.sigma > singular) return false;
  const double distance = apart(a, b);
  for (const double share : {0.25, 0.5, 0.75}) {
    ShortSolution on = a;
    for (std::size_t k = 0; k < static_cast<std::size_t>(chain_.joints()); ++k)
      on.q[k] += share * (chain_.slides[k] ? b.q[k] - a.q[k] : std::remainder(b.q[k] - a.q[k], 2 * std::numbers::pi));
    const ShortSolution straight = on;
    if (!correct(X_world_tool, on) || apart(straight, on) > 0.1 * distance) return false;
  }
  return true;
}

void ShortArm::solve_general(const Transform<double>& X_world_tool, ShortSolutions& out) const {
  constexpr double zero = 1e-4;
  out.count = 0;
  TurningSolutions found;
  solve_six(X_world_tool, found);
  const std::size_t n = static_cast<std::size_t>(chain_.joints()),
                    held = 6 - static_cast<std::size_t>(free_joints(task_));
  for (const TurningSolution& each : found.all()) {
    bool stands = true;
    for (std::size_t k = n; k < held; ++k) stands = stands && std::abs(each.q[k]) < zero;
    if (!stands) continue;
    ShortSolution s;
    std::copy_n(each.q.begin(), n, s.q.begin());
    if (correct(X_world_tool, s)) keep(s, out);
  }
}

}  // namespace torsor
