// What the kernels of limbs are told. Plain data: units compiled for different machines meet here.
#pragma once

#include "torsor/fast/limb_plan.hpp"

namespace torsor {

/// One state of a tree in limbs. Null qd and qdd stand for zeros; matrices are row-major nv x nv.
struct LimbCall {
  const double *q = nullptr, *qd = nullptr, *qdd = nullptr;
  Vec3<double> w, wd, a;                    // of the base, along its axes; a minus gravity
  const Force<double>* external = nullptr;  // on each body of the plan's tree, in its frame; null: none
  double *tau = nullptr, *dq = nullptr, *dqd = nullptr, *dqdd = nullptr;

  // forward dynamics: torques that drive (friction taken off), and slopes of friction by q and qd; null: none
  const double *driving = nullptr, *friction_q = nullptr, *friction_qd = nullptr;
  double *qdd_out = nullptr, *dtau = nullptr;
};

/// What else the motion of a tree of chains has, its base being at rest: torques that hold it still, what the parent
/// exerts on each body, in body frames; of all of it mass, first moment and momentum along the axes of the base, from
/// its origin.
struct LimbTerms {
  double* gravity = nullptr;
  Force<double>* reactions = nullptr;  // of the bodies of the plan's tree; null: not wanted
  double mass = 0;
  Vec3<double> first;
  Force<double> momentum;
};

/// A tool and the limbs from the base to it.
struct LimbTool {
  const int* path = nullptr;
  int limbs = 0;
  int lane = 0;               // of its body, in the last of them
  Transform<double> X_body;   // where it is there
  Transform<double> X_world;  // base in the world
};

/// A tree in limbs and its scratch are behind a pointer, one for each thread. Rotors are included in all; friction is the
/// caller's.
struct LimbKernels {
  void* (*create)(const LimbPlan&) = nullptr;
  void (*destroy)(void*) = nullptr;
  void (*refill)(void*) = nullptr;  // after the inertias of the plan have changed; allocates nothing
  void (*inverse)(void*, const LimbCall&) = nullptr;              // tau
  void (*mass)(void*, const LimbCall&) = nullptr;                 // dqdd
  bool (*forward)(void*, const LimbCall&) = nullptr;              // qdd_out; false: some pivot is none, or in doubt
  void (*derivatives)(void*, const LimbCall&) = nullptr;          // tau, dq, dqd, dqdd
  void (*coriolis)(void*, const LimbCall&,
                   LimbTerms*) = nullptr;                         // of chains: tau, C in dqd, M in dqdd; null: no terms
  bool (*forward_derivatives)(void*, const LimbCall&) = nullptr;  // qdd_out, dq, dqd, dtau; false as above
  void (*kinematics)(void*, const double* q, const LimbTool&, Transform<double>& X,
                     double* J) = nullptr;  // in the world
};


}  // namespace torsor
