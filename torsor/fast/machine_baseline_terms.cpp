// Poses, Coriolis matrices and regressors for any machine of the architecture, compiled as machine_baseline.cpp is.
#include "torsor/fast/term_kernels.hpp"

namespace torsor {

TermKernels term_kernels_baseline() { return terms_of_doubles(); }

}  // namespace torsor
