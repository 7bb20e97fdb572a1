// The torques that a motion needs, by inverse dynamics, as the input of a simulation: a torque function, not samples of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/dynamics.hpp"
#include "torsor/simulate/input.hpp"
#include "torsor/trajectory/trajectory.hpp"

namespace torsor {

class MotionTorque final : public TorqueInput {
 public:
  /// The motion must outlive this.
  MotionTorque(const Model<double>& model, const Trajectory& motion)
      : motion_(motion),
        dynamics_(model, {.questions = Questions::all_but_forward}),
        q_(static_cast<std::size_t>(model.nq)),
        qd_(static_cast<std::size_t>(model.nv)),
        qdd_(qd_.size()) {}

  void effort(double t, std::span<const double>, std::span<const double>, std::span<double> tau) override {
    // at a break the motion may still be what it was before
    if (std::binary_search(motion_.breaks().begin(), motion_.breaks().end(), t))
      t = std::nextafter(t, std::numeric_limits<double>::infinity());
    motion_.sample(t, q_, qd_, qdd_);
    dynamics_.inverse(q_, qd_, qdd_, tau);
  }
  std::span<const double> breaks() const override { return motion_.breaks(); }

 private:
  const Trajectory& motion_;
  Dynamics dynamics_;
  std::vector<double> q_, qd_, qdd_;
};

}  // namespace torsor
