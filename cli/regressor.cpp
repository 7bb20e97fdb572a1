// torsor regressor ROBOT: which dynamic parameters the torques of a robot depend on, and in which combinations; and the
// regressor itself, at a state or along a motion.
#include "torsor/identification/robot_regressor.hpp"
#include "torsor/fast/canonical_chain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "cli/deliver.hpp"
#include "cli/motion_job.hpp"
#include "cli/parameter_arguments.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_arguments.hpp"
#include "torsor/report/loop_summary.hpp"

namespace torsor {
namespace {

struct RegressorArguments {
  RobotArgument robot;
  StateArguments state;
  MotionArguments motion;
  ParameterArguments parameters;
  bool all = false, moving_base = false;
  std::optional<std::string> page;
  PrintArguments print;
};

/// The same regrouping as the fast path has it, in its own frames.
TextTable canonical_table(const CanonicalChain& chain, const Model<double>& model, const PrintArguments& print) {
  TextTable table{"", {column("joint", "", print)}};
  for (const char* name : {"alpha (rad)", "a (m)", "d (m)", "m", "hx", "hy", "hz", "Jxx", "Jyy", "Jxy", "Jxz", "Jyz"})
    table.columns.push_back(column(name, "", print));
  for (int i = 0; i < chain.n(); ++i) {
    const CanonicalLink<double>& l = chain.links[i];
    table.add({model.velocity_names[i], std::atan2(l.sa, l.ca), l.a, l.d, l.m, l.hx, l.hy, l.hz, l.oxx, l.oyy, l.oxy,
               l.oxz, l.oyz});
  }
  return without_noise(std::move(table));
}

Report groups_report(const Robot& robot, const BaseParameters& base, const GroupTexts& texts,
                     const RegressorArguments& a) {
  const Model<double>& model = robot.tree();
  const std::vector<double> values = base.values(parameter_values<double>(model, base.parameters));
  Report report{fmt::format("{}: {} base parameters of {}", model.name, base.count(), base.parameters.size()),
                a.moving_base ? "what the torques depend on while the base moves in every way"
                              : "what the torques depend on, the base at rest"};
  report.verdict = {fmt::format("{} numbers decide the torques; {} of the {} parameters do not appear on their own.",
                                base.count(), base.parameters.size() - static_cast<std::size_t>(base.count()),
                                base.parameters.size()),
                    Tone::plain};
  ReportSection& groups = report.section("Base parameters");
  TextTable table{"",
                  {column("parameter", "", a.print), column("combination", "", a.print), column("value", "", a.print),
                   column("unit", "", a.print)}};
  for (int k = 0; k < base.count(); ++k) {
    const DynamicParameter& p = base.parameters[base.kept[k]];
    table.add({parameter_name(model, p), texts.combinations[k], values[k], std::string(parameter_unit(model, p))});
  }
  groups.table(without_noise(std::move(table)));
  if (!base.regrouped.empty())
    groups.text(fmt::format("Known in these combinations only: {}.", parameter_list(model, base, base.regrouped)));
  if (!base.unfelt.empty())
    groups.text(fmt::format("Without effect on any torque: {}.", parameter_list(model, base, base.unfelt)));
  groups.text(
      fmt::format("The rank rests on the distance between two columns: the weakest column kept is {:.2g} of its "
                  "length, the strongest "
                  "left out {:.1g}.",
                  base.weakest_kept, base.strongest_left));
  if (const auto chain = canonical_chain(model); chain && !robot.loops()) {
    ReportSection& fast = report.section("Canonical chain");
    fast.text(
        "What the fast path computes with: frames at the feet of the common normals, the next joint at (a, 0, d), and "
        "the same regrouping in moments J about the frame's origin (tensor I = tr J - J); kg, kg m, kg m².");
    fast.table(canonical_table(*chain, model, a.print));
  }
  ReportSection& legend = report.section("Letters");
  legend.text(
      "m, mx my mz, Ixx .. Izz: mass, first moments, and tensor about the origin of the joint frame, in its axes; Ia "
      "rotor inertia at the joint; Fv viscous friction, Fp and Fn dry friction for positive and negative speed, Sp and "
      "Sn their breakaway levels.");
  legend.table(body_table(model, a.print));
  if (!texts.letters.empty()) legend.table(letter_table(texts, a.print));
  return report;
}

void parameter_name_field(JsonWriter& json, std::string_view key, const Model<double>& model,
                          const BaseParameters& base, const std::vector<int>& places) {
  std::vector<std::string> names;
  for (const int k : places) names.push_back(parameter_name(model, base.parameters[k]));
  field(json, key, names);
}

int print_groups_json(const Model<double>& model, const BaseParameters& base, const GroupTexts& texts,
                      bool moving_base) {
  const std::vector<double> values = base.values(parameter_values<double>(model, base.parameters));
  const int columns = static_cast<int>(base.regrouped.size());
  JsonWriter json(std::cout);
  json.begin_object().field("robot", model.name).field("moving_base", moving_base);
  json.field("parameter_count", static_cast<long long>(base.parameters.size()));
  json.field("base_parameter_count", base.count());
  json.key("base_parameters").begin_array();
  for (int k = 0; k < base.count(); ++k) {
    const DynamicParameter& p = base.parameters[base.kept[k]];
    json.begin_object().field("name", parameter_name(model, p)).field("unit", parameter_unit(model, p));
    json.field("combination", texts.combinations[k]).field("value", values[k]);
    json.key("others").begin_array();
    for (int d = 0; d < columns; ++d)
      if (const double share = base.K[cell(k, columns, d)]; share != 0)
        json.begin_object()
            .field("name", parameter_name(model, base.parameters[base.regrouped[d]]))
            .field("coefficient", share)
            .end_object();
    json.end_array().end_object();
  }
  json.end_array();
  parameter_name_field(json, "only_in_combinations", model, base, base.regrouped);
  parameter_name_field(json, "without_effect", model, base, base.unfelt);
  json.key("letters").begin_array();
  for (const GroupLetter& letter : texts.letters)
    json.begin_object().field("name", letter.name).field("value", letter.value).end_object();
  json.end_array();
  field(json, "links", model.link_names);
  json.field("weakest_kept", base.weakest_kept).field("strongest_left", base.strongest_left);
  json.end_object();
  return finish_json(json);
}

/// The columns to be shown: base parameters, or all.
std::vector<DynamicParameter> shown_parameters(const BaseParameters& base, bool all) {
  if (all) return base.parameters;
  std::vector<DynamicParameter> list;
  for (const int k : base.kept) list.push_back(base.parameters[k]);
  return list;
}

std::vector<std::string> column_names(const Model<double>& model, const std::vector<DynamicParameter>& list) {
  std::vector<std::string> names;
  for (const DynamicParameter& p : list) names.push_back(parameter_name(model, p));
  return names;
}

/// What the columns are multiplied by.
std::vector<double> shown_values(const Model<double>& model, const BaseParameters& base, bool all) {
  const std::vector<double> phi = parameter_values<double>(model, base.parameters);
  return all ? phi : base.values(phi);
}

/// Why there is none at a position: only where loops do not close.
Fault open_fault(const Robot& robot) { return *loop_fault(robot, {Status::not_closed, -1}); }

int regressor_state(const RegressorArguments& a, const Robot& robot, const BaseParameters& base, const State& state) {
  const Model<double>& model = robot.coordinates();
  RobotRegressor regressor(robot, shown_parameters(base, a.all));
  std::vector<double> Y(cells(model.nv, regressor.columns()));
  if (!regressor.at(state.q, state.qd, state.qdd, Y)) return complain({open_fault(robot)}, exit_impossible);
  const std::vector<std::string> names = column_names(robot.tree(), regressor.parameters());
  const std::vector<double> values = shown_values(robot.tree(), base, a.all);
  std::vector<std::string> entries;
  for (const std::string& joint : model.velocity_names)
    for (const std::string& name : names) entries.push_back(fmt::format("{}:{}", joint, name));
  if (const auto error = first_not_finite(Y, entries)) return complain({*error}, exit_impossible);
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("robot", model.name);
    field(json, "coordinates", model.velocity_names);
    field(json, "q", state.q);
    field(json, "qd", state.qd);
    field(json, "qdd", state.qdd);
    field(json, "parameters", names);
    field(json, "values", values);
    matrix_field(json, "Y", Y, names.size());
    json.end_object();
    return finish_json(json);
  }
  // a row per parameter: there are more of them than fit beside each other
  TextTable table{"Y transposed: the torque of each joint per unit of each parameter",
                  {column("parameter", "", a.print), column("value", "", a.print)}};
  for (const std::string& name : model.velocity_names) table.columns.push_back(column(name, "", a.print));
  for (int c = 0; c < regressor.columns(); ++c) {
    TextTable::Row row{names[c], values[c]};
    for (int j = 0; j < model.nv; ++j) row.emplace_back(Y[cell(j, regressor.columns(), c)]);
    table.add(std::move(row));
  }
  Report report{fmt::format("{}: regressor, {} parameters", model.name, names.size()), ""};
  report.section("").table(without_noise(std::move(table)));
  print_report(report, std::cout);
  return finish_standard_output();
}

int regressor_motion(const RegressorArguments& a, const Robot& robot, const BaseParameters& base) {
  const Model<double>& model = robot.coordinates();
  RobotRegressor regressor(robot, shown_parameters(base, a.all));
  std::vector<double> Y(cells(model.nv, regressor.columns()));
  const std::vector<std::string> names = column_names(robot.tree(), regressor.parameters());
  MotionJob job{.model = model, .files = a.motion, .json = a.print.json, .header = {}};
  for (const std::string& joint : model.velocity_names)
    for (const std::string& name : names) job.header.push_back(fmt::format("{}:{}", joint, name));
  job.compute = [&](const MotionRow& row, std::vector<double>& results) -> std::optional<Fault> {
    if (!regressor.at(row.q, row.qd, row.qdd, Y)) return open_fault(robot);
    results.insert(results.end(), Y.begin(), Y.end());
    return std::nullopt;
  };
  job.summary = [&](JsonWriter& json) {
    field(json, "coordinates", model.velocity_names);
    field(json, "parameters", names);
    field(json, "values", shown_values(robot.tree(), base, a.all));
  };
  return run(job).exit_code;
}

}  // namespace

int regressor_verb(Arguments arguments) {
  RegressorArguments a;
  Options options("regressor",
                  "Which inertial, rotor and friction parameters the torques of a robot depend on, and in which "
                  "combinations: tau = Y(q, qd, qdd) phi. With a state or a motion, Y itself.");
  a.robot.add_to(options);
  a.parameters.add_to(options, "file", "file");
  options
      .flag("--moving-base", a.moving_base, "for a base that moves in every way: more of its first links has an effect")
      .flag("--all", a.all, "with a state or motion: the columns of all parameters, not of base parameters alone")
      .writes("--html", "FILE", a.page, "a page with the groups (HTML)");
  options.group("State");
  a.state.add_position_to(options);
  a.state.add_rates_to(options);
  a.motion.add_to(options, "--motion",
                  "t, q1.. (or joint names), qd1.., qdd1.. (or qd.NAME, qdd.NAME); the result has nv times as many "
                  "columns as parameters, joint by joint",
                  true);
  a.print.add_to(options);
  options.example("puma560", "the 36 numbers that can be identified, and their values")
      .example("two_link --q 0.3,0.5 --qd 1,-1 --qdd 0,2", "Y at a state")
      .example("puma560 --motion motion.csv -o Y.csv", "Y along a motion, for another program");
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors;
  if (a.motion.input || a.motion.output || a.motion.cutoff || a.state.q)
    check_motion_mode(a.motion, a.state, a.robot.name, "--motion", errors);
  const bool groups = !a.motion.input && !a.state.q;
  if (groups)
    for (const std::string& name : a.state.given()) refuse_if(true, name, "without --q", errors);
  refuse_if(groups && a.state.degrees, "--degrees", "without --q or --motion", errors);
  a.print.degrees = a.motion.degrees = a.state.degrees;
  refuse_if(groups && a.all, "--all", "without --q or --motion", errors);
  refuse_if(!groups && a.page, "--html", "with a state or motion: the page has the groups", errors);
  refuse_if(a.page == "-" && a.print.json, "--html -", "with --json", errors);
  const auto choice = read_parameter_choice(a.parameters, DriveColumns::of_model, DriveColumns::of_model);
  collect(choice, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  a.robot.loops = true;
  const auto robot = read_robot(a.robot);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const auto state = a.state.q ? read_state(*robot, a.state) : Result<State>(State{});
  if (!state) return complain(state.faults(), exit_bad_input);

  const Model<double>& model = robot->tree();
  const std::vector<DynamicParameter> list = dynamic_parameters(model, *choice);
  if (errors = check_parameter_count(model, list); !errors.empty()) return complain(errors, exit_impossible);
  const BaseParameters base = base_parameters(*robot, list, {.moving_base = a.moving_base});
  if (a.motion.input) return regressor_motion(a, *robot, base);
  if (a.state.q) return regressor_state(a, *robot, base, *state);
  const GroupTexts texts = group_texts(robot->description(), model, base);
  return deliver(groups_report(*robot, base, texts, a), a.page, a.print,
                 [&] { return print_groups_json(model, base, texts, a.moving_base); });
}

}  // namespace torsor
