// How the base itself moves: an arm on a ship, a vehicle, a turntable. Only what forces can feel: no linear velocity.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

/// Angular velocity w and acceleration wd of the base, and linear acceleration a of its origin; components in the
/// world, or in the base's own axes where it is said.
template <class T>
struct BaseMotion {
  Vec3<T> w, wd, a;
};

template <class U, class T, class Convert>
BaseMotion<U> cast(const BaseMotion<T>& base, const Convert& convert) {
  return {cast<U>(base.w, convert), cast<U>(base.wd, convert), cast<U>(base.a, convert)};
}

/// The same of a frame that is fixed to the base: in its axes, R in the world, its origin at p from the base's.
template <class T>
BaseMotion<T> seen_from(const Mat3<T>& R, const Vec3<T>& p, const BaseMotion<T>& base) {
  const auto& [w, wd, a] = base;
  return {~R * w, ~R * wd, ~R * (a + cross(wd, p) + cross(w, cross(w, p)))};
}

/// Spatial velocity of the base in its own frame, seen from an inertial observer who moves along with the base origin.
template <class T>
Motion<T> base_velocity(const Tree<T>& model, const BaseMotion<T>& base) {
  return {~model.base.R * base.w, {}};
}

/// Spatial acceleration of the base in its own frame.
template <class T>
Motion<T> base_acceleration(const Tree<T>& model, const BaseMotion<T>& base) {
  return {~model.base.R * base.wd, ~model.base.R * base.a};
}

/// The same minus gravity: what makes every body feel its weight.
template <class T>
Motion<T> base_acceleration_against_gravity(const Tree<T>& model, const BaseMotion<T>& base) {
  return {~model.base.R * base.wd, ~model.base.R * (base.a - model.gravity)};
}

}  // namespace torsor
