// Where the tool is to be and how it is to move, on the command line: --pose, --velocity, --acceleration; and which of
// the joint positions that do so are wanted: --branch, --q, --plan, --position-only, --free-turn, --aim, --seed.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "cli/state_arguments.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {

struct ToolArguments {
  std::optional<std::string> pose, velocity, acceleration;
  bool degrees = false;

  void add_to(Options& options);
};

/// The tool in the world, SI units and radians; velocities and accelerations are zero where none are given. Or every
/// fault of every list.
Result<CartesianState> read_tool_motion(const ToolArguments& arguments);

/// Which solution is wanted, and what of the pose counts: the same for ik and track.
struct SolutionArguments {
  std::optional<std::string> branch, free_turn, aim, plan;
  bool position_only = false;
  StateArguments near;  // --q, --seed, --degrees

  /// own_degrees: --degrees is declared here, for --q alone.
  void add_to(Options& options, bool own_degrees);
};

struct SolutionChoice {
  IkChoice wanted;  // without the joint positions of --q, which need the robot
  std::string branch_text = {};
  IkTask task;
  std::optional<std::string> plan = {};  // by what the start on a path is chosen
};

/// What can be known without the robot; or every fault of these options.
Result<SolutionChoice> read_solution(const SolutionArguments& arguments);

/// The joint positions of --q, or nothing; or every fault.
Result<std::optional<std::vector<double>>> read_near(const SolutionArguments& arguments, const Model<double>& model);

/// What these options cannot mean for the robot: labels of another kind of arm, an aim with nothing to choose from,
/// draws where nothing is drawn.
Faults check_solution(const SolutionArguments& arguments, const SolutionChoice& choice,
                      const InverseKinematics& solver);

/// Where to start on a path, or why not on the branch that was asked for; a plan of seven joints becomes the path's guide.
Result<std::vector<double>> read_start(const InverseKinematics& solver, ToolPath& path,
                                       const SolutionChoice& choice = {});

/// Tells why a request cannot be met; the exit code. Where each fault is that a sound robot has not what was asked for
/// (such a branch, such limits, joints whose time can be scaled) it is that of the impossible, else that of bad input.
int complain_of_request(const Faults& errors);

}  // namespace torsor
