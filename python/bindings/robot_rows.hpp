// Robots that have all but some numbers in common, one for each row of a call; and what a question about rows is asked
// of, a robot or as many as there are rows.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "python/bindings/robot.hpp"
#include "python/bindings/row_call.hpp"
#include "torsor/row_dynamics.hpp"

namespace torsor::python {

/// What Python's RobotRows stands on: the numbers of the robots, and the workspaces of their rows.
class RobotNumbersOfRows {
 public:
  /// masses (count, links), centres (count, links, 3) and tensors about them (count, links, 3, 3) in link frames;
  /// rotors (count, nv) or none, friction (count, 3 nv) or none. All as numpy arrays of doubles in C order.
  RobotNumbersOfRows(nb::object robot, std::int64_t count, nb::handle masses, nb::handle centres, nb::handle tensors,
                     nb::handle rotors, nb::handle friction);
  /// A list of robots, not empty.
  explicit RobotNumbersOfRows(nb::list robots);

  const Robot& robot() const { return robot_; }
  std::int64_t count() const { return count_; }
  double mass(std::int64_t row) const;

  Pool<RowDynamics>::Lease lease(int threads) const;

  /// Whether links and tools may be elsewhere on their bodies from row to row.
  bool own_frames() const { return !models_.empty(); }
  /// Where a frame is on its body, of each: rows of R and then p, 12 numbers; nothing where they are alike. None: the
  /// tool.
  StateRows<const double> frames(const char* function, nb::handle name) const;
  /// Where the author's frame of a link is on its body.
  const Transform<double>& link(std::int64_t row, std::size_t body) const;

 private:
  /// Refused when it is made, not when it is first asked.
  void make_once() { lease(1); }

  nb::object held_;  // likewise
  const Robot& robot_;
  std::int64_t count_;
  std::vector<Inertia<double>> inertias_;
  std::vector<double> rotors_, friction_;
  nb::list each_;  // kept alive
  std::vector<const Robot*> models_;
  NumbersOfRobots numbers_;  // of each
  mutable std::map<std::string, std::vector<double>> frames_;
  mutable Pools pools_;
};

/// What rows are asked of.
struct RowSubject {
  RowSubject(const Robot& one) : robot(one) {}  // NOLINT(google-explicit-constructor): a robot is one
  RowSubject(const RobotNumbersOfRows& many)    // NOLINT(google-explicit-constructor)
      : robot(many.robot()), robots(&many) {}

  const Robot& robot;
  const RobotNumbersOfRows* robots = nullptr;
};

/// An argument of a call that has no numbers, but as many states as there are robots; none where they are one.
void take_robots(RowCall& call, const RowSubject& subject);

/// Whether the states of a call go in lanes: several, of a robot without loops.
inline bool in_lanes(const RowCall& call, const RowSubject& subject) {
  return subject.robots || (!call.single() && !subject.robot.loops());
}

/// In lanes: body(rows, first, count) for pieces of the states, or all at once where robots differ; a Status.
template <class Body>
void share_rows(const RowCall& call, const RowSubject& subject, const Body& body) {
  const auto ask = [&](RowDynamics& rows, std::int64_t first, std::int64_t count) {
    if (!body(rows, first, count)) throw std::logic_error("rows of a call do not fit its robot");
  };
  if (!subject.robots)
    return call.share([&](std::int64_t first, std::int64_t count) {
      ask(*subject.robot.work<RowDynamics>(), first, count);
    });
  const auto rows = subject.robots->lease(call.threads_for(call.states()));
  call.at_once([&](std::int64_t first, std::int64_t count) { ask(*rows, first, count); });
}

/// Of accelerations that a state has not; arguments 0, 1, 2 of the call are q, qd and tau, of which the first counts
/// where there are several.
Fault undetermined_fault(const RowCall& call, const RowSubject& subject, std::int64_t state);

/// A question as nanobind binds it: to a robot, and to as many as there are rows.
template <auto question>
struct Asked;
template <class... Arguments, nb::object (*question)(const RowSubject&, Arguments...)>
struct Asked<question> {
  static nb::object of_robot(const Robot& robot, Arguments... arguments) { return question(robot, arguments...); }
  static nb::object of_robots(const RobotNumbersOfRows& robots, Arguments... arguments) {
    return question(robots, arguments...);
  }
};

// Questions that both are asked, each in the file of its room.
nb::object inverse_dynamics_of(const RowSubject&, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle formulation,
                               nb::handle out, int threads, nb::handle loads);
nb::object mass_matrix_of(const RowSubject&, nb::handle q, nb::handle formulation, nb::handle out, int threads);
nb::object forward_dynamics_of(const RowSubject&, nb::handle q, nb::handle qd, nb::handle tau, nb::handle formulation,
                               nb::handle out, int threads, nb::handle loads, bool return_valid);
nb::object inverse_derivatives_of(const RowSubject&, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle out,
                                  int threads, nb::handle loads);
nb::object forward_derivatives_of(const RowSubject&, nb::handle q, nb::handle qd, nb::handle tau, nb::handle out,
                                  int threads, nb::handle loads, bool return_valid);
nb::object christoffel_of(const RowSubject&, nb::handle q, const std::string& formulation, nb::handle out, int threads);
nb::object energy_of(const RowSubject&, nb::handle q, nb::handle qd, nb::handle out, int threads);
nb::object momentum_of(const RowSubject&, nb::handle q, nb::handle qd, int threads);
nb::object terms_of(const RowSubject&, nb::handle q, nb::handle qd, nb::handle qdd, int threads, nb::handle loads);
nb::object reactions_of(const RowSubject&, nb::handle q, nb::handle qd, nb::handle qdd, int threads, nb::handle loads);
nb::object frame_motion_of(const RowSubject&, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle frame,
                           nb::handle out, int threads);
nb::object jacobian_of(const RowSubject&, nb::handle q, nb::handle frame, nb::handle out, int threads);
nb::object jacobian_rate_of(const RowSubject&, nb::handle q, nb::handle qd, nb::handle frame, nb::handle out,
                            int threads);
nb::object rollout_of(const RowSubject&, nb::handle q, nb::handle qd, nb::handle tau, double h,
                      const std::string& method, int hold, nb::handle out, int threads, nb::handle loads,
                      bool return_valid);

}  // namespace torsor::python
