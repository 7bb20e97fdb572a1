#include "torsor/closed_form_ik/rates_at_singularity.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "torsor/closed_form_ik/solve_rates.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/singular_values.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// below the singular distance of positions, above the rounding of the columns
constexpr double rank_tolerance = 1e-13;

/// A 3 x n matrix by its singular values, n at most 6: the columns are turned against each other until they are
/// perpendicular, s_k u_k, and V holds the turns.
struct Block {
  int n, rank = 0;
  std::array<double, 18> US{};  // row k is s_k u_k
  std::array<double, 6> S{};
  std::array<double, 36> V{};

  Block(std::span<const Vec> columns, int most) : n(static_cast<int>(columns.size())) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      US[3 * j] = columns[j].x;
      US[3 * j + 1] = columns[j].y;
      US[3 * j + 2] = columns[j].z;
    }
    singular_values<double>(US, n, 3, V, S);
    rank = std::min(rank_of<double>(std::span(S).first(columns.size()), rank_tolerance), most);
  }
  double length(int k) const { return S[static_cast<std::size_t>(k)]; }
  Vec left(int k) const {
    const auto at = [&](int i) { return US[cell(k, 3, i)] / length(k); };
    return {at(0), at(1), at(2)};
  }
  double right(int i, int k) const { return V[cell(i, n, k)]; }

  /// The shortest solution for b, which becomes the residual.
  std::array<double, 6> shortest(Vec& b) const {
    std::array<double, 6> x{};
    for (int k = 0; k < rank; ++k) {
      const Vec u = left(k);
      const double along = dot(u, b);
      b -= u * along;
      for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] += right(i, k) * (along / length(k));
    }
    return x;
  }

  /// Calls visit(u) for unit vectors that span what the columns do not.
  template <class Visit>
  void beyond(const Visit& visit) const {
    if (rank == 2) visit(unit(cross(left(0), left(1))));
    if (rank > 1) return;
    const Mat3<double> R = rotation_z_onto(rank == 1 ? left(0) : Vec{0, 0, 1});
    visit(R.x);
    visit(R.y);
    if (rank == 0) visit(R.z);
  }
};

/// Both blocks at one position.
struct Remaining {
  std::array<Vec, 3> C, Z, E;  // slides per arm length
  std::array<double, 3> scale{1, 1, 1};
  Block arm_block;
  int idle_arm;  // motions of joints 1 to 3 that leave the wrist point alone
  Block wrist_block;

  Remaining(const WristArm& arm, const IkBranch& b, const detail::WristPartition& part)
      : C(part.C),
        Z(part.Z),
        E(axes(arm, b)),
        arm_block(scaled(arm), b.singular[0] || b.singular[1] ? 2 : 3),
        idle_arm(3 - arm_block.rank),
        wrist_block(wrist_columns()) {}

  /// Rates that move the wrist point with v and turn the tool with w as nearly as can be; v and w become what is missed.
  std::array<double, 6> solve(Vec& v, Vec& w) const {
    const std::array<double, 6> first = arm_block.shortest(v);
    for (std::size_t i = 0; i < 3; ++i) w -= Z[i] * first[i];
    const std::array<double, 6> y = wrist_block.shortest(w);
    std::array<double, 6> x = combined(y);
    for (std::size_t i = 0; i < 3; ++i) x[i] += first[i] * scale[i];
    return x;
  }

  /// (psi, y) as rates of the six joints.
  std::array<double, 6> combined(const std::array<double, 6>& y) const {
    std::array<double, 6> x{0, 0, 0, y[0], y[1], y[2]};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < idle_arm; ++k)
        x[static_cast<std::size_t>(i)] += scale[static_cast<std::size_t>(i)] * arm_block.right(i, arm_block.rank + k) *
                                          y[3 + static_cast<std::size_t>(k)];
    return x;
  }

 private:
  static std::array<Vec, 3> axes(const WristArm& arm, const IkBranch& b) {
    Mat3<double> R = Mat3<double>::identity();
    std::array<Vec, 3> out;
    for (std::size_t i = 1; i < 5; ++i) {
      if (i > 1) R = times_rotation_z(R, b.c[i], b.s[i]);
      R = times_rotation_x(R, arm.joint[i].ca, arm.joint[i].sa);
      if (i > 1) out[i - 2] = R.z;
    }
    return out;
  }
  std::array<Vec, 3>& scaled(const WristArm& arm) {
    for (std::size_t i = 0; i < 3; ++i)
      if (arm.joint[i].prismatic) {
        scale[i] = arm.size;
        C[i] = C[i] * arm.size;
      }
    return C;
  }
  Block wrist_columns() const {
    std::array<Vec, 6> columns{E[0], E[1], E[2], {}, {}, {}};
    for (int k = 0; k < idle_arm; ++k)
      for (int i = 0; i < 3; ++i)
        columns[3 + static_cast<std::size_t>(k)] +=
            Z[static_cast<std::size_t>(i)] * arm_block.right(i, arm_block.rank + k);
    return {std::span(columns).first(3 + static_cast<std::size_t>(idle_arm)), 3};
  }
};

}  // namespace

void detail::rates_at_singularity(const WristArm& arm, const IkBranch& b, const WristPartition& part,
                                  const ToolMotion& motion, JointRates& out) {
  const Remaining remaining(arm, b, part);
  const std::array<Vec, 3>&C = part.C, &Z = part.Z, &E = remaining.E;
  // what is missed at the wrist point, at the point asked for
  const double sign = arm.backwards ? -1 : 1;
  const auto missed = [&](const Vec& w, const Vec& v) {
    return Motion<double>{part.R * (w * sign), part.R * ((v - cross(w, part.r)) * sign)};
  };

  const WristMotion asked = wrist_motion(arm, part, motion);
  Vec w = asked.w, v = asked.v;
  const std::array<double, 6> qd = remaining.solve(v, w);
  out.missed_twist = missed(w, v);

  // joint i adds (w_{i-1} + w_i) x C_i qd_i to the acceleration of the wrist point, w_{i-1} x z_i qd_i to the turning
  Vec turning, bias_w, bias_v;
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec added = (i < 3 ? Z[i] : E[i - 3]) * qd[i];
    bias_w += cross(turning, added);
    if (i < 3) bias_v += cross(turning * 2.0 + added, C[i] * qd[i]);
    turning += added;
  }
  const WristMotion left = wrist_motion(arm, part, {motion.twist - out.missed_twist, motion.acceleration, {}});
  Vec vd = left.vd - bias_v, wd = left.wd - bias_w;
  const std::array<double, 6> qdd = remaining.solve(vd, wd);
  out.missed_acceleration = missed(wd, vd);

  out.qd = of_robot(arm, qd);
  out.qdd = of_robot(arm, qdd);
  out.factor = 0;
  out.status = RateStatus::singular;
}

LostMotions lost_motions(const WristArm& arm, const IkBranch& b) {
  LostMotions out;
  const detail::WristPartition part = detail::wrist_partition(arm, b, {});
  const Remaining remaining(arm, b, part);
  const auto lose = [&](const Motion<double>& m) { out.lost[static_cast<std::size_t>(out.count++)] = m; };
  remaining.arm_block.beyond([&](const Vec& u) { lose({{}, part.R * u}); });
  remaining.wrist_block.beyond([&](const Vec& u) { lose({part.R * u, {}}); });

  for (int k = 0; k < out.count; ++k) {
    std::array<double, 6> y{};
    for (int i = 0; i < remaining.wrist_block.n; ++i)
      y[static_cast<std::size_t>(i)] = remaining.wrist_block.right(i, remaining.wrist_block.rank + k);
    std::array<double, 6>& x = out.idle[static_cast<std::size_t>(k)];
    x = detail::of_robot(arm, remaining.combined(y));
    double greatest = 0;
    for (const double rate : x) greatest = std::abs(rate) > std::abs(greatest) ? rate : greatest;
    for (std::size_t i = 0; i < 6; ++i) {
      x[i] /= greatest;
      out.involved[i] = out.involved[i] || std::abs(x[i]) > 1e-9;
    }
  }
  return out;
}

}  // namespace torsor
