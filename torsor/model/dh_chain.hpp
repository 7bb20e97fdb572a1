// A serial model as a DH table. Between the axes of consecutive joints there is a common normal; measured along the axes
// and the normals, the arm is a product of
//
//   base  J_1 L_1  J_2 L_2 ... J_n  tool,    J_i = Rz(theta_i) Tz(d_i) along axis i,    L_i = Tx(a_i) Rx(alpha_i) to the next
//
// Standard rows are J_i L_i, modified rows L_{i-1} J_i. The base takes up where axis 1 is, the tool what follows axis n.
// Axes that are nearly parallel, but not snapped, get Hayati's form: the next origin in the plane across the axis, and a
// second turn beta. Fixed joints vanish into the links they hold.
#pragma once

#include "torsor/model/description.hpp"
#include "torsor/model/geometry.hpp"

namespace torsor {

/// What the snaps and rounding can have moved at most. A snapped length moves all that follows by itself, a snapped angle by
/// itself times the length of the arm (slides out as far as they are sampled). Torques are relative to their size; a
/// thousand times the snapped angles covers arms whose torques are small beside their forces, weight along an axis above
/// all (of 40 000 random arms the worst moved by 112 times). However much was snapped, it explains no
/// turn by more than a tenth of a radian and no torques that differ by more than a tenth.
struct Explained {
  double position = 0, angle = 0, torque = 0;  // m, rad, 1
};

struct DhConversion {
  Description description;  // the same robot, every row a DH row; inertias, limits and drives carried over
  std::vector<Snap> snaps;  // special geometry assumed, with residuals
  RoundedAway rounded_away;
  double position_residual = 0,
         angle_residual = 0;  // largest difference of the tool pose over sampled positions (m, rad)
  Explained explained;
};

/// The bound for a model before and after these snaps; the longer of the two is the length of the arm.
Explained explained_by(const std::vector<Snap>&, const Model<double>& before, const Model<double>& after);

/// The robot in standard or modified DH, or why it has none (branches, joints that are not revolute, prismatic or helical).
Result<DhConversion> to_dh(const Description&, Convention, GeometryTolerance = {});

/// The same robot with an explicit placement for every link; frames and axes are the joints' own (z along each axis).
Result<Description> to_placements(const Description&);

}  // namespace torsor
