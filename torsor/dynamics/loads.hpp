// What acts on a robot besides its drives and gravity: a moving base, and forces from outside. A payload is no load: it
// makes another robot (Robot::with_payload).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "torsor/kinematics/base_motion.hpp"

namespace torsor {

/// As recursions take them. external: on body i, exerted by its surroundings, in the body's frame; bodies beyond its end
/// feel none.
template <class T>
struct BodyLoads {
  BaseMotion<T> base;
  std::span<const Force<T>> external;

  bool on(int body) const { return static_cast<std::size_t>(body) < external.size(); }
};

/// The same as a value.
template <class T>
struct LoadsOf {
  BaseMotion<T> base;  // in the world; at rest unless set
  std::vector<Force<T>> external;

  LoadsOf() = default;
  LoadsOf(const BaseMotion<T>& motion, std::span<const Force<T>> forces)
      : base(motion), external(forces.begin(), forces.end()) {}
  LoadsOf(const BodyLoads<T>& loads) : LoadsOf(loads.base, loads.external) {}
  operator BodyLoads<T>() const { return {base, external}; }

  /// Takes other loads; allocates only where they are on more bodies than any before.
  void assign(const BodyLoads<T>& loads) {
    base = loads.base;
    external.assign(loads.external.begin(), loads.external.end());
  }

  /// Adds a wrench that the surroundings exert on the robot at a frame's origin, along the frame's axes.
  void add_wrench(const Frame<T>& frame, const Force<T>& wrench) {
    const auto body = static_cast<std::size_t>(frame.body);
    if (external.size() <= body) external.resize(body + 1);
    external[body] += frame.X_body_frame * wrench;
  }
};

using Loads = LoadsOf<double>;

inline bool vanishes(const Vec3<double>& v) { return v.x == 0 && v.y == 0 && v.z == 0; }
inline bool vanishes(const Force<double>& f) { return vanishes(f.n) && vanishes(f.f); }

/// Whether the base rests; whether nothing acts from outside, no force being more than zero.
inline bool rests(const BaseMotion<double>& base) { return vanishes(base.w) && vanishes(base.wd) && vanishes(base.a); }
inline bool nothing_acts(const BodyLoads<double>& loads) {
  return rests(loads.base) && std::ranges::all_of(loads.external, [](const Force<double>& f) { return vanishes(f); });
}

}  // namespace torsor
