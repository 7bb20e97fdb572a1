// What RowDynamics consists of: the engines of each thread, what differs from row to row, and how rows are shared out.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>

#include "torsor/dynamics/row_steps.hpp"
#include "torsor/fast/batch_dynamics.hpp"
#include "torsor/fast/row_answers.hpp"
#include "torsor/fast/row_sizes.hpp"
#include "torsor/row_dynamics.hpp"

namespace torsor::rows {

inline constexpr Status wrong{Status::wrong_size, -1};

/// The same rows from one on; none are none.
template <class Real>
StateRows<Real> from(StateRows<Real> rows, std::int64_t first) {
  return {rows.data ? rows.row(first) : nullptr, rows.stride};
}

/// Rows that a thread takes at a time: whole blocks of any width, so that the number of threads changes no bit, and
/// enough pieces for all threads.
inline std::int64_t rows_at_a_time(std::int64_t rows, int threads) {
  constexpr std::int64_t whole = 64;
  const std::int64_t share = (rows + threads - 1) / threads;
  return std::clamp((share + whole - 1) / whole * whole, whole, piece_states);
}

}  // namespace torsor::rows

namespace torsor {

struct RowDynamics::Parts {
  Parts(const Model<double>& m, RowOptions o) : model(m), options(o), workers(std::max(o.threads, 1)) {
    for (int k = 0; k < workers.threads(); ++k) own.emplace_back(model, o);
  }

  /// What a thread has.
  struct Thread {
    Thread(const Model<double>& model, RowOptions options) : dynamics(model, {1, options.instruction_set}) {}
    BatchDynamics<double> dynamics;
    RowDifferences<double> differences;
    bool differed = false;
    std::int64_t row = 0;              // of its piece, among the rows that differ
    std::optional<RowSteps> steps[2];  // by method
    std::vector<double> q, qd;         // of a piece

    /// Answers in several parts, and what they need besides: made when they are first asked for.
    template <class Real>
    struct Answers {
      Answers(const Model<double>& model, RowOptions options) : rows(model, options.instruction_set) {}
      RowAnswers<Real> rows;
      std::vector<Real> qdd;                            // of a piece
      std::optional<BatchDynamics<Real>> own_dynamics;  // of floats
    };
    std::optional<Answers<double>> doubles;
    std::optional<Answers<float>> floats;
  };

  /// answer(thread, first, count) for every piece of the states, after the thread's engine has been told what differs
  /// there.
  template <class Answers>
  void share(std::int64_t states, const LoadsOfRows& loads, const Answers& answer) {
    const std::int64_t lap = robots ? robots->count() : states;
    if (states == 0) return;
    const std::int64_t piece = rows::rows_at_a_time(lap, workers.threads()), pieces = (lap + piece - 1) / piece;
    workers.share(states / lap * pieces, [&](int worker, std::int64_t k) {
      Thread& thread = own[static_cast<std::size_t>(worker)];
      const std::int64_t start = k / pieces * lap, row = k % pieces * piece;
      set_differences(thread, loads, start, row);
      answer(thread, start + row, std::min(piece, lap - row));
    });
  }

  /// start: the state with which robots begin again.
  void set_differences(Thread& thread, const LoadsOfRows& loads, std::int64_t start, std::int64_t row) const {
    RowDifferences<double>& d = thread.differences;
    d = {};
    const auto take = [start](StateRows<const double> given, const double*& data, std::ptrdiff_t& stride) {
      data = rows::from(given, start).data;
      stride = given.stride;
    };
    take(loads.gravity, d.gravity, d.gravity_stride);
    take(loads.base, d.base, d.base_stride);
    take(loads.wrench, d.wrench, d.wrench_stride);
    take(loads.external, d.external, d.external_stride);
    if (d.wrench) {
      d.wrench_body = loads.frame.body;
      d.X_body_wrench = loads.frame.X_body_frame;
    }
    if (robots) robots->point(d);
    thread.dynamics.complete(d);
    // once something has differed the tree is to be told that nothing does
    thread.differed = thread.differed || robots || d.gravity || d.base || d.wrench || d.external;
    thread.row = row;
    thread.dynamics.set_differences(thread.differed ? &d : nullptr, robots ? &*robots : nullptr, row);
  }

  bool fit(std::int64_t states, const LoadsOfRows& loads) const {
    if (states < 0 || (robots && states % robots->count() != 0)) return false;
    return !loads.wrench.data || (0 <= loads.frame.body && loads.frame.body < model.size());
  }

  Model<double> model;
  RowOptions options;
  Workers workers;
  std::deque<Thread> own;
  std::optional<RowRobots> robots;
};

}  // namespace torsor
