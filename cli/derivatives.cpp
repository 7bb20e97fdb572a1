// torsor derivatives ROBOT: first derivatives of inverse and forward dynamics at a state or along a file, which of them
// vanish, and the Jacobians of a discrete step.
#include <fmt/format.h>

#include "cli/deliver.hpp"
#include "cli/load_arguments.hpp"
#include "cli/motion_job.hpp"
#include "cli/quantity.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_report.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/dynamics/discrete_step.hpp"
#include "torsor/report/derivatives_result.hpp"
#include "torsor/structure/derivative_zeros.hpp"

namespace torsor {
namespace {

struct DerivativesArguments {
  RobotArgument robot;
  StateArguments state;
  LoadArguments loads;
  MotionArguments motion, states;
  PrintArguments print;
  std::optional<std::string> step, integrator;
};

struct StepChoice {
  double h = 0;  // 0: none
  StepMethod method = StepMethod::semi_implicit;
};

/// Computes them, row by row of a file or once.
class DerivativesRun {
 public:
  DerivativesRun(const Model<double>& model, const LoadedRobot& loaded, const StepChoice& choice)
      : out(model), derivatives_(model), choice_(choice) {
    derivatives_.set_loads(loaded.loads);
    if (choice.h > 0) step_.emplace(model, choice.method).derivatives.set_loads(loaded.loads);
  }

  /// last: qdd, or tau if by_torques.
  void run(std::span<const double> q, std::span<const double> qd, std::span<const double> last, bool by_torques) {
    const InverseDerivatives<double> inverse{out.dtau_dq, out.dtau_dqd, out.M};
    const ForwardDerivatives<double> forward{out.dqdd_dq, out.dqdd_dqd, out.inverse_M};
    if (!by_torques) derivatives_.inverse(q, qd, last, out.tau, inverse);
    out.massless =
        massless(derivatives_.forward(q, qd, by_torques ? last : std::span<const double>(out.tau), out.qdd, forward));
    if (by_torques && out.massless < 0) derivatives_.inverse(q, qd, out.qdd, out.tau, inverse);
    // what was given stays as it was given
    std::copy(last.begin(), last.end(), by_torques ? out.tau.begin() : out.qdd.begin());
    if (step_ && out.massless < 0) step_->run(q, qd, out.tau, choice_.h, {out.q_next, out.qd_next, out.A, out.B});
  }

  StateDerivatives out;

 private:
  Dynamics derivatives_;
  std::optional<DiscreteStep<double, Dynamics>> step_;
  StepChoice choice_;
};

Fault undetermined(const Model<double>& model, int coordinate) {
  return fault_of(
      fmt::format("coordinate \"{}\"", model.velocity_names[coordinate]), "mass-matrix",
      "the mass matrix is singular: with those before it, it can move without moving any mass",
      "give the links it moves mass and inertia, or its motor a rotor; --qdd instead of --tau, without --step, needs "
      "no accelerations");
}

Result<StepChoice> read_step(const DerivativesArguments& a) {
  Faults errors;
  StepChoice choice;
  const auto h = read_quantity("--step", a.step, quantities::time, 0);
  collect(h, errors);
  if (h) choice.h = *h;
  constexpr double longest = 10;  // of any loop of control or estimation, in s
  if (a.step && h && !(*h > 0))
    errors.push_back({{}, "--step", "option-value", "a step takes time", "give its length, 1ms say"});
  else if (a.step && h && !(*h <= longest))
    errors.push_back(
        fault_of("--step", "option-value",
                 fmt::format("{} s are no step: nothing is linear for more than {} s", format_number(*h, 6), longest),
                 "give its length, 1ms say"));
  refuse_if(a.integrator && !a.step, "--integrator", "without --step", errors);
  if (a.integrator == "rk4")
    choice.method = StepMethod::runge_kutta_4;
  else if (a.integrator && a.integrator != "semi-implicit")
    errors.push_back(fault_of(fmt::format("--integrator \"{}\"", printable(*a.integrator)), "option-value",
                              "there is no such method with derivatives", "use semi-implicit or rk4"));
  if (!errors.empty()) return errors;
  return choice;
}

/// Names of the rows of A: displacements, then speeds.
std::vector<std::string> state_names(const Model<double>& model) {
  std::vector<std::string> names;
  for (const char* prefix : {"q.", "qd."})
    for (const std::string& name : model.velocity_names) names.push_back(prefix + name);
  return names;
}

/// `qva` where derivatives by q, qd and qdd may differ from zero, a point for each that cannot.
TextTable pattern_table(std::string caption, const DerivativeSparsity& pattern, const Model<double>& model,
                        const PrintArguments& print) {
  TextTable table{std::move(caption), {column("", "", print)}};
  for (const std::string& name : model.velocity_names) table.columns.push_back(column(name, "", print));
  for (int i = 0; i < model.nv; ++i) {
    TextTable::Row row{model.velocity_names[i]};
    for (int j = 0; j < model.nv; ++j) {
      const std::size_t e = cell(i, model.nv, j);
      row.emplace_back(std::string{pattern.dq[e] ? 'q' : '.', pattern.dqd[e] ? 'v' : '.', pattern.dqdd[e] ? 'a' : '.'});
    }
    table.add(std::move(row));
  }
  return table;
}

DerivativePatterns find_patterns(const DerivativesArguments& a, const Robot& robot, const Model<double>& model,
                       const LoadedRobot& loaded) {
  DerivativePatterns patterns{derivative_sparsity(model, loaded.loads.base), {}};
  constexpr int most = 16;  // the structure takes n^4
  if (a.loads.any() || model.nv > most) return patterns;
  if (const auto exact = exact_robot(robot.description(), {.snap = false}))
    patterns.of_robot = derivative_zeros(model, exact_structure(*exact, Level::numbers));
  return patterns;
}

int derivatives_text(const DerivativesArguments& a, const Model<double>& model, const State& state,
                     const LoadedRobot& loaded, const StateDerivatives& d, const DerivativePatterns& patterns,
                     const StepChoice& choice) {
  const std::vector<std::string>& names = model.velocity_names;
  Report report = state_report("first derivatives of the dynamics", model, state, loaded.sentences, a.print);
  ReportSection& motion = report.section("Motion");
  motion.table(state_table("", model, state, {{"qd", state.qd, 1}, {"qdd", d.qdd, 2, true}, {"tau", d.tau}}, a.print));
  if (!plain_coordinates(model))
    motion.text("derivatives by q are along the velocity coordinates: body components of turn and displacement");

  ReportSection& inverse = report.section("Torques, by rows");
  if (a.print.degrees) inverse.text("the state is in degrees; derivatives are by radians");
  inverse.table(matrix_table("dtau/dq", d.dtau_dq, names, names, a.print));
  inverse.table(matrix_table("dtau/dqd", d.dtau_dqd, names, names, a.print));
  inverse.table(matrix_table("dtau/dqdd = M", d.M, names, names, a.print));
  if (d.massless < 0) {
    ReportSection& forward = report.section("Accelerations, by rows");
    forward.table(matrix_table("dqdd/dq = -M^-1 dtau/dq", d.dqdd_dq, names, names, a.print));
    forward.table(matrix_table("dqdd/dqd = -M^-1 dtau/dqd", d.dqdd_dqd, names, names, a.print));
    forward.table(matrix_table("dqdd/dtau = M^-1", d.inverse_M, names, names, a.print));
  } else {
    report.section("Accelerations")
        .text(fmt::format("M is singular: with those before it, \"{}\" can move without moving any mass",
                          names[d.massless]));
  }

  ReportSection& zeros = report.section("What vanishes at every motion");
  const char* caption =
      "q, v, a: dtau/dq, dtau/dqd, dtau/dqdd may differ from zero, by the tree and its kinds of joints";
  zeros.table(pattern_table(caption, patterns.of_tree, model, a.print));
  if (patterns.of_robot)
    zeros.table(pattern_table("the same for the numbers of this robot, exactly", *patterns.of_robot, model, a.print));

  if (choice.h > 0) {
    ReportSection& step = report.section("Step");
    const std::vector<std::string> rows = state_names(model);
    step.text(
        fmt::format("x+ = f(x, tau, h), x = (q, qd), h = {} s, {}; dx+ = A dx + B dtau",
                    format_number(choice.h, a.print.significant()),
                    choice.method == StepMethod::semi_implicit ? "semi-implicit Euler" : "Runge-Kutta of order 4"));
    step.table(matrix_table("A", d.A, rows, rows, a.print));
    step.table(matrix_table("B", d.B, rows, names, a.print));
  }
  print_report(report, std::cout);
  return finish_standard_output();
}

/// `dtau.a/dq.b` for every row and column.
void add_matrix_names(std::vector<std::string>& header, const std::string& row_prefix,
                      const std::vector<std::string>& rows, const std::string& column_prefix,
                      const std::vector<std::string>& columns) {
  for (const std::string& row : rows)
    for (const std::string& column : columns)
      header.push_back(fmt::format("{}{}/{}{}", row_prefix, row, column_prefix, column));
}

/// The fault of the first number of the answer that is not finite.
std::optional<Fault> not_finite_at(const Model<double>& model, const StateDerivatives& d, bool steps) {
  const std::vector<std::string>& names = model.velocity_names;
  const std::vector<std::string> states = state_names(model);
  std::optional<Fault> found;
  const auto look = [&found](const std::vector<double>& matrix, const std::string& row_prefix, const auto& rows,
                             const std::string& column_prefix, const auto& columns) {
    std::vector<std::string> entries;
    add_matrix_names(entries, row_prefix, rows, column_prefix, columns);
    if (!found) found = first_not_finite(matrix, entries);
  };
  look(d.dtau_dq, "dtau.", names, "dq.", names);
  look(d.dtau_dqd, "dtau.", names, "dqd.", names);
  look(d.M, "dtau.", names, "dqdd.", names);
  if (d.massless >= 0) return found;
  look(d.dqdd_dq, "dqdd.", names, "dq.", names);
  look(d.dqdd_dqd, "dqdd.", names, "dqd.", names);
  look(d.inverse_M, "dqdd.", names, "dtau.", names);
  if (!steps) return found;
  look(d.A, "", states, "", states);
  look(d.B, "", states, "tau.", names);
  if (!found) found = first_not_finite(d.q_next, model.position_names);
  if (!found) found = first_not_finite(d.qd_next, names);
  return found;
}

int derivatives_of_state(const DerivativesArguments& a, const Robot& robot, const Model<double>& model,
                         const LoadedRobot& loaded, const State& state, const StepChoice& choice) {
  const bool by_torques = a.state.tau.has_value();
  DerivativesRun derivatives(model, loaded, choice);
  derivatives.run(state.q, state.qd, by_torques ? state.tau : state.qdd, by_torques);
  const StateDerivatives& d = derivatives.out;
  if (d.massless >= 0 && (by_torques || choice.h > 0))
    return complain({undetermined(model, d.massless)}, exit_impossible);
  for (const auto& [numbers, what] : {std::pair(&d.tau, "tau"), std::pair(&d.qdd, "qdd")})
    if (const Faults errors = check_finite(*numbers, model.velocity_names, what); !errors.empty())
      return complain(errors, exit_impossible);
  if (const auto error = not_finite_at(model, d, choice.h > 0)) return complain({*error}, exit_impossible);
  const DerivativePatterns patterns = find_patterns(a, robot, model, loaded);
  if (a.print.json)
    return print_result(
        DerivativesResult{{model, state.q, state.qd, loaded.sentences, a.print.degrees}, d, patterns, choice.h});
  return derivatives_text(a, model, state, loaded, d, patterns, choice);
}

int derivatives_of_rows(const DerivativesArguments& a, const Model<double>& model, const LoadedRobot& loaded,
                        const StepChoice& choice) {
  const bool by_torques = a.states.input.has_value();
  DerivativesRun derivatives(model, loaded, choice);
  const StateDerivatives& d = derivatives.out;
  MotionJob job{.model = model,
                .files = by_torques ? a.states : a.motion,
                .json = a.print.json,
                .content = by_torques ? MotionContent::torques : MotionContent::accelerations,
                .header = {}};
  const std::vector<std::string>& names = model.velocity_names;
  const std::vector<std::string> states = state_names(model);
  std::vector<const std::vector<double>*> parts;
  if (choice.h > 0) {
    add_matrix_names(job.header, "", states, "", states);
    add_matrix_names(job.header, "", states, "tau.", names);
    parts = {&d.A, &d.B};
  } else if (by_torques) {
    for (const char* by : {"q.", "qd.", "tau."})
      add_matrix_names(job.header, "dqdd.", names, std::string("d") + by, names);
    parts = {&d.dqdd_dq, &d.dqdd_dqd, &d.inverse_M};
  } else {
    for (const char* by : {"q.", "qd.", "qdd."})
      add_matrix_names(job.header, "dtau.", names, std::string("d") + by, names);
    parts = {&d.dtau_dq, &d.dtau_dqd, &d.M};
  }
  if (a.print.degrees) note("the file is read in degrees; the derivatives that are written are by radians");
  job.compute = [&](const MotionRow& row, std::vector<double>& results) -> std::optional<Fault> {
    derivatives.run(row.q, row.qd, row.qdd, by_torques);
    if (d.massless >= 0 && (by_torques || choice.h > 0)) return undetermined(model, d.massless);
    for (const std::vector<double>* part : parts) results.insert(results.end(), part->begin(), part->end());
    return std::nullopt;
  };
  return run(job).exit_code;
}

}  // namespace

int derivatives_verb(Arguments arguments) {
  DerivativesArguments a;
  Options options(
      "derivatives",
      "First derivatives of the dynamics, exact: of the torques by q, qd, qdd and of the accelerations by q, "
      "qd, tau, at a state (--q ...) or for every row of a file; which of them vanish at every motion; with "
      "--step the Jacobians A and B of a discrete step. Friction, rotors and loads are included; a wrench "
      "stays as it is along the tool's axes. The derivative of dry friction at rest is taken as zero. Derivatives are "
      "by "
      "radians and metres, with --degrees, too.");
  a.robot.add_to(options, ToolMeans::frame);
  options.group("State");
  a.state.add_position_to(options);
  a.state.add_rates_to(options);
  options.text("--tau", "LIST", a.state.tau, "torques instead of --qdd, which then follows");
  a.motion.add_to(options, "--motion",
                  "q1.. (or joint names), qd1.., qdd1.. (or qd.NAME, qdd.NAME), and t if there are times", true);
  a.states.add_to(options, "--states",
                  "q1.. (or joint names), qd1.., tau1.. (or qd.NAME, tau.NAME), and t if there are times", false,
                  false);
  a.loads.add_to(options);
  options.text("--step", "H", a.step, "length of a step under constant torques, 1ms say: its Jacobians A and B");
  options.text("--integrator", "NAME", a.integrator, "of the step: semi-implicit (default) or rk4")
      .one_of({"semi-implicit", "rk4"});
  a.print.add_to(options);
  options.example("puma560 --q \"0 45 180 0 45 0\" --qd \"10 20 30 10 20 30\" --degrees", "on the screen")
      .example("puma560 --q zero --step 1ms --integrator rk4 --json", "a linear model for a controller")
      .example("puma560 --motion motion.csv --step 5ms -o models.csv", "one for each instant of a motion");
  if (const auto code = options.parse(arguments)) return *code;
  Faults errors;
  refuse_if(a.motion.input && a.states.input, "--states", "with --motion", errors);
  if (a.states.input) a.states.output = a.motion.output;
  a.print.degrees = a.motion.degrees = a.states.degrees = a.state.degrees;
  check_motion_mode(a.states.input ? a.states : a.motion, a.state, a.robot.name,
                    a.states.input ? "--states" : "--motion", errors);
  refuse_if(a.states.input && a.motion.cutoff, "--cutoff", "with --states", errors);
  refuse_if(a.state.qdd && a.state.tau, "--tau", "with --qdd", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const auto loaded = read_loads(a.loads, *robot, a.robot.chain.tool, errors);
  const auto choice = read_step(a);
  collect(choice, errors);
  const bool from_file = a.motion.input || a.states.input;
  const auto state = from_file ? Result<State>(State{}) : read_state(robot->model(), a.state);
  collect(state, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  const Model<double>& model = loaded->robot.model();
  return from_file ? derivatives_of_rows(a, model, *loaded, *choice)
                   : derivatives_of_state(a, *robot, model, *loaded, *state, *choice);
}

}  // namespace torsor
