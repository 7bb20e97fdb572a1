#include "torsor/loops/loop_dynamics.hpp"

#include "torsor/fast/tree_engine.hpp"
#include "torsor/loops/loop_map.hpp"
#include "torsor/loops/loop_reactions.hpp"
#include "torsor/loops/loop_rows.hpp"
#include "torsor/loops/loop_slopes.hpp"
#include "torsor/numeric/ldlt.hpp"

#include <array>

namespace torsor {
namespace {

class LoopDynamics final : public DynamicsEngine {
 public:
  LoopDynamics(const Model<double>& tree, std::shared_ptr<const LoopModel> loops, Faults why_no_tree,
               const DynamicsOptions& options)
      : DynamicsEngine(loops->nq(), loops->nv(), tree),
        model_(tree),
        loops_(std::move(loops)),
        why_no_tree_(std::move(why_no_tree)),
        tree_(tree_engine(tree, options)),
        map_(model_, loops_),
        nq_(loops_->nq()),
        nv_(loops_->nv()),
        n_(tree.nv),
        options_(options),
        doubles_(rows_one_by_one<double>(*this, nq_, nv_, [this] { return team(); })),
        floats_(rows_one_by_one<float>(*this, nq_, nv_, [this] { return team(); })) {
    const auto n = static_cast<std::size_t>(n_), na = static_cast<std::size_t>(nv_);
    for (auto* vector : {&qd_, &qdd_, &tau_}) vector->resize(n);
    for (const LoopCluster& c : loops_->clusters) loop_count_ += c.loops.size();
    bias_.resize(na), direction_.resize(na), wide_.resize(6 * n);
  }

  Status inverse(In q, In qd, In qdd, Out tau) override {
    if (const Status status = place(q); !status) return refuse(status, tau);
    map_.rates(qd, qd_);
    if (qd.empty())
      map_.rates(qdd, qdd_);
    else
      map_.accelerations(qd_, qdd, qdd_);
    // without velocities the tree's friction and springs are left out, as those of a robot without loops: gravity alone
    tree_->inverse(map_.q(), qd.empty() ? In{} : In{qd_}, qdd_, tau_);
    map_.project(tau_, tau);
    return status_of(tau);
  }

  Status mass(In q, Out M) override {
    if (const Status status = place(q); !status) return refuse(status, M);
    prepare_matrices();
    tree_->mass(map_.q(), M_);
    embed(M_, M);
    // of two entries that are one but for rounding the mean
    for (int i = 0; i < nv_; ++i)
      for (int k = 0; k < i; ++k)
        M[cell(i, nv_, k)] = M[cell(k, nv_, i)] = (M[cell(i, nv_, k)] + M[cell(k, nv_, i)]) / 2;
    return status_of(M);
  }

  Status forward(In q, In qd, In tau, Out qdd) override {
    if (const Status status = inverse(q, qd, {}, bias_); !status) return refuse(status, qdd);
    prepare_matrices();
    if (const Status status = mass(q, M_a_); !status) return refuse(status, qdd);
    ldlt_factor<double>(M_a_, nv_);
    if (const int bad = ldlt_first_bad_pivot<double>(M_a_, nv_); bad >= 0) return refuse({Status::massless, bad}, qdd);
    for (int k = 0; k < nv_; ++k) bias_[k] = tau[k] - bias_[k];
    ldlt_solve<double>(M_a_, nv_, bias_);
    std::ranges::copy(bias_, qdd.begin());
    return status_of(qdd);
  }

  void set_gravity(const Vec3<double>& gravity) override {
    tree_->set_gravity(gravity);
    team_.reset();
  }

  void set_inertia(int body, const Inertia<double>& inertia) override {
    tree_->set_inertia(body, inertia);
    team_.reset();
  }

  Status coriolis_matrix(In q, In qd, Out C) override {
    if (const Status status = place(q); !status) return refuse(status, C);
    prepare_matrices();
    map_.rates(qd, qd_);
    if (const Status status = tree_->coriolis_matrix(map_.q(), qd_, M_); !status) return refuse(status, C);
    embed(M_, C);
    // M dG/dt, its columns by cluster; then G^T of it
    slopes().place(map_.q(), qd_);
    tree_->mass(map_.q(), M_);
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

  Status coriolis(In q, In qd, Out tau) override {
    if (qd.empty()) {
      std::ranges::fill(direction_, 0.0);
      qd = direction_;
    }
    prepare_matrices();
    std::vector<double>& C = C_a_;
    if (const Status status = coriolis_matrix(q, qd, C); !status) return refuse(status, tau);
    for (int i = 0; i < nv_; ++i) {
      double sum = 0;
      for (int k = 0; k < nv_; ++k) sum += C[cell(i, nv_, k)] * qd[k];
      tau[i] = sum;
    }
    return status_of(tau);
  }

  // along a direction e_k of q_a all joints move with G e_k, their rates by dG qd_a, their accelerations by dG qdd_a + d(dG/dt qd_a):
  //
  //   d tau_a = dG^T tau + G^T (dtau/dq G e_k + dtau/dqd dqd + M dqdd)
  //
  // along one of qd_a rates with G e_k, accelerations by what the quadratic form dG/dt qd_a changes: of two points of it, half the
  // difference.
  Status inverse(In q, In qd, In qdd, Out tau, const InverseDerivatives<double>& derivatives) override {
    if (const Status status = inverse(q, qd, qdd, tau); !status) {
      for (const Out matrix : {derivatives.dq, derivatives.dqd, derivatives.dqdd}) refuse(status, matrix);
      return status;
    }
    prepare_derivatives();
    DerivativeWork& w = *derivative_work_;
    if (qd.empty()) std::ranges::fill(qd_, 0.0);
    const Status status = tree_->inverse(map_.q(), qd_, qdd_, w.tau, {w.by_q, w.by_qd, w.by_qdd});
    if (!status) {
      for (const Out matrix : {derivatives.dq, derivatives.dqd, derivatives.dqdd}) refuse(status, matrix);
      return refuse(status, tau);
    }
    const auto add = [&](const std::vector<double>& A, In x) {
      for (int i = 0; i < n_; ++i) {
        double sum = 0;
        for (int k = 0; k < n_; ++k) sum += A[cell(i, n_, k)] * x[k];
        w.sum[i] += sum;
      }
    };
    const auto column = [&](Out matrix, int k) {
      map_.project(w.sum, direction_);
      for (int i = 0; i < nv_; ++i) matrix[cell(i, nv_, k)] = direction_[i];
    };
    for (int k = 0; k < nv_; ++k) {
      std::ranges::fill(direction_, 0.0);
      direction_[k] = 1;
      map_.rates(direction_, w.Gx);
      std::ranges::fill(w.sum, 0.0);
      add(w.by_q, w.Gx);
      const int c = w.cluster_of[k];
      if (c >= 0) {
        const LoopCluster& cluster = loops_->clusters[c];
        slopes().place(map_.q(), w.Gx, c);
        std::ranges::fill(w.dqd, 0.0), std::ranges::fill(w.dqdd, 0.0);
        slopes_->motion(c, qd_, qdd_, w.dqd, w.dqdd);
        add(w.by_qd, w.dqd);
        add(w.by_qdd, w.dqdd);
        // dG^T tau among the torques of the independent joints, which project() leaves where they are
        const int a = static_cast<int>(cluster.independent.size());
        for (std::size_t i = 0; i < cluster.dependent.size(); ++i)
          for (int j = 0; j < a; ++j)
            w.sum[cluster.coordinates[cluster.independent[j]]] +=
                slopes_->map_slope(c, cell(static_cast<int>(i), a, j)) *
                w.tau[cluster.coordinates[cluster.dependent[i]]];
      }
      column(derivatives.dq, k);
    }
    for (int k = 0; k < nv_; ++k) {
      std::ranges::fill(direction_, 0.0);
      direction_[k] = 1;
      map_.rates(direction_, w.Gx);
      std::ranges::fill(w.sum, 0.0);
      add(w.by_qd, w.Gx);
      if (w.cluster_of[k] >= 0) {
        for (int i = 0; i < n_; ++i) w.there[i] = qd_[i] + w.Gx[i];
        map_.accelerations(w.there, {}, w.dqdd);
        for (int i = 0; i < n_; ++i) w.there[i] = qd_[i] - w.Gx[i];
        map_.accelerations(w.there, {}, w.dqd);
        for (int i = 0; i < n_; ++i) w.dqdd[i] = (w.dqdd[i] - w.dqd[i]) / 2;
        add(w.by_qdd, w.dqdd);
      }
      column(derivatives.dqd, k);
    }
    return mass(q, derivatives.dqdd);
  }

  Status forward(In q, In qd, In tau, Out qdd, const ForwardDerivatives<double>& derivatives) override {
    const auto nothing = [&](const Status& status) {
      for (const Out matrix : {derivatives.dq, derivatives.dqd, derivatives.dtau}) refuse(status, matrix);
      return status;
    };
    if (const Status status = forward(q, qd, tau, qdd); !status) return nothing(status);
    prepare_derivatives();
    std::vector<double>&again = derivative_work_->again, &column = derivative_work_->column;
    if (const Status status = inverse(q, qd, qdd, again, {derivatives.dq, derivatives.dqd, derivatives.dtau}); !status)
      return nothing(status);
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

  // products by the matrices, which cost nv times as much as they would
  Status inverse_jvp(In q, In qd, In qdd, const MotionChange<double>& change, Out dtau) override {
    DerivativeWork& w = prepared();
    const Status status = inverse(q, qd, qdd, w.again, {w.first, w.second, w.third});
    if (!status) return refuse(status, dtau);
    return multiply(w, {change.q, change.qd, change.qdd}, dtau);
  }
  Status forward_jvp(In q, In qd, In tau, const DriveChange<double>& change, Out dqdd) override {
    DerivativeWork& w = prepared();
    const Status status = forward(q, qd, tau, w.answer, {w.first, w.second, w.third});
    if (!status) return refuse(status, dqdd);
    return multiply(w, {change.q, change.qd, change.tau}, dqdd);
  }
  Status inverse_vjp(In q, In qd, In qdd, In y, const InverseGradient<double>& by) override {
    DerivativeWork& w = prepared();
    const Status status = inverse(q, qd, qdd, w.again, {w.first, w.second, w.third});
    return multiply_transposed(w, status, y, {by.q, by.qd, by.qdd});
  }
  Status forward_vjp(In q, In qd, In tau, In u, const ForwardGradient<double>& by) override {
    DerivativeWork& w = prepared();
    const Status status = forward(q, qd, tau, w.answer, {w.first, w.second, w.third});
    return multiply_transposed(w, status, u, {by.q, by.qd, by.tau});
  }

  Status energy(In q, In qd, Energy<double>& out) override {
    if (const Status status = place(q); !status) {
      out = {};
      out.kinetic = out.potential = nan;
      return status;
    }
    map_.rates(qd, qd_);
    return tree_->energy(map_.q(), qd_, out);
  }

  Status reactions(In q, In qd, In qdd, Out tau, std::span<Force<double>> forces,
                   const LoopReactionSpans& loops) override {
    if (const Status status = inverse(q, qd, qdd, tau); !status) return no_reactions(status, tau, forces, loops);
    if (!reactions_) {
      reactions_ = std::make_unique<LoopReactions>(tree_->model(), *loops_);
      carried_.external.reserve(bodies());
      tau_open_.resize(static_cast<std::size_t>(n_));
    }
    // torques of the tree cut open; then its reactions under the forces of the loops
    const In rates = qd.empty() ? In{} : In{qd_};
    tree_->inverse(map_.q(), rates, qdd_, tau_open_);
    given_.assign(tree_->loads());
    carried_.assign(tree_->loads());
    carried_.external.resize(bodies());
    reactions_->find(map_.q(), tau_open_, carried_.external, loops.loops);
    if (!loops.unique.empty()) reactions_->find_unique(loops.unique);
    tree_->set_loads(carried_);
    const Status status = tree_->reactions(map_.q(), rates, qdd_, tau_open_, forces, {});
    tree_->set_loads(given_);
    return status ? status_of(tau) : no_reactions(status, tau, forces, loops);
  }

  /// Friction is that of all joints, passive ones, too, as the independent ones feel it.
  Status terms(In q, In qd, In qdd, const TermSpans& out) override {
    if (const Status status = reactions(q, qd, qdd, out.tau, out.reactions, {}); !status) {
      for (const Out each : {out.M, out.C, out.gravity, out.friction, out.load, out.bias}) refuse(status, each);
      out.energy.kinetic = out.energy.potential = nan;
      return status;
    }
    mass(q, out.M);
    coriolis_matrix(q, qd, out.C);
    inverse(q, qd, {}, out.bias);
    energy(q, qd, out.energy);
    // what the loads add is the difference they make
    const Loads given = loads();
    set_loads({});
    inverse(q, {}, {}, out.gravity);
    inverse(q, qd, {}, out.friction);
    set_loads(given);
    for (std::size_t k = 0; k < out.load.size(); ++k) {
      out.load[k] = out.bias[k] - out.friction[k];
      out.friction[k] -= out.gravity[k];
      for (std::size_t j = 0; j < out.load.size(); ++j) out.friction[k] -= out.C[k * out.load.size() + j] * qd[j];
    }
    return {};
  }

  Status tool(In q, Transform<double>& X, Out J) override {
    if (const Status status = place(q); !status) return refuse(status, X, J);
    const Out wide(wide_.data(), cells(6, n_));
    const Status status = tree_->tool(map_.q(), X, wide);
    map_.columns(wide, 6, J);
    return status;
  }

  Status frame(In q, const Frame<double>& frame, Transform<double>& X, Out J) override {
    if (const Status status = place(q); !status) return refuse(status, X, J);
    const Out wide(wide_.data(), J.empty() ? 0 : cells(6, n_));
    const Status status = tree_->frame(map_.q(), frame, X, wide);
    if (!J.empty()) map_.columns(wide, 6, J);
    return status;
  }

  Status poses(In q, std::span<Transform<double>> X) override {
    if (const Status status = place(q); !status) {
      for (Transform<double>& pose : X) pose.p.x = pose.p.y = pose.p.z = nan;
      return status;
    }
    return tree_->poses(map_.q(), X);
  }

  Status link_poses(In q, Out matrices) override {
    if (const Status status = place(q); !status) return refuse(status, matrices);
    return tree_->link_poses(map_.q(), matrices);
  }

  Status positions(In q, Out all) override {
    if (const Status status = place(q); !status) return refuse(status, all);
    std::ranges::copy(map_.q(), all.begin());
    return {};
  }

  void set_loads(const BodyLoads<double>& loads) override { tree_->set_loads(loads); }
  const Loads& loads() const override { return tree_->loads(); }
  const Model<double>& model() const override { throw_error(why_no_tree_); }
  const Model<double>& tree() const override { return tree_->model(); }
  void return_to_start() override { map_.return_to_start(); }
  double closure_error() const override { return map_.residual(); }
  std::size_t loops() const override { return loop_count_; }
  int threads() const override { return tree_->threads(); }
  bool canonical() const override { return false; }
  const Faults& why_not() const override { return why_no_tree_; }

 private:
  Model<double> model_;
  std::shared_ptr<const LoopModel> loops_;
  Faults why_no_tree_;
  std::unique_ptr<DynamicsEngine> tree_;
  mutable LoopMap map_;  // residual() looks anew
  std::unique_ptr<LoopSlopes> slopes_;
  std::unique_ptr<LoopReactions> reactions_;
  Loads given_, carried_;
  std::size_t loop_count_ = 0;
  int nq_, nv_, n_;  // of q_a and qd_a; of the tree's rates
  std::vector<double> qd_, qdd_, tau_, tau_open_, bias_, M_, MG_, M_a_, C_a_, wide_, direction_;
  DynamicsOptions options_;
  std::unique_ptr<LoopTeam> team_;
  std::unique_ptr<RowsEngine<double>> doubles_;
  std::unique_ptr<RowsEngine<float>> floats_;

  struct DerivativeWork {
    std::vector<double> by_q, by_qd, by_qdd, tau, sum, Gx, dqd, dqdd, there, again, column;
    std::vector<double> first, second, third, answer;  // matrices of the coordinates, for products
    std::vector<int> cluster_of;  // of each coordinate, -1: of none
  };
  std::unique_ptr<DerivativeWork> derivative_work_;

  void prepare_derivatives() {
    if (derivative_work_) return;
    derivative_work_ = std::make_unique<DerivativeWork>();
    DerivativeWork& w = *derivative_work_;
    const auto n = static_cast<std::size_t>(n_), na = static_cast<std::size_t>(nv_);
    for (auto* matrix : {&w.by_q, &w.by_qd, &w.by_qdd}) matrix->resize(n * n);
    for (auto* vector : {&w.tau, &w.sum, &w.Gx, &w.dqd, &w.dqdd, &w.there}) vector->resize(n);
    w.again.resize(na), w.column.resize(na), w.cluster_of.assign(na, -1);
    for (std::size_t c = 0; c < loops_->clusters.size(); ++c)
      for (const int column : loops_->clusters[c].independent) {
        const int v = loops_->clusters[c].coordinates[column];
        w.cluster_of[static_cast<std::size_t>(std::ranges::lower_bound(loops_->v, v) - loops_->v.begin())] =
            static_cast<int>(c);
      }
  }

  /// For rows on several threads: the others answer as this one does, now.
  LoopTeam* team() {
    if (options_.threads < 2) return nullptr;
    if (!team_) {
      team_ = std::make_unique<LoopTeam>(options_.threads);
      DynamicsOptions alone = options_;
      alone.threads = 1;
      while (static_cast<int>(team_->others.size()) + 1 < team_->workers.threads())
        team_->others.push_back(std::make_unique<LoopDynamics>(tree_->model(), loops_, why_no_tree_, alone));
    }
    given_.assign(tree_->loads());
    for (const std::unique_ptr<DynamicsEngine>& other : team_->others) other->set_loads(given_);
    return team_.get();
  }

  DerivativeWork& prepared() {
    prepare_derivatives();
    DerivativeWork& w = *derivative_work_;
    const auto n = static_cast<std::size_t>(nv_);
    if (w.first.empty())
      for (auto* matrix : {&w.first, &w.second, &w.third}) matrix->resize(n * n);
    w.answer.resize(n);
    return w;
  }

  Status multiply(const DerivativeWork& w, std::array<In, 3> x, Out out) const {
    std::ranges::fill(out, 0.0);
    const std::array matrices{&w.first, &w.second, &w.third};
    for (std::size_t part = 0; part < 3; ++part)
      for (int i = 0; i < nv_ && !x[part].empty(); ++i)
        for (int k = 0; k < nv_; ++k) out[i] += (*matrices[part])[cell(i, nv_, k)] * x[part][k];
    return status_of(out);
  }

  Status multiply_transposed(const DerivativeWork& w, const Status& status, In y, std::array<Out, 3> out) const {
    const std::array matrices{&w.first, &w.second, &w.third};
    for (std::size_t part = 0; part < 3; ++part) {
      if (!status) refuse(status, out[part]);
      for (int k = 0; k < nv_ && status; ++k) {
        double sum = 0;
        for (int i = 0; i < nv_; ++i) sum += (*matrices[part])[cell(i, nv_, k)] * y[i];
        out[part][k] = sum;
      }
    }
    return status ? status_of(out[0]) : status;
  }

  RowsEngine<double>& rows_of_doubles() override { return *doubles_; }
  RowsEngine<float>& rows_of_floats() override { return *floats_; }

  void prepare_matrices() {
    if (!M_.empty()) return;
    const auto n = static_cast<std::size_t>(n_), na = static_cast<std::size_t>(nv_);
    M_.resize(n * n), MG_.resize(n * na), M_a_.resize(na * na), C_a_.resize(na * na),
        wide_.resize(std::max<std::size_t>(6 * n, n * na));
  }

  /// Answers that there are none: NaN, so that nobody takes what was there before for one.
  Status refuse(const Status& status, Out answer) const {
    std::ranges::fill(answer, nan);
    return status;
  }

  Status no_reactions(const Status& status, Out tau, std::span<Force<double>> forces,
                      const LoopReactionSpans& loops) const {
    std::ranges::fill(forces, Force<double>{{nan, nan, nan}, {nan, nan, nan}});
    std::ranges::fill(loops.loops, Force<double>{{nan, nan, nan}, {nan, nan, nan}});
    std::ranges::fill(loops.unique, static_cast<unsigned char>(0));
    return refuse(status, tau);
  }

  Status refuse(const Status& status, Transform<double>& X, Out J) const {
    X.p.x = X.p.y = X.p.z = nan;
    return refuse(status, J);
  }

  Status place(In q) {
    if (!all_finite(q)) return {Status::not_finite, -1};
    const LoopStatus status = map_.place(q);
    if (status) return {};
    return {status.kind == LoopStatus::open ? Status::not_closed : Status::dead_centre, status.coordinate};
  }

  void embed(In A, Out small) {
    map_.columns(A, n_, MG_);
    // G^T of the rest: rows of A G as columns of its transpose
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < nv_; ++k) wide_[cell(k, n_, i)] = MG_[cell(i, nv_, k)];
    map_.columns({wide_.data(), cells(nv_, n_)}, nv_, small);
    // small is (G^T A^T G)^T transposed once more
    for (int i = 0; i < nv_; ++i)
      for (int k = 0; k < i; ++k) std::swap(small[cell(i, nv_, k)], small[cell(k, nv_, i)]);
  }

  LoopSlopes& slopes() {
    if (!slopes_) slopes_ = std::make_unique<LoopSlopes>(model_, *loops_);
    return *slopes_;
  }
};

}  // namespace

std::unique_ptr<DynamicsEngine> loop_engine(const Model<double>& tree, std::shared_ptr<const LoopModel> loops,
                                            Faults why_no_tree, const DynamicsOptions& options) {
  return std::make_unique<LoopDynamics>(tree, std::move(loops), std::move(why_no_tree), options);
}

}  // namespace torsor
