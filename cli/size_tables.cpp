#include "cli/size_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/size_report.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/transmission.hpp"

namespace torsor {
namespace {

std::string size_percent(double share) {
  if (!std::isfinite(share)) return share > 0 ? "beyond" : "-";
  return fmt::format("{} %", format_number(share < 1e-11 ? 0 : 100 * share, 3));
}

std::string percent_of(double value, double limit) {
  return std::isfinite(limit) && limit > 0 ? size_percent(std::abs(value) / limit) : "-";
}

std::string ranges_text(const std::vector<std::pair<double, double>>& ranges) {
  std::string text;
  for (const auto& [low, high] : ranges)
    text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", format_number(low, 4), format_number(high, 4));
  return text.empty() ? "none" : text;
}

/// The place of the ratio at which a motor is used least.
std::size_t least_used(const Sizing& sizing, std::size_t d, const Motor& motor) {
  const auto sweep = sizing.sweep(d);
  return static_cast<std::size_t>(
      std::ranges::min_element(sweep, {}, [&](const MotorUse& use) { return use.use(motor); }) - sweep.begin());
}

std::string ratio_text(double ratio) { return std::isfinite(ratio) ? format_number(ratio, 4) : "-"; }

}  // namespace

std::vector<TextTable> joint_tables(const Sizing& sizing, const Model<double>& model, const SizingFacts& facts,
                                    const PrintArguments& print) {
  const auto number = [&print](const char* name, const char* unit = "") { return column(name, unit, print); };
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  TextTable efforts{
      facts.rotors && facts.friction ? "at the joints (rotors and friction included)"
      : facts.rotors                 ? "at the joints (rotors included, no friction)"
      : facts.friction               ? "at the joints (friction included, no rotors)"
                                     : "at the joints (links and loads alone: no rotors, no friction)",
      {number("joint"), number("peak effort"), number("at", "s"), number("rms"), number("unit"), number("of limit"),
       number("peak speed"), number("at", "s"), number("mean"), number("unit"), number("of limit")},
      {}};
  const auto power_table = [&](std::string caption, const char* of) {
    return TextTable{std::move(caption),
                     {number(of), number("peak power", "W"), number("at", "s"), number("braking", "W"),
                      number("taken", "J"), number("returned", "J"), number("net", "J")},
                     {}};
  };
  const auto powers = [](TextTable& table, const std::string& name, const ShaftDemand& j) {
    table.add(
        {name, j.power.value, j.power.time, j.braking.value, j.energy_taken(), j.energy_returned(), j.net_energy()});
  };
  TextTable energy = power_table("power and energy of the joints", "joint"),
            supply = power_table("power and energy of all, sharing one supply", "of");
  for (int k = 0; k < model.nv; ++k) {
    const ShaftDemand& j = sizing.joint(k);
    efforts.add({model.velocity_names[k], j.torque.value, j.torque.time, j.rms_torque(),
                 std::string(effort_unit(kinds[k])), percent_of(j.torque.value, model.limits[k].effort), j.speed.value,
                 j.speed.time, j.mean_speed(), std::string(coordinate_unit(kinds[k], 1)),
                 percent_of(j.speed.value, model.limits[k].velocity)});
    powers(energy, model.velocity_names[k], j);
  }
  const std::size_t motors = sizing.drives().size();
  powers(supply,
         motors == 0                                      ? "the joints"
         : motors < static_cast<std::size_t>(model.nv) ? "the motors, and the joints without one"
                                                          : "the motors",
         sizing.total());
  return {without_noise(std::move(efforts)), without_noise(std::move(energy)), without_noise(std::move(supply))};
}

std::vector<TextTable> motor_tables(const Sizing& sizing, const Model<double>& model, const PrintArguments& print) {
  if (sizing.drives().empty()) return {};
  const auto number = [&print](const char* name, const char* unit = "") { return column(name, unit, print); };
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  TextTable motors{
      "at the motors (their own rotors included)",
      {number("drive"), number("gear"), number("peak torque", "N m"), number("at", "s"), number("rms", "N m"),
       number("peak speed", "rad/s"), number("mean", "rad/s"), number("peak power", "W"), number("taken", "J"),
       number("returned", "J"), number("gear, cubic mean"), number("unit")},
      {}};
  TextTable curves{
      "against the motors' curves",
      {number("drive"), number("motor"), number("of peak torque"), number("at", "s"), number("of top speed"),
       number("of continuous torque"), number("factor left"), number("copper loss", "J"), number("verdict")},
      {}};
  for (std::size_t d = 0; d < sizing.drives().size(); ++d) {
    const AssignedDrive& drive = sizing.drives()[d];
    const MotorUse& use = sizing.motor(d);
    const ShaftDemand& s = use.shaft;
    motors.add({drive.name, drive.gear ? format_number(*drive.gear, print.significant()) : std::string("coupled"),
                s.torque.value, s.torque.time, s.rms_torque(), s.speed.value, s.mean_speed(), s.power.value,
                s.energy_taken(), s.energy_returned(), sizing.gear(d).gear_torque(),
                std::string(effort_unit(kinds[drive.coordinate]))});
    if (!drive.motor) continue;
    const Motor& motor = *drive.motor;
    const auto loss = use.copper_loss(motor);
    const std::string said = verdict(use, motor);
    curves.add({drive.name, motor.name, motor.peak.empty() ? "-" : size_percent(use.of_peak.value), use.of_peak.time,
                size_percent(use.of_speed(motor)), motor.continuous.empty() ? "-" : size_percent(use.of_continuous(motor)),
                format_number(1 / use.use(motor), 4), loss ? format_number(*loss, print.significant()) : "-",
                said.substr(0, said.find(':'))});
  }
  std::vector<TextTable> tables{without_noise(std::move(motors))};
  if (!curves.rows.empty()) tables.push_back(std::move(curves));
  return tables;
}

std::vector<TextTable> ratio_tables(const Sizing& sizing, const PrintArguments& print) {
  if (sizing.ratios().empty()) return {};
  const auto number = [&print](const char* name, const char* unit = "") { return column(name, unit, print); };
  std::vector<TextTable> tables(1);
  TextTable summary{"gear ratios",
                    {number("drive"), number("as it is"), number("rms", "N m"), number("least rms at"),
                     number("fits from .. to"), number("least use at"), number("of the motor")},
                    {}};
  for (std::size_t d = 0; d < sizing.drives().size(); ++d) {
    const AssignedDrive& drive = sizing.drives()[d];
    if (!drive.gear) continue;
    TextTable table{
        fmt::format("{}: gear ratios", drive.name),
        {number("ratio"), number("peak torque", "N m"), number("rms", "N m"), number("peak speed", "rad/s")},
        {}};
    if (drive.motor) {
      for (const char* name : {"of peak torque", "of top speed", "of continuous torque", "fits"})
        table.columns.push_back(number(name));
    }
    for (std::size_t r = 0; r < sizing.ratios().size(); ++r) {
      const MotorUse& use = sizing.sweep(d)[r];
      const ShaftDemand& s = use.shaft;
      TextTable::Row row{sizing.ratios()[r], std::abs(s.torque.value), s.rms_torque(), std::abs(s.speed.value)};
      if (drive.motor) {
        row.emplace_back(drive.motor->peak.empty() ? "-" : size_percent(use.of_peak.value));
        row.emplace_back(size_percent(use.of_speed(*drive.motor)));
        row.emplace_back(drive.motor->continuous.empty() ? "-" : size_percent(use.of_continuous(*drive.motor)));
        row.emplace_back(use.fits(*drive.motor) ? "yes" : "no");
      }
      table.add(std::move(row));
    }
    TextTable::Row row{drive.name, format_number(*drive.gear, print.significant()), sizing.motor(d).shaft.rms_torque(),
                       ratio_text(sizing.best_ratio(d))};
    if (drive.motor) {
      const std::size_t least = least_used(sizing, d, *drive.motor);
      row.emplace_back(ranges_text(fitting_ratios(sizing.ratios(), sizing.sweep(d), *drive.motor)));
      row.emplace_back(ratio_text(sizing.ratios()[least]));
      row.emplace_back(size_percent(sizing.sweep(d)[least].use(*drive.motor)));
    } else {
      for (int k = 0; k < 3; ++k) row.emplace_back("-");
    }
    summary.add(std::move(row));
    tables.push_back(std::move(table));
  }
  tables.front() = std::move(summary);
  return tables;
}

std::pair<double, std::string> nearest_limit(const Sizing& sizing, const Model<double>& model) {
  std::pair<double, std::string> worst{0, ""};
  for (int k = 0; k < model.nv; ++k) {
    const ShaftDemand& j = sizing.joint(k);
    const double effort = std::abs(j.torque.value) / model.limits[k].effort;
    const double speed = std::abs(j.speed.value) / model.limits[k].velocity;
    const auto take = [&](double share, const char* what, double t) {
      if (share > worst.first)
        worst = {share, fmt::format("{} of {} at {} s", what, model.velocity_names[k], format_number(t, 4))};
    };
    take(effort, "effort", j.torque.time);
    take(speed, "speed", j.speed.time);
  }
  return worst;
}

std::vector<TextTable> sizing_tables(const Sizing& sizing, const Model<double>& model, const SizingFacts& facts,
                                     const PrintArguments& print) {
  std::vector<TextTable> tables = joint_tables(sizing, model, facts, print);
  for (TextTable& table : motor_tables(sizing, model, print)) tables.push_back(std::move(table));
  for (TextTable& table : ratio_tables(sizing, print)) tables.push_back(std::move(table));
  return tables;
}

void note_what_is_missing(const Description& robot, SizingFacts& facts) {
  for (const LinkDescription& link : robot.links) {
    facts.rotors = facts.rotors || (link.rotor && link.rotor->inertia != 0);
    facts.friction = facts.friction || link.friction;
  }
  for (const TransmissionDescription& t : robot.transmissions) facts.rotors = facts.rotors || !t.rotor_inertia.empty();
  if (facts.rotors && facts.friction) return;
  facts.remarks.push_back(fmt::format("the robot file has {}: a real joint asks for more than this",
                                      facts.rotors     ? "no friction"
                                      : facts.friction ? "no rotors"
                                                       : "neither rotors nor friction"));
}

std::string headline(const SizingFacts& facts) {
  const auto show = [](double x) { return format_number(x, 6); };
  std::string text = fmt::format("{} s of motion", show(facts.duration));
  if (facts.dwell > 0) text += fmt::format(" and {} s at rest", show(facts.dwell));
  text += fmt::format(", {} {}; energies good to {} J", facts.error.instants, facts.rows ? "rows" : "instants",
                      format_number(facts.error.energy, 1));
  if (!facts.error.settled) text += ", because the motion is too intricate to be resolved";
  return text;
}

std::vector<Paragraph> sizing_verdicts(const Sizing& sizing, const Model<double>& model) {
  std::vector<Paragraph> out;
  for (std::size_t d = 0; d < sizing.drives().size(); ++d)
    if (const auto& motor = sizing.drives()[d].motor)
      out.push_back({fmt::format("{}, {}: {}", sizing.drives()[d].name, motor->name, verdict(sizing.motor(d), *motor)),
                     sizing.motor(d).fits(*motor) ? Tone::good : Tone::bad});
  // the limits of the robot file: which is passed first, or which is nearest
  int first = -1;
  bool by_effort = false;
  double when = std::numeric_limits<double>::infinity();
  for (int k = 0; k < model.nv; ++k)
    for (const bool effort : {true, false}) {
      const double t = effort ? sizing.effort_exceeded(k) : sizing.speed_exceeded(k);
      if (t < when) first = k, by_effort = effort, when = t;
    }
  if (const auto [share, whose] = nearest_limit(sizing, model); first >= 0)
    out.push_back({fmt::format("limits of the robot are passed, first the {} of {} at {} s; the most is {} of the {}",
                               by_effort ? "effort" : "speed", model.velocity_names[first], format_number(when, 4),
                               size_percent(share), whose),
                   Tone::bad});
  else if (share > 0)
    out.push_back({fmt::format("limits of the robot are kept: at most {} of the {}, a factor of {} left",
                               size_percent(share), whose, format_number(1 / share, 4)),
                   Tone::good});
  return out;
}

}  // namespace torsor
