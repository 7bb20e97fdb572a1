#include "torsor/report/size_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "torsor/report/limit_tables.hpp"
#include "torsor/report/size_report.hpp"
#include "torsor/text/result_table.hpp"

namespace torsor {
namespace {

std::string ranges_text(const std::vector<std::pair<double, double>>& ranges) {
  std::string text;
  for (const auto& [low, high] : ranges)
    text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", format_number(low, 4), format_number(high, 4));
  return text.empty() ? "none" : text;
}

const char* quantity_word(LimitKind kind) { return kind == LimitKind::effort ? "torque" : limit_name(kind).data(); }

std::string ratio_text(double ratio) { return std::isfinite(ratio) ? format_number(ratio, 4) : "-"; }

/// `125 % continuous`: the largest share, and of what.
std::string use_text(const SweptRatio& swept) {
  const MotorShares& shares = swept.shares;
  if (!shares.use) return "-";
  std::string of;
  for (const auto& [share, word] : {std::pair(shares.of_peak_torque, "peak"), std::pair(shares.of_top_speed, "speed"),
                                    std::pair(shares.of_continuous_torque, "continuous")})
    if (of.empty() && share && !(*share < *shares.use)) of = word;
  return share_text(*shares.use) + " " + of;
}

/// A quantity of every drive, a row for each ratio; a few drives side by side.
template <class Get>
std::vector<TextTable> by_ratio(const char* caption, std::span<const double> ratios,
                                std::span<const DriveSizing* const> drives, const PrintStyle& print, const Get& get) {
  constexpr std::size_t side_by_side = 8;
  std::vector<TextTable> tables;
  for (std::size_t from = 0; from < drives.size(); from += side_by_side) {
    const auto shown = drives.subspan(from, std::min(side_by_side, drives.size() - from));
    TextTable table{caption, {column("ratio", "", print)}};
    for (const DriveSizing* drive : shown) table.columns.push_back(column(drive->name, "", print));
    for (std::size_t k = 0; k < ratios.size(); ++k) {
      TextTable::Row row{ratios[k]};
      for (const DriveSizing* drive : shown) row.emplace_back(get(drive->sweep[k]));
      table.add(std::move(row));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

std::vector<TextTable> joint_tables(const SizingResult& sized, const LimitWatch& limits, const SizingFacts& facts,
                                    const PrintStyle& print) {
  const int digits = print.significant();
  const char* const caption = facts.rotors && facts.friction ? "at the joints (rotors and friction included)"
                              : facts.rotors                 ? "at the joints (rotors included, no friction)"
                              : facts.friction               ? "at the joints (friction included, no rotors)"
                                               : "at the joints (links and loads alone: no rotors, no friction)";
  const std::string whose = sized.drives.empty()                         ? "the joints"
                            : sized.drives.size() < sized.joints.size() ? "the motors, and the joints without one"
                                                                        : "the motors";
  std::vector<TextTable> tables{
      without_noise(table_of<JointSizing>(caption, sized.joints,
                                          {{"name", "joint"},
                                           "peak_torque",
                                           {"peak_torque_time", "at"},
                                           {"rms_torque", "rms"},
                                           {"torque_unit", "unit"},
                                           {"of_effort_limit", "of limit"},
                                           "peak_speed",
                                           {"peak_speed_time", "at"},
                                           {"mean_speed", "mean"},
                                           {"speed_unit", "unit"},
                                           {"of_speed_limit", "of limit"}},
                                          digits)),
      without_noise(table_of<JointSizing>("power and energy of the joints", sized.joints,
                                          {{"name", "joint"},
                                           "peak_power",
                                           {"peak_power_time", "at"},
                                           "braking_power",
                                           "energy_taken",
                                           "energy_returned",
                                           "energy_net"},
                                          digits)),
      without_noise(table_of<SupplySizing>(
          "power and energy of " + whose + ", sharing one supply", std::array{sized.total},
          {"peak_power", {"peak_power_time", "at"}, "braking_power", "energy_taken", "energy_returned", "energy_net"},
          digits))};
  for (TextTable& table : acceleration_tables(limits, print)) tables.insert(tables.begin() + 1, std::move(table));
  return tables;
}

std::vector<TextTable> motor_tables(const SizingResult& sized, const PrintStyle& print) {
  if (sized.drives.empty()) return {};
  const int digits = print.significant();
  const auto turning = std::ranges::count_if(sized.drives, [](const DriveSizing& d) { return d.rotor_inertia != 0; });
  const char* const caption = turning == 0 ? "at the motors (through their gears: no rotor has an inertia)"
                              : turning < std::ssize(sized.drives)
                                  ? "at the motors (their own rotors included, where they have an inertia)"
                                  : "at the motors (their own rotors included)";
  std::vector<TextTable> tables{without_noise(table_of<DriveSizing>(caption, sized.drives,
                                                                    {{"name", "drive"},
                                                                     "gear",
                                                                     {"peak_torque", "peak torque (N m)"},
                                                                     {"peak_torque_time", "at"},
                                                                     {"rms_torque", "rms (N m)"},
                                                                     {"peak_speed", "peak speed (rad/s)"},
                                                                     {"mean_speed", "mean (rad/s)"},
                                                                     "peak_power",
                                                                     "energy_taken",
                                                                     "energy_returned",
                                                                     {"gear_torque", "gear, cubic mean"},
                                                                     {"gear_torque_unit", "unit"}},
                                                                    digits))};
  std::vector<DriveSizing> judged;
  for (const DriveSizing& drive : sized.drives)
    if (drive.motor) judged.push_back(drive);
  if (!judged.empty())
    tables.push_back(table_of<DriveSizing>("against the motors' curves", judged,
                                           {{"name", "drive"}, "motor", "of_peak_torque", {"of_peak_torque_time", "at"},
                                            "of_top_speed", "of_continuous_torque", "use", "copper_loss", "fits"},
                                           digits));
  return tables;
}

std::vector<TextTable> ratio_tables(const SizingResult& sized, const PrintStyle& print) {
  if (sized.ratios.empty()) return {};
  const auto number = [&print](const char* name, const char* unit = "") { return column(name, unit, print); };
  TextTable summary{"gear ratios",
                    {number("drive"), number("as it is"), number("rms", "N m"), number("least rms at"),
                     {fmt::format("fits, of {} tried", sized.ratios.size())}, number("least use at"), number("of the motor")}};
  std::vector<const DriveSizing*> geared, judged_ones;
  for (const DriveSizing& drive : sized.drives) {
    if (!drive.gear) continue;
    geared.push_back(&drive);
    if (drive.motor) judged_ones.push_back(&drive);
    const SweptRatio& least =
        *std::ranges::min_element(drive.sweep, {}, [](const SweptRatio& s) { return s.shares.use; });
    const bool judged = drive.motor.has_value();
    summary.add({drive.name, format_number(*drive.gear, print.significant()), drive.shaft.rms_torque(),
                 ratio_text(*drive.best_ratio), judged ? ranges_text(drive.fitting_ratios) : "-",
                 judged ? ratio_text(least.ratio) : "-", judged ? share_text(*least.shares.use) : "-"});
  }
  std::vector<TextTable> tables{std::move(summary)};
  const auto add = [&](const char* caption, std::span<const DriveSizing* const> drives, const auto& cell) {
    for (TextTable& table : by_ratio(caption, sized.ratios, drives, print, cell)) tables.push_back(std::move(table));
  };
  add("use of the motors by gear ratio, and what decides it; up to 100 % they fit", judged_ones, use_text);
  add("peak torque of the motors (N m) by gear ratio", geared,
      [](const SweptRatio& s) { return std::abs(s.shaft.torque.value); });
  add("rms torque of the motors (N m) by gear ratio", geared, [](const SweptRatio& s) { return s.shaft.rms_torque(); });
  add("peak speed of the motors (rad/s) by gear ratio", geared,
      [](const SweptRatio& s) { return std::abs(s.shaft.speed.value); });
  return tables;
}

std::pair<double, std::string> nearest_limit(const LimitWatch& limits) {
  std::pair<double, std::string> worst{0, ""};
  for (int k = 0; k < limits.model().nv; ++k)
    for (const LimitKind kind : {LimitKind::effort, LimitKind::velocity, LimitKind::acceleration, LimitKind::jerk})
      if (const SeenPeak& peak = limits.peak(kind, k); peak.share > worst.first)
        worst = {peak.share, fmt::format("{} of {} at {} s", quantity_word(kind),
                                         limits.model().velocity_names[static_cast<std::size_t>(k)],
                                         format_number(peak.share_time, 4))};
  return worst;
}

std::vector<TextTable> sizing_tables(const SizingResult& sized, const LimitWatch& limits, const SizingFacts& facts,
                                     const PrintStyle& print) {
  std::vector<TextTable> tables = joint_tables(sized, limits, facts, print);
  for (TextTable& table : motor_tables(sized, print)) tables.push_back(std::move(table));
  for (TextTable& table : ratio_tables(sized, print)) tables.push_back(std::move(table));
  return tables;
}

void note_what_is_missing(const Description& robot, SizingFacts& facts) {
  for (const LinkDescription& link : robot.links) {
    facts.rotors = facts.rotors || (link.rotor && link.rotor->inertia != 0);
    facts.friction = facts.friction || (link.friction && has_torque(*link.friction));
  }
  for (const TransmissionDescription& t : robot.transmissions)
    facts.rotors = facts.rotors || std::ranges::any_of(t.rotor_inertia, [](double inertia) { return inertia != 0; });
  if (facts.rotors && facts.friction) return;
  facts.remarks.push_back(fmt::format("the robot file has {}: a real joint asks for more than this",
                                      facts.rotors     ? "no friction"
                                      : facts.friction ? "no rotors"
                                                       : "neither rotors nor friction"));
}

std::string headline(const SizingResult& sized, const SizingFacts& facts) {
  const auto show = [](double x) { return format_number(x, 6); };
  std::string text = fmt::format("{} s of motion", show(sized.duration));
  if (sized.dwell > 0) text += fmt::format(" and {} s at rest", show(sized.dwell));
  text += fmt::format(", {} {}; energies good to {} J", sized.error.instants, facts.rows ? "rows" : "instants",
                      format_number(sized.error.energy, 1));
  if (!sized.error.settled) text += ", because the motion is too intricate to be resolved";
  return text;
}

std::vector<Paragraph> sizing_verdicts(const SizingResult& sized, const LimitWatch& limits) {
  std::vector<Paragraph> out;
  for (const DriveSizing& drive : sized.drives)
    if (drive.motor)
      out.push_back({fmt::format("{}, {}: {}", drive.name, *drive.motor, *drive.verdict),
                     *drive.shares.fits ? Tone::good : Tone::bad});
  // the limits of the robot file: which is passed first, or which is nearest
  const auto [part, whose] = nearest_limit(limits);
  if (const std::vector<PassedLimit> passed = limits.passed(); !passed.empty()) {
    const PassedLimit& first = *std::ranges::min_element(passed, {}, &PassedLimit::first);
    std::string text = fmt::format("limits of the robot are passed, first the {} of {} at {} s",
                                   quantity_word(first.kind), first.joint, format_number(first.first, 4));
    if (part > 1) text += fmt::format("; the most is {} of the {}", share_text(part), whose);
    out.push_back({std::move(text), Tone::bad});
  } else if (just_kept(part)) {
    out.push_back(
        {fmt::format("limits of the robot are just kept, nothing is left: {} of the {}", share_text(part), whose),
         Tone::warning});
  } else if (part > 0) {
    out.push_back({fmt::format("limits of the robot are kept: at most {} of the {}, a factor of {} left",
                               share_text(part), whose, format_number(1 / part, 4)),
                   Tone::good});
  }
  return out;
}

}  // namespace torsor
