// What a compiled kernel of answers in several parts is told: derivatives, energies and momentum, the motion of a
// frame, reactions, all terms; and the table of those that one instruction set offers.
#pragma once

#include <array>

#include "torsor/fast/instruction_set.hpp"
#include "torsor/fast/kernel_call.hpp"
#include "torsor/fast/state_rows.hpp"

namespace torsor {

/// TreeCall::tool_body and X_body_tool are the frame whose motion is asked for.
template <class Real>
struct AnswerCall : TreeCall<Real> {
  static constexpr std::size_t most_parts = 12;
  /// Of the answer, in the order of the question; those without data are not wanted.
  std::array<StateRows<Real>, most_parts> part;
  StateRows<const Real> by_q, by_qd;  // slopes of friction that lanes do not know, nv each; or none
  StateRows<const Real> frames;       // X_body_tool of the rows that differ, 12 each; or none
  bool loaded = false;                // whether anything acts from outside

  void at(StateRows<const Real> positions, StateRows<const Real> rates, StateRows<const Real> accelerations) {
    this->q = positions.data, this->q_stride = positions.stride;
    this->qd = rates.data, this->qd_stride = rates.stride;
    this->a = accelerations.data, this->a_stride = accelerations.stride;
  }
};

template <class Real>
using AnswerKernel = void (*)(void*, const AnswerCall<Real>&);

/// The questions, and their parts. A tree and its scratch are behind a pointer, one for each thread.
template <class Real>
struct AnswerKernels {
  void* (*create)(const Tree<double>&) = nullptr;
  void (*destroy)(void*) = nullptr;
  /// tau, its derivatives by q, qd, qdd.
  AnswerKernel<Real> inverse_derivatives = nullptr;
  /// Nothing, derivatives of qdd by q, qd, tau; a: qdd.
  AnswerKernel<Real> forward_derivatives = nullptr;
  /// Kinetic, potential, mass centre, momentum about the origin and about the centre, A.
  AnswerKernel<Real> momentum = nullptr;
  /// Pose, twist, acceleration, J, Jd.
  AnswerKernel<Real> motion = nullptr;
  /// tau, forces on the bodies.
  AnswerKernel<Real> reactions = nullptr;
  /// Those of TermsOfRows (torsor/row_dynamics.hpp).
  AnswerKernel<Real> terms = nullptr;
  /// h_ikm, nv x nv x nv; of joints of one degree of freedom.
  AnswerKernel<Real> christoffel = nullptr;
};

/// Kernels of an instruction set that the machine has.
template <class Real>
AnswerKernels<Real> answer_kernels(InstructionSet set);

}  // namespace torsor
