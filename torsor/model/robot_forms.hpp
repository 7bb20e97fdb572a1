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
  Faults not_serial;                           // why there are none
  std::vector<Snap> snaps;   // where it was asked for: special geometry taken instead of what was typed, in all forms
  std::vector<Snap> nearly;  // and where it was not: what snapping would take, for those who ask why it is not special
  std::vector<RotorCoupling<T>> rotors;        // rotor inertias that are not zero, i == j on the diagonal

  Configuration<T> configuration{model};
  DhPosition<T> standard_position{0}, modified_position{0};
  std::vector<T> q = {};  // as set() took it

  /// Takes q (model.nq numbers, radians and metres). Never allocates after the first time.
  void set(std::span<const T> position) requires Analytic<T> {
    q.assign(position.begin(), position.end());
    configuration.set(model, position);
    if (standard) standard_position.set(*standard, position);
    if (modified) modified_position.set(*modified, position);
  }
};

/// The forms of a robot as it was typed; friction, which no formulation knows, is left out. Faults only where there is
/// no model at all. With a tolerance that snaps, the tree is that of the snapped table: all forms are of one robot, too,
/// but of another one, and `snaps` tells by how much.
Result<RobotForms<double>> robot_forms(const Description&, GeometryTolerance = {.snap = false});

/// Where the DH forms have more joints than the robot (DhLink::held): the joints between which they stand, as faults
/// for those whose answer has one letter or column per row.
Faults held_joints(const RobotForms<double>&);

/// The same forms over another scalar, at the same position; `convert` maps each number.
template <class U, class T, class Convert>
RobotForms<U> cast(const RobotForms<T>& forms, const Convert& convert) {
  RobotForms<U> out{cast<U>(forms.model, convert), {}, {}, forms.not_serial, forms.snaps, forms.nearly, {}};
  if (forms.standard) out.standard = cast<U>(*forms.standard, convert);
  if (forms.modified) out.modified = cast<U>(*forms.modified, convert);
  for (const auto& [i, j, value] : forms.rotors) out.rotors.push_back({i, j, convert(value)});
  out.configuration = cast<U>(forms.configuration, convert);
  out.standard_position = cast<U>(forms.standard_position, convert);
  out.modified_position = cast<U>(forms.modified_position, convert);
  for (const T& x : forms.q) out.q.push_back(convert(x));
  return out;
}

}  // namespace torsor
