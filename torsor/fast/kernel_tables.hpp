// The kernels that were compiled for an instruction set.
#pragma once

#include "torsor/fast/instruction_set.hpp"
#include "torsor/fast/kernel_call.hpp"
#include "torsor/fast/limb_call.hpp"

namespace torsor {

/// Kernels of an instruction set that the machine has. Those for one state never use registers wider than 32 bytes: one
/// wider instruction slows the scalar code around it.
template <class Real>
const MachineKernels<Real>& kernels_of(InstructionSet set);

/// Kernels for one state of a tree; none for a set that has not registers of 32 bytes.
LimbKernels limb_kernels(InstructionSet set);

template <>
const MachineKernels<double>& kernels_of<double>(InstructionSet);
template <>
const MachineKernels<float>& kernels_of<float>(InstructionSet);

}  // namespace torsor
