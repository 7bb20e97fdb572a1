#include "torsor/loops/loop_dynamics.hpp"

#include <algorithm>
#include <limits>

#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/ldlt.hpp"

namespace torsor {
namespace {

constexpr Status wrong_size{Status::wrong_size, -1};
Status status_of(std::span<const double> answer) { return all_finite(answer) ? Status{} : Status{Status::not_finite, -1}; }

}  // namespace

LoopDynamics::LoopDynamics(const Model<double>& tree, std::shared_ptr<const LoopModel> loops, const DynamicsOptions& options)
    : model_(tree), loops_(std::move(loops)), tree_(tree, options), map_(model_, loops_), nq_(loops_->nq()), nv_(loops_->nv()), n_(tree.nv) {
  const auto n = static_cast<std::size_t>(n_), na = static_cast<std::size_t>(nv_);
  for (auto* vector : {&qd_, &qdd_, &tau_}) vector->resize(n);
  bias_.resize(na), direction_.resize(na), wide_.resize(6 * n);
}

void LoopDynamics::prepare_matrices() {
  if (!M_.empty()) return;
  const auto n = static_cast<std::size_t>(n_), na = static_cast<std::size_t>(nv_);
  M_.resize(n * n), MG_.resize(n * na), M_a_.resize(na * na), wide_.resize(std::max<std::size_t>(6 * n, n * na));
}

/// Answers that there are none: NaN, so that nobody takes what was there before for one.
Status LoopDynamics::refuse(const Status& status, Out answer) const {
  std::ranges::fill(answer, std::numeric_limits<double>::quiet_NaN());
  return status;
}

Status LoopDynamics::place(In q) {
  if (!all_finite(q)) return {Status::not_finite, -1};
  const LoopStatus status = map_.place(q);
  if (status) return {};
  return {status.kind == LoopStatus::open ? Status::not_closed : Status::dead_centre, status.coordinate};
}

Status LoopDynamics::inverse(In q, In qd, In qdd, Out tau) {
  if (q.size() != static_cast<std::size_t>(nq_) || !are_rates(qd) || !are_rates(qdd) || tau.size() != static_cast<std::size_t>(nv_))
    return wrong_size;
  if (const Status status = place(q); !status) return refuse(status, tau);
  map_.rates(qd, qd_);
  if (qd.empty())
    map_.rates(qdd, qdd_);
  else
    map_.accelerations(qd_, qdd, qdd_);
  // without velocities the tree's friction and springs are left out, as those of a robot without loops: gravity alone
  tree_.inverse(map_.q(), qd.empty() ? In{} : In{qd_}, qdd_, tau_);
  map_.project(tau_, tau);
  return status_of(tau);
}

void LoopDynamics::embed(In A, Out small) {
  map_.columns(A, n_, MG_);
  // G^T of the rest: rows of A G as columns of its transpose
  for (int i = 0; i < n_; ++i)
    for (int k = 0; k < nv_; ++k) wide_[cell(k, n_, i)] = MG_[cell(i, nv_, k)];
  map_.columns({wide_.data(), cells(nv_, n_)}, nv_, small);
  // small is (G^T A^T G)^T transposed once more
  for (int i = 0; i < nv_; ++i)
    for (int k = 0; k < i; ++k) std::swap(small[cell(i, nv_, k)], small[cell(k, nv_, i)]);
}

Status LoopDynamics::mass(In q, Out M) {
  if (q.size() != static_cast<std::size_t>(nq_) || !is_square(M)) return wrong_size;
  if (const Status status = place(q); !status) return refuse(status, M);
  prepare_matrices();
  tree_.mass(map_.q(), M_);
  embed(M_, M);
  // of two entries that are one but for rounding the mean
  for (int i = 0; i < nv_; ++i)
    for (int k = 0; k < i; ++k) M[cell(i, nv_, k)] = M[cell(k, nv_, i)] = (M[cell(i, nv_, k)] + M[cell(k, nv_, i)]) / 2;
  return status_of(M);
}

Status LoopDynamics::forward(In q, In qd, In tau, Out qdd) {
  if (tau.size() != static_cast<std::size_t>(nv_) || qdd.size() != tau.size()) return wrong_size;
  if (const Status status = inverse(q, qd, {}, bias_); !status) return status.kind == Status::wrong_size ? status : refuse(status, qdd);
  prepare_matrices();
  if (const Status status = mass(q, M_a_); !status) return refuse(status, qdd);
  ldlt_factor<double>(M_a_, nv_);
  if (const int bad = ldlt_first_bad_pivot<double>(M_a_, nv_); bad >= 0) return refuse({Status::massless, bad}, qdd);
  for (int k = 0; k < nv_; ++k) bias_[k] = tau[k] - bias_[k];
  ldlt_solve<double>(M_a_, nv_, bias_);
  std::ranges::copy(bias_, qdd.begin());
  return status_of(qdd);
}

LoopSlopes& LoopDynamics::slopes() {
  if (!slopes_) slopes_ = std::make_unique<LoopSlopes>(tree_.model(), *loops_);
  return *slopes_;
}

Status LoopDynamics::coriolis_matrix(In q, In qd, Out C) {
  if (q.size() != static_cast<std::size_t>(nq_) || qd.size() != static_cast<std::size_t>(nv_) || !is_square(C)) return wrong_size;
  if (const Status status = place(q); !status) return refuse(status, C);
  prepare_matrices();
  map_.rates(qd, qd_);
  if (const Status status = tree_.coriolis_matrix(map_.q(), qd_, M_); !status) return refuse(status, C);
  embed(M_, C);
  // M dG/dt, its columns by cluster; then G^T of it
  slopes().place(map_.q(), qd_);
  tree_.mass(map_.q(), M_);
  std::vector<double>& rate = wide_;
  std::fill(MG_.begin(), MG_.end(), 0.0);
  for (std::size_t c = 0; c < loops_->clusters.size(); ++c) {
    const LoopCluster& cluster = loops_->clusters[c];
    const int a = static_cast<int>(cluster.independent.size());
    for (int j = 0; j < a; ++j) {
      const int v = cluster.coordinates[cluster.independent[j]];
      const int k = static_cast<int>(std::ranges::lower_bound(loops_->v, v) - loops_->v.begin());
      for (std::size_t i = 0; i < cluster.dependent.size(); ++i) {
        const int from = cluster.coordinates[cluster.dependent[i]];
        const double slope = slopes_->map_slope(c, cell(static_cast<int>(i), a, j));
        for (int r = 0; r < n_; ++r) MG_[cell(r, nv_, k)] += M_[cell(r, n_, from)] * slope;
      }
    }
  }
  for (int i = 0; i < n_; ++i)
    for (int k = 0; k < nv_; ++k) rate[cell(k, n_, i)] = MG_[cell(i, nv_, k)];
  map_.columns({rate.data(), cells(nv_, n_)}, nv_, M_a_);
  for (int i = 0; i < nv_; ++i)
    for (int k = 0; k < nv_; ++k) C[cell(i, nv_, k)] += M_a_[cell(k, nv_, i)];
  return status_of(C);
}

Status LoopDynamics::coriolis(In q, In qd, Out tau) {
  if (!are_rates(qd) || tau.size() != static_cast<std::size_t>(nv_)) return wrong_size;
  if (qd.empty()) {
    std::ranges::fill(direction_, 0.0);
    qd = direction_;
  }
  std::vector<double> C(cells(nv_, nv_));
  if (const Status status = coriolis_matrix(q, qd, C); !status) return status.kind == Status::wrong_size ? status : refuse(status, tau);
  for (int i = 0; i < nv_; ++i) {
    double sum = 0;
    for (int k = 0; k < nv_; ++k) sum += C[cell(i, nv_, k)] * qd[k];
    tau[i] = sum;
  }
  return status_of(tau);
}

Status LoopDynamics::inverse(In q, In qd, In qdd, Out tau, const InverseDerivatives<double>& derivatives) {
  if (!is_square(derivatives.dq) || !is_square(derivatives.dqd) || !is_square(derivatives.dqdd)) return wrong_size;
  if (const Status status = inverse(q, qd, qdd, tau); !status) {
    if (status.kind != Status::wrong_size)
      for (const Out matrix : {derivatives.dq, derivatives.dqd, derivatives.dqdd}) refuse(status, matrix);
    return status;
  }
  std::vector<double> Gx(static_cast<std::size_t>(n_)), slope(static_cast<std::size_t>(nv_)), none(static_cast<std::size_t>(n_));
  const auto column = [&](Out matrix, int k) {
    for (int i = 0; i < nv_; ++i) matrix[cell(i, nv_, k)] = slope[i];
  };
  for (int k = 0; k < nv_; ++k) {
    std::ranges::fill(direction_, 0.0);
    direction_[k] = 1;
    map_.rates(direction_, Gx);
    slopes().place(map_.q(), Gx);
    slopes_->inverse(qd, {}, qdd, tree_.loads(), slope);
    column(derivatives.dq, k);
  }
  slopes().place(map_.q(), none);
  for (int k = 0; k < nv_; ++k) {
    std::ranges::fill(direction_, 0.0);
    direction_[k] = 1;
    slopes_->inverse(qd, direction_, qdd, tree_.loads(), slope);
    column(derivatives.dqd, k);
  }
  return mass(q, derivatives.dqdd);
}

Status LoopDynamics::forward(In q, In qd, In tau, Out qdd, const ForwardDerivatives<double>& derivatives) {
  if (!is_square(derivatives.dq) || !is_square(derivatives.dqd) || !is_square(derivatives.dtau)) return wrong_size;
  const auto nothing = [&](const Status& status) {
    for (const Out matrix : {derivatives.dq, derivatives.dqd, derivatives.dtau}) refuse(status, matrix);
    return status;
  };
  if (const Status status = forward(q, qd, tau, qdd); !status) return status.kind == Status::wrong_size ? status : nothing(status);
  std::vector<double> again(static_cast<std::size_t>(nv_)), column(static_cast<std::size_t>(nv_));
  if (const Status status = inverse(q, qd, qdd, again, {derivatives.dq, derivatives.dqd, derivatives.dtau}); !status) return nothing(status);
  // dqdd = -M_a^-1 d tau, and M_a^-1
  std::ranges::copy(derivatives.dtau, M_a_.begin());
  ldlt_factor<double>(M_a_, nv_);
  std::ranges::fill(derivatives.dtau, 0.0);
  for (int k = 0; k < nv_; ++k) derivatives.dtau[cell(k, nv_, k)] = -1;
  for (const Out matrix : {derivatives.dq, derivatives.dqd, derivatives.dtau})
    for (int k = 0; k < nv_; ++k) {
      for (int i = 0; i < nv_; ++i) column[i] = -matrix[cell(i, nv_, k)];
      ldlt_solve<double>(M_a_, nv_, column);
      for (int i = 0; i < nv_; ++i) matrix[cell(i, nv_, k)] = column[i];
    }
  return {};
}

Status LoopDynamics::energy(In q, In qd, Energy<double>& out) {
  if (q.size() != static_cast<std::size_t>(nq_) || qd.size() != static_cast<std::size_t>(nv_)) return wrong_size;
  if (const Status status = place(q); !status) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    out = {};
    out.kinetic = out.potential = nan;
    return status;
  }
  map_.rates(qd, qd_);
  return tree_.energy(map_.q(), qd_, out);
}

Status LoopDynamics::tool(In q, Transform<double>& X, Out J) {
  if (q.size() != static_cast<std::size_t>(nq_) || J.size() != cells(6, nv_)) return wrong_size;
  if (const Status status = place(q); !status) {
    X.p.x = X.p.y = X.p.z = std::numeric_limits<double>::quiet_NaN();
    return refuse(status, J);
  }
  const Out wide(wide_.data(), cells(6, n_));
  const Status status = tree_.tool(map_.q(), X, wide);
  map_.columns(wide, 6, J);
  return status;
}

Status LoopDynamics::frame(In q, const Frame<double>& frame, Transform<double>& X, Out J) {
  if (q.size() != static_cast<std::size_t>(nq_) || (!J.empty() && J.size() != cells(6, nv_))) return wrong_size;
  if (const Status status = place(q); !status) {
    X.p.x = X.p.y = X.p.z = std::numeric_limits<double>::quiet_NaN();
    return refuse(status, J);
  }
  const Out wide(wide_.data(), J.empty() ? 0 : cells(6, n_));
  const Status status = tree_.frame(map_.q(), frame, X, wide);
  if (!J.empty() && status.kind != Status::wrong_size) map_.columns(wide, 6, J);
  return status;
}

Status LoopDynamics::poses(In q, std::span<Transform<double>> X) {
  if (q.size() != static_cast<std::size_t>(nq_) || X.size() != model_.bodies.size()) return wrong_size;
  if (const Status status = place(q); !status) {
    for (Transform<double>& pose : X) pose.p.x = pose.p.y = pose.p.z = std::numeric_limits<double>::quiet_NaN();
    return status;
  }
  return tree_.poses(map_.q(), X);
}

Status LoopDynamics::positions(In q, Out all) {
  if (q.size() != static_cast<std::size_t>(nq_) || all.size() != static_cast<std::size_t>(model_.nq)) return wrong_size;
  if (const Status status = place(q); !status) return refuse(status, all);
  std::ranges::copy(map_.q(), all.begin());
  return {};
}

}  // namespace torsor
