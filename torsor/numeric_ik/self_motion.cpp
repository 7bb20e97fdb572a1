#include "torsor/numeric_ik/self_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {
namespace {

constexpr int held_values = 36, swivel_values = 12;
constexpr std::size_t most_positions = 600;  // of one curve

/// To the nearest limit, per range of its joint.
double margin_of(const SevenAngles& x, std::span<const TaskJoint> joints) {
  double margin = 1;
  for (std::size_t k = 0; k < 7; ++k) {
    const auto& [lower, upper] = std::pair{joints[k].lower, joints[k].upper};
    if (std::isfinite(lower) && std::isfinite(upper) && upper > lower)
      margin = std::min({margin, (x[k] - lower) / (upper - lower), (upper - x[k]) / (upper - lower)});
  }
  return margin;
}

/// Positions that differ by whole turns and are inside the limits, of joints whose turns are told apart.
void add_turns(std::vector<SelfPosition>& out, SelfPosition one, std::span<const TaskJoint> joints,
               const std::array<bool, 7>& turns, std::size_t k) {
  if (k == joints.size()) {
    one.margin = margin_of(one.x, joints);
    out.push_back(one);
    return;
  }
  const TaskJoint& joint = joints[k];
  if (!joint.turns || turns[k] || !std::isfinite(joint.lower) || !std::isfinite(joint.upper))
    return add_turns(out, one, joints, turns, k + 1);
  const double x = one.x[k];
  for (double by = std::ceil((joint.lower - x) / whole_turn); x + by * whole_turn <= joint.upper; ++by) {
    one.x[k] = x + by * whole_turn;
    add_turns(out, one, joints, turns, k + 1);
  }
}

}  // namespace

SelfMotion::SelfMotion(const Model<double>& model, const Frame<double>& tool, const RedundantArm& arm)
    : arm_(&arm), task_(model, tool), descent_(task_) {}

double SelfMotion::change(const SevenAngles& a, const SevenAngles& b, std::size_t k, const std::array<bool, 7>& turns) {
  return turns[k] ? std::remainder(b[k] - a[k], whole_turn) : b[k] - a[k];
}

double SelfMotion::apart(const SevenAngles& a, const SevenAngles& b, const std::array<bool, 7>& turns) const {
  double most = 0;
  for (std::size_t k = 0; k < 7; ++k)
    most = std::max(most, std::abs(change(a, b, k, turns)) / unit(k));
  return most;
}

bool SelfMotion::inside(const SevenAngles& x, double by) const {
  for (std::size_t k = 0; k < 7; ++k) {
    const TaskJoint& joint = task_.joints()[k];
    if (x[k] < joint.lower + by * joint.unit || x[k] > joint.upper - by * joint.unit) return false;
  }
  return true;
}

bool SelfMotion::bring(const Transform<double>& X_world_tool, SevenAngles& x) {
  DescentRules rules;
  rules.limits = false;
  rules.most_iterations = 12;
  rules.position_tolerance *= task_.length();
  task_.aim(X_world_tool, {});
  return descent_.run(task_, rules, x).reached;
}

double SelfMotion::margin(const SevenAngles& x) const { return margin_of(x, task_.joints()); }

SelfPosition SelfMotion::measured(const SevenAngles& x) const {
  SelfPosition out{x};
  std::array<double, 42> J;
  std::array<double, 36> U;
  std::array<double, 6> sigma;
  std::copy_n(task_.J().begin(), 42, J.begin());
  singular_values<double>(J, 6, 7, U, sigma);
  out.sigma = sigma[5];
  // the unit vector that is least spanned by the rows, freed of them
  std::size_t axis = 0;
  double least = 2;
  for (std::size_t k = 0; k < 7; ++k) {
    double share = 0;
    for (std::size_t i = 0; i < 6; ++i)
      if (sigma[i] > 0) share += J[7 * i + k] * J[7 * i + k] / (sigma[i] * sigma[i]);
    if (share < least) least = share, axis = k;
  }
  out.spare[axis] = 1;
  for (int again = 0; again < 2; ++again) project_to_null_space<double>(J, sigma, 7, 6, out.spare);
  double square = 0;
  for (const double s : out.spare) square += s * s;
  for (double& s : out.spare) s /= std::sqrt(square);
  return out;
}

std::vector<SevenAngles> SelfMotion::seeds(const Transform<double>& X_world_tool) const {
  std::vector<SevenAngles> out;
  SevenSolutions found;
  const auto take = [&] {
    for (const SevenSolution& s : found.all()) out.push_back(s.q);
  };
  if (arm_->swivel()) {
    for (int k = 0; k < swivel_values; ++k) {
      arm_->solve_swivel(X_world_tool, whole_turn * (k + 0.31) / swivel_values - std::numbers::pi, found);
      take();
    }
    return out;
  }
  const std::vector<FeasibleInterval> ranges = arm_->ranges(X_world_tool);
  const int each = held_values / std::max(1, static_cast<int>(ranges.size()));
  for (const auto& [low, high] : ranges)
    for (int k = 0; k < each; ++k) {
      arm_->solve(X_world_tool, low + (high - low) * (k + 0.31) / each, found);
      take();
    }
  return out;
}

std::vector<SelfPosition> SelfMotion::positions(const Transform<double>& X_world_tool, double step,
                                                const std::array<bool, 7>& turns) {
  std::vector<SelfPosition> out;
  if (!is_frame(X_world_tool.R) || !is_within(X_world_tool.p - task_.root(), 1e6 * task_.length())) return out;
  std::array<bool, 7> all{};
  for (std::size_t k = 0; k < 7; ++k) all[k] = task_.joints()[k].turns;
  std::vector<SevenAngles> passed;  // on curves that have been followed, inside the limits or not
  int pieces = 0;
  const auto inside_turns = [&](SevenAngles x) {
    for (std::size_t k = 0; k < 7; ++k)
      if (task_.joints()[k].turns) x[k] = representative(x[k], arm_->chain().limits[k]);
    return x;
  };
  for (const SevenAngles& seed : seeds(X_world_tool)) {
    SevenAngles from = seed;
    if (std::ranges::any_of(passed, [&](const SevenAngles& p) { return apart(p, seed, all) < 0.55 * step; })) continue;
    if (!bring(X_world_tool, from)) continue;
    const SelfPosition first = measured(from);
    // one way round, then, if the curve does not close, the other
    std::vector<SelfPosition> line{first};
    bool closed = false;
    for (const double sense : {1.0, -1.0}) {
      SelfPosition here = first;
      for (double& s : here.spare) s *= sense;
      double h = step;
      while (line.size() < most_positions && h > step / 20) {
        SevenAngles x = here.x;
        for (std::size_t k = 0; k < 7; ++k) x[k] += h * here.spare[k] * unit(k);
        const SevenAngles predicted = x;
        if (!bring(X_world_tool, x) || apart(predicted, x, {}) > h / 2) {
          h /= 2;
          continue;
        }
        SelfPosition next = measured(x);
        double along = 0;
        for (std::size_t k = 0; k < 7; ++k) along += next.spare[k] * here.spare[k];
        if (std::abs(along) < 0.5) {
          h /= 2;
          continue;
        }
        if (along < 0)
          for (double& s : next.spare) s = -s;
        if (line.size() > 3 && apart(next.x, first.x, all) < 0.7 * step) {
          closed = true;
          break;
        }
        here = next;
        h = std::min(step, 2 * h);
        line.push_back(next);
      }
      if (closed) break;
      if (sense > 0) std::ranges::reverse(line);
    }
    // pieces of it that are inside the limits
    const std::size_t begin = out.size();
    bool was_inside = false, starts_inside = false;
    int first_piece = -1;
    for (std::size_t i = 0; i < line.size(); ++i) {
      passed.push_back(line[i].x);
      SelfPosition one = line[i];
      one.x = inside_turns(one.x);
      const bool is_inside = inside(one.x);
      // a joint whose whole range is less than two turns has left it where it jumps by one
      const bool goes_on = was_inside && !out.empty() && apart(out.back().x, one.x, turns) < 2 * step;
      if (is_inside && !goes_on) ++pieces;
      if (i == 0) starts_inside = is_inside, first_piece = pieces;
      if (is_inside) {
        one.piece = pieces;
        add_turns(out, one, task_.joints(), turns, 0);
      }
      was_inside = is_inside;
    }
    if (closed && was_inside && starts_inside && apart(line.back().x, line.front().x, all) < 2 * step)
      for (std::size_t i = begin; i < out.size(); ++i)
        if (out[i].piece == pieces) out[i].piece = first_piece;
  }
  return out;
}

}  // namespace torsor
