// The table of kernels for chains of which something differs from row to row (varied_kernels.hpp), one for each instruction set.
#pragma once

#include "torsor/fast/instruction_set.hpp"
#include "torsor/fast/kernel_call.hpp"

namespace torsor {

/// In doubles alone: robots that are alike under loads that differ, and robots that differ. No kinematics, which does not.
struct VariedKernels {
  ChainKernels<double> loads, robots;
};

/// Kernels of an instruction set that the machine has.
VariedKernels varied_kernels(InstructionSet set);

}  // namespace torsor
