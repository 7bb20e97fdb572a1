// Why a state has no answer: what RowCall::tell says of it.
#pragma once

#include "python/bindings/robot.hpp"
#include "python/bindings/row_call.hpp"

namespace torsor::python {

/// Of accelerations; arguments 0, 1, 2 of the call are q, qd, tau, all finite at that state.
Error undetermined_fault(const RowCall& call, const Robot& robot, std::int64_t state);

}  // namespace torsor::python
