// Dynamics of a robot with loops in its independent coordinates, by the engine of its tree and the map of the loops:
//
//   inverse     tau_a = G^T tau(q, G qd_a, G qdd_a + dG/dt qd_a)
//   mass        M_a = G^T M G
//   forward     M_a qdd_a = tau_a - G^T tau(q, G qd_a, dG/dt qd_a)
//   Coriolis    C_a = G^T (C G + M dG/dt), for which dM_a/dt - 2 C_a is skew where dM/dt - 2C is
//   tool        J_a = J G
//
// Torques at passive joints (friction, springs, rotors there) are in tau, and so in tau_a by the principle of virtual work.
// Calls are those of torsor/dynamics.hpp, which hands them on. Inverse dynamics take the time of the tree's plus one that is
// linear in the number of loops; the mass matrix is dense.
#pragma once

#include <memory>

#include "torsor/dynamics.hpp"
#include "torsor/loops/loop_map.hpp"
#include "torsor/loops/loop_slopes.hpp"

namespace torsor {

class LoopDynamics {
 public:
  LoopDynamics(const Model<double>& tree, std::shared_ptr<const LoopModel> loops, const DynamicsOptions& options);

  using In = std::span<const double>;
  using Out = std::span<double>;

  Status inverse(In q, In qd, In qdd, Out tau);
  Status inverse(In q, In qd, In qdd, Out tau, const InverseDerivatives<double>& derivatives);
  Status coriolis(In q, In qd, Out tau);
  Status coriolis_matrix(In q, In qd, Out C);
  Status mass(In q, Out M);
  Status forward(In q, In qd, In tau, Out qdd);
  Status forward(In q, In qd, In tau, Out qdd, const ForwardDerivatives<double>& derivatives);
  Status energy(In q, In qd, Energy<double>& out);
  Status tool(In q, Transform<double>& X, Out J);
  Status frame(In q, const Frame<double>& frame, Transform<double>& X, Out J);
  Status poses(In q, std::span<Transform<double>> X);
  /// Positions of all joints of the tree at q_a.
  Status positions(In q, Out all);

  Dynamics& tree() { return tree_; }
  const Dynamics& tree() const { return tree_; }
  const LoopMap& map() const { return map_; }
  void robot_changed() { slopes_.reset(); }

 private:
  Model<double> model_;
  std::shared_ptr<const LoopModel> loops_;
  Dynamics tree_;
  LoopMap map_;
  std::unique_ptr<LoopSlopes> slopes_;
  int nq_, nv_, n_;  // of q_a and qd_a; of the tree's rates
  std::vector<double> qd_, qdd_, tau_, bias_, M_, MG_, M_a_, wide_, direction_;

  Status place(In q);
  bool are_rates(In x) const { return x.empty() || x.size() == static_cast<std::size_t>(nv_); }
  bool is_square(In M) const { return M.size() == static_cast<std::size_t>(nv_) * static_cast<std::size_t>(nv_); }
  void prepare_matrices();
  /// G^T A G of the tree's square matrix.
  void embed(In A, Out small);
  LoopSlopes& slopes();
  Status refuse(const Status& status, Out answer) const;
};

}  // namespace torsor
