// torsor simulate ROBOT: the motion that joint torques cause, from a start on; with what became of the energy.
#include <fmt/format.h>

#include <array>
#include <iostream>
#include <sstream>

#include "cli/files.hpp"
#include "cli/limit_report.hpp"
#include "cli/load_arguments.hpp"
#include "cli/motion_job.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/simulation_arguments.hpp"
#include "cli/simulation_watcher.hpp"
#include "cli/state_report.hpp"
#include "torsor/simulate/simulated_robot.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/simulate/surroundings.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/text/result_table.hpp"
#include "torsor/simulate/sampled_torque.hpp"
#include "torsor/simulate/simulation_result.hpp"

namespace torsor {
namespace {

constexpr double most_rows = 1e7;
constexpr long many_steps = 1000;
constexpr double much_missing = 0.01;  // of the energy: a run that misses more is not to be trusted

struct SimulateArguments {
  RobotArgument robot;
  StateArguments state;
  LoadArguments loads;
  SimulationArguments simulation;
  std::optional<std::string> torque, interpolation, time, every, output, page;
  LimitArguments limits;
  PrintArguments print;
  bool go_on = false;
};

/// What drives, for how long, and from where.
struct Plan {
  State start;
  std::unique_ptr<TorqueInput> input;
  std::string sentence;
  double from = 0, to = 0;
};

Faults check_mode(const SimulateArguments& a) {
  Faults errors;
  const bool file = a.torque && *a.torque != "zero" && *a.torque != "hold";
  if (!a.torque)
    errors.push_back({{}, "--torque", "option-missing", "is missing", "give zero, hold or a CSV file"});
  else if (!file && !a.time)
    errors.push_back({{}, "--time", "option-missing", "is missing", "give the seconds to simulate"});
  refuse_if(a.interpolation && !file, "--interpolation", "without a file of torques", errors);
  refuse_if(file && *a.torque == "-" && a.robot.name == "-", "--torque -",
            "while the robot is read from standard input, too", errors);
  refuse_if(a.go_on && a.output.value_or("-") == "-", "--continue", "without --output FILE", errors);
  refuse_if(a.page == "-" && (a.print.json || a.output.value_or("-") == "-"), "--html -",
            "while the rows or the JSON answer go to standard output, too", errors);
  return errors;
}

/// The first q and qd of a file that has them, as torsor id writes it.
std::optional<State> first_state(const Model<double>& model, const std::string& text, bool degrees) {
  std::istringstream in(text);
  MotionReader reader(in, "", motion_names(model), {1, {}, false, degrees});
  MotionRow row;
  if (!reader.ok() || !reader.next(row)) return std::nullopt;
  return State{row.q, row.qd, {}, {}};
}

/// Torques from a file: columns t and tau1.. or tau.NAME, whatever else there is.
Result<Plan> plan_of_file(const Model<double>& model, const SimulateArguments& a, std::optional<double> seconds) {
  InputFile file(*a.torque);
  if (!file.faults().empty()) return file.faults();
  const std::string text{std::istreambuf_iterator<char>(file.stream()), {}};
  std::istringstream in(text);
  MotionReader reader(in, file.name(), torque_names(motion_names(model, "tau")), {0, {}, false});
  std::vector<double> t, tau;
  for (MotionRow row; reader.next(row);) {
    t.push_back(row.t);
    tau.insert(tau.end(), row.q.begin(), row.q.end());
  }
  Faults errors = reader.faults();
  const auto fault = [&](std::string rule, std::string what, std::string remedy) {
    errors.push_back({{file.name(), 0}, "", std::move(rule), std::move(what), std::move(remedy)});
  };
  for (const std::string& name : reader.ignored())
    if (name.starts_with("tau"))
      errors.push_back({{file.name(), 1},
                        fmt::format("column \"{}\"", name),
                        "effort-column",
                        fmt::format("is no torque of {}", model.name),
                        fmt::format("torques are tau1 to tau{} or tau.{}", model.nv,
                                    fmt::join(model.velocity_names, ", tau."))});
  if (errors.empty() && !reader.has_time()) fault("motion-time", "has no times", "give a column t");
  if (errors.empty() && t.empty()) fault("effort-samples", "has no rows", "give torques at one instant at least");
  const auto rule = interpolation(a.interpolation.value_or("linear"));
  if (!rule)
    errors.push_back(fault_of(fmt::format("--interpolation \"{}\"", *a.interpolation), "option-value",
                              "there is no such rule", fmt::format("use {}", fmt::join(interpolation_names, ", "))));
  Plan plan;
  if (a.state.q) {
    const auto state = read_state(model, a.state);
    collect(state, errors);
    if (state) plan.start = *state;
  } else if (auto state = first_state(model, text, a.state.degrees);
             state && !a.state.qd && !a.state.seed) {
    plan.start = *std::move(state);
  } else {
    fault("option-missing", "has no columns q and qd to start from", "give --q, and --qd if it moves");
  }
  if (!errors.empty()) return errors;
  plan.from = t.front();
  plan.to = seconds ? t.front() + *seconds : t.back();
  if (plan.to > t.back() * (1 + 1e-12) + 1e-12)
    fault("effort-samples", fmt::format("ends at {:.9g} s, before {:.9g} s", t.back(), plan.to),
          fmt::format("give --time {:.9g} at most", t.back() - t.front()));
  if (!(plan.to > plan.from)) fault("effort-samples", "has no duration", "give torques at two instants at least");
  auto input = SampledTorque::make(t, tau, *rule);
  collect(input, errors);
  if (!errors.empty()) return errors;
  plan.sentence = fmt::format("torques of {} at {} instants, {} between them", file.name(), t.size(),
                              *rule == Interpolation::hold     ? "held"
                              : *rule == Interpolation::linear ? "straight lines"
                                                               : "a cubic spline");
  plan.input = std::make_unique<SampledTorque>(*std::move(input));
  return plan;
}

Result<Plan> make_plan(const Model<double>& model, const LoadedRobot& loaded, const SimulateArguments& a) {
  Faults errors;
  const auto seconds = one_quantity("--time", a.time, quantities::time, {}, errors);
  if (!errors.empty() && errors.back().rule == "option-value")
    errors.back().remedy += "; torsor fd gives the accelerations of an instant";
  if (!errors.empty()) return errors;
  if (*a.torque != "zero" && *a.torque != "hold") return plan_of_file(model, a, seconds);
  const auto state = read_state(loaded.robot, a.state);
  if (!state) return state.faults();
  Plan plan{*state, nullptr, {}, 0, *seconds};
  std::vector<double> tau(static_cast<std::size_t>(model.nv), 0.0);
  if (*a.torque == "hold") {
    Dynamics dynamics(loaded.robot, {.questions = Questions::all_but_forward});
    dynamics.set_loads(loaded.loads);
    if (const auto fault = loop_fault(loaded.robot, dynamics.gravity(state->q, tau))) return *fault;
  }
  plan.sentence = *a.torque == "hold" ? "torques that hold the start against gravity" : "no torques";
  plan.input = std::make_unique<ConstantTorque>(std::move(tau));
  return plan;
}

/// Energy and cost of the run.
std::vector<TextTable> tables(const SimulationSummary& run, const PrintArguments& print) {
  const int digits = print.significant();
  std::vector<TextTable> all{
      table_of<EnergyAccount>("energy at the end, and works since the start", std::array{run.energy},
                              {"kinetic",
                               "potential",
                               {"effort_work", "work of the torques"},
                               "friction_loss",
                               "stop_work",
                               "wrench_work",
                               "largest_kinetic",
                               "largest_balance_error"},
                              digits),
      table_of<SimulationSummary>(
          "integration", std::array{run},
          {"integrator", "steps", "refused", "slopes", {"event_count", "events"}, "estimated_error", "chatter_time"},
          digits)};
  if (!run.events.empty()) all.push_back(table_of<EventRow>("events", run.events, {{"t", "time"}, "what"}, digits));
  return all;
}

Report page(const Simulation& s, const SimulationSummary& summary, const SimulationWatcher& w, const Plan& plan,
            const RunEnd& end, const PrintArguments& print) {
  const Model<double>& model = s.model();
  Report report{fmt::format("{}: simulation", model.name), plan.sentence, "Made by torsor simulate."};
  report.highlights = {{"time", format_number(end.t - plan.from, 4), "s", "", end ? Tone::plain : Tone::bad},
                       {"largest kinetic energy", format_number(s.largest_kinetic(), 4), "J", ""},
                       {"energy balance error", format_number(s.largest_balance_error(), 2), "J", "largest on the way"},
                       {"steps", fmt::format("{}", s.count().steps), "", s.rules().integrator}};
  const std::vector<std::string> passed = limit_sentences(w.limits, InstantsBy::time, print.degrees);
  report.verdict = !end ? Paragraph{describe(end, model) + ".", Tone::bad}
                   : passed.empty()
                       ? Paragraph{fmt::format("{}; the balance of energy misses {} J at most.", describe(end, model),
                                               format_number(s.largest_balance_error(), 2)),
                                   Tone::good}
                       : Paragraph{fmt::format("Limits are passed: {}.", passed.front()), Tone::bad};
  ReportSection& run = report.section("Run");
  if (!w.motion.empty()) run.figure(robot_view(w.tree, "The robot as it moves", w.motion));
  run.text(describe(end, model) + ".", end ? Tone::plain : Tone::bad);
  for (const std::string& sentence : passed) run.text(sentence + ".", Tone::bad);
  for (TextTable& table : tables(summary, print)) run.table(std::move(table));
  const auto nq = static_cast<std::size_t>(model.nq), nv = static_cast<std::size_t>(model.nv);
  ReportSection& motion = report.section("Motion and torques");
  // angles and lengths do not share an axis
  const auto add_kinds = [&](const std::string& title, const char* quantity, int order, std::size_t first,
                             const std::vector<CoordinateKind>& kinds) {
    constexpr std::pair<CoordinateKind, const char*> parts[] = {{CoordinateKind::angle, "angles"},
                                                                {CoordinateKind::length, "lengths"},
                                                                {CoordinateKind::quaternion, "quaternions"}};
    for (const auto& [kind, name] : parts) {
      std::vector<std::size_t> columns;
      for (std::size_t k = 0; k < kinds.size(); ++k)
        if (kinds[k] == kind) columns.push_back(first + k);
      const std::string whole = columns.size() == kinds.size() ? title : fmt::format("{}: {}", title, name);
      if (columns.empty()) continue;
      if (order == Quantity::effort)
        motion.figure(w.curves().plot(whole, quantity, std::string(torque_unit(kind)), columns));
      else
        motion.figure(w.curves().plot(whole, quantity, kind, order, columns, print.degrees));
    }
  };
  add_kinds("Positions", "position", 0, 0, position_kinds(model));
  add_kinds("Velocities", "velocity", 1, nq, velocity_kinds(model));
  add_kinds("Torques of the input", "torque", Quantity::effort, nq + 2 * nv, velocity_kinds(model));
  if (!model.friction.empty()) add_kinds("Friction", "torque", Quantity::effort, nq + 3 * nv, velocity_kinds(model));
  ReportSection& energy = report.section("Energy");
  energy.figure(w.curves().plot("Energy and work since the start", "energy", "J", columns_from(nq + 4 * nv, 5)));
  energy.figure(w.curves().plot("What the balance of energy misses", "energy", "J", columns_from(nq + 4 * nv + 5, 1)));
  energy.figure(w.curves().plot("Power of the torques", "power", "W", columns_from(nq + 4 * nv + 6, 1)));
  return report;
}

int simulate(const SimulateArguments& a, const Robot& robot, const SimulatedRobot& simulated, const LoadedRobot& loaded,
             Plan& plan, const SimulationRules& rules) {
  const Model<double>& model = simulated.model;
  Simulation simulation(simulated, rules);
  if (const Faults errors = simulation.start(plan.from, plan.start.q, plan.start.qd); !errors.empty())
    return complain(errors,
                    errors.front().what.find("singular") != std::string::npos ? exit_impossible : exit_bad_input);

  std::vector<std::string> header{"t"};
  add_names(header, "q", model.position_names);
  for (const char* part : {"qd", "qdd", "tau", "friction"}) add_names(header, part, model.velocity_names);
  for (const char* part :
       {"kinetic", "potential", "effort_work", "friction_loss", "stop_work", "balance_error", "power"})
    header.emplace_back(part);
  for (const char* part : {"linear_momentum", "angular_momentum"}) add_names(header, part, {"x", "y", "z"});
  header.emplace_back("wrench_work");
  RowOutput output(a.output, a.print.json, header, false,
                   [&](JsonWriter& json) { json.field("input", plan.sentence); }, {}, a.go_on,
                   a.print.degrees ? &model : nullptr);
  if (!output.faults().empty()) return complain(output.faults(), exit_not_written);
  SimulationWatcher watcher(loaded.robot, model, header, output, a.page.has_value());
  ConstantForces forces(loaded.loads.external);
  RunEnd end = simulation.run(plan.to, *plan.input, loaded.loads.external.empty() ? nullptr : &forces, &watcher);
  // an energy may be beyond all numbers before the motion is
  if (end && watcher.beyond_numbers) end = {EndKind::not_finite, *watcher.beyond_numbers, -1};
  if (!output.finish_rows(end && watcher.written) || !watcher.written) return output.complain_unwritten();

  const SimulationSummary summary = simulation_summary(simulation, end, watcher.events);
  if (a.page) {
    Report report = page(simulation, summary, watcher, plan, end, a.print);
    describe_robot(report, robot, a.print);
    if (const auto code = write_page(report, *a.page)) return *code;
  }
  if (a.print.json) {
    JsonWriter& json = output.begin_summary(a.output, a.page);
    json.field("row_count", watcher.rows);
    write_fields(json, summary);
    limit_fields(json, watcher.limits, InstantsBy::time, a.print.degrees);
    json.end_object();
    // a run that stopped says why, below
    if (const int code = finish_json(json); code != exit_done && end) return code;
  } else if (!output.is_standard()) {
    std::cout << fmt::format("{}: {}; {} rows{}\n", model.name, plan.sentence, watcher.rows, output.arrow());
    if (end) std::cout << describe(end, model) << '\n';  // else it is an error, reported as such
    for (const TextTable& table : tables(summary, a.print)) std::cout << '\n' << to_text(table);
    say_page(a.page);
    if (const int code = finish_standard_output(); code != exit_done) return code;
  } else {
    say_page_beside(a.page);
  }
  for (int k = 0; k < model.nv; ++k) {
    if (rules.saturate && watcher.saturated[k] >= 0)
      note(fmt::format("\"{}\" is at its effort limit at {:.4g} s", model.velocity_names[k], watcher.saturated[k]));
  }
  const int limits = finish_limits(a.limits, watcher.limits, InstantsBy::time, exit_done);
  if (!watcher.limits.kept() && rules.stops == Stops::none)
    note("nothing holds positions and speeds inside their limits; --stops stiff or error minds positions");
  if (const StepCount n = simulation.count(); n.steps > many_steps && 2 * n.stiff > n.steps)
    note("most steps are as short as stability asks, not as the motion does: --integrator radau takes longer ones");
  if (const double share = simulation.balance_share(); share > much_missing)
    note(fmt::format("the balance of energy misses {:.2g} % of what there was and was exchanged: {}", 100 * share,
                     find_integrator(rules.integrator)->adaptive ? "tighten --tolerance" : "use a smaller --step"));
  if (end) return limits;
  return complain({{{}, "simulation", "simulation-stop", describe(end, model), stop_remedy(end, rules)}},
                  exit_impossible);
}

}  // namespace

int simulate_verb(Arguments arguments) {
  SimulateArguments a;
  Options options(
      "simulate",
      "Forward simulation: the motion that joint torques cause, from a start on, with friction that sticks, "
      "stops, effort limits, sampling and delay; with the account of its energy and its own error.");
  a.robot.add_to(options, ToolMeans::frame);
  options.group("Torques and start")
      .reads("--torque", "FILE|zero|hold", a.torque,
            "CSV with columns t, tau1.. or tau.NAME, as torsor id writes it; none; or those that hold the start")
      .text("--interpolation", "RULE", a.interpolation,
            fmt::format("between the rows of the file: {}; default linear", fmt::join(interpolation_names, ", ")))
      .one_of_names(interpolation_names)
      .text("--time", "S", a.time, "seconds to simulate, or 500ms; default: to the end of the file");
  a.state.add_position_to(options);
  options
      .text("--qd", "LIST", a.state.qd,
            "velocities at the start; default zero; without --q a run starts from the first q and qd of the file")
      .group("How");
  a.simulation.add_method_to(options);
  a.simulation.add_plant_to(options);
  a.simulation.add_sampling_to(options);
  a.loads.add_to(options, false);
  options.group("Results")
      .text("--every", "S", a.every, "seconds between rows, or 10ms; default: a thousandth of the time")
      .writes("-o,--output", "FILE", a.output,
            "CSV of t, q, qd, qdd, tau, friction, energies, works, power, momentum; default - (standard output)");
  add_continue_to(options, a.go_on);
  options.writes("--html", "FILE", a.page, "a page: motion, torques, energy, events");
  a.limits.add_to(options);
  a.print.add_to(options);
  options.example("puma560 --torque zero --q \"0 0.5 -1 0 0.3 0\" --time 2 -o fall.csv", "let go of")
      .example("puma560 --torque torques.csv --interpolation cubic -o motion.csv --html motion.html",
               "what the output of torsor id does to the arm")
      .example("puma560 --torque zero --q zero --time 1 --payload 2 --gravity 0,0,-1.62", "with a load, on the moon")
      .example("puma560 --torque hold --q zero --time 1s --rate 1kHz --delay 0.5ms --stops stiff",
               "computed a thousand times a second");
  if (const auto code = options.parse(arguments)) return *code;
  a.print.degrees = a.limits.degrees = a.state.degrees;
  Faults errors = check_mode(a);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  a.robot.loops = true;
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const auto loaded = read_loads(a.loads, *robot, a.robot.chain.tool, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  if (robot->loops() && !loaded->loads.external.empty())
    return complain({fault_of("--wrench", "robot-loops", "forces from outside are not simulated of a robot with loops",
                              "leave it out, or give --payload")},
                    exit_bad_input);
  const auto simulated = simulated_robot(loaded->robot);
  if (!simulated) return complain(simulated.faults(), exit_bad_input);
  const Model<double>& model = simulated->model;
  auto rules = read_rules(model, a.simulation);
  collect(rules, errors);
  auto plan = make_plan(model, *loaded, a);
  collect(plan, errors);
  const auto every = one_quantity("--every", a.every, quantities::time, {}, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  for (const std::string& sentence : loaded->sentences) plan->sentence += "; " + sentence;
  const double seconds = plan->to - plan->from;
  rules->every = every.value_or(seconds / 1000);
  errors = check_work(*rules, seconds);
  if (!(seconds / rules->every <= most_rows))
    errors.push_back(fault_of("--every", "option-value",
                              fmt::format("there would be {:.3g} rows", seconds / rules->every),
                              fmt::format("give {:.3g} s at least", seconds / most_rows)));
  if (!errors.empty()) return complain(errors, exit_bad_input);
  return simulate(a, *robot, *simulated, *loaded, *plan, *rules);
}

}  // namespace torsor
