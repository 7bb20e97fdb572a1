#include "torsor/numeric_ik/scale_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/trajectory/spline_motion.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {
namespace {

constexpr double most_samples = 1e7;
constexpr double usual_narrowness = 20;
constexpr double most_narrow = 5e5;  // rows of a path that all but stands still for one narrow place

/// Nothing where the path cannot be followed to its end.
using Followed = Result<std::optional<Trajectory>>;

std::vector<MotionRow> rows_of(const FollowedPath& followed) {
  std::vector<MotionRow> rows;
  for (const PathSample& sample : followed.samples) rows.push_back({sample.t, sample.q, sample.qd, sample.qdd});
  return rows;
}

Followed joined(const std::vector<std::vector<MotionRow>>& pieces) {
  auto motion = piecewise_motion(pieces);
  if (!motion) return motion.faults();
  return std::optional(*std::move(motion));
}

/// Follows a path given by a formula from break to break, in steps of at most `period`.
Followed follow_formula(const InverseKinematics& solver, const ToolPath& path, double period,
                        std::span<const double> start) {
  std::vector<std::vector<MotionRow>> pieces;
  std::vector<double> ends = path.breaks, from(start.begin(), start.end()), posture;
  ends.push_back(path.duration);
  double begin = 0;
  for (const double end : ends) {
    ToolPath piece = path;
    piece.duration = end - begin;
    piece.period = piece.duration / std::max(2.0, std::ceil(piece.duration / period));
    // at a break the rates that hold on this side of it; the pose is that of the instant, else quintics would feel it
    const double margin = 1e-12 * path.duration, low = begin > 0 ? begin + margin : 0,
                 high = end < path.duration ? end - margin : end;
    piece.at = [&path, begin, low, high](double u) {
      CartesianState state = path.at(std::clamp(begin + u, low, high));
      state.X = path.at(begin + u).X;
      return state;
    };
    if (path.guide)
      piece.guide = [&path, begin](double u, GuideState& guide) { path.guide(begin + u, guide); };
    piece.time = [begin](double u) { return begin + u; };
    const FollowedPath followed = solver.follow(piece, from, true, posture, true);
    if (!followed.finished() || followed.samples.size() < 2) return std::optional<Trajectory>();
    pieces.push_back(rows_of(followed));
    if (posture.empty()) posture = followed.samples.front().q;
    from = followed.samples.back().q;
    begin = end;
  }
  return joined(pieces);
}

/// Whether from row k to the next an acceleration changes much more than before and behind: it jumps there, and nothing
/// is known of what lies between.
bool jumps(const std::vector<MotionRow>& rows, std::size_t k) {
  const auto change = [&rows](std::size_t i, std::size_t c) { return std::abs(rows[i + 1].qdd[c] - rows[i].qdd[c]); };
  for (std::size_t c = 0; c < rows[k].qdd.size(); ++c) {
    double around = 0;
    if (k > 0) around = std::max(around, change(k - 1, c));
    if (k + 2 < rows.size()) around = std::max(around, change(k + 1, c));
    if (change(k, c) > 3 * around + 1e-4 * std::abs(rows[k].qdd[c])) return true;
  }
  return false;
}

Followed follow_rows(const InverseKinematics& solver, const ToolPath& path, std::span<const double> start) {
  const FollowedPath followed = solver.follow(path, start);
  if (!followed.finished() || followed.samples.size() < 2) return std::optional<Trajectory>();
  const std::vector<MotionRow> rows = rows_of(followed);
  std::vector<std::vector<MotionRow>> pieces(1);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    pieces.back().push_back(rows[k]);
    if (k + 1 < rows.size() && jumps(rows, k)) pieces.emplace_back();
  }
  return joined(pieces);
}

Result<TimeScaling> smallest_factor(const Trajectory& joints, const ScalingLimits& limits, int samples,
                                    const Model<double>& model, std::span<const Force<double>> external) {
  ScalingOptions options;
  options.samples = std::clamp(samples, 1000, 20000);
  options.external.assign(external.begin(), external.end());
  return smallest_time_factor(model, joints, limits, options);
}

/// How much faster a joint is at its fastest than the fastest joint is usually (the median over time), each beside its
/// limit: next to a singular position one narrow place decides on the time of the whole path.
double narrowness(const Trajectory& joints, const ScalingLimits& limits, std::size_t nv) {
  constexpr int instants = 1000;
  std::vector<double> q(nv), qd(nv), qdd(nv), fastest;
  for (int k = 0; k <= instants; ++k) {
    joints.sample(joints.duration() * k / instants, q, qd, qdd);
    double most = 0;
    for (std::size_t i = 0; i < nv; ++i) {
      const double limit = limits.velocity.empty() || std::isinf(limits.velocity[i]) ? 1 : limits.velocity[i];
      most = std::max(most, std::abs(qd[i]) / limit);
    }
    fastest.push_back(most);
  }
  const double peak = *std::max_element(fastest.begin(), fastest.end());
  const auto middle = fastest.begin() + instants / 2;
  std::nth_element(fastest.begin(), middle, fastest.end());
  return *middle > 0 ? peak / *middle : 1;
}

/// The branch of the first pose on which the path needs the least time, and the factor there.
struct EasyBranch {
  std::string name;
  double factor = infinity;
};
EasyBranch easiest_branch(const InverseKinematics& solver, const ToolPath& path, const ScalingLimits& limits,
                          const Model<double>& model, std::span<const Force<double>> external) {
  EasyBranch best;
  if (!solver.closed() || path.sampled) return best;
  constexpr int samples = 1000;
  const IkAnswer answer = solver.branches(path.at(0).X);
  for (const IkBranch& branch : answer.branches()) {
    if (!inside_limits(branch)) continue;
    const Followed joints = follow_formula(solver, path, path.duration / samples, branch.q);
    if (!joints || !*joints) continue;
    const auto found = smallest_factor(**joints, limits, samples, model, external);
    if (found && found->status == ScalingStatus::ok && found->factor < best.factor)
      best = {label_text(branch.label), found->factor};
  }
  return best;
}

/// What a narrow place next to a singular position costs, and which branch avoids it: for k times the path as given.
std::string narrow_place(double k, double narrow, const EasyBranch& easy, const ToolPath& path, std::size_t columns) {
  constexpr double bytes = 19;  // of a number in a file
  if (!(narrow > usual_narrowness && k > 1)) return "";
  const double rows = path.duration * k / path.period;
  std::string text = fmt::format(
      "a narrow place next to a singular position decides on the time of the whole path, {:.4g} s: a joint is {:.3g} "
      "times faster there than usual; {:.3g} rows, about {:.3g} MB",
      path.duration * k, narrow, rows, rows * static_cast<double>(columns) * bytes / 1e6);
  if (easy.factor < k / 2)
    text += fmt::format("; branch \"{}\" keeps the same limits in {:.4g} s", easy.name, path.duration * easy.factor);
  return text;
}

/// At corners that are not rounded velocities jump, and no torque is enough: where, after scaling by k; or nothing.
std::string corners(const ScalingRequest& wanted, const ToolPath& path, double k) {
  if (wanted.limits.effort.empty() && wanted.limits.acceleration.empty()) return "";
  std::vector<std::string> times;
  for (const double t : path.breaks) {
    const double side = 1e-12 * path.duration;
    const Motion<double> before = path.at(t - side).twist, after = path.at(t + side).twist;
    const double jump = norm(after.v - before.v) + norm(after.w - before.w);
    if (jump > 1e-6 * (norm(before.v) + norm(before.w) + norm(after.v) + norm(after.w)))
      times.push_back(fmt::format("{:.6g}", k * t));
  }
  if (times.empty()) return "";
  return fmt::format(
      "at {} s the velocity of the tool jumps: there no acceleration or torque is enough, and the limits are kept only "
      "on "
      "the way between; rounding makes a corner passable",
      fmt::join(times, ", "));
}

}  // namespace

Result<std::optional<PathScaling>> scale_path(const ScalingRequest& wanted, const InverseKinematics& solver,
                                              std::span<const double> start, const Model<double>& model,
                                              std::span<const Force<double>> external, ToolPath& path) {
  using Found = std::optional<PathScaling>;
  if (model.nq != model.nv)
    return Fault{{},
                 "robot",
                 "scaling-coordinates",
                 "has joints whose position is a quaternion",
                 "time is scaled for robots of simple joints"};
  if (!(path.duration > 0)) return Found();
  // next to singular positions rates have narrow peaks: samples are set closer until the factor stays
  TimeScaling scaling;
  double change = 0, narrow = 1;
  for (const double samples : {1000.0, 4000.0, 16000.0}) {
    // closer samples leave no digits for accelerations between them
    const double period = std::max(std::min(path.period, path.duration / samples), path.duration / 16000);
    const Followed joints =
        path.sampled ? follow_rows(solver, path, start) : follow_formula(solver, path, period, start);
    if (!joints) return joints.faults();
    if (!*joints) return Found();
    const int steps = static_cast<int>(path.duration / (path.sampled ? path.period : period));
    const auto found = smallest_factor(**joints, wanted.limits, steps, model, external);
    if (!found) return found.faults();
    const double before = scaling.factor;
    scaling = *found;
    narrow = std::max(narrow, narrowness(**joints, wanted.limits, static_cast<std::size_t>(model.nv)));
    if (path.sampled || scaling.status != ScalingStatus::ok) break;
    change = std::abs(scaling.factor - before) / scaling.factor;
    if (change <= 1e-6) break;
  }
  const double t0 = path.time(0);
  if (scaling.status != ScalingStatus::ok) return Found({1, describe(scaling, model, t0), false});
  // limits of the tool itself hold already: they must not be passed
  if (wanted.only_slower && scaling.factor < 1)
    return Found(
        {1, fmt::format("times 1: the limits of the tool decide (for the joints {})", describe(scaling, model, t0)),
         true, corners(wanted, path, 1)});
  const double k = scaling.factor;
  std::string warning = corners(wanted, path, k);
  if (!path.sampled) {
    const double rows = path.duration * k / path.period;
    EasyBranch easy;
    if (narrow > usual_narrowness && k > 1) easy = easiest_branch(solver, path, wanted.limits, model, external);
    if (wanted.only_slower) easy.factor = std::max(easy.factor, 1.0);
    const auto columns = static_cast<std::size_t>(model.nq + 3 * model.nv + 1);
    const std::string place = narrow_place(k, narrow, easy, path, columns);
    if (!(rows <= (place.empty() ? most_samples : most_narrow)))
      return Fault{{},
                   place.empty() ? "step" : "scale",
                   place.empty() ? "option-value" : "motion-scale",
                   place.empty()
                       ? fmt::format("the path would take {:.4g} s and have too many samples", path.duration * k)
                       : place,
                   easy.factor < k / 2 ? fmt::format("take branch \"{}\"", easy.name)
                                       : "give a longer step, another branch or path, or other limits"};
    if (!place.empty()) warning += (warning.empty() ? "" : "; ") + place;
  }
  path.stretch(k);
  std::string sentence = describe(scaling, model, t0);
  if (change > 1e-3) sentence += fmt::format(" (to {:.1g} %: a peak is narrower than the samples show)", 100 * change);
  return Found({k, std::move(sentence), true, std::move(warning)});
}

PathScaling nothing_scaled(const ToolPath& path) {
  const char* const why = path.duration > 0 ? "the path is not followed to its end" : "the path is a single instant";
  return {1, fmt::format("times 1: nothing is scaled, because {}", why), true,
          fmt::format("the time is not scaled, because {}", why)};
}

}  // namespace torsor
