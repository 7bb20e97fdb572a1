#include "torsor/trajectory/path_limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "torsor/scalar/infinity.hpp"
#include "torsor/trajectory/corner_pace.hpp"
#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/position_path.hpp"

namespace torsor {
namespace {

/// The norms of one instant.
PathLimits rates_at(const PathMotion& motion, double t) {
  const CartesianState state = motion.sample(t);
  const Motion<double> jerk = motion.jerk(t);
  return {{norm(state.twist.v), norm(state.acceleration.v), norm(jerk.v)},
          {norm(state.twist.w), norm(state.acceleration.w), norm(jerk.w)}};
}

constexpr double MotionLimits::*orders[] = {&MotionLimits::velocity, &MotionLimits::acceleration, &MotionLimits::jerk};
constexpr MotionLimits PathLimits::*parts[] = {&PathLimits::way, &PathLimits::turn};

/// By how much the time must be stretched for a motion that reaches so much.
double stretch(const PathLimits& reached, const PathLimits& limits) {
  const auto root = [](double x, int order) { return order == 0 ? x : order == 1 ? std::sqrt(x) : std::cbrt(x); };
  double factor = 0;
  for (const auto part : parts)
    for (int k = 0; k < 3; ++k) {
      const double limit = limits.*part.*orders[k], most = reached.*part.*orders[k];
      if (std::isfinite(limit)) factor = std::max(factor, root(most / limit, k));
    }
  return factor;
}

/// Limits of s where both parts are straight and even: of way [m] and turning [rad] for the whole of s.
MotionLimits of_parameter(const PathLimits& limits, double way, double turning) {
  MotionLimits bounds;
  for (const auto order : orders) {
    if (way > 0) bounds.*order = limits.way.*order / way;
    if (turning > 0) bounds.*order = std::min(bounds.*order, limits.turn.*order / turning);
  }
  return bounds;
}

Fault unkept(const char* offender, const char* what, const char* remedy) {
  return {{}, offender, "motion-limit", what, remedy};
}

}  // namespace

namespace detail {

double peak_between(const std::function<double(double)>& f, double low, double high) {
  constexpr double golden = std::numbers::phi - 1;
  double p = high - golden * (high - low), q = low + golden * (high - low), at_p = f(p), at_q = f(q);
  double largest = std::max(at_p, at_q);
  // a peak is flat: half of the digits of its place give all of its height
  for (int i = 0; i < 30; ++i) {
    if (at_p > at_q) {
      high = q, q = p, at_q = at_p;
      p = high - golden * (high - low);
      largest = std::max(largest, at_p = f(p));
    } else {
      low = p, p = q, at_p = at_q;
      q = low + golden * (high - low);
      largest = std::max(largest, at_q = f(q));
    }
  }
  return largest;
}

double largest_of(const std::function<double(double)>& f, double a, double b) {
  constexpr int steps = 64;
  constexpr double near = 0.9;
  std::array<double, steps + 1> at{};
  for (int k = 0; k <= steps; ++k) at[static_cast<std::size_t>(k)] = f(k == steps ? b : a + (b - a) * k / steps);
  double largest = *std::max_element(at.begin(), at.end());
  const double seen = largest;
  for (int k = 0; k <= steps; ++k) {
    const double here = at[static_cast<std::size_t>(k)];
    const double left = at[static_cast<std::size_t>(std::max(k - 1, 0))],
                 right = at[static_cast<std::size_t>(std::min(k + 1, steps))];
    if (!(here >= near * seen && here >= left && here >= right && (here > left || here > right))) continue;
    largest = std::max(largest, peak_between(f, a + (b - a) * std::max(k - 1, 0) / steps,
                                             a + (b - a) * std::min(k + 1, steps) / steps));
  }
  return largest;
}

}  // namespace detail

PathLimits largest_rates(const PathMotion& motion) {
  constexpr int steps = 32;
  constexpr double near = 0.8;  // of the largest seen: only there a larger one may lie between two samples
  std::vector<double> ends = motion.breaks();
  ends.insert(ends.begin(), 0.0);
  ends.push_back(motion.duration());
  const double side = 1e-12 * motion.duration();
  std::vector<double> times;
  std::vector<PathLimits> seen;
  PathLimits most{{0, 0, 0}, {0, 0, 0}};
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double a = i == 0 ? 0 : ends[i] + side, b = i + 2 == ends.size() ? ends[i + 1] : ends[i + 1] - side;
    for (int k = 0; k <= steps; ++k) {
      times.push_back(k == steps ? b : a + (b - a) * k / steps);
      seen.push_back(rates_at(motion, times.back()));
      for (const auto part : parts)
        for (const auto order : orders) most.*part.*order = std::max(most.*part.*order, seen.back().*part.*order);
    }
  }
  const PathLimits sampled = most;
  for (const auto part : parts)
    for (const auto order : orders)
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const std::size_t place = i % (steps + 1), left = place == 0 ? i : i - 1, right = place == steps ? i : i + 1;
        const double here = seen[i].*part.*order, before = seen[left].*part.*order, behind = seen[right].*part.*order;
        if (here < near * (sampled.*part.*order) || here < before || here < behind ||
            (here == before && here == behind))
          continue;
        most.*part.*order = std::max(
            most.*part.*order, detail::peak_between([&](double t) { return rates_at(motion, t).*part.*order; },
                                                    times[left], times[right]));
      }
  // what differs by more than rounding from one side of a break, or of rest, to the other
  constexpr double rounding = 1e-6;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const double t = ends[i];
    const CartesianState before = motion.sample(i == 0 ? -1 : t - side),
                         after = motion.sample(i + 1 == ends.size() ? t + 1 : t + side);
    const auto look = [&](auto Motion<double>::*which, MotionLimits& to) {
      if (norm(after.twist.*which - before.twist.*which) > rounding * to.velocity) to.acceleration = to.jerk = infinity;
      if (norm(after.acceleration.*which - before.acceleration.*which) > rounding * to.acceleration) to.jerk = infinity;
    };
    look(&Motion<double>::v, most.way);
    look(&Motion<double>::w, most.turn);
  }
  if (std::holds_alternative<MatrixPath>(motion.orientation())) most.turn.jerk = infinity;
  return most;
}

Result<PathPace> pace_within(std::string_view law, const PositionPath& position, const OrientationPath& orientation,
                             const PathLimits& limits) {
  const double way = std::visit([](const auto& path) { return path.length(); }, position),
               turning = largest_turning(orientation);
  const MotionLimits straight = of_parameter(limits, way, turning);
  const auto first = fastest_pace(law, straight);
  if (!first) return first.faults();
  const auto* const polygon = std::get_if<PolygonPath>(&position);
  const bool jerk_limited = std::isfinite(limits.way.jerk) || std::isfinite(limits.turn.jerk);
  if (polygon && jerk_limited && polygon->schedule().blend() == Blend::parabolic && polygon->schedule().rounds())
    return unkept("jerk limit", "the acceleration of parabolic blends jumps", "take blend = \"polynomial\"");

  // a polygon by pieces, where its sides turn evenly
  const bool even = std::holds_alternative<TurnPath>(orientation) || std::holds_alternative<TurnsPath>(orientation);
  if (polygon && polygon->schedule().size() > 2 && even && (law == "s-curve" || law == "trapezoid"))
    return detail::corner_pace(*polygon, orientation, limits);

  // one law over the whole: a slower cruise may let the rest be faster
  const PathLimits curve = detail::largest_by_parameter(position, orientation, limits, 0, 1);
  double sharpest = infinity;  // ds/dt at which the sharpest curve takes all of the acceleration
  for (const auto part : parts)
    sharpest = std::min(sharpest, std::sqrt((limits.*part).acceleration / (curve.*part).acceleration));
  std::optional<Pace> best;
  for (const double share : {infinity, 1.0, 0.9, 0.8, 0.7}) {
    MotionLimits tried = straight;
    if (std::isfinite(sharpest)) tried.velocity = std::min(tried.velocity, share * sharpest);
    const auto pace = fastest_pace(law, tried);
    if (!pace) return pace.faults();
    const double k = stretch(largest_rates(PathMotion(position, orientation, *pace)), limits);
    if (!std::isfinite(k))
      return unkept("limits", "at a corner that is not rounded the velocity jumps, and no acceleration is enough",
                    "round the corners, or take the law s-curve or trapezoid, which stop there");
    const Pace kept = k > 1 ? pace->stretched(k) : *pace;
    if (!best || kept.duration() < best->duration()) best = kept;
    if (!std::isfinite(sharpest) || k <= 1) break;
  }
  return PathPace{*best};
}

}  // namespace torsor
