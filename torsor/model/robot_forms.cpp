#include "torsor/model/robot_forms.hpp"

namespace torsor {

namespace {

Description frictionless(Description robot) {
  for (LinkDescription& l : robot.links) l.friction.reset();
  return robot;
}

}  // namespace

Result<RobotForms<double>> robot_forms(const Description& robot, GeometryTolerance tolerance) {
  const Description plain = frictionless(robot);
  Description one = plain;  // the robot that all forms are of

  RobotForms<double> forms;
  GeometryTolerance snapping = tolerance;
  snapping.snap = true;
  if (auto table = to_dh(plain, Convention::standard_dh, snapping); table && !table->snaps.empty()) {
    (tolerance.snap ? forms.snaps : forms.nearly) = std::move(table->snaps);
    if (tolerance.snap) one = std::move(table->description);
  }
  const auto standard = dh_arm(one, Convention::standard_dh, tolerance);
  const auto modified = standard ? dh_arm(one, Convention::modified_dh, tolerance) : standard.faults();
  if (standard && modified) {
    forms.standard = *standard;
    forms.modified = *modified;
    forms.standard_position = DhPosition<double>(*standard);
    forms.modified_position = DhPosition<double>(*modified);
  } else {
    forms.not_serial = modified.faults();
    forms.snaps.clear();
    forms.nearly.clear();
    one = plain;
  }

  auto model = build(one);
  if (!model) return model.faults();
  forms.model = *std::move(model);
  for (int k = 0; k < forms.model.nv; ++k)
    if (forms.model.rotor[k] != 0) forms.rotors.push_back({k, k, forms.model.rotor[k]});
  for (const RotorCoupling<double>& pair : forms.model.rotor_coupling) forms.rotors.push_back(pair);
  forms.configuration = Configuration<double>(forms.model);
  forms.q.assign(static_cast<std::size_t>(forms.model.nq), 0.0);
  return forms;
}

Faults held_joints(const RobotForms<double>& forms) {
  Faults errors;
  if (!forms.standard) return errors;
  int joint = 0;
  for (const DhLink<double>& l : forms.standard->links) {
    if (!l.held) {
      ++joint;
      continue;
    }
    errors.push_back({{},
                      "joint \"" + forms.model.velocity_names[static_cast<std::size_t>(joint - 1)] + "\"",
                      "not-classical",
                      "its axis is nearly parallel to the next one and needs a fifth parameter",
                      "make the axes parallel, or write the robot as a DH table"});
  }
  return errors;
}

}  // namespace torsor
