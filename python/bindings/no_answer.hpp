// Why a state has no answer: what RowCall::tell says of it.
#pragma once

#include "python/bindings/robot.hpp"
#include "python/bindings/row_call.hpp"

namespace torsor::python {

/// The joint whose quaternion has length zero at a state, an argument of the call; -1 if there is none.
int joint_without_direction(const RowCall& call, const Model<double>& model, std::int64_t state, int argument = 0);

/// Of a state whose numbers are all finite: a quaternion of length zero, or an answer that is too large. model: as RowCall::expect_states_of.
Fault meaningless_fault(const RowCall& call, const Model<double>* model, std::int64_t state, int argument = 0);

/// The same of a robot, whose loops may not close there.
Fault no_answer_fault(const RowCall& call, const Robot& robot, std::int64_t state);

/// Of accelerations that are not determined, since that coordinate moves no mass.
Fault massless_fault(const RowCall& call, const Model<double>& model, std::int64_t state, int coordinate);

/// Of accelerations; arguments 0, 1, 2 of the call are q, qd, tau, all finite at that state.
Fault undetermined_fault(const RowCall& call, const Robot& robot, std::int64_t state);

}  // namespace torsor::python
