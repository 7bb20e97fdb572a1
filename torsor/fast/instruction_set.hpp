// Which vector instructions this machine has. Chosen once, at run time: a program built anywhere uses the widest registers
// of the machine it runs on.
#pragma once

#include <string_view>
#include <vector>

namespace torsor {

enum class InstructionSet { baseline, avx2, avx512 };

constexpr std::string_view name(InstructionSet set) {
  return set == InstructionSet::avx512 ? "avx512" : set == InstructionSet::avx2 ? "avx2" : "baseline";
}

/// Those that this machine has and this library was compiled for, narrowest first.
std::vector<InstructionSet> instruction_sets();

/// The widest of them.
InstructionSet widest_instruction_set();

}  // namespace torsor
