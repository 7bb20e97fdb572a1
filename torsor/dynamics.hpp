// Dynamics: the engine for one robot, as fast as the machine allows, for one state or for many.
//
//   torsor::Dynamics dynamics(torsor::Robot::load("ur5e.urdf"));     // one object per thread
//   dynamics.inverse(q, qd, qdd, tau);
//
// SI units and radians. Sizes: q nq, rates and torques nv; matrices row-major. An empty qd or qdd stands for zero.
// Torques have friction, rotors and loads in them.
//
// In a loop of control no call throws or allocates, and each answers a Status. Set-up is the constructor, for what options.questions
// names, and the first call of what it does not: rows, products, and, with all_but_forward, accelerations and derivatives.
#pragma once

#include <memory>
#include <optional>

#include "torsor/dynamics/derivative_spans.hpp"
#include "torsor/dynamics/loads.hpp"
#include "torsor/dynamics/questions.hpp"
#include "torsor/dynamics/term_spans.hpp"
#include "torsor/fast/instruction_set.hpp"
#include "torsor/fast/state_rows.hpp"
#include "torsor/robot.hpp"

namespace torsor {

/// How a call went. ok; wrong_size: some span or row is not as long as it should be, and nothing was done; not_finite: the
/// answer is not, which is so wherever an argument is not; massless: accelerations are not determined, since a coordinate
/// can move (perhaps with others) without moving any mass. Of robots with loops besides, answers being NaN: not_closed: the loops
/// cannot be closed at this position on the branch they were assembled in; dead_centre: they close in a singular position,
/// where rates and torques are not determined; not_prepared: this question is not answered for loops.
struct Status {
  enum Kind { ok, wrong_size, not_finite, massless, not_closed, dead_centre, not_prepared } kind = ok;
  int coordinate = -1;  // that is massless, or whose motion the loops do not allow

  explicit operator bool() const { return kind == ok; }
};

class DynamicsEngine;

/// Reactions of a robot with loops that a tree has not. Of each loop, in the order of the description: what its first link
/// exerts on the second through the joint that closes it, in the frame of that joint on the second. Of each body, then of each
/// loop: 1 where its reaction is unique, 0 where redundant equations leave many, of which the least is given. Either may be empty.
struct LoopReactionSpans {
  std::span<Force<double>> loops;
  std::span<unsigned char> unique;
};

struct DynamicsOptions {
  int threads = 1;  // for rows
  InstructionSet instruction_set = widest_instruction_set();
  Questions questions = Questions::all;
  std::optional<Frame<double>> tool = {};  // by default that of the robot: Robot::tool()
};

/// What Dynamics answers for many states, a register full at a time, on options.threads threads. Only sizes decide the
/// status: a row whose state is not finite, or has no accelerations, has NaN in its own answer and in no other.
template <class Real>
class DynamicsRows {
 public:
  using ConstRows = StateRows<const Real>;
  using Rows = StateRows<Real>;

  Status inverse(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, Rows tau);
  Status coriolis(std::int64_t states, ConstRows q, ConstRows qd, Rows tau);
  Status mass(std::int64_t states, ConstRows q, Rows M);
  Status forward(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, Rows qdd);
  /// Poses: rows of R, then p, 12 numbers.
  Status tool(std::int64_t states, ConstRows q, Rows X, Rows J);
};

class Dynamics : public DynamicsRows<double>, public DynamicsRows<float> {
 public:
  /// With loops all sizes and numbers are those of the independent coordinates q_a; one state at a time, rows too.
  explicit Dynamics(const Robot& robot, DynamicsOptions options = {});
  /// The model is copied.
  explicit Dynamics(const Model<double>& model, DynamicsOptions options = {});
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;
  ~Dynamics();

  using In = std::span<const double>;
  using Out = std::span<double>;

  /// tau = M qdd + bias; and its derivatives.
  Status inverse(In q, In qd, In qdd, Out tau);
  Status inverse(In q, In qd, In qdd, Out tau, const InverseDerivatives<double>& derivatives);
  /// Everything but M qdd: Coriolis, centrifugal, gravity, friction, loads.
  Status bias(In q, In qd, Out tau) { return inverse(q, qd, {}, tau); }
  /// Torques that hold the robot still.
  Status gravity(In q, Out tau) { return inverse(q, {}, {}, tau); }
  /// C(q, qd) qd alone, without gravity, friction and loads; and the matrix C of Christoffel coefficients (nv x nv).
  Status coriolis(In q, In qd, Out tau);
  Status coriolis_matrix(In q, In qd, Out C);
  /// M(q), nv x nv, rotors included.
  Status mass(In q, Out M);
  /// qdd under tau, by the friction law of inverse(); and its derivatives.
  Status forward(In q, In qd, In tau, Out qdd);
  Status forward(In q, In qd, In tau, Out qdd, const ForwardDerivatives<double>& derivatives);
  /// Products of vectors with these derivatives, without the matrices: the change of tau (or qdd) with a change of what it
  /// depends on (Jacobian-vector), and the gradient of w . tau (or u . qdd) by it (vector-Jacobian). Changes of and gradients
  /// by q are along the velocity coordinates, nv numbers. Answers share no memory with what is given.
  Status inverse_jvp(In q, In qd, In qdd, const MotionChange<double>& change, Out dtau);
  Status inverse_vjp(In q, In qd, In qdd, In w, const InverseGradient<double>& gradient);
  Status forward_jvp(In q, In qd, In tau, const DriveChange<double>& change, Out dqdd);
  Status forward_vjp(In q, In qd, In tau, In u, const ForwardGradient<double>& gradient);
  /// What the parent exerts on each body through its joint, in body frames, and the torques; with loops of these, too.
  Status reactions(In q, In qd, In qdd, Out tau, std::span<Force<double>> forces, const LoopReactionSpans& loops = {});
  /// Energies, mass centre and momentum, for a base at rest.
  Status energy(In q, In qd, Energy<double>& out);
  /// All of these at once, in less than one after the other; qd and qdd are given. load: what loads add.
  Status terms(In q, In qd, In qdd, const TermSpans& out);
  /// Pose of the tool, or of another frame, in the world, and its Jacobian (6 x nv, angular rows first, in the world).
  Status tool(In q, Transform<double>& X, Out J);
  Status frame(In q, const Frame<double>& frame, Transform<double>& X, Out J = {});
  /// Poses of all bodies in the world; of the links' own frames, a row-major matrix of 4 x 4 each.
  Status poses(In q, std::span<Transform<double>> X);
  Status link_poses(In q, Out matrices);

  /// The same for many states: DynamicsRows, in double and in float.
  using Rows = StateRows<double>;
  using ConstRows = StateRows<const double>;
  using DynamicsRows<double>::inverse, DynamicsRows<float>::inverse;
  using DynamicsRows<double>::coriolis, DynamicsRows<float>::coriolis;
  using DynamicsRows<double>::mass, DynamicsRows<float>::mass;
  using DynamicsRows<double>::forward, DynamicsRows<float>::forward;
  using DynamicsRows<double>::tool, DynamicsRows<float>::tool;
  /// Products with derivatives for many states, in double alone; rows of a change without data are none.
  Status inverse_jvp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, ConstRows dq, ConstRows dqd,
                     ConstRows dqdd, Rows dtau);
  Status inverse_vjp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, ConstRows w, Rows by_q, Rows by_qd,
                     Rows by_qdd);
  Status forward_jvp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, ConstRows dq, ConstRows dqd,
                     ConstRows dtau, Rows dqdd);
  Status forward_vjp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, ConstRows u, Rows by_q, Rows by_qd,
                     Rows by_tau);

  /// In double alone, too: rows of poses (of each body the rows of R, then p, 12 numbers), of poses of the links' own
  /// frames (matrices of 4 x 4), of Coriolis matrices. With loops one state after the other.
  Status poses(std::int64_t states, ConstRows q, Rows X);
  Status link_poses(std::int64_t states, ConstRows q, Rows matrices);
  Status coriolis_matrix(std::int64_t states, ConstRows q, ConstRows qd, Rows C);

  /// Loads (copied), alike in all states, until they are changed; not in coriolis, mass, energy and kinematics. Forces that
  /// do not act on the last link of an arm take its tree.
  Status set_loads(const BodyLoads<double>& loads);
  const Loads& loads() const;

  /// The robot with another gravity, or another inertia of a body (in its frame), as a payload makes it: without allocating,
  /// except for the next call on rows.
  void set_gravity(const Vec3<double>& gravity);
  void set_inertia(int body, const Inertia<double>& inertia);

  /// Throws Error (robot-loops) for a robot with loops, which is no tree.
  const Model<double>& model() const;
  /// Of a robot with loops the tree without them; else model().
  const Model<double>& tree() const;
  /// Positions of all joints of the tree (its nq): with loops from q_a, else q.
  Status positions(In q, Out all);
  /// With loops: the next position is reached from where the loops were assembled, as if no other had been asked for before. Without
  /// loops nothing depends on what was asked before.
  void return_to_start();
  /// How many joints close loops.
  std::size_t loops() const;
  /// The largest loop-closure error where the loops were closed last, m or rad; 0 without loops.
  double closure_error() const;
  int threads() const;
  /// Whether the robot is a serial arm that runs on a canonical chain, the fastest way; why_not() says what keeps it from one.
  bool canonical() const;
  const Faults& why_not() const;

 private:
  template <class Real>
  friend class DynamicsRows;
  std::unique_ptr<DynamicsEngine> engine_;
};

/// The coordinate of a status that is massless, else -1.
inline int massless(const Status& status) { return status.kind == Status::massless ? status.coordinate : -1; }

}  // namespace torsor
