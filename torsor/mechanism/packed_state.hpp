// The state of a mechanism as a row of numbers, as integrators want it: r, p, v, w of each body, in units of its own, so that
// one tolerance suits them all.
#pragma once

#include <span>

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

inline constexpr std::size_t packed_per_body = 13;

inline void pack_state(const MechanismState& state, const OwnUnits& units, std::span<double> y) {
  double* to = y.data();
  const double length = 1 / units.length, rate = units.time, speed = rate * length;
  for (const BodyState& b : state.bodies)
    for (const double x :
         {b.r.x * length, b.r.y * length, b.r.z * length, b.p.e0, b.p.e1, b.p.e2, b.p.e3, b.v.x * speed, b.v.y * speed,
          b.v.z * speed, b.w.x * rate, b.w.y * rate, b.w.z * rate})
      *to++ = x;
}

/// Bodies alone; orientations are made of length 1.
inline void unpack_state(std::span<const double> y, const OwnUnits& units, MechanismState& state) {
  const double* x = y.data();
  const double length = units.length, rate = 1 / units.time, speed = rate * length;
  for (BodyState& b : state.bodies) {
    b = {Vec3<double>{x[0], x[1], x[2]} * length,
         normalized(Quaternion<double>{x[3], x[4], x[5], x[6]}),
         Vec3<double>{x[7], x[8], x[9]} * speed,
         Vec3<double>{x[10], x[11], x[12]} * rate};
    x += packed_per_body;
  }
}

/// The slope of y, which has that state: velocities and accelerations. An orientation need not have the length 1.
inline void pack_slope(const MechanismState& state, std::span<const double> y, std::span<const Motion<double>> A,
                       const OwnUnits& units, std::span<double> dy) {
  const double length = 1 / units.length, rate = units.time, speed = rate * length;
  double* to = dy.data();
  const double* from = y.data();
  for (std::size_t b = 0; b < A.size(); ++b, from += packed_per_body) {
    const BodyState& s = state.bodies[b];
    const Quaternion<double> p{from[3], from[4], from[5], from[6]};
    const Quaternion<double> pd = Quaternion<double>{0, s.w.x / 2, s.w.y / 2, s.w.z / 2} * p;
    for (const double x : {s.v.x * length, s.v.y * length, s.v.z * length, pd.e0, pd.e1, pd.e2, pd.e3, A[b].v.x * speed,
                           A[b].v.y * speed, A[b].v.z * speed, A[b].w.x * rate, A[b].w.y * rate, A[b].w.z * rate})
      *to++ = x;
  }
}

}  // namespace torsor
