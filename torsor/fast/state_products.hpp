// Products with derivatives for one state, the part of Dynamics for them: by the recursions of trees; or, where there are
// few coordinates and lane groups, by the matrices, which is quicker then (measured: up to 8, and 20 for accelerations).
// Friction and loads are those of the engine it is given; that and the model must outlive it.
#pragma once

#include <vector>

#include "torsor/dynamics/tree_products.hpp"
#include "torsor/fast/fast_dynamics.hpp"

namespace torsor {

class StateProducts {
 public:
  StateProducts(const Model<double>& model, FastDynamics& fast);

  using In = std::span<const double>;
  using Out = std::span<double>;

  void inverse_jvp(In q, In qd, In qdd, const MotionChange<double>& by, Out dtau);
  void inverse_vjp(In q, In qd, In qdd, In w, const InverseGradient<double>& out);
  /// -1, or the coordinate that is massless.
  int forward_jvp(In q, In qd, In tau, const DriveChange<double>& by, Out dqdd);
  int forward_vjp(In q, In qd, In tau, In u, const ForwardGradient<double>& out);

 private:
  FastDynamics& fast_;
  bool inverse_by_matrices_, forward_by_matrices_;
  TreeProducts<double> tree_;
  std::vector<double> by_q_, by_qd_, by_last_, answer_;

  /// The recursions, under the loads there are.
  TreeProducts<double>& tree();
  /// Sums of columns, and of rows, of the three matrices.
  void change(In dq, In dqd, In dlast, Out out) const;
  void gradient(In w, Out q, Out qd, Out last) const;
};

}  // namespace torsor
