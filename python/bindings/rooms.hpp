// What each room adds to the module; module.cpp calls them in order.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor::python {

void bind_robot(nanobind::module_&);
void bind_kinematics(nanobind::module_&);
void bind_dynamics(nanobind::module_&);

}  // namespace torsor::python
