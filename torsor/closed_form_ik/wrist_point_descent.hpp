// Descents of nearest_wrist_point.hpp: what is missing of place and wrist for a pose of joints 1 to 3, and the ways down.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/closed_form_ik/nearest_wrist_point.hpp"

namespace torsor::detail {

using Three = std::array<double, 3>;

/// Half the square of what is missing, lengths in arm sizes, with slope and curvature by the joints (slides in arm sizes, too).
struct Missing {
  double value = 0;
  Three g{};
  std::array<Three, 3> H{};

  double steepness() const { return std::abs(g[0]) + std::abs(g[1]) + std::abs(g[2]); }
};

/// The bounds of the wrist with their multipliers; `weight` is what their squares count.
struct WristBounds {
  double weight = 1, over = 0, under = 0;
};

class WristPointDescent {
 public:
  WristPointDescent(const WristArm& a, const Vec3<double>& point, const WristRange& wrist)
      : arm(a), p(point), range(wrist) {}

  WristBounds bounds;

  double angle(const PointColumns& at) const {
    return std::atan2(norm(cross(at.axis_4, range.axis)), dot(at.axis_4, range.axis));
  }

  /// By how much the wrist is out of its range (rad).
  double out_of_range(const PointColumns& at) const {
    const double beta = angle(at);
    return range.is_all() ? 0 : std::max({0.0, beta - range.most, range.least - beta});
  }

  double value(const ArmPose& pose) const {
    const PointColumns at = point_columns(arm, pose);
    const Vec3<double> e = (at.point - p) * (1 / arm.size);
    double sum = dot(e, e) / 2;
    if (!range.is_all()) {
      const auto [over, under] = active(angle(at));
      sum += bounds.weight * (over * over + under * under) / 2;
    }
    return sum;
  }

  Missing derivatives(const ArmPose& pose) const {
    const PointColumns at = point_columns(arm, pose);
    const Vec3<double> e = (at.point - p) * (1 / arm.size);
    Missing m;
    m.value = dot(e, e) / 2;
    const auto turns = [&](std::size_t i) { return !arm.joint[i].prismatic; };
    std::array<Vec3<double>, 3> C;
    for (std::size_t i = 0; i < 3; ++i) C[i] = turns(i) ? at.C[i] * (1 / arm.size) : at.C[i];
    for (std::size_t i = 0; i < 3; ++i) {
      m.g[i] = dot(e, C[i]);
      for (std::size_t k = i; k < 3; ++k)
        m.H[i][k] = dot(C[i], C[k]) + (turns(i) ? dot(e, cross(at.z[i], C[k])) : 0);
    }
    if (!range.is_all()) add_bounds(at, m);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < i; ++k) m.H[i][k] = m.H[k][i];
    return m;
  }

  /// Down to where the value no longer falls.
  void run(ArmPose& pose) const {
    constexpr int most_steps = 120, most_failures = 14;
    constexpr double nothing = 1e-29;
    Missing m = derivatives(pose);
    double shift = 0;
    for (int step = 0, failures = 0; step < most_steps && m.value > nothing && failures < most_failures; ++step) {
      const double trace = std::abs(m.H[0][0]) + std::abs(m.H[1][1]) + std::abs(m.H[2][2]) + 1e-300;
      Three x;
      if (!solve(m, shift, 1e-14 * trace, x)) {
        shift = std::max(4 * shift, 1e-4 * trace);
        continue;
      }
      double longest = 0;
      for (std::size_t i = 0; i < 3; ++i)
        if (!arm.joint[i].prismatic) longest = std::max(longest, std::abs(x[i]));
      const double part = longest > 1 ? 1 / longest : 1;  // rad
      ArmPose tried = moved(pose, x, part);
      // where the value is all rounding, the slope still tells
      Missing next = derivatives(tried);
      const bool is_level = std::abs(next.value - m.value) <= 1e-14 * m.value;
      if (is_level ? next.steepness() < 0.5 * m.steepness() : next.value < m.value) {
        // on a floor that is flat to third order a step leads but a third of the way
        if (!is_level && next.value > 0.02 * m.value)
          if (const ArmPose farther = moved(pose, x, 3 * part); value(farther) < next.value) {
            tried = farther;
            next = derivatives(farther);
          }
        pose = tried;
        m = next;
        shift = shift < 1e-9 * trace ? 0 : shift / 8;
        failures = 0;
      } else {
        shift = std::max(8 * shift, 1e-6 * trace);
        ++failures;
      }
    }
  }

  /// The last digits where nothing need be missing: steps of Gauss and Newton on what is missing itself, whose square has lost
  /// them where its floor is flat. There a step leads half of the way; and where no step leads on, as on a saddle, one to
  /// either side along the motion that is lost does.
  void close_in(ArmPose& pose) const {
    const double left = step_down(pose);
    if (left <= rounding) return;
    Three lost{};
    shortest_step(point_columns(arm, pose), &lost);
    const double aside = std::sqrt(left);
    ArmPose best = pose;
    double least = left;
    for (const double part : {aside, -aside, 3 * aside, -3 * aside}) {
      ArmPose tried = moved(pose, lost, part);
      const double there = step_down(tried);
      if (!(there < least)) continue;
      best = tried;
      least = there;
    }
    pose = best;
  }

 private:
  static constexpr double rounding = 1e-15;

  double step_down(ArmPose& pose) const {
    constexpr int most_steps = 60;
    double left = missing(point_columns(arm, pose));
    for (int step = 0; step < most_steps && left > rounding; ++step) {
      const Three x = shortest_step(point_columns(arm, pose));
      double least = left;
      ArmPose best = pose;
      for (const double part : {1.0, 2.0, 0.25}) {
        const ArmPose tried = moved(pose, x, part);
        const double there = missing(point_columns(arm, tried));
        if (there < least) {
          least = there;
          best = tried;
        }
      }
      if (!(least < left)) return left;
      pose = best;
      left = least;
    }
    return left;
  }

  /// Of place and wrist together, in arm sizes and radians.
  double missing(const PointColumns& at) const {
    return hypotenuse(norm(at.point - p) / arm.size, out_of_range(at));
  }

  /// Least squares by orthogonal columns, the longest first; what is left of a column below 1e-10 moves nothing. `lost`: the
  /// motion with the least effect, its greatest part 1.
  Three shortest_step(const PointColumns& at, Three* lost = nullptr) const {
    using Four = std::array<double, 4>;
    const auto product = [](const Four& a, const Four& b) {
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    };
    const Vec3<double> e = (p - at.point) * (1 / arm.size);
    const double out = out_of_range(at), sense = angle(at) > range.most ? 1 : -1;
    const double s = norm(cross(at.axis_4, range.axis));
    Four rest{e.x, e.y, e.z, -sense * out};
    std::array<Four, 3> column;
    Three length{};
    for (std::size_t i = 0; i < 3; ++i) {
      const bool slides = arm.joint[i].prismatic;
      const Vec3<double> C = slides ? at.C[i] : at.C[i] * (1 / arm.size);
      const double turns = slides || !(out > 0) || !(s > 1e-12) ? 0 : -dot(cross(at.z[i], at.axis_4), range.axis) / s;
      column[i] = {C.x, C.y, C.z, turns};
      // a joint whose axis the point lies beside moves little, and is known as well
      length[i] = std::max(std::sqrt(product(column[i], column[i])), 1e-15);
      for (double& each : column[i]) each /= length[i];
    }
    std::array<std::size_t, 3> order{0, 1, 2};
    std::array<Three, 3> R{};
    Three y{}, x{};
    std::size_t rank = 0;
    for (std::size_t k = 0; k < 3; ++k, ++rank) {
      for (std::size_t i = k + 1; i < 3; ++i)
        if (product(column[order[i]], column[order[i]]) > product(column[order[k]], column[order[k]])) {
          std::swap(order[i], order[k]);
          for (std::size_t j = 0; j < k; ++j) std::swap(R[j][i], R[j][k]);
        }
      Four& q = column[order[k]];
      R[k][k] = std::sqrt(product(q, q));
      if (!(R[k][k] > 1e-10)) break;
      for (double& each : q) each /= R[k][k];
      const auto take_out = [&](Four& v) {
        const double along = product(q, v);
        for (std::size_t n = 0; n < 4; ++n) v[n] -= along * q[n];
        return along;
      };
      for (std::size_t i = k + 1; i < 3; ++i) R[k][i] = take_out(column[order[i]]);
      y[k] = take_out(rest);
    }
    for (std::size_t k = rank; k-- > 0;) {
      double sum = y[k];
      for (std::size_t i = k + 1; i < rank; ++i) sum -= R[k][i] * x[order[i]];
      x[order[k]] = sum / R[k][k];
    }
    for (std::size_t i = 0; i < 3; ++i) x[i] = std::clamp(x[i] / length[i], -1.0, 1.0);
    if (!lost) return x;
    const std::size_t least = std::min<std::size_t>(rank, 2);
    (*lost)[order[least]] = 1;
    for (std::size_t k = least; k-- > 0;) {
      double sum = 0;
      for (std::size_t i = k + 1; i <= least; ++i) sum -= R[k][i] * (*lost)[order[i]];
      (*lost)[order[k]] = sum / R[k][k];
    }
    for (std::size_t i = 0; i < 3; ++i) (*lost)[i] /= length[i];
    const double greatest = std::max({std::abs((*lost)[0]), std::abs((*lost)[1]), std::abs((*lost)[2])});
    for (double& each : *lost) each /= greatest;
    return x;
  }

  /// What the bounds and their multipliers count as missing.
  std::pair<double, double> active(double beta) const {
    return {std::max(0.0, beta - range.most + bounds.over / bounds.weight),
            std::max(0.0, range.least - beta + bounds.under / bounds.weight)};
  }

  void add_bounds(const PointColumns& at, Missing& m) const {
    const auto [over, under] = active(angle(at));
    m.value += bounds.weight * (over * over + under * under) / 2;
    const double b = over - under, c = dot(at.axis_4, range.axis), s = norm(cross(at.axis_4, range.axis));
    if (b == 0 || !(s > 1e-12)) return;
    Three slope{};
    std::array<Vec3<double>, 3> turned;
    for (std::size_t i = 0; i < 3; ++i) {
      turned[i] = arm.joint[i].prismatic ? Vec3<double>{} : cross(at.z[i], at.axis_4);
      slope[i] = -dot(turned[i], range.axis) / s;
      m.g[i] += bounds.weight * b * slope[i];
    }
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = i; k < 3; ++k) {
        const double second = arm.joint[i].prismatic ? 0 : dot(cross(at.z[i], turned[k]), range.axis);
        m.H[i][k] += bounds.weight * (slope[i] * slope[k] + b * (-second - c * slope[i] * slope[k]) / s);
      }
  }

  ArmPose moved(ArmPose pose, const Three& x, double part) const {
    for (std::size_t i = 0; i < 3; ++i) move_joint(arm, pose, i, part * x[i] * (arm.joint[i].prismatic ? arm.size : 1));
    return pose;
  }

  /// (H + shift) x = -g by Cholesky; false where that is not positive.
  static bool solve(const Missing& m, double shift, double least, Three& x) {
    std::array<Three, 3> L{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k <= i; ++k) {
        double sum = m.H[i][k] + (i == k ? shift + least : 0);
        for (std::size_t j = 0; j < k; ++j) sum -= L[i][j] * L[k][j];
        if (i == k && !(sum > 0)) return false;
        L[i][k] = i == k ? std::sqrt(sum) : sum / L[k][k];
      }
    for (std::size_t i = 0; i < 3; ++i) {
      x[i] = -m.g[i];
      for (std::size_t j = 0; j < i; ++j) x[i] -= L[i][j] * x[j];
      x[i] /= L[i][i];
    }
    for (std::size_t i = 3; i-- > 0;) {
      for (std::size_t j = i + 1; j < 3; ++j) x[i] -= L[j][i] * x[j];
      x[i] /= L[i][i];
    }
    return true;
  }

  const WristArm& arm;
  const Vec3<double>& p;
  const WristRange& range;
};

}  // namespace torsor::detail
