#include "torsor/row_dynamics.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <optional>

#include "torsor/dynamics/row_steps.hpp"
#include "torsor/fast/batch_dynamics.hpp"
#include "torsor/fast/tame_positions.hpp"

namespace torsor {
namespace {

using Given = StateRows<const double>;
using Answer = StateRows<double>;

constexpr Status wrong{Status::wrong_size, -1};

Given from(Given rows, std::int64_t first) { return {rows.data ? rows.row(first) : nullptr, rows.stride}; }
Answer from(Answer rows, std::int64_t first) { return {rows.row(first), rows.stride}; }

bool are_apart(Answer rows, std::int64_t states, std::int64_t length) {
  return states == 0 || length == 0 || (rows.data && (states == 1 || std::abs(rows.stride) >= length));
}

/// Rows that a thread takes at a time: whole blocks of any width, so that the number of threads changes no bit, and enough
/// pieces for all threads.
std::int64_t rows_at_a_time(std::int64_t rows, int threads) {
  constexpr std::int64_t whole = 64;
  const std::int64_t share = (rows + threads - 1) / threads;
  return std::clamp((share + whole - 1) / whole * whole, whole, piece_states);
}

}  // namespace

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
    std::optional<RowSteps> steps[2];  // by method
    std::vector<double> q, qd;         // of a piece
  };

  /// answer(thread, first, count) for every piece of the states, after the thread's engine has been told what differs there.
  template <class Answers>
  void share(std::int64_t states, const LoadsOfRows& loads, const Answers& answer) {
    const std::int64_t lap = robots ? robots->count() : states;
    if (states == 0) return;
    const std::int64_t piece = rows_at_a_time(lap, workers.threads()), pieces = (lap + piece - 1) / piece;
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
    const auto take = [start](Given given, const double*& data, std::ptrdiff_t& stride) {
      data = from(given, start).data;
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

RowDynamics::RowDynamics(const Robot& robot, RowOptions options) : RowDynamics(robot.model(), options) {}
RowDynamics::RowDynamics(const Model<double>& model, RowOptions options)
    : parts_(std::make_unique<Parts>(model, options)) {}
RowDynamics::RowDynamics(RowDynamics&&) noexcept = default;
RowDynamics& RowDynamics::operator=(RowDynamics&&) noexcept = default;
RowDynamics::~RowDynamics() = default;

Status RowDynamics::set_robots(const RobotsOfRows& robots) {
  Parts& p = *parts_;
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(robots.count, 0)),
             nv = static_cast<std::size_t>(p.model.nv);
  const auto fits = [count](std::size_t size, std::size_t each) { return size == 0 || size == count * each; };
  if (robots.count < 0 || !fits(robots.inertias.size(), p.model.bodies.size()) || !fits(robots.rotors.size(), nv) ||
      !fits(robots.friction.size(), 3 * nv))
    return wrong;
  for (const Body<double>& b : p.model.bodies)
    for (std::size_t k = 0; b.nv > 1 && k < robots.friction.size(); ++k) {
      const int v = static_cast<int>(k % nv);
      if (b.v <= v && v < b.v + b.nv && robots.friction[k] != 0) return {Status::not_prepared, v};
    }
  p.robots.reset();
  // trees keep the robots of their last block
  p.own.clear();
  for (int k = 0; k < p.workers.threads(); ++k) p.own.emplace_back(p.model, p.options);
  if (robots.count > 0)
    p.robots.emplace(
        p.own.front().dynamics.row_robots({robots.count, robots.inertias, robots.rotors, robots.friction}));
  return {};
}

std::int64_t RowDynamics::robots() const { return parts_->robots ? parts_->robots->count() : 0; }

Model<double> RowDynamics::robot(std::int64_t row) const {
  Model<double> model = parts_->model;
  if (parts_->robots) parts_->robots->make(row, model);
  return model;
}

Status RowDynamics::inverse(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, Rows tau,
                            const LoadsOfRows& loads) {
  Parts& p = *parts_;
  if (!p.fit(states, loads) || (states > 0 && !q.data) || !are_apart(tau, states, p.model.nv)) return wrong;
  p.share(states, loads, [&](Parts::Thread& thread, std::int64_t first, std::int64_t count) {
    thread.dynamics.inverse(count, from(q, first), from(qd, first), from(qdd, first), from(tau, first));
  });
  return {};
}

Status RowDynamics::mass(std::int64_t states, ConstRows q, Rows M) {
  Parts& p = *parts_;
  if (!p.fit(states, {}) || (states > 0 && !q.data) || !are_apart(M, states, p.model.nv * p.model.nv)) return wrong;
  p.share(states, {}, [&](Parts::Thread& thread, std::int64_t first, std::int64_t count) {
    thread.dynamics.mass(count, from(q, first), from(M, first));
  });
  return {};
}

Status RowDynamics::forward(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, Rows qdd,
                            const LoadsOfRows& loads) {
  Parts& p = *parts_;
  if (!p.fit(states, loads) || (states > 0 && !q.data) || !are_apart(qdd, states, p.model.nv)) return wrong;
  p.share(states, loads, [&](Parts::Thread& thread, std::int64_t first, std::int64_t count) {
    thread.dynamics.forward(count, from(q, first), from(qd, first), from(tau, first), from(qdd, first));
  });
  return {};
}

Status RowDynamics::rollout(std::int64_t states, const RolloutStart& start, const RolloutStates& out,
                            const LoadsOfRows& loads) {
  Parts& p = *parts_;
  const std::ptrdiff_t nq = p.model.nq, nv = p.model.nv;
  if (!p.fit(states, loads) || (states > 0 && !(start.q.data && start.qd.data)) || start.periods < 0 ||
      start.hold < 1 || !are_apart(out.q, states, start.periods * nq) || !are_apart(out.qd, states, start.periods * nv))
    return wrong;
  p.share(states, loads, [&](Parts::Thread& thread, std::int64_t first, std::int64_t count) {
    std::optional<RowSteps>& steps = thread.steps[static_cast<int>(start.method)];
    if (!steps) {
      steps.emplace(p.model, start.method, piece_states);
      thread.q.resize(static_cast<std::size_t>(piece_states * nq));
      thread.qd.resize(static_cast<std::size_t>(piece_states * nv));
    }
    double *const q = thread.q.data(), *const qd = thread.qd.data();
    for (std::int64_t s = 0; s < count; ++s) {
      std::copy_n(start.q.row(first + s), nq, q + s * nq);
      std::copy_n(start.qd.row(first + s), nv, qd + s * nv);
    }
    for (std::int64_t period = 0; period < start.periods; ++period) {
      Given tau = from(start.tau, first);
      if (tau.data) tau.data += period * nv;
      for (int k = 0; k < start.hold; ++k)
        steps->step(count, q, qd, start.step, [&](const double* at, const double* rates, double* qdd) {
          thread.dynamics.forward(count, {at, nq}, {rates, nv}, tau, {qdd, nv});
        });
      for (std::int64_t s = 0; s < count; ++s) {
        std::copy_n(q + s * nq, nq, out.q.row(first + s) + period * nq);
        std::copy_n(qd + s * nv, nv, out.qd.row(first + s) + period * nv);
      }
    }
  });
  return {};
}

const Model<double>& RowDynamics::model() const { return parts_->model; }
int RowDynamics::threads() const { return parts_->workers.threads(); }

}  // namespace torsor
