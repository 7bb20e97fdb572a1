// Poses and Jacobians of trees over double, compiled once (see CMakeLists.txt for the options). Not beside the recursions that call
// them: those have them in place.
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/kinematics/jacobian.hpp"

namespace torsor {

template void set_joint_position(JointKind, const double*, const double&, JointPosition<double>&);
template void forward_kinematics(const Tree<double>&, const Configuration<double>&, std::span<Transform<double>>);
template void jacobian(const Tree<double>&, std::span<const Transform<double>>, int, const Vec3<double>&,
                       std::span<double>);
template void jacobian_rate(const Tree<double>&, std::span<const Transform<double>>, Rates<const double>, int,
                            const Vec3<double>&, std::span<Motion<double>>, std::span<double>);

}  // namespace torsor
