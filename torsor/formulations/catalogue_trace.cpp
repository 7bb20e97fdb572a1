#include "torsor/formulations/catalogue_rows.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

template std::span<const InverseFormulation<Trace>> inverse_formulations();
template std::span<const CoefficientsFormulation<Trace>> coefficients_formulations();
template std::span<const ChristoffelFormulation<Trace>> christoffel_formulations();
template std::span<const MassFormulation<Trace>> mass_formulations();
template std::span<const GravityFormulation<Trace>> gravity_formulations();

}  // namespace torsor
