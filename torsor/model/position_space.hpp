// Positions as a space with directions, one number for each velocity coordinate: where a displacement d leads (q (+) d,
// joint_displacement.hpp), which one leads from one position to another (the inverse, q1 (-) q0), what lies between,
// and how these change with what they are made of. For a joint of several degrees of freedom, in the body frame at q0,
//
//   theta = log(R0^T R1),   r = R0^T (p1 - p0)        the turn of at most pi; between e and -e there is no difference
//   delta_d = J^-1 (delta_1 - (~X) delta_0)           X = (E, r), J = (Jr, E^T) of joint_displacement.hpp
//   Jr^-1 = 1 + theta x / 2 + D (theta x)^2,          D = (1 - A / (2 B)) / t^2
//
// A joint of one degree of freedom subtracts: turns count, and an angle is not brought into a range.
#pragma once

#include <array>

#include "torsor/model/joint_displacement.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace detail {

/// The motion along the coordinates of a joint of several degrees of freedom.
template <class T>
void along_coordinates(JointKind kind, const Motion<T>& m, T* out) {
  if (kind == JointKind::planar) {
    out[0] = m.w.z, out[1] = m.v.x, out[2] = m.v.y;
    return;
  }
  out[0] = m.w.x, out[1] = m.w.y, out[2] = m.w.z;
  if (kind == JointKind::free) out[3] = m.v.x, out[4] = m.v.y, out[5] = m.v.z;
}

/// The rotation vector of a unit quaternion, of at most half a turn.
template <Ordered T>
Vec3<T> turn_of(const Quaternion<T>& e) {
  const T one(1), sign = select(e.e0 < T(0), T(-1), one);
  const Vec3<T> u = vector_part(e) * sign;
  const T s2 = dot(u, u);
  const auto small = s2 < T(0.01);
  // 2 asin(s) / s
  constexpr double terms[] = {1,           1.0 / 6,       3.0 / 40,       5.0 / 112,     35.0 / 1152,
                              63.0 / 2816, 231.0 / 13312, 143.0 / 10240, 6435.0 / 557056};
  T series(0), power(2);
  for (const double term : terms) {
    series += T(term) * power;
    power = power * s2;
  }
  const T s = sqrt(select(small, one, s2));
  return u * select(small, series, T(2) * atan2(s, e.e0 * sign) / s);
}

/// Jr^-1 x at theta.
template <Ordered T>
Vec3<T> undo_right(const Vec3<T>& theta, const Vec3<T>& x) {
  const T t2 = dot(theta, theta), one(1);
  const auto small = t2 < T(0.01);
  const T safe = select(small, one, t2), t = sqrt(safe), half = sin(t / T(2));
  const T exact = (one - t * sin(t) / (T(4) * half * half)) / safe;
  const T series = T(1.0 / 12) +
                   t2 * (T(1.0 / 720) + t2 * (T(1.0 / 30240) + t2 * (T(1.0 / 1209600) + t2 * T(1.0 / 47900160))));
  const Vec3<T> c = cross(theta, x);
  return x + c * T(0.5) + cross(theta, c) * select(small, series, exact);
}

/// The displacement of a joint of several degrees of freedom from x to y.
template <Ordered T>
void joint_difference(JointKind kind, const T* x, const T* y, T* d) {
  if (kind == JointKind::planar) {
    const Vec3<T> p = ~rotation_z(cos(x[0]), sin(x[0])) * Vec3<T>{y[1] - x[1], y[2] - x[2], T(0)};
    d[0] = y[0] - x[0];
    d[1] = p.x;
    d[2] = p.y;
    return;
  }
  const Quaternion<T> e = normalized(Quaternion<T>{x[0], x[1], x[2], x[3]});
  const Vec3<T> theta = turn_of(~e * normalized(Quaternion<T>{y[0], y[1], y[2], y[3]}));
  Vec3<T> r;
  if (kind == JointKind::free) r = ~rotation(e) * Vec3<T>{y[4] - x[4], y[5] - x[5], y[6] - x[6]};
  along_coordinates(kind, Motion<T>{theta, r}, d);
}

/// of(body, k, column) for every degree of freedom of joints that have several; those of one have 1 or -1 on the
/// diagonal.
template <class T, class Of>
void fill_tangents(const Tree<T>& model, std::span<T> matrix, const T& of_one, const Of& of) {
  const int n = model.nv;
  TORSOR_EXPECT(matrix.size() == cells(n, n));
  for (T& x : matrix) x = T(0);
  for (const Body<T>& b : model.bodies) {
    if (b.nv == 1) matrix[cell(b.v, n, b.v)] = of_one;
    for (int k = 0; b.nv > 1 && k < b.nv; ++k) {
      T column[6];
      of(b, joint_motion(b.kind, k, T(0)), column);
      for (int i = 0; i < b.nv; ++i) matrix[cell(b.v + i, n, b.v + k)] = column[i];
    }
  }
}

}  // namespace detail

/// q (+) d: nq, nv and nq numbers; quaternions come out unit. The answer goes elsewhere than q.
template <Ordered T>
void integrate_position(const Tree<T>& model, std::span<const T> q, std::span<const T> d, std::span<T> out) {
  TORSOR_EXPECT(q.size() == out.size() && d.size() == static_cast<std::size_t>(model.nv));
  for (const Body<T>& b : model.bodies) {
    T end[7];
    displace_joint(b.kind, q.data() + b.q, d.data() + b.v, end);
    for (int k = 0; k < row(b.kind).nq; ++k) out[static_cast<std::size_t>(b.q + k)] = end[k];
  }
}

/// The displacement from one position to another: integrate_position(from, d) = to, but for the signs of quaternions.
template <Ordered T>
void position_difference(const Tree<T>& model, std::span<const T> from, std::span<const T> to, std::span<T> d) {
  TORSOR_EXPECT(from.size() == to.size() && d.size() == static_cast<std::size_t>(model.nv));
  for (const Body<T>& b : model.bodies) {
    const T *const x = from.data() + b.q, *const y = to.data() + b.q;
    if (b.nv == 1) d[static_cast<std::size_t>(b.v)] = y[0] - x[0];
    if (b.nv > 1) detail::joint_difference(b.kind, x, y, d.data() + b.v);
  }
}

/// The position at a share of the way, 0 .. 1: from (+) share (to (-) from).
template <Ordered T>
void interpolate_position(const Tree<T>& model, std::span<const T> from, std::span<const T> to, const T& share,
                          std::span<T> out) {
  TORSOR_EXPECT(from.size() == to.size() && from.size() == out.size());
  for (const Body<T>& b : model.bodies) {
    const T *const x = from.data() + b.q, *const y = to.data() + b.q;
    T d[6], end[7];
    if (b.nv == 1) d[0] = y[0] - x[0];
    if (b.nv > 1) detail::joint_difference(b.kind, x, y, d);
    for (int k = 0; k < b.nv; ++k) d[k] = d[k] * share;
    displace_joint(b.kind, x, d, end);
    for (int k = 0; k < row(b.kind).nq; ++k) out[static_cast<std::size_t>(b.q + k)] = end[k];
  }
}

/// How q (+) d changes with q and with d, all along the velocity coordinates: nv x nv each, row-major.
template <Ordered T>
void integrate_tangents(const Tree<T>& model, std::span<const T> d, std::span<T> by_q, std::span<T> by_d) {
  TORSOR_EXPECT(d.size() == static_cast<std::size_t>(model.nv));
  detail::fill_tangents(model, by_q, T(1), [&](const Body<T>& b, const Motion<T>& unit, T* column) {
    detail::along_coordinates(b.kind, Displacement<T>(b.kind, d.data() + b.v).carried(unit), column);
  });
  detail::fill_tangents(model, by_d, T(1), [&](const Body<T>& b, const Motion<T>& unit, T* column) {
    detail::along_coordinates(b.kind, Displacement<T>(b.kind, d.data() + b.v).changed(unit), column);
  });
}

/// The same of position_difference, by `from` and by `to`. Half a turn apart the difference has no derivative.
template <Ordered T>
void difference_tangents(const Tree<T>& model, std::span<const T> from, std::span<const T> to, std::span<T> by_from,
                         std::span<T> by_to) {
  TORSOR_EXPECT(from.size() == to.size());
  const auto changed_back = [&](const Body<T>& b, const Motion<T>& at_end, const Motion<T>& d, T* column) {
    const bool flat = b.kind == JointKind::planar;  // its turns are about one axis
    const Vec3<T> w = flat ? at_end.w : detail::undo_right(d.w, at_end.w);
    detail::along_coordinates(b.kind, Motion<T>{w, turned_by(d.w) * at_end.v}, column);
  };
  const auto difference_of = [&](const Body<T>& b) {
    T d[6];
    detail::joint_difference(b.kind, from.data() + b.q, to.data() + b.q, d);
    return joint_displacement(b.kind, d);
  };
  detail::fill_tangents(model, by_from, T(-1), [&](const Body<T>& b, const Motion<T>& unit, T* column) {
    const Motion<T> d = difference_of(b);
    const Transform<T> X{turned_by(d.w), d.v};
    const Motion<T> moved = ~X * unit;
    changed_back(b, {-moved.w, -moved.v}, d, column);
  });
  detail::fill_tangents(model, by_to, T(1), [&](const Body<T>& b, const Motion<T>& unit, T* column) {
    changed_back(b, unit, difference_of(b), column);
  });
}

}  // namespace torsor
