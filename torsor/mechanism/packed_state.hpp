// The state of a mechanism as a row of numbers, as integrators want it: r, p, v, w of each body.
#pragma once

#include <span>

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

inline constexpr std::size_t packed_per_body = 13;

inline void pack_state(const MechanismState& state, std::span<double> y) {
  double* to = y.data();
  for (const BodyState& b : state.bodies)
    for (const double x :
         {b.r.x, b.r.y, b.r.z, b.p.e0, b.p.e1, b.p.e2, b.p.e3, b.v.x, b.v.y, b.v.z, b.w.x, b.w.y, b.w.z})
      *to++ = x;
}

/// Bodies alone; orientations are made of length 1.
inline void unpack_state(std::span<const double> y, MechanismState& state) {
  const double* x = y.data();
  for (BodyState& b : state.bodies) {
    b = {{x[0], x[1], x[2]},
         normalized(Quaternion<double>{x[3], x[4], x[5], x[6]}),
         {x[7], x[8], x[9]},
         {x[10], x[11], x[12]}};
    x += packed_per_body;
  }
}

/// The slope of y, which has that state: velocities and accelerations. An orientation need not have the length 1.
inline void pack_slope(const MechanismState& state, std::span<const double> y, std::span<const Motion<double>> A,
                       std::span<double> dy) {
  double* to = dy.data();
  const double* from = y.data();
  for (std::size_t b = 0; b < A.size(); ++b, from += packed_per_body) {
    const BodyState& s = state.bodies[b];
    const Quaternion<double> p{from[3], from[4], from[5], from[6]};
    const Quaternion<double> pd = Quaternion<double>{0, s.w.x / 2, s.w.y / 2, s.w.z / 2} * p;
    for (const double x : {s.v.x, s.v.y, s.v.z, pd.e0, pd.e1, pd.e2, pd.e3, A[b].v.x, A[b].v.y, A[b].v.z, A[b].w.x,
                           A[b].w.y, A[b].w.z})
      *to++ = x;
  }
}

}  // namespace torsor
