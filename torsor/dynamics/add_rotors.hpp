// Rotors turn with their joints, whatever formulation moved the links.
#pragma once

#include "torsor/model/robot_forms.hpp"
#include "torsor/scalar/stage.hpp"

namespace torsor::detail {

/// Adds the torques that accelerate the rotors to tau.
template <class T>
void add_rotors(const RobotForms<T>& forms, Rates<const T> qdd, Rates<T> tau) {
  if (!forms.rotors.empty()) mark_stage<T>("rotors");
  for (const auto& [i, j, value] : forms.rotors) {
    tau[i] += value * qdd[j];
    if (i != j) tau[j] += value * qdd[i];
  }
}

/// Adds their inertias to D (row-major nv x nv).
template <class T>
void add_rotors(const RobotForms<T>& forms, std::span<T> D) {
  const int n = forms.model.nv;
  for (const auto& [i, j, value] : forms.rotors) {
    D[i * n + j] += value;
    if (i != j) D[j * n + i] += value;
  }
}

}  // namespace torsor::detail
