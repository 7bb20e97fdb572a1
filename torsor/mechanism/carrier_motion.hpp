// A carrier at an instant: origin and axes, velocities and accelerations, from its functions of time. Turns follow one
// another, R = R_1 R_2 ..., each about an axis u of the frame reached before: with U = R_1 .. R_k-1 u_k,
//
//   w += U theta',   w' += U theta'' + w_before x U theta'
#pragma once

#include "torsor/mechanism/description.hpp"

namespace torsor {

struct CarrierMotion {
  Vec3<double> P;
  Mat3<double> R;
  Motion<double> V, A;  // (w, v) and (w', v') of the origin, world components
};

CarrierMotion carrier_motion(const MechanismCarrier&, double t);

}  // namespace torsor
