#include "torsor/mechanism/driver_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace torsor {
namespace {

/// Where what `miss` says of an interval does not vanish with it: when, by how much (0: nowhere), and how long the interval was
/// that says so.
struct FoundJump {
  double t = 0, by = 0, within = 0;
};

template <class Miss>
FoundJump jump_between(double a, double b, double span, double negligible, const Miss& miss) {
  constexpr double near = 1e-7, nearest = 1e-9;  // of the times there are
  const double unit = span + std::fabs(b);
  double by = miss(a, b), before = by, within = b - a;
  if (!(by > negligible)) return {};
  while (b - a > nearest * unit) {
    const double middle = a + (b - a) / 2, first = miss(a, middle), second = miss(middle, b);
    const double next = std::max(first, second);
    if (b - a < near * unit) {
      // only its time is wanted more exactly, as far as there are digits (asin has none upon 1)
      if (!(std::fabs(next - by) < by / 10)) break;
    } else {
      if (b - a > 20 * near * unit) before = next;
      by = next;
      within = (b - a) / 2;
      // what only bends, however sharply, goes down before the interval does
      if (!(by > negligible && by > before / 2)) return {};
    }
    (first > second ? b : a) = middle;
  }
  return {b, by, within};
}

/// Whether all that a driver prescribes is where a hinge stands; springs and couplings would know its turns.
bool only_turns(const MechanismDescription& d, const MechanismDriver& driver) {
  if (driver.joint >= 0 || driver.terms.size() != 1 || !d.couplings.empty() || !d.springs.empty())
    return false;
  if (std::ranges::any_of(d.actuators, [](const MechanismActuator& actuator) { return actuator.k != 0; })) return false;
  const auto& term = driver.terms[0];
  return !term.profile && term.measure.what == Measure::What::angle && std::fabs(term.factor) == 1 &&
         d.joints[static_cast<std::size_t>(term.measure.joint)].kind == MechanismJointKind::revolute;
}

bool whole_turns(double angle) {
  const double turns = angle / (2 * std::numbers::pi);
  return std::fabs(turns - std::round(turns)) < 1e-6;
}

}  // namespace

std::vector<DrivingFunction> driving_functions(const Mechanism& m) {
  std::vector<DrivingFunction> all;
  const double length = 2 * size_of(m);
  const auto add = [&](const char* what, const std::string& name, const TimeFunction& f, const char* unit,
                       double size) {
    if (f) all.push_back({fmt::format("{} \"{}\"", what, name), &f, unit, size, false});
  };
  for (const MechanismDriver& driver : m.description.drivers) {
    const std::size_t before = all.size();
    bool turns = false, goes = false;
    double size = 0;
    for (const MechanismCoupling::Term& term : driver.terms) {
      const bool angle = term.measure.what == Measure::What::angle;
      (angle ? turns : goes) = true;
      size = std::max(size, std::fabs(term.factor) * (angle ? 1 : length));
    }
    add("driver", driver.name, driver.function, turns && goes ? "rad or m" : goes ? "m" : "rad", size > 0 ? size : 1);
    if (all.size() > before) all.back().turns = only_turns(m.description, driver);
  }
  for (const MechanismCarrier& carrier : m.description.carriers) {
    for (const TimeFunction& f : carrier.position) add("carrier", carrier.name, f, "m", length);
    for (const MechanismCarrier::Turn& turn : carrier.turns) add("carrier", carrier.name, turn.angle, "rad", 1);
  }
  return all;
}

FastestDriver fastest_driver(const Mechanism& m, double t) {
  FastestDriver fastest;
  for (const DrivingFunction& each : driving_functions(m))
    if (const double rate = std::fabs((*each.f)(t).fd); fastest.name.empty() || rate / each.size > fastest.share)
      fastest = {each.name, each.unit, rate, rate / each.size};
  return fastest;
}

double fastest_rate(const Mechanism& m, double t, double to) {
  double rate = 0;
  for (const double part : {0.0, 0.13, 0.29, 0.53, 0.83})
    rate = std::max(rate, fastest_driver(m, t + part * (to - t)).share);
  return rate;
}

DriverWatch::DriverWatch(const Mechanism& m, double start, double span)
    : functions_(driving_functions(m)), fastest_(functions_.size()), last_(start), span_(span) {
  for (std::size_t k = 0; k < functions_.size(); ++k) fastest_[k] = std::fabs((*functions_[k].f)(start).fd);
}

void DriverWatch::look(double t) {
  if (!(t > last_)) return;
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    // two corners between instants may hide each other: not in uneven parts
    double a = last_;
    for (const double part : {0.23, 0.54, 0.71, 1.0}) {
      const double b = part == 1 ? t : last_ + part * (t - last_);
      look_between(k, a, b);
      a = b;
    }
  }
  last_ = t;
}

void DriverWatch::look_between(std::size_t k, double a, double b) {
  constexpr double rounding = 1e-7, nothing = 1e-9;  // of what there is; of its size in the time of the run
  const double size = functions_[k].size;
  const TimeFunction& f = *functions_[k].f;
  fastest_[k] = std::max(fastest_[k], std::fabs(f(b).fd));
  const auto miss_of_value = [&](double t0, double t1) {
    const TimeValue x = f(t0), y = f(t1);
    return std::fabs(y.f - x.f - (t1 - t0) * (x.fd + y.fd) / 2);
  };
  const auto miss_of_velocity = [&](double t0, double t1) {
    const TimeValue x = f(t0), y = f(t1);
    return std::fabs(y.fd - x.fd - (t1 - t0) * (x.fdd + y.fdd) / 2);
  };
  FoundJump found = jump_between(a, b, span_, rounding * std::max(size, std::fabs(f(b).f)), miss_of_value);
  // a corner in the middle of an interval hides itself, and looks like a jump of the value in half of it: one of what the
  // function goes there anyway
  const double slope = std::max(std::fabs(f(found.t - found.within).fd), std::fabs(f(found.t + found.within).fd));
  const bool of_value =
      found.by > 2 * slope * found.within && !(functions_[k].turns && whole_turns(found.by));
  if (!of_value)
    found = jump_between(a, b, span_, std::max(nothing * size / span_, rounding * fastest_[k]), miss_of_velocity);
  if (found.by == 0) return;
  const auto known = std::find_if(jumps_.begin(), jumps_.end(), [&](const DriverJump& jump) {
    return jump.name == functions_[k].name && jump.of_value == of_value;
  });
  if (known != jumps_.end())
    ++known->count;
  else
    jumps_.push_back({functions_[k].name, functions_[k].unit, of_value, found.t, found.by, 1});
}

std::vector<std::string> sentences_of(const std::vector<DriverJump>& jumps) {
  std::vector<std::string> sentences;
  for (const DriverJump& jump : jumps)
    sentences.push_back(
        fmt::format("At {:.6g} s the {} of {} jumps by {:.3g} {}{}{}: {}.", jump.t,
                    jump.of_value ? "value" : "velocity", jump.name, jump.by, jump.unit, jump.of_value ? "" : "/s",
                    jump.count > 1 ? fmt::format(", and {} more times after that", jump.count - 1) : "",
                    jump.of_value ? "nothing can follow it"
                                  : "no finite torque makes a mass follow it, and none is given for that instant"));
  return sentences;
}

}  // namespace torsor
