#include "torsor/fast/batch_terms.hpp"

#include <algorithm>

#include "torsor/fast/tame_positions.hpp"
#include "torsor/fast/term_call.hpp"
#include "torsor/fast/workers.hpp"

namespace torsor {

struct BatchTerms::Parts {
  Parts(const Model<double>& model, BatchOptions options)
      : kernels(term_kernels(options.instruction_set)),
        workers(std::max(options.threads, 1)),
        positions(model, workers.threads() * piece_states) {
    for (int k = 0; k < workers.threads(); ++k) trees.push_back(kernels.create(model));
  }
  ~Parts() {
    for (void* tree : trees) kernels.destroy(tree);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// kernel on every piece of the states, and then rest(first, count).
  template <class Rest>
  void run(void (*kernel)(void*, const TermCall&), const TermCall& all, const Rest& rest) {
    workers.share((all.states + piece_states - 1) / piece_states, [&](int worker, std::int64_t k) {
      const std::int64_t first = k * piece_states;
      TermCall piece = all;
      piece.states = std::min(piece_states, all.states - first);
      piece.q += first * piece.q_stride;
      if (piece.qd) piece.qd += first * piece.qd_stride;
      if (piece.a) piece.a += first * piece.a_stride;
      piece.out += first * piece.out_stride;
      positions.tame(worker * piece_states, piece);
      kernel(trees[static_cast<std::size_t>(worker)], piece);
      rest(first, piece.states);
    });
  }
  void run(void (*kernel)(void*, const TermCall&), const TermCall& all) {
    run(kernel, all, [](std::int64_t, std::int64_t) {});
  }

  TermKernels kernels;
  Workers workers;
  TamePositions<double> positions;
  std::vector<void*> trees;  // per thread
};

namespace {

TermCall term_call(std::int64_t states, BatchTerms::In q, BatchTerms::In qd, BatchTerms::In qdd, BatchTerms::Out out) {
  TermCall call;
  static_cast<StateCall<double>&>(call) = {states,     q.data,      qd.data,  qdd.data, q.stride,
                                           qd.stride, qdd.stride, out.data, nullptr,  out.stride, 0};
  return call;
}

}  // namespace

BatchTerms::BatchTerms(const Model<double>& model, BatchOptions options)
    : parts_(std::make_unique<Parts>(model, options)) {}
BatchTerms::~BatchTerms() = default;

void BatchTerms::poses(std::int64_t states, In q, Out X) {
  parts_->run(parts_->kernels.poses, term_call(states, q, {}, {}, X));
}

void BatchTerms::link_poses(std::int64_t states, In q, Out X) {
  TermCall call = term_call(states, q, {}, {}, X);
  call.links = true;
  parts_->run(parts_->kernels.poses, call);
}

void BatchTerms::coriolis_matrix(std::int64_t states, In q, In qd, Out C) {
  parts_->run(parts_->kernels.coriolis_matrix, term_call(states, q, qd, {}, C));
}

void BatchTerms::regressor(std::int64_t states, In q, In qd, In qdd, const BaseMotion<double>& base, int columns, Out Y,
                           const void* rest, Call call_rest) {
  TermCall call = term_call(states, q, qd, qdd, Y);
  call.base = base;
  call.columns = columns;
  parts_->run(parts_->kernels.regressor, call,
              [&](std::int64_t first, std::int64_t count) { call_rest(rest, first, count); });
}

}  // namespace torsor
