// What else is asked of trees over double, compiled once (see CMakeLists.txt for the options); not beside the recursions, of which the
// compiler would then put less in place.
#include "torsor/dynamics/articulated_body_solve.hpp"
#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/inertial_regressor.hpp"
#include "torsor/dynamics/inverse_products.hpp"

namespace torsor {

template void articulated_body_solve(const Tree<double>&, Rates<const double>, ArticulatedBodyWork<double>&,
                                     Rates<double>);
template void inverse_jacobian_vector(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                      Rates<const double>, const BodyLoads<double>&, const MotionChange<double>&,
                                      InverseProductsWork<double>&, Rates<double>);
template void inverse_vector_jacobian(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                      Rates<const double>, const BodyLoads<double>&, Rates<const double>,
                                      InverseProductsWork<double>&, const InverseGradient<double>&);
template void coriolis_matrix(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                              CoriolisWork<double>&, std::span<double>);
template void inertial_regressor(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                 Rates<const double>, const BaseMotion<double>&, InertialRegressorWork<double>&, int,
                                 std::span<double>);

}  // namespace torsor
