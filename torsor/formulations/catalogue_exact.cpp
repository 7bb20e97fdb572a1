// Inverse dynamics over the exact scalars: polynomials, and the finite field for what is too large to multiply out.
#include "torsor/formulations/catalogue_rows.hpp"
#include "torsor/scalar/modular.hpp"
#include "torsor/scalar/poly.hpp"

namespace torsor {

template std::span<const InverseFormulation<Poly>> inverse_formulations();
template std::span<const InverseFormulation<Modular>> inverse_formulations();

}  // namespace torsor
