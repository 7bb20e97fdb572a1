#include "torsor/trajectory/corner_pace.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/position_path.hpp"

namespace torsor::detail {
namespace {

/// A straight line of the polygon: its way in s, and the limits of s on it.
struct Side {
  double begin = 0, way = 0;
  MotionLimits limits;
};

double ramp_time(double change, const MotionLimits& limits) {
  const double a = limits.acceleration, j = limits.jerk;
  if (std::isfinite(j) && change * j <= a * a) return 2 * std::sqrt(change / j);
  return change / a + (std::isfinite(j) ? a / j : 0);
}

double ramp_way(double from, double to, const MotionLimits& limits) {
  return (from + to) / 2 * ramp_time(std::abs(to - from), limits);
}

/// The largest x from `low` on, up to `high`, for which f(x) <= most; f rises.
template <class F>
double largest_within_way(const F& f, double low, double high, double most) {
  if (std::isinf(high))
    for (high = 2 * low + 1; f(high) <= most;) high *= 2;
  if (f(high) <= most) return high;
  for (double middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2)
    (f(middle) <= most ? low : high) = middle;
  return low;
}

/// Appends pieces one after the other.
class Pieces {
 public:
  void constant(double s, double speed, double way) {
    if (way > 0) add({t_, s, speed, 0, 0}, way / speed);
  }

  /// From one speed to another, from s on; the s that is reached.
  double ramp(double s, double from, double to, const MotionLimits& limits) {
    const double change = std::abs(to - from), sign = to > from ? 1 : -1, j = limits.jerk;
    if (!(change > 0)) return s;
    if (std::isinf(j)) {
      add({t_, s, from, sign * limits.acceleration, 0}, change / limits.acceleration);
      return s + ramp_way(from, to, limits);
    }
    const bool holds = change * j > limits.acceleration * limits.acceleration;
    const double rise = holds ? limits.acceleration / j : std::sqrt(change / j), top = sign * rise * j,
                 hold = holds ? change / limits.acceleration - rise : 0;
    PacePiece p{t_, s, from, 0, 0};
    const auto append = [&](double acceleration, double jerk, double time) {
      p = {t_, p.s, p.velocity, acceleration, jerk};
      add(p, time);
      p.s += time * (p.velocity + time * (acceleration / 2 + time * jerk / 6));
      p.velocity += time * (acceleration + time * jerk / 2);
    };
    append(0, sign * j, rise);
    if (hold > 0) append(top, 0, hold);
    append(top, -sign * j, rise);
    return s + ramp_way(from, to, limits);
  }

  Pace pace() && { return pace_in_pieces(std::move(pieces_), t_); }

 private:
  void add(const PacePiece& piece, double time) {
    pieces_.push_back(piece);
    t_ += time;
  }

  std::vector<PacePiece> pieces_;
  double t_ = 0;
};

template <class Path>
Turning<Dual<double>> turning_by_dual(const Path& path, double s) {
  if constexpr (std::is_same_v<Path, MatrixPath>) {
    const Turning<double> at = path.at(s);
    const auto lift = [](double x) { return Dual<double>(x); };
    return {cast<Dual<double>>(at.R, lift), cast<Dual<double>>(at.w, lift), cast<Dual<double>>(at.wd, lift)};
  } else {
    return path.at(Dual<double>::variable(s));
  }
}

}  // namespace

PathThirds third_derivatives(const PositionPath& position, const OrientationPath& orientation, double s) {
  const auto slope = [](const Dual<double>& x) { return x.tangent[0]; };
  const auto point = std::visit([s](const auto& path) { return path.at(Dual<double>::variable(s)); }, position);
  const auto turning = std::visit([s](const auto& path) { return turning_by_dual(path, s); }, orientation);
  return {cast<double>(point.dd, slope), cast<double>(turning.wd, slope)};
}

PathLimits largest_by_parameter(const PositionPath& position, const OrientationPath& orientation,
                                const PathLimits& limits, double a, double b) {
  const auto point = [&](double s) { return std::visit([s](const auto& path) { return path.at(s); }, position); };
  const auto turning = [&](double s) { return std::visit([s](const auto& path) { return path.at(s); }, orientation); };
  const auto most = [&](double limit, const auto& f) { return std::isfinite(limit) ? largest_of(f, a, b) : 0; };
  return {{most(limits.way.velocity, [&](double s) { return norm(point(s).d); }),
           most(limits.way.acceleration, [&](double s) { return norm(point(s).dd); }),
           most(limits.way.jerk, [&](double s) { return norm(third_derivatives(position, orientation, s).p); })},
          {most(limits.turn.velocity, [&](double s) { return norm(turning(s).w); }),
           most(limits.turn.acceleration, [&](double s) { return norm(turning(s).wd); }),
           most(limits.turn.jerk, [&](double s) { return norm(third_derivatives(position, orientation, s).w); })}};
}

PathPace corner_pace(const PolygonPath& polygon, const OrientationPath& orientation, const PathLimits& limits) {
  const BlendSchedule& schedule = polygon.schedule();
  const double length = polygon.length();
  const std::size_t n = schedule.size();
  const auto knot = [&](std::size_t i) { return schedule.knots()[i] / length; };
  const auto half = [&](std::size_t i) { return schedule.half_widths()[i] / length; };
  // ds/dt at which something of so much per s, per s^2 and per s^3 is just within limits
  const auto speed_within = [](const MotionLimits& most, const MotionLimits& limit) {
    return std::min({limit.velocity / most.velocity, std::sqrt(limit.acceleration / most.acceleration),
                     std::cbrt(limit.jerk / most.jerk)});
  };

  std::vector<Side> sides;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    Side side{knot(i) + half(i), std::max(knot(i + 1) - half(i + 1) - knot(i) - half(i), 0.0), {}};
    const double middle = side.begin + side.way / 2,
                 rate = std::visit([middle](const auto& path) { return norm(path.at(middle).w); }, orientation);
    for (const auto order : {&MotionLimits::velocity, &MotionLimits::acceleration, &MotionLimits::jerk}) {
      side.limits.*order = limits.way.*order / length;
      if (rate > 0) side.limits.*order = std::min(side.limits.*order, limits.turn.*order / rate);
    }
    sides.push_back(side);
  }

  PathPace found;
  std::vector<double> speed(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    speed[i] = std::min(sides[i - 1].limits.velocity, sides[i].limits.velocity);
    const double side = 1e-12;
    if (half(i) > 0) {
      const PathLimits most = largest_by_parameter(polygon, orientation, limits, knot(i) - half(i) * (1 - side),
                                                   knot(i) + half(i) * (1 - side));
      speed[i] = std::min({speed[i], speed_within(most.way, limits.way), speed_within(most.turn, limits.turn)});
      continue;
    }
    // whether direction or turning change at all
    const auto at = [&](double s) {
      return std::pair{polygon.at(s).d, std::visit([s](const auto& path) { return path.at(s).w; }, orientation)};
    };
    const auto [d0, w0] = at(knot(i) - side);
    const auto [d1, w1] = at(knot(i) + side);
    constexpr double no_corner = 1e-9;
    if (norm(d1 - d0) <= no_corner * length && norm(w1 - w0) <= no_corner * (norm(w0) + norm(w1) + 1)) continue;
    speed[i] = 0;
    found.stops.push_back(i);
  }
  const auto slow_down = [&](std::size_t from, std::size_t to, const Side& side) {
    if (!(speed[to] > speed[from])) return;
    const auto way = [&](double v) { return ramp_way(speed[from], v, side.limits); };
    speed[to] = largest_within_way(way, speed[from], speed[to], side.way);
  };
  for (std::size_t i = 0; i + 1 < n; ++i) slow_down(i, i + 1, sides[i]);
  for (std::size_t i = n - 1; i > 0; --i) slow_down(i, i - 1, sides[i - 1]);

  Pieces pieces;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Side& side = sides[i];
    const double a = speed[i], b = speed[i + 1];
    const auto way = [&](double v) { return ramp_way(a, v, side.limits) + ramp_way(v, b, side.limits); };
    const double top = largest_within_way(way, std::max(a, b), std::max({side.limits.velocity, a, b}), side.way);
    const double s = pieces.ramp(side.begin, a, top, side.limits), rest = side.way - way(top);
    pieces.constant(s, top, rest);
    pieces.ramp(s + std::max(rest, 0.0), top, b, side.limits);
    pieces.constant(knot(i + 1) - half(i + 1), b, 2 * half(i + 1));
  }
  found.pace = std::move(pieces).pace();
  return found;
}

}  // namespace torsor::detail
