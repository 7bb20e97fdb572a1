// The recursions of a tree over double, which control and simulation call thousands of times a second: compiled once,
// here, with every product of vectors and rotations written out in place (see CMakeLists.txt for the options).
#include "torsor/dynamics/forward_articulated_body.hpp"
#include "torsor/dynamics/forward_mass_matrix.hpp"
#include "torsor/dynamics/inverse_derivatives.hpp"

namespace torsor {

template void inverse_newton_euler(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                   Rates<const double>, const BodyLoads<double>&, NewtonEulerWork<double>&,
                                   Rates<double>);
template void inertia_composite_body(const Tree<double>&, const Configuration<double>&, CompositeBodyWork<double>&,
                                     std::span<double>);
template void forward_articulated_body(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                       Rates<const double>, const BodyLoads<double>&, ArticulatedBodyWork<double>&,
                                       Rates<double>);
template void inverse_derivatives(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                  Rates<const double>, const BodyLoads<double>&, InverseDerivativesWork<double>&,
                                  Rates<double>, const InverseDerivatives<double>&);
template void forward_mass_matrix(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                  Rates<const double>, const BodyLoads<double>&, MassMatrixWork<double>&,
                                  Rates<double>);

}  // namespace torsor
