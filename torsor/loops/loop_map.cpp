#include "torsor/loops/loop_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace torsor {
namespace {

constexpr double smallest_determined = 1e-6;  // below it rates are noise: a dead centre
constexpr double near_share = 0.1;            // Newton's first correction over determined(), at most
constexpr double step_share = 0.25;           // and the whole step: J changes by about as much
constexpr double exact = 1e-8;                // a correction below it is the last: what it leaves is its square
constexpr double rounding = 1e-14;            // a correction below it changes nothing
constexpr double shortest_way = 1e-9;         // rad or lengths: below it a way ends
constexpr double largest_residual = 1e-10;    // of equations that are redundant, in lengths of the cluster

/// Metres of an independent position number are counted in lengths of the cluster, where numbers are those of rates.
double independent_unit(const LoopCluster& c, std::size_t i) {
  return c.independent_q.size() == c.independent.size() ? c.column_unit[c.independent[i]] : std::min(1.0, c.length);
}

}  // namespace

LoopMap::LoopMap(const Tree<double>& tree, std::shared_ptr<const LoopModel> loops, bool closed_forms)
    : tree_(tree),
      loops_(std::move(loops)),
      q_(loops_->reference),
      kept_(q_),
      rates_(static_cast<std::size_t>(tree.nv)),
      curve_(rates_.size()) {
  clusters_.reserve(loops_->clusters.size());
  const auto place_in = [](const std::vector<int>& all, int number) {
    return static_cast<int>(std::ranges::lower_bound(all, number) - all.begin());
  };
  for (const LoopCluster& c : loops_->clusters) {
    const std::size_t n = c.independent_q.size();
    std::size_t moving = n;
    for (const LoopCluster::Solved& joint : c.solved) moving += static_cast<std::size_t>(joint.nq);
    Cluster cluster{ClusterKinematics<double>(tree_, c), {}, {}, std::vector<double>(n), std::vector<double>(n),
                    std::vector<double>(moving), std::vector<double>(c.dependent.size()), 0, {}, false};
    if (c.dyads && closed_forms) cluster.dyads.emplace(c);
    for (const int at : c.independent_q) cluster.q_a.push_back(place_in(loops_->q, at));
    for (const int column : c.independent)
      cluster.v_a.push_back(place_in(loops_->v, c.coordinates[column]));
    clusters_.push_back(std::move(cluster));
    find_map(static_cast<int>(clusters_.size()) - 1);
  }
}

void LoopMap::find_map(int k) {
  Cluster& cluster = clusters_[k];
  if (!cluster.dyads || !cluster.dyads->look(q_)) return settle(k);
  cluster.by_dyads = true;
  cluster.dyads->find_map(cluster.kinematics.G());
}

void LoopMap::settle(int k) {
  Cluster& cluster = clusters_[k];
  cluster.by_dyads = false;
  if (cluster.dyads) cluster.dyads->forget();
  cluster.kinematics.place(q_);
  cluster.residual = cluster.kinematics.residual();
  cluster.kinematics.factor();
  cluster.kinematics.find_map();
}

void LoopMap::return_to_start() {
  if (at_start_) return;
  q_ = loops_->reference;
  at_start_ = true;
  for (int k = 0; k < static_cast<int>(clusters_.size()); ++k) find_map(k);
}

LoopStatus LoopMap::place(std::span<const double> q_a) {
  LoopStatus worst;
  for (int k = 0; k < static_cast<int>(clusters_.size()); ++k)
    if (const LoopStatus status = follow(k, q_a); !status && worst) worst = status;
  if (!worst) return worst;
  for (std::size_t k = 0; k < loops_->q.size(); ++k) q_[loops_->q[k]] = q_a[k];
  return worst;
}

LoopStatus LoopMap::follow(int k, std::span<const double> q_a) {
  const LoopCluster& c = loops_->clusters[k];
  Cluster& cluster = clusters_[k];
  bool moved = false;
  for (std::size_t i = 0; i < c.independent_q.size(); ++i) {
    const auto at = static_cast<std::size_t>(c.independent_q[i]);
    cluster.to[i] = q_a[cluster.q_a[i]];
    moved = moved || cluster.to[i] != q_[at];
  }
  if (!moved) return {};
  at_start_ = false;
  const auto keep = [&](const std::vector<double>& from, std::vector<double>& into) {
    for (const LoopCluster::Solved& joint : c.solved)
      for (int i = 0; i < joint.nq; ++i) into[joint.q + i] = from[joint.q + i];
    for (const int at : c.independent_q) into[at] = from[at];
  };
  keep(q_, kept_);
  const LoopStatus from_here = follow(k);
  if (from_here) return from_here;
  keep(loops_->reference, q_);
  settle(k);
  LoopStatus status = follow(k);
  if (status) return status;
  status.coordinate = lost_coordinate(k);
  keep(kept_, q_);
  settle(k);
  return status;
}

LoopStatus LoopMap::follow(int k) {
  const LoopCluster& c = loops_->clusters[k];
  Cluster& cluster = clusters_[k];
  double way = 0;
  for (std::size_t i = 0; i < cluster.to.size(); ++i) {
    way = std::max(way, std::abs(cluster.to[i] - q_[c.independent_q[i]]));
  }
  double reached = 0, share = 1;
  // ways along a singular position are followed in thousands of steps; one that ends there is given up by shortest_way
  constexpr int most_steps = 20000;
  std::vector<double>& target = cluster.target;
  const std::vector<double>& to = cluster.to;
  for (int steps = 0; steps < most_steps; ++steps) {
    // from the point that is closed now, so much of what is left
    const double part = std::min(1.0, share / (1 - reached));
    for (std::size_t i = 0; i < to.size(); ++i) {
      const double now = q_[c.independent_q[i]];
      target[i] = part == 1 ? to[i] : now + part * (to[i] - now);
    }
    const Step taken = step(k, target);
    if (taken == Step::done) {
      reached = part == 1 ? 1 : reached + share;
      if (part == 1) break;
      share *= 2;
      continue;
    }
    share = std::min(share, 1 - reached) / 2;
    if (taken == Step::inconsistent || share * way < shortest_way) break;
  }
  LoopStatus status;
  status.cluster = k;
  status.reached = reached;
  if (cluster.by_dyads && reached == 1) {
    // far from singular positions
    cluster.dyads->find_map(cluster.kinematics.G());
    return status;
  }
  if (cluster.by_dyads) settle(k);
  status.determined = cluster.kinematics.determined();
  if (reached == 1 && status.determined >= smallest_determined) return status;
  // next to a fold determined() goes with the root of what is missing
  const bool at_the_end = reached == 1 || (1 - reached) * way < 1e-6;
  status.kind = at_the_end ? LoopStatus::dead_centre : LoopStatus::open;
  status.coordinate = lost_coordinate(k);
  return status;
}

LoopMap::Step LoopMap::step(int k, std::span<const double> target) {
  Cluster& cluster = clusters_[k];
  if (cluster.dyads) {
    const PlanarDyads::Outcome outcome = cluster.dyads->move(q_, target);
    if (outcome == PlanarDyads::Outcome::done) cluster.by_dyads = true;
    if (outcome == PlanarDyads::Outcome::done) return Step::done;
    if (outcome == PlanarDyads::Outcome::too_large) return Step::too_large;
    if (cluster.by_dyads) settle(k);
  }
  return newton_step(k, target);
}

LoopMap::Step LoopMap::newton_step(int k, std::span<const double> target) {
  const LoopCluster& c = loops_->clusters[k];
  ClusterKinematics<double>& kinematics = clusters_[k].kinematics;
  std::vector<double>&q = q_, &before = clusters_[k].before;
  const auto each = [&](const auto& act) {
    std::size_t n = 0;
    for (const LoopCluster::Solved& joint : c.solved)
      for (int i = 0; i < joint.nq; ++i) act(q[joint.q + i], before[n++]);
    for (const int at : c.independent_q) act(q[at], before[n++]);
  };
  each([](double now, double& kept) { kept = now; });

  // predicted along G and its curve where position numbers are those of rates; a step so long that a singular position could lie within it
  // is not tried: beyond one, the other branch may be as near
  const double longest = step_share * kinematics.determined();
  for (std::size_t i = 0; i < target.size(); ++i)
    if (!(std::abs(target[i] - q[c.independent_q[i]]) <= longest * independent_unit(c, i))) return Step::too_large;
  if (c.independent_q.size() == c.independent.size()) {
    std::vector<double>& change = clusters_[k].change;
    const std::span<const double> G = kinematics.G();
    const int a = static_cast<int>(c.independent.size());
    for (std::size_t i = 0; i < change.size(); ++i) {
      change[i] = 0;
      for (int j = 0; j < a; ++j)
        change[i] += G[cell(static_cast<int>(i), a, j)] * (target[j] - q[c.independent_q[j]]);
      if (!(std::abs(change[i]) <= longest * c.column_unit[c.dependent[i]])) return Step::too_large;
    }
    // and along the curve, half of dG/dt qd for these rates, where that saves a round: what it leaves goes with the third power
    double size = 0;
    for (std::size_t i = 0; i < change.size(); ++i)
      size = std::max(size, std::abs(change[i]) / c.column_unit[c.dependent[i]]);
    if (size * size > exact && size * size * size < exact) {
      for (int j = 0; j < a; ++j) rates_[c.coordinates[c.independent[j]]] = target[j] - q[c.independent_q[j]];
      for (std::size_t i = 0; i < change.size(); ++i) {
        rates_[c.coordinates[c.dependent[i]]] = change[i];
        curve_[c.coordinates[c.dependent[i]]] = 0;
      }
      kinematics.add_map_rate(rates_, curve_);
      for (std::size_t i = 0; i < change.size(); ++i) change[i] += curve_[c.coordinates[c.dependent[i]]] / 2;
    }
    for (const LoopCluster::Solved& joint : c.solved)
      ClusterKinematics<double>::move(joint.kind, q.data() + joint.q, change.data() + joint.first);
  }
  for (std::size_t i = 0; i < target.size(); ++i) q[c.independent_q[i]] = target[i];

  const auto back = [&](Step why) {
    each([](double& now, double kept) { now = kept; });
    settle(k);
    return why;
  };
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; last > exact; ++round) {
    kinematics.place(q);
    kinematics.factor();
    const double determined = kinematics.determined();
    if (!(determined > 0)) return back(Step::too_large);
    const double change = kinematics.close(q);
    const bool small = round == 0 ? change <= near_share * determined : change <= 0.5 * last;
    if (!(change <= 1e-14) && !small) return back(Step::too_large);
    if (round > 20) return back(Step::too_large);
    last = change;
  }
  if (last <= rounding) {
    // the equations are those where it stands now, but for rounding
    clusters_[k].by_dyads = false;
    if (clusters_[k].dyads) clusters_[k].dyads->forget();
    clusters_[k].residual = kinematics.residual();
    kinematics.find_map();
  } else {
    settle(k);
  }
  if (!(clusters_[k].residual <= largest_residual * c.length)) return back(Step::inconsistent);
  return Step::done;
}

int LoopMap::lost_coordinate(int k) const {
  // J_d x is shortest for x by inverse iteration on J_d^T J_d; y = J_d x then is the equation that is lost, y^T J_a what it
  // still asks of the independent joints: nothing but zero
  const LoopCluster& c = loops_->clusters[k];
  const ClusterKinematics<double>& kinematics = clusters_[k].kinematics;
  const int m = kinematics.row_count(), n = static_cast<int>(c.coordinates.size()),
            d = static_cast<int>(c.dependent.size());
  if (c.independent.empty() || d == 0) return -1;
  const std::span<const double> J = kinematics.J();
  std::vector<double> N(cells(d, d)), x(static_cast<std::size_t>(d), 1.0), y(static_cast<std::size_t>(m));
  double trace = 0;
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) {
      double sum = 0;
      for (int r = 0; r < m; ++r) sum += J[cell(r, n, c.dependent[i])] * J[cell(r, n, c.dependent[j])];
      N[cell(i, d, j)] = sum;
      if (i == j) trace += sum;
    }
  for (int i = 0; i < d; ++i) N[cell(i, d, i)] += 1e-14 * trace;
  std::vector<double> Q = N, RD(cells(d, d)), b;
  qr_factor<double>(Q, d, d, RD);
  for (int round = 0; round < 4; ++round) {
    b = x;
    qr_solve<double>(Q, RD, d, d, b, x);
    double largest = 0;
    for (const double entry : x) largest = std::max(largest, std::abs(entry));
    for (double& entry : x) entry /= largest;
  }
  for (int r = 0; r < m; ++r)
    for (int i = 0; i < d; ++i) y[r] += J[cell(r, n, c.dependent[i])] * x[i];
  int lost = -1;
  double most = -1;
  for (const int column : c.independent) {
    double sum = 0;
    for (int r = 0; r < m; ++r) sum += y[r] * J[cell(r, n, column)];
    if (std::abs(sum) > most) most = std::abs(sum), lost = c.coordinates[column];
  }
  return static_cast<int>(std::ranges::lower_bound(loops_->v, lost) - loops_->v.begin());
}

void LoopMap::rates(std::span<const double> x, std::span<double> all) const {
  for (std::size_t k = 0; k < loops_->v.size(); ++k) all[loops_->v[k]] = x.empty() ? 0 : x[k];
  for (const Cluster& cluster : clusters_) cluster.kinematics.complete(all);
}

void LoopMap::accelerations(std::span<const double> qd, std::span<const double> qdd_a, std::span<double> qdd) {
  rates(qdd_a, qdd);
  for (Cluster& cluster : clusters_)
    if (cluster.by_dyads)
      cluster.dyads->add_map_rate(qd, qdd);
    else
      cluster.kinematics.add_map_rate(qd, qdd);
}

void LoopMap::project(std::span<double> tau, std::span<double> tau_a) const {
  for (const Cluster& cluster : clusters_) cluster.kinematics.project(tau);
  for (std::size_t k = 0; k < loops_->v.size(); ++k) tau_a[k] = tau[loops_->v[k]];
}

void LoopMap::project_rows(std::span<const double> A, int columns, std::span<double> GA) const {
  const auto row = [columns](auto matrix, int r) {
    return matrix.subspan(cell(r, columns, 0), static_cast<std::size_t>(columns));
  };
  for (std::size_t k = 0; k < loops_->v.size(); ++k)
    std::ranges::copy(row(A, loops_->v[k]), row(GA, static_cast<int>(k)).begin());
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    const LoopCluster& cluster = loops_->clusters[c];
    const std::span<const double> G = clusters_[c].kinematics.G();
    const int a = static_cast<int>(cluster.independent.size());
    for (std::size_t i = 0; i < cluster.dependent.size(); ++i) {
      const std::span<const double> from = row(A, cluster.coordinates[cluster.dependent[i]]);
      for (int j = 0; j < a; ++j) {
        const double share = G[cell(static_cast<int>(i), a, j)];
        const std::span<double> into = row(GA, clusters_[c].v_a[j]);
        for (std::size_t k = 0; k < into.size(); ++k) into[k] += share * from[k];
      }
    }
  }
}

void LoopMap::columns(std::span<const double> A, int rows, std::span<double> AG) const {
  const int n = tree_.nv, na = loops_->nv();
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < na; ++k) AG[cell(r, na, k)] = A[cell(r, n, loops_->v[k])];
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    const LoopCluster& cluster = loops_->clusters[c];
    const std::span<const double> G = clusters_[c].kinematics.G();
    const int a = static_cast<int>(cluster.independent.size());
    for (int j = 0; j < a; ++j) {
      const int k = clusters_[c].v_a[j];
      for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (std::size_t i = 0; i < cluster.dependent.size(); ++i)
          sum += A[cell(r, n, cluster.coordinates[cluster.dependent[i]])] *
                 G[cell(static_cast<int>(i), a, j)];
        AG[cell(r, na, k)] += sum;
      }
    }
  }
}

double LoopMap::residual() {
  double largest = 0;
  for (Cluster& cluster : clusters_) {
    if (cluster.by_dyads) {
      cluster.kinematics.place(q_);
      cluster.residual = cluster.kinematics.residual();
    }
    largest = std::max(largest, cluster.residual);
  }
  return largest;
}

}  // namespace torsor
