// Answers in several parts for registers of 16 bytes, compiled as machine_baseline.cpp is.
#include "torsor/fast/answer_kernels.hpp"

namespace torsor {

AnswerKernels<double> answer_kernels_baseline(double) { return answers_of<double>(); }
AnswerKernels<float> answer_kernels_baseline(float) { return answers_of<float>(); }

}  // namespace torsor
