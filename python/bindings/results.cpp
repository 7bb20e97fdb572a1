#include "python/bindings/results.hpp"

#include "python/bindings/array_results.hpp"
#include "python/bindings/mechanism_instants.hpp"
#include "python/bindings/numpy_array.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/check/robot_difference.hpp"
#include "torsor/check/torque_diagnosis.hpp"
#include "torsor/closed_form_ik/formulation_rows.hpp"
#include "torsor/codegen/prove.hpp"
#include "torsor/drives/sizing_result.hpp"
#include "torsor/dynamics/torque_summary.hpp"
#include "torsor/files/fill_inertia.hpp"
#include "torsor/formulations/agreement_result.hpp"
#include "torsor/loops/assembly_result.hpp"
#include "torsor/numeric_ik/ik_result.hpp"
#include "torsor/numeric_ik/parallel_result.hpp"
#include "torsor/reduction/dominance_result.hpp"
#include "torsor/report/guide_result.hpp"
#include "torsor/simulate/control_result.hpp"
#include "torsor/simulate/simulation_result.hpp"
#include "torsor/structure/exact_agreement.hpp"

namespace torsor::python {

nb::object value_of_field(const NumberArray& array) {
  std::vector<npy_intp> shape(array.shape.begin(), array.shape.end());
  nb::object made = stolen(PyArray_SimpleNew(static_cast<int>(shape.size()), shape.data(), NPY_DOUBLE));
  std::copy(array.numbers.begin(), array.numbers.end(), static_cast<double*>(PyArray_DATA(as_array(made))));
  return made;
}

nb::object value_of_field(const Vec3<double>& v) { return new_array(std::array{v.x, v.y, v.z}); }
nb::object value_of_field(const Motion<double>& V) {
  return new_array(std::array{V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z});
}
nb::object value_of_field(const Force<double>& F) {
  return new_array(std::array{F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z});
}

nb::object value_of_field(const std::vector<std::complex<double>>& numbers) {
  npy_intp size = static_cast<npy_intp>(numbers.size());
  nb::object made = stolen(PyArray_SimpleNew(1, &size, NPY_COMPLEX128));
  std::copy(numbers.begin(), numbers.end(), static_cast<std::complex<double>*>(PyArray_DATA(as_array(made))));
  return made;
}

nb::object value_of_field(const Faults& faults) { return faults_of(faults); }

nb::object whole_numbers(std::span<const long long> numbers) {
  npy_intp size = static_cast<npy_intp>(numbers.size());
  nb::object made = stolen(PyArray_SimpleNew(1, &size, NPY_INT64));
  std::copy(numbers.begin(), numbers.end(), static_cast<std::int64_t*>(PyArray_DATA(as_array(made))));
  return made;
}

template <class... T>
static std::string all_classes() {
  ResultClasses classes;
  (classes.template add<T>(), ...);
  return classes.text();
}

std::string ResultClasses::base_of(const std::string& name) {
  // what a class does beside its fields is in _answer.py
  const bool does_more = name == "Agreement" || name == "Proposal" || name == "DesignGuide" ||
                         name == "GeneratedCode" || name == "Structure";
  return name == "IkAnswer" ? "Branches[IkBranch]" : does_more ? name + "Base" : "Answer";
}

std::string ResultClasses::comment(const std::string& unit, const std::string& meaning) {
  if (unit.empty() && meaning.empty()) return "";
  return "  # " + (unit.empty() || meaning.empty() ? unit + meaning : unit + ": " + meaning);
}

std::string ResultClasses::text() const {
  std::string names;
  for (const std::string& name : known_) names += "    \"" + name + "\",\n";
  return "\"\"\"Results with several parts: made from the library's lists of fields (torsor/fields.hpp), as JSON "
         "is.\"\"\"\n\n"
         "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING, NamedTuple\n\nfrom ._answer import "
         "AgreementBase, Answer, Array, Branches, DesignGuideBase, GeneratedCodeBase, ProposalBase, StructureBase\n"
         "from ._error import Fault\n\nif TYPE_CHECKING:\n    from ._torsor import Robot\n\n"
         "__all__ = [\n" +
         names + "]\n" + text_;
}

/// Everything that a function answers with; parts come along.
static std::string result_classes() {
  return all_classes<TorqueSummary, SizingResult, SimulationRun, RoundTripRow, IntegratorRow, ControlComparison,
                     SpeedFigures, ControlLawRow, IkResult, PoseSolution, PoseSolutions, ParallelSolutions,
                     AssemblyModes, Agreement, ExactAgreement, TorqueDiagnosis, DesignGuide, Mobility, Redundancy,
                     Assembled, Equilibrium, DrivenRun, InverseRun, MechanismForwardRun, StateSpace, GeneratedCode,
                     CodeProof, FormulationRow, InertiaFilling, RobotDifference, StructureArrays, Share,
                     WorkspaceArrays, MotionArrays, ModeArrays, IdentifiedArrays>();
}

void bind_results(nb::module_& m) { m.def("_result_classes", result_classes, nb::sig("def _result_classes() -> str")); }

}  // namespace torsor::python
