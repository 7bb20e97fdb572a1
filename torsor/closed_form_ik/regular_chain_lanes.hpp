// The equations of regular_chain.hpp over the scalar, and their solutions in lanes. Each unit that includes this has
// its own instances, because each has its own Pack.
#pragma once

#include <cmath>

#include "torsor/closed_form_ik/few_lanes.hpp"
#include "torsor/closed_form_ik/regular_chain.hpp"
#include "torsor/closed_form_ik/regular_lanes.hpp"
#include "torsor/closed_form_ik/turns_onto.hpp"

namespace torsor {

/// How all joints stand, in the order and with the signs of the arm.
template <class T>
struct ChainBranch {
  std::array<T, 7> c, s, d;
  T clear;
  MaskOf<T> reached, blind;
};

/// A joint that is held, or a swivel angle.
template <class T>
struct HeldJoint {
  T c{1.0}, s{0.0}, d{0.0};
};

namespace detail {

template <class T>
Transform<T> joint_motion(bool slides, const T& c, const T& s, const T& d) {
  if (slides) return Transform<T>::translation({T(0.0), T(0.0), d});
  return Transform<T>::rotation(rotation_z(c, s));
}

template <class T>
ChainBranch<T> standing(const RegularChain& arm) {
  ChainBranch<T> out;
  for (std::size_t k = 0; k < static_cast<std::size_t>(arm.joints); ++k) {
    out.c[k] = T(1.0);
    out.s[k] = T(0.0);
    out.d[k] = T(0.0);
  }
  return out;
}

/// Joints 4 to 6 of a wrist, or 5 to 7: Rz(a) C Rz(b) D Rz(c) = W.
template <class T>
struct WristOnto {
  WristOnto(const Mat3<double>& C, const Mat3<double>& D, const Mat3<T>& W, const T& sign) : first(C, D.z, W.z, sign) {
    const Mat3<T> R = turned_z(first.ca, first.sa, constant_of<T>(C) * turned_z(first.cb, first.sb, constant_of<T>(D)));
    c = dot(R.x, W.x);
    s = dot(R.y, W.x);
  }

  TurnsOnto<T> first;
  T c, s;
};

template <class T>
ChainBranch<T> swivel_branch(const RegularChain& arm, const Transform<T>& X, const HeldJoint<T>& psi,
                             const std::array<T, 3>& sign) {
  using std::sqrt;
  const auto& B = arm.B;
  // the triangle of shoulder, elbow and wrist
  const Vec3<T> S = constant_of<T>(arm.shoulder), between = X * constant_of<T>(arm.point) - S;
  const double u = arm.upper_arm, f = arm.forearm;
  const T square = dot(between, between), per_distance = T(1.0) / sqrt(square);
  const Vec3<T> n = between * per_distance, axis = constant_of<T>(B[0].R.z);
  const T along = (T(u * u - f * f) + square) * (T(0.5) * per_distance), left = T(u * u) - along * along;
  ChainBranch<T> out = standing<T>(arm);
  out.reached = T(0.0) < left;
  const T across = sqrt(select(out.reached, left, T(0.0)));
  const Vec3<T> beside = axis - n * dot(n, axis);
  const T of_r = dot(beside, beside);
  const Vec3<T> r = beside * (T(1.0) / sqrt(of_r)), side = cross(n, r);
  const Vec3<T> upper = n * along + (r * psi.c + side * psi.s) * across;
  // each joint after the other
  const Vec3<T> z3 = ~constant_of<T>(B[0].R) * (upper * T(arm.sense / u));
  const TurnsOnto<T> first(B[1].R, B[2].R.z, z3, sign[2]);
  const Mat3<T> R2 = constant_of<T>(B[0].R) *
                     turned_z(first.ca, first.sa,
                              constant_of<T>(B[1].R) * turned_z(first.cb, first.sb, constant_of<T>(B[2].R)));
  const TurnsOnto<T> elbow(B[3].R, arm.wrist_of_4, ~R2 * (between - upper), sign[1]);
  const Mat3<T> R4 = R2 * turned_z(elbow.ca, elbow.sa,
                                   constant_of<T>(B[3].R) * turned_z(elbow.cb, elbow.sb, constant_of<T>(B[4].R)));
  const WristOnto<T> last(B[5].R, B[6].R, ~R4 * (X.R * ~constant_of<T>(B[7].R)), sign[0]);
  out.c = {first.ca, first.cb, elbow.ca, elbow.cb, last.first.ca, last.first.cb, last.c};
  out.s = {first.sa, first.sb, elbow.sa, elbow.sb, last.first.sa, last.first.sb, last.s};
  out.clear = left * T(1 / (u * u));
  for (const TurnsOnto<T>* two : {&first, &elbow, &last.first}) {
    out.clear = select(two->clear < out.clear, two->clear, out.clear);
    out.reached = out.reached & two->reached;
  }
  out.clear = select(of_r < out.clear, of_r, out.clear);
  out.blind = !(T(turns_edge * u * u) < square);
  return out;
}

}  // namespace detail

/// The branch with these signs (+1, -1), the first that of the last choice.
template <class T>
ChainBranch<T> chain_branch(const RegularChain& arm, const Transform<T>& X_world_tool, const HeldJoint<T>& value,
                            const std::array<T, 3>& sign) {
  using std::sqrt;
  using Rest = RegularChain::Rest;
  if (arm.rest == Rest::swivel) return detail::swivel_branch(arm, X_world_tool, value, sign);
  ChainBranch<T> out = detail::standing<T>(arm);
  // what is held belongs to the pose
  Transform<T> X = X_world_tool;
  const auto last = static_cast<std::size_t>(arm.joints);
  if (arm.held >= 0) {
    const auto held = static_cast<std::size_t>(arm.held);
    out.c[held] = value.c;
    out.s[held] = value.s;
    out.d[held] = value.d;
    const Transform<T> back = detail::joint_motion(arm.slides[held], value.c, -value.s, -value.d);
    X = arm.held == 0 ? back * (constant_of<T>(inverse(arm.B[0])) * X)
                      : X * (constant_of<T>(inverse(arm.B[last])) * back);
  }
  if (arm.backwards) X = inverse(X);

  // joint k as it is read
  const auto of_arm = [&arm](int k) {
    return static_cast<std::size_t>((arm.backwards ? arm.moving - 1 - k : k) + (arm.held == 0));
  };
  const T sense(arm.backwards ? -1.0 : 1.0);
  const auto put = [&](int k, const T& c, const T& s, const T& d) {
    out.c[of_arm(k)] = c;
    out.s[of_arm(k)] = sense * s;
    out.d[of_arm(k)] = sense * d;
  };
  std::size_t next = arm.rest == Rest::wrist ? 1 : 0;
  const T second = sign[next], third = arm.few.is_double(1) ? sign[next + 1 < 3 ? next + 1 : 2] : second;
  const FewBranch<T> few = few_branch<T>(arm.few, X * constant_of<T>(arm.point), third, second);
  out.reached = few.reached;
  out.blind = few.blind;
  out.clear = few.clear;
  for (std::size_t k = 0; k < static_cast<std::size_t>(arm.placing); ++k)
    put(static_cast<int>(k), few.c[k], few.s[k], few.d[k]);
  if (arm.rest == Rest::place || arm.rest == Rest::axis) return out;

  // what is left of the rotation
  const auto n = static_cast<std::size_t>(arm.placing);
  Mat3<T> R = constant_of<T>(arm.C[0].R);
  for (std::size_t k = 0; k < n; ++k)
    R = (arm.few.slides[k] ? R : R * rotation_z(few.c[k], few.s[k])) * constant_of<T>(arm.C[k + 1].R);
  const Mat3<T> W = ~R * (X.R * ~constant_of<T>(arm.C[static_cast<std::size_t>(arm.moving)].R));
  if (arm.rest == Rest::turn) {
    const T c = W.x.x + W.y.y, s = W.x.y - W.y.x, square = c * c + s * s, per = T(1.0) / sqrt(square);
    out.blind = out.blind | !(T(turns_edge) < square);
    put(arm.placing, c * per, s * per, T(0.0));
    return out;
  }
  const detail::WristOnto<T> turns(arm.C[n + 1].R, arm.C[n + 2].R, W, sign[0]);
  put(arm.placing, turns.first.ca, turns.first.sa, T(0.0));
  put(arm.placing + 1, turns.first.cb, turns.first.sb, T(0.0));
  put(arm.placing + 2, turns.c, turns.s, T(0.0));
  out.reached = out.reached & turns.first.reached;
  out.clear = select(turns.first.clear < out.clear, turns.first.clear, out.clear);
  return out;
}

/// How far the tool is from where it is asked for, and the columns that the task sees.
template <class T>
struct ChainMeasure {
  T position, angle;  // m, rad, squared
  T sigma;

  ChainMeasure(const RegularChain& arm, const ChainBranch<T>& b, const Transform<T>& X_world_tool) {
    using Rest = RegularChain::Rest;
    using std::sqrt;
    const auto n = static_cast<std::size_t>(arm.joints);
    const auto square = [](const Vec3<T>& v) { return dot(v, v); };
    const bool is_place = arm.rest == Rest::place, is_axis = arm.rest == Rest::axis;
    const Vec3<T> along = is_axis ? X_world_tool.R * constant_of<T>(arm.axis) : Vec3<T>();
    // columns about joint 1, of fewer joints about the tool: where it is asked for
    const Vec3<T> at = n > 5 ? constant_of<T>(arm.B[0].p) : X_world_tool.p;
    const T per_size(1 / arm.size), none(0.0);
    std::array<std::array<T, 6>, 7> column;
    std::size_t m = 0;
    Transform<T> X = constant_of<T>(arm.B[0]);
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3<T> z = X.R.z;
      const bool slides = arm.slides[k];
      if (static_cast<int>(k) != arm.unmeasured) {
        const Vec3<T> v = slides ? z : cross(z, at - X.p) * per_size;
        const Vec3<T> w = is_axis ? z - along * dot(along, z) : z;
        column[m++] = slides || is_place ? std::array<T, 6>{v.x, v.y, v.z, none, none, none}
                                         : std::array<T, 6>{v.x, v.y, v.z, w.x, w.y, w.z};
      }
      X = (slides ? Transform<T>{X.R, X.p + z * b.d[k]}
                  : Transform<T>{times_rotation_z(X.R, b.c[k], b.s[k]), X.p}) *
          constant_of<T>(arm.B[k + 1]);
    }
    position = square(X.p - X_world_tool.p);
    angle = none;
    if (is_axis) {
      angle = square(X.R * constant_of<T>(arm.axis) - along);
    } else if (!is_place) {
      const Mat3<T> off = X.R - X_world_tool.R;
      angle = detail::larger(square(off.x), detail::larger(square(off.y), square(off.z)));
    }
    // J^T J = L D L^T, and its least eigenvalue by inverse iteration
    const auto product = [&](std::size_t i, std::size_t k) {
      T sum = column[i][0] * column[k][0];
      for (std::size_t r = 1; r < 6; ++r) sum += column[i][r] * column[k][r];
      return sum;
    };
    std::array<std::array<T, 7>, 7> L;
    std::array<T, 7> per, x;
    for (std::size_t j = 0; j < m; ++j) {
      std::array<T, 7> of_j;  // L_jk D_k
      for (std::size_t k = 0; k < j; ++k) of_j[k] = L[j][k], L[j][k] = of_j[k] * per[k];
      T pivot = product(j, j);
      for (std::size_t k = 0; k < j; ++k) pivot -= L[j][k] * of_j[k];
      per[j] = T(1.0) / select(T(1e-30) < pivot, pivot, T(1e-30));
      for (std::size_t i = j + 1; i < m; ++i) {
        T sum = product(i, j);
        for (std::size_t k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
        L[i][j] = sum;  // times D_j, until row i is reached
      }
      x[j] = T(j % 2 == 0 ? 0.41 + 0.03 * static_cast<double>(j) : -0.43);
    }
    T before(1.0), after(1.0);
    for (int step = 0; step < 3; ++step) {
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t k = 0; k < i; ++k) x[i] -= L[i][k] * x[k];
      for (std::size_t i = m; i-- > 0;) {
        x[i] = x[i] * per[i];
        for (std::size_t k = i + 1; k < m; ++k) x[i] -= L[k][i] * x[k];
      }
      before = after;
      after = x[0] * x[0];
      for (std::size_t i = 1; i < m; ++i) after += x[i] * x[i];
    }
    sigma = sqrt(sqrt(before / after));
  }
};

namespace detail {

/// Signs of the rows from `first` on, four side by side.
template <class Lanes>
std::array<Lanes, 3> signs_of_rows(int first) {
  return {Lanes(std::array<double, 4>{1, -1, 1, -1}), Lanes(std::array<double, 4>{1, 1, -1, -1}),
          Lanes(first == 0 ? 1.0 : -1.0)};
}

template <class T>
HeldJoint<T> held_at(const RegularChain& arm, double value) {
  if (arm.held < 0 && arm.rest != RegularChain::Rest::swivel) return {};
  return {T(std::cos(value)), T(std::sin(value)), T(value)};
}

template <class Lanes>
auto doubtful_of(const ChainBranch<Lanes>& b) {
  return b.blind | (abs(b.clear) < Lanes(turns_edge)) | !(b.clear == b.clear);
}

/// A joint as a coordinate inside the limits.
template <class Lanes>
RegularCoordinate<Lanes> coordinate_of(const RegularChain& arm, const ChainBranch<Lanes>& b, std::size_t i) {
  const Lanes lower(arm.lower[i]), upper(arm.upper[i]), none(0.0);
  if (!arm.slides[i]) return {angle_of(b.c[i], b.s[i]), none, lower, upper};
  RegularCoordinate<Lanes> x;
  x.q = b.d[i];
  x.beyond = select(x.q < lower, x.q - lower, none) + select(upper < x.q, x.q - upper, none);
  return x;
}

}  // namespace detail

template <class Lanes>
RegularChain::Inside inside_in_lanes(const RegularChain& arm, const Transform<double>& X_world_tool, double value) {
  const Transform<Lanes> X = constant_of<Lanes>(X_world_tool);
  const HeldJoint<Lanes> held = detail::held_at<Lanes>(arm, value);
  for (int first = 0; first < arm.rows(); first += 4) {
    const ChainBranch<Lanes> b = chain_branch<Lanes>(arm, X, held, detail::signs_of_rows<Lanes>(first));
    if (any(detail::doubtful_of(b))) return RegularChain::Inside::doubtful;
    if (!any(b.reached)) continue;
    auto inside = b.reached;
    for (std::size_t i = 0; i < static_cast<std::size_t>(arm.joints); ++i) {
      if (static_cast<int>(i) == arm.held) continue;
      if (arm.slides[i]) {
        inside = inside & !(b.d[i] < Lanes(arm.lower[i])) & !(Lanes(arm.upper[i]) < b.d[i]);
      } else if (arm.cos_half[i] > -1) {
        // cos(q - middle) tells without an arc tangent
        inside = inside & !(b.c[i] * Lanes(arm.cos_middle[i]) + b.s[i] * Lanes(arm.sin_middle[i]) <
                            Lanes(arm.cos_half[i]));
      }
    }
    if (any(inside)) return RegularChain::Inside::some;
  }
  return RegularChain::Inside::none;
}

/// All branches, four at a time; false where the careful path must decide.
template <class Lanes>
bool solve_chain_in_lanes(const RegularChain& arm, const Transform<double>& X_world_tool, double value,
                          RegularSolutions& out) {
  constexpr double exact = 1e-12, surely_not = 1e-4, plain_sigma = 1e-4;
  const int rows = arm.rows();
  const auto n = static_cast<std::size_t>(arm.joints);
  const Transform<Lanes> X = constant_of<Lanes>(X_world_tool);
  const HeldJoint<Lanes> held = detail::held_at<Lanes>(arm, value);
  out.count = 0;
  for (int first = 0; first < rows; first += 4) {
    const ChainBranch<Lanes> b = chain_branch<Lanes>(arm, X, held, detail::signs_of_rows<Lanes>(first));
    const auto doubtful = detail::doubtful_of(b);
    const int used = std::min(4, rows);
    bool any_doubtful = false, any_reached = false;
    for (int k = 0; k < used; ++k) {
      any_doubtful = any_doubtful || doubtful[k];
      any_reached = any_reached || b.reached[k];
    }
    if (any_doubtful) return false;
    if (!any_reached) continue;
    const ChainMeasure<Lanes> measure(arm, b, X);
    const Lanes position = sqrt(measure.position), angle = sqrt(measure.angle);
    std::array<RegularCoordinate<Lanes>, 7> x;
    Lanes outside(0.0);
    for (std::size_t i = 0; i < n; ++i) {
      if (static_cast<int>(i) == arm.held) continue;
      x[i] = detail::coordinate_of(arm, b, i);
      outside += abs(x[i].beyond);
    }
    for (int k = 0; k < used; ++k) {
      if (!b.reached[k]) continue;
      const double error = std::max(position[k] / arm.size, angle[k]);
      if (error > surely_not && arm.is_overdetermined()) continue;
      if (!(error < exact) || !(measure.sigma[k] > plain_sigma)) return false;
      RegularSolution& s = out.solution[static_cast<std::size_t>(out.count++)];
      for (std::size_t i = 0; i < n; ++i) s.q[i] = static_cast<int>(i) == arm.held ? value : x[i].q[k];
      s.position_residual = position[k];
      s.angle_residual = angle[k];
      s.sigma = measure.sigma[k];
      s.inside_limits = outside[k] == 0;
    }
  }
  return true;
}

}  // namespace torsor
