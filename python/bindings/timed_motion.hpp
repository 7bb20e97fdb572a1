// Motions of joints that a user hands over: a motion of the library, or a function of time in Python.
#pragma once

#include <optional>

#include "python/bindings/answer.hpp"
#include "torsor/model/model.hpp"
#include "torsor/trajectory/trajectory.hpp"

namespace torsor::python {

/// A motion of the library that ends whatever samples it when the user breaks off: see Visits::unlocked.
inline Trajectory watched(const Trajectory& motion, Visits& visits) {
  return {motion.size(), motion.duration(), [motion, &visits](double t, auto q, auto qd, auto qdd) {
            visits.keep_on();
            motion.sample(t, q, qd, qdd);
          }, motion.breaks()};
}

/// A motion of the library for a survey of so many steps, by default through half of every joint's range and back; likewise.
Trajectory survey_motion(const char* function, const Model<double>& model, nb::handle motion, int steps,
                         Visits& visits);

/// A motion from 0 to its duration; ValueError of `function` where it is none of the robot. What a function of Python raises
/// is kept in visits, and gives no numbers from then on; one of the library is watched. motion and visits must outlive the
/// result, and what samples it runs in visits.unlocked().
Trajectory timed_motion(const char* function, const Model<double>& model, nb::handle motion,
                        std::optional<double> duration, nb::handle breaks, Visits& visits);

}  // namespace torsor::python
