// The table of verbs, and what to do when there is none of that name.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "cli/files.hpp"
#include "cli/verb.hpp"
#include "torsor/io/suggest.hpp"

namespace torsor {
namespace {

struct Verb {
  std::string_view name, summary;
  int (*run)(Arguments);
};

constexpr Verb verbs[] = {
    {"demo", "torques of a PUMA 560 over a built-in pick-and-place motion, as CSV and as a page with plots", demo_verb},
    {"list", "the built-in robots, and the formulations of dynamics", list_verb},
    {"show", "a robot: tree, DH table, limits, masses, reach, drives", show_verb},
    {"check", "what is wrong with robot files, and what probably is", check_verb},
    {"convert", "a robot in another form: DH both ways, placements, URDF; DH tables for a page", convert_verb},
    {"fk", "forward kinematics: poses, velocities, accelerations, Jacobian", fk_verb},
    {"id", "inverse dynamics: torques for a state or for a motion", id_verb},
    {"fd", "forward dynamics: accelerations under given torques", fd_verb},
    {"ik", "inverse kinematics: all branches of a pose, velocities, accelerations; joints along a path", ik_verb},
    {"path", "a motion from a short description or a publication, sampled to CSV", path_verb},
    {"track", "a path of the hand to joints to torques, in one command", track_verb},
    {"size", "what a motion asks of joints and motors: peaks, rms, energy; motor curves, gear ratios", size_verb},
    {"simulate", "forward simulation: the motion under given torques, with friction that sticks, stops and energy",
     simulate_verb},
    {"roundtrip", "torques of a motion driven forward again, and how far from its target the hand then ends",
     roundtrip_verb},
    {"control", "control laws compared on a task of the hand, sampled, on an arm their model knows roughly", control_verb},
    {"mechanism", "mechanisms with closed loops: mobility, kinematics, efforts and reactions, simulation, modes", mechanism_verb},
    {"terms", "every term of the equations of motion at a state", terms_verb},
    {"regressor", "which inertial, rotor and friction parameters efforts depend on, and in which combinations", regressor_verb},
    {"identify", "these parameters from a record of motion and efforts, with deviations and validation", identify_verb},
    {"derivatives", "exact first derivatives of efforts and accelerations, their zeros, and Jacobians of a discrete step",
     derivatives_verb},
    {"equations", "the equations of motion themselves, with letters or numbers: text, LaTeX, JSON", equations_verb},
    {"structure", "which coefficients of these equations are zero, constant or negligible, and why", structure_verb},
    {"guide", "which changes of the design make these equations simpler, tried exactly and ranked", guide_verb},
    {"dominance", "what of inertias and torques comes from translation, rotation and each term, along a motion",
     dominance_verb},
    {"reduce", "these equations without what hardly matters on a motion, and how wrong that is", reduce_verb},
    {"codegen", "C for the dynamics and kinematics of a robot, with a self-test", codegen_verb},
    {"agree", "the certificate that all formulations agree; why another tool's torques differ", agree_verb},
    {"count", "operations of every formulation of inverse dynamics, beside the tables of the literature", count_verb},
    {"bench", "time per call of every formulation, on a robot and on arms of growing length", bench_verb},
    {"report", "one page: the robot, its torques, agreement, operation counts and times of all formulations",
     report_verb},
    {"plot", "any CSV motion or result as curves: a page or an SVG drawing", plot_verb},
};

std::string help() {
  std::string text = "Dynamics of robot arms and mechanisms.\n\nUsage: torsor VERB [ARGUMENTS]\n\nVerbs:\n";
  for (const Verb& verb : verbs) text += fmt::format("  {:<12}{}\n", verb.name, verb.summary);
  return text +
         "\nOptions:\n  --help    this text; after a verb, its own\n  --version the version\n"
         "\nExamples:\n  torsor demo\n  torsor id puma560 --q \"0 0.5 -1 0 0.3 0\"\n  torsor id --help\n"
         "\nExit codes: 0 done; 1 the mathematics says no; 2 bad file or flag; 3 cannot write.\n";
}

int print(const std::string& text) {
  std::cout << text;
  return finish_standard_output();
}

int unknown_verb(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  const std::string hint = did_you_mean(name, names);
  return complain({{{},
                    fmt::format("verb \"{}\"", name),
                    "verb-unknown",
                    "there is no such verb",
                    fmt::format("{}{}the verbs are {}", hint, hint.empty() ? "" : " ", fmt::join(names, ", "))}},
                  exit_bad_input);
}

int option_before_verb(const std::string& option, const std::vector<std::string>& rest) {
  std::string remedy = "write torsor VERB [ARGUMENTS]";
  for (const Verb& verb : verbs)
    if (std::find(rest.begin(), rest.end(), verb.name) != rest.end())
      remedy = fmt::format("write torsor {} ... {}", verb.name, option);
  return complain({{{}, option, "verb-first", "options come after the verb", remedy}}, exit_bad_input);
}

}  // namespace

int run_verb(Arguments arguments) {
  if (arguments.empty()) {
    std::cerr << help();
    return exit_bad_input;
  }
  std::string name = arguments.front();
  std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (name == "help" && rest.empty()) name = "--help";
  if (name == "--help" || name == "-h") return print(help());
  if (name == "--version") return print("torsor " TORSOR_VERSION "\n");
  if (name == "help") {
    name = rest.front();
    rest = {"--help"};
  }
  for (const Verb& verb : verbs)
    if (verb.name == name) return verb.run(rest);
  return name.starts_with('-') ? option_before_verb(name, rest) : unknown_verb(name);
}

}  // namespace torsor
