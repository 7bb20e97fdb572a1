#include "torsor/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/tree_products.hpp"
#include "torsor/fast/batch_products.hpp"
#include "torsor/fast/fast_dynamics.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/loops/loop_dynamics.hpp"
#include "torsor/numeric/finite.hpp"

namespace torsor {

struct Dynamics::Parts {
  Parts(const Model<double>& given, DynamicsOptions with)
      : options(std::move(with)),
        model(with_tool(given, options.tool)),
        fast(model, options.instruction_set, options.questions),
        configuration(model),
        coriolis(model),
        energy(model) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  static Model<double> with_tool(Model<double> model, const std::optional<Frame<double>>& tool) {
    if (tool) model.frames.push_back(*tool);
    return model;
  }

  /// The part for rows of a precision, made when it is first asked for, and anew for another robot.
  template <class Real>
  struct Batch {
    std::unique_ptr<BatchDynamics<Real>> dynamics;
    bool loads_are_old = true;
  };
  template <class Real>
  BatchDynamics<Real>& batch() {
    auto& [dynamics, loads_are_old] = [this]() -> auto& {
      if constexpr (std::is_same_v<Real, double>)
        return doubles;
      else
        return floats;
    }();
    const BatchOptions with{options.threads, options.instruction_set};
    if (!dynamics) dynamics = std::make_unique<BatchDynamics<Real>>(model, with);
    if (loads_are_old) dynamics->set_loads(fast.loads());
    loads_are_old = false;
    return *dynamics;
  }
  /// The same for rows of products, which are in doubles.
  BatchProducts& products_of_rows() {
    BatchDynamics<double>& rows = batch<double>();
    if (!row_products) row_products = std::make_unique<BatchProducts>(model, BatchOptions{options.threads, options.instruction_set}, rows);
    row_products->set_loads(fast.loads());
    return *row_products;
  }
  void loads_changed() { doubles.loads_are_old = floats.loads_are_old = true; }
  void robot_changed() {
    fast.refill();
    row_products.reset();
    doubles = {};
    floats = {};
  }

  std::size_t nq() const { return static_cast<std::size_t>(model.nq); }
  std::size_t nv() const { return static_cast<std::size_t>(model.nv); }
  bool is_position(In q) const { return q.size() == nq(); }
  bool are_rates(In x) const { return x.size() == nv() || x.empty(); }
  bool is_square(std::span<const double> M) const { return M.size() == nv() * nv(); }
  bool is_jacobian(std::span<const double> J) const { return J.size() == 6 * nv(); }

  /// Rows that are given, at any distance, backwards and one over the other, too; and rows for answers, which are apart.
  template <class Real>
  static bool are_given(StateRows<const Real> rows, std::int64_t states) {
    return rows.data || states == 0;
  }
  template <class Real>
  static bool are_apart(StateRows<Real> rows, std::int64_t states, std::size_t length) {
    return states == 0 || (rows.data && (states == 1 || std::abs(rows.stride) >= static_cast<std::ptrdiff_t>(length)));
  }

  void place(In q) { configuration.set(model, q); }

  /// Products with derivatives of one state: by the recursions of trees, under the loads there are; or, where there are few
  /// coordinates and lane groups, by the matrices, which is quicker then (measured: up to 8 of them, and 20 for accelerations).
  struct Products {
    explicit Products(const Model<double>& model)
        : tree(model), by_q(static_cast<std::size_t>(model.nv) * static_cast<std::size_t>(model.nv)), by_qd(by_q), by_last(by_q),
          answer(static_cast<std::size_t>(model.nv)) {
      tree.dynamics.loads.external.reserve(model.bodies.size());
    }
    TreeProducts<double> tree;
    std::vector<double> by_q, by_qd, by_last, answer;

    void change(In dq, In dqd, In dlast, Out out) const {
      std::ranges::fill(out, 0.0);
      const std::size_t n = out.size();
      for (const auto& [matrix, along] : {std::pair(In(by_q), dq), std::pair(In(by_qd), dqd), std::pair(In(by_last), dlast)})
        for (std::size_t i = 0; !along.empty() && i < n; ++i)
          for (std::size_t j = 0; j < n; ++j) out[i] += matrix[i * n + j] * along[j];
    }
    void gradient(In w, Out q, Out qd, Out last) const {
      const std::size_t n = w.size();
      for (const auto& [matrix, out] : {std::pair(In(by_q), q), std::pair(In(by_qd), qd), std::pair(In(by_last), last)}) {
        std::ranges::fill(out, 0.0);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j) out[j] += w[i] * matrix[i * n + j];
      }
    }
  };
  Products& products() {
    if (!made_products) made_products = std::make_unique<Products>(model);
    return *made_products;
  }
  TreeProducts<double>& tree_products() {
    TreeProducts<double>& tree = products().tree;
    tree.dynamics.loads.assign(fast.loads());
    return tree;
  }
  bool inverse_by_matrices() const { return fast.in_limbs() && model.nv <= 8; }
  bool forward_by_matrices() const { return fast.in_limbs() && model.nv <= 20; }

  DynamicsOptions options;
  Model<double> model;
  FastDynamics fast;
  Batch<double> doubles;
  Batch<float> floats;
  std::unique_ptr<BatchProducts> row_products;  // on the doubles
  Configuration<double> configuration;
  CoriolisWork<double> coriolis;
  EnergyWork<double> energy;
  std::unique_ptr<Products> made_products;
};

namespace {

constexpr Status wrong_size{Status::wrong_size, -1};

Status status_of(std::span<const double> answer) {
  return all_finite(answer) ? Status{} : Status{Status::not_finite, -1};
}

Status status_of(std::span<const double> a, std::span<const double> b, std::span<const double> c) {
  return all_finite(a) && all_finite(b) && all_finite(c) ? Status{} : Status{Status::not_finite, -1};
}

/// Of a serial arm the first number tells: what is not finite goes inward with forces and inertias, and outward again
/// with accelerations. To read all that a kernel has just written would wait for its stores.
Status status_of(bool serial, std::span<const double> answer) { return status_of(serial ? answer.first(1) : answer); }

/// Where q is not finite no pivot is, which is not to say that a coordinate has no mass.
Status status_of(int massless, bool serial, std::span<const double> q, std::span<const double> answer) {
  if (massless < 0) return status_of(serial, answer);
  return all_finite(q) ? Status{Status::massless, massless} : Status{Status::not_finite, -1};
}

Status status_of(const Transform<double>& X) {
  const double sum = X.R.x.x + X.p.x + X.p.y + X.p.z;  // the last turn, and all before it
  return status_of({&sum, 1});
}

/// Nothing that could be taken for an answer.
Status not_prepared(std::initializer_list<std::span<double>> answers) {
  for (const std::span<double> each : answers) std::ranges::fill(each, std::numeric_limits<double>::quiet_NaN());
  return {Status::not_prepared, -1};
}

Status not_prepared(std::span<double> tau, std::span<Force<double>> forces) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::ranges::fill(tau, nan);
  std::ranges::fill(forces, Force<double>{{nan, nan, nan}, {nan, nan, nan}});
  return {Status::not_prepared, -1};
}

/// Rows of a robot with loops, one after the other: from(k) gives a row as doubles, and run(k) answers one.
template <class Real>
class LoopRows {
 public:
  explicit LoopRows(std::size_t length) : answer_(length) {}
  static std::span<const double> from(StateRows<const Real> rows, std::int64_t k, std::vector<double>& into, int length) {
    if (!rows.data) return {};
    into.assign(rows.row(k), rows.row(k) + length);
    return into;
  }
  std::span<double> answer() { return answer_; }
  void to(StateRows<Real> rows, std::int64_t k, std::size_t first, std::size_t length) const {
    for (std::size_t i = 0; i < length; ++i) rows.row(k)[i] = static_cast<Real>(answer_[first + i]);
  }
  std::vector<double> q, qd, x;

 private:
  std::vector<double> answer_;
};

}  // namespace

Dynamics::Dynamics(const Model<double>& model, DynamicsOptions options)
    : parts_(std::make_unique<Parts>(model, std::move(options))) {}
Dynamics::Dynamics(const Robot& robot, DynamicsOptions options) {
  if (!robot.loops()) {
    parts_ = std::make_unique<Parts>(robot.model(), std::move(options));
    return;
  }
  why_loops_ = refuse_loops(robot.description());
  loops_ = std::make_unique<LoopDynamics>(robot.tree(), robot.loops(), options);
}
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;
Dynamics::~Dynamics() = default;

Status Dynamics::inverse(In q, In qd, In qdd, Out tau) {
  if (loops_) return loops_->inverse(q, qd, qdd, tau);
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.are_rates(qd) || !p.are_rates(qdd) || tau.size() != p.nv()) return wrong_size;
  p.fast.inverse(q, qd, qdd, tau);
  return status_of(p.fast.canonical(), tau);
}

Status Dynamics::inverse(In q, In qd, In qdd, Out tau, const InverseDerivatives<double>& derivatives) {
  if (loops_) return loops_->inverse(q, qd, qdd, tau, derivatives);
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.are_rates(qd) || !p.are_rates(qdd) || tau.size() != p.nv()) return wrong_size;
  if (!p.is_square(derivatives.dq) || !p.is_square(derivatives.dqd) || !p.is_square(derivatives.dqdd)) return wrong_size;
  p.fast.inverse(q, qd, qdd, tau, derivatives);
  return status_of(tau);
}

Status Dynamics::coriolis(In q, In qd, Out tau) {
  if (loops_) return loops_->coriolis(q, qd, tau);
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.are_rates(qd) || tau.size() != p.nv()) return wrong_size;
  p.fast.coriolis(q, qd, tau);
  return status_of(tau);
}

Status Dynamics::coriolis_matrix(In q, In qd, Out C) {
  if (loops_) return loops_->coriolis_matrix(q, qd, C);
  Parts& p = *parts_;
  if (!p.is_position(q) || qd.size() != p.nv() || !p.is_square(C)) return wrong_size;
  p.place(q);
  torsor::coriolis_matrix<double>(p.model, p.configuration, qd, p.coriolis, C);
  return status_of(C);
}

Status Dynamics::mass(In q, Out M) {
  if (loops_) return loops_->mass(q, M);
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.is_square(M)) return wrong_size;
  p.fast.mass(q, M);
  // |M_ij| is at most the root of M_ii M_jj, and on some positions M does not depend: 2 n numbers tell, not n^2
  const std::size_t step = p.fast.canonical() ? M.size() : p.nv() + 1;
  double sum = all_finite(q) ? 0 : std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < M.size(); i += step) sum += M[i] - M[i];
  return status_of({&sum, 1});
}

Status Dynamics::forward(In q, In qd, In tau, Out qdd) {
  if (loops_) return loops_->forward(q, qd, tau, qdd);
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.are_rates(qd) || tau.size() != p.nv() || qdd.size() != p.nv()) return wrong_size;
  return status_of(p.fast.forward(q, qd, tau, qdd), p.fast.canonical(), q, qdd);
}

Status Dynamics::forward(In q, In qd, In tau, Out qdd, const ForwardDerivatives<double>& derivatives) {
  if (loops_) return loops_->forward(q, qd, tau, qdd, derivatives);
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.are_rates(qd) || tau.size() != p.nv() || qdd.size() != p.nv()) return wrong_size;
  if (!p.is_square(derivatives.dq) || !p.is_square(derivatives.dqd) || !p.is_square(derivatives.dtau)) return wrong_size;
  return status_of(p.fast.forward(q, qd, tau, qdd, derivatives), p.fast.canonical(), q, qdd);
}

Status Dynamics::inverse_jvp(In q, In qd, In qdd, const MotionChange<double>& change, Out dtau) {
  if (loops_) return not_prepared({dtau});
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.are_rates(qd) || !p.are_rates(qdd) || dtau.size() != p.nv()) return wrong_size;
  if (!p.are_rates(change.q) || !p.are_rates(change.qd) || !p.are_rates(change.qdd)) return wrong_size;
  if (p.inverse_by_matrices()) {
    Parts::Products& m = p.products();
    p.fast.inverse(q, qd, qdd, m.answer, {m.by_q, m.by_qd, m.by_last});
    m.change(change.q, change.qd, change.qdd, dtau);
  } else {
    p.tree_products().inverse_jvp(q, qd, qdd, change, dtau);
  }
  return status_of(dtau);
}

Status Dynamics::inverse_vjp(In q, In qd, In qdd, In w, const InverseGradient<double>& out) {
  if (loops_) return not_prepared({out.q, out.qd, out.qdd});
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.are_rates(qd) || !p.are_rates(qdd) || w.size() != p.nv()) return wrong_size;
  if (out.q.size() != p.nv() || out.qd.size() != p.nv() || out.qdd.size() != p.nv()) return wrong_size;
  if (p.inverse_by_matrices()) {
    Parts::Products& m = p.products();
    p.fast.inverse(q, qd, qdd, m.answer, {m.by_q, m.by_qd, m.by_last});
    m.gradient(w, out.q, out.qd, out.qdd);
  } else {
    p.tree_products().inverse_vjp(q, qd, qdd, w, out);
  }
  return status_of(out.q, out.qd, out.qdd);
}

Status Dynamics::forward_jvp(In q, In qd, In tau, const DriveChange<double>& change, Out dqdd) {
  if (loops_) return not_prepared({dqdd});
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.are_rates(qd) || tau.size() != p.nv() || dqdd.size() != p.nv()) return wrong_size;
  if (!p.are_rates(change.q) || !p.are_rates(change.qd) || !p.are_rates(change.tau)) return wrong_size;
  if (!p.forward_by_matrices()) return status_of(p.tree_products().forward_jvp(q, qd, tau, change, dqdd), false, q, dqdd);
  Parts::Products& m = p.products();
  const int massless = p.fast.forward(q, qd, tau, m.answer, {m.by_q, m.by_qd, m.by_last});
  if (massless < 0) m.change(change.q, change.qd, change.tau, dqdd);
  return status_of(massless, false, q, dqdd);
}

Status Dynamics::forward_vjp(In q, In qd, In tau, In u, const ForwardGradient<double>& out) {
  if (loops_) return not_prepared({out.q, out.qd, out.tau});
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.are_rates(qd) || tau.size() != p.nv() || u.size() != p.nv()) return wrong_size;
  if (out.q.size() != p.nv() || out.qd.size() != p.nv() || out.tau.size() != p.nv()) return wrong_size;
  int massless = -1;
  if (p.forward_by_matrices()) {
    Parts::Products& m = p.products();
    massless = p.fast.forward(q, qd, tau, m.answer, {m.by_q, m.by_qd, m.by_last});
    if (massless < 0) m.gradient(u, out.q, out.qd, out.tau);
  } else {
    massless = p.tree_products().forward_vjp(q, qd, tau, u, out);
  }
  return massless < 0 ? status_of(out.q, out.qd, out.tau) : status_of(massless, false, q, out.tau);
}

Status Dynamics::reactions(In q, In qd, In qdd, Out tau, std::span<Force<double>> forces) {
  if (loops_) return not_prepared(tau, forces);
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.are_rates(qd) || !p.are_rates(qdd) || tau.size() != p.nv()) return wrong_size;
  if (forces.size() != p.model.bodies.size()) return wrong_size;
  p.fast.tree().inverse(q, qd, qdd, tau);
  std::ranges::copy(p.fast.tree().reactions(), forces.begin());
  return status_of(tau);
}

Status Dynamics::energy(In q, In qd, Energy<double>& out) {
  if (loops_) return loops_->energy(q, qd, out);
  Parts& p = *parts_;
  if (!p.is_position(q) || qd.size() != p.nv()) return wrong_size;
  p.place(q);
  out = torsor::energy<double>(p.model, p.configuration, qd, p.energy);
  const double numbers[] = {out.kinetic, out.potential};
  return status_of(numbers);
}

Status Dynamics::tool(In q, Transform<double>& X, Out J) {
  if (loops_) return loops_->tool(q, X, J);
  Parts& p = *parts_;
  if (!p.is_position(q) || !p.is_jacobian(J)) return wrong_size;
  X = p.fast.tool_pose_and_jacobian(q, J);
  return status_of(X);
}

Status Dynamics::frame(In q, const Frame<double>& frame, Transform<double>& X, Out J) {
  if (loops_) return loops_->frame(q, frame, X, J);
  Parts& p = *parts_;
  const std::span<Transform<double>> all(p.energy.X);
  if (frame.body < 0 || frame.body >= p.model.size() || (!J.empty() && !p.is_jacobian(J))) return wrong_size;
  if (const Status status = poses(q, all); status.kind == Status::wrong_size) return status;
  X = frame_pose<double>(frame, all);
  if (!J.empty()) jacobian<double>(p.model, all, frame.body, X.p, J);
  return status_of(X);
}

Status Dynamics::poses(In q, std::span<Transform<double>> X) {
  if (loops_) return loops_->poses(q, X);
  Parts& p = *parts_;
  if (!p.is_position(q) || X.size() != p.model.bodies.size()) return wrong_size;
  p.place(q);
  forward_kinematics<double>(p.model, p.configuration, X);
  return X.empty() ? Status{} : status_of(X.back());
}

// rows: checked here, alike in both precisions, and answered by their part
template <class Real>
Status DynamicsRows<Real>::inverse(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, Rows tau) {
  if (LoopDynamics* const loops = static_cast<Dynamics&>(*this).loops_.get()) {
    const int nq = loops->map().model().nq(), nv = loops->map().model().nv();
    const std::size_t length = static_cast<std::size_t>(nv);
    if (!Dynamics::Parts::are_given(q, states) || !Dynamics::Parts::are_apart(tau, states, length)) return wrong_size;
    LoopRows<Real> rows(length);
    for (std::int64_t k = 0; k < states; ++k) {
      loops->inverse(rows.from(q, k, rows.q, nq), rows.from(qd, k, rows.qd, nv), rows.from(qdd, k, rows.x, nv), rows.answer());
      rows.to(tau, k, 0, length);
    }
    return {};
  }
  Dynamics::Parts& p = *static_cast<Dynamics&>(*this).parts_;
  if (!p.are_given(q, states) || !p.are_apart(tau, states, p.nv())) return wrong_size;
  p.batch<Real>().inverse(states, q, qd, qdd, tau);
  return {};
}

template <class Real>
Status DynamicsRows<Real>::coriolis(std::int64_t states, ConstRows q, ConstRows qd, Rows tau) {
  if (LoopDynamics* const loops = static_cast<Dynamics&>(*this).loops_.get()) {
    const int nq = loops->map().model().nq(), nv = loops->map().model().nv();
    const std::size_t length = static_cast<std::size_t>(nv);
    if (!Dynamics::Parts::are_given(q, states) || !Dynamics::Parts::are_apart(tau, states, length)) return wrong_size;
    LoopRows<Real> rows(length);
    for (std::int64_t k = 0; k < states; ++k) {
      loops->coriolis(rows.from(q, k, rows.q, nq), rows.from(qd, k, rows.qd, nv), rows.answer());
      rows.to(tau, k, 0, length);
    }
    return {};
  }
  Dynamics::Parts& p = *static_cast<Dynamics&>(*this).parts_;
  if (!p.are_given(q, states) || !p.are_apart(tau, states, p.nv())) return wrong_size;
  p.batch<Real>().coriolis(states, q, qd, tau);
  return {};
}

template <class Real>
Status DynamicsRows<Real>::mass(std::int64_t states, ConstRows q, Rows M) {
  if (LoopDynamics* const loops = static_cast<Dynamics&>(*this).loops_.get()) {
    const int nq = loops->map().model().nq(), nv = loops->map().model().nv();
    const std::size_t length = static_cast<std::size_t>(nv) * static_cast<std::size_t>(nv);
    if (!Dynamics::Parts::are_given(q, states) || !Dynamics::Parts::are_apart(M, states, length)) return wrong_size;
    LoopRows<Real> rows(length);
    for (std::int64_t k = 0; k < states; ++k) {
      loops->mass(rows.from(q, k, rows.q, nq), rows.answer());
      rows.to(M, k, 0, length);
    }
    return {};
  }
  Dynamics::Parts& p = *static_cast<Dynamics&>(*this).parts_;
  if (!p.are_given(q, states) || !p.are_apart(M, states, p.nv() * p.nv())) return wrong_size;
  p.batch<Real>().mass(states, q, M);
  return {};
}

template <class Real>
Status DynamicsRows<Real>::forward(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, Rows qdd) {
  if (LoopDynamics* const loops = static_cast<Dynamics&>(*this).loops_.get()) {
    const int nq = loops->map().model().nq(), nv = loops->map().model().nv();
    const std::size_t length = static_cast<std::size_t>(nv);
    if (!Dynamics::Parts::are_given(q, states) || !Dynamics::Parts::are_apart(qdd, states, length)) return wrong_size;
    LoopRows<Real> rows(length);
    for (std::int64_t k = 0; k < states; ++k) {
      const std::span<const double> torques = rows.from(tau, k, rows.x, nv);
      if (torques.empty()) rows.x.assign(length, 0.0);
      loops->forward(rows.from(q, k, rows.q, nq), rows.from(qd, k, rows.qd, nv), rows.x, rows.answer());
      rows.to(qdd, k, 0, length);
    }
    return {};
  }
  Dynamics::Parts& p = *static_cast<Dynamics&>(*this).parts_;
  if (!p.are_given(q, states) || !p.are_apart(qdd, states, p.nv())) return wrong_size;
  p.batch<Real>().forward(states, q, qd, tau, qdd);
  return {};
}

template <class Real>
Status DynamicsRows<Real>::tool(std::int64_t states, ConstRows q, Rows X, Rows J) {
  if (LoopDynamics* const loops = static_cast<Dynamics&>(*this).loops_.get()) {
    const int nq = loops->map().model().nq(), nv = loops->map().model().nv();
    const std::size_t length = 12 + 6 * static_cast<std::size_t>(nv);
    if (!Dynamics::Parts::are_given(q, states) || !Dynamics::Parts::are_apart(X, states, 12) || !Dynamics::Parts::are_apart(J, states, length - 12)) return wrong_size;
    LoopRows<Real> rows(length);
    for (std::int64_t k = 0; k < states; ++k) {
      Transform<double> pose;
      loops->tool(rows.from(q, k, rows.q, nq), pose, rows.answer().subspan(12));
      const Mat3<double> R = ~pose.R;
      std::size_t at = 0;
      for (const Vec3<double>& v : {R.x, R.y, R.z, pose.p})
        for (const double entry : {v.x, v.y, v.z}) rows.answer()[at++] = entry;
      if (!std::isfinite(pose.p.x)) std::ranges::fill(rows.answer(), pose.p.x);
      rows.to(X, k, 0, 12);
      rows.to(J, k, 12, length - 12);
    }
    return {};
  }
  Dynamics::Parts& p = *static_cast<Dynamics&>(*this).parts_;
  if (!p.are_given(q, states) || !p.are_apart(X, states, 12) || !p.are_apart(J, states, 6 * p.nv())) return wrong_size;
  p.batch<Real>().tool_pose_and_jacobian(states, q, X, J);
  return {};
}

template class DynamicsRows<double>;
template class DynamicsRows<float>;

Status Dynamics::inverse_jvp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, ConstRows dq, ConstRows dqd,
                                       ConstRows dqdd, Rows dtau) {
  if (loops_) return {Status::not_prepared, -1};
  Parts& p = *parts_;
  if (!p.are_given(q, states) || !p.are_apart(dtau, states, p.nv())) return wrong_size;
  p.products_of_rows().inverse_jvp(states, q, qd, qdd, {dq, dqd, dqdd}, dtau);
  return {};
}

Status Dynamics::inverse_vjp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, ConstRows w, Rows by_q,
                                       Rows by_qd, Rows by_qdd) {
  if (loops_) return {Status::not_prepared, -1};
  Parts& p = *parts_;
  if (!p.are_given(q, states) || !p.are_given(w, states)) return wrong_size;
  for (const Rows& rows : {by_q, by_qd, by_qdd})
    if (!p.are_apart(rows, states, p.nv())) return wrong_size;
  p.products_of_rows().inverse_vjp(states, q, qd, qdd, w, {by_q, by_qd, by_qdd});
  return {};
}

Status Dynamics::forward_jvp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, ConstRows dq, ConstRows dqd,
                                       ConstRows dtau, Rows dqdd) {
  if (loops_) return {Status::not_prepared, -1};
  Parts& p = *parts_;
  if (!p.are_given(q, states) || !p.are_apart(dqdd, states, p.nv())) return wrong_size;
  p.products_of_rows().forward_jvp(states, q, qd, tau, {dq, dqd, dtau}, dqdd);
  return {};
}

Status Dynamics::forward_vjp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, ConstRows u, Rows by_q,
                                       Rows by_qd, Rows by_tau) {
  if (loops_) return {Status::not_prepared, -1};
  Parts& p = *parts_;
  if (!p.are_given(q, states) || !p.are_given(u, states)) return wrong_size;
  for (const Rows& rows : {by_q, by_qd, by_tau})
    if (!p.are_apart(rows, states, p.nv())) return wrong_size;
  p.products_of_rows().forward_vjp(states, q, qd, tau, u, {by_q, by_qd, by_tau});
  return {};
}

Status Dynamics::set_loads(const BodyLoads<double>& loads) {
  if (loops_) return loops_->tree().set_loads(loads);
  if (loads.external.size() > parts_->model.bodies.size()) return wrong_size;
  parts_->fast.set_loads(loads);
  parts_->loads_changed();
  return {};
}

const Loads& Dynamics::loads() const { return loops_ ? loops_->tree().loads() : parts_->fast.loads(); }

void Dynamics::set_gravity(const Vec3<double>& gravity) {
  if (loops_) {
    loops_->tree().set_gravity(gravity);
    loops_->robot_changed();
    return;
  }
  parts_->model.gravity = gravity;
  parts_->robot_changed();
}

void Dynamics::set_inertia(int body, const Inertia<double>& inertia) {
  if (loops_) {
    loops_->tree().set_inertia(body, inertia);
    loops_->robot_changed();
    return;
  }
  TORSOR_EXPECT(0 <= body && body < parts_->model.size());
  parts_->model.bodies[static_cast<std::size_t>(body)].inertia = inertia;
  parts_->robot_changed();
}

Status Dynamics::positions(In q, Out all) {
  if (loops_) return loops_->positions(q, all);
  if (!parts_->is_position(q) || all.size() != q.size()) return wrong_size;
  std::ranges::copy(q, all.begin());
  return status_of(all);
}

double Dynamics::closure_error() const { return loops_ ? loops_->map().residual() : 0; }

const Model<double>& Dynamics::model() const {
  if (loops_) throw_error(why_loops_);
  return parts_->model;
}
const Model<double>& Dynamics::tree() const { return loops_ ? loops_->tree().model() : parts_->model; }
int Dynamics::threads() const { return loops_ ? loops_->tree().threads() : parts_->options.threads; }
bool Dynamics::canonical() const { return !loops_ && parts_->fast.canonical(); }
const Faults& Dynamics::why_not() const { return loops_ ? why_loops_ : parts_->fast.why_not(); }

}  // namespace torsor
