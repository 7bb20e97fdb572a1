// RobotForms<T>: one robot in every form that a formulation may ask for, at one position: as a tree, and, if it is a
// serial arm of revolute and prismatic joints, in standard and in modified DH frames. All forms have the same
// coordinates.
#pragma once

#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_arm.hpp"

namespace torsor {

template <class T>
struct RobotForms {
  Model<T> model;
  std::optional<DhArm<T>> standard, modified;  // both or none
  Errors not_serial;                           // why there are none
  std::vector<Snap> snaps;                     // special geometry assumed to write the DH forms, in all forms alike
  std::vector<RotorCoupling<T>> rotors;        // rotor inertias that are not zero, i == j on the diagonal

  Configuration<T> configuration{model};
  DhPosition<T> standard_position{standard ? standard->n() : 0}, modified_position{modified ? modified->n() : 0};

  /// Takes q (model.nq numbers, radians and metres). Never allocates.
  void set(std::span<const T> q) requires Analytic<T> {
    configuration.set(model, q);
    if (standard) standard_position.set(*standard, q);
    if (modified) modified_position.set(*modified, q);
  }
};

/// The forms of a robot; friction, which no formulation knows, is left out. Faults only where there is no model at all.
/// Where geometry is snapped, the tree is that of the snapped table, so that all forms are of one robot.
Result<RobotForms<double>> robot_forms(const Description&, GeometryTolerance = {});

/// The same forms over another scalar, at their zero position; `convert` maps each double.
template <class U, class Convert>
RobotForms<U> cast(const RobotForms<double>& forms, const Convert& convert) {
  RobotForms<U> out{cast<U>(forms.model, convert), {}, {}, forms.not_serial, forms.snaps, {}};
  if (forms.standard) out.standard = cast<U>(*forms.standard, convert);
  if (forms.modified) out.modified = cast<U>(*forms.modified, convert);
  for (const auto& [i, j, value] : forms.rotors) out.rotors.push_back({i, j, convert(value)});
  out.standard_position = DhPosition<U>(out.standard ? out.standard->n() : 0);
  out.modified_position = DhPosition<U>(out.modified ? out.modified->n() : 0);
  return out;
}

}  // namespace torsor
