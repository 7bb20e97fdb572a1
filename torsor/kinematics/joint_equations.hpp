// The equations of each kind of joint, from those of constraint_row.hpp; mechanism_joint_kind.hpp has them in words.
//
// A body that rolls on the plane z_i = 0 of body i touches it at P_j + e, e = -r z_i (ball) or -r times the steepest radius
// of the disc, g = (z_i - (z_i . z_j) z_j) / |...|. The point of j that is there must have the velocity of the point of i
// that is there. These two equations hold for velocities only; no position stands behind them (nonholonomic).
#pragma once

#include <array>

#include "torsor/kinematics/constraint_row.hpp"
#include "torsor/model/mechanism_joint_kind.hpp"

namespace torsor {

/// Lengths that a joint is made with; what they are is said in description.hpp.
struct JointSizes {
  double length = 0, offset = 0, pitch = 0, radius = 0;
  double phase = 0;  // of a screw: slide - pitch * angle, the angle within half a turn
};

/// At most six rows, those of velocity alone last; their values are what must be zero.
template <class T>
struct JointEquations {
  std::array<ConstraintRow<T>, 6> rows;
  int count = 0;

  void add(const ConstraintRow<T>& row) { rows[static_cast<std::size_t>(count++)] = row; }
  void add(ConstraintRow<T> row, const T& target) {
    row.value -= target;
    add(row);
  }
};

namespace detail {

template <class T>
void add_coincidence(JointEquations<T>& out, const JointPlace<T>& i, const JointPlace<T>& j) {
  // e . d along the world's axes e, the products with zeros left out
  const Vec3<T> d = j.P - i.P, ddd = j.Pdd - i.Pdd, &a = i.s, &b = j.s;
  const T o{0}, e{1};
  out.add({d.x, {{o, -a.z, a.y}, {-e, o, o}}, {{o, b.z, -b.y}, {e, o, o}}, ddd.x});
  out.add({d.y, {{a.z, o, -a.x}, {o, -e, o}}, {{-b.z, o, b.x}, {o, e, o}}, ddd.y});
  out.add({d.z, {{-a.y, a.x, o}, {o, o, -e}}, {{b.y, -b.x, o}, {o, o, e}}, ddd.z});
}

template <class T>
void add_parallel_axes(JointEquations<T>& out, const JointPlace<T>& i, const JointPlace<T>& j) {
  out.add(square_row(i.R.x, j.R.z, i, j));
  out.add(square_row(i.R.y, j.R.z, i, j));
}

template <class T>
void add_on_axis(JointEquations<T>& out, const JointPlace<T>& i, const JointPlace<T>& j) {
  out.add(in_line_row(i.R.x, i, j));
  out.add(in_line_row(i.R.y, i, j));
}

/// From the centre of the rolling body to where it touches, and how that changes.
template <class T>
struct Contact {
  Vec3<T> e, ed;
};

template <Analytic T>
Contact<T> contact(bool disc, const T& radius, const JointPlace<T>& i, const JointPlace<T>& j) {
  const Vec3<T> n = i.R.z, nd = cross(i.w, n);
  if (!disc) return {n * -radius, nd * -radius};
  const Vec3<T> u = j.R.z, ud = cross(j.w, u);
  const T c = dot(n, u), cd = dot(nd, u) + dot(n, ud);
  const Vec3<T> g = n - u * c, gd = nd - ud * c - u * cd;
  const T l = norm(g), ld = dot(g, gd) / l;
  return {g * (-radius / l), gd * (-radius / l) + g * (radius * ld / (l * l))};
}

template <Analytic T>
void add_rolling(JointEquations<T>& out, bool disc, const T& radius, const JointPlace<T>& i, const JointPlace<T>& j) {
  const Contact<T> touch = contact(disc, radius, i, j);
  // the height of the centre: r, or r times the sine of the disc's tilt
  ConstraintRow<T> height = in_line_row(i.R.z, i, j);
  if (!disc) {
    out.add(height, radius);
  } else {
    // h = z_i . d - r |g| with |g|^2 = 1 - c^2, c = z_i . z_j
    const ConstraintRow<T> c = square_row(i.R.z, j.R.z, i, j);
    const T l = sqrt(T(1) - c.value * c.value), k = c.value / l;
    const T cd = dot(c.J_i.n, i.w - j.w);
    height.value -= radius * l;
    height.J_i.n += c.J_i.n * (radius * k);
    height.J_j.n += c.J_j.n * (radius * k);
    height.bias += radius * (k * c.bias + cd * cd / (l * l * l));
    out.add(height);
  }
  // velocities of the two points that touch, along x_i and y_i
  const Vec3<T> sj = j.s + touch.e;                // from the mass centre of j
  const Vec3<T> si = j.P + touch.e - (i.P - i.s);  // from that of i
  const Vec3<T> slip = (j.Pd + cross(j.w, touch.e)) - (i.Pd + cross(i.w, si - i.s));
  // the contact moves over both bodies: their velocities there change by w x (rate of the contact's place)
  const Vec3<T> contact_rate = j.Pd + touch.ed;
  const Vec3<T> aj = j.Pdd + cross(j.w, touch.ed);
  const Vec3<T> ai = i.Pdd + cross(i.w, contact_rate - i.Pd);
  for (const Vec3<T>& a : {i.R.x, i.R.y}) {
    const Vec3<T> ad = cross(i.w, a);
    out.add({dot(a, slip), {-cross(si, a), -a}, {cross(sj, a), a}, dot(ad, slip) + dot(a, aj - ai)});
  }
}

}  // namespace detail

/// All equations of a joint where its two frames are.
template <Analytic T>
JointEquations<T> joint_equations(MechanismJointKind kind, const JointSizes& size, const JointPlace<T>& i,
                                  const JointPlace<T>& j) {
  using enum MechanismJointKind;
  JointEquations<T> out;
  switch (kind) {
    case spherical: detail::add_coincidence(out, i, j); break;
    case revolute:
      detail::add_coincidence(out, i, j);
      detail::add_parallel_axes(out, i, j);
      break;
    case universal:
      detail::add_coincidence(out, i, j);
      out.add(square_row(i.R.z, j.R.z, i, j));
      break;
    case fixed:
      detail::add_coincidence(out, i, j);
      detail::add_parallel_axes(out, i, j);
      out.add(square_row(i.R.x, j.R.y, i, j));
      break;
    case cylindrical:
    case screw:
    case translational:
      detail::add_parallel_axes(out, i, j);
      detail::add_on_axis(out, i, j);
      if (kind == translational) out.add(square_row(i.R.x, j.R.y, i, j));
      if (kind == screw) {
        const ConstraintRow<T> slide = in_line_row(i.R.z, i, j), angle = angle_row(i, j);
        const T p = static_cast<T>(size.pitch);
        out.add({slide.value - p * angle.value - T(size.phase), slide.J_i - angle.J_i * p, slide.J_j - angle.J_j * p,
                 slide.bias - p * angle.bias});
      }
      break;
    case planar:
      out.add(in_line_row(i.R.z, i, j));
      detail::add_parallel_axes(out, i, j);
      break;
    case orientation:
      detail::add_parallel_axes(out, i, j);
      out.add(square_row(i.R.x, j.R.y, i, j));
      break;
    case distance: out.add(length_row(i, j), T(size.length)); break;
    case point_on_line: detail::add_on_axis(out, i, j); break;
    case point_on_plane: out.add(in_line_row(i.R.z, i, j), T(size.offset)); break;
    case revolute_spherical:
      out.add(in_line_row(i.R.z, i, j), T(size.offset));
      out.add(length_row(i, j), T(size.length));
      break;
    case rolling_ball: detail::add_rolling(out, false, T(size.radius), i, j); break;
    case rolling_disc: detail::add_rolling(out, true, T(size.radius), i, j); break;
    case free: break;
  }
  return out;
}

}  // namespace torsor
