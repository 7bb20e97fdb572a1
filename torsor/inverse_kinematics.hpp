// The face of inverse kinematics: every solution of a pose with its label, the nearest one, rates, and paths of the
// tool.
#pragma once

#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"
#include "torsor/numeric_ik/parallel_inverse_kinematics.hpp"
#include "torsor/numeric_ik/plan_path.hpp"
