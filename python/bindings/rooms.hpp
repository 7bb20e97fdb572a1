// What each room adds to the module; module.cpp calls them in order.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor::python {

void bind_robot(nanobind::module_&);
void bind_load(nanobind::module_&);
void bind_fill_inertia(nanobind::module_&);
void bind_kinematics(nanobind::module_&);
void bind_dynamics(nanobind::module_&);
void bind_dynamics_terms(nanobind::module_&);
void bind_dynamics_derivatives(nanobind::module_&);
void bind_discrete_step(nanobind::module_&);
void bind_rollout(nanobind::module_&);
void bind_robot_rows(nanobind::module_&);
void bind_positions(nanobind::module_&);
void bind_ik(nanobind::module_&);
void bind_ik_rates(nanobind::module_&);
void bind_trajectory(nanobind::module_&);
void bind_limits_passed(nanobind::module_&);
void bind_tool_motion(nanobind::module_&);
void bind_tool_path(nanobind::module_&);
void bind_structure(nanobind::module_&);
void bind_equations(nanobind::module_&);
void bind_reduced_model(nanobind::module_&);
void bind_surveys(nanobind::module_&);
void bind_design_guide(nanobind::module_&);
void bind_agreement(nanobind::module_&);
void bind_difference(nanobind::module_&);
void bind_control(nanobind::module_&);
void bind_codegen(nanobind::module_&);
void bind_mechanism(nanobind::module_&);
void bind_mechanism_freedoms(nanobind::module_&);
void bind_mechanism_runs(nanobind::module_&);
void bind_simulate(nanobind::module_&);
void bind_sizing(nanobind::module_&);
void bind_identification(nanobind::module_&);
void bind_view(nanobind::module_&);
void bind_pages(nanobind::module_&);
void bind_command(nanobind::module_&);
void bind_results(nanobind::module_&);

}  // namespace torsor::python
