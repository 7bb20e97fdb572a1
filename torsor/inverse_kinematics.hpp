// The face of inverse kinematics: every solution of a pose with its label, the nearest one, rates, and paths of the
// tool.
#pragma once

#include "torsor/ik/branch_label.hpp"
#include "torsor/ik/inverse_kinematics.hpp"
