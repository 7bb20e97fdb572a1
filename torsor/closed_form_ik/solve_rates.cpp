#include "torsor/closed_form_ik/solve_rates.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/closed_form_ik/rates_at_singularity.hpp"
#include "torsor/closed_form_ik/wrist_partition.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

/// Joints 1 to 3 by Cramer's rule in cross products: the inverse of the matrix with the columns C.
struct ArmInverse {
  Vec row[3];
  double det;

  explicit ArmInverse(const std::array<Vec, 3>& C)
      : row{cross(C[1], C[2]), cross(C[2], C[0]), cross(C[0], C[1])}, det(dot(C[0], row[0])) {
    const double inverse = 1 / det;
    for (Vec& r : row) r = r * inverse;
  }
  Vec operator*(const Vec& v) const { return {dot(row[0], v), dot(row[1], v), dot(row[2], v)}; }
};

/// Joints 4 to 6 in the axes behind the turn of joint 4, where x is across axes 4 and 5:
/// e4 = (0, 0, 1), e5 = (0, -sa4, ca4), e6 = (s5 sa5, y, z).
struct WristInverse {
  double sa4, ca4, x, y, z;
  double by_x, by_sa4;  // reciprocals

  WristInverse(const WristArm& arm, const IkBranch& b)
      : sa4(arm.joint[3].sa), ca4(arm.joint[3].ca), x(b.s[4] * arm.joint[4].sa), by_x(1 / x), by_sa4(1 / sa4) {
    const double across = b.c[4] * arm.joint[4].sa, along = arm.joint[4].ca;
    y = -ca4 * across - sa4 * along;
    z = ca4 * along - sa4 * across;
  }
  Vec operator*(const Vec& w) const {
    const double six = w.x * by_x, five = (y * six - w.y) * by_sa4;
    return {w.z - ca4 * five - z * six, five, six};
  }
};

double sum(const std::array<double, 6>& x) { return x[0] + x[1] + x[2] + x[3] + x[4] + x[5]; }

}  // namespace

JointRates solve_rates(const WristArm& arm, const IkBranch& b, const ToolMotion& motion) {
  JointRates out;
  out.factor = std::min({b.factor[0], b.factor[1], b.factor[2]});
  const detail::WristPartition part = detail::wrist_partition(arm, b, motion.point);

  // step 1
  const detail::WristMotion asked = detail::wrist_motion(arm, part, motion);
  const std::array<Vec, 3>&C = part.C, &Z = part.Z;
  const ArmInverse arm_inverse(C);
  const WristInverse wrist_inverse(arm, b);
  const bool flagged = b.singular[0] || b.singular[1] || b.singular[2];
  if (flagged || arm_inverse.det == 0 || wrist_inverse.x == 0) {
    detail::rates_at_singularity(arm, b, part, motion, out);
  } else {
    // step 2: (w_{j-1} + w_j) x C_j qd_j is what joint j adds to Cd qd
    const Vec qd = arm_inverse * asked.v;
    const Vec w1 = Z[0] * qd.x, w2 = w1 + Z[1] * qd.y, w3 = w2 + Z[2] * qd.z;
    const Vec bias = cross(w1, C[0] * qd.x) + cross(w1 + w2, C[1] * qd.y) + cross(w2 + w3, C[2] * qd.z);
    const Vec qdd = arm_inverse * (asked.vd - bias);

    // step 3
    const Vec w3d = Z[0] * qdd.x + Z[1] * qdd.y + Z[2] * qdd.z + cross(w1, Z[1] * qd.y) + cross(w2, Z[2] * qd.z);
    const Vec relative = asked.w - w3, relative_d = asked.wd - w3d - cross(w3, relative);
    const auto behind_4 = [&](Vec x) {
      x = turn_x(arm.joint[1].ca, -arm.joint[1].sa, x);
      x = turn_z(b.c[2], -b.s[2], x);
      x = turn_x(arm.joint[2].ca, -arm.joint[2].sa, x);
      return turn_z(b.c[3], -b.s[3], x);
    };

    // step 4
    const Vec wh = behind_4(relative), theta_d = wrist_inverse * wh;
    const Vec e5{0, -wrist_inverse.sa4, wrist_inverse.ca4}, e6{wrist_inverse.x, wrist_inverse.y, wrist_inverse.z};
    const Vec w4{0, 0, theta_d.x}, w5_added = e5 * theta_d.y, w6_added = e6 * theta_d.z;
    const Vec bias_h = cross(w4, w5_added) + cross(w4 + w5_added, w6_added);
    const Vec theta_dd = wrist_inverse * (behind_4(relative_d) - bias_h);

    out.qd = detail::of_robot(arm, {qd.x, qd.y, qd.z, theta_d.x, theta_d.y, theta_d.z});
    out.qdd = detail::of_robot(arm, {qdd.x, qdd.y, qdd.z, theta_dd.x, theta_dd.y, theta_dd.z});
    if (out.factor < near_singular_factor) out.status = RateStatus::near_singular;
  }
  if (!std::isfinite(sum(out.qd)) || !std::isfinite(sum(out.qdd))) {
    out = {};
    out.status = RateStatus::not_finite;
  }
  return out;
}

}  // namespace torsor
