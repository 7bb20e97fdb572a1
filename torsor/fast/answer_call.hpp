// What a compiled kernel of answers in several parts is told: derivatives, energies and momentum, the motion of a frame, reactions,
// all terms; and the table of those that one instruction set offers.
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
  std::array<StateRows<Real>, most_parts> part;  // of the answer, in the order of the question; without data: not wanted
  StateRows<const Real> by_q, by_qd;             // slopes of friction that lanes do not know, nv each; or none
  bool loaded = false;                           // whether anything acts from outside

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
  AnswerKernel<Real> inverse_derivatives = nullptr;  // tau, its derivatives by q, qd, qdd
  AnswerKernel<Real> forward_derivatives = nullptr;  // nothing, derivatives of qdd by q, qd, tau; a: qdd
  AnswerKernel<Real> momentum = nullptr;   // kinetic, potential, mass centre, momentum about the origin, about the centre, A
  AnswerKernel<Real> motion = nullptr;     // pose, twist, acceleration, J, Jd
  AnswerKernel<Real> reactions = nullptr;  // tau, forces on the bodies
  AnswerKernel<Real> terms = nullptr;      // those of TermsOfRows (torsor/row_dynamics.hpp)
  AnswerKernel<Real> christoffel = nullptr;  // h_ikm, nv x nv x nv; of joints of one degree of freedom
};

/// Kernels of an instruction set that the machine has.
template <class Real>
AnswerKernels<Real> answer_kernels(InstructionSet set);

}  // namespace torsor
