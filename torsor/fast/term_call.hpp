// What a compiled kernel of kinematics and of terms with many numbers is told: poses of all links, Coriolis matrices,
// regressors; and the table of those that one instruction set offers.
#pragma once

#include "torsor/fast/instruction_set.hpp"
#include "torsor/fast/kernel_call.hpp"

namespace torsor {

struct TermCall : TreeCall<double> {
  bool links = false;  // poses: of the links' own frames, as matrices of 4 x 4; else of the bodies, rows of R, then p
  int columns = 0;     // of a regressor, in one row
};

struct TermKernels {
  void* (*create)(const Tree<double>&);
  void (*destroy)(void*);
  void (*poses)(void*, const TermCall&);
  void (*coriolis_matrix)(void*, const TermCall&);  // qd is given
  void (*regressor)(void*, const TermCall&);        // of the inertial parameters alone
};

/// Poses of one state in the world, in registers of 32 bytes; what a tree is made of is behind a pointer, one for each
/// thread. joints: of joints that move by more than one coordinate the poses in the parent, in the order of the bodies.
struct PoseKernels {
  void* (*create)(const Tree<double>&) = nullptr;
  void (*destroy)(void*) = nullptr;
  void (*bodies)(void*, const double* q, const Transform<double>* joints, Transform<double>* X) = nullptr;
  /// Of the links' own frames, as matrices of 4 x 4.
  void (*links)(void*, const double* q, const Transform<double>* joints, double* matrices) = nullptr;
};

/// Kernels of an instruction set that the machine has.
TermKernels term_kernels(InstructionSet set);
/// None for a set that has not registers of 32 bytes.
PoseKernels pose_kernels(InstructionSet set);

}  // namespace torsor
