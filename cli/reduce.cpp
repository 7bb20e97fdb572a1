// torsor reduce ROBOT: the equations of motion without what hardly matters on a motion, and how wrong that is.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iostream>

#include "cli/course_argument.hpp"
#include "cli/deliver.hpp"
#include "cli/robot_argument.hpp"
#include "cli/torques_beside.hpp"
#include "torsor/report/coordinate_table.hpp"
#include "torsor/text/number.hpp"
#include "torsor/files/reduced_toml.hpp"
#include "torsor/structure/exact_robot.hpp"
#include "torsor/symbolic/meant_robot.hpp"
#include "torsor/reduction/reduce.hpp"
#include "torsor/reduction/reduction_result.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

struct ReduceArguments {
  RobotArgument robot;
  CourseArgument course;
  std::optional<std::string> tolerance, over, ranges, output, page;
  bool consistent = false;
  long long seed = 1985;
  PrintArguments print;
};

/// `1%`, `1 %` or `0.01`.
Result<double> read_tolerance(const std::optional<std::string>& text) {
  if (!text) return 0.01;
  std::string_view word = *text;
  const bool percent = word.ends_with('%');
  if (percent) word.remove_suffix(1);
  const ParsedNumber number = parse_number(word);
  const double value = number.value / (percent ? 100 : 1);
  if (number && value >= 0 && value < 1) return value;
  return fault_of("--tolerance", "option-value", fmt::format("\"{}\" is not allowed", *text),
                  "give 1% or 0.01, from 0 to below 100%");
}

/// One of two words; the first is the default.
Result<bool> second_word(const std::string& option, const std::optional<std::string>& given, const char* first,
                         const char* second) {
  if (!given || *given == first) return false;
  if (*given == second) return true;
  return fault_of(option, "option-value", fmt::format("\"{}\" is not allowed", *given),
                  fmt::format("use {} or {}", first, second));
}

/// Positions to the joint limits and velocities to theirs, where there are any; at least what the motion needs.
StateRanges widened(StateRanges ranges, const Model<double>& model) {
  const auto widen = [](StateRange& range, double low, double high) {
    if (std::isfinite(low)) range.low = std::min(range.low, low);
    if (std::isfinite(high)) range.high = std::max(range.high, high);
  };
  for (std::size_t k = 0; k < ranges.q.size(); ++k) {
    const Limits& limits = model.limits[k];
    widen(ranges.q[k], limits.lower, limits.upper);
    widen(ranges.qd[k], -limits.velocity, limits.velocity);
  }
  return ranges;
}

double saved(int reduced, int full) { return full > 0 ? 1 - static_cast<double>(reduced) / full : 0; }

std::string percent_text(double share) { return format_number(100 * share, 3) + " %"; }

std::string saving_text(double share) {
  if (share > 0) return percent_text(share) + " of the multiplications are saved";
  return share < 0 ? fmt::format("nothing is saved, it takes {} more multiplications", percent_text(-share))
                   : std::string("no multiplication is saved");
}

std::array<std::size_t, 3> counts_of(const std::vector<TorqueTerm>& terms) {
  std::array<std::size_t, 3> counts{};
  for (const TorqueTerm& term : terms) ++counts[static_cast<std::size_t>(term.part)];
  return counts;
}

std::string use_sentence(const Reduction& r) {
  const bool proven = r.model.size() <= 3;  // is_proven_definite
  const std::string least = format_number(r.least_eigenvalue, 3);
  if (r.model.statement.definite)
    return proven
               ? "Its mass matrix stays symmetric and positive definite on the ranges (proven by interval arithmetic): "
                 "the model serves inverse and forward dynamics."
               : fmt::format(
                     "Its mass matrix is symmetric, and positive definite wherever a search looked on the ranges "
                     "(least eigenvalue found, of the matrix scaled to a diagonal of ones: {}): the model serves "
                     "inverse and, on that evidence, forward dynamics.",
                     least);
  return fmt::format("Its mass matrix is {} on the ranges: the model is for inverse dynamics only.",
                     r.least_eigenvalue > 0 ? "not proven to be positive definite" : "not positive definite");
}

Report reduce_report(const ReduceArguments& a, const Reduction& r, const std::string& motion) {
  const ReductionStatement& said = r.model.statement;
  Report report{fmt::format("{}: reduced to {} on {}", r.model.robot, percent_text(said.tolerance), printable(motion)),
                ""};
  ReportSection& what = report.section("");
  const ModelCost& full = r.full.front();
  what.text(
      fmt::format("{} of {} terms are kept. Inverse dynamics takes {} multiplications and {} additions, and in full, "
                  "by the cheapest way "
                  "there is ({}), {} and {}: {}. Sines and cosines of the joints are "
                  "given; counted on "
                  "the recorded operations.",
                  r.model.terms.size(), r.terms, r.cost.count.multiplications, r.cost.count.additions, full.path,
                  full.count.multiplications, full.count.additions,
                  saving_text(saved(r.cost.count.multiplications, full.count.multiplications))));
  what.text(use_sentence(r));
  what.text(
      said.consistent
          ? "Every velocity term that follows from the mass matrix is kept: dD/dt - 2C is skew, the model is that of a "
            "mechanism."
          : "Velocity terms are dropped on their own as well: dD/dt - 2C is not skew. --consistent keeps it so, for "
            "fewer "
            "savings.");

  report.verdict = {fmt::format("{} of {} terms are kept, {}; torques err by {} of their scale on the motion at most.",
                                r.model.terms.size(), r.terms,
                                saving_text(saved(r.cost.count.multiplications, full.count.multiplications)),
                                percent_text(*std::ranges::max_element(said.on_motion))),
                    saved(r.cost.count.multiplications, full.count.multiplications) > 0 ? Tone::good : Tone::warning};
  ReportSection& errors = report.section("How wrong it is");
  errors.text(fmt::format(
      "Errors are relative to the torque scale of the joint, its largest |tau| on the motion. On the motion: the "
      "largest "
      "found at and between its instants, measured against the full model, and {} % of it added. Over the ranges: the "
      "largest that a search from many starts found, and a bound that no state in the ranges exceeds, proven by "
      "interval "
      "arithmetic on the terms left out, with 1e-7 for the rounding of coefficients. The worst error lies between the "
      "two. {}Friction is apart. A table of a motion goes between its rows as the cubic through their positions and "
      "velocities.",
      format_number(100 * error_margin, 2),
      said.proven
          ? ""
          : "What taking special values for rounded numbers does to the torques is added as found at random states: "
            "with it the bound is not proven. "));
  std::vector<CoordinateKind> kinds;
  for (const ReducedJoint& joint : r.model.joints)
    kinds.push_back(joint.prismatic ? CoordinateKind::length : CoordinateKind::angle);
  const auto units = [&kinds](const char* name, int order) {
    return fmt::format("{} ({})", name, units_of(kinds, order));
  };
  TextTable table{"errors of the torques, as shares of their scale",
                  {{"joint"},
                   {fmt::format("scale ({})", units_of(kinds, Quantity::effort))},
                   {"on motion", "%"},
                   {"found over ranges", "%"},
                   {said.proven ? "proven over ranges" : "bound over ranges", "%"}}};
  TextTable ranges{"the ranges",
                   {{"joint"}, {units("q from", 0)}, {"to"}, {units("qd from", 1)}, {"to"}, {units("qdd from", 2)}, {"to"}}};
  for (std::size_t i = 0; i < r.model.joints.size(); ++i) {
    const std::string name = fmt::format("{} {}", i + 1, r.model.joints[i].name);
    table.add({name, said.scale[i], 100 * said.on_motion[i], 100 * r.found[i].error, 100 * said.on_ranges[i]});
    ranges.add(
        {name, said.q[i].low, said.q[i].high, said.qd[i].low, said.qd[i].high, said.qdd[i].low, said.qdd[i].high});
  }
  errors.table(std::move(table)).table(std::move(ranges));

  ReportSection& costs = report.section("Operations of inverse dynamics");
  TextTable operations{"multiplications and additions, reduced and in full", {{"path"}, {"*"}, {"+"}}};
  const auto add = [&](const ModelCost& cost) {
    operations.add(
        {cost.path, static_cast<long long>(cost.count.multiplications), static_cast<long long>(cost.count.additions)});
  };
  add(r.cost);
  for (const ModelCost& each : r.full) add(each);
  costs.table(std::move(operations));

  ReportSection& terms = report.section("Terms that remain");
  const auto kept = counts_of(r.model.terms);
  terms.text(
      fmt::format("D {} terms, h {}, G {}; u_i is qd_i, with that of the joint before it added where the axes are "
                  "parallel; tau'_i lacks that of the joint after it.",
                  kept[0], kept[1], kept[2]));
  std::string text;
  for (const auto& [part, letter] :
       {std::pair(TermPart::inertia, "D"), std::pair(TermPart::velocity, "h"), std::pair(TermPart::gravity, "G")})
    for (const ReducedEntry& entry : reduced_entries(r.model, part, a.print.significant()))
      text += fmt::format("  {}'{} = {}\n", letter, fmt::join(entry.indices, ","), entry.sum);
  if (!text.empty()) text.pop_back();
  terms.code(text);
  if (a.output && a.output != "-") terms.text(fmt::format("model  {}", printable(*a.output)));
  return report;
}

int print_json(const ReductionResult& result) {
  JsonWriter json(std::cout);
  write_json(json, result);
  return finish_json(json);
}

}  // namespace

int reduce_verb(Arguments arguments) {
  ReduceArguments a;
  Options options(
      "reduce",
      "A reduced model: the equations of motion of a serial arm without the terms that hardly matter on a motion. "
      "Says which terms remain, the operations saved, the error on the motion and over ranges of position, velocity "
      "and "
      "acceleration, the largest found and a proven bound, and whether the mass matrix stays positive definite.");
  a.robot.add_to(options);
  a.course.add_to(options, "default built-in");
  options.text("--tolerance", "T", a.tolerance, "of each joint's peak torque on the motion, as 1% or 0.01; default 1%")
      .text("--over", "WHAT", a.over,
            "where the tolerance is kept: motion (default), or ranges, at every state that a search finds in them")
      .one_of({"motion", "ranges"})
      .text("--ranges", "WHICH", a.ranges,
            "over which the error is stated: those of the motion (default), or limits of the joints")
      .one_of({"motion", "limits"})
      .flag("--consistent", a.consistent, "keep every velocity term that follows from the mass matrix")
      .whole("--seed", 0, 1'000'000'000, a.seed, "of the search for the worst state; default 1985")
      .writes("-o,--output", "FILE", a.output,
              "the reduced model (TOML), for torsor id --reduced; - for standard output")
      .writes("--html", "FILE", a.page, "a page (HTML)");
  a.print.add_to(options);
  options.example("puma560 --tolerance 1%", "what a PUMA needs for a pick-and-place")
      .example("puma560 --motion motion.csv --tolerance 2% --over ranges -o reduced.toml", "a model for a controller");
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors;
  refuse_if(a.output == "-" && a.print.json, "--output -", "with --json", errors);
  refuse_if(a.page == "-" && a.print.json, "--html -", "with --json", errors);
  refuse_if(a.page == "-" && a.output == "-", "--html -", "with --output -", errors);
  const auto tolerance = read_tolerance(a.tolerance);
  collect(tolerance, errors);
  const auto over = second_word("--over", a.over, "motion", "ranges");
  collect(over, errors);
  const auto limits = second_word("--ranges", a.ranges, "motion", "limits");
  collect(limits, errors);
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  collect(robot, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  // what has no structure says so before its motion is asked for
  if (const auto exact = exact_robot(robot->description()); !exact) return complain(exact.faults(), exit_impossible);
  const auto course = read_course(*robot, a.robot.name, a.course);
  if (!course) return complain(course.faults(), exit_bad_input);

  ReduceOptions wanted{.tolerance = *tolerance, .consistent = a.consistent, .on_ranges = *over};
  wanted.search.seed = static_cast<std::uint64_t>(a.seed);
  if (*limits) wanted.ranges = widened(ranges_of(telling_states(course->course, robot->model().nv)), robot->model());
  const auto reduction = reduce(robot->description(), course->course, wanted);
  if (!reduction) return complain(reduction.faults(), exit_impossible);
  note_special(reduction->snaps, reduction->snap_effect);

  if (a.output) {
    OutputFile file(*a.output);
    if (file.faults().empty()) file.stream() << write_reduced_toml(reduction->model);
    if (!file.finish()) return complain(file.faults(), exit_not_written);
  }
  Report report = reduce_report(a, *reduction, course->name);
  if (a.page) {
    ReducedDynamics<double> reduced(reduction->model);
    const auto law = [&reduced](auto q, auto qd, auto qdd, auto tau) { reduced.inverse(q, qd, qdd, tau); };
    add_torques_beside(report.sections[1], "Torques along the motion, in full and reduced", robot->model(),
                       course->course, {"full", torques_without_friction(robot->model())}, {"reduced", law});
  }
  if (a.output == "-") {
    const int code = a.page ? write_page(report, *a.page).value_or(exit_done) : exit_done;
    if (code == exit_done) say_page_beside(a.page);
    return code;
  }
  return deliver(report, a.page, a.print, [&] {
    const auto entries = [&](TermPart part) { return reduced_entries(reduction->model, part); };
    return print_json(
        reduction_result(*reduction, course->name, a.output,
                         {entries(TermPart::inertia), entries(TermPart::velocity), entries(TermPart::gravity)}));
  });
}

}  // namespace torsor
