// torsor.Loads in a call: a moving base and forces from outside, state by state.
//
//   call.take("q", q, nq) ...;
//   const LoadRows rows(call, robot, given);        // four more arguments of the call, or none
//   call.settle(...);
//   share_loaded(call, robot, rows, [&](Dynamics& dynamics, std::int64_t state) { ... });
//   or ... Loads loads; dynamics.set_loads(rows.at(state, loads)); ...     // one Loads per thread
#pragma once

#include "python/bindings/robot_rows.hpp"
#include "torsor/dynamics/loads.hpp"

namespace torsor::python {

/// What a call has of loads. given: a torsor.Loads or None; ValueError or TypeError of the call for anything else.
class LoadRows {
 public:
  LoadRows(RowCall& call, const RowSubject& subject, nb::handle given);
  explicit operator bool() const { return first_ >= 0; }

  /// The loads at a state, put into `loads`, which is given back.
  const Loads& at(std::int64_t state, Loads& loads) const;

  /// Those of states from `first` on, for rows in lanes. room: for what is written otherwise there, to be kept as long.
  LoadsOfRows rows(std::int64_t first, std::int64_t count, std::vector<double>& room) const;

 private:
  const RowCall& call_;
  RowSubject subject_;
  Frame<double> frame_;  // where the wrench acts
  StateRows<const double> frames_{nullptr, 0};  // of robots that have it elsewhere
  int first_ = -1;       // argument of the call; none where there are no loads
};

/// body(dynamics, state) for every state, under its loads.
template <class Body>
void share_loaded(const RowCall& call, const Robot& robot, const LoadRows& loads, const Body& body) {
  robot.refuse_massless();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    if (!loads) {
      for (std::int64_t k = first; k < first + count; ++k) body(*dynamics, k);
      return;
    }
    Loads now;
    for (std::int64_t k = first; k < first + count; ++k) {
      dynamics->set_loads(loads.at(k, now));
      body(*dynamics, k);
    }
    dynamics->set_loads({});
  });
}

/// As share_rows, with loads: body(rows, loads, first, count).
template <class Body>
void share_loaded_rows(const RowCall& call, const RowSubject& subject, const LoadRows& loads, const Body& body) {
  if (!subject.robots) subject.robot.refuse_massless();
  share_rows(call, subject, [&](RowDynamics& rows, std::int64_t first, std::int64_t count) {
    std::vector<double> room;
    return body(rows, loads.rows(first, count, room), first, count);
  });
}

}  // namespace torsor::python
