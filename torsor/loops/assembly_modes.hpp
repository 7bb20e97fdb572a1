// All ways to put the loops of a robot together at one position of its independent joints: its assembly modes, and so all
// solutions of the forward kinematics of a parallel robot (six of a 3-RRR, sixteen of a 3-RPS, up to forty of a Stewart
// platform).
//
// Method: dependent joints are drawn anywhere (angles over a whole turn, slides within their limits or a few lengths), and
// descended from there (Levenberg-Marquardt on the equations of the cluster), until every mode was found several times. How
// many modes are then still missing is estimated from those found once and twice, f1^2 / (2 f2) (A. Chao, Nonparametric
// estimation of the number of classes in a population, Scand. J. Statistics 11 (1984) 265-270). It is a search, no proof: a
// mode in a narrow place may be missed, and `settled` says whether the search came to its end. Modes in which axes of a loop
// point against each other are none, as where loops are assembled.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/robot.hpp"

namespace torsor {

struct AssemblyModeOptions {
  int starts_at_least = 100, starts_at_most = 20000;  // per cluster
  int times = 4;                                      // that every mode is to be found
  std::uint64_t seed = 1;
  /// Modes are told apart by where this frame is; none: by all links, so that a leg that can be put in two ways counts twice.
  std::optional<Frame<double>> frame = {};
};

struct AssemblyMode {
  std::vector<double> q;      // of all joints of the tree; inside their limits where this mode has such
  double residual = 0;        // m or rad, of all loops
  double determined = 1;      // how well the dependent joints are: 0 at a dead centre
  bool assembled = false;     // the one in which the robot has its loops
  bool inside_limits = true;  // of all joints
};

struct AssemblyModes {
  std::vector<AssemblyMode> modes;  // the assembled one first
  int starts = 0;                   // that were made
  double missing = 0;               // modes that are expected to be there still
  bool settled = true;              // each was found as often as was wanted
};

/// Fault where nothing closes there, or more modes than can be listed.
Result<AssemblyModes> find_assembly_modes(const Robot& robot, std::span<const double> q_a,
                                          const AssemblyModeOptions& = {});

}  // namespace torsor
