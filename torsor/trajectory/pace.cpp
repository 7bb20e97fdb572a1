#include "torsor/trajectory/pace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "torsor/expect.hpp"
#include "torsor/scalar/dual.hpp"

namespace torsor {
namespace {

Fault unknown_law(std::string_view law) {
  std::string names;
  for (const auto& row : time_laws<double>) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return {{}, "time law", "time-law", fmt::format("unknown law \"{}\"", law), "use " + names};
}

/// Times of a ramp to a speed: of jerk, of constant acceleration.
struct RampTimes {
  double jerk = 0, constant = 0;
  double total() const { return 2 * jerk + constant; }
};

struct SpeedAndRamp {
  double speed;
  RampTimes ramp;
};

SpeedAndRamp s_curve_ramp(const MotionLimits& limits) {
  const auto [v, a, j] = limits;
  const auto ramp = [a = a, j = j](double speed) -> RampTimes {
    // whether the acceleration gets to its bound on the way
    if (speed * j > a * a || std::isinf(j)) return {a / j, speed / a - a / j};
    return {std::sqrt(speed / j), 0};
  };
  if (std::isfinite(v) && v * ramp(v).total() <= 1) return {v, ramp(v)};
  // ramps that meet: V ramp(V) = 1
  const double without_hold = std::cbrt(j / 4), b = a * a / j;
  const double speed = without_hold <= b ? without_hold : 2 * a / (b + std::sqrt(b * b + 4 * a));
  return {speed, ramp(speed)};
}

SpeedAndRamp smooth_ramp(const MotionLimits& limits) {
  const auto [v, a, j] = limits;
  const auto ramp = [a = a, j = j](double speed) -> RampTimes {
    return {0, std::max(2 * speed / a, std::sqrt(2 * std::numbers::pi * speed / j))};
  };
  if (std::isfinite(v) && v * ramp(v).total() <= 1) return {v, ramp(v)};
  const double speed = std::min(std::sqrt(a / 2), std::cbrt(j / (2 * std::numbers::pi)));
  return {speed, ramp(speed)};
}

bool is_smooth(const TimeLaw<double>& law) { return law.name == "smooth-trapezoid"; }

/// Spreads a ramp over the duration that its speed asks for; returns that duration.
double shape_law(TimeLaw<double>& law, const SpeedAndRamp& found) {
  // speed (duration - ramp) = 1; where the ramps meet, rounding must not make the cruise negative
  const double duration = std::max(1 / found.speed + found.ramp.total(), 2 * found.ramp.total());
  law.shape = {found.ramp.jerk / duration, found.ramp.constant / duration};
  law.peaks = is_smooth(law) ? smooth_trapezoid_peaks(law.shape) : s_curve_peaks(law.shape);
  return duration;
}

}  // namespace

const PacePiece& Pace::piece_at(double t) const {
  const auto behind = std::upper_bound(pieces_.begin() + 1, pieces_.end(), t,
                                       [](double time, const PacePiece& piece) { return time < piece.t; });
  return *(behind - 1);
}

TimeLawValue<double> Pace::in_pieces(double t) const {
  const PacePiece& p = piece_at(t);
  const double y = t - p.t;
  return {t == duration_ ? 1 : p.s + y * (p.velocity + y * (p.acceleration / 2 + y * p.jerk / 6)),
          p.velocity + y * (p.acceleration + y * p.jerk / 2), p.acceleration + y * p.jerk};
}

double Pace::jerk(double t) const {
  if (!(t >= 0 && t <= duration_)) return 0;
  if (!pieces_.empty()) return piece_at(t).jerk;
  const Dual<double> u = Dual<double>::variable(t / duration_);
  return find_time_law<Dual<double>>(law_.name)->evaluate(u, law_.shape).sdd.tangent[0] /
         (duration_ * duration_ * duration_);
}

std::vector<double> Pace::breaks() const {
  if (!pieces_.empty()) {
    std::vector<double> starts;
    for (std::size_t i = 1; i < pieces_.size(); ++i) starts.push_back(pieces_[i].t);
    return starts;
  }
  const RampShape& shape = law_.shape;
  std::vector<double> parts;
  for (const double u : {shape.jerk, shape.jerk + shape.constant, shape.ramp()})
    for (const double part : {u, 1 - u})
      if (part > 0 && part < 1) parts.push_back(part);
  std::sort(parts.begin(), parts.end());
  std::vector<double> times;
  for (const double part : parts)
    if (times.empty() || part * duration_ > times.back()) times.push_back(part * duration_);
  return times;
}

double Pace::time_of(double s) const {
  double low = 0, high = duration_;
  for (double middle = duration_ / 2; low < middle && middle < high; middle = (low + high) / 2)
    (at(middle).s < s ? low : high) = middle;
  return high;
}

Pace pace_in_pieces(std::vector<PacePiece> pieces, double duration) {
  TORSOR_EXPECT(!pieces.empty() && duration > 0);
  Pace result;
  result.pieces_ = std::move(pieces);
  result.duration_ = duration;
  return result;
}

Result<Pace> pace(std::string_view law, double duration) {
  Faults errors;
  if (!(duration > 0 && std::isfinite(duration)))
    errors.push_back(
        {{}, "duration", "motion-duration", fmt::format("is {}", duration), "give a positive number of seconds"});
  const TimeLaw<double>* const found = find_time_law(law);
  if (!found) errors.push_back(unknown_law(law));
  if (!errors.empty()) return errors;
  Pace result;
  result.law_ = *found;
  result.duration_ = duration;
  return result;
}

Result<Pace> fastest_pace(std::string_view law, const MotionLimits& limits) {
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  const auto [v, a, j] = limits;
  for (const auto& [name, bound] : {std::pair{"velocity", v}, std::pair{"acceleration", a}, std::pair{"jerk", j}})
    if (!(bound > 0))
      fault(std::string(name) + " limit", "motion-limit", fmt::format("is {}", bound), "give a positive number");
  if (std::isinf(a) && std::isinf(j))
    fault("limits", "motion-limit", "neither acceleration nor jerk is bounded", "bound one of them");
  const TimeLaw<double>* const found = find_time_law(law);
  if (!found) {
    errors.push_back(unknown_law(law));
    return errors;
  }
  const bool jumps = std::isinf(found->peaks.jerk);
  if (jumps && std::isfinite(j))
    fault("jerk limit", "motion-limit", fmt::format("the acceleration of the {} law jumps", law),
          "use s-curve or quintic");
  if (!errors.empty()) return errors;

  Pace result;
  result.law_ = *found;
  if (found->shape.ramp() > 0) {
    result.duration_ = shape_law(result.law_, is_smooth(*found) ? smooth_ramp(limits) : s_curve_ramp(limits));
  } else {
    const LawPeaks& peaks = found->peaks;
    result.duration_ =
        std::max({peaks.velocity / v, std::sqrt(peaks.acceleration / a), jumps ? 0 : std::cbrt(peaks.jerk / j)});
  }
  if (!(result.duration_ > 0 && std::isfinite(result.duration_)))
    return Fault{{},
                 "limits",
                 "motion-limit",
                 fmt::format("ask for a duration of {} s", result.duration_),
                 "give limits nearer to one"};
  return result;
}

Result<Pace> cruising_pace(std::string_view law, double speed, double ramp_time) {
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), "motion-cruise", std::move(what), std::move(remedy)});
  };
  const TimeLaw<double>* const found = find_time_law(law);
  if (law != "trapezoid" && law != "smooth-trapezoid")
    fault("time law", fmt::format("\"{}\" has no ramp time", law), "use trapezoid or smooth-trapezoid");
  if (!(speed > 0 && std::isfinite(speed))) fault("speed", fmt::format("is {}", speed), "give a positive number");
  if (!(ramp_time > 0 && std::isfinite(ramp_time)))
    fault("ramp time", fmt::format("is {}", ramp_time), "give a positive number of seconds");
  if (errors.empty() && !(speed * ramp_time <= 1))
    fault("ramp time", "the way is too short to get to that speed", fmt::format("give at most {} s", 1 / speed));
  if (!errors.empty()) return errors;
  Pace result;
  result.law_ = *found;
  result.duration_ = shape_law(result.law_, {speed, {0, ramp_time}});
  return result;
}

}  // namespace torsor
