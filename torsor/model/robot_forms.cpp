#include "torsor/model/robot_forms.hpp"

#include "torsor/model/dh_chain.hpp"

namespace torsor {

Result<RobotForms<double>> robot_forms(const Description& robot, GeometryTolerance tolerance) {
  Description one = robot;  // the robot that all forms are of
  for (LinkDescription& l : one.links) l.friction.reset();

  RobotForms<double> forms;
  auto standard = dh_arm(one, Convention::standard_dh, tolerance);
  if (standard) {
    if (auto table = to_dh(one, Convention::standard_dh, tolerance); table && !table->snaps.empty()) {
      forms.snaps = table->snaps;
      one = table->description;
      standard = dh_arm(one, Convention::standard_dh, tolerance);
    }
  }
  const auto modified = standard ? dh_arm(one, Convention::modified_dh, tolerance) : standard.errors();
  if (standard && modified) {
    forms.standard = *standard;
    forms.modified = *modified;
  } else {
    forms.not_serial = modified.errors();
    forms.snaps.clear();
    one = robot;
    for (LinkDescription& l : one.links) l.friction.reset();
  }

  auto model = build(one);
  if (!model) return model.errors();
  forms.model = *std::move(model);
  for (int k = 0; k < forms.model.nv; ++k)
    if (forms.model.rotor[k] != 0) forms.rotors.push_back({k, k, forms.model.rotor[k]});
  for (const RotorCoupling<double>& pair : forms.model.rotor_coupling) forms.rotors.push_back(pair);

  forms.configuration = Configuration<double>(forms.model);
  if (forms.standard) {
    forms.standard_position = DhPosition<double>(forms.standard->n());
    forms.modified_position = DhPosition<double>(forms.modified->n());
  }
  return forms;
}

}  // namespace torsor
