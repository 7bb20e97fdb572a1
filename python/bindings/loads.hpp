// torsor.Loads in a call: a moving base and forces from outside, state by state.
//
//   call.take("q", q, nq) ...;
//   const LoadRows loads(call, robot, given);       // three more arguments of the call, or none
//   call.settle(...);
//   ... LoadsAt at(loads); dynamics.set_loads(at(state)); ...     // one LoadsAt per thread
#pragma once

#include <vector>

#include "python/bindings/robot.hpp"
#include "python/bindings/row_call.hpp"
#include "torsor/dynamics/loads.hpp"

namespace torsor::python {

/// What a call has of loads. given: a torsor.Loads or None; ValueError or TypeError of the call for anything else.
class LoadRows {
 public:
  LoadRows(RowCall& call, const Robot& robot, nb::handle given);
  explicit operator bool() const { return first_ >= 0; }

 private:
  friend class LoadsAt;
  const RowCall& call_;
  const Robot& robot_;
  Frame<double> frame_;  // where the wrench acts
  int first_ = -1;       // argument of the call; none where there are no loads
};

/// The loads at a state, as the library takes them; what it returns is good until the next state.
class LoadsAt {
 public:
  explicit LoadsAt(const LoadRows& rows) : rows_(rows), external_(rows ? rows.robot_.model.bodies.size() : 0) {}
  Loads<double> operator()(std::int64_t state);

 private:
  const LoadRows& rows_;
  std::vector<Force<double>> external_;
};

/// Dynamics that keep loads, apart from those that have none.
struct LoadedDynamics {
  explicit LoadedDynamics(const Model<double>& model) : fast(model) {}
  FastDynamics fast;
};

}  // namespace torsor::python
