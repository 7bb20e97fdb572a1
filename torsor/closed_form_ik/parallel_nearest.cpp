#include "torsor/closed_form_ik/parallel_nearest.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

using detail::hypotenuse;
using detail::ParallelGeometry;
using detail::Plane;

constexpr int most_cells = 16384;
constexpr double proved_to = 1e-6;

/// A place on the torus, and the distance there.
struct TorusPlace {
  double first = 0, psi = 0, distance = infinity;
};

class OrientationCurve {
 public:
  OrientationCurve(const ParallelArm& arm, const Transform<double>& tool)
      : z(tool.R.z), p(tool.p), g(arm), ca1(arm[1].ca), sa1(arm[1].sa), a1(arm[1].a) {
    p.z -= arm[1].d;
    size = arm.size;
    scale = std::max(size, norm(p));
    tolerance = singular_distance * size;
    distance_per = {hypotenuse(p.x, p.y), length(g.f)};
    equation_per = {hypotenuse(z.x, z.y), std::abs(g.twists.sa4)};
  }

  /// All places that a fine comb finds, each led down to its own least.
  void comb() {
    constexpr int teeth = 48;
    for (const bool by_psi : {false, true})
      for (const int way : {1, -1}) {
        std::array<TorusPlace, teeth> at;
        for (int k = 0; k < teeth; ++k) at[k] = on_curve(by_psi, 2 * std::numbers::pi / teeth * (k + 0.37), way);
        for (int k = 0; k < teeth; ++k) {
          const double before = at[(k + teeth - 1) % teeth].distance, after = at[(k + 1) % teeth].distance;
          if (at[k].distance <= before && at[k].distance <= after)
            descend(at[k], 2 * std::numbers::pi / teeth, 1, coarse);
        }
      }
    descend(best, 2 * std::numbers::pi / teeth, rounds, fine);
  }

  /// Halves the torus until nothing nearer than the best can be left; false where that takes too many cells.
  bool is_least() {
    struct Cell {
      double first, psi, half_first, half_psi;
    };
    constexpr double pi = std::numbers::pi;
    std::array<Cell, 128> stack;
    std::size_t open = 0;
    stack[open++] = {0, 0, pi, pi};
    for (int cells = 0; open > 0; ++cells) {
      if (cells == most_cells || best.distance <= tolerance) return best.distance <= tolerance;
      const Cell cell = stack[--open];
      const double c = std::cos(cell.first), s = std::sin(cell.first), cp = std::cos(cell.psi), sp = std::sin(cell.psi);
      const double slack = std::min(proved_to * scale, best.distance / 16);
      if (!(least_in_cell(c, s, cp, sp, {cell.half_first, cell.half_psi}) < best.distance - slack)) continue;
      // where the curve passes, the place itself
      const double width = std::max(cell.half_first, cell.half_psi);
      if (width < 0.05)
        for (const bool by_psi : {false, true}) {
          const TorusPlace place = near_curve(by_psi, {cell.first, cell.psi});
          if (place.distance < best.distance) descend(place, 2 * width, rounds, fine);
        }
      if (open + 2 > stack.size()) return false;
      // the side that leaves more open
      const double by_first = cell.half_first * (distance_per[0] / scale + equation_per[0]);
      const double by_psi = cell.half_psi * (distance_per[1] / scale + equation_per[1]);
      Cell half = cell;
      if (by_first >= by_psi) {
        half.half_first /= 2;
        half.first = cell.first - half.half_first;
        stack[open++] = half;
        half.first = cell.first + half.half_first;
      } else {
        half.half_psi /= 2;
        half.psi = cell.psi - half.half_psi;
        stack[open++] = half;
        half.psi = cell.psi + half.half_psi;
      }
      stack[open++] = half;
    }
    return true;
  }

  TorusPlace best;

 private:
  /// What the distance on the curve is nowhere below within the cell; infinite where the curve does not pass there. As
  /// tangents tell it: for any mu the distance is D - mu G on the curve, and mu is chosen so that this changes little. D is
  /// |(A, B)| with A = along - k and B = V - far (convex in the place) or near - V (as convex as a circle of radius V), the
  /// place itself on circles of radius rho and |f|.
  double least_in_cell(double c, double s, double cp, double sp, const std::array<double, 2>& half) const {
    const WristTwists& t = g.twists;
    const double zy0 = c * z.y - s * z.x, zx = c * z.x + s * z.y;
    const double zy = ca1 * zy0 + sa1 * z.z, zz = ca1 * z.z - sa1 * zy0;
    const double G = t.sa4 * (sp * zx - cp * zy) + t.ca4 * zz - t.ca5;
    const std::array<double, 2> slope{t.sa4 * (sp * zy0 + cp * ca1 * zx) + t.ca4 * sa1 * zx,
                                      t.sa4 * (cp * zx + sp * zy)};
    const std::array<double, 2> square{half[0] * half[0], half[1] * half[1]};
    const double curved = (equation_per[0] * square[0] + equation_per[1] * square[1]) / 2 +
                          equation_per[0] * equation_per[1] * half[0] * half[1];
    constexpr double rounding = 1e-14;
    if (abs(G) > abs(slope[0]) * half[0] + abs(slope[1]) * half[1] + curved + rounding) return infinity;

    const double y = c * p.y - s * p.x, x = c * p.x + s * p.y;
    const Plane f = turned(cp, sp, g.f), v{x - a1 - f.x, ca1 * y + sa1 * p.z - f.y};
    const double A = ca1 * p.z - sa1 * y - g.k, V = length(v), near = abs(g.a2 - g.a3), far = g.a2 + g.a3;
    const double B = std::max({0.0, V - far, near - V}), D = hypotenuse(A, B);
    const double margin = distance_per[0] * half[0] + distance_per[1] * half[1];
    const double plain = D - margin;
    if (!(D > 0)) return plain;
    const double sense = V > far ? 1 : V < near ? -1 : 0;
    if (sense < 0 && !(V > 2 * margin)) return plain;
    // by theta_1 the place moves along (y, -ca1 x) in the plane and sa1 x along its axis; by psi along (f_y, -f_x)
    const double ux = V > 0 ? v.x / V : 0, uy = V > 0 ? v.y / V : 0;
    const std::array<double, 2> falls{(A * sa1 * x + B * sense * (ux * y - uy * ca1 * x)) / D,
                                      B * sense * (ux * f.y - uy * f.x) / D};
    const double weight = slope[0] * slope[0] * square[0] + slope[1] * slope[1] * square[1];
    const double mu = weight > 0 ? (falls[0] * slope[0] * square[0] + falls[1] * slope[1] * square[1]) / weight : 0;
    double least = D - mu * G - abs(mu) * (curved + rounding) -
                   (distance_per[0] * square[0] + distance_per[1] * square[1]) / 2;
    for (std::size_t i = 0; i < 2; ++i) least -= abs(falls[i] - mu * slope[i]) * half[i];
    if (sense < 0) least -= B / D * margin * margin / (2 * (V - margin));
    return std::max(plain, least);
  }

  double distance(double c, double s, double cp, double sp) const {
    const double y = c * p.y - s * p.x, x = c * p.x + s * p.y - a1;
    const double along = ca1 * p.z - sa1 * y - g.k;
    const Plane f = turned(cp, sp, g.f);
    const double D = hypotenuse(x - f.x, ca1 * y + sa1 * p.z - f.y);
    return hypotenuse(along, std::max({0.0, D - (g.a2 + g.a3), std::abs(g.a2 - g.a3) - D}));
  }

  /// The roots of A cos x + B sin x + C = 0 as middle +- half; false where there are none. All x where A and B vanish.
  struct Roots {
    double middle = 0, half = 0;
    bool any = false, all = false;
  };
  static Roots roots(double A, double B, double C) {
    const double length = hypotenuse(A, B);
    if (length <= 1e-14) return {0, 0, std::abs(C) <= 1e-12, true};
    const double cosine = -C / length;
    if (std::abs(cosine) > 1 + singular_distance) return {};
    return {std::atan2(B, A), std::acos(std::clamp(cosine, -1.0, 1.0)), true, false};
  }
  Roots first_of(double psi) const {
    const WristTwists& t = g.twists;
    const double cp = std::cos(psi), sp = std::sin(psi), x = t.sa4 * sp, y = t.sa4 * cp * ca1 + t.ca4 * sa1;
    return roots(x * z.x - y * z.y, x * z.y + y * z.x, z.z * (t.ca4 * ca1 - t.sa4 * cp * sa1) - t.ca5);
  }
  Roots psi_of(double first) const {
    const double c = std::cos(first), s = std::sin(first), y = c * z.y - s * z.x;
    const double zx = c * z.x + s * z.y, zy = ca1 * y + sa1 * z.z, zz = ca1 * z.z - sa1 * y;
    const WristTwists& t = g.twists;
    return roots(-t.sa4 * zy, t.sa4 * zx, t.ca4 * zz - t.ca5);
  }

  TorusPlace measured(TorusPlace at) const {
    at.distance = distance(std::cos(at.first), std::sin(at.first), std::cos(at.psi), std::sin(at.psi));
    return at;
  }

  /// psi (or theta_1) given, the other as the curve has it: one way or the other.
  TorusPlace on_curve(bool by_psi, double x, int way) const {
    const Roots r = by_psi ? first_of(x) : psi_of(x);
    if (!r.any) return {};
    const double other = r.middle + way * r.half;
    return measured(by_psi ? TorusPlace{other, x} : TorusPlace{x, other});
  }

  /// The same, next to a place.
  TorusPlace near_curve(bool by_psi, const TorusPlace& at) const {
    const double x = by_psi ? at.psi : at.first, old = by_psi ? at.first : at.psi;
    const Roots r = by_psi ? first_of(x) : psi_of(x);
    if (!r.any) return {};
    double other = old;
    if (!r.all) {
      constexpr double turn = 2 * std::numbers::pi;
      const double up = old + std::remainder(r.middle + r.half - old, turn),
                   down = old + std::remainder(r.middle - r.half - old, turn);
      other = std::abs(up - old) < std::abs(down - old) ? up : down;
    }
    return measured(by_psi ? TorusPlace{other, x} : TorusPlace{x, other});
  }

  static constexpr int coarse = 20, fine = 60, rounds = 4;

  /// Golden section along the curve, by both of its coordinates, while that leads farther down.
  void descend(TorusPlace from, double width, int most_rounds, int steps) {
    constexpr double golden = 0.6180339887498949;
    for (int round = 0; round < most_rounds && std::isfinite(from.distance); ++round) {
      const double before = from.distance;
      for (const bool by_psi : {false, true}) {
        double low = (by_psi ? from.psi : from.first) - width, high = low + 2 * width;
        const auto at = [&](double x) {
          return near_curve(by_psi, by_psi ? TorusPlace{from.first, x} : TorusPlace{x, from.psi});
        };
        double x1 = high - golden * (high - low), x2 = low + golden * (high - low);
        TorusPlace one = at(x1), two = at(x2), least = from;
        for (int k = 0; k < steps; ++k) {
          if (one.distance < least.distance) least = one;
          if (two.distance < least.distance) least = two;
          if (one.distance <= two.distance) {
            high = x2;
            x2 = x1;
            two = one;
            x1 = high - golden * (high - low);
            one = at(x1);
          } else {
            low = x1;
            x1 = x2;
            one = two;
            x2 = low + golden * (high - low);
            two = at(x2);
          }
        }
        from = least;
      }
      if (from.distance < best.distance) best = from;
      if (!(from.distance < before - 1e-15 * scale)) break;
      width /= 4;
    }
  }

  Vec3<double> z, p;
  ParallelGeometry g;
  double ca1, sa1, a1, size = 1, scale = 1, tolerance = 0;
  std::array<double, 2> distance_per{}, equation_per{};  // at most, per radian of theta_1 and psi
};

}  // namespace

NearestTurns nearest_turns(const ParallelArm& arm, const Transform<double>& X_0_tool) {
  OrientationCurve curve(arm, X_0_tool);
  curve.comb();
  NearestTurns out;
  out.is_least = curve.is_least();
  out.distance = curve.best.distance;
  out.first = {std::cos(curve.best.first), std::sin(curve.best.first)};
  out.psi = {std::cos(curve.best.psi), std::sin(curve.best.psi)};
  return out;
}

}  // namespace torsor
