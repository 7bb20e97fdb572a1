// PreparedChain: a canonical chain as the kernels read it: constants in their precision, offsets side by side, friction
// that lanes can compute. Const after construction, shared by threads.
#pragma once

#include "torsor/fast/kernel_call.hpp"

namespace torsor {

template <class Real>
class PreparedChain {
 public:
  PreparedChain(const Model<double>&, const CanonicalChain&);

  /// A call with everything about the chain filled in; the states are the caller's to add. Valid while this lives.
  ChainCall<Real> call() const;

 private:
  std::vector<CanonicalLink<Real>> links_;
  std::vector<Real> theta0_;
  std::vector<RotorCoupling<Real>> rotor_coupling_;
  std::vector<LaneFriction<Real>> friction_;
  ChainCall<Real> call_;
};

/// Friction that lanes can compute; what they leave to the caller, laws that are not linear but for the sign of the speed,
/// is indices into model.friction.
template <class Real>
struct SplitFriction {
  std::vector<LaneFriction<Real>> in_lanes;
  std::vector<int> others;
};
template <class Real>
SplitFriction<Real> split_friction(const Model<double>&);

extern template class PreparedChain<double>;
extern template class PreparedChain<float>;
extern template SplitFriction<double> split_friction(const Model<double>&);
extern template SplitFriction<float> split_friction(const Model<double>&);

/// The motion of the base (components in the world) as the kernels take it, with no wrench at the tip.
ChainSurroundings<double> chain_surroundings(const Model<double>&, const CanonicalChain&, const Vec3<double>& w,
                                             const Vec3<double>& wd, const Vec3<double>& a);

}  // namespace torsor
