#include "torsor/fast/answer_call.hpp"

#include <algorithm>

#include "torsor/expect.hpp"

namespace torsor {

// machine_*_answers.cpp
AnswerKernels<double> answer_kernels_baseline(double);
AnswerKernels<float> answer_kernels_baseline(float);
#ifdef TORSOR_X86
AnswerKernels<double> answer_kernels_avx2(double);
AnswerKernels<float> answer_kernels_avx2(float);
AnswerKernels<double> answer_kernels_avx512(double);
AnswerKernels<float> answer_kernels_avx512(float);
#endif

template <class Real>
AnswerKernels<Real> answer_kernels([[maybe_unused]] InstructionSet set) {
  const std::vector<InstructionSet> sets = instruction_sets();
  TORSOR_EXPECT(std::ranges::find(sets, set) != sets.end());
#ifdef TORSOR_X86
  if (set == InstructionSet::avx2) return answer_kernels_avx2(Real{});
  if (set == InstructionSet::avx512) return answer_kernels_avx512(Real{});
#endif
  return answer_kernels_baseline(Real{});
}

template AnswerKernels<double> answer_kernels(InstructionSet);
template AnswerKernels<float> answer_kernels(InstructionSet);

}  // namespace torsor
