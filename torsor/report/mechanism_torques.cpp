#include "torsor/report/mechanism_torques.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/how_many.hpp"
#include "torsor/mechanism/branch_watch.hpp"
#include "torsor/mechanism/driver_torque.hpp"

namespace torsor {
namespace {

constexpr double usual_rounding = 1e-7;  // of accelerations left, of those that there were to cause

}  // namespace

InverseRows::InverseRows(const Mechanism& m, const MechanismState& start, int freedoms, bool on_i, bool joint_axes)
    : mechanism_(m),
      of_drivers_(m.description.actuators.empty()),
      inverse_(m, of_drivers_ ? EquationSet::all : EquationSet::without_drivers),
      reactions_(m, {of_drivers_, on_i, joint_axes}),
      torques_(m.description.actuators.size()),
      g_(m.description.bodies.size()),
      shared_(torques_.size()),
      beyond_(torques_.size()),
      usual_command_(of_drivers_ ? 0 : actuation(m, beside(m, start), {}).commanded),
      all_commanded_(of_drivers_ || usual_command_ >= freedoms) {
  inverse_.expect_redundancy(true);
  for (const MechanismActuator& a : m.description.actuators) courses_.push_back({a.name, torque_unit(a.measure)});
  if (!of_drivers_) return;
  const std::vector<Measure> measures = driven_measures(m);
  for (std::size_t k = 0; const std::string& name : driver_torque_names(m))
    courses_.push_back({name, torque_unit(measures[k++])});
}

std::vector<MechanismColumns> InverseRows::columns() const {
  const MechanismDescription& d = mechanism_.description;
  std::vector<MechanismColumns> groups{{fmt::format("Torques of the {}", who()), "torque", "", {}},
                                       {"Power", "power", "W", {fmt::format("power.{}", who()), "power.needed"}},
                                       {"Energy", "energy", "J", {"kinetic", "potential"}}};
  for (const MechanismActuator& a : d.actuators) groups[0].add("effort." + a.name, torque_unit(a.measure));
  if (of_drivers_) add_driver_columns(mechanism_, groups[0]);
  for (MechanismColumns& each : reactions_.columns()) groups.push_back(std::move(each));
  return groups;
}

Gaps InverseRows::append(const DrivenInstant& at, std::vector<double>& out) {
  const InverseReport report = inverse_.torques(at.state, at.A, torques_);
  const std::size_t before = out.size();
  ++instants_;
  const bool caused = report.unbalanced_share < usual_rounding,
             known = (caused || !all_commanded_) && report.commanded >= usual_command_;
  for (std::size_t k = 0; k < torques_.size(); ++k)
    out.push_back(inverse_.motor_torque(static_cast<int>(k), torques_[k]));
  if (of_drivers_) append_driver_torques(mechanism_, inverse_.equations(), inverse_.lambda(), out);
  if (known)
    follow(at.state.t, std::span<const double>(out).subspan(before));
  else
    no_value_.push_back(at.state.t);
  last_known_ = known;
  // what the torques must do per second: the rate of kinetic energy less the power of everything else
  applied_forces(mechanism_, at.state, inverse_.equations(), ActuatorTorques::none, g_);
  double needed = 0;
  for (std::size_t b = 0; b < g_.size(); ++b) {
    const BodyState& body = at.state.bodies[b];
    needed += dot(Motion<double>{body.w, body.v}, inverse_.motion().mass(static_cast<int>(b), at.A[b]) - g_[b]);
  }
  // carriers that bodies are joined to do work of their own
  const double power = of_drivers_ ? report.carried : report.power;
  if (!of_drivers_) needed -= report.carried;
  out.push_back(power);
  const std::size_t valid = out.size();
  out.insert(out.end(), {needed, report.energy.kinetic, report.energy.potential});
  const std::size_t reactions = out.size();
  worst_unbalanced = std::max(worst_unbalanced, report.unbalanced);
  if (!caused) uncaused.push_back(at.state.t);
  commanded = std::max(commanded, report.commanded);
  reactions_.append(inverse_.equations(), inverse_.lambda(), out);
  if (known) {
    worst_balance_ = std::max(worst_balance_, std::abs(power - needed));
    largest_power_ = std::max(largest_power_, std::abs(needed));
    return Gaps::faults;
  }
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) out[k] = std::nan("");
  };
  blank(before, valid), blank(reactions, out.size());
  if (!of_drivers_ && !mechanism_.description.carriers.empty()) out[valid] = std::nan("");
  return Gaps::no_value;
}

void InverseRows::follow(double t, std::span<const double> torques) {
  const bool first = static_cast<long long>(no_value_.size()) + 1 == instants_;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    Course& course = courses_[k];
    const double u = torques[k];
    if (first || std::abs(u) > std::abs(course.peak)) course.peak = u, course.peak_time = t;
    // straight from one instant to the next, if both have a value
    if (last_known_) course.squares += (t - last_time_) * (course.last * course.last + course.last * u + u * u) / 3;
    course.last = u;
  }
  if (last_known_) time_ += t - last_time_;
  last_time_ = t;
  for (std::size_t k = 0; k < torques_.size(); ++k) {
    const auto& limit = mechanism_.description.actuators[k].effort_limit;
    if (limit && std::abs(torques[k]) > *limit && beyond_[k].instants++ == 0) beyond_[k].first = t;
    if (inverse_.is_shared(static_cast<int>(k))) shared_[k] = true;
  }
}

double InverseRows::rms(const Course& course) const {
  return time_ > 0 ? std::sqrt(course.squares / time_) : std::abs(course.last);
}

std::string InverseRows::gap_sentence() const {
  if (no_value_.empty()) return "";
  return fmt::format(
      "Torques and reactions have no value at {} of {}, first at {} s: the {} have no hold on the motion there. They "
      "are nan "
      "in {}, and no part of the largest and the rms.",
      no_value_.size(), how_many(instants_, "instant"), format_number(no_value_.front(), 6), who(),
      no_value_.size() == 1 ? "that row" : "those rows");
}

std::vector<std::string> InverseRows::torque_sentences() const {
  constexpr std::size_t most = 12;
  std::vector<std::string> sentences;
  for (std::size_t k = 0; !no_instant_known() && k < std::min(courses_.size(), most); ++k) {
    const Course& course = courses_[k];
    sentences.push_back(fmt::format("{} \"{}\": at most {} {}, at {} s; {} {} rms.",
                                    of_drivers_ ? "Driver" : "Actuator", course.name, format_number(course.peak, 5),
                                    course.unit, format_number(course.peak_time, 5), format_number(rms(course), 5),
                                    course.unit));
  }
  if (!no_instant_known() && courses_.size() > most)
    sentences.push_back(fmt::format("{} more: --json has all of them.", courses_.size() - most));
  return sentences;
}

void add_driver_columns(const Mechanism& m, MechanismColumns& group) {
  const std::vector<Measure> measures = driven_measures(m);
  for (std::size_t k = 0; const std::string& name : driver_torque_names(m))
    group.add("effort." + name, torque_unit(measures[k++]));
}

const InverseRows::Course* InverseRows::largest(std::string_view unit) const {
  const Course* found = nullptr;
  for (const Course& course : courses_)
    if (course.unit == unit && (!found || std::abs(course.peak) > std::abs(found->peak))) found = &course;
  return no_instant_known() ? nullptr : found;
}

std::string InverseRows::largest_sentence() const {
  std::string text;
  for (const char* unit : {"N m", "N"})
    if (const Course* course = largest(unit))
      text += fmt::format("{}{} \"{}\" needs up to {} {} (at {} s), {} {} rms", text.empty() ? "" : "; ",
                          text.empty()  ? of_drivers_ ? "Driver" : "Actuator"
                          : of_drivers_ ? "driver"
                                        : "actuator",
                          course->name, format_number(course->peak, 4), unit, format_number(course->peak_time, 4),
                          format_number(rms(*course), 4), unit);
  if (text.empty()) return text;
  return text + fmt::format("{}.", courses_.size() > 2 ? ": the most of all " + std::string(who()) : "");
}

std::vector<Highlight> InverseRows::largest_highlights() const {
  std::vector<Highlight> found;
  for (const char* unit : {"N m", "N"})
    if (const Course* course = largest(unit))
      found.push_back({std::string_view(unit) == "N" ? "largest force" : "largest torque",
                       format_number(course->peak, 4), unit,
                       fmt::format("{} at {} s", course->name, format_number(course->peak_time, 4))});
  return found;
}

std::vector<int> InverseRows::shared() const {
  std::vector<int> list;
  for (std::size_t k = 0; k < shared_.size(); ++k)
    if (shared_[k]) list.push_back(static_cast<int>(k));
  return list;
}

std::string InverseRows::power_sentence() const {
  return fmt::format("Power of the {} is the rate of energy to {}.", who(),
                     beside_largest(worst_balance_, largest_power_, "power", "W"));
}

Highlight InverseRows::power_highlight() const {
  const bool share = tells_as_share(worst_balance_, largest_power_);
  return {"power balance", format_number(share ? worst_balance_ / largest_power_ : worst_balance_, 2), share ? "" : "W",
          fmt::format("{} against rate of energy{}", who(), share ? ", relative" : ""),
          uncaused.empty() ? Tone::good : Tone::bad};
}

std::optional<double> InverseRows::power_balance() const {
  return tells_as_share(worst_balance_, largest_power_) ? std::optional(worst_balance_ / largest_power_) : std::nullopt;
}

std::vector<DrivingTorque> InverseRows::driving_torques() const {
  std::vector<DrivingTorque> out;
  for (const Course& course : courses_) {
    out.push_back({course.name, course.unit, {}, {}, {}});
    if (!no_instant_known()) out.back() = {course.name, course.unit, course.peak, course.peak_time, rms(course)};
  }
  return out;
}

std::vector<std::string> InverseRows::shared_names() const {
  std::vector<std::string> names;
  for (const int k : shared()) names.push_back(mechanism_.description.actuators[static_cast<std::size_t>(k)].name);
  return names;
}

std::vector<ExceededLimit> InverseRows::exceeded_limits() const {
  std::vector<ExceededLimit> out;
  for (std::size_t k = 0; k < beyond_.size(); ++k) {
    const MechanismActuator& a = mechanism_.description.actuators[k];
    if (beyond_[k].instants > 0) out.push_back({a.name, *a.effort_limit, beyond_[k].instants, beyond_[k].first});
  }
  return out;
}

std::vector<std::string> InverseRows::limit_sentences() const {
  std::vector<std::string> sentences;
  for (const ExceededLimit& each : exceeded_limits()) {
    const auto a = std::ranges::find(mechanism_.description.actuators, each.actuator, &MechanismActuator::name);
    sentences.push_back(fmt::format("Actuator \"{}\" is beyond its limit of {} {} at {} of {}, first at {} s.",
                                    each.actuator, format_number(each.limit, 4), torque_unit(a->measure), each.instants,
                                    how_many(instants_, "instant"), format_number(each.first, 4)));
  }
  return sentences;
}

}  // namespace torsor
