#include "torsor/codegen/closed_functions.hpp"

#include <fmt/format.h>

#include "torsor/dynamics/forward_mass_matrix.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/loops/dyad_forms.hpp"
#include "torsor/scalar/dual.hpp"

namespace torsor {
namespace {

template <Ordered T>
class ClosedRobot {
 public:
  template <class Convert>
  ClosedRobot(const Robot& robot, const Frame<double>& tool, const Convert& convert)
      : loops_(*robot.loops()),
        real_(robot.tree()),
        tree_(cast<T>(robot.tree(), convert)),
        tool_{tool.name, tool.body, cast<T>(tool.X_body_frame, convert)},
        configuration_(tree_),
        solve_(tree_),
        X_(tree_.bodies.size()),
        q_(static_cast<std::size_t>(tree_.nq)) {
    for (const LoopCluster& c : loops_.clusters) {
      Cluster& cluster = clusters_.emplace_back();
      for (const DyadPlan::Loop& loop : c.dyads->loops) cluster.places.push_back(Forms::place_of(loop));
      cluster.G.assign(cells(static_cast<int>(c.dependent.size()), static_cast<int>(c.independent.size())), T(0));
    }
  }

  std::size_t n() const { return loops_.v.size(); }

  /// Closes the loops at q_a.
  void place(std::span<const T> q_a) {
    for (std::size_t k = 0; k < q_.size(); ++k) q_[k] = T(loops_.reference[k]);
    for (std::size_t k = 0; k < loops_.q.size(); ++k) q_[static_cast<std::size_t>(loops_.q[k])] = q_a[k];
    for (std::size_t c = 0; c < clusters_.size(); ++c) close(loops_.clusters[c], clusters_[c]);
    configuration_.set(tree_, q_);
    for (std::size_t c = 0; c < clusters_.size(); ++c) turn(loops_.clusters[c], clusters_[c]);
  }

  /// Where place() was; an empty qd or qdd stands for zero, and without velocities nothing rubs.
  void inverse(std::span<const T> qd_a, std::span<const T> qdd_a, std::span<T> tau_a) {
    const std::vector<T> qd = rates(qd_a), qdd = accelerations(qd_a, qd, qdd_a);
    std::vector<T> tau(static_cast<std::size_t>(tree_.nv));
    inverse_newton_euler<T>(tree_, configuration_, qd, qdd, {}, solve_.newton_euler, tau);
    add_joint_friction<T>(tree_, q_, qd, T(1), tau);
    project(tau, tau_a);
  }

  void mass(std::span<T> M_a) {
    const std::size_t all = static_cast<std::size_t>(tree_.nv);
    inertia_composite_body<T>(tree_, configuration_, solve_.composite, solve_.M);
    // columns of M G, then rows of its transpose
    std::vector<T> unit(n()), MG(all);
    for (std::size_t k = 0; k < n(); ++k) {
      for (std::size_t i = 0; i < n(); ++i) unit[i] = T(i == k ? 1 : 0);
      const std::vector<T> G_k = rates(unit);
      for (std::size_t i = 0; i < all; ++i) {
        MG[i] = T(0);
        for (std::size_t j = 0; j < all; ++j) MG[i] += solve_.M[i * all + j] * G_k[j];
      }
      project(MG, unit);
      for (std::size_t i = 0; i <= k; ++i) M_a[i * n() + k] = M_a[k * n() + i] = unit[i];
    }
  }

  void forward(std::span<const T> qd_a, std::span<const T> tau_a, std::span<T> qdd_a) {
    std::vector<T> bias(n()), M(n() * n());
    inverse(qd_a, {}, bias);
    mass(M);
    for (std::size_t k = 0; k < n(); ++k) qdd_a[k] = tau_a[k] - bias[k];
    ldlt_factor<T>(M, static_cast<int>(n()));
    ldlt_solve<T>(M, static_cast<int>(n()), qdd_a);
  }

  /// Pose, and behind it the Jacobian where there is space for it.
  void tool(std::span<T> results) {
    forward_kinematics<T>(tree_, configuration_, X_);
    const Transform<T> X = frame_pose<T>(tool_, X_);
    const Mat3<T>& R = X.R;
    std::size_t at = 0;
    for (const T& entry : {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z, X.p.x, X.p.y, X.p.z})
      results[at++] = entry;
    if (results.size() == at) return;
    const std::size_t all = static_cast<std::size_t>(tree_.nv);
    std::vector<T> J(6 * all), row(n());
    jacobian<T>(tree_, X_, tool_.body, X.p, J);
    for (std::size_t r = 0; r < 6; ++r) {
      project(std::vector<T>(J.begin() + static_cast<std::ptrdiff_t>(r * all),
                             J.begin() + static_cast<std::ptrdiff_t>((r + 1) * all)),
              row);
      std::ranges::copy(row, results.begin() + static_cast<std::ptrdiff_t>(at + r * n()));
    }
  }

 private:
  using Forms = DyadForms<T>;
  using Turn = PlaneTurn<T>;
  struct Cluster {
    std::vector<typename Forms::Place> places;
    std::vector<T> G;  // dependent x independent
  };

  const LoopModel& loops_;
  const Model<double>& real_;
  Model<T> tree_;
  Frame<T> tool_;
  Configuration<T> configuration_;
  MassMatrixWork<T> solve_;
  std::vector<Transform<T>> X_;
  std::vector<T> q_;
  std::vector<Cluster> clusters_;

  /// The turn by gain (x - at) for a gain of 1 or -1, from the sine and cosine of x, which others take, too.
  static Turn turn_from(const DyadPlan::Link& link, const T& x) {
    T s, c;
    set_sine_cosine(x, s, c);
    const Turn turned = Turn{c, s} * Turn{T(std::cos(link.at_reference)), T(-std::sin(link.at_reference))};
    return {turned.c, T(link.gain) * turned.s};
  }

  void close(const LoopCluster& c, Cluster& cluster) {
    const std::vector<DyadPlan::Loop>& loops = c.dyads->loops;
    for (std::size_t l = 0; l < loops.size(); ++l) {
      const DyadPlan::Loop& loop = loops[l];
      auto& place = cluster.places[l];
      for (int k = 0; k < static_cast<int>(loop.links.size()); ++k) {
        const DyadPlan::Link& link = loop.links[static_cast<std::size_t>(k)];
        const auto at = static_cast<std::size_t>(k);
        const T& x = q_[static_cast<std::size_t>(link.q)];
        place.s[at] = T(0);
        if (k == loop.first || k == loop.second) {
          place.c[at] = T(link.slides ? 0 : 1);
        } else if (link.slides) {
          place.c[at] = T(link.gain) * (x - T(link.at_reference));
        } else if (const Turn* known = solved(loops, cluster, l, link); known) {
          place.c[at] = known->c, place.s[at] = known->s;
        } else if (link.gain * link.gain == 1) {
          const Turn turned = turn_from(link, x);
          place.c[at] = turned.c, place.s[at] = turned.s;
        } else {
          set_sine_cosine(T(link.gain) * (x - T(link.at_reference)), place.s[at], place.c[at]);
        }
      }
      Forms::pose(loop, place);
      Forms::solve(loop, place, q_);
      Forms::find_columns(loop, place);
      Forms::find_map(loop, place, static_cast<int>(c.independent.size()), cluster.G);
    }
  }

  /// The turn of a joint that an earlier loop was solved for.
  const Turn* solved(const std::vector<DyadPlan::Loop>& loops, const Cluster& cluster, std::size_t before,
                     const DyadPlan::Link& link) {
    if (link.dependent < 0) return nullptr;
    for (std::size_t l = 0; l < before; ++l)
      for (const int k : {loops[l].first, loops[l].second}) {
        const DyadPlan::Link& own = loops[l].links[static_cast<std::size_t>(k)];
        if (own.dependent != link.dependent || own.gain != link.gain) continue;
        known_ = {cluster.places[l].c[static_cast<std::size_t>(k)], cluster.places[l].s[static_cast<std::size_t>(k)]};
        return &known_;
      }
    return nullptr;
  }
  Turn known_;

  /// Cosines and sines of the joints that were solved for, without angles.
  void turn(const LoopCluster& c, const Cluster& cluster) {
    for (std::size_t l = 0; l < c.dyads->loops.size(); ++l) {
      const DyadPlan::Loop& loop = c.dyads->loops[l];
      for (const int k : {loop.first, loop.second}) {
        const DyadPlan::Link& link = loop.links[static_cast<std::size_t>(k)];
        if (link.slides) continue;
        for (const int b : c.bodies) {
          const Body<T>& body = tree_[b];
          if (body.nv != 1 || body.v != link.v) continue;
          const double ratio = real_[b].ratio, start = ratio * link.at_reference + real_[b].offset;
          const Turn turned = Turn{T(std::cos(start)), T(std::sin(start))} *
                              Turn{cluster.places[l].c[static_cast<std::size_t>(k)],
                                   T(ratio / link.gain) * cluster.places[l].s[static_cast<std::size_t>(k)]};
          configuration_[b].c = turned.c, configuration_[b].s = turned.s;
        }
      }
    }
  }

  std::vector<T> rates(std::span<const T> x) const {
    if (x.empty()) return {};
    std::vector<T> all(static_cast<std::size_t>(tree_.nv), T(0));
    for (std::size_t k = 0; k < loops_.v.size(); ++k) all[static_cast<std::size_t>(loops_.v[k])] = x[k];
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const LoopCluster& own = loops_.clusters[c];
      const int a = static_cast<int>(own.independent.size());
      for (int i = 0; i < static_cast<int>(own.dependent.size()); ++i) {
        T& sum = all[coordinate(own, own.dependent[static_cast<std::size_t>(i)])];
        for (int j = 0; j < a; ++j)
          sum += clusters_[c].G[cell(i, a, j)] * all[coordinate(own, own.independent[static_cast<std::size_t>(j)])];
      }
    }
    return all;
  }

  std::vector<T> accelerations(std::span<const T> qd_a, std::span<const T> qd, std::span<const T> qdd_a) const {
    std::vector<T> all = rates(qdd_a);
    if (qd_a.empty()) return all;
    if (all.empty()) all.assign(static_cast<std::size_t>(tree_.nv), T(0));
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const LoopCluster& own = loops_.clusters[c];
      std::vector<T> rate(own.dependent.size());
      for (std::size_t l = 0; l < own.dyads->loops.size(); ++l)
        Forms::find_map_rate(own.dyads->loops[l], clusters_[c].places[l], qd, rate);
      for (std::size_t i = 0; i < rate.size(); ++i) all[coordinate(own, own.dependent[i])] += rate[i];
    }
    return all;
  }

  /// G^T tau.
  void project(std::vector<T> tau, std::span<T> tau_a) const {
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const LoopCluster& own = loops_.clusters[c];
      const int a = static_cast<int>(own.independent.size());
      for (int i = 0; i < static_cast<int>(own.dependent.size()); ++i)
        for (int j = 0; j < a; ++j)
          tau[coordinate(own, own.independent[static_cast<std::size_t>(j)])] +=
              clusters_[c].G[cell(i, a, j)] * tau[coordinate(own, own.dependent[static_cast<std::size_t>(i)])];
    }
    for (std::size_t k = 0; k < loops_.v.size(); ++k) tau_a[k] = tau[static_cast<std::size_t>(loops_.v[k])];
  }

  static std::size_t coordinate(const LoopCluster& c, int column) {
    return static_cast<std::size_t>(c.coordinates[static_cast<std::size_t>(column)]);
  }
};

/// Coordinate k moves.
template <class T>
std::vector<Dual<T>> along(std::span<const T> x, int k) {
  std::vector<Dual<T>> out;
  for (int i = 0; i < static_cast<int>(x.size()); ++i)
    out.emplace_back(x[static_cast<std::size_t>(i)], std::array{T(i == k ? 1 : 0)});
  return out;
}

template <class T>
void derivatives(ClosedRobot<Dual<T>>& robot, std::span<const T> q, std::span<const T> qd, std::span<const T> qdd,
                 std::span<T> results) {
  using D = Dual<T>;
  const int n = static_cast<int>(robot.n());
  std::vector<D> tau(robot.n()), M(robot.n() * robot.n());
  for (int k = 0; k < n; ++k)
    for (const bool by_position : {true, false}) {
      robot.place(along(q, by_position ? k : -1));
      robot.inverse(along(qd, by_position ? -1 : k), along(qdd, -1), tau);
      for (int i = 0; i < n; ++i)
        results[cell(by_position ? 0 : n, n, 0) + cell(i, n, k)] = tau[static_cast<std::size_t>(i)].tangent[0];
    }
  robot.place(along(q, -1));
  robot.mass(M);
  for (std::size_t k = 0; k < M.size(); ++k) results[2 * M.size() + k] = M[k].value;
}

/// By Christoffel coefficients: C_ij = sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) qd_k / 2.
template <class T>
void coriolis(ClosedRobot<Dual<T>>& robot, std::span<const T> q, std::span<const T> qd, std::span<T> C) {
  using D = Dual<T>;
  const int n = static_cast<int>(robot.n());
  std::vector<std::vector<D>> by(robot.n(), std::vector<D>(robot.n() * robot.n()));
  for (int k = 0; k < n; ++k) {
    robot.place(along(q, k));
    robot.mass(by[static_cast<std::size_t>(k)]);
  }
  const auto slope = [&](int i, int j, int k) { return by[static_cast<std::size_t>(k)][cell(i, n, j)].tangent[0]; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      T sum(0);
      for (int k = 0; k < n; ++k)
        sum += (slope(i, j, k) + slope(i, k, j) - slope(j, k, i)) * T(0.5) * qd[static_cast<std::size_t>(k)];
      C[cell(i, n, j)] = sum;
    }
}

template <class T>
void run(const Robot& robot, const Frame<double>& tool, CodeFunction function, std::span<const T> arguments,
         std::span<T> results) {
  const auto nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
  const std::span<const T> q = arguments.first(nq);
  const auto rates = [&](std::size_t k) { return arguments.subspan(nq + k * nv, nv); };
  if (function == CodeFunction::derivatives || function == CodeFunction::coriolis) {
    ClosedRobot<Dual<T>> closed(robot, tool, [](double x) { return Dual<T>(T(x)); });
    if (function == CodeFunction::coriolis) return coriolis<T>(closed, q, rates(0), results);
    return derivatives<T>(closed, q, rates(0), rates(1), results);
  }
  ClosedRobot<T> closed(robot, tool, [](double x) { return T(x); });
  closed.place(q);
  switch (function) {
    case CodeFunction::id: return closed.inverse(rates(0), rates(1), results);
    case CodeFunction::bias: return closed.inverse(rates(0), {}, results);
    case CodeFunction::gravity: return closed.inverse({}, {}, results);
    case CodeFunction::mass: return closed.mass(results);
    case CodeFunction::fd: return closed.forward(rates(0), rates(1), results);
    default: return closed.tool(results);
  }
}

}  // namespace

Faults refuse_closed(const Robot& robot, CodeFunction function) {
  Faults errors;
  if (function == CodeFunction::ik)
    errors.push_back({{},
                      "function \"ik\"",
                      "codegen-ik",
                      "a robot with loops has no closed form for code",
                      "ask for the others; poses of parallel robots are solved leg by leg"});
  if (robot.nq() != robot.nv() && (function == CodeFunction::derivatives || function == CodeFunction::coriolis))
    errors.push_back({{},
                      fmt::format("function \"{}\"", row(function).name),
                      "codegen-loops",
                      "with loops it is not there for ball, planar and free joints",
                      "ask for the others"});
  for (const LoopCluster& c : robot.loops()->clusters)
    if (!c.dyads)
      errors.push_back(
          {robot.description().loops[static_cast<std::size_t>(c.loops.front().loop)].where,
           fmt::format("loop \"{}\"", robot.description().loops[static_cast<std::size_t>(c.loops.front().loop)].name),
           "codegen-loops",
           "it has no closed form: it does not lie in a plane, or not two joints of it at a time can be solved for",
           "a planar loop closes by a hinge and has revolute and prismatic "
           "joints"});
  return errors;
}

void run_closed(const Robot& robot, const Frame<double>& tool, CodeFunction function, std::span<const double> arguments,
                std::span<double> results) {
  run<double>(robot, tool, function, arguments, results);
}

void run_closed(const Robot& robot, const Frame<double>& tool, CodeFunction function, std::span<const Trace> arguments,
                std::span<Trace> results) {
  run<Trace>(robot, tool, function, arguments, results);
}

}  // namespace torsor
