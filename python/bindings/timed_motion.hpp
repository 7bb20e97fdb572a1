// Motions of joints that a user hands over: a motion of the library, or a function of time in Python.
#pragma once

#include <optional>

#include "python/bindings/answer.hpp"
#include "torsor/model/model.hpp"
#include "torsor/simulate/motion_effort.hpp"
#include "torsor/trajectory/any_motion.hpp"

namespace torsor::python {

/// A motion from 0 to its duration; ValueError of `function` where it is none of the robot. What a function of Python raises
/// is kept in visits, and gives no numbers from then on; motion and visits must outlive the result.
TimedMotion timed_motion(const char* function, const Model<double>& model, nb::handle motion,
                         std::optional<double> duration, nb::handle breaks, Visits& visits);

}  // namespace torsor::python
