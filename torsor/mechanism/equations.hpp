// The equations of a mechanism at a state: values, gradients, and what they ask of velocities and accelerations.
//
//   Phi(q, t) = value,   J V = nu,   J A = gamma          (Sim, Yoo & Lee 1985 (6) to (10))
//
// and the measures that actuators, springs and reports look at.
#pragma once

#include <span>

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

/// A measure where the mechanism is: value (angles counted on over whole turns), rate, gradients, and the rest of its
/// second derivative, value'' = J . A + bias.
struct MeasureValue {
  double value = 0, rate = 0, bias = 0;
  int body_i = ground, body_j = ground;  // ground or a carrier: no gradient to be looked at
  Force<double> J_i, J_j;
};

/// What motions of the bodies make of a measure.
inline double along(const MeasureValue& m, std::span<const Motion<double>> x) {
  return (m.body_i == ground ? 0 : dot(x[static_cast<std::size_t>(m.body_i)], m.J_i)) +
         (m.body_j == ground ? 0 : dot(x[static_cast<std::size_t>(m.body_j)], m.J_j));
}

/// Writes the six parts of a gradient, each so many numbers after the one before.
inline void write_gradient(const Force<double>& J, double* g, std::ptrdiff_t apart = 1) {
  g[0] = J.n.x, g[apart] = J.n.y, g[2 * apart] = J.n.z;
  g[3 * apart] = J.f.x, g[4 * apart] = J.f.y, g[5 * apart] = J.f.z;
}

/// All equations; sized once for a mechanism, nothing is allocated afterwards. One per thread.
class MechanismEquations {
 public:
  explicit MechanismEquations(const Mechanism&);

  /// Evaluates everything at a state.
  void evaluate(const MechanismState&);

  /// Of the last evaluate: a measure of one joint.
  MeasureValue measure(const Measure&) const;
  /// The angle of a joint, counted on from the one in the state.
  double angle(int joint) const;
  /// Where the frames of a joint are.
  const JointPlace<double>& place_i(int joint) const { return places_[2 * static_cast<std::size_t>(joint)]; }
  const JointPlace<double>& place_j(int joint) const { return places_[2 * static_cast<std::size_t>(joint) + 1]; }
  const Mat3<double>& orientation(int body) const { return R_[static_cast<std::size_t>(body)]; }
  const Vec3<double>& centre(int body) const { return r_[static_cast<std::size_t>(body)]; }

  std::vector<double> value, nu, gamma;  // of each row; value is 0 in rows of velocity alone
  std::vector<double> J;                 // per block, per body of it, per part of moment and force (6): of each row

  /// The gradient of one row of a block on one of its bodies.
  Force<double> gradient(const ConstraintBlock& block, std::size_t slot, int row) const {
    const auto m = static_cast<std::size_t>(block.rows);
    const double* const g = J.data() + block.first_gradient + slot * 6 * m + static_cast<std::size_t>(row);
    return {{g[0], g[m], g[2 * m]}, {g[3 * m], g[4 * m], g[5 * m]}};
  }

 private:
  const Mechanism& mechanism_;
  std::vector<Mat3<double>> R_;
  std::vector<Vec3<double>> r_;
  std::vector<Motion<double>> V_;
  std::vector<JointPlace<double>> places_;  // i and j of each joint
  std::vector<Motion<double>> carrier_V_, carrier_A_;
  std::vector<Vec3<double>> carrier_P_;
  std::vector<Mat3<double>> carrier_R_;
  std::vector<double> near_;  // angles that those of the joints are counted on from

  void place_joints(const MechanismState&);
  void fill_joint(const ConstraintBlock&);
  void fill_sum(const ConstraintBlock&, std::span<const MechanismCoupling::Term>, const TimeValue& target);
  void add_gradient(const ConstraintBlock&, int body, const Force<double>&, double factor);
  /// What a row's side on a carrier adds to its rate and second derivative.
  TimeValue carried(const PlacedSide&, const Force<double>&) const;
};

}  // namespace torsor
