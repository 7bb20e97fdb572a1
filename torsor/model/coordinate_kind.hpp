// What each coordinate of a model is, for those who print, convert or draw them at random: an angle, a length, or one
// of the four numbers of a quaternion. A mimic joint has no coordinate of its own.
#pragma once

#include <numbers>
#include <string_view>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

enum class CoordinateKind { angle, length, quaternion };

/// SI unit of a coordinate of this kind, of its rates (order 0 to 3), and of the torque that goes with
/// it; for people angles may be in degrees.
constexpr std::string_view coordinate_unit(CoordinateKind kind, int order, bool degrees = false) {
  constexpr std::string_view angles[] = {"rad", "rad/s", "rad/s²", "rad/s³"}, lengths[] = {"m", "m/s", "m/s²", "m/s³"},
                             in_degrees[] = {"deg", "deg/s", "deg/s²", "deg/s³"};
  if (kind == CoordinateKind::quaternion) return "";
  return kind == CoordinateKind::length ? lengths[order] : degrees ? in_degrees[order] : angles[order];
}
/// A coordinate or a rate of it in that unit.
constexpr double in_unit(double x, CoordinateKind kind, bool degrees) {
  return degrees && kind == CoordinateKind::angle ? x / std::numbers::pi * 180 : x;
}
constexpr std::string_view torque_unit(CoordinateKind kind) { return kind == CoordinateKind::angle ? "N m" : "N"; }

/// Kind of each position coordinate (nq of them).
inline std::vector<CoordinateKind> position_kinds(const Model<double>& model) {
  std::vector<CoordinateKind> kinds(static_cast<std::size_t>(model.nq), CoordinateKind::angle);
  for (int i = 0; i < model.size(); ++i) {
    const Body<double>& b = model[i];
    if (b.kind == JointKind::prismatic && model.joint_names[i] == model.position_names[b.q])
      kinds[b.q] = CoordinateKind::length;
    // several coordinates tell by their names: e0 .. e3, px py pz, angle
    if (row(b.kind).nq < 2) continue;
    for (int k = 0; k < row(b.kind).nq; ++k) {
      const char letter = row(b.kind).position_names[static_cast<std::size_t>(k)].front();
      if (letter == 'e') kinds[b.q + k] = CoordinateKind::quaternion;
      if (letter == 'p') kinds[b.q + k] = CoordinateKind::length;
    }
  }
  return kinds;
}

/// Kind of the quantity whose rate each velocity coordinate is (nv of them).
inline std::vector<CoordinateKind> velocity_kinds(const Model<double>& model) {
  std::vector<CoordinateKind> kinds(static_cast<std::size_t>(model.nv), CoordinateKind::angle);
  for (int i = 0; i < model.size(); ++i) {
    const Body<double>& b = model[i];
    if (b.kind == JointKind::prismatic && model.joint_names[i] == model.velocity_names[b.v])
      kinds[b.v] = CoordinateKind::length;
    // wx wy wz turn, vx vy vz shift
    if (row(b.kind).nv < 2) continue;
    for (int k = 0; k < row(b.kind).nv; ++k)
      if (row(b.kind).velocity_names[static_cast<std::size_t>(k)].front() == 'v')
        kinds[b.v + k] = CoordinateKind::length;
  }
  return kinds;
}

}  // namespace torsor
