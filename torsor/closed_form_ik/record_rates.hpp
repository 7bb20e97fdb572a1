// What inverse kinematic velocities and accelerations cost without and with a partition, on tape: the 6 x 6 system by an
// inverse and a product, by Gauss elimination, and the Stanford arm's by its wrist (polar_velocity.hpp). The solution of
// the system counts every operation, since it does not know the zeros of its matrix; the matrix itself those that zeros
// and ones leave.
#pragma once

#include "torsor/closed_form_ik/dense_rates.hpp"
#include "torsor/model/robot_forms.hpp"
#include "torsor/scalar/trace_count.hpp"

namespace torsor {

enum class DenseMethod { inversion, elimination };
enum class RateLevel { velocity, acceleration };

/// Rates of a robot with six joints and its default tool. Inputs: c, s (or d) per joint; qd1 to 6 for accelerations; the
/// motion of the tool. Outputs: qd, or qdd, 1 to 6. Stages: "Jacobian", "Jd qd", "solution".
Tape record_dense(DenseMethod, RateLevel, const RobotForms<double>&);

// multiplications (and divisions, as such) and additions: of the solution of such a tape, and of all of it
OperationCount count_solution(const Tape&);
OperationCount count_dense(DenseMethod, RateLevel, const RobotForms<double>&);

/// The Stanford arm's rates by its wrist. Inputs: A1A2x, y, z (its zero left out), d3, c2, s2, c4, ..., s6, pd4; then w6,
/// or, from_axes, W6 and Wd6 by columns. Outputs: qd1 to 6. d_2 (m) is a constant.
Tape record_polar(double d_2, bool from_axes);

}  // namespace torsor
