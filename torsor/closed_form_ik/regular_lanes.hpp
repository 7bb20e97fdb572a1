// The equations of regular arms (regular_arm.hpp) over the scalar: one branch in a double, four in a Pack. Each unit that
// includes this has its own instances, because each has its own Pack.
#pragma once

#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/regular_arm.hpp"
#include "torsor/scalar/pack.hpp"

namespace torsor {

constexpr double regular_factor = 1e-3;     // nearer to a singular set the careful path serves
constexpr double regular_rounding = 1e-13;  // axes off those of a frame by more were typed, not computed

/// Joints and how they stand, in every lane.
template <class T>
struct RegularBranches {
  using Mask = decltype(std::declval<T>() < std::declval<T>());
  std::array<T, 6> c, s;
  T shoulder, elbow, wrist;  // factors
  T position_residual, angle_residual;
  Mask reached, doubtful;
};

namespace detail {

template <class T>
T larger(const T& a, const T& b) {
  return select(a < b, b, a);
}

/// Joint 1, the shoulder before (+1) or behind (-1), and what lies behind it: x and y of the tool's point in frame 1. H is
/// what the tool's pose consists of, the same in all lanes.
template <class T, class H>
struct Waist {
  Waist(const RegularArm& e, const Vec3<H>& p, const T& shoulder) {
    const H rho2 = p.x * p.x + p.y * p.y, per_rho2 = 1 / rho2;
    g2 = rho2 - e.o2;
    g = sqrt(g2);
    c = shoulder * T(g * p.x * per_rho2) + T(e.o * p.y * per_rho2);
    s = shoulder * T(g * p.y * per_rho2) - T(e.o * p.x * per_rho2);
    x = shoulder * T(g) - T(e.a1);
    y = e.sa1 * (p.z - e.d1);
  }

  /// A direction of frame 0, in frame 1.
  Vec3<T> behind(const RegularArm& e, const Vec3<H>& v) const {
    return {c * T(v.x) + s * T(v.y), T(e.sa1 * v.z), T(e.sa1) * (s * T(v.x) - c * T(v.y))};
  }

  /// How far (x, y) of frame 1, at the height of the plane, is from p (squared).
  T off(const RegularArm& e, const T& at_x, const T& at_y, const Vec3<H>& p) const {
    const T out = T(e.a1) + at_x, aside(e.aside);
    const Vec3<T> d{c * out + s * aside - T(p.x), s * out - c * aside - T(p.y), at_y - T(y)};
    return dot(d, d);
  }

  H g2, g, y;
  T c, s, x;
};

/// Joints 2 and 3: two bars that reach (x, y), bent one way (+1) or the other.
template <class T>
struct Bars {
  Bars(const RegularArm& e, const T& x, const T& y, const T& bend) {
    D2 = x * x + y * y;
    const T cpsi = (D2 - T(e.sum2)) * T(e.per_product);
    spsi2 = (T(1.0) - cpsi) * (T(1.0) + cpsi);
    reached = T(0.0) < spsi2;
    factor = sqrt(select(reached, spsi2, T(1.0)));
    const T spsi = bend * factor;
    cb = cpsi * T(e.cphi) + spsi * T(e.sphi);
    sb = spsi * T(e.cphi) - cpsi * T(e.sphi);
    // |f| is the distance, as near as rounding lets it: of two such squares either mean will do, and this needs no root
    const T fx = T(e.side) * (T(e.a) + T(e.l) * cpsi), fy = T(e.side * e.l) * spsi;
    const T per_length = T(2.0) / (fx * fx + T(e.l * e.l) * spsi2 + D2);
    c2 = (fx * x + fy * y) * per_length;
    s2 = (fx * y - fy * x) * per_length;
    c23 = c2 * cb - s2 * sb;
    s23 = s2 * cb + c2 * sb;
  }

  /// Where the second bar ends.
  T end_x(const RegularArm& e) const { return T(e.a2) * c2 + c23 * T(e.wx) - s23 * T(e.wy); }
  T end_y(const RegularArm& e) const { return T(e.a2) * s2 + s23 * T(e.wx) + c23 * T(e.wy); }

  T D2, spsi2, factor, cb, sb, c2, s2, c23, s23;
  typename RegularBranches<T>::Mask reached;
};

/// The turns with Rz(first) Rx(alpha_4) Rz(theta_5) Rx(alpha_5) Rz(theta_6) = W, right-angled, sign that of sin theta_5.
template <class T>
struct WristTurns {
  WristTurns(const RegularArm& e, const Vec3<T>& Wx, const Vec3<T>& Wy, const Vec3<T>& Wz, const T& sign) {
    const T square = Wz.x * Wz.x + Wz.y * Wz.y;
    factor = sqrt(square);
    s5 = sign * factor;
    const T per_s5 = s5 * (T(e.sa5) / square), s45(e.s45);
    c = Wz.x * per_s5;
    s = Wz.y * per_s5;
    c5 = s45 * Wz.z;
    s6 = s45 * (c * Wx.y - s * Wx.x);
    c6 = s45 * (c * Wy.y - s * Wy.x);
    stretch = larger(abs(square + Wz.z * Wz.z - T(1.0)), abs(c6 * c6 + s6 * s6 - T(1.0)));
  }

  /// How far they are from W, the first turn given anew (squared, the worst column).
  T off(const RegularArm& e, const T& c_first, const T& s_first, const Vec3<T>& Wx, const Vec3<T>& Wy,
        const Vec3<T>& Wz) const {
    const T s45(e.s45), sa4s5 = T(e.sa4) * s5;
    const auto from = [&](const T& x, const T& y, const T& z, const Vec3<T>& w) {
      const Vec3<T> d{c_first * x - s_first * y - w.x, s_first * x + c_first * y - w.y, z - w.z};
      return dot(d, d);
    };
    const T xy = larger(from(c5 * c6, s45 * s6, sa4s5 * c6, Wx), from(-c5 * s6, s45 * c6, -sa4s5 * s6, Wy));
    return larger(xy, from(T(e.sa5) * s5, T(0.0), s45 * c5, Wz));
  }

  T factor, c, s, c5, s5, c6, s6;
  T stretch;  // of W: with it and off() at zero its columns are the axes of a frame
};

template <class T, class H>
void measure(const RegularArm& e, const Waist<T, H>& waist, const Bars<T>& bars, const WristTurns<T>& turns,
             const T& place2, const T& angle2, RegularBranches<T>& out) {
  out.shoulder = T(select(waist.g < H(e.size), waist.g / e.size, H(1.0)));
  out.elbow = bars.factor;
  out.wrist = turns.factor;
  out.angle_residual = sqrt(angle2);
  out.position_residual = sqrt(place2) + out.angle_residual * T(e.tool_distance);
  const T edge(regular_factor * regular_factor), length2 = edge * T(e.size2);
  out.reached = bars.reached;
  // what is not a number is not reached, or doubtful; what is not reached says nothing of the frame
  const T rounding(regular_rounding);
  const auto is_frame = (turns.stretch < rounding) & (out.angle_residual < rounding);
  out.doubtful = (abs(bars.spsi2) < T(e.least_bend2)) | (bars.D2 < length2) | (turns.factor < T(regular_factor)) |
                 !(length2 < T(waist.g2)) | (out.reached & !is_frame);
}

}  // namespace detail

/// The branches with these signs.
template <RegularArm::Kind kind, class T, class H = double>
[[gnu::always_inline]] inline RegularBranches<T> regular_branches(const RegularArm& e, const Transform<H>& tool,
                                                                  const T& shoulder, const T& elbow, const T& wrist) {
  RegularBranches<T> out;
  const detail::Waist<T, H> waist(e, tool.p, shoulder);
  Vec3<T> Wx = waist.behind(e, tool.R.x), Wy = waist.behind(e, tool.R.y), Wz = waist.behind(e, tool.R.z);
  if constexpr (kind == RegularArm::Kind::elbow) {
    // the wrist point, then what orientation the forearm leaves
    const detail::Bars<T> bars(e, waist.x, T(waist.y), elbow);
    const T ca(e.ca), sa(e.sa);
    for (Vec3<T>* v : {&Wx, &Wy, &Wz}) {
      const T x = bars.c23 * v->x + bars.s23 * v->y, y = bars.c23 * v->y - bars.s23 * v->x;
      *v = {x, ca * y + sa * v->z, ca * v->z - sa * y};
    }
    const detail::WristTurns<T> turns(e, Wx, Wy, Wz, wrist);
    out.c = {waist.c, bars.c2, bars.cb, turns.c, turns.c5, turns.c6};
    out.s = {waist.s, bars.s2, T(e.s2) * bars.sb, turns.s, turns.s5, turns.s6};
    detail::measure(e, waist, bars, turns, waist.off(e, bars.end_x(e), bars.end_y(e), tool.p),
                    turns.off(e, turns.c, turns.s, Wx, Wy, Wz), out);
  } else {
    // the orientation, then the place it leaves to axis 4
    const detail::WristTurns<T> turns(e, Wx, Wy, Wz, wrist);
    const T fx(e.fx), fy(e.fy);
    const T x = waist.x - (turns.c * fx - turns.s * fy), y = T(waist.y) - (turns.s * fx + turns.c * fy);
    const detail::Bars<T> bars(e, x, y, elbow);
    const T c4 = bars.c23 * turns.c + bars.s23 * turns.s, s4 = bars.c23 * turns.s - bars.s23 * turns.c;
    out.c = {waist.c, bars.c2, bars.cb, c4, turns.c5, turns.c6};
    out.s = {waist.s, bars.s2, T(e.s2) * bars.sb, T(e.s23) * s4, turns.s5, turns.s6};
    const T c = bars.c23 * c4 - bars.s23 * s4, s = bars.s23 * c4 + bars.c23 * s4;
    detail::measure(e, waist, bars, turns,
                    waist.off(e, bars.end_x(e) + c * fx - s * fy, bars.end_y(e) + s * fx + c * fy, tool.p),
                    turns.off(e, c, s, Wx, Wy, Wz), out);
  }
  return out;
}

/// A turn as the careful path writes it: inside the limits where one turn more or less brings it there, and how far it
/// stays outside.
template <class T>
struct RegularCoordinate {
  RegularCoordinate() = default;
  RegularCoordinate(const T& theta, const T& zero, const T& lower, const T& upper) {
    const T turn(2 * std::numbers::pi), half(std::numbers::pi), none(0.0);
    const auto outside = [&](const T& x) {
      return select(x < lower, x - lower, none) + select(upper < x, x - upper, none);
    };
    const T any_turn = theta - zero;
    const T plain = any_turn - select(half < any_turn, turn, none) + select(any_turn < -half, turn, none);
    const T other = plain + select(plain < lower, turn, none) - select(upper < plain, turn, none);
    const T plain_beyond = outside(plain), other_beyond = outside(other);
    const auto better = abs(other_beyond) < abs(plain_beyond);
    q = select(better, other, plain);
    beyond = select(better, other_beyond, plain_beyond);
  }

  T q, beyond;
};

/// What one lane says of a branch, its coordinates excepted: every member by itself, for clearing and copying a whole one
/// takes longer than solving it.
template <class T>
void put_branch(const RegularBranches<T>& b, int lane, const BranchLabel& label, bool is_outside, IkBranch& out) {
  const auto at = [lane](const T& x) { return x[lane]; };
  const auto six = [&](const std::array<T, 6>& v) {
    return std::array<double, 6>{at(v[0]), at(v[1]), at(v[2]), at(v[3]), at(v[4]), at(v[5])};
  };
  const std::array<double, 3> factor{at(b.shoulder), at(b.elbow), at(b.wrist)};
  const bool is_near =
      factor[0] < near_singular_factor || factor[1] < near_singular_factor || factor[2] < near_singular_factor;
  out.label = label;
  out.status = is_outside ? IkStatus::outside_limits : is_near ? IkStatus::near_singular : IkStatus::ok;
  out.factor = factor;
  out.singular = {};
  out.free = {};
  out.wrist_sign = 0;
  out.wrist_sum = 0;
  out.position_residual = at(b.position_residual);
  out.angle_residual = at(b.angle_residual);
  out.c = six(b.c);
  out.s = six(b.s);
}

/// All branches, four at a time; false where the careful path must decide.
template <RegularArm::Kind kind, class Lanes>
bool solve_kind_in_lanes(const RegularArm& e, const Transform<double>& tool, IkAnswer& answer) {
  const Lanes shoulder(std::array<double, 4>{1, 1, -1, -1}), other(std::array<double, 4>{1, -1, 1, -1});
  constexpr bool is_elbow = kind == RegularArm::Kind::elbow;
  std::array<Lanes, 6> theta;
  const auto put = [&](const RegularBranches<Lanes>& b, int fixed) {
    std::array<RegularCoordinate<Lanes>, 6> x;
    Lanes outside(0.0);
    for (std::size_t i = 0; i < 6; ++i) {
      x[i] = {theta[i], Lanes(e.theta[i]), Lanes(e.lower[i]), Lanes(e.upper[i])};
      outside += abs(x[i].beyond);
    }
    // both signs of the fixed one side by side, as the careful path has them: what is reached does not depend on it
    std::size_t slot = fixed > 0 ? 0 : 1;
    for (int i = 0; i < 4; ++i) {
      if (!b.reached[i]) continue;
      const int first = i < 2 ? 1 : -1, second = i % 2 ? -1 : 1;
      IkBranch& out = answer.branch[slot];
      slot += 2;
      ++answer.count;
      out.q = {x[0].q[i], x[1].q[i], x[2].q[i], x[3].q[i], x[4].q[i], x[5].q[i]};
      out.beyond_limits = {x[0].beyond[i], x[1].beyond[i], x[2].beyond[i],
                           x[3].beyond[i], x[4].beyond[i], x[5].beyond[i]};
      put_branch(b, i, {first, is_elbow ? second : fixed, is_elbow ? fixed : second, 0}, outside[i] > 0, out);
    }
  };

  if constexpr (is_elbow) {
    RegularBranches<Lanes> b = regular_branches<kind>(e, tool, shoulder, other, Lanes(1.0));
    if (any(b.doubtful) || !any(b.reached)) return false;
    for (std::size_t i = 0; i < 6; ++i) theta[i] = angle_of(b.c[i], b.s[i]);
    put(b, 1);
    // the wrist turned over
    const auto half_turn_on = [](const Lanes& x) { return x - copysign(Lanes(std::numbers::pi), x); };
    theta = {theta[0], theta[1], theta[2], half_turn_on(theta[3]), -theta[4], half_turn_on(theta[5])};
    for (const std::size_t i : {3, 5}) b.c[i] = -b.c[i];
    for (const std::size_t i : {3, 4, 5}) b.s[i] = -b.s[i];
    put(b, -1);
  } else {
    const RegularBranches<Lanes> up = regular_branches<kind>(e, tool, shoulder, Lanes(1.0), other);
    if (any(up.doubtful) || !any(up.reached)) return false;
    for (std::size_t i = 0; i < 6; ++i) theta[i] = angle_of(up.c[i], up.s[i]);
    put(up, 1);
    // bent the other way
    const RegularBranches<Lanes> down = regular_branches<kind>(e, tool, shoulder, Lanes(-1.0), other);
    for (std::size_t i = 1; i < 4; ++i) theta[i] = angle_of(down.c[i], down.s[i]);
    put(down, -1);
  }
  return true;
}

template <class Lanes>
bool solve_in_lanes(const RegularArm& e, const Transform<double>& tool, IkAnswer& answer) {
  using enum RegularArm::Kind;
  return e.kind == elbow ? solve_kind_in_lanes<elbow, Lanes>(e, tool, answer)
                         : solve_kind_in_lanes<parallel, Lanes>(e, tool, answer);
}

/// One branch: its six angles are taken side by side.
template <RegularArm::Kind kind, class Lanes>
bool solve_one_of_kind(const RegularArm& e, const Transform<double>& tool, const BranchLabel& label, IkBranch& out) {
  const auto b = regular_branches<kind, Lanes>(e, tool, Lanes(label.shoulder), Lanes(label.elbow), Lanes(label.wrist));
  if (b.doubtful[0] || !b.reached[0]) return false;
  // joints 1 to 4, then 5 and 6 and none
  const auto four = [](const std::array<double, 6>& v) { return Lanes({v[0], v[1], v[2], v[3]}); };
  const auto rest = [](const std::array<double, 6>& v) { return Lanes({v[4], v[5], 0, 0}); };
  const auto first = [](const std::array<Lanes, 6>& v) { return Lanes({v[0][0], v[1][0], v[2][0], v[3][0]}); };
  const auto last = [](const std::array<Lanes, 6>& v, double none) { return Lanes({v[4][0], v[5][0], none, none}); };
  const RegularCoordinate<Lanes> x(angle_of(first(b.c), first(b.s)), four(e.theta), four(e.lower), four(e.upper));
  const RegularCoordinate<Lanes> y(angle_of(last(b.c, 1), last(b.s, 0)), rest(e.theta), rest(e.lower), rest(e.upper));
  out.q = {x.q[0], x.q[1], x.q[2], x.q[3], y.q[0], y.q[1]};
  out.beyond_limits = {x.beyond[0], x.beyond[1], x.beyond[2], x.beyond[3], y.beyond[0], y.beyond[1]};
  const auto none = Lanes(0.0);
  put_branch(b, 0, label, !all((x.beyond == none) & (y.beyond == none)), out);
  return true;
}

template <class Lanes>
bool solve_one_in_lanes(const RegularArm& e, const Transform<double>& tool, const BranchLabel& label, IkBranch& out) {
  using enum RegularArm::Kind;
  return e.kind == elbow ? solve_one_of_kind<elbow, Lanes>(e, tool, label, out)
                         : solve_one_of_kind<parallel, Lanes>(e, tool, label, out);
}

}  // namespace torsor
