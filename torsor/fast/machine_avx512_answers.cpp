// Answers in several parts for registers of 64 bytes, compiled as machine_avx512.cpp is.
#include "torsor/fast/answer_kernels.hpp"

namespace torsor {

AnswerKernels<double> answer_kernels_avx512(double) { return answers_of<double>(); }
AnswerKernels<float> answer_kernels_avx512(float) { return answers_of<float>(); }

}  // namespace torsor
