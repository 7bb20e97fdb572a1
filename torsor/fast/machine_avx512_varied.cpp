// Chains that differ from row to row for registers of 64 bytes, compiled as machine_avx512.cpp is.
#include "torsor/fast/varied_kernels.hpp"

namespace torsor {

VariedKernels varied_kernels_avx512() { return varied_of_doubles(); }

}  // namespace torsor
