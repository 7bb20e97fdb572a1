// The terms of a reduced model on tape, where they share their factors (factored_sums.hpp), and ReducedDynamics, which runs them.
#pragma once

#include <vector>

#include "torsor/numeric/ldlt.hpp"
#include "torsor/reduction/reduced_model.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

namespace torsor {

/// tau (n) on tape, in few multiplications. Inputs: c, s (revolute) or d (prismatic) per joint, offset included, then qd, qdd.
Tape record_inverse(const ReducedModel&);
/// The mass matrix, row-major n x n. Inputs: c, s or d per joint.
Tape record_mass(const ReducedModel&);

/// The inputs of the tapes for a position: cosines and sines, or displacements.
template <class T>
void append_position(const ReducedModel& model, std::span<const T> q, std::vector<T>& inputs) {
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const T x = q[i] + T(model.joints[i].offset);
    if (model.joints[i].prismatic) {
      inputs.push_back(x);
    } else {
      inputs.push_back(cos(x));
      inputs.push_back(sin(x));
    }
  }
}

template <Ring T>
struct ReducedDynamics<T>::Runs {
  explicit Runs(const ReducedModel& model)
      : inverse_tape(record_inverse(model)),
        mass_tape(record_mass(model)),
        inverse(inverse_tape),
        mass(mass_tape),
        M(model.joints.size() * model.joints.size()),
        driving(model.joints.size()) {
    inputs.reserve(4 * model.joints.size());
  }

  Tape inverse_tape, mass_tape;
  TapeRun<T> inverse, mass;
  std::vector<T> inputs, M, driving;
};

template <Ring T>
ReducedDynamics<T>::ReducedDynamics(const ReducedModel& model) : model_(model), runs_(std::make_unique<Runs>(model)) {}

template <Ring T>
ReducedDynamics<T>::~ReducedDynamics() = default;

template <Ring T>
void ReducedDynamics<T>::inverse(std::span<const T> q, std::span<const T> qd, std::span<const T> qdd,
                                 std::span<T> tau) {
  std::vector<T>& inputs = runs_->inputs;
  TapeRun<T>& run = runs_->inverse;
  inputs.clear();
  append_position<T>(model_, q, inputs);
  for (const std::span<const T> rates : {qd, qdd})
    for (int i = 0; i < model_.size(); ++i) inputs.push_back(rates.empty() ? T(0) : rates[static_cast<std::size_t>(i)]);
  run.run(inputs);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] = run.output(i);
}

template <Ring T>
void ReducedDynamics<T>::mass(std::span<const T> q, std::span<T> M) {
  runs_->inputs.clear();
  append_position<T>(model_, q, runs_->inputs);
  runs_->mass.run(runs_->inputs);
  for (std::size_t k = 0; k < M.size(); ++k) M[k] = runs_->mass.output(k);
}

template <Ring T>
int ReducedDynamics<T>::forward(std::span<const T> q, std::span<const T> qd, std::span<const T> tau,
                                std::span<T> qdd) requires Decidable<T> {
  std::vector<T>&M = runs_->M, &driving = runs_->driving;
  mass(q, M);
  bias(q, qd, driving);
  for (std::size_t i = 0; i < tau.size(); ++i) qdd[i] = tau[i] - driving[i];
  int bad = -1;
  // clang 14 instantiates the body with the class, for scalars that the requirement leaves out, too
  if constexpr (Decidable<T>) {
    ldlt_factor<T>(M, model_.size());
    bad = ldlt_first_bad_pivot<T>(M, model_.size());
    if (bad < 0) ldlt_solve<T>(M, model_.size(), qdd);
  }
  return bad;
}

}  // namespace torsor
