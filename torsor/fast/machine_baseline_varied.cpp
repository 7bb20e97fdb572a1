// Chains that differ from row to row for registers of 16 bytes, compiled as machine_baseline.cpp is.
#include "torsor/fast/varied_kernels.hpp"

namespace torsor {

VariedKernels varied_kernels_baseline() { return varied_of_doubles(); }

}  // namespace torsor
