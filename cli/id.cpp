// torsor id ROBOT: the torques that a motion needs, at one state or along a CSV motion.
#include <fmt/format.h>

#include <algorithm>

#include "cli/deliver.hpp"
#include "cli/motion_job.hpp"
#include "cli/reduced_argument.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_report.hpp"
#include "cli/torque_run.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/dynamics/limit_result.hpp"
#include "torsor/formulations/catalogue.hpp"
#include "torsor/formulations/link_trace.hpp"
#include "torsor/model/transmission.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/report/state_result.hpp"
#include "torsor/text/suggest.hpp"

namespace torsor {
namespace {

struct IdArguments {
  RobotArgument robot;
  StateArguments state;
  LoadArguments loads;
  MotionArguments motion;
  PrintArguments print;
  LimitArguments limits;
  std::optional<std::string> page, formulation, reduced;
  std::optional<long long> threads;
  bool trace = false;
};

struct LinkTraceRow {
  std::string link;
  LinkTrace trace;
};

constexpr auto fields(Of<LinkTraceRow>) {
  return field_list("LinkTrace", "The recursion at a link.", field("link", "", "", &LinkTraceRow::link),
                    fields_of_part(&LinkTraceRow::trace));
}

struct TorqueResult {
  StateResult state;
  std::vector<double> qdd, tau;
  std::optional<std::vector<std::string>> motors;
  std::optional<std::vector<double>> motor_torques;
  std::optional<std::vector<LinkTraceRow>> trace;
  std::vector<PassedLimit> limits_passed;
};

constexpr auto fields(Of<TorqueResult>) {
  using T = TorqueResult;
  return field_list("TorqueResult", "Torques at a state.", fields_of_part(&T::state),
                    field("qdd", "", "", [](const T& t) { return t.state.rates(t.qdd); }),
                    field("tau", "", "at the joints", &T::tau),
                    field("motors", "", "behind gears and transmissions", &T::motors).or_absent(),
                    field("motor_torques", "N m", "of these", &T::motor_torques).or_absent(),
                    field("trace", "", "of Newton-Euler, link by link", &T::trace).or_absent(),
                    field("limits_passed", "", "", &T::limits_passed));
}

std::vector<LinkTraceRow> link_traces(const Model<double>& model, const NewtonEulerWork<double>& work) {
  std::vector<LinkTraceRow> rows;
  for (int i = 0; i < model.size(); ++i) rows.push_back({model.link_names[i], link_trace(model, work, i)});
  return rows;
}

TextTable trace_table(const std::vector<LinkTraceRow>& rows, const PrintArguments& print) {
  TextTable table{"Newton-Euler link by link, along the axes of the link frames",
                  {column("link", "", print), column("", "", print), column("x", "", print), column("y", "", print),
                   column("z", "", print)}};
  for (const LinkTraceRow& row : rows) {
    std::string link = row.link;  // at the first of its vectors
    for_each_field<LinkTrace>([&](const auto& field, const auto& get) {
      std::string letter = field.name;  // omega-dot, as the book writes it
      std::ranges::replace(letter, '_', '-');
      const Vec3<double> v = get(row.trace);
      table.add({std::exchange(link, ""), std::move(letter), v.x, v.y, v.z});
    });
  }
  return without_noise(std::move(table));
}

/// The torques by a formulation of the catalogue; or why it cannot.
Faults inverse_by_formulation(const std::string& name, const LoadedRobot& loaded, const State& state,
                              std::span<double> tau) {
  const auto fault = [&name](std::string what, std::string remedy) {
    return Faults{{{}, "--formulation " + name, "option-value", std::move(what), std::move(remedy)}};
  };
  const auto rows = inverse_formulations<double>();
  const InverseFormulation<double>* row = find_formulation(rows, name);
  if (!row) {
    std::vector<std::string_view> names;
    for (const auto& each : rows) names.push_back(each.name);
    const std::string hint = did_you_mean(name, names);
    return fault("there is no such formulation", hint.empty() ? "torsor list --formulations shows them" : hint);
  }
  auto forms = robot_forms(loaded.robot.description());
  if (!forms) return forms.faults();
  const auto refuses = [&name](std::string what) {
    return Faults{fault_of("--formulation " + name, "formulation-refuses", std::move(what),
                           "torsor list --formulations shows what each can do")};
  };
  if (const std::string reason = refusal(*row, *forms); !reason.empty())
    return refuses("it does not serve this robot: " + reason);
  forms->set(state.q);
  const auto run = row->prepare(*forms);
  if (nothing_acts(loaded.loads)) {
    run(*forms, state.qd, state.qdd, tau);
    return {};
  }
  if (const std::string reason = load_refusal(row->frames, row->can, forms->model, loaded.loads); !reason.empty())
    return refuses("it does not take these loads: " + reason);
  run(*forms, state.qd, state.qdd, loaded.loads, tau);
  return {};
}

int id_state(const IdArguments& a, const LoadedRobot& loaded, const State& state, ReducedDynamics<double>* reduced) {
  const Model<double>& model = loaded.robot.coordinates();
  std::vector<double> tau(static_cast<std::size_t>(model.nv)), motor(tau.size());
  if (a.formulation) {
    if (const Faults errors = inverse_by_formulation(*a.formulation, loaded, state, tau); !errors.empty())
      return complain(errors, errors[0].rule == "formulation-refuses" ? exit_impossible : exit_bad_input);
  } else if (reduced) {
    reduced->inverse(state.q, state.qd, state.qdd, tau);
    if (!holds_at(reduced->model().statement, state.q, state.qd, state.qdd))
      note("the state is outside the ranges for which the reduced model states its error");
  } else {
    Dynamics dynamics(loaded.robot, {.questions = Questions::all_but_forward});
    dynamics.set_loads(loaded.loads);
    const Status status = dynamics.inverse(state.q, state.qd, state.qdd, tau);
    if (const auto fault = loop_fault(loaded.robot, status)) return complain({*fault}, exit_impossible);
  }
  if (a.formulation || reduced) add_joint_friction<double>(model, state.q, state.qd, 1, tau);
  NewtonEulerWork<double> work(model);
  if (a.trace) {
    Configuration<double> configuration(model);
    configuration.set(model, state.q);
    inverse_newton_euler<double>(model, configuration, state.qd, state.qdd, loaded.loads, work, motor);
  }
  motor_torques(model, tau, motor);
  if (const Faults errors = check_finite(tau, model.velocity_names, "tau"); !errors.empty())
    return complain(errors, exit_impossible);
  LimitWatch watch(model);
  watch.add(0, {state.q, state.qd, state.qdd, tau});
  const auto finish = [&](int code) { return finish_limits(a.limits, watch, InstantsBy::nothing, code); };
  const std::vector<int> motors = motor_coordinates(model);
  const std::vector<std::string> all_names = motor_names(model);
  std::vector<std::string> names;
  std::vector<double> torques;
  for (const int k : motors) {
    names.push_back(all_names[k]);
    torques.push_back(motor[k]);
  }

  if (a.print.json) {
    TorqueResult result{{model, state.q, state.qd, loaded.sentences, a.print.degrees}, state.qdd, tau, {}, {}, {},
                        reported_limits(watch, InstantsBy::nothing, a.print.degrees)};
    if (!motors.empty()) {
      result.motors = names;
      result.motor_torques = torques;
    }
    if (a.trace) result.trace = link_traces(model, work);
    return finish(print_result(result));
  }

  const std::string title = a.formulation ? "inverse dynamics (" + *a.formulation + ")"
                            : reduced     ? "inverse dynamics (reduced model)"
                                          : "inverse dynamics";
  Report report = state_report(title, model, state, loaded.sentences, a.print);
  ReportSection& section = report.section("");
  section.table(state_table("", model, state, {{"qd", state.qd, 1}, {"qdd", state.qdd, 2}, {"tau", tau}}, a.print));
  if (!motors.empty()) {
    TextTable table{"at the motors",
                    {column("motor", "", a.print), column("torque", std::string(motor_torque_unit), a.print)}};
    for (std::size_t k = 0; k < names.size(); ++k) table.add({names[k], torques[k]});
    section.table(without_noise(std::move(table)));
  }
  if (a.trace)
    section.table(trace_table(link_traces(model, work), a.print))
        .text(
            "omega, omega-dot: of the link; v-dot: of its frame's origin, a: of its mass centre, both minus gravity; "
            "F, N: inertia force and moment; f, n: force and moment on the link through its joint, n about the origin "
            "of the joint frame on the parent");
  print_report(report, std::cout);
  return finish(finish_standard_output());
}

int id_motion(const IdArguments& a, const Robot& robot, const LoadedRobot& loaded, ReducedDynamics<double>* reduced) {
  TorqueRun torques(loaded.robot, loaded.loads, a.page.has_value());
  if (reduced) torques.use(*reduced);
  MotionJob job = torques.job(a.motion, static_cast<int>(a.threads.value_or(1)));
  job.json = a.print.json;
  job.quiet = a.page == "-";
  job.jumps = Jumps::counted;
  const MotionOutcome outcome = run(job);
  const bool has_time = torques.has_time();
  const auto finish = [&](int code) {
    return finish_motion(a.limits, torques.limits(), outcome.jumps, torques.instants_by(), code);
  };
  if (outcome.rows == 0) return outcome.exit_code;
  if (torques.outside() > 0)
    note(fmt::format("{} of {} instants are outside the ranges for which the reduced model states its error",
                     torques.outside(), outcome.rows));

  if (a.page) {
    Report report{fmt::format("{}: torques along {}", loaded.robot.name(), *a.motion.input),
                  fmt::format("{}", fmt::join(loaded.sentences, "; "))};
    torques.describe(report, has_time, a.print);
    if (outcome.derived) report.sections.front().text(derivation_sentence(outcome.derived));
    if (outcome.jumps) report.sections.front().text(describe(outcome.jumps, loaded.robot.model()) + ".", Tone::bad);
    if (outcome.exit_code != exit_done)
      report.sections.front().text("The motion ended early: its file has faults.", Tone::bad);
    describe_robot(report, robot, a.print);
    if (const auto code = write_page(report, *a.page)) return *code;
  }
  // the screen is free for a summary when the rows go elsewhere
  if (outcome.exit_code == exit_done && !a.print.json && !job.quiet && a.motion.output.value_or("-") != "-") {
    for (const TextTable& table : torques.tables(has_time, a.print)) {
      if (const auto fault = first_not_finite(table)) return complain({*fault}, exit_impossible);
      std::cout << '\n' << to_text(table);
    }
    say_page(a.page);
    return finish(finish_standard_output());
  }
  if (!a.print.json) say_page_beside(a.page);
  return finish(outcome.exit_code);
}

Faults check_mode(const IdArguments& a) {
  Faults errors;
  check_motion_mode(a.motion, a.state, a.robot.name, "--motion", errors);
  refuse_if(a.motion.input && a.trace, "--trace", "with --motion: it is for one state", errors);
  refuse_if(!a.motion.input && a.threads, "--threads", "without --motion", errors);
  refuse_if(a.formulation && a.motion.input, "--formulation", "with --motion: it is for one state", errors);
  refuse_if(a.formulation && a.trace, "--formulation", "with --trace: that is a trace of Newton-Euler", errors);
  refuse_if(a.reduced && a.formulation, "--reduced", "with --formulation", errors);
  refuse_if(a.reduced && a.trace, "--reduced", "with --trace: that is a trace of Newton-Euler", errors);
  refuse_if(a.reduced && a.loads.any(), "--reduced",
            "with --payload, --wrench, --base-motion or --gravity: a reduced model is of the robot as its file says",
            errors);
  refuse_if(!a.motion.input && a.page, "--html", "without --motion", errors);
  refuse_if(a.page == "-" && a.motion.output.value_or("-") == "-", "--html -",
            "while the rows go to standard output, too", errors);
  refuse_if(a.page == "-" && a.print.json && a.motion.output.value_or("-") != "-", "--html -",
            "while the JSON answer goes to standard output, too", errors);
  return errors;
}

}  // namespace

int id_verb(Arguments arguments) {
  IdArguments a;
  Options options("id",
                  "Inverse dynamics: the joint torques for a state (--q ...) or along a motion (--motion FILE), by "
                  "recursive Newton-Euler; friction, rotors, transmissions and loads included.");
  a.robot.add_to(options, ToolMeans::frame);
  options.group("State");
  a.state.add_position_to(options);
  a.state.add_rates_to(options);
  options.flag("--trace", a.trace, "print omega, omega-dot, v-dot, a, F, N, f, n of every link");
  options
      .text("--formulation", "NAME", a.formulation,
            "one of the formulations that torsor list --formulations shows; default tree-newton-euler")
      .one_of_names(inverse_formulations<double>());
  options.reads("--reduced", "FILE", a.reduced, "by the reduced model of this robot that torsor reduce -o wrote");
  a.motion.add_to(options, "--motion",
                  "t, q1.. (or joint names), qd1.., qdd1.. (or qd.NAME, qdd.NAME); qd and qdd may be left out unless a "
                  "joint is planar, "
                  "spherical or free",
                  true);
  options.group("Motion").writes("--html", "FILE", a.page, "a page with plots and tables (HTML)");
  add_threads_to(options, a.threads);
  a.loads.add_to(options);
  a.limits.add_to(options);
  a.print.add_to(options);
  options.example("puma560 --q \"0 45 180 0 45 0\" --degrees", "what holds the arm still")
      .example("two_link --q 0.3,0.5 --qd 1,-1 --qdd 0,2 --trace", "every step of the recursion")
      .example("puma560 --motion motion.csv -o torques.csv --html torques.html --payload 2.5,0,0,0.1",
               "a motion with a load at the tool");
  if (const auto code = options.parse(arguments)) return *code;
  if (const Faults errors = check_mode(a); !errors.empty()) return complain(errors, exit_bad_input);
  a.print.degrees = a.motion.degrees = a.limits.degrees = a.state.degrees;

  a.robot.loops = true;
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  Faults errors;
  const auto loaded = read_loads(a.loads, *robot, a.robot.chain.tool, errors);
  if (robot->loops()) {
    refuse_if(a.formulation.has_value(), "--formulation", "of a robot with loops: formulations are for trees", errors);
    refuse_if(a.reduced.has_value(), "--reduced", "of a robot with loops: reduced models are of trees", errors);
    refuse_if(a.trace, "--trace", "of a robot with loops: it is a trace of the recursion on a tree", errors);
    if (!errors.empty()) return complain(errors, exit_bad_input);
  }
  const auto state = a.motion.input ? Result<State>(State{}) : read_state(*robot, a.state);
  collect(state, errors);
  const auto reduced = read_reduced(a.reduced, robot->description());
  collect(reduced, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  std::optional<ReducedDynamics<double>> dynamics;
  if (*reduced) dynamics.emplace(**reduced);
  ReducedDynamics<double>* by = dynamics ? &*dynamics : nullptr;
  return a.motion.input ? id_motion(a, *robot, *loaded, by) : id_state(a, *loaded, *state, by);
}

}  // namespace torsor
