// PreparedChain: a canonical chain as the kernels read it: constants in their precision, offsets side by side, friction
// that lanes can compute. Shared by threads while nobody fills it again.
#pragma once

#include <optional>

#include "torsor/dynamics/loads.hpp"
#include "torsor/fast/kernel_call.hpp"

namespace torsor {

template <class Real>
class PreparedChain {
 public:
  PreparedChain(const Model<double>&, const CanonicalChain&);
  /// Takes the chain once more, refilled; allocates nothing. Calls that were handed out are to be asked for again.
  void refill(const Model<double>&, const CanonicalChain&);

  /// A call with everything about the chain filled in; the states are the caller's to add. Valid while this lives.
  ChainCall<Real> call() const;

 private:
  std::vector<CanonicalLink<Real>> links_;
  std::vector<Real> theta0_;
  std::vector<RotorCoupling<Real>> rotor_coupling_;
  std::vector<LaneFriction<Real>> friction_;
  ChainCall<Real> call_;
};

/// The same chain where nothing weighs, rubs or acts from outside: its torques at qdd = 0 are C(q, qd) qd.
template <class Real>
ChainCall<Real> without_weight(ChainCall<Real> call) {
  call.g = {};
  call.level = true;
  call.rotors = false;
  call.rotor_couplings = call.frictions = 0;
  call.ends = nullptr;
  return call;
}

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

/// What acts from outside, as the kernels take it: the motion of the base, and forces on the last link as one at the tip.
/// Nothing where another link is pushed, which a chain does not know.
std::optional<ChainEnds<double>> chain_ends(const Model<double>&, const CanonicalChain&, const BodyLoads<double>&);

}  // namespace torsor
