// What a compiled kernel of products with derivatives (dynamics/inverse_products.hpp) is told, and the table of those that
// one instruction set offers.
#pragma once

#include "torsor/fast/instruction_set.hpp"
#include "torsor/fast/kernel_call.hpp"

namespace torsor {

struct ProductCall : TreeCall<double> {
  const double* along[3] = {};  // rows of a change of q, qd, qdd, null: none; of a vjp, the weights, first and alone
  std::ptrdiff_t along_stride[3] = {};
  double* answer[3] =
      {};  // rows of the change of tau, first and alone; of a vjp, of the gradients by q, qd, qdd, null: not wanted
  std::ptrdiff_t answer_stride[3] = {};
};

struct ProductKernels {
  void* (*create)(const Tree<double>&);
  void (*destroy)(void*);
  void (*jvp)(void*, const ProductCall&);
  void (*vjp)(void*, const ProductCall&);
};

/// Kernels of an instruction set that the machine has.
ProductKernels product_kernels(InstructionSet set);

}  // namespace torsor
