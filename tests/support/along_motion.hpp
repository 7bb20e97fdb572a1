// Time derivatives by duals: q, and with it everything computed from q, as a function of time along a motion.
#pragma once

#include "tests/support/random_robot.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/scalar/dual.hpp"

namespace torsor::testing {

using Time1 = Dual<double>;
using Time2 = Dual<Dual<double>>;

/// The value of a constant and its rate.
inline std::vector<Time1> with_rate(View value, View rate) {
  std::vector<Time1> out;
  for (std::size_t i = 0; i < value.size(); ++i) out.push_back({value[i], {rate[i]}});
  return out;
}

/// dq/dt of the model's positions.
inline Numbers position_rate(const Model<double>& model, View q, View qd) {
  Numbers rate(q.size());
  configuration_rate<double>(model, q, qd, rate);
  return rate;
}

/// q to first order in time: value and rate.
inline std::vector<Time1> position_along(const Model<double>& model, View q, View qd) {
  return with_rate(q, position_rate(model, q, qd));
}

/// q to second order in time: r(t) of anything has r.value.value, its rate r.value.tangent[0] and acceleration r.tangent[0].tangent[0].
inline std::vector<Time2> position_along(const Model<double>& model, const State& state) {
  const std::vector<Time1> q = position_along(model, state.q, state.qd), qd = with_rate(state.qd, state.qdd);
  std::vector<Time1> rate(q.size());
  configuration_rate<Time1>(cast<Time1>(model), q, qd, rate);
  std::vector<Time2> out;
  for (std::size_t i = 0; i < q.size(); ++i) out.push_back({q[i], {rate[i]}});
  return out;
}

inline Vec3<double> value(const Vec3<Time1>& v) { return {v.x.value, v.y.value, v.z.value}; }
inline Vec3<double> rate(const Vec3<Time1>& v) { return {v.x.tangent[0], v.y.tangent[0], v.z.tangent[0]}; }
inline Mat3<double> value(const Mat3<Time1>& R) { return {value(R.x), value(R.y), value(R.z)}; }
inline Mat3<double> rate(const Mat3<Time1>& R) { return {rate(R.x), rate(R.y), rate(R.z)}; }
inline Vec3<double> acceleration(const Vec3<Time2>& v) {
  return {v.x.tangent[0].tangent[0], v.y.tangent[0].tangent[0], v.z.tangent[0].tangent[0]};
}

/// The a of a skew matrix skew(a).
template <class T>
Vec3<T> axial(const Mat3<T>& A) {
  const T half(0.5);
  return {(A.y.z - A.z.y) * half, (A.z.x - A.x.z) * half, (A.x.y - A.y.x) * half};
}

}  // namespace torsor::testing
