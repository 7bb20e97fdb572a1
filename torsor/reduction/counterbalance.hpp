// A mass that balances a joint. The first moment of what joint i turns, about its axis, is h_i(q): a constant part, in which
// every turning joint beyond stands for the mean of its turns, (0, 0, h_z), and a rest that no mass on link i can balance:
//
//   h of link i + sum over children of (R h' + m p),   h' = (0, 0, h_z) of a child that turns, h at mid-stroke of one that slides
//
// The counterbalance cancels the part of it across the axis: m_c r = -(h_x, h_y). If everything beyond is balanced itself,
// the joint then feels no gravity. The arm r is as long as the next axis is away, or else as the mass centre is; the mass is
// then the nearest of 1, 1.25, 2, 2.5, 4, 5, 8 times a power of ten, by which every decimal can be divided.
#pragma once

#include <optional>

#include "torsor/model/description.hpp"

namespace torsor {

struct Counterweight {
  double mass = 0;    // kg
  Vec3<double> com;   // m, in the link's frame
  double moment = 0;  // kg m, mass times distance from the axis
};

/// What balances a body of the model about its joint's axis, at the height z of the body frame; none where it slides, moves no
/// mass, or is balanced.
std::optional<Counterweight> counterweight(const Model<double>&, int body, double z);

}  // namespace torsor
