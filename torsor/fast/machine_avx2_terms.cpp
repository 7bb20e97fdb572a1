// Poses, Coriolis matrices and regressors for registers of 32 bytes, compiled as machine_avx2.cpp is.
#include "torsor/fast/term_kernels.hpp"

#include "torsor/fast/state_poses.hpp"

namespace torsor {

TermKernels term_kernels_avx2() { return terms_of_doubles(); }
PoseKernels pose_kernels_avx2() { return poses_of_one(); }

}  // namespace torsor
