// RowDynamics: rows of states whose robots, or what acts on them, differ from row to row; what has several parts for each row
// (derivatives, energies and momentum, motions of a frame, reactions, all terms); and rollouts, which take each row through
// many steps in time. In lanes and on threads, as the rows of Dynamics.
//
//   torsor::RowDynamics rows(torsor::Robot::load("iiwa14"), {.threads = 2});
//   rows.set_robots({.count = 1000, .inertias = drawn});               // row k is robot k; each drawn, say, at random
//   rows.rollout(1000, {.q = q, .qd = qd, .tau = tau, .periods = 100, .step = 1e-3}, {q_all, qd_all});
//
// SI units and radians; sizes, rows and statuses as in dynamics.hpp. Set-up is the constructor, set_robots and the first
// call of a question; nothing else allocates.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "torsor/dynamics.hpp"
#include "torsor/dynamics/step_method.hpp"

namespace torsor {

struct RowOptions {
  int threads = 1;
  InstructionSet instruction_set = widest_instruction_set();
};

/// Robots that have their joints in common, and the numbers in which they differ: count of each, one robot
/// after the other; what is left out is that of the model. inertias: of every body, in its frame. rotors: of every velocity
/// coordinate. friction: for each robot viscous of all coordinates, then dry as they move forwards, then backwards (positive),
/// in place of all laws of the model. placements: of every body's joint in the frame of its parent (Body::placement),
/// for other lengths; such robots go on the recursions of trees.
struct RobotsOfRows {
  std::int64_t count = 0;
  std::span<const Inertia<double>> inertias;
  std::span<const double> rotors = {}, friction = {};
  std::span<const Transform<double>> placements = {};
};

/// The numbers of robots that are given one by one, as whole models: with other lengths, gears, payloads, ... For the
/// RowDynamics of the first of them.
class NumbersOfRobots {
 public:
  /// Nothing, or what rows cannot differ in and this robot and the first do; then it is left out.
  std::string add(const Model<double>& robot);
  RobotsOfRows rows() const;

 private:
  Model<double> first_;
  std::int64_t count_ = 0;
  bool plain_ = true, same_friction_ = true, same_lengths_ = true;
  std::vector<Inertia<double>> inertias_;
  std::vector<double> rotors_, friction_;
  std::vector<Transform<double>> placements_;
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

/// Where answers in several parts go; parts without data are left out. Matrices are row-major nv x nv, as those of Dynamics.
template <class Real>
struct InverseDerivativesOfRows {
  StateRows<Real> tau = {}, dq = {}, dqd = {}, dqdd = {};
};
template <class Real>
struct ForwardDerivativesOfRows {
  StateRows<Real> qdd = {}, dq = {}, dqd = {}, dtau = {};
};
/// For a base at rest, in the world: energies as Dynamics has them, the mass centre (3), momentum about the world's origin and
/// about the mass centre (6 each, angular first), and the matrix (6 x nv) that gives the latter from the rates; its linear rows
/// are the mass times the Jacobian of the mass centre. Rotors have kinetic energy, and no momentum.
template <class Real>
struct MomentumOfRows {
  StateRows<Real> kinetic = {}, potential = {}, mass_centre = {}, about_origin = {}, about_centre = {}, matrix = {};
};
/// Of a frame, in the world: its pose (rows of R, then p), twist and acceleration of its origin (6, angular first), Jacobian and
/// its rate (6 x nv). Accelerations at qdd = 0 are its bias.
template <class Real>
struct FrameMotionOfRows {
  StateRows<Real> pose = {}, twist = {}, acceleration = {}, jacobian = {}, jacobian_rate = {};
};
/// As TermSpans; reactions: what the parent exerts on each body through its joint, 6 for each, in body frames.
template <class Real>
struct TermsOfRows {
  StateRows<Real> M = {}, C = {}, gravity = {}, friction = {}, load = {}, bias = {}, tau = {}, reactions = {},
      kinetic = {}, potential = {}, mass_centre = {}, momentum = {};
};

class RowDynamics;

/// What has several parts for each row. In float only of robots that are alike, and without loads (else not_prepared).
template <class Real>
class AnswersOfRows {
 public:
  using ConstRows = StateRows<const Real>;
  using Rows = StateRows<Real>;

  /// Torques and their derivatives; no qd or no qdd stands for zeros.
  Status inverse_derivatives(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd,
                             const InverseDerivativesOfRows<Real>& out, const LoadsOfRows& loads = {});
  /// Accelerations under tau and their derivatives; NaN in a row where a coordinate moves no mass.
  Status forward_derivatives(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau,
                             const ForwardDerivativesOfRows<Real>& out, const LoadsOfRows& loads = {});
  Status momentum(std::int64_t states, ConstRows q, ConstRows qd, const MomentumOfRows<Real>& out);
  /// own_frames: where the frame is on its body, of the robot of each row (12: rows of R, then p); none:
  /// frame.X_body_frame.
  Status frame_motion(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, const Frame<double>& frame,
                      const FrameMotionOfRows<Real>& out, StateRows<const double> own_frames = {});
  /// Torques, and what the parent exerts on each body (6 for each), in body frames.
  Status reactions(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, Rows tau, Rows forces,
                   const LoadsOfRows& loads = {});
  Status terms(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, const TermsOfRows<Real>& out,
               const LoadsOfRows& loads = {});
  /// h_ikm (nv x nv x nv): the velocity torque of joint i is the sum over k, m of h_ikm qd_k qd_m. Of joints of one degree of
  /// freedom alone (else not_prepared).
  Status christoffel(std::int64_t states, ConstRows q, Rows h);

 private:
  friend class RowDynamics;
  AnswersOfRows() = default;
  template <class Ask>
  Status answer(std::int64_t states, ConstRows q, std::initializer_list<std::pair<Rows, std::int64_t>> parts,
                const LoadsOfRows& loads, const Ask& ask);
};

class RowDynamics : public AnswersOfRows<double>, public AnswersOfRows<float> {
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

  using AnswersOfRows<double>::inverse_derivatives, AnswersOfRows<float>::inverse_derivatives;
  using AnswersOfRows<double>::forward_derivatives, AnswersOfRows<float>::forward_derivatives;
  using AnswersOfRows<double>::momentum, AnswersOfRows<float>::momentum;
  using AnswersOfRows<double>::frame_motion, AnswersOfRows<float>::frame_motion;
  using AnswersOfRows<double>::reactions, AnswersOfRows<float>::reactions;
  using AnswersOfRows<double>::terms, AnswersOfRows<float>::terms;
  using AnswersOfRows<double>::christoffel, AnswersOfRows<float>::christoffel;

  const Model<double>& model() const;
  int threads() const;

 private:
  template <class Real>
  friend class AnswersOfRows;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace torsor
