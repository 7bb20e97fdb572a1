// A witness for the dynamics that shares nothing with them: a robot as a cloud of particles, d'Alembert's principle, derivatives by duals.
//
//   tau_k = sum over particles m (d2r/dt2 - g) . dr/dq_k
//
// No angular velocity, no inertia tensor, no model: frames are placed from the description by elementary turns and moves.
// For joints of one degree of freedom, mimics included.
#pragma once

#include <map>

#include "tests/support/along_motion.hpp"

namespace torsor::testing {

/// A frame that is carried about: each step is taken along its own present axes.
template <class T>
struct Carried {
  Vec3<T> x{T(1), T(0), T(0)}, y{T(0), T(1), T(0)}, z{T(0), T(0), T(1)}, origin;

  Vec3<T> along(const Vec3<T>& v) const { return x * v.x + y * v.y + z * v.z; }
  Vec3<T> point(const Vec3<T>& p) const { return origin + along(p); }

  void move(const Vec3<T>& v) { origin = point(v); }
  void turn(const Vec3<T>& u, const T& angle) {
    const T c = cos(angle), s = sin(angle);
    const auto turned = [&](const Vec3<T>& v) {
      return along(v * c + cross(u, v) * s + u * (torsor::dot(u, v) * (T(1) - c)));
    };
    const Carried unit;
    *this = {turned(unit.x), turned(unit.y), turned(unit.z), origin};
  }
  void jump(const Transform<T>& X) { *this = {along(X.R.x), along(X.R.y), along(X.R.z), point(X.p)}; }
};

template <class T>
class ParticleCloud {
 public:
  /// Coordinates by joint name.
  ParticleCloud(const RandomRobot& robot, const std::map<std::string, T>& coordinates)
      : d(robot.description), q(coordinates) {
    for (std::size_t i = 0; i < d.links.size(); ++i) {
      index[d.links[i].name] = static_cast<int>(i);
      joint[d.links[i].joint_name] = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < d.links.size(); ++i) {
      const Carried<T> frame = frame_of(static_cast<int>(i));
      for (const PointMass& p : robot.particles[i]) positions.push_back(frame.point(over(p.at)));
    }
  }

  std::vector<Vec3<T>> positions;  // in the world, link after link

 private:
  const Description& d;
  const std::map<std::string, T>& q;
  std::map<std::string, int> index, joint;

  static Vec3<T> over(const Vec3<double>& v) { return {T(v.x), T(v.y), T(v.z)}; }
  static Transform<T> over(const Transform<double>& X) { return {{over(X.R.x), over(X.R.y), over(X.R.z)}, over(X.p)}; }

  T position(int link) const {
    const auto& mimic = d.links[link].mimic;
    return mimic ? T(mimic->ratio) * position(joint.at(mimic->joint)) + T(mimic->offset)
                 : q.at(d.links[link].joint_name);
  }

  Carried<T> frame_of(int link) const {
    const LinkDescription& l = d.links[link];
    Carried<T> frame;
    if (!l.parent && link > 0)
      frame = frame_of(link - 1);
    else if (l.parent && *l.parent != "base")
      frame = frame_of(index.at(*l.parent));
    else
      frame.jump(over(d.base));

    const bool turns = l.kind == JointKind::revolute || l.kind == JointKind::helical;
    const T p = l.kind == JointKind::fixed ? T(0) : position(link), none(0);
    const T angle = turns ? p : none, slide = l.kind == JointKind::prismatic ? p
                                              : l.kind == JointKind::helical ? T(l.pitch) * p
                                                                             : none;
    const Vec3<T> x{T(1), none, none}, y{none, T(1), none}, z{none, none, T(1)};

    if (const auto* dh = std::get_if<DhRow>(&l.geometry)) {
      const auto across = [&] { frame.move(x * T(dh->a)), frame.turn(x, T(dh->alpha)), frame.turn(y, T(dh->beta)); };
      if (d.convention == Convention::modified_dh) across();
      frame.turn(z, T(dh->theta) + angle);
      frame.move(z * (T(dh->d) + slide));
      if (d.convention == Convention::standard_dh) across();
    } else {
      const auto& placement = std::get<JointPlacement>(l.geometry);
      const Vec3<T> axis = over(placement.axis * (1 / norm(placement.axis)));
      frame.jump(over(placement.X_parent_joint));
      frame.move(axis * slide);
      frame.turn(axis, angle);
    }
    return frame;
  }
};

/// Torques of the coordinates with these joint names, friction and rotors apart.
inline Numbers particle_torques(const RandomRobot& robot, const std::vector<std::string>& names, const State& state) {
  std::vector<PointMass> particles;
  for (const auto& link : robot.particles) particles.insert(particles.end(), link.begin(), link.end());

  std::map<std::string, Time2> motion;
  for (std::size_t k = 0; k < names.size(); ++k)
    motion[names[k]] = Time2{{state.q[k], {state.qd[k]}}, {Time1{state.qd[k], {state.qdd[k]}}}};
  const ParticleCloud<Time2> moving(robot, motion);

  Numbers tau(names.size(), 0.0);
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::map<std::string, Time1> displaced;
    for (std::size_t j = 0; j < names.size(); ++j) displaced[names[j]] = Time1{state.q[j], {j == k ? 1.0 : 0.0}};
    const ParticleCloud<Time1> cloud(robot, displaced);
    for (std::size_t i = 0; i < particles.size(); ++i)
      tau[k] += particles[i].mass *
                torsor::dot(acceleration(moving.positions[i]) - robot.description.gravity, rate(cloud.positions[i]));
  }
  return tau;
}

}  // namespace torsor::testing
