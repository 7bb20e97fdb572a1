// torsor mechanism simulate: the motion under forces, springs, actuators and drivers, with the account of its energy and of
// how well its equations hold.
#include <fmt/format.h>

#include "cli/mechanism_report.hpp"
#include "cli/quantity.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

struct MechanismSimulateArguments {
  MechanismRunArguments run;
  std::optional<std::string> integrator, step, tolerance, formulation;
  bool through = false;
};

Result<ForwardRunRules> forward_rules(const MechanismSimulateArguments& a, const MechanismRun& file) {
  Faults errors;
  ForwardRunRules rules;
  const auto times = read_run_times(a.run, file);
  collect(times, errors);
  rules.integrator = a.integrator.value_or(file.integrator);
  if (!find_integrator(rules.integrator)) {
    std::vector<std::string_view> names;
    for (const IntegratorRow& row : integrators()) names.push_back(row.name);
    const std::string hint = did_you_mean(rules.integrator, names);
    errors.push_back(fault_of(fmt::format("--integrator \"{}\"", rules.integrator), "integrator-unknown",
                              "there is no such method",
                              fmt::format("{}{}use {}", hint, hint.empty() ? "" : " ", fmt::join(names, ", "))));
  }
  const auto positive = [&](const char* option, const std::optional<std::string>& text,
                            std::span<const QuantityUnit> unit, double fallback, double& target) {
    const auto x = read_quantity(option, text, unit, fallback);
    collect(x, errors);
    if (x && !(*x > 0))
      errors.push_back({{}, option, "option-value", fmt::format("it is {}", *x), "give a number above zero"});
    else if (x)
      target = *x;
  };
  if (a.formulation && *a.formulation != "augmented" && *a.formulation != "partitioned")
    errors.push_back(fault_of("--formulation", "option-value", fmt::format("it is \"{}\"", *a.formulation),
                              "write augmented or partitioned"));
  if (const IntegratorRow* const method = find_integrator(rules.integrator)) {
    const auto unused = [&](const char* option, const char* of, const char* instead) {
      errors.push_back({{}, option, "option-unused", fmt::format("{} has {}", rules.integrator, of), instead});
    };
    if (a.step && method->adaptive)
      unused("--step", "steps of its own choice",
             "give --tolerance, or an integrator with fixed steps (--integrator rk4)");
    if (a.tolerance && !method->adaptive)
      unused("--tolerance", "fixed steps",
             "give --step, or an integrator with variable steps (--integrator dormand-prince)");
  }
  positive("--step", a.step, quantities::time, file.step, rules.step);
  positive("--tolerance", a.tolerance, {}, file.tolerance, rules.tolerance);
  if (!errors.empty()) return errors;
  rules.time = times->time;
  rules.interval = times->interval;
  if (a.through) rules.project_stages = true;
  rules.watch_singular = true;
  rules.formulation = (a.formulation ? *a.formulation == "partitioned" : file.partitioned)
                          ? MechanismFormulation::partitioned
                          : MechanismFormulation::augmented;
  return rules;
}

}  // namespace

int mechanism_simulate(Arguments arguments) {
  MechanismSimulateArguments a;
  Options options(
      "mechanism simulate",
      "Forward simulation: the motion under gravity, springs, forces, given torques of the actuators and drivers, "
      "from the start of the file on. Positions and velocities are brought back onto the equations after every "
      "step; the drift that was corrected, the loop-closure error that remains, and the error of the energy balance "
      "are always reported.");
  a.run.add_to(options,
               "t; angles, displacements and lengths with their rates; energies; loop-closure error; torques of "
               "drivers and springs; reactions; pose, "
               "velocity and acceleration of each body's frame",
               "the mechanism at several instants; joints, reactions, energy, loop-closure error");
  options
      .text("--integrator", "NAME", a.integrator,
            "rk4, dormand-prince, gauss, radau (stiff) or semi-implicit (impulses); default: what the file says")
      .one_of({"rk4", "dormand-prince", "gauss", "radau", "semi-implicit"})
      .text("--step", "S", a.step,
            "of methods with fixed steps, or 1ms; refused for others; default: what the file says")
      .text("--tolerance", "X", a.tolerance,
            "of methods with variable steps; refused for others; default: what the file says")
      .text("--formulation", "NAME", a.formulation,
            "augmented: all coordinates with multipliers, projected; partitioned: as many coordinates as degrees of "
            "freedom "
            "(Wehage "
            "& Haug), for small mechanisms; default: what the file says")
      .one_of({"augmented", "partitioned"})
      .flag("--through-singular", a.through,
            "bring the states inside a step onto the equations, too, also where their redundancy does not ask for it: "
            "dearer, for motions through singular positions")
      .example("bricard -o motion.csv --html bricard.html", "ten seconds of a linkage that counting says cannot move")
      .example("double_four_bar --through-singular --every 10ms -o motion.csv",
               "through positions where it has more degrees of freedom");
  if (const auto code = options.parse(arguments)) return *code;
  const auto mechanism = read_mechanism(a.run.mechanism);
  if (!mechanism) return complain(mechanism.faults(), exit_bad_input);
  const Mechanism& m = *mechanism;
  const auto rules = forward_rules(a, m.description.run);
  if (!rules) return complain(rules.faults(), exit_bad_input);
  MechanismRows rows(m, a.run, simulation_columns(m), "simulate");
  if (!rows.faults().empty()) return complain(rows.faults(), exit_not_written);
  const MechanismSimulation found = run_simulation(m, *rules, rows.sink());
  const int code = rows.finish(found.run.finished, found.story, [&](JsonWriter& json) { write_fields(json, found); });
  if (found.run.stop == RunStop::start && code == exit_done) {
    // the cause of a failed start is known better where nothing else is asked for
    MechanismState start = described_state(m);
    if (const Faults errors = start_simulated(m, start); !errors.empty()) return complain(errors, exit_impossible);
  }
  return end_of_run(code, found.run, m);
}

}  // namespace torsor
