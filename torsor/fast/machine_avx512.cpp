// Kernels for registers of 64 bytes. This unit alone is compiled for them (CMakeLists.txt), and entered only where they
// are.
#include "torsor/fast/machine_kernels.hpp"

namespace torsor {

MachineKernels<double> kernels_avx512(double) { return kernels_of_doubles(); }
MachineKernels<float> kernels_avx512(float) { return kernels_of_floats(); }

}  // namespace torsor
