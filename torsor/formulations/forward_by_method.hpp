// Forward dynamics by a formulation of the catalogue with everything around it: the joints' friction, and the question
// whether the accelerations are determined at all. They are when the mass matrix is positive definite, which the pivots
// of its L D L^T tell.
#pragma once

#include "torsor/formulations/forward_catalogue.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

using ForwardMethod = ForwardFormulation<double>;

class ForwardByMethod {
 public:
  /// Model and method must outlive this; the method must be one for coupled models if the model is.
  ForwardByMethod(const Model<double>& model, const BodyLoads<double>& loads, const ForwardMethod& method)
      : model_(model), loads_(loads), method_(method), configuration_(model), work_(model), M_(entries(model)) {
    TORSOR_EXPECT(method.coupled || !model.coupled());
  }

  /// qdd (nv) at q (nq), qd under joint torques tau (nv). -1 when they are determined; else qdd is not touched, and the
  /// first coordinate that, together with those before it, can move without moving any mass.
  int run(std::span<const double> q, Rates<const double> qd, Rates<const double> tau, Rates<double> qdd) {
    configuration_.set(model_, q);
    inertia_composite_body<double>(model_, configuration_, work_.mass_matrix.composite, M_);
    ldlt_factor<double>(M_, model_.nv);
    if (const int bad = ldlt_first_bad_pivot<double>(M_, model_.nv); bad >= 0) return bad;
    driving_.assign(tau.begin(), tau.end());
    add_joint_friction<double>(model_, q, qd, -1, driving_);
    method_.run(model_, configuration_, qd, driving_, loads_, work_, qdd);
    return -1;
  }

 private:
  static std::size_t entries(const Model<double>& model) { return cells(model.nv, model.nv); }

  const Model<double>& model_;
  Loads loads_;
  const ForwardMethod& method_;
  Configuration<double> configuration_;
  ForwardWork<double> work_;
  std::vector<double> M_, driving_;
};

}  // namespace torsor
