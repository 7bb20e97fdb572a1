// Derivatives of plain chains for registers of 32 bytes and fused products. This unit alone is compiled for them
// (CMakeLists.txt), and entered only where they are.
#include "torsor/fast/chain_derivatives.hpp"

namespace torsor {

DerivativeKernels derivative_kernels_avx2() {
  return {[](const Tree<double>& chain) -> void* { return new ChainDerivatives(chain); },
          [](void* chain) { delete static_cast<ChainDerivatives*>(chain); },
          [](void* chain, const DerivativeCall& call) { static_cast<ChainDerivatives*>(chain)->run(call); }};
}

}  // namespace torsor
