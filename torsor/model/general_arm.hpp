// The general arm of n joints: every length, twist, mass centre and inertia different from zero and from each other, so
// that nothing about it is special. Operation counts "for n joints" are those of this arm.
#pragma once

#include <string_view>

#include "torsor/model/robot_forms.hpp"

namespace torsor {

/// The general arm of n joints as a table in a DH convention. `joints` has one letter per joint, R or P; empty: all R.
/// The base is the world, and gravity has all three components.
Description general_arm(int n, Convention, std::string_view joints = {});

/// General arms of n joints in all forms, for counting: each form is general in its own frames (the first twist and
/// length of the modified table, the last ones of the standard table included), so they are not of one robot.
RobotForms<double> general_forms(int n, std::string_view joints = {});

}  // namespace torsor
