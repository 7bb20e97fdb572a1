#include "cli/mechanism_efforts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/how_many.hpp"
#include "torsor/mechanism/driver_effort.hpp"

namespace torsor {
namespace {

constexpr double usual_rounding = 1e-7;  // of accelerations left, of those that there were to cause

const char* effort_unit(const Measure& measure) { return measure.what == Measure::What::angle ? "N m" : "N"; }

}  // namespace

InverseRows::InverseRows(const Mechanism& m, bool on_i, bool joint_axes)
    : mechanism_(m),
      of_drivers_(m.description.actuators.empty()),
      inverse_(m, of_drivers_ ? EquationSet::all : EquationSet::without_drivers),
      reactions_(m, {of_drivers_, on_i, joint_axes}),
      efforts_(m.description.actuators.size()),
      g_(m.description.bodies.size()),
      shared_(efforts_.size()),
      beyond_(efforts_.size()) {
  inverse_.expect_redundancy(true);
  for (const MechanismActuator& a : m.description.actuators) courses_.push_back({a.name, effort_unit(a.measure)});
  if (!of_drivers_) return;
  const std::vector<Measure> measures = driven_measures(m);
  for (std::size_t k = 0; const std::string& name : driver_effort_names(m))
    courses_.push_back({name, effort_unit(measures[k++])});
}

std::vector<MechanismColumns> InverseRows::columns() const {
  const MechanismDescription& d = mechanism_.description;
  std::vector<MechanismColumns> groups{
      {fmt::format("Efforts of the {}", who()), "effort", "N m or N", {}},
      {"Power", "power", "W", {fmt::format("power.{}", who()), "power.needed"}},
      {"Energy", "energy", "J", {"kinetic", "potential"}}};
  std::vector<std::string>& names = groups[0].names;
  for (const MechanismActuator& a : d.actuators) names.push_back("effort." + a.name);
  if (of_drivers_)
    for (const std::string& name : driver_effort_names(mechanism_)) names.push_back("effort." + name);
  for (MechanismColumns& each : reactions_.columns()) groups.push_back(std::move(each));
  return groups;
}

void InverseRows::append(const DrivenInstant& at, std::vector<double>& out) {
  const InverseReport report = inverse_.efforts(at.state, at.A, efforts_);
  const std::size_t before = out.size();
  ++instants_;
  for (std::size_t k = 0; k < efforts_.size(); ++k) {
    const double motor = inverse_.motor_effort(static_cast<int>(k), efforts_[k]);
    const auto& limit = mechanism_.description.actuators[k].effort_limit;
    if (limit && std::abs(motor) > *limit && beyond_[k].instants++ == 0) beyond_[k].first = at.state.t;
    if (inverse_.is_shared(static_cast<int>(k))) shared_[k] = true;
    out.push_back(motor);
  }
  if (of_drivers_) append_driver_efforts(mechanism_, inverse_.equations(), inverse_.lambda(), out);
  follow(at.state.t, std::span<const double>(out).subspan(before));
  // what the efforts must do per second: the rate of kinetic energy less the power of everything else
  applied_forces(mechanism_, at.state, inverse_.equations(), ActuatorEfforts::none, g_);
  double needed = 0;
  for (std::size_t b = 0; b < g_.size(); ++b) {
    const BodyState& body = at.state.bodies[b];
    needed += dot(Motion<double>{body.w, body.v}, inverse_.motion().mass(static_cast<int>(b), at.A[b]) - g_[b]);
  }
  // carriers that bodies are joined to do work of their own
  const double power = of_drivers_ ? report.carried : report.power;
  if (!of_drivers_) needed -= report.carried;
  out.insert(out.end(), {power, needed, report.energy.kinetic, report.energy.potential});
  worst_unbalanced = std::max(worst_unbalanced, report.unbalanced);
  if (!(report.unbalanced_share < usual_rounding)) uncaused.push_back(at.state.t);
  worst_balance_ = std::max(worst_balance_, std::abs(power - needed));
  largest_power_ = std::max(largest_power_, std::abs(needed));
  commanded = std::max(commanded, report.commanded);
  reactions_.append(inverse_.equations(), inverse_.lambda(), out);
}

void InverseRows::follow(double t, std::span<const double> efforts) {
  if (instants_ == 1) first_time_ = last_time_ = t;
  for (std::size_t k = 0; k < courses_.size(); ++k) {
    Course& course = courses_[k];
    const double u = efforts[k];
    if (instants_ == 1 || std::abs(u) > std::abs(course.peak)) course.peak = u, course.peak_time = t;
    // straight from one instant to the next
    if (instants_ > 1) course.squares += (t - last_time_) * (course.last * course.last + course.last * u + u * u) / 3;
    course.last = u;
  }
  last_time_ = t;
}

double InverseRows::rms(const Course& course) const {
  return last_time_ > first_time_ ? std::sqrt(course.squares / (last_time_ - first_time_)) : std::abs(course.last);
}

std::vector<std::string> InverseRows::effort_sentences() const {
  constexpr std::size_t most = 12;
  std::vector<std::string> sentences;
  for (std::size_t k = 0; instants_ > 0 && k < std::min(courses_.size(), most); ++k) {
    const Course& course = courses_[k];
    sentences.push_back(fmt::format("{} \"{}\": at most {} {}, at {} s; {} {} rms.", of_drivers_ ? "Driver" : "Actuator",
                                    course.name, format_number(course.peak, 5), course.unit,
                                    format_number(course.peak_time, 5), format_number(rms(course), 5), course.unit));
  }
  if (instants_ > 0 && courses_.size() > most)
    sentences.push_back(fmt::format("{} more: --json tells of all.", courses_.size() - most));
  return sentences;
}

void InverseRows::effort_fields(JsonWriter& json) const {
  json.key("efforts").begin_array();
  for (const Course& course : courses_)
    json.begin_object()
        .field("name", course.name)
        .field("unit", course.unit)
        .field("peak", course.peak)
        .field("peak_time", course.peak_time)
        .field("rms", rms(course))
        .end_object();
  json.end_array();
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

void InverseRows::power_fields(JsonWriter& json) const {
  json.field("power_error", worst_balance_).field("largest_power", largest_power_).key("power_balance");
  if (tells_as_share(worst_balance_, largest_power_))
    json.value(worst_balance_ / largest_power_);
  else
    json.value(nullptr);
}

std::vector<std::string> InverseRows::limit_sentences() const {
  std::vector<std::string> sentences;
  for (std::size_t k = 0; k < beyond_.size(); ++k) {
    if (beyond_[k].instants == 0) continue;
    const MechanismActuator& a = mechanism_.description.actuators[k];
    sentences.push_back(fmt::format("Actuator \"{}\" is beyond its limit of {} {} at {} of {}, first at {} s.", a.name,
                                    format_number(*a.effort_limit, 4), effort_unit(a.measure), beyond_[k].instants,
                                    how_many(instants_, "instant"), format_number(beyond_[k].first, 4)));
  }
  return sentences;
}

void InverseRows::limit_fields(JsonWriter& json) const {
  json.key("beyond_limits").begin_array();
  for (std::size_t k = 0; k < beyond_.size(); ++k) {
    if (beyond_[k].instants == 0) continue;
    const MechanismActuator& a = mechanism_.description.actuators[k];
    json.begin_object()
        .field("actuator", a.name)
        .field("limit", *a.effort_limit)
        .field("instants", beyond_[k].instants)
        .field("first", beyond_[k].first)
        .end_object();
  }
  json.end_array();
}

}  // namespace torsor
