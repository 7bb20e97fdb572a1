// A formulation of the catalogues on tape: what it does for a robot, operation by operation, whatever the state. The
// sines and cosines of the DH angles (and the displacements of sliding joints), the velocities and the accelerations are
// the inputs, geometry and inertias are constants, and exact zeros and ones among them are structural. Counts and
// generated code are read off the tape.
#pragma once

#include "torsor/formulations/catalogue.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

/// Which of the robot's constants a recording takes as known only at run time: they become inputs, before all others,
/// and sums and products with them are counted. Twists stay constants, and so do mass centres in DH frames.
struct RecordOptions {
  bool gravity_at_run_time = false;
  bool lengths_at_run_time = false;  // a and d of a DH table; in the tree, where each joint is placed in its parent
  bool masses_at_run_time = false;   // in the tree with the first moments and inertias, which depend on them
};

// inputs: those of the options (g; a, d, m per link), c, s (revolute) or d (prismatic) per joint, qd, qdd; outputs: tau
Tape record(const InverseFormulation<Trace>&, const RobotForms<double>&, const RecordOptions& = {});
// inputs: c, s or d per joint, then qd; outputs: D (upper triangle, by rows), h, c
Tape record(const CoefficientsFormulation<Trace>&, const RobotForms<double>&, const RecordOptions& = {});
// inputs: c, s or d per joint; outputs: h_ikm with k <= m
Tape record(const ChristoffelFormulation<Trace>&, const RobotForms<double>&, const RecordOptions& = {});
// inputs: c, s or d per joint; outputs: D (upper triangle, by rows)
Tape record(const MassFormulation<Trace>&, const RobotForms<double>&, const RecordOptions& = {});
// inputs: c, s or d per joint; outputs: c
Tape record(const GravityFormulation<Trace>&, const RobotForms<double>&, const RecordOptions& = {});

}  // namespace torsor
