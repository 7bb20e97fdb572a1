// What a tool calculation of Newton-Euler writes down for each link, in the letters of Fu, Gonzalez & Lee (1987,
// Table 3.3, worked example 3.3.7): w, wd, vd of the link frame's origin, a of the mass centre, inertia force F and
// moment N, joint force f and moment n. Gravity enters through the base acceleration, so vd and a contain -g, as in the
// book.
#pragma once

#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/fields.hpp"

namespace torsor {

/// All components along the axes of the author's link frame. f and n: exerted on the link by the one before it;
/// n is the moment about the origin of the joint frame on the parent (frame i-1 in standard DH).
struct LinkTrace {
  Vec3<double> w, wd, vd, a, F, N, f, n;
};

constexpr auto fields(Of<LinkTrace>) {
  using L = LinkTrace;
  return field_list("LinkTrace", "Newton-Euler at a link.", field("omega", "rad/s", "", &L::w),
                    field("omega_dot", "rad/s²", "", &L::wd), field("v_dot", "m/s²", "of the frame's origin", &L::vd),
                    field("a", "m/s²", "of the mass centre", &L::a), field("F", "N", "of inertia", &L::F),
                    field("N", "N m", "of inertia", &L::N), field("f", "N", "through its joint", &L::f),
                    field("n", "N m", "through its joint", &L::n));
}

/// Row of body i, from the workspace that inverse_newton_euler has just filled.
inline LinkTrace link_trace(const Model<double>& model, const NewtonEulerWork<double>& work, int i) {
  const Body<double>& b = model[i];
  const Vec3<double>&w = work.w[i], &wd = work.wd[i];
  const auto acceleration = [&](const Vec3<double>& point) {
    return work.a[i] + cross(wd, point) + cross(w, cross(w, point));
  };
  const Mat3<double> R = ~b.link.R;  // body axes -> link axes
  const Vec3<double> a = acceleration(mass_centre(b.inertia));
  const Sym3<double> I = tensor_about_centre(b.inertia);
  const Vec3<double> joint = ~work.X[i] * b.placement.p;  // where the joint frame of the parent is, seen from the body
  const auto& [n, f] = work.f[i];
  return {R * w,
          R * wd,
          R * acceleration(b.link.p),
          R * a,
          R * (a * b.inertia.m),
          R * (I * wd + cross(w, I * w)),
          R * f,
          R * (n - cross(joint, f))};
}

}  // namespace torsor
