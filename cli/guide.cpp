// torsor guide ROBOT: how the design of a robot could make its equations of motion simpler.
#include <fmt/format.h>

#include <iostream>

#include "cli/course_argument.hpp"
#include "cli/deliver.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/torques_beside.hpp"
#include "torsor/report/guide_report.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

struct GuideArguments {
  RobotArgument robot;
  CourseArgument course;
  bool all = false, keep_axes = false, pairs = false;
  std::optional<long long> apply;
  std::optional<std::string> output, page;
  PrintArguments print;
};

int write_changed(const DesignGuide& guide, const GuideArguments& a) {
  const std::size_t k = static_cast<std::size_t>(*a.apply);
  if (k > guide.proposals.size())
    return complain(
        {fault_of(fmt::format("--apply {}", k), "option-value",
                  fmt::format("there are {} proposals", guide.proposals.size()),
                  "torsor guide lists them with their numbers; with the same --keep-axes, --pairs and --motion")},
        exit_bad_input);
  const Proposal& proposal = guide.proposals[k - 1];
  Description changed = proposal.change.robot;
  changed.source += (changed.source.empty() ? "changed: " : "; changed: ") + proposal.change.text;
  OutputFile file(a.output.value_or("-"));
  if (!file.faults().empty()) return complain(file.faults(), exit_not_written);
  file.stream() << write_robot_toml(changed);
  if (!file.finish()) return complain(file.faults(), exit_not_written);
  if (!file.is_standard())
    std::cout << fmt::format("{}: {} -> {}; {} coefficients are not zero instead of {}\n", guide.now.robot.model.name,
                             proposal.change.text, printable(file.name()), proposal.count(),
                             total(guide.now.numbers().nonzero_counts()));
  return finish_standard_output();
}

}  // namespace

int guide_verb(Arguments arguments) {
  GuideArguments a;
  Options options(
      "guide",
      "How the design could make the equations of motion simpler: four guidelines checked with numbers, and "
      "which change of an offset, an axis or a mass removes which coefficient, tried exactly, ranked by what it does "
      "to "
      "peak torques, energy and coupling, none that takes a degree of freedom from the tool.");
  a.robot.add_to(options);
  options.flag("--all", a.all, "every proposal, with every coefficient")
      .flag("--keep-axes", a.keep_axes, "only changes of masses, which leave the tool's reach as it is")
      .flag("--pairs", a.pairs,
            "for coefficients that no single change removes, try all changes two at a time; up to 8 joints")
      .whole("--apply", 1, 1'000'000, a.apply, "write the robot with this proposal")
      .writes("-o,--output", "FILE", a.output, "with --apply: the robot file; default - (standard output)")
      .writes("--html", "FILE", a.page, "a page (HTML)");
  a.course.add_to(options, "default built-in");
  a.print.add_to(options);
  options.example("puma560", "which changes pay")
      .example("puma560 --keep-axes --apply 1 -o lighter.toml", "the robot with the best change of masses")
      .example("scara --motion pick.csv --json", "for another program");
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors;
  refuse_if(a.page == "-" && a.print.json, "--html -", "with --json", errors);
  refuse_if(a.output && !a.apply, "--output", "without --apply", errors);
  refuse_if(a.apply && a.print.json, "--json", "with --apply", errors);
  refuse_if(a.apply && a.page, "--html", "with --apply", errors);
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) {
    collect(robot, errors);
    return complain(errors, exit_bad_input);
  }
  if (!errors.empty()) return complain(errors, exit_bad_input);
  if (a.pairs && robot->model().nv > most_paired)
    return complain({fault_of("--pairs", "option-value",
                              fmt::format("{} has {} coordinates", robot->model().name, robot->model().nv),
                              fmt::format("two changes at a time are tried for up to {}", most_paired))},
                    exit_bad_input);
  // what has no structure says so before its motion is asked for
  if (const auto exact = exact_robot(robot->description()); !exact) return complain(exact.faults(), exit_impossible);
  const auto course = read_course(*robot, a.robot.name, a.course);
  if (!course) return complain(course.faults(), exit_bad_input);

  const auto found =
      guide(robot->description(), course->course, {.structure = {}, .keep_axes = a.keep_axes, .pairs = a.pairs});
  if (!found) return complain(found.faults(), exit_impossible);
  if (a.apply) return write_changed(*found, a);
  const GuideView view{course->name, a.all, a.pairs};
  Report report = guide_report(*found, view, a.print);
  if (a.page && !found->proposals.empty()) {
    const Proposal& best = found->proposals.front();
    const auto changed = build(best.change.robot);
    if (!changed) return complain(changed.faults(), exit_impossible);
    ReportSection& section = report.sections[1];
    section.text(fmt::format("Change 1 along {}: {}.", printable(view.motion), best.change.text));
    add_torques_beside(section, "Torques along the motion, before and after change 1", *changed, course->course,
                       {"after", torques_without_friction(*changed)},
                       {"before", torques_without_friction(robot->model())});
  }
  return deliver(report, a.page, a.print, [&] {
    JsonWriter json(std::cout);
    json.begin_object().field("motion", view.motion);
    write_fields(json, *found);
    json.end_object();
    return finish_json(json);
  });
}

}  // namespace torsor
