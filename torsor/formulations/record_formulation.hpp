// A formulation of the catalogues on tape: what it does for a robot, operation by operation, whatever the state. The
// sines and cosines of the DH angles (and the displacements of sliding joints), the velocities and the accelerations are
// the inputs, geometry and inertias are constants, and exact zeros and ones among them are structural. Counts and
// generated code are read off the tape.
#pragma once

#include "torsor/formulations/catalogue.hpp"
#include "torsor/formulations/record_options.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

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
