#include "torsor/closed_form_ik/loop_box.hpp"

#include <cmath>

#include "torsor/numeric/lu.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor {
namespace {

struct Closure {
  std::array<Interval, 6> error;   // (half the skew part of the rotation; place) of the end
  std::array<Interval, 36> slope;  // by the joints, row-major
  bool near_identity = false;      // a rotation without skew part is none then

  Closure(const IntervalLoop& C, const LoopBox& q) {
    std::array<Vec3<Interval>, 6> z, o;
    Transform<Interval> X;
    for (std::size_t i = 0; i < 6; ++i) {
      z[i] = X.R.z;
      o[i] = X.p;
      X.R = turned_z(X.R, q[i]);
      X = X * C[i];
    }
    const Mat3<Interval>& R = X.R;
    const auto skew = [](const Mat3<Interval>& A) {
      const Interval half(0.5);
      return Vec3<Interval>{(A.y.z - A.z.y) * half, (A.z.x - A.x.z) * half, (A.x.y - A.y.x) * half};
    };
    const Vec3<Interval> w = skew(R);
    error = {w.x, w.y, w.z, X.p.x, X.p.y, X.p.z};
    near_identity = (R.x.x + R.y.y + R.z.z).low > 2;
    for (std::size_t i = 0; i < 6; ++i) {
      const Vec3<Interval> dw = skew({cross(z[i], R.x), cross(z[i], R.y), cross(z[i], R.z)});
      const Vec3<Interval> dp = cross(z[i], X.p - o[i]);
      const Interval column[] = {dw.x, dw.y, dw.z, dp.x, dp.y, dp.z};
      for (std::size_t r = 0; r < 6; ++r) slope[6 * r + i] = column[r];
    }
  }
};

}  // namespace

IntervalLoop around(const TurningLoop& loop) {
  constexpr double rounding = 4e-15;
  IntervalLoop out;
  for (std::size_t k = 0; k < 6; ++k) {
    const Transform<double>& C = loop.C[k];
    const Mat3<double> off = ~C.R * C.R - Mat3<double>::identity();
    const double defect = std::max({norm(off.x), norm(off.y), norm(off.z)});
    const auto wide = [](const Vec3<double>& v, double by) {
      return Vec3<Interval>{{v.x - by, v.x + by}, {v.y - by, v.y + by}, {v.z - by, v.z + by}};
    };
    const double by = rounding + 2 * defect;
    out[k] = {{wide(C.R.x, by), wide(C.R.y, by), wide(C.R.z, by)}, wide(C.p, by * (1 + norm(C.p)))};
  }
  return out;
}

Mat3<Interval> turned_z(const Mat3<Interval>& R, const Interval& angle) {
  return times_rotation_z(R, cos(angle), sin(angle));
}

BoxHolds count_in(const IntervalLoop& C, LoopBox& box) {
  constexpr int most_steps = 12;
  bool is_one = false;
  for (int round = 0; round < most_steps; ++round) {
    const Closure wide(C, box);
    LoopBox centre;
    std::array<double, 36> J, Y{};
    for (std::size_t i = 0; i < 6; ++i) centre[i] = Interval(box[i].middle());
    for (std::size_t i = 0; i < 36; ++i) J[i] = wide.slope[i].middle();
    std::array<int, 6> rows;
    if (!(lu_factor<double>(J, 6, rows) > 0)) return BoxHolds::unknown;
    for (std::size_t k = 0; k < 6; ++k) {
      std::array<double, 6> unit{}, x;
      unit[k] = 1;
      lu_solve<double>(J, 6, rows, unit, x);
      for (std::size_t i = 0; i < 6; ++i) Y[6 * i + k] = x[i];
    }
    const Closure at(C, centre);
    // centre - Y F(centre) + (1 - Y J) (box - centre)
    bool inside = true, changed = false;
    LoopBox next;
    for (std::size_t i = 0; i < 6; ++i) {
      Interval k = centre[i];
      for (std::size_t r = 0; r < 6; ++r) k -= Interval(Y[6 * i + r]) * at.error[r];
      for (std::size_t j = 0; j < 6; ++j) {
        Interval off(i == j ? 1 : 0);
        for (std::size_t r = 0; r < 6; ++r) off -= Interval(Y[6 * i + r]) * wide.slope[6 * r + j];
        k += off * (box[j] - centre[j]);
      }
      if (!std::isfinite(k.low) || !std::isfinite(k.high)) return BoxHolds::unknown;
      if (k.high < box[i].low || k.low > box[i].high) return BoxHolds::none;
      inside = inside && k.low > box[i].low && k.high < box[i].high;
      next[i] = {std::max(k.low, box[i].low), std::min(k.high, box[i].high)};
      changed = changed || next[i].width() < 0.9 * box[i].width();
    }
    is_one = is_one || (inside && wide.near_identity);
    box = next;
    if (!changed) break;
  }
  return is_one ? BoxHolds::one : BoxHolds::unknown;
}

}  // namespace torsor
