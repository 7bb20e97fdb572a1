// torsor count: the operations that each formulation of inverse dynamics executes, for a robot, for general arms of n
// joints with the polynomials they follow, and beside the tables of the literature.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/files.hpp"
#include "cli/tool_count.hpp"
#include "cli/print.hpp"
#include "cli/quoted_report.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/formulations/catalogue.hpp"
#include "torsor/formulations/census_result.hpp"
#include "torsor/formulations/operation_census.hpp"
#include "torsor/formulations/record_formulation.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/model/general_arm.hpp"

namespace torsor {
namespace {

struct RuleName {
  std::string_view name;
  Rule rule;
};
constexpr RuleName rule_names[] = {
    {"dense", Rule::dense}, {"structured", Rule::structured}, {"listing", Rule::listing}};

struct CountArguments {
  std::string robot;
  ChainArguments chain = {};
  std::optional<std::string> n, joints, formulation, rule;
  bool live = false, tables = false, tool = false;
  RecordOptions record;
  PrintArguments print;
};

struct Range {
  int first = 1, last = 1;
};

Fault option_error(std::string option, std::string what, std::string remedy) {
  return {{}, std::move(option), "option-value", std::move(what), std::move(remedy)};
}

/// `6` or `1..12`.
Result<Range> parse_range(const std::string& text) {
  constexpr int most = 12;  // recordings of the O(n^4) formulations grow to gigabytes beyond
  const auto dots = text.find("..");
  const auto number = [](std::string_view part) -> int {
    if (part.empty() || part.size() > 2 || part.find_first_not_of("0123456789") != part.npos) return 0;
    return std::stoi(std::string(part));
  };
  const int first = number(text.substr(0, dots));
  const int last = dots == text.npos ? first : number(text.substr(dots + 2));
  if (1 <= first && first <= last && last <= most) return Range{first, last};
  return Faults{option_error("--n", fmt::format("\"{}\" is no number of joints", text),
                             fmt::format("write --n 6 or --n 1..12, at most {}", most))};
}

TextTable::Cell whole(int x) { return static_cast<long long>(x); }

/// Divisions, roots and transcendental calls in words; most formulations have none.
std::string others(const OperationCount& c) {
  std::string text;
  const auto add = [&text](int count, const char* name) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  };
  add(c.divisions, "divisions");
  add(c.square_roots, "square roots");
  add(c.trigonometric, "sines and cosines");
  add(c.arctangents, "arctangents");
  return text;
}

const char* const how_it_counts =
    "multiplications and additions per call; sines and cosines of the joint angles are given, a subtraction is an\n"
    "addition, negation is free. dense: zeros and ones inside run-time arithmetic are not exploited; structured: they\n"
    "are; live: structured, without what no torque depends on";

/// Every formulation on one robot.
int count_robot(const std::string& title, const RobotForms<double>& forms, const CountArguments& a) {
  const std::vector<CensusRow> rows = operation_census(forms, a.record);
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("robot", title);
    write_json(json.key("formulations"), rows);
    json.end_object();
    return finish_json(json);
  }
  TextTable table{"", {{"formulation"}, {"dense *"}, {"+"}, {"structured *"}, {"+"}, {"live *"}, {"+"}, {"order"}}};
  TextTable refused{"cannot serve this robot", {{"formulation"}, {"because"}}};
  for (const CensusRow& row : rows) {
    if (!row.refusal.empty()) {
      refused.add({row.name, row.refusal});
      continue;
    }
    const OperationCount &d = row.dense.all, &s = row.structured.all, &l = row.structured.live;
    table.add({row.name, whole(d.multiplications), whole(d.additions), whole(s.multiplications), whole(s.additions),
               whole(l.multiplications), whole(l.additions), row.complexity});
  }
  std::cout << fmt::format("operations of inverse dynamics: {}\n\n{}\n\n{}", title, how_it_counts, to_text(table));
  if (!refused.rows.empty()) std::cout << '\n' << to_text(refused);
  return finish_standard_output();
}

/// One formulation, stage by stage.
int count_formulation(const std::string& title, const RobotForms<double>& forms, const CountArguments& a, Rule rule) {
  const auto rows = inverse_formulations<Trace>();
  const InverseFormulation<Trace>* formulation = find_formulation(rows, *a.formulation);
  const std::string reason = refusal(*formulation, cast<Trace>(forms, [](double x) { return Trace(x); }));
  if (!reason.empty())
    return complain({fault_of(fmt::format("formulation \"{}\"", *a.formulation), "formulation-refuses", reason,
                              "torsor count ROBOT lists those that serve the robot")},
                    exit_impossible);
  const std::vector<StageTally> stages = tally_stages(record(*formulation, forms, a.record), rule);
  const Tally sum = total(stages);
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("robot", title).field("formulation", formulation->name);
    write_json(json.key("stages"), stages);
    write_json(json.key("total"), sum);
    json.end_object();
    return finish_json(json);
  }
  TextTable table{"", {{"stage"}, {"all *"}, {"+"}, {"live *"}, {"+"}, {"besides"}}};
  const auto add = [&table](const std::string& name, const Tally& t) {
    table.add({name, whole(t.all.multiplications), whole(t.all.additions), whole(t.live.multiplications),
               whole(t.live.additions), others(t.all)});
  };
  for (const StageTally& stage : stages) add(stage.stage.empty() ? "before the first stage" : stage.stage, stage.count);
  add("total", sum);
  const bool any_given = std::ranges::any_of(stages, &StageTally::is_given);
  std::cout << fmt::format("{}: {} ({}), {} rule\n\n{}", title, formulation->name, formulation->source,
                           a.rule.value_or("structured"), to_text(table));
  if (any_given) std::cout << "\noff-line, and what the source takes as given, are not in the total\n";
  return finish_standard_output();
}

/// General arms of n joints, and the polynomials in n.
int count_general(const Range& range, const CountArguments& a, Rule rule) {
  std::vector<GeneralCount> lines;
  for (const InverseFormulation<Trace>& formulation : inverse_formulations<Trace>()) {
    if (a.formulation && *a.formulation != formulation.name) continue;
    GeneralCount line{std::string(formulation.name)};
    for (int n = range.first; n <= range.last; ++n) {
      const RobotForms<double> forms = general_forms(n, a.joints ? std::string_view(*a.joints) : std::string_view());
      if (!refusal(formulation, cast<Trace>(forms, [](double x) { return Trace(x); })).empty()) continue;
      const Tally t = total(tally_stages(record(formulation, forms, a.record), rule));
      const OperationCount& c = a.live ? t.live : t.all;
      if (line.multiplications.empty()) line.first_n = n;
      line.multiplications.push_back(c.multiplications);
      line.additions.push_back(c.additions);
    }
    if (!line.multiplications.empty()) lines.push_back(std::move(line));
  }
  const std::string what = fmt::format("{} rule, {}", a.rule.value_or("structured"),
                                       a.live ? "what a torque depends on" : "all that is executed");
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("rule", a.rule.value_or("structured")).field("live", a.live);
    write_json(json.key("formulations"), lines);
    json.end_object();
    return finish_json(json);
  }
  std::cout << fmt::format("general arms, {}: multiplications and additions of inverse dynamics\n", what);
  for (const GeneralCount& line : lines) {
    TextTable table{line.name, {{"n"}, {"*"}, {"+"}}};
    for (std::size_t k = 0; k < line.multiplications.size(); ++k)
      table.add({static_cast<long long>(line.first_n) + static_cast<long long>(k), line.multiplications[k],
                 line.additions[k]});
    std::cout << '\n' << to_text(table);
    const std::string m = line.multiplications_law(), p = line.additions_law();
    if (!m.empty() && !p.empty())
      std::cout << fmt::format("* {}\n+ {}\n", m, p);
    else if (line.multiplications.size() > 4)
      std::cout << "no polynomial that the values confirm: a longer range is needed, or it is none\n";
  }
  return finish_standard_output();
}

}  // namespace

int count_verb(Arguments arguments) {
  CountArguments a;
  std::vector<std::string_view> names;
  for (const auto& row : inverse_formulations<double>()) names.push_back(row.name);
  Options options(
      "count",
      "The operations that each formulation of inverse dynamics executes, counted from a recording of the "
      "algorithm itself: for a robot, for general arms of n joints, or beside the tables of the literature.");
  options.optional_positional("ROBOT", a.robot, "robot file, built-in robot, or - for standard input");
  a.chain.add_to(options, ToolMeans::chain, "--tip");  // --tool is another question here
  options.group("Instead of a robot");
  options.text("--n", "N|A..B", a.n,
               "general arms of so many joints, at most 12; over a range with the polynomials in n");
  options.text("--joints", "WORD", a.joints, "with --n N: their kinds, such as RRPRRR; default all R");
  options.flag("--tables", a.tables, "the tables of the literature with an executed column");
  options.group("What is counted");
  options.text("--formulation", "NAME", a.formulation,
               fmt::format("one of them, by stages: {}", fmt::join(names, ", ")))
      .one_of_names(names);
  options
      .text("--rule", "RULE", a.rule,
            "dense: zeros and ones inside run-time arithmetic are not exploited; structured: they are; "
            "listing: only within a stage, as papers count that list the steps of a general link; default structured")
      .one_of({"dense", "structured", "listing"});
  options.flag("--tool", a.tool,
               "with ROBOT: instead of inverse dynamics the paths from the motion of the tool to torques");
  options.flag("--live", a.live, "with --n A..B: without what no torque depends on");
  options.flag("--gravity-at-run-time", a.record.gravity_at_run_time, "gravity is a run-time vector, not a constant");
  options.flag("--lengths-at-run-time", a.record.lengths_at_run_time,
               "so are the lengths a and d: sums such as a - rho are counted");
  options.flag("--masses-at-run-time", a.record.masses_at_run_time, "so are the masses: m rho is counted");
  a.print.add_to(options);
  options.example("puma560", "every formulation on one robot")
      .example("puma560 --formulation tree-newton-euler", "stage by stage")
      .example("--n 1..12 --rule dense", "the laws in n")
      .example("--n 2..8 --formulation kane --rule listing --live --gravity-at-run-time --lengths-at-run-time",
               "Kane's equations as their paper counts them")
      .example("rotary_hollerbach --tool", "inverse kinematics fused with dynamics, and not")
      .example("--tables", "the literature, recounted");
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors;
  const int modes = !a.robot.empty() + a.n.has_value() + a.tables;
  if (modes != 1)
    errors.push_back(fault_of("count", "option-missing", modes == 0 ? "nothing to count" : "one question at a time",
                              "give a ROBOT, or --n, or --tables"));
  const bool range_of_n = a.n && a.n->find("..") != std::string::npos;
  refuse_if(a.joints && !a.n, "--joints", "without --n", errors);
  refuse_if(a.live && !range_of_n, "--live", "without --n A..B: both are shown", errors);
  refuse_if(a.rule && !range_of_n && !a.formulation, "--rule", "without --n A..B or --formulation: several are shown",
            errors);
  refuse_if(a.tables && a.formulation, "--formulation", "with --tables", errors);
  refuse_if(a.tool && a.robot.empty(), "--tool", "without a ROBOT", errors);
  refuse_if(a.tool && a.formulation, "--formulation", "with --tool", errors);
  refuse_if(a.robot.empty() && a.chain.cuts(), "--tip, --base, --hold or --followers", "without a ROBOT", errors);
  refuse_if(a.tool && (a.record.gravity_at_run_time || a.record.lengths_at_run_time || a.record.masses_at_run_time),
            "--tool", "with constants at run time", errors);
  Rule rule = Rule::structured;
  if (a.rule) {
    const auto found = std::ranges::find(rule_names, std::string_view(*a.rule), &RuleName::name);
    if (found == std::end(rule_names))
      errors.push_back(
          option_error("--rule", fmt::format("there is no rule \"{}\"", *a.rule), "dense, structured or listing"));
    else
      rule = found->rule;
  }
  if (a.formulation && std::ranges::find(names, std::string_view(*a.formulation)) == names.end())
    errors.push_back(option_error(
        "--formulation", fmt::format("there is no formulation \"{}\"", *a.formulation),
        fmt::format("{} the formulations are {}", did_you_mean(*a.formulation, names), fmt::join(names, ", "))));
  Range range;
  if (a.n) {
    const auto parsed = parse_range(*a.n);
    collect(parsed, errors);
    if (parsed) range = *parsed;
    if (parsed && a.joints &&
        (range.first != range.last || a.joints->size() != static_cast<std::size_t>(range.first) ||
         a.joints->find_first_not_of("RP") != std::string::npos))
      errors.push_back(option_error("--joints", fmt::format("\"{}\" does not fit --n {}", *a.joints, *a.n),
                                    "one letter per joint, R or P, and one n"));
  }
  if (!errors.empty()) return complain(errors, exit_bad_input);

  if (a.tables) return print_quoted_tables(a.print);
  if (a.n && (range.first != range.last || !a.formulation)) {
    if (range.first != range.last) return count_general(range, a, rule);
    return count_robot(fmt::format("general arm, {}", a.joints.value_or(fmt::format("{}R", range.first))),
                       general_forms(range.first, a.joints ? std::string_view(*a.joints) : std::string_view()), a);
  }
  std::optional<RobotForms<double>> forms;
  std::string title;
  if (a.n) {
    forms = general_forms(range.first, a.joints ? std::string_view(*a.joints) : std::string_view());
    title = fmt::format("general arm, {}", a.joints.value_or(fmt::format("{}R", range.first)));
  } else {
    const auto robot = read_robot(a.robot, RobotUse::dynamics, {}, a.chain);
    if (!robot) return complain(robot.faults(), exit_bad_input);
    for (int i = 0; i < robot->model().size(); ++i)
      if (robot->model()[i].nv > 1)
        return complain({{{robot->description().file, 0},
                          fmt::format("joint \"{}\"", robot->model().joint_names[i]),
                          "count-joint",
                          "it has several degrees of freedom",
                          "operations are counted for joints of one degree of freedom"}},
                        exit_impossible);
    if (a.tool) return print_tool_count(robot->model().name, robot->description(), a.print);
    // zeros and quarter turns are what saves operations: of the robot that the numbers stand for
    auto made = robot_forms(robot->description(), GeometryTolerance{});
    if (!made) return complain(made.faults(), exit_impossible);
    note_special(*made, robot->description());
    title = robot->model().name;
    forms = std::move(*made);
  }
  return a.formulation ? count_formulation(title, *forms, a, rule) : count_robot(title, *forms, a);
}

}  // namespace torsor
