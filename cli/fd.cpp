// torsor fd ROBOT: the accelerations that joint torques cause, at one state or for every row of a CSV file.
#include <fmt/format.h>

#include <algorithm>

#include "cli/deliver.hpp"
#include "cli/load_arguments.hpp"
#include "cli/motion_job.hpp"
#include "cli/robot_argument.hpp"
#include "cli/row_batch.hpp"
#include "cli/state_report.hpp"
#include "torsor/check/definiteness.hpp"
#include "torsor/formulations/forward_by_method.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/state_result.hpp"
#include "torsor/text/suggest.hpp"

namespace torsor {
namespace {

struct FdArguments {
  RobotArgument robot;
  StateArguments state;
  LoadArguments loads;
  MotionArguments states;
  PrintArguments print;
  std::optional<std::string> formulation;
  std::optional<long long> threads;
};

struct AccelerationResult {
  StateResult state;
  std::string_view formulation;
  std::vector<double> tau, qdd;
};

constexpr auto fields(Of<AccelerationResult>) {
  using A = AccelerationResult;
  return field_list("Accelerations", "Accelerations under torques at a state.", fields_of_part(&A::state),
                    field("formulation", "", "", &A::formulation), field("tau", "", "", &A::tau),
                    field("qdd", "", "", [](const A& a) { return a.state.rates(a.qdd); }));
}

Fault singular(const Model<double>& model, int coordinate, bool loops = false) {
  // of a robot with loops the model has names alone
  const std::vector<int> massless = loops ? std::vector<int>{} : massless_motion(model);
  const bool alone = std::find(massless.begin(), massless.end(), coordinate) != massless.end();
  return fault_of(
      fmt::format("coordinate \"{}\"", model.velocity_names[coordinate]), "mass-matrix",
      alone ? "the mass matrix is singular: nothing it moves has mass or inertia about it, and its motor no rotor"
            : "the mass matrix is singular: with those before it, it can move without moving any mass",
      "give the links it moves mass and inertia, or its motor a rotor");
}

// the method asked for; else the first of the catalogue that suits the robot
Result<const ForwardMethod*> find_method(const Model<double>& model, const std::optional<std::string>& name) {
  std::vector<std::string_view> names;
  for (const ForwardMethod& method : forward_formulations<double>) {
    const bool suits = method.coupled || !model.coupled();
    if (suits && (!name || method.name == *name)) return &method;
    if (name && method.name == *name)
      return fault_of(fmt::format("--formulation {}", *name), "method",
                      "does not apply: in this robot a coordinate moves several joints or rotors", "use mass-matrix");
    names.push_back(method.name);
  }
  const std::string hint = did_you_mean(*name, names);
  return fault_of(fmt::format("--formulation \"{}\"", *name), "method", "there is no such formulation",
                  fmt::format("{}{}use {}", hint, hint.empty() ? "" : " ", fmt::join(names, " or ")));
}

/// Accelerations of a robot with loops; by the mass matrix of its independent coordinates.
const ForwardMethod& loop_method() {
  return *std::ranges::find(forward_formulations<double>, std::string_view("mass-matrix"), &ForwardMethod::name);
}

int fd_state(const FdArguments& a, const Model<double>& model, const LoadedRobot& loaded, const ForwardMethod& method,
             const State& state) {
  std::vector<double> qdd(static_cast<std::size_t>(model.nv));
  if (loaded.robot.loops()) {
    Dynamics dynamics(loaded.robot);
    dynamics.set_loads(loaded.loads);
    const Status status = dynamics.forward(state.q, state.qd, state.tau, qdd);
    if (const auto fault = loop_fault(loaded.robot, status)) return complain({*fault}, exit_impossible);
    if (massless(status) >= 0) return complain({singular(model, massless(status), true)}, exit_impossible);
  } else {
    ForwardByMethod forward(model, loaded.loads, method);
    if (const int bad = forward.run(state.q, state.qd, state.tau, qdd); bad >= 0)
      return complain({singular(model, bad)}, exit_impossible);
  }
  if (const Faults errors = check_finite(qdd, model.velocity_names, "qdd"); !errors.empty())
    return complain(errors, exit_impossible);

  if (a.print.json)
    return print_result(
        AccelerationResult{{model, state.q, state.qd, loaded.sentences, a.print.degrees}, method.name, state.tau, qdd});
  Report report =
      state_report(fmt::format("forward dynamics ({})", method.name), model, state, loaded.sentences, a.print);
  report.section("").table(
      state_table("", model, state,
                  {{"qd", state.qd, 1}, {"tau", state.tau, Quantity::effort, false}, {"qdd", qdd, 2, true}}, a.print));
  print_report(report, std::cout);
  return finish_standard_output();
}

int fd_states(const FdArguments& a, const Model<double>& model, const LoadedRobot& loaded,
              const ForwardMethod& method) {
  const bool loops = loaded.robot.loops() != nullptr;
  std::optional<ForwardByMethod> forward;
  std::optional<Dynamics> closed;
  if (loops)
    closed.emplace(loaded.robot).set_loads(loaded.loads);
  else
    forward.emplace(model, loaded.loads, method);
  RowBatch batch(loaded.robot, loaded.loads, RowBatch::Question::forward);
  batch.use(static_cast<int>(a.threads.value_or(1)));
  std::vector<double> qdd(static_cast<std::size_t>(model.nv));
  MotionJob job{
      .model = model, .files = a.states, .json = a.print.json, .content = MotionContent::torques, .header = {}};
  add_names(job.header, "q", model.position_names);
  add_names(job.header, "qd", model.velocity_names);
  add_names(job.header, "tau", model.velocity_names);
  add_names(job.header, "qdd", model.velocity_names);
  job.answer = {static_cast<std::size_t>(model.nq + 2 * model.nv), qdd.size()};
  // a method that was asked for by its name answers every row itself
  if (!a.formulation) job.prepare = [&batch](std::span<const MotionRow> rows) { batch.prepare(rows); };
  job.compute = [&](const MotionRow& row, std::vector<double>& results) -> std::optional<Fault> {
    const std::vector<double>& tau = row.qdd;
    if (const std::span<const double> answer = batch.next(); !answer.empty())
      std::copy(answer.begin(), answer.end(), qdd.begin());
    else if (closed) {
      const Status status = closed->forward(row.q, row.qd, tau, qdd);
      if (auto fault = loop_fault(loaded.robot, status)) return fault;
      if (massless(status) >= 0) return singular(model, massless(status), true);
    } else if (const int bad = forward->run(row.q, row.qd, tau, qdd); bad >= 0) {
      return singular(model, bad);
    }
    for (const std::vector<double>* part : {&row.q, &row.qd, &tau, &std::as_const(qdd)})
      results.insert(results.end(), part->begin(), part->end());
    return std::nullopt;
  };
  job.summary = [&](JsonWriter& json) { json.field("formulation", batch.used() ? "batch" : method.name); };
  return run(job).exit_code;
}

}  // namespace

int fd_verb(Arguments arguments) {
  FdArguments a;
  std::vector<std::string_view> methods;
  for (const ForwardMethod& method : forward_formulations<double>) methods.push_back(method.name);
  Options options("fd",
                  "Forward dynamics: the accelerations under given joint torques, for a state (--q ...) or for every "
                  "row of a file (--states FILE); friction, rotors and loads included.");
  a.robot.add_to(options, ToolMeans::frame);
  options.group("State");
  a.state.add_position_to(options);
  a.state.add_torques_to(options);
  a.states.add_to(options, "--states",
                  "q1.. (or joint names), qd1.., tau1.. (or qd.NAME, tau.NAME), and t if there are times", false);
  add_threads_to(options, a.threads);
  a.loads.add_to(options);
  options
      .text("--formulation", "NAME", a.formulation,
            fmt::format("{}; default: the first that suits the robot", fmt::join(methods, ", ")))
      .one_of_names(methods);
  a.print.add_to(options);
  options.example("puma560 --q zero --tau \"0 37 0 0 0 0\"", "what a torque at the shoulder does")
      .example("puma560 --states torques.csv -o accelerations.csv", "back from the output of torsor id");
  if (const auto code = options.parse(arguments)) return *code;
  a.print.degrees = a.states.degrees = a.state.degrees;
  Faults errors;
  check_motion_mode(a.states, a.state, a.robot.name, "--states", errors);
  refuse_if(!a.states.input && a.threads, "--threads", "without --states", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  a.robot.loops = true;
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const auto loaded = read_loads(a.loads, *robot, a.robot.chain.tool, errors);
  refuse_if(robot->loops() && a.formulation, "--formulation", "of a robot with loops: formulations are for trees",
            errors);
  const auto method =
      robot->loops() ? Result<const ForwardMethod*>(&loop_method()) : find_method(robot->model(), a.formulation);
  collect(method, errors);
  const auto state = a.states.input ? Result<State>(State{}) : read_state(*robot, a.state);
  collect(state, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  const Model<double>& model = loaded->robot.coordinates();
  return a.states.input ? fd_states(a, model, *loaded, **method) : fd_state(a, model, *loaded, **method, *state);
}

}  // namespace torsor
