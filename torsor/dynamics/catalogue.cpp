#include "torsor/dynamics/catalogue_rows.hpp"

namespace torsor {

template std::span<const InverseFormulation<double>> inverse_formulations();
template std::span<const CoefficientsFormulation<double>> coefficients_formulations();
template std::span<const ChristoffelFormulation<double>> christoffel_formulations();
template std::span<const MassFormulation<double>> mass_formulations();
template std::span<const GravityFormulation<double>> gravity_formulations();

}  // namespace torsor
