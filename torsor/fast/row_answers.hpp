// RowAnswers, a part of RowDynamics: answers in several parts for rows of one thread, in lanes on the recursions of
// trees. A state that is no number spoils its own answer and no other. The first call of a question allocates what it
// needs, others nothing.
#pragma once

#include <memory>

#include "torsor/fast/answer_call.hpp"
#include "torsor/fast/prepared_chain.hpp"
#include "torsor/fast/tame_positions.hpp"

namespace torsor {

template <class Real>
class RowAnswers {
 public:
  /// The model must outlive it. At most piece_states rows in a call.
  RowAnswers(const Model<double>& model, InstructionSet set);

  // calls with their states, what differs, and the parts of the answer; friction is added here
  void inverse_derivatives(AnswerCall<Real> call);
  /// call.a: the accelerations.
  void forward_derivatives(AnswerCall<Real> call);
  void momentum(AnswerCall<Real> call);
  void motion(const Frame<double>& frame, AnswerCall<Real> call);
  void reactions(AnswerCall<Real> call);
  void terms(AnswerCall<Real> call);
  void christoffel(AnswerCall<Real> call);

 private:
  const Model<double>& model_;
  AnswerKernels<Real> kernels_;
  std::unique_ptr<void, void (*)(void*)> tree_;
  TamePositions<Real> positions_;
  std::vector<LaneFriction<Real>> friction_;
  std::vector<int> other_friction_;
  std::vector<Real> slopes_;  // by q and qd, of laws that lanes do not know

  void run(AnswerKernel<Real> kernel, AnswerCall<Real>& call);
  void take_slopes(AnswerCall<Real>& call);
  /// Adds the torques of these laws to a part of the answer.
  void add_other_friction(const AnswerCall<Real>& call, std::size_t part) const;
  template <class Take>
  void for_other_friction(const AnswerCall<Real>& call, const Take& take) const;
};

extern template class RowAnswers<double>;
extern template class RowAnswers<float>;

}  // namespace torsor
