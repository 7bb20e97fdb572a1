// Positions for lanes, which divide quaternions by their lengths as they come: where some length is beyond what lanes can
// square, they get a copy of the positions of a piece with unit ones.
#pragma once

#include <algorithm>
#include <vector>

#include "torsor/fast/kernel_call.hpp"
#include "torsor/model/tame_quaternions.hpp"

namespace torsor {

/// States that a thread takes at a time: a whole number of blocks of any width, large enough to hide the handing out.
inline constexpr std::int64_t piece_states = 256;

template <class Real>
class TamePositions {
 public:
  /// Room for the positions of `states` states; none is taken where there are no quaternions.
  TamePositions(const Tree<double>& model, std::int64_t states) : quaternions_(model), nq_(model.nq) {
    if (quaternions_) room_.resize(static_cast<std::size_t>(states * nq_));
  }

  /// Points a piece to tame positions, copied where need be to the room from state `first` on.
  void tame(std::int64_t first, StateCall<Real>& piece) {
    if (!quaternions_) return;
    const std::int64_t rows = piece.q_stride == 0 ? 1 : piece.states;
    std::int64_t wild = 0;
    while (wild < rows && quaternions_.tame(piece.q + wild * piece.q_stride)) ++wild;
    if (wild == rows) return;
    Real* const own = room_.data() + first * nq_;
    for (std::int64_t s = 0; s < rows; ++s) {
      std::copy_n(piece.q + s * piece.q_stride, nq_, own + s * nq_);
      if (s >= wild) quaternions_.normalize(own + s * nq_);
    }
    piece.q = own;
    if (piece.q_stride != 0) piece.q_stride = nq_;
  }

 private:
  TameQuaternions quaternions_;
  std::ptrdiff_t nq_;
  std::vector<Real> room_;
};

}  // namespace torsor
