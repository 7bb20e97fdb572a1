// Chains that differ from row to row for registers of 32 bytes, compiled as machine_avx2.cpp is.
#include "torsor/fast/varied_kernels.hpp"

namespace torsor {

VariedKernels varied_kernels_avx2() { return varied_of_doubles(); }

}  // namespace torsor
