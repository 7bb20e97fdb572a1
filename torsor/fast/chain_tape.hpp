// The recursions of a canonical chain on tape, operation by operation as they run: design constants as such, zeros and
// ones among them structural, the motion as it is given. Counts are read off it, and code is generated from it.
#pragma once

#include <span>

#include "torsor/fast/canonical_chain.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

/// A chain at a position, over Trace; rotors and friction apart. Each call records.
class ChainOnTape {
 public:
  /// q (slides use it), and sine and cosine of every angle (turns use them).
  ChainOnTape(const CanonicalChain&, std::span<const Trace> q, std::span<const Trace> s, std::span<const Trace> c);

  /// tau for qd, qdd, n each.
  void inverse(std::span<const Trace> qd, std::span<const Trace> qdd, std::span<Trace> tau) const;

  /// The lower triangle of M, row-major n x n.
  void mass(std::span<Trace> M) const;

  /// Pose (12: the rows of R, then p) of a tool on a body of the model, in the world, and its Jacobian (6 x n).
  void kinematics(const Frame<double>& tool, std::span<Trace> pose, std::span<Trace> J) const;

 private:
  const CanonicalChain& chain_;
  std::vector<Trace> q_, s_, c_;
  std::vector<CanonicalLink<Trace>> links_;
};

/// Inputs: q, s, c, qd, qdd of each joint in turn (slides use q, turns s and c); outputs: tau. Rotors apart.
Tape chain_inverse_tape(const CanonicalChain&);
/// Inputs: q, s, c of each joint in turn; outputs: the lower triangle of M, by rows. Rotors apart.
Tape chain_mass_tape(const CanonicalChain&);

}  // namespace torsor
