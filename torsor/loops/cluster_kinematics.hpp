// The equations of a cluster of loops at a position, and what follows from them, over any number:
//
//   phi(q) = 0,   J = d phi / d q,   J_d G_d = -J_a,   J_d gd_d = -(dJ/dt qd)
//
// Columns: s_k = X S_k, the motions that joints allow, seen in one frame of the cluster; rows: those of joint_equations.hpp with
// the frame's origin in place of mass centres. J_d has full column rank but may have more rows than columns, of which
// some depend on others: least squares (qr.hpp) solve what is consistent, whichever rows are redundant.
// Lengths are in units of the cluster's own. O(joints of the cluster), and d^2 (d + a) for d dependent and a independent ones.
#pragma once

#include "torsor/loops/loop_model.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {

template <Analytic T>
class ClusterKinematics {
 public:
  /// Both must outlive this.
  ClusterKinematics(const Tree<T>& tree, const LoopCluster& cluster)
      : tree_(tree),
        c_(cluster),
        m_(static_cast<int>(c_.rows.size())),
        n_(static_cast<int>(c_.coordinates.size())),
        d_(static_cast<int>(c_.dependent.size())),
        a_(static_cast<int>(c_.independent.size())),
        X_(c_.bodies.size()),
        V_(c_.bodies.size()),
        A_(c_.bodies.size()),
        s_(c_.entries.size()),
        value_(c_.rows.size()),
        J_(cells(m_, n_)),
        Q_(cells(m_, d_)),
        RD_(cells(d_, d_)),
        b_(static_cast<std::size_t>(m_)),
        x_(static_cast<std::size_t>(d_)),
        G_(cells(d_, a_)),
        all_(static_cast<std::size_t>(c_.all_rows)),
        all_J_(cells(c_.all_rows, n_)) {
    place_.X_start = cast<T>(c_.X_start, [](double x) { return T(x); });
    for (const ClusterLoop& loop : c_.loops)
      for (const ClusterLoop::Side* side : {&loop.i, &loop.j})
        place_.sides.push_back(cast<T>(side->X, [](double x) { return T(x); }));
  }

  /// Poses, values and gradients at q (of the whole tree).
  void place(std::span<const T> q) {
    for (std::size_t b = 0; b < c_.bodies.size(); ++b) {
      const Body<T>& body = tree_[c_.bodies[b]];
      JointPosition<T> position;
      if (body.nv == 1) {
        const T x = body.ratio * q[body.q] + body.offset;
        set_joint_position(body.kind, &x, body.pitch, position);
      } else {
        set_joint_position(body.kind, q.data() + body.q, body.pitch, position);
      }
      const int parent = c_.parents[b];
      X_[b] = (parent < 0 ? place_.X_start : X_[parent]) * joint_transform(body.kind, body.placement, position);
      for (int e = c_.first_entry[b]; e < c_.first_entry[b + 1]; ++e) s_[e] = X_[b] * tree_.S[c_.entries[e].S];
      V_[b] = A_[b] = {};
    }
    for (T& entry : all_J_) entry = T(0);
    for_rows([&](const ClusterLoop& loop, const ConstraintRow<T>& row, int r) {
      const T unit(1 / c_.row_unit[r]);
      all_[r] = row.value * unit;
      for (const auto& [e, of_j] : loop.way)
        all_J_[cell(r, n_, c_.entries[e].column)] += dot(s_[e], of_j ? row.J_j : row.J_i) * unit;
    });
    for (int k = 0; k < m_; ++k) {
      value_[k] = all_[c_.rows[k]];
      for (int j = 0; j < n_; ++j)
        J_[cell(k, n_, j)] = all_J_[cell(c_.rows[k], n_, j)] * T(c_.column_unit[j]);
    }
  }

  /// Prepares solving for the dependent columns.
  void factor() {
    for (int k = 0; k < m_; ++k)
      for (int j = 0; j < d_; ++j) Q_[cell(k, d_, j)] = J_[cell(k, n_, c_.dependent[j])];
    if (d_ > 0) qr_factor<T>(Q_, m_, d_, RD_);
  }

  /// How well the dependent joints are determined: the smallest pivot over the longest column, 1 where there are none.
  double determined() const requires Decidable<T> {
    if (d_ == 0) return 1;
    double smallest = infinity, largest = 0;
    for (int k = 0; k < d_; ++k) {
      double square = 0;
      for (int row = 0; row < m_; ++row) {
        const double entry = number(J_[cell(row, n_, c_.dependent[k])]);
        square += entry * entry;
      }
      smallest = std::min(smallest, number(RD_[cell(k, d_, k)]));
      largest = std::max(largest, square);
    }
    return largest > 0 ? std::sqrt(std::max(smallest, 0.0) / largest) : 0;
  }

  /// One step of Newton: changes the dependent positions of q; answers the largest change, in rad and lengths of the cluster.
  double close(std::span<T> q) {
    for (int k = 0; k < m_; ++k) b_[k] = -value_[k];
    solve();
    double largest = 0;
    for (const T& x : x_) {
      const double change = std::abs(number(x));
      if (!(change <= largest)) largest = change;
    }
    for (int k = 0; k < d_; ++k) x_[k] = x_[k] * T(c_.column_unit[c_.dependent[k]]);
    for (const LoopCluster::Solved& joint : c_.solved) move(joint.kind, q.data() + joint.q, x_.data() + joint.first);
    return largest;
  }

  /// G_d from the factors: dependent rates = G_d times independent ones.
  void find_map() {
    for (int j = 0; j < a_; ++j) {
      const int column = c_.independent[j];
      for (int k = 0; k < m_; ++k) b_[k] = -J_[cell(k, n_, column)];
      solve();
      const T per_unit(1 / c_.column_unit[column]);
      for (int k = 0; k < d_; ++k) G_[cell(k, a_, j)] = x_[k] * T(c_.column_unit[c_.dependent[k]]) * per_unit;
    }
  }
  /// Row-major, dependent x independent.
  std::span<const T> G() const { return G_; }
  /// For who finds it in another way.
  std::span<T> G() { return G_; }

  /// Completes rates of the tree, the independent ones of which are given; or accelerations, less dG/dt qd_a.
  void complete(std::span<T> rates) const {
    for (int k = 0; k < d_; ++k) {
      T sum(0);
      for (int j = 0; j < a_; ++j) sum += G_[cell(k, a_, j)] * rates[coordinate(c_.independent[j])];
      rates[coordinate(c_.dependent[k])] = sum;
    }
  }

  /// Adds dG/dt qd_a to the dependent accelerations; qd of the tree is complete.
  void add_map_rate(std::span<const T> qd, std::span<T> qdd) {
    for (std::size_t b = 0; b < c_.bodies.size(); ++b) {
      const int parent = c_.parents[b];
      Motion<T> joint;
      for (int e = c_.first_entry[b]; e < c_.first_entry[b + 1]; ++e)
        joint += s_[e] * qd[coordinate(c_.entries[e].column)];
      V_[b] = (parent < 0 ? Motion<T>{} : V_[parent]) + joint;
      A_[b] = (parent < 0 ? Motion<T>{} : A_[parent]) + cross(V_[b], joint);
    }
    for_rows([&](const ClusterLoop& loop, const ConstraintRow<T>& row, int r) {
      all_[r] = (row.bias + dot(own(loop.i.body), row.J_i) + dot(own(loop.j.body), row.J_j)) * T(1 / c_.row_unit[r]);
    });
    for (int k = 0; k < m_; ++k) b_[k] = -all_[c_.rows[k]];
    solve();
    for (int k = 0; k < d_; ++k)
      qdd[coordinate(c_.dependent[k])] += x_[k] * T(c_.column_unit[c_.dependent[k]]);
  }

  /// Adds what torques at the dependent joints are at the independent ones: G_d^T tau_d. Both by numbers of the tree.
  void project(std::span<T> tau) const {
    for (int k = 0; k < d_; ++k) {
      const T& torque = tau[coordinate(c_.dependent[k])];
      for (int j = 0; j < a_; ++j) tau[coordinate(c_.independent[j])] += G_[cell(k, a_, j)] * torque;
    }
  }

  /// Values of all rows at the last place() in m or rad, of those kept and those that are always zero: the largest.
  double residual() const {
    double largest = 0;
    for (int r = 0; r < c_.all_rows; ++r) {
      const double value = std::abs(number(all_[r])) * c_.row_unit[r];
      if (!(value <= largest)) largest = value;
    }
    return largest;
  }

  /// J by kept rows and columns, in the cluster's units.
  std::span<const T> J() const { return J_; }
  std::span<const T> value() const { return value_; }
  int row_count() const { return m_; }

  /// What entry e of the cluster allows, in the frame of the cluster, at the last place().
  const Motion<T>& motion(int e) const { return s_[e]; }

  /// A body of the cluster in its frame, at the last place().
  Transform<T> body(int b) const { return pose(b); }

  /// A joint's frame in the frame of the cluster, at the last place().
  Transform<T> frame(std::size_t loop, bool of_j) const {
    const ClusterLoop& l = c_.loops[loop];
    return pose((of_j ? l.j : l.i).body) * place_.sides[2 * loop + (of_j ? 1 : 0)];
  }

  /// take(loop, row, its number) of all rows at the last place(): gradients about the origin of the cluster's frame.
  template <class Take>
  void for_rows(const Take& take) {
    for (std::size_t l = 0; l < c_.loops.size(); ++l) {
      const ClusterLoop& loop = c_.loops[l];
      const JointEquations<T> equations =
          joint_equations(loop.kind, loop.sizes, joint_place(loop.i.body, place_.sides[2 * l]),
                          joint_place(loop.j.body, place_.sides[2 * l + 1]));
      for (int r = 0; r < equations.count; ++r) take(loop, equations.rows[r], loop.first_row + r);
    }
  }

  static void move(JointKind kind, T* q, const T* change) {
    std::array<T, 7> rate{};
    joint_position_rate(kind, q, change, rate.data());
    for (int k = 0; k < row(kind).nq; ++k) q[k] += rate[k];
    if (row(kind).nq < 4) return;
    const Quaternion<T> e = normalized(Quaternion<T>{q[0], q[1], q[2], q[3]});
    q[0] = e.e0, q[1] = e.e1, q[2] = e.e2, q[3] = e.e3;
  }

 private:
  static double number(double x) { return x; }
  template <class U, int N>
  static double number(const Dual<U, N>& x) {
    return number(x.value);
  }
  int coordinate(int column) const { return c_.coordinates[column]; }
  Transform<T> pose(int body) const { return body < 0 ? place_.X_start : X_[body]; }

  /// Acceleration of the body and of its point at the origin, while no joint accelerates.
  Motion<T> own(int body) const {
    if (body < 0) return {};
    const Motion<T>&V = V_[body], &A = A_[body];
    return {A.w, A.v + cross(V.w, V.v)};
  }

  JointPlace<T> joint_place(int body, const Transform<T>& X_frame) const {
    const Transform<T> X = pose(body) * X_frame;
    const Motion<T> V = body < 0 ? Motion<T>{} : V_[body];
    const Vec3<T> turn = cross(V.w, X.p);
    return {X.p, X.p, X.R, V.w, V.v + turn, cross(V.w, turn)};
  }

  void solve() {
    if (d_ > 0) qr_solve<T>(Q_, RD_, m_, d_, b_, x_);
  }

  struct Placed {
    Transform<T> X_start;
    std::vector<Transform<T>> sides;  // i and j of each loop
  };

  const Tree<T>& tree_;
  const LoopCluster& c_;
  Placed place_;
  int m_, n_, d_, a_;
  std::vector<Transform<T>> X_;
  std::vector<Motion<T>> V_, A_, s_;
  std::vector<T> value_, J_, Q_, RD_, b_, x_, G_, all_, all_J_;
};

}  // namespace torsor
