// torsor mechanism WHAT FILE: mechanisms with closed loops. The table of what can be asked, and the way to it.
#include <fmt/format.h>

#include <iostream>

#include "cli/files.hpp"
#include "cli/mechanism_argument.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/text/suggest.hpp"

namespace torsor {
namespace {

constexpr Verb questions[] = {
    {"mechanism", "check", "whether the file is sound and the mechanism closes; its bodies, joints and equations",
     mechanism_check},
    {"mechanism", "mobility",
     "degrees of freedom, redundant equations and whose they are, how it is driven and actuated", mechanism_mobility},
    {"mechanism", "kinematics", "positions, velocities and accelerations over time, as its drivers prescribe",
     mechanism_kinematics},
    {"mechanism", "inverse",
     "torques and forces of the actuators and reactions of all joints over time, for the motion its drivers prescribe",
     mechanism_inverse},
    {"mechanism", "simulate",
     "forward simulation: motion under forces, springs and drivers, with drift and energy reported",
     mechanism_simulate},
    {"mechanism", "sweep", "a run for each value of its parameters, and what came of each in a table", mechanism_sweep},
    {"mechanism", "equilibrium",
     "where it stays at rest, whether that is stable, and the reactions of its joints there", mechanism_equilibrium},
    {"mechanism", "modes", "small motions about the place of rest: frequencies and damping", mechanism_modes},
};

std::string mechanism_help() {
  std::string text =
      "Mechanisms with closed loops: bodies, joints, drivers and actuators from a file (docs/mechanism-file.md).\n\n"
      "Usage: torsor mechanism WHAT FILE [OPTIONS]\n\nWhat:\n";
  for (const Verb& q : questions) text += fmt::format("  {:<13}{}\n", q.name, q.summary);
  text += "\nBuilt-in mechanisms:\n";
  for (const EmbeddedFile& file : embedded_mechanisms()) text += fmt::format("  {}\n", file.name);
  return text +
         "\nExamples:\n  torsor mechanism mobility bricard\n  torsor mechanism inverse four_bar -o torques.csv --html "
         "four_bar.html\n  torsor mechanism simulate bricard -o motion.csv\n  torsor mechanism kinematics "
         "my_press.toml --time 2s --every 5ms -o motion.csv\n"
         "\nAll of them take --json, all but check --html FILE, and those that run -o FILE; torsor mechanism WHAT "
         "--help "
         "has all options.\n";
}

}  // namespace

std::span<const Verb> mechanism_questions() { return questions; }

int mechanism_verb(Arguments arguments) {
  if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-h") {
    (arguments.empty() ? std::cerr : std::cout) << mechanism_help();
    return arguments.empty() ? exit_bad_input : finish_standard_output();
  }
  const std::string& what = arguments.front();
  std::vector<std::string_view> names;
  for (const Verb& q : questions) {
    if (q.name == what) return q.run(arguments.subspan(1));
    names.push_back(q.name);
  }
  const std::string hint = did_you_mean(what, names);
  return complain({fault_of(fmt::format("mechanism \"{}\"", what), "verb-unknown",
                            "this cannot be asked of a mechanism",
                            fmt::format("{}{}write torsor mechanism and one of {}", hint, hint.empty() ? "" : " ",
                                fmt::join(names, ", ")))},
                  exit_bad_input);
}

}  // namespace torsor
