// What stands behind Dynamics: one engine for serial arms and trees (tree_engine.hpp), one for robots with loops
// (loops/loop_dynamics.hpp). Dynamics looks at the sizes and passes the call on; the meaning of each is told there.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "torsor/dynamics.hpp"
#include "torsor/fast/rows_engine.hpp"
#include "torsor/numeric/finite.hpp"

namespace torsor {

class BatchProducts;
class BatchTerms;

inline Status status_of(std::span<const double> answer) {
  return all_finite(answer) ? Status{} : Status{Status::not_finite, -1};
}

class DynamicsEngine {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  /// Of positions and rates at the face, and of the positions of all joints of the tree.
  DynamicsEngine(int nq, int nv, const Model<double>& tree)
      : nq_(static_cast<std::size_t>(nq)),
        nv_(static_cast<std::size_t>(nv)),
        tree_nq_(static_cast<std::size_t>(tree.nq)),
        bodies_(tree.bodies.size()) {}
  virtual ~DynamicsEngine() = default;

  std::size_t nq() const { return nq_; }
  std::size_t nv() const { return nv_; }
  std::size_t bodies() const { return bodies_; }
  bool is_position(In q) const { return q.size() == nq_; }
  bool are_rates(In x) const { return x.size() == nv_ || x.empty(); }
  bool are_all(In x) const { return x.size() == nv_; }
  bool is_square(In M) const { return M.size() == nv_ * nv_; }
  bool is_jacobian(In J) const { return J.size() == 6 * nv_; }
  bool are_of_the_tree(In q) const { return q.size() == tree_nq_; }

  // one state
  virtual Status inverse(In q, In qd, In qdd, Out tau) = 0;
  virtual Status inverse(In q, In qd, In qdd, Out tau, const InverseDerivatives<double>& derivatives) = 0;
  virtual Status coriolis(In q, In qd, Out tau) = 0;
  virtual Status coriolis_matrix(In q, In qd, Out C) = 0;
  virtual Status mass(In q, Out M) = 0;
  virtual Status forward(In q, In qd, In tau, Out qdd) = 0;
  virtual Status forward(In q, In qd, In tau, Out qdd, const ForwardDerivatives<double>& derivatives) = 0;
  virtual Status energy(In q, In qd, Energy<double>& out) = 0;
  virtual Status tool(In q, Transform<double>& X, Out J) = 0;
  virtual Status frame(In q, const Frame<double>& frame, Transform<double>& X, Out J) = 0;
  virtual Status poses(In q, std::span<Transform<double>> X) = 0;
  virtual Status link_poses(In q, Out matrices) = 0;
  virtual Status positions(In q, Out all) = 0;
  virtual Status terms(In q, In qd, In qdd, const TermSpans& out) = 0;
  virtual Status reactions(In q, In qd, In qdd, Out tau, std::span<Force<double>> forces,
                           const LoopReactionSpans& loops) = 0;
  // what not every engine answers
  virtual Status inverse_jvp(In, In, In, const MotionChange<double>&, Out dtau) { return not_prepared({dtau}); }
  virtual Status inverse_vjp(In, In, In, In, const InverseGradient<double>& by) {
    return not_prepared({by.q, by.qd, by.qdd});
  }
  virtual Status forward_jvp(In, In, In, const DriveChange<double>&, Out dqdd) { return not_prepared({dqdd}); }
  virtual Status forward_vjp(In, In, In, In, const ForwardGradient<double>& by) {
    return not_prepared({by.q, by.qd, by.tau});
  }

  // many states
  template <class Real>
  RowsEngine<Real>& rows() {
    if constexpr (std::is_same_v<Real, double>)
      return rows_of_doubles();
    else
      return rows_of_floats();
  }
  /// Rows of products with derivatives; none where they are not answered.
  virtual BatchProducts* products() { return nullptr; }
  /// Rows of poses and Coriolis matrices in lanes; none where they are answered one by one.
  virtual BatchTerms* row_terms() { return nullptr; }

  // the robot, which may change
  virtual void set_loads(const BodyLoads<double>& loads) = 0;
  virtual const Loads& loads() const = 0;
  virtual void set_gravity(const Vec3<double>& gravity) = 0;
  virtual void set_inertia(int body, const Inertia<double>& inertia) = 0;
  /// Throws Error where the robot is no tree.
  virtual const Model<double>& model() const = 0;
  virtual const Model<double>& tree() const = 0;
  virtual void return_to_start() {}
  virtual double closure_error() const { return 0; }
  virtual std::size_t loops() const { return 0; }
  virtual int threads() const = 0;
  virtual bool canonical() const = 0;
  virtual const Faults& why_not() const = 0;

 protected:
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

 private:
  std::size_t nq_, nv_, tree_nq_, bodies_;

  virtual RowsEngine<double>& rows_of_doubles() = 0;
  virtual RowsEngine<float>& rows_of_floats() = 0;

  /// Nothing that could be taken for an answer.
  static Status not_prepared(std::initializer_list<Out> answers) {
    for (const Out each : answers) std::ranges::fill(each, nan);
    return {Status::not_prepared, -1};
  }
};

}  // namespace torsor
