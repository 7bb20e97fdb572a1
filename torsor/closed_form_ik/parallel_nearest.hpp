// How near an arm with three parallel axes comes to a pose that it does not reach, its tool turned as asked. Letters as in
// parallel_arm.cpp. With z = W e_z the direction of axis 6 in frame 1, axis 5 makes the angle alpha_5 with it where
//
//   G(theta_1, psi) = u(psi) . z(theta_1) - ca5 = 0,   u = (sa4 sin psi, -sa4 cos psi, ca4)
//
// a curve on the torus of theta_1 and psi: all that the orientation leaves open. The distance of what the arm reaches there
//
//   D^2 = (along - k)^2 + (by how much |p - Rz(psi) f| is beyond the bars)^2
//
// changes by no more than rho per radian of theta_1 and |f| per radian of psi, and G by no more than |(z_x, z_y)| in the base
// and |sa4|. So the torus is halved again and again, and a cell is done with where the curve does not pass through it, or
// where D is nowhere less than at the best place found so far: what remains is the least there is.
#pragma once

#include "torsor/closed_form_ik/parallel_geometry.hpp"

namespace torsor {

/// Joint 1 and psi, and how far (m) the pose then is; infinite where no turn of joint 1 lets the wrist turn the tool as asked.
struct NearestTurns {
  detail::Plane first, psi;
  double distance = std::numeric_limits<double>::infinity();
  bool is_least = false;  // proved, to 1e-6 of the arm's size (or of the way to the pose)
};

NearestTurns nearest_turns(const ParallelArm&, const Transform<double>& X_0_tool);

}  // namespace torsor
