// The one file that knows joints. A row per kind: its name, its coordinates of position and of velocity, how it
// moves its frame, and the motions it allows. One-dof kinds act about their own z; the file's axis is folded into the
// constant placement. The allowed motions are constant in the body frame, so the recursions loop over columns S and
// never see a kind.
//
//   kind        position q            velocity (body components)
//   fixed       -                     -
//   revolute    angle about z         its rate
//   prismatic   displacement along z  its rate
//   helical     angle about z         its rate; the body advances by pitch metres per radian
//   planar      angle about z, px py  wz vx vy
//   spherical   e0 e1 e2 e3           wx wy wz
//   free        e0 e1 e2 e3 px py pz  wx wy wz vx vy vz
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor {

enum class JointKind : unsigned char { fixed, revolute, prismatic, helical, planar, spherical, free };

/// Coordinates of a one-dof joint bear the joint's own name, so theirs are empty.
struct JointRow {
  std::string_view name;
  int nq, nv;
  std::array<std::string_view, 7> position_names = {};
  std::array<std::string_view, 6> velocity_names = {};
};

inline constexpr std::array<JointRow, 7> joint_rows{{
    {"fixed", 0, 0},
    {"revolute", 1, 1},
    {"prismatic", 1, 1},
    {"helical", 1, 1},
    {"planar", 3, 3, {"angle", "px", "py"}, {"wz", "vx", "vy"}},
    {"spherical", 4, 3, {"e0", "e1", "e2", "e3"}, {"wx", "wy", "wz"}},
    {"free", 7, 6, {"e0", "e1", "e2", "e3", "px", "py", "pz"}, {"wx", "wy", "wz", "vx", "vy", "vz"}},
}};

constexpr const JointRow& row(JointKind kind) { return joint_rows[static_cast<std::size_t>(kind)]; }

/// The kind acts about (or along, or across) a direction of its own.
constexpr bool has_axis(JointKind kind) { return row(kind).nv == 1 || kind == JointKind::planar; }

constexpr std::optional<JointKind> joint_kind(std::string_view name) {
  for (std::size_t k = 0; k < joint_rows.size(); ++k)
    if (joint_rows[k].name == name) return static_cast<JointKind>(k);
  return std::nullopt;
}

/// What the recursions need of a joint's position: polynomial data, so that they run over any ring.
/// Revolute: (c, s). Prismatic: d. Helical: (c, s) and d = pitch * angle. Planar: (c, s) and p. Spherical: unit e.
/// Free: unit e and p.
template <class T>
struct JointPosition {
  T c{1}, s{0}, d{0};
  Quaternion<T> e;
  Vec3<T> p;
};

/// The same position over another scalar; `convert` maps each number.
template <class U, class T, class Convert>
JointPosition<U> cast(const JointPosition<T>& j, const Convert& convert) {
  return {convert(j.c), convert(j.s), convert(j.d),
          {convert(j.e.e0), convert(j.e.e1), convert(j.e.e2), convert(j.e.e3)},
          cast<U>(j.p, convert)};
}

/// Fills the polynomial form from the coordinates at x, already times the ratio and plus the offset of a mimic joint.
template <Analytic T>
void set_joint_position(JointKind kind, const T* x, const T& pitch, JointPosition<T>& j) {
  switch (kind) {
    case JointKind::fixed: break;
    case JointKind::prismatic: j.d = x[0]; break;
    case JointKind::helical:
    case JointKind::planar:
      if (kind == JointKind::helical)
        j.d = pitch * x[0];
      else
        j.p = {x[1], x[2], T(0)};
      [[fallthrough]];
    case JointKind::revolute: {
      const T angle = x[0];  // a copy, which writing j cannot change: the two become one call
      set_sine_cosine(angle, j.s, j.c);
      break;
    }
    case JointKind::free: j.p = {x[4], x[5], x[6]}; [[fallthrough]];
    case JointKind::spherical: j.e = normalized(Quaternion<T>{x[0], x[1], x[2], x[3]}); break;
  }
}

/// Time derivative of the coordinates at x under the velocities v; quaternions are taken as unit.
template <Analytic T>
void joint_position_rate(JointKind kind, const T* x, const T* v, T* x_rate) {
  if (kind == JointKind::fixed) return;
  if (kind != JointKind::spherical && kind != JointKind::free) {
    x_rate[0] = v[0];
    if (kind != JointKind::planar) return;
    const Vec3<T> p = rotation_z(cos(x[0]), sin(x[0])) * Vec3<T>{v[1], v[2], T(0)};
    x_rate[1] = p.x;
    x_rate[2] = p.y;
    return;
  }
  const Quaternion<T> e{x[0], x[1], x[2], x[3]}, r = rate(e, Vec3<T>{v[0], v[1], v[2]});
  x_rate[0] = r.e0;
  x_rate[1] = r.e1;
  x_rate[2] = r.e2;
  x_rate[3] = r.e3;
  if (kind == JointKind::spherical) return;
  const Vec3<T> p = rotation(e) * Vec3<T>{v[3], v[4], v[5]};
  x_rate[4] = p.x;
  x_rate[5] = p.y;
  x_rate[6] = p.z;
}

/// The coordinates at x where nothing is displaced.
template <Ring T>
void set_neutral(JointKind kind, T* x) {
  for (int k = 0; k < row(kind).nq; ++k) x[k] = T(0);
  if (kind == JointKind::spherical || kind == JointKind::free) x[0] = T(1);
}

/// Pose of the body in its parent: the constant placement followed by the joint's own motion.
template <class T>
Transform<T> joint_transform(JointKind kind, const Transform<T>& placement, const JointPosition<T>& j) {
  switch (kind) {
    case JointKind::fixed: return placement;
    case JointKind::revolute: return {times_rotation_z(placement.R, j.c, j.s), placement.p};
    case JointKind::prismatic: return {placement.R, placement.p + placement.R.z * j.d};
    case JointKind::helical: return {times_rotation_z(placement.R, j.c, j.s), placement.p + placement.R.z * j.d};
    case JointKind::planar: return {times_rotation_z(placement.R, j.c, j.s), placement * j.p};
    case JointKind::spherical: return {placement.R * rotation(j.e), placement.p};
    case JointKind::free: return {placement.R * rotation(j.e), placement * j.p};
  }
  return placement;
}

// over double these are compiled once, with all of their algebra in place (kinematics/tree_poses.cpp): of copies in many files the
// linker would take any, also one of a file that is compiled quickly
extern template void set_joint_position(JointKind, const double*, const double&, JointPosition<double>&);

/// Column k of the motions a joint allows, in the body frame.
template <class T>
Motion<T> joint_motion(JointKind kind, int k, const T& pitch) {
  const std::array<Vec3<T>, 3> unit{{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}};
  switch (kind) {
    case JointKind::fixed: break;
    case JointKind::revolute: return {unit[2], {}};
    case JointKind::prismatic: return {{}, unit[2]};
    case JointKind::helical: return {unit[2], unit[2] * pitch};
    case JointKind::planar: return k == 0 ? Motion<T>{unit[2], {}} : Motion<T>{{}, unit[k - 1]};
    case JointKind::spherical: return {unit[k], {}};
    case JointKind::free: return k < 3 ? Motion<T>{unit[k], {}} : Motion<T>{{}, unit[k - 3]};
  }
  return {};
}

}  // namespace torsor
