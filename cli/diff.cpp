// torsor diff A B: what is different between two robots, physically.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/deliver.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/check/robot_difference.hpp"
#include "torsor/how_many.hpp"
#include "torsor/report/coordinate_table.hpp"
#include "torsor/text/result_table.hpp"

namespace torsor {
namespace {

struct DiffArguments {
  std::string first, second;
  XacroArguments load;
  ChainArguments chain;
  std::optional<std::vector<double>> tolerance;
  long long states = 64;
  bool link_frames = false;
  std::optional<std::string> page;
  PrintArguments print;
};

std::string joined(const std::vector<double>& q) { return fmt::format("{:.6g}", fmt::join(q, " ")); }

/// What it comes to: in how many places of what kind, and what that does to torques.
Paragraph verdict_of(const RobotDifference& d) {
  if (d.same)
    return {fmt::format("The robots are the same, to a tolerance of {}.", format_number(d.tolerance, 2)), Tone::good};
  std::vector<std::string> topics;
  for (const DifferenceRow& each : d.differences)
    if (std::ranges::find(topics, each.topic) == topics.end()) topics.push_back(each.topic);
  std::string text = "The robots differ";
  if (!d.differences.empty())
    text += fmt::format(" in {}: {}", how_many(static_cast<long long>(d.differences.size()), "place"),
                        fmt::join(topics, ", "));
  text += d.torque.torque > 0 ? fmt::format("; torques by up to {} of their size.", format_number(d.torque.relative, 2))
                              : "; torques are the same.";
  return {std::move(text), Tone::bad};
}

Report describe(const DiffArguments& a, const Model<double>& model, const RobotDifference& d) {
  Report report{fmt::format("{} and {}", a.first, a.second),
                fmt::format("{} random state{} inside the limits of the first; tolerance {:.2g}", d.states,
                            d.states == 1 ? "" : "s", d.tolerance)};
  report.verdict = verdict_of(d);
  ReportSection& section = report.section("");
  if (!d.renamed.empty())
    section.table(
        table_of<Renamed>("the same joints under other names", d.renamed, {"first", "second", {"because", "by"}}));
  if (!d.differences.empty()) {
    section.table(table_of<DifferenceRow>("differences", d.differences,
                                          {"topic", "where", "quantity", "first", "second", "difference", "unit"},
                                          a.print.significant()));
    // the table says it all where it is one number in each
    for (const DifferenceRow& each : d.differences)
      if (!each.first || !each.second) section.text(each.sentence + ".");
  }
  for (const std::string& each : d.notes) section.text("Note: " + each + ".");
  if (d.pose.position > 0 || d.pose.angle > 0)
    section.text(fmt::format("Poses differ by at most {:.3g} m{} and {:.3g} rad{}.", d.pose.position,
                             d.pose.position > 0 ? fmt::format(" at \"{}\"", d.pose.position_where) : "", d.pose.angle,
                             d.pose.angle > 0 ? fmt::format(" at \"{}\"", d.pose.angle_where) : ""));
  else
    section.text("Poses are the same to the last digit.");
  const auto worst = std::ranges::find(model.velocity_names, d.torque.joint) - model.velocity_names.begin();
  const std::string unit = worst < std::ssize(model.velocity_names)
                               ? std::string(torque_unit(velocity_kinds(model)[static_cast<std::size_t>(worst)]))
                               : units_of(velocity_kinds(model), Quantity::effort);
  if (d.torque.torque > 0)
    section.text(fmt::format(
        "Torques differ by at most {:.3g} of their size; by {:.6g} {} at \"{}\": {:.6g} in the first, {:.6g} in "
        "the second, at q = {}.",
        d.torque.relative, d.torque.torque, unit, d.torque.joint, d.torque.first, d.torque.second, joined(d.torque.q)));
  else
    section.text("Torques are the same to the last digit.");
  section.text(d.same ? "The robots are the same." : "The robots DIFFER.", d.same ? Tone::good : Tone::bad);
  return report;
}

}  // namespace

int diff_verb(Arguments arguments) {
  DiffArguments a;
  Options options(
      "diff",
      "What is different between two robots, physically: geometry, masses, limits, friction, drives, frames; and the "
      "largest "
      "difference of poses and torques over random states, and where. Joints are matched by name, else by place, which "
      "is said. Exit code 0 where they are the same, 1 where they differ.");
  options.positional("A", a.first, "a robot file of any kind, or a built-in robot")
      .positional("B", a.second, "the other")
      .numbers("--tolerance", "NUMBER", a.tolerance,
               "smallest difference that counts: of lengths relative to the robot's, of angles in rad, of all else "
               "relative to itself; "
               "default 1e-9")
      .whole("--states", 1, 1'000'000, a.states, "how many random states; default 64")
      .flag("--link-frames", a.link_frames, "frames of links that sit elsewhere on the same body count as differences")
      .writes("--html", "FILE", a.page, "the answer as a page");
  a.load.add_to(options);
  a.chain.add_to(options, ToolMeans::chain);
  a.print.add_to(options);
  options.example("arm.urdf arm_new.urdf", "what did the edit change?")
      .example("ur5 vendor.urdf --tool tool0 --json", "one arm of both, for another program");
  if (const auto code = options.parse(arguments)) return *code;
  Faults errors;
  if (a.tolerance && (a.tolerance->size() != 1 || !(a.tolerance->front() >= 0)))
    errors.push_back(
        {{}, "--tolerance", "option-value", "it takes one number, zero or positive", "for example --tolerance 1e-6"});
  refuse_if(a.first == "-" && a.second == "-", "B", "from standard input, since A is", errors);
  refuse_if(a.page == "-" && a.print.json, "--html -", "while the JSON answer goes to standard output, too", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  // doubts about their numbers are what check is for
  const auto robot = [&](const std::string& name) -> Result<Robot> {
    auto whole = read_unchecked(name, a.load);
    if (!whole) return whole;
    return cut_chain(*whole, a.chain);
  };
  const auto first = collected(robot(a.first), errors), second = collected(robot(a.second), errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  DifferenceOptions wanted{.states = static_cast<int>(a.states), .link_frames = a.link_frames};
  if (a.tolerance) wanted.tolerance = a.tolerance->front();
  const RobotDifference difference = robot_difference(*first, *second, wanted);
  const int code =
      deliver(describe(a, first->model(), difference), a.page, a.print, [&] { return print_result(difference); });
  return code == exit_done && !difference.same ? exit_impossible : code;
}

}  // namespace torsor
