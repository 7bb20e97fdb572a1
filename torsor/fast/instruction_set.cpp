#include <cstdlib>

#include "torsor/expect.hpp"
#include "torsor/fast/kernel_tables.hpp"
#include "torsor/fast/product_call.hpp"
#include "torsor/fast/term_call.hpp"
#include "torsor/fast/varied_call.hpp"

namespace torsor {

// one unit per machine: machine_baseline.cpp, machine_avx2.cpp, machine_avx512.cpp; and machine_avx2_limbs.cpp;
// of products with derivatives, machine_*_products.cpp; of poses, Coriolis matrices and regressors, machine_*_terms.cpp; of what differs
// from row to row, machine_*_varied.cpp
MachineKernels<double> kernels_baseline(double);
MachineKernels<float> kernels_baseline(float);
#ifdef TORSOR_X86
MachineKernels<double> kernels_avx2(double);
MachineKernels<float> kernels_avx2(float);
MachineKernels<double> kernels_avx512(double);
MachineKernels<float> kernels_avx512(float);
LimbKernels limb_kernels_avx2();
ProductKernels product_kernels_avx2();
ProductKernels product_kernels_avx512();
TermKernels term_kernels_avx2();
TermKernels term_kernels_avx512();
VariedKernels varied_kernels_avx2();
VariedKernels varied_kernels_avx512();
PoseKernels pose_kernels_avx2();
#endif
#ifdef TORSOR_FIRST_VERBS
// none of the verbs that ./run builds first asks for these (cmake/first_verbs.cmake)
ProductKernels product_kernels_baseline() { std::abort(); }
TermKernels term_kernels_baseline() { std::abort(); }
VariedKernels varied_kernels_baseline() { std::abort(); }
#else
ProductKernels product_kernels_baseline();
TermKernels term_kernels_baseline();
VariedKernels varied_kernels_baseline();
#endif

namespace {

bool machine_has(InstructionSet set) {
#ifdef TORSOR_X86
  switch (set) {
    case InstructionSet::baseline: return true;
    case InstructionSet::avx2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case InstructionSet::avx512:
      return machine_has(InstructionSet::avx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  }
#endif
  return set == InstructionSet::baseline;
}

template <class Real>
MachineKernels<Real> compiled_for([[maybe_unused]] InstructionSet set) {
#ifdef TORSOR_X86
  if (set == InstructionSet::avx2) return kernels_avx2(Real{});
  if (set == InstructionSet::avx512) {
    MachineKernels<Real> kernels = kernels_avx512(Real{});
    kernels.chain_of_one = kernels_avx2(Real{}).chain_of_one;
    return kernels;
  }
#endif
  return kernels_baseline(Real{});
}

template <class Real>
const MachineKernels<Real>& kernels(InstructionSet set) {
  TORSOR_EXPECT(machine_has(set));
  static const MachineKernels<Real> tables[3] = {
      compiled_for<Real>(InstructionSet::baseline),
      compiled_for<Real>(machine_has(InstructionSet::avx2) ? InstructionSet::avx2 : InstructionSet::baseline),
      compiled_for<Real>(machine_has(InstructionSet::avx512) ? InstructionSet::avx512 : InstructionSet::baseline)};
  return tables[static_cast<int>(set)];
}

}  // namespace

std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512})
    if (machine_has(set)) sets.push_back(set);
  return sets;
}

InstructionSet widest_instruction_set() { return instruction_sets().back(); }

LimbKernels limb_kernels(InstructionSet set) {
  TORSOR_EXPECT(machine_has(set));
#ifdef TORSOR_X86
  if (set != InstructionSet::baseline) return limb_kernels_avx2();
#endif
  return {};
}

ProductKernels product_kernels(InstructionSet set) {
  TORSOR_EXPECT(machine_has(set));
#ifdef TORSOR_X86
  if (set == InstructionSet::avx2) return product_kernels_avx2();
  if (set == InstructionSet::avx512) return product_kernels_avx512();
#endif
  return product_kernels_baseline();
}

TermKernels term_kernels(InstructionSet set) {
  TORSOR_EXPECT(machine_has(set));
#ifdef TORSOR_X86
  if (set == InstructionSet::avx2) return term_kernels_avx2();
  if (set == InstructionSet::avx512) return term_kernels_avx512();
#endif
  return term_kernels_baseline();
}

VariedKernels varied_kernels(InstructionSet set) {
  TORSOR_EXPECT(machine_has(set));
#ifdef TORSOR_X86
  if (set == InstructionSet::avx2) return varied_kernels_avx2();
  if (set == InstructionSet::avx512) return varied_kernels_avx512();
#endif
  return varied_kernels_baseline();
}

PoseKernels pose_kernels(InstructionSet set) {
  TORSOR_EXPECT(machine_has(set));
#ifdef TORSOR_X86
  if (set != InstructionSet::baseline) return pose_kernels_avx2();
#endif
  return {};
}

template <>
const MachineKernels<double>& kernels_of<double>(InstructionSet set) {
  return kernels<double>(set);
}
template <>
const MachineKernels<float>& kernels_of<float>(InstructionSet set) {
  return kernels<float>(set);
}

}  // namespace torsor
