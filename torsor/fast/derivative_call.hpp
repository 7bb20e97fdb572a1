// What the kernel of derivatives is told. Plain data: units compiled for different machines meet here.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

/// One state of a plain chain. Null qd and qdd stand for zeros; derivatives are row-major n x n.
struct DerivativeCall {
  const double *q = nullptr, *qd = nullptr, *qdd = nullptr;
  Vec3<double> w, wd, a;                    // of the base, along its axes; a minus gravity
  const Force<double>* external = nullptr;  // on each body, in its frame; null: none
  double *tau = nullptr, *dq = nullptr, *dqd = nullptr, *dqdd = nullptr;
};

/// A chain and its scratch are behind a pointer, one for each thread.
struct DerivativeKernels {
  void* (*create)(const Tree<double>&) = nullptr;
  void (*destroy)(void*) = nullptr;
  void (*run)(void*, const DerivativeCall&) = nullptr;
};

}  // namespace torsor
