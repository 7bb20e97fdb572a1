// Poses, Coriolis matrices and regressors for registers of 64 bytes, compiled as machine_avx512.cpp is.
#include "torsor/fast/term_kernels.hpp"

namespace torsor {

TermKernels term_kernels_avx512() { return terms_of_doubles(); }

}  // namespace torsor
