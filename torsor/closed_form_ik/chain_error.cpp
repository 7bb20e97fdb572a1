#include "torsor/closed_form_ik/chain_error.hpp"

#include "torsor/spatial/rotation.hpp"

namespace torsor {

ChainError chain_error(const JointChain& chain, ShortTask task, const Vec3<double>& axis,
                       const Transform<double>& X_world_tool, std::span<const double> q) {
  const std::size_t n = static_cast<std::size_t>(chain.joints());
  const double unit = chain.size;
  ChainError out;
  out.rows = task == ShortTask::pose ? 6 : task == ShortTask::place_and_axis ? 5 : 3;
  Vec3<double> across[2];
  if (task == ShortTask::place_and_axis) {
    const Mat3<double> A = X_world_tool.R * rotation_z_onto(axis);
    across[0] = A.x;
    across[1] = A.y;
  }
  std::array<Vec3<double>, 7> z, o;
  Transform<double> X = chain.B[0];
  for (std::size_t k = 0; k < n; ++k) {
    z[k] = X.R.z;
    o[k] = X.p;
    X = X * chain.moved(static_cast<int>(k), q[k]) * chain.B[k + 1];
  }
  const Vec3<double> e = (X_world_tool.p - X.p) * (1 / unit);
  Vec3<double> w;
  if (task == ShortTask::pose)
    w = (cross(X.R.x, X_world_tool.R.x) + cross(X.R.y, X_world_tool.R.y) + cross(X.R.z, X_world_tool.R.z)) * 0.5;
  else if (task == ShortTask::place_and_axis)
    w = cross(X.R * axis, X_world_tool.R * axis);
  out.position_residual = norm(e) * unit;
  out.angle_residual = norm(w);
  const auto component = [&](const Vec3<double>& place, const Vec3<double>& turn, int r) {
    if (r < 3) return r == 0 ? place.x : r == 1 ? place.y : place.z;
    if (task == ShortTask::place_and_axis) return dot(across[r - 3], turn);
    return r == 3 ? turn.x : r == 4 ? turn.y : turn.z;
  };
  const std::size_t rows = static_cast<std::size_t>(out.rows);
  for (int r = 0; r < out.rows; ++r) {
    const auto row = static_cast<std::size_t>(r);
    out.missing[row] = component(e, w, r);
    for (std::size_t k = 0; k < n; ++k)
      out.J[k * rows + row] = chain.slides[k] ? component(z[k], {}, r)
                                              : component(cross(z[k], X.p - o[k]) * (1 / unit), z[k], r);
  }
  return out;
}

}  // namespace torsor
