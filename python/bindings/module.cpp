// The extension module torsor._torsor: one file per room, one row here.
#include "python/bindings/arrays.hpp"
#include "python/bindings/rooms.hpp"

namespace {

using Bind = void (*)(nanobind::module_&);

constexpr Bind rooms[] = {
    torsor::python::bind_robot,
    torsor::python::bind_kinematics,
    torsor::python::bind_dynamics,
    torsor::python::bind_dynamics_terms,
    torsor::python::bind_dynamics_derivatives,
    torsor::python::bind_discrete_step,
    torsor::python::bind_ik,
    torsor::python::bind_ik_rates,
    torsor::python::bind_trajectory,
    torsor::python::bind_hand_motion,
    torsor::python::bind_structure,
    torsor::python::bind_equations,
    torsor::python::bind_reduced_model,
    torsor::python::bind_surveys,
    torsor::python::bind_design_guide,
    torsor::python::bind_agreement,
    torsor::python::bind_control,
    torsor::python::bind_codegen,
    torsor::python::bind_mechanism,
    torsor::python::bind_mechanism_freedoms,
    torsor::python::bind_mechanism_runs,
    torsor::python::bind_simulate,
    torsor::python::bind_sizing,
    torsor::python::bind_identification,
    torsor::python::bind_command,
};

}  // namespace

NB_MODULE(_torsor, m) {
  torsor::python::import_numpy();
  m.doc() = "What the package torsor gives of the library; use it as torsor.";
  m.attr("__version__") = TORSOR_VERSION;
  for (const Bind bind : rooms) bind(m);
}
