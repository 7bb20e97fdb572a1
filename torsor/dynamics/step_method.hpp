// The methods of a step in time under torques that are held: discrete_step.hpp with Jacobians, row_steps.hpp without.
#pragma once

namespace torsor {

enum class StepMethod { semi_implicit, runge_kutta_4 };

}  // namespace torsor
