// The extension module torsor._torsor: one file per room, one row here.
#include <nanobind/stl/string.h>

#include "python/bindings/arrays.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/rooms.hpp"

namespace {

using Bind = void (*)(nanobind::module_&);

constexpr Bind rooms[] = {
    torsor::python::bind_robot,
    torsor::python::bind_load,
    torsor::python::bind_fill_inertia,
    torsor::python::bind_kinematics,
    torsor::python::bind_dynamics,
    torsor::python::bind_dynamics_terms,
    torsor::python::bind_dynamics_derivatives,
    torsor::python::bind_discrete_step,
    torsor::python::bind_rollout,
    torsor::python::bind_robot_rows,
    torsor::python::bind_positions,
    torsor::python::bind_ik,
    torsor::python::bind_ik_rates,
    torsor::python::bind_trajectory,
    torsor::python::bind_limits_passed,
    torsor::python::bind_tool_motion,
    torsor::python::bind_tool_path,
    torsor::python::bind_structure,
    torsor::python::bind_equations,
    torsor::python::bind_reduced_model,
    torsor::python::bind_surveys,
    torsor::python::bind_design_guide,
    torsor::python::bind_agreement,
    torsor::python::bind_difference,
    torsor::python::bind_control,
    torsor::python::bind_codegen,
    torsor::python::bind_mechanism,
    torsor::python::bind_mechanism_freedoms,
    torsor::python::bind_mechanism_runs,
    torsor::python::bind_simulate,
    torsor::python::bind_sizing,
    torsor::python::bind_identification,
    torsor::python::bind_view,
    torsor::python::bind_pages,
    torsor::python::bind_command,
    torsor::python::bind_results,
};

/// Sets an attribute of one of nanobind's types of functions, which it makes immutable after the fact.
void give(nanobind::handle type, nanobind::handle name, nanobind::handle value) {
  auto* const raw = reinterpret_cast<PyTypeObject*>(type.ptr());
  raw->tp_flags &= ~static_cast<unsigned long>(Py_TPFLAGS_IMMUTABLETYPE);
  const int failed = PyObject_SetAttr(type.ptr(), name.ptr(), value.ptr());
  raw->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
  if (failed) throw nanobind::python_error();
}

}  // namespace

NB_MODULE(_torsor, m) {
  torsor::python::import_numpy();
  m.doc() = "What the package torsor gives of the library; use it as torsor.";
  m.attr("__version__") = TORSOR_VERSION;
  torsor::python::translate_errors();
  for (const Bind bind : rooms) bind(m);
  m.def("_give", give);
  m.def("_in_python", torsor::python::in_python);
}
