// Motions of joints that a user hands over: a motion of the library, or a function of time in Python.
#pragma once

#include <optional>

#include "python/bindings/answer.hpp"
#include "torsor/model/model.hpp"
#include "torsor/simulate/motion_effort.hpp"
#include "torsor/trajectory/any_motion.hpp"

namespace torsor::python {

/// A motion of the library that ends whatever samples it when the user breaks off: see Visits::unlocked.
struct WatchedMotion {
  AnyMotion motion;
  Visits* visits;

  std::size_t size() const { return motion.size(); }
  double duration() const { return motion.duration(); }
  void sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const {
    visits->keep_on();
    motion.sample(t, q, qd, qdd);
  }
};
inline AnyMotion watched(const AnyMotion& motion, Visits& visits) { return AnyMotion(WatchedMotion{motion, &visits}); }

/// A motion from 0 to its duration; ValueError of `function` where it is none of the robot. What a function of Python raises
/// is kept in visits, and gives no numbers from then on; one of the library is watched. motion and visits must outlive the
/// result, and what samples it runs in visits.unlocked().
TimedMotion timed_motion(const char* function, const Model<double>& model, nb::handle motion,
                         std::optional<double> duration, nb::handle breaks, Visits& visits);

}  // namespace torsor::python
