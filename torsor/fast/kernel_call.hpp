// What a compiled kernel is told, and the tables of kernels that one instruction set offers. Plain data:
// units compiled for different machines meet here and nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "torsor/fast/canonical_chain.hpp"

namespace torsor {

/// What differs from row to row, null where nothing does. Numbers of robots lie in blocks of as many rows as a register has
/// lanes: in each block a register for each number. What acts on them is rows, `stride` numbers apart.
template <class Real>
struct RowDifferences {
  const std::byte* links = nullptr;  // of a chain: in each block n CanonicalLink<Real, LaneNumbers<Real, lanes>>
  const Real* bodies = nullptr;      // of a tree: m, h, I of each body
  const Real* rotors = nullptr;      // of a tree: one for each coordinate
  const Real* placements = nullptr;  // of a tree: R, p of each body
  const Real* friction = nullptr;    // viscous of all coordinates, then dry as they move forwards, and backwards
  const Real *gravity = nullptr, *base = nullptr, *wrench = nullptr, *external = nullptr;  // 3, 9, 6, 6 for each body
  std::ptrdiff_t gravity_stride = 0, base_stride = 0, wrench_stride = 0, external_stride = 0;
  int wrench_body = -1;
  Transform<Real> X_body_wrench;
  Transform<Real> X_link_wrench;  // and where that is on the last link of a chain
  Vec3<Real> p_base_0;            // of a chain: from the base's origin to that of frame 0, in the world
};

/// m, h, I; and the columns of R, p.
inline constexpr int body_numbers = 10, placement_numbers = 12;

/// A number of as many rows, as a register of a kernel holds it, for those who are not compiled for that machine.
template <class Real, int N>
struct alignas(N * sizeof(Real)) LaneNumbers {
  Real lane[N];
};

/// The states of a call: rows, `stride` numbers apart. Null qd and a stand for zeros.
template <class Real>
struct StateCall {
  std::int64_t states = 1;
  const Real *q = nullptr, *qd = nullptr, *a = nullptr;  // a: accelerations, or torques in forward dynamics
  std::ptrdiff_t q_stride = 0, qd_stride = 0, a_stride = 0;
  Real *out = nullptr, *jacobian = nullptr;  // out: tau, M, qdd or pose
  std::ptrdiff_t out_stride = 0, jacobian_stride = 0;
  bool* doubtful = nullptr;  // set where forward dynamics leaves a state without an answer, NaN; may be null
  const RowDifferences<Real>* differences = nullptr;
  std::int64_t row = 0;  // of the first state, among the rows that differ
};

/// Friction of a joint that is linear but for the sign of its speed, ratio times the speed of coordinate v; other laws
/// are added row by row.
template <class Real>
struct LaneFriction {
  int v = 0;
  Real ratio{1}, viscous{0}, positive{0}, negative{0};
};

template <class Real>
struct ChainCall : StateCall<Real> {
  const CanonicalLink<Real>* links = nullptr;
  const Real* theta0 = nullptr;  // those of the links side by side, zeros up to a whole register
  int n = 0;
  bool level = false;
  bool rotors = false;  // some link has one
  Vec3<Real> g;
  Transform<Real> X_world_0;
  const RotorCoupling<Real>* rotor_coupling = nullptr;
  int rotor_couplings = 0;
  const LaneFriction<Real>* friction = nullptr;
  int frictions = 0;
  const ChainEnds<Real>* ends = nullptr;  // none: base at rest, free tip
  int tool_link = -1;
  Transform<Real> X_link_tool;
  std::byte* work = nullptr;  // chain_work_bytes(n), on a boundary of 64
};

/// Room that a kernel needs beside its arguments.
constexpr std::size_t chain_work_bytes(int n) {
  const auto joints = static_cast<std::size_t>(n);
  return 64 * (joints * (joints + 24) + 32);
}

template <class Real>
using ChainKernel = void (*)(const ChainCall<Real>&);

/// One kernel for each question to a chain.
template <class Real>
struct ChainKernels {
  ChainKernel<Real> inverse = nullptr, mass = nullptr, forward = nullptr, kinematics = nullptr;
};

/// What a tree is asked besides its states.
template <class Real>
struct TreeCall : StateCall<Real> {
  const LaneFriction<Real>* friction = nullptr;
  int frictions = 0;
  int tool_body = -1;
  Transform<Real> X_body_tool;
  BaseMotion<Real> base;
  const Force<Real>* external = nullptr;  // on each body, in its frame; null: none
};

/// The tree algorithms of an instruction set. A tree and its scratch are behind a pointer, one for each thread.
template <class Real>
struct TreeKernels {
  void* (*create)(const Tree<double>&);
  void (*destroy)(void*);
  void (*inverse)(void*, const TreeCall<Real>&);
  void (*mass)(void*, const TreeCall<Real>&);
  void (*forward)(void*, const TreeCall<Real>&);
  void (*kinematics)(void*, const TreeCall<Real>&);
};

/// What an instruction set offers: chains for many states and for one, trees for many.
template <class Real>
struct MachineKernels {
  int lanes = 1;
  ChainKernels<Real> chain, chain_of_one;
  TreeKernels<Real> tree;
  void (*sine_cosine)(const Real* x, std::int64_t n, Real* s, Real* c) = nullptr;  // of n angles of any size
};

}  // namespace torsor
