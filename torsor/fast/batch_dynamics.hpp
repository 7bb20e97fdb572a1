// BatchDynamics, the part of Dynamics for rows: the same questions for many states at once, a register full of states at a
// time, on one thread or several. States and answers are rows of numbers (state_rows.hpp).
//
// A serial arm runs on its canonical chain, every other model on the tree algorithms. A state that is no number (NaN, inf)
// spoils its own answer and no other. Nothing is allocated after set-up, to which set_loads belongs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/fast/kernel_tables.hpp"
#include "torsor/fast/prepared_chain.hpp"
#include "torsor/fast/state_rows.hpp"
#include "torsor/fast/workers.hpp"

namespace torsor {

struct BatchOptions {
  int threads = 1;
  InstructionSet instruction_set = widest_instruction_set();
};

template <class Real>
class BatchDynamics {
 public:
  explicit BatchDynamics(const Model<double>& model, BatchOptions = {});
  BatchDynamics(const Model<double>&&, BatchOptions = {}) = delete;  // the model must outlive its dynamics
  ~BatchDynamics();

  using In = StateRows<const Real>;
  using Out = StateRows<Real>;

  /// Rows of tau (nv) for rows of q (nq), qd, qdd (nv); friction and rotors included. No qd or no qdd stands for zeros.
  void inverse(std::int64_t states, In q, In qd, In qdd, Out tau);
  /// Rows of C(q, qd) qd: Coriolis and centrifugal torques alone, without gravity, friction and loads.
  void coriolis(std::int64_t states, In q, In qd, Out tau);
  /// Rows of M (nv x nv, row-major).
  void mass(std::int64_t states, In q, Out M);
  /// Rows of qdd under tau; NaN where a coordinate moves no mass, which is decided as FastDynamics::forward does.
  void forward(std::int64_t states, In q, In qd, In tau, Out qdd);
  /// Rows of x (nv) of M x = b; NaN where forward has it.
  void solve(std::int64_t states, In q, In b, Out x);
  /// Rows of the default tool's pose in the world (rows of R, then p: 12 numbers) and of its Jacobian (6 x nv, row-major).
  void tool_pose_and_jacobian(std::int64_t states, In q, Out pose, Out J);

  /// Motion of the base (components in the world) and external forces (copied), alike in all states, kept until changed; in
  /// inverse and forward. Forces on the last link of a chain stay on it, others take the tree, which is made at their first.
  void set_loads(const BodyLoads<double>&);

  bool canonical() const;
  int threads() const;
  InstructionSet instruction_set() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

extern template class BatchDynamics<double>;
extern template class BatchDynamics<float>;

}  // namespace torsor
