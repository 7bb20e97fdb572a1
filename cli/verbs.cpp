// The table of verbs, and what to do when there is none of that name.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "cli/files.hpp"
#include "cli/verb.hpp"
#include "torsor/text/suggest.hpp"

namespace torsor {
namespace {

constexpr Verb verbs[] = {
    {"Begin", "demo", "torques of a PUMA 560 over a built-in pick-and-place motion: CSV, a page with plots, a moving picture",
     demo_verb},
    {"Begin", "studio",
     "a robot or mechanism in the browser: move it, see its torques, solutions, motions and equations", studio_verb},
    {"Begin", "example", "writes the files that the documentation's commands read; lists them", example_verb},
    {"Begin", "completion", "completion of verbs, options and robots for bash, zsh or fish", completion_verb},
    {"Begin", "manual", "this and the help of every verb as a manual page", manual_verb},
    {"Describe", "list", "the built-in robots, and the formulations of dynamics", list_verb},
    {"Describe", "show", "a robot: tree, DH table, limits, masses, reach, drives", show_verb},
    {"Describe", "check", "what is wrong with robot files, and what probably is", check_verb},
    {"Describe", "convert", "a robot in another form: URDF, MJCF, SDF, DH both ways, placements; DH tables for a page",
     convert_verb},
    {"Describe", "inertia", "masses and inertias of links that have none, from their shapes and meshes", inertia_verb},
    {"Describe", "diff", "what is different between two robots: geometry, masses, limits, drives; poses and torques",
     diff_verb},
    {"Compute", "fk", "forward kinematics: poses, velocities, accelerations, Jacobian", fk_verb},
    {"Compute", "ik", "inverse kinematics: all branches of a pose, velocities, accelerations; joints along a path",
     ik_verb},
    {"Compute", "id", "inverse dynamics: torques for a state or for a motion", id_verb},
    {"Compute", "fd", "forward dynamics: accelerations under given torques", fd_verb},
    {"Compute", "terms", "every term of the equations of motion at a state", terms_verb},
    {"Compute", "derivatives",
     "exact first derivatives of torques and accelerations, their zeros, and Jacobians of a discrete step",
     derivatives_verb},
    {"Compute", "simulate",
     "forward simulation: the motion under given torques, with friction that sticks, stops and energy", simulate_verb},
    {"Compute", "roundtrip", "torques of a motion driven forward again, and how far from its target the tool then ends",
     roundtrip_verb},
    {"Compute", "mechanism",
     "mechanisms with closed loops: mobility, kinematics, torques and reactions, simulation, modes", mechanism_verb},
    {"Plan", "path", "a motion from a short description or a publication, sampled to CSV", path_verb},
    {"Plan", "track", "a path of the tool to joints to torques, in one command", track_verb},
    {"Plan", "plot", "any CSV motion or result as curves: a page or an SVG drawing", plot_verb},
    {"Understand", "equations", "the equations of motion themselves, with letters or numbers: text, LaTeX, JSON",
     equations_verb},
    {"Understand", "structure", "which coefficients of these equations are zero, constant or negligible, and why",
     structure_verb},
    {"Understand", "dominance",
     "what of inertias and torques comes from translation, rotation and each term, along a motion", dominance_verb},
    {"Understand", "agree", "the certificate that all formulations agree; why another tool's torques differ",
     agree_verb},
    {"Understand", "count", "operations of every formulation of inverse dynamics, beside the tables of the literature",
     count_verb},
    {"Understand", "bench",
     "the library beside its peers; time per call of every formulation, on a robot and on longer arms", bench_verb},
    {"Design", "size", "what a motion requires of joints and motors: peaks, rms, energy; motor curves, gear ratios",
     size_verb},
    {"Design", "guide", "which changes of the design make these equations simpler, tried exactly and ranked",
     guide_verb},
    {"Control", "control", "control laws compared on a task of the tool, sampled, on an arm their model knows roughly",
     control_verb},
    {"Control", "regressor",
     "which inertial, rotor and friction parameters torques depend on, and in which combinations", regressor_verb},
    {"Control", "identify", "these parameters from a record of motion and torques, with deviations and validation",
     identify_verb},
    {"Control", "reduce", "these equations without what hardly matters on a motion, and how wrong that is",
     reduce_verb},
    {"Ship", "codegen", "C for the dynamics and kinematics of a robot, with a self-test", codegen_verb},
    {"Ship", "report", "one page: the robot, its torques, agreement, operation counts and times of all formulations",
     report_verb},
};

std::string help() {
  std::string text = "Dynamics of robot arms and mechanisms.\n\nUsage: torsor VERB [ARGUMENTS]\n";
  std::string_view task;
  for (const Verb& verb : verbs) {
    if (verb.task != task) text += fmt::format("\n{}\n", task = verb.task);
    text += fmt::format("  {:<12}{}\n", verb.name, verb.summary);
  }
  return text +
         "\nOptions:\n  --help    this text; after a verb, its own\n  --version the version\n"
         "\nExamples:\n  torsor demo\n  torsor id puma560 --q \"0 0.5 -1 0 0.3 0\"\n  torsor id --help\n"
         "\nExit codes: 0 done; 1 no solution; 2 bad file or option; 3 cannot write.\n";
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

std::span<const Verb> all_verbs() { return verbs; }

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
