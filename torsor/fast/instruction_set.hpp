// Which vector instructions this machine has, and the kernels compiled for them. Chosen once, at run time: a program built
// anywhere uses the widest registers of the machine it runs on.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "torsor/fast/kernel_call.hpp"
#include "torsor/fast/limb_call.hpp"

namespace torsor {

enum class InstructionSet { baseline, avx2, avx512 };

constexpr std::string_view name(InstructionSet set) {
  return set == InstructionSet::avx512 ? "avx512" : set == InstructionSet::avx2 ? "avx2" : "baseline";
}

/// Those that this machine has and this library was compiled for, narrowest first.
std::vector<InstructionSet> instruction_sets();

/// The widest of them.
InstructionSet widest_instruction_set();

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
