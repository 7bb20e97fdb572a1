// RowDynamics: rows of states whose robots, or what acts on them, differ from row to row; and rollouts, which take each row
// through many steps in time. In lanes and on threads, as the rows of Dynamics, in double.
//
//   torsor::RowDynamics rows(torsor::Robot::load("iiwa14"), {.threads = 2});
//   rows.set_robots({.count = 1000, .inertias = drawn});               // row k is robot k; each drawn, say, at random
//   rows.rollout(1000, {.q = q, .qd = qd, .tau = tau, .periods = 100, .step = 1e-3}, {q_all, qd_all});
//
// SI units and radians; sizes, rows and statuses as in dynamics.hpp. Set-up is the constructor, set_robots and the first
// rollout of a method; nothing else allocates.
#pragma once

#include <memory>

#include "torsor/dynamics.hpp"
#include "torsor/dynamics/step_method.hpp"

namespace torsor {

struct RowOptions {
  int threads = 1;
  InstructionSet instruction_set = widest_instruction_set();
};

/// Robots that have joints, frames and lengths in common, and the numbers in which they differ: count of each, one robot
/// after the other; what is left out is that of the model. inertias: of every body, in its frame. rotors: of every velocity
/// coordinate. friction: for each robot viscous of all coordinates, then dry as they move forwards, then backwards (positive),
/// in place of all laws of the model.
struct RobotsOfRows {
  std::int64_t count = 0;
  std::span<const Inertia<double>> inertias;
  std::span<const double> rotors = {}, friction = {};
};

/// What acts on each row; what has no data is that of the model, or nothing. gravity (3), in the world; base (9): angular
/// velocity and acceleration and linear acceleration of the base, in the world; wrench (6): moment and force at the origin of
/// `frame`, along its axes; external (6 for each body): on every body, in its frame. Stride 0: the same for all.
struct LoadsOfRows {
  StateRows<const double> gravity, base, wrench, external;
  Frame<double> frame = {};
};

/// Starts, and torques that are held for `hold` steps each: of every row periods x nv numbers; none: no torques.
struct RolloutStart {
  StateRows<const double> q, qd, tau;
  std::int64_t periods = 0;
  double step = 0;  // s
  int hold = 1;
  StepMethod method = StepMethod::semi_implicit;
};

/// Where every period ends: periods x nq and periods x nv numbers for every row.
struct RolloutStates {
  StateRows<double> q, qd;
};

class RowDynamics {
 public:
  using Rows = StateRows<double>;
  using ConstRows = StateRows<const double>;

  /// The model is copied. A robot with loops throws Error (robot-loops).
  explicit RowDynamics(const Robot& robot, RowOptions options = {});
  explicit RowDynamics(const Model<double>& model, RowOptions options = {});
  RowDynamics(RowDynamics&&) noexcept;
  RowDynamics& operator=(RowDynamics&&) noexcept;
  ~RowDynamics();

  /// Row k of all calls that follow is robot k; states of a call are a multiple of their number, and begin with robot 0 again
  /// and again. None: all are the model. Of joints of several degrees of freedom no friction is known (not_prepared).
  Status set_robots(const RobotsOfRows& robots);
  std::int64_t robots() const;
  /// The robot of a row, by itself.
  Model<double> robot(std::int64_t row) const;

  /// tau = M qdd + bias of every row; no qd or no qdd stands for zeros.
  Status inverse(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, Rows tau,
                 const LoadsOfRows& loads = {});
  /// M(q) of every row (nv x nv).
  Status mass(std::int64_t states, ConstRows q, Rows M);
  /// qdd under tau; NaN in a row where a coordinate moves no mass.
  Status forward(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, Rows qdd,
                 const LoadsOfRows& loads = {});
  /// Every row through periods x hold steps. Dry friction takes nothing at rest, joints have no stops, and loads act as long
  /// as the rollout lasts. A row that has no accelerations any more, or numbers too large, is NaN from there on.
  Status rollout(std::int64_t states, const RolloutStart& start, const RolloutStates& out,
                 const LoadsOfRows& loads = {});

  const Model<double>& model() const;
  int threads() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace torsor
