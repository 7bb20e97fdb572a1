// The equations of few_joints.hpp over the scalar (turns_onto.hpp), away from singular positions: one solution for each
// pair of signs.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "torsor/closed_form_ik/turns_onto.hpp"

namespace torsor {

/// One, two or three joints that bring a point to a place, where h and w point the same way to rounding: the constants.
struct FewLanes {
  static constexpr double has_a_say = 1e-6;  // of lengths of the arm: below, a joint moves the point too little

  /// B_0 J_1 B_1 ... J_n B_n, the point at the origin of the last; n from 0 to 3. Nothing where the form does not serve
  /// them.
  static std::optional<FewLanes> of(std::span<const Transform<double>> B, std::span<const bool> slides);

  /// Whether a joint (0, 1, 2) has two solutions where the joints behind it have one.
  bool is_double(int joint) const;

  Transform<double> base;              // inverse of B_0
  std::array<Transform<double>, 2> C;  // C_1, C_2
  std::array<bool, 3> slides{};
  int joints = 0;
  Vec3<double> c;
  double size = 1;
  Vec3<double> h, w, k, v;                              // h and w of C_1; k and v likewise of C_2
  bool by_height = false;                               // joint 2 is found from the first of the two equations
  double alpha = 0, beta = 0, of_z = 0, of_square = 0;  // kappa = of_z p_z + of_square |p|^2 + constant
  double constant = 0;
};

/// Cosine and sine of joints that turn, d of those that slide (m).
template <class T>
struct FewBranch {
  std::array<T, 3> c{T(1.0), T(1.0), T(1.0)}, s{T(0.0), T(0.0), T(0.0)}, d{T(0.0), T(0.0), T(0.0)};
  T clear = T(1.0);  // least of its roots: turns_onto.hpp
  MaskOf<T> reached = T(0.0) < T(1.0), blind = T(1.0) < T(0.0);
};

template <class T>
FewBranch<T> few_branch(const FewLanes& arm, const Vec3<T>& place, const T& third, const T& second) {
  using std::sqrt;
  constexpr double has_a_say = FewLanes::has_a_say;
  const auto square = [](const Vec3<double>& v) { return dot(v, v); };
  FewBranch<T> out;
  const Vec3<T> p = constant_of<T>(arm.base) * place;
  if (arm.joints == 0) return out;
  const T pp = dot(p, p);
  const auto note = [&out](const auto& root) {
    out.clear = select(root.clear < out.clear, root.clear, out.clear);
    out.reached = out.reached & root.reached;
    out.blind = out.blind | root.blind;
  };
  const auto take = [&](std::size_t k, const T& a, const T& b, const T& rest, double least, const T& sign) {
    const TurnRoot<T> root(a, b, rest, least, sign);
    out.c[k] = root.c;
    out.s[k] = root.s;
    note(root);
  };
  const auto shift = [&](std::size_t k, double a, const T& b, const T& rest, double least, const T& sign) {
    const ShiftRoot<T> root(a, b, rest, least, sign);
    out.d[k] = root.x;
    note(root);
  };
  const auto moved = [&](std::size_t k, const Vec3<T>& v) {
    return arm.slides[k] ? Vec3<T>{v.x, v.y, v.z + out.d[k]} : turned_z(out.c[k], out.s[k], v);
  };

  // joint 3: alpha |g|^2 + beta g_z = kappa
  Vec3<T> g = constant_of<T>(arm.c);
  if (arm.joints == 3) {
    const Vec3<double>&b = arm.C[1].p, &c = arm.c;
    const T kappa = T(arm.of_square) * pp + T(arm.of_z) * p.z + T(arm.constant);
    const T rest = kappa - T(arm.alpha * (square(b) + square(c)) + arm.beta * b.z);
    // n . J_3 c, with all that joint 3 moves
    const Vec3<double> n = arm.v * (2 * arm.alpha) + arm.k * arm.beta;
    const double unit = std::abs(arm.alpha) * arm.size + std::abs(arm.beta);  // of n
    if (arm.slides[2])
      shift(2, arm.alpha, T(arm.alpha * c.z + n.z / 2), T(dot(n, c)) - rest, has_a_say * unit, third);
    else
      take(2, T(n.x * c.x + n.y * c.y), T(n.y * c.x - n.x * c.y), rest - T(n.z * c.z), has_a_say * arm.size * unit,
           third);
    g = constant_of<T>(arm.C[1]) * moved(2, g);
  }

  // joint 2, from the equation that sees more of it
  if (arm.joints >= 2) {
    const Vec3<double>&b = arm.C[0].p, &h = arm.h, &w = arm.w;
    if (arm.slides[1] && arm.by_height) {
      out.d[1] = (p.z - T(b.z) - dot(constant_of<T>(h), g)) * T(1 / h.z);
    } else if (arm.slides[1]) {
      shift(1, 1, g.z + T(w.z), T(square(b)) + dot(g, g) + T(2.0) * dot(constant_of<T>(w), g) - pp, 0, second);
    } else {
      const Vec3<double>& n = arm.by_height ? h : w;
      const T rest = arm.by_height ? p.z - T(b.z) - T(h.z) * g.z
                                   : (pp - T(square(b)) - dot(g, g)) * T(0.5) - T(w.z) * g.z;
      take(1, T(n.x) * g.x + T(n.y) * g.y, T(n.y) * g.x - T(n.x) * g.y, rest,
           has_a_say * arm.size * (arm.by_height ? 1 : arm.size), second);
    }
    g = constant_of<T>(arm.C[0]) * moved(1, g);
  }

  // joint 1: g onto p
  if (arm.slides[0]) {
    out.d[0] = p.z - g.z;
    return out;
  }
  const T of_g = g.x * g.x + g.y * g.y, of_p = p.x * p.x + p.y * p.y;
  const double least = has_a_say * arm.size;
  out.blind = out.blind | !(T(least * least) < of_g) | !(T(0.0) < of_p);
  // of two joints or one the lengths may differ
  const T per = T(1.0) / sqrt(of_g * of_p);
  out.c[0] = (g.x * p.x + g.y * p.y) * per;
  out.s[0] = (g.x * p.y - g.y * p.x) * per;
  const T across = of_g * T(1 / (arm.size * arm.size));
  out.clear = select(across < out.clear, across, out.clear);
  return out;
}

}  // namespace torsor
