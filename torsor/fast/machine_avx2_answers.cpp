// Answers in several parts for registers of 32 bytes, compiled as machine_avx2.cpp is.
#include "torsor/fast/answer_kernels.hpp"

namespace torsor {

AnswerKernels<double> answer_kernels_avx2(double) { return answers_of<double>(); }
AnswerKernels<float> answer_kernels_avx2(float) { return answers_of<float>(); }

}  // namespace torsor
