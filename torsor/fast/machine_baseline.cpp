// Kernels that every machine of this kind can run.
#include "torsor/fast/machine_kernels.hpp"

namespace torsor {

MachineKernels<double> kernels_baseline(double) { return kernels_of_doubles(); }
MachineKernels<float> kernels_baseline(float) { return kernels_of_floats(); }

}  // namespace torsor
