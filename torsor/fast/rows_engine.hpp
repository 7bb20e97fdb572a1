// What answers many states: rows of numbers in, rows of numbers out. Behind DynamicsRows of torsor/dynamics.hpp, which has
// looked at the sizes before.
#pragma once

#include "torsor/fast/state_rows.hpp"

namespace torsor {

template <class Real>
class RowsEngine {
 public:
  using In = StateRows<const Real>;
  using Out = StateRows<Real>;

  virtual ~RowsEngine() = default;

  /// Rows of tau (nv) for rows of q (nq), qd, qdd (nv); friction and rotors included. No qd or no qdd stands for zeros.
  virtual void inverse(std::int64_t states, In q, In qd, In qdd, Out tau) = 0;
  /// Rows of C(q, qd) qd: Coriolis and centrifugal torques alone, without gravity, friction and loads.
  virtual void coriolis(std::int64_t states, In q, In qd, Out tau) = 0;
  /// Rows of M (nv x nv, row-major).
  virtual void mass(std::int64_t states, In q, Out M) = 0;
  /// Rows of qdd under tau; NaN where a coordinate moves no mass.
  virtual void forward(std::int64_t states, In q, In qd, In tau, Out qdd) = 0;
  /// Rows of the default tool's pose in the world (rows of R, then p: 12 numbers) and of its Jacobian (6 x nv).
  virtual void tool(std::int64_t states, In q, Out X, Out J) = 0;
};

}  // namespace torsor
