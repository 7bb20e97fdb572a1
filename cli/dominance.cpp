// torsor dominance ROBOT: what of the inertias, of the velocity torques and of the torques comes from where, along a motion or
// over the workspace.
#include <fmt/format.h>

#include <algorithm>

#include "cli/course_argument.hpp"
#include "cli/deliver.hpp"
#include "cli/rate_limits.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/reduction/dominance_result.hpp"
#include "torsor/report/coordinate_table.hpp"

namespace torsor {
namespace {

constexpr long long usual_seed = 1985, usual_states = 2000;

std::string short_list(const std::vector<double>& numbers) {
  std::string out;
  for (const double x : numbers) out += (out.empty() ? "" : ", ") + format_number(x, 3);
  return out;
}

/// What is looked at: a motion by its name, with times; or random states.
struct States {
  std::string motion;
  std::vector<double> time;
  std::vector<JointState> states;
  RateLimits limits;  // of the random ones
};

struct DominanceArguments {
  RobotArgument robot;
  CourseArgument course;
  RateLimitArguments rates;
  std::optional<long long> seed, states;
  std::optional<std::string> page;
  PrintArguments print;
};

double in_percent(double share) { return 100 * share; }

/// Of the torques, and of D_ij, i <= j, row by row.
std::vector<std::string> torque_units(const Model<double>& model) {
  std::vector<std::string> units;
  for (const CoordinateKind kind : velocity_kinds(model)) units.emplace_back(torque_unit(kind));
  return units;
}
std::vector<std::string> inertia_units(const Model<double>& model) {
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  constexpr const char* by_angles[] = {"kg", "kg m", "kg m²"};
  std::vector<std::string> units;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = i; j < kinds.size(); ++j)
      units.emplace_back(by_angles[(kinds[i] == CoordinateKind::angle) + (kinds[j] == CoordinateKind::angle)]);
  return units;
}

/// One line per quantity, the shares of its parts side by side.
TextTable share_table(std::string caption, const std::vector<DominanceRow>& rows, const std::vector<std::string>& units,
                      bool rotors) {
  TextTable table{std::move(caption), {{""}, {"translation", "%"}, {"rotation", "%"}}};
  for (TextTable::Column& column : table.columns) column.digits = 3;
  if (rotors) table.columns.push_back({"rotors", "%", Align::automatic, 3});
  const std::size_t peaks = table.columns.size();
  table.columns.push_back({"peak translation"});
  table.columns.push_back({"peak rotation"});
  table.columns.push_back({"dominant"});
  for (const DominanceRow& row : rows) {
    TextTable::Row cells{row.name, in_percent(row.parts[0].share), in_percent(row.parts[1].share)};
    if (rotors) cells.emplace_back(row.parts.size() > 2 ? in_percent(row.parts[2].share) : 0.0);
    cells.emplace_back(row.parts[0].peak);
    cells.emplace_back(row.parts[1].peak);
    cells.emplace_back(row.verdict());
    table.add(std::move(cells));
  }
  return with_units(std::move(table), peaks, peaks + 1, units);
}

/// The parts of each torque, the largest share first, down to a thousandth.
TextTable torque_table(const Dominance& d, const std::vector<std::string>& names,
                       const std::vector<std::string>& units) {
  TextTable table{"", {{"joint"}, {"term"}, {"share", "%", Align::automatic, 3}, {"peak"}}};
  std::vector<std::string> row_units;
  for (std::size_t i = 0; i < d.torque.size(); ++i) {
    std::vector<const DominancePart*> parts;
    for (const DominancePart& part : d.torque[i].parts)
      if (part.share >= 1e-3) parts.push_back(&part);
    std::ranges::stable_sort(parts, std::greater<>(), &DominancePart::share);
    for (const DominancePart* part : parts) {
      table.add({part == parts.front() ? fmt::format("{} {}", i + 1, names[i]) : std::string(), part->name,
                 in_percent(part->share), part->peak});
      row_units.push_back(units[i]);
    }
  }
  return with_units(std::move(table), 3, 3, row_units);
}

PlotGrid curves(std::string title, std::string quantity, const std::vector<DominanceRow>& rows,
                const std::vector<std::string>& units, const std::vector<double>& time) {
  PlotGrid grid{std::move(title), "", {}, 3};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const DominanceRow& row = rows[r];
    if (row.zero) continue;
    SvgPlot plot{row.name, "", {"time", "s"}, {quantity, units[r]}};
    std::vector<double> sum(time.size(), 0.0);
    for (const DominancePart& part : row.parts) {
      plot.series.push_back({part.name, time, part.values});
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += part.values[k];
    }
    plot.series.push_back({"together", time, std::move(sum)});
    grid.plots.push_back(std::move(plot));
  }
  return grid;
}

/// Which term has most of the torque of how many joints, and what the inertias come from.
Paragraph dominance_verdict(const Dominance& d, const Model<double>& model) {
  std::string text;
  for (std::size_t i = 0; i < d.torque.size(); ++i) {
    const auto largest = std::ranges::max_element(d.torque[i].parts, {}, &DominancePart::share);
    if (largest == d.torque[i].parts.end() || !(largest->share > 0)) continue;
    text += fmt::format("{}{} {} ({:.0f} %)", text.empty() ? "The largest term of each torque: " : ", ",
                        model.velocity_names[i], largest->name, 100 * largest->share);
  }
  return {text.empty() ? "No torque has a term." : text + ".", Tone::plain};
}

Report dominance_report(const DominanceArguments& a, const Model<double>& model, const Dominance& d, const States& at) {
  Report report{fmt::format("{}: translation, rotation and each term", model.name),
                !at.motion.empty()
                    ? fmt::format("along {}, {} instants", printable(at.motion), at.time.size())
                    : fmt::format("over {} random states inside the limits (seed {})", a.states.value_or(usual_states),
                                  a.seed.value_or(usual_seed)) +
                          fmt::format(", velocities up to {} {}, accelerations up to {} {}",
                                      short_list(at.limits.speed), units_of(velocity_kinds(model), 1),
                                      short_list(at.limits.acceleration), units_of(velocity_kinds(model), 2))};
  const bool rotors = std::ranges::any_of(d.inertia, [](const DominanceRow& row) { return row.parts.size() > 2; });
  ReportSection& parts = report.section("Where inertias and velocity torques come from");
  parts.text(
      "Shares are sums of magnitudes over all instants. Translation: the links' masses moving with their mass centres; "
      "rotation: their inertias about these. A part with 90 % or more dominates.");
  parts.table(share_table("inertias D_ij", d.inertia, inertia_units(model), rotors));
  parts.table(share_table("Coriolis and centrifugal torques h_i", d.velocity, torque_units(model), false));
  ReportSection& torques = report.section("What each torque is made of");
  torques.table(torque_table(d, model.velocity_names, torque_units(model)));
  report.verdict = dominance_verdict(d, model);
  if (at.motion.empty()) return report;
  parts.figure(curves("Inertias D_ij along the motion", "inertia", d.inertia, inertia_units(model), at.time));
  parts.figure(curves("Velocity torques h_i along the motion", "torque", d.velocity, torque_units(model), at.time));
  return report;
}

DominanceResult result_of(const DominanceArguments& a, const Model<double>& model, const Dominance& d,
                          const States& at) {
  DominanceResult result{model.name, {}, {}, {}, {}, at.states.size(), d};
  if (!at.motion.empty()) {
    result.motion = at.motion;
  } else {
    result.seed = a.seed.value_or(usual_seed);
    result.speeds = at.limits.speed;
    result.accelerations = at.limits.acceleration;
  }
  return result;
}

}  // namespace

int dominance_verb(Arguments arguments) {
  DominanceArguments a;
  Options options(
      "dominance",
      "How much of the inertias D_ij and of the velocity torques h_i comes from translation and from rotation "
      "of the links, and how much each term has in each torque: along a motion, or over the workspace. For "
      "serial arms of revolute and prismatic joints; friction apart.");
  a.robot.add_to(options);
  a.course.add_to(options, "default none: random states");
  options.whole("--seed", 0, 1'000'000'000, a.seed, "of the random states where there is no motion; default 1985")
      .whole("--states", 1, 1'000'000, a.states, "how many of them; default 2000");
  a.rates.add_to(options);
  options.writes("--html", "FILE", a.page, "a page, with the curves where there is a motion (HTML)");
  a.print.add_to(options);
  options.example("puma560", "over the workspace")
      .example("puma560 --speeds 0.5 --accelerations 1", "of slow motions")
      .example("puma560 --motion built-in --html dominance.html", "along a motion, with the curves");
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors;
  refuse_if(a.page == "-" && a.print.json, "--html -", "with --json", errors);
  refuse_if(a.course.motion && a.seed, "--seed", "with --motion", errors);
  refuse_if(a.course.motion && a.states, "--states", "with --motion", errors);
  refuse_if(a.course.motion && a.rates.speeds, "--speeds", "with --motion", errors);
  refuse_if(a.course.motion && a.rates.accelerations, "--accelerations", "with --motion", errors);
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  collect(robot, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  States at;
  if (a.course.motion) {
    const auto course = read_course(*robot, a.robot.name, a.course);
    if (!course) return complain(course.faults(), exit_bad_input);
    at = {course->name, course->course.times, states_on(course->course, robot->model().nv), {}};
  } else {
    at.limits = read_rate_limits(robot->model(), a.rates, errors);
    if (!errors.empty()) return complain(errors, exit_bad_input);
    at.states = random_workspace_states(robot->model(), at.limits, static_cast<int>(a.states.value_or(usual_states)),
                                        static_cast<std::uint64_t>(a.seed.value_or(usual_seed)));
  }
  const auto found = dominance(robot->description(), at.states);
  if (!found) return complain(found.faults(), exit_impossible);

  return deliver(dominance_report(a, robot->model(), *found, at), a.page, a.print,
                 [&] { return print_result(result_of(a, robot->model(), *found, at)); });
}

}  // namespace torsor
