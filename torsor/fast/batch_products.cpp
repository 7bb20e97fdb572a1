#include "torsor/fast/batch_products.hpp"

#include <algorithm>

#include "torsor/fast/product_call.hpp"
#include "torsor/fast/tame_positions.hpp"
#include "torsor/fast/workers.hpp"
#include "torsor/model/friction.hpp"

namespace torsor {
namespace {

/// States per thread whose accelerations are kept while products with their derivatives are found.
constexpr std::int64_t kept_states = 2048;

using GivenRows = BatchProducts::In;
using AnswerRows = BatchProducts::Out;

GivenRows rows_from(GivenRows rows, std::int64_t first) { return {rows.data ? rows.row(first) : nullptr, rows.stride}; }
AnswerRows rows_from(AnswerRows rows, std::int64_t first) {
  return {rows.data ? rows.row(first) : nullptr, rows.stride};
}
std::array<AnswerRows, 3> rows_from(const std::array<AnswerRows, 3>& rows, std::int64_t first) {
  return {rows_from(rows[0], first), rows_from(rows[1], first), rows_from(rows[2], first)};
}

}  // namespace

struct BatchProducts::Parts {
  Parts(const Model<double>& m, BatchOptions options, BatchDynamics<double>& dynamics)
      : model(m),
        rows(dynamics),
        kernels(product_kernels(options.instruction_set)),
        workers(std::max(options.threads, 1)),
        positions(m, workers.threads() * piece_states) {
    SplitFriction<double> split = split_friction<double>(model);
    friction = std::move(split.in_lanes);
    other_friction = std::move(split.others);
    call.friction = friction.data();
    call.frictions = static_cast<int>(friction.size());
    for (int k = 0; k < workers.threads(); ++k) trees.push_back(kernels.create(model));
    kept = std::min<std::int64_t>(workers.threads(), 8) * kept_states;
    qdd.resize(static_cast<std::size_t>(kept * model.nv));
    driven.resize(qdd.size());
  }
  ~Parts() {
    for (void* tree : trees) kernels.destroy(tree);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// kernel on every piece of the states; what friction that lanes do not know adds, is added by add(piece, state, coordinate,
  /// slope by q, slope by qd).
  template <class Add>
  void run(void (*kernel)(void*, const ProductCall&), std::int64_t states, In q, In qd, In a,
           const std::array<In, 3>& along, const std::array<Out, 3>& answer, const Add& add) {
    workers.share((states + piece_states - 1) / piece_states, [&](int worker, std::int64_t k) {
      const std::int64_t first = k * piece_states;
      ProductCall piece = call;
      piece.states = std::min(piece_states, states - first);
      const auto take = [first](In given, const double*& data, std::ptrdiff_t& stride) {
        data = rows_from(given, first).data;
        stride = given.stride;
      };
      take(q, piece.q, piece.q_stride);
      take(qd, piece.qd, piece.qd_stride);
      take(a, piece.a, piece.a_stride);
      for (std::size_t i = 0; i < 3; ++i) {
        take(along[i], piece.along[i], piece.along_stride[i]);
        piece.answer[i] = rows_from(answer[i], first).data;
        piece.answer_stride[i] = answer[i].stride;
      }
      positions.tame(worker * piece_states, piece);
      kernel(trees[static_cast<std::size_t>(worker)], piece);
      for (const int f : other_friction) {
        const auto& [body, law] = model.friction[static_cast<std::size_t>(f)];
        const Body<double>& b = model[body];
        for (std::int64_t s = 0; s < piece.states; ++s) {
          const double at = b.ratio * piece.q[s * piece.q_stride + b.q] + b.offset;
          const double speed = piece.qd ? b.ratio * piece.qd[s * piece.qd_stride + b.v] : 0.0;
          const auto [by_q, by_qd] = friction_slopes(law, at, speed);
          add(piece, s, b.v, b.ratio * b.ratio * by_q, b.ratio * b.ratio * by_qd);
        }
      }
    });
  }

  /// step(first, count) for as many states as accelerations are kept of.
  template <class Step>
  void in_parts(std::int64_t states, const Step& step) {
    for (std::int64_t first = 0; first < states; first += kept) step(first, std::min(kept, states - first));
  }

  const Model<double>& model;
  BatchDynamics<double>& rows;
  ProductKernels kernels;
  Workers workers;
  TamePositions<double> positions;
  ProductCall call;          // what all have in common
  std::vector<void*> trees;  // per thread
  std::vector<LaneFriction<double>> friction;
  std::vector<int> other_friction;
  std::vector<Force<double>> external;
  std::int64_t kept = 0;
  std::vector<double> qdd, driven;
};

BatchProducts::BatchProducts(const Model<double>& model, BatchOptions options, BatchDynamics<double>& rows)
    : parts_(std::make_unique<Parts>(model, options, rows)) {}
BatchProducts::~BatchProducts() = default;

void BatchProducts::inverse_jvp(std::int64_t states, In q, In qd, In qdd, const std::array<In, 3>& change, Out dtau) {
  parts_->run(parts_->kernels.jvp, states, q, qd, qdd, change, {dtau},
              [](const ProductCall& call, std::int64_t s, int v, double by_q, double by_qd) {
                const auto along = [&](int k) {
                  return call.along[k] ? call.along[k][s * call.along_stride[k] + v] : 0.0;
                };
                call.answer[0][s * call.answer_stride[0] + v] += by_q * along(0) + by_qd * along(1);
              });
}

void BatchProducts::inverse_vjp(std::int64_t states, In q, In qd, In qdd, In w, const std::array<Out, 3>& gradient) {
  parts_->run(parts_->kernels.vjp, states, q, qd, qdd, {w}, gradient,
              [](const ProductCall& call, std::int64_t s, int v, double by_q, double by_qd) {
                const double weight = call.along[0][s * call.along_stride[0] + v];
                if (call.answer[0]) call.answer[0][s * call.answer_stride[0] + v] += by_q * weight;
                if (call.answer[1]) call.answer[1][s * call.answer_stride[1] + v] += by_qd * weight;
              });
}

void BatchProducts::forward_jvp(std::int64_t states, In q, In qd, In tau, const std::array<In, 3>& change, Out dqdd) {
  Parts& p = *parts_;
  const std::ptrdiff_t n = p.model.nv;
  p.in_parts(states, [&](std::int64_t first, std::int64_t count) {
    const In q_here = rows_from(q, first), qd_here = rows_from(qd, first), dtau = rows_from(change[2], first);
    p.rows.forward(count, q_here, qd_here, rows_from(tau, first), {p.qdd.data(), n});
    inverse_jvp(count, q_here, qd_here, {p.qdd.data(), n}, {rows_from(change[0], first), rows_from(change[1], first)},
                {p.driven.data(), n});
    for (std::int64_t s = 0; s < count; ++s)
      for (std::ptrdiff_t k = 0; k < n; ++k) {
        double& x = p.driven[static_cast<std::size_t>(s * n + k)];
        x = (dtau.data ? dtau.row(s)[k] : 0.0) - x;
      }
    p.rows.solve(count, q_here, {p.driven.data(), n}, rows_from(dqdd, first));
  });
}

void BatchProducts::forward_vjp(std::int64_t states, In q, In qd, In tau, In u, const std::array<Out, 3>& gradient) {
  Parts& p = *parts_;
  const std::ptrdiff_t n = p.model.nv;
  p.in_parts(states, [&](std::int64_t first, std::int64_t count) {
    const In q_here = rows_from(q, first), qd_here = rows_from(qd, first);
    const auto [by_q, by_qd, by_tau] = rows_from(gradient, first);
    p.rows.forward(count, q_here, qd_here, rows_from(tau, first), {p.qdd.data(), n});
    p.rows.solve(count, q_here, rows_from(u, first), by_tau);
    inverse_vjp(count, q_here, qd_here, {p.qdd.data(), n}, {by_tau.data, by_tau.stride}, {by_q, by_qd, Out{}});
    for (std::int64_t s = 0; s < count; ++s) {
      double none = 0;  // or no number, where some are not: M does not depend on every position
      for (const Out& rows : {by_q, by_qd})
        for (std::ptrdiff_t k = 0; k < n; ++k) none += 0 * (rows.row(s)[k] = -rows.row(s)[k]);
      for (std::ptrdiff_t k = 0; k < n; ++k) by_tau.row(s)[k] += none;
    }
  });
}

void BatchProducts::set_loads(const BodyLoads<double>& loads) {
  Parts& p = *parts_;
  TORSOR_EXPECT(loads.external.size() <= p.model.bodies.size());
  p.call.base = loads.base;
  p.external.assign(p.model.bodies.size(), {});
  std::ranges::copy(loads.external, p.external.begin());
  p.call.external = loads.external.empty() ? nullptr : p.external.data();
}

}  // namespace torsor
