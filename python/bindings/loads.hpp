// torsor.Loads in a call: a moving base and forces from outside, state by state.
//
//   call.take("q", q, nq) ...;
//   const LoadRows rows(call, robot, given);        // three more arguments of the call, or none
//   call.settle(...);
//   ... Loads loads; dynamics.set_loads(rows.at(state, loads)); ...     // one Loads per thread
#pragma once

#include "python/bindings/robot.hpp"
#include "python/bindings/row_call.hpp"
#include "torsor/dynamics/loads.hpp"

namespace torsor::python {

/// What a call has of loads. given: a torsor.Loads or None; ValueError or TypeError of the call for anything else.
class LoadRows {
 public:
  LoadRows(RowCall& call, const Robot& robot, nb::handle given);
  explicit operator bool() const { return first_ >= 0; }

  /// The loads at a state, put into `loads`, which is given back.
  const Loads& at(std::int64_t state, Loads& loads) const;

 private:
  const RowCall& call_;
  const Robot& robot_;
  Frame<double> frame_;  // where the wrench acts
  int first_ = -1;       // argument of the call; none where there are no loads
};

}  // namespace torsor::python
