// Coordinates of small motions by name: z along the freedoms (freedoms.hpp) is a basis that depends on the masses and means
// nothing to a reader. As many measures of joints as determine the motion, or velocities of bodies where joints have none, do:
//
//   q = C z,   z = T q,   M q'' + D q' + K q = 0   with   M = T^T G T,   T^T G D T,   T^T G K T,   G = N^T M N
//
// (G is 1 where no body borrows inertia).
#pragma once

#include "torsor/mechanism/mobility.hpp"

namespace torsor {

struct SmallCoordinate {
  std::string name, unit;  // `angle.crank`, rad; `bob.vx`, m: the way of its mass centre along the world's x
};

struct SmallCoordinates {
  std::vector<SmallCoordinate> names;
  std::vector<double> C, T;  // freedoms x freedoms, row-major
};

/// Of a state and its free motions, whose length is 1 in the metric of the masses; the joints of the file come first, as long
/// as they tell motions apart well.
SmallCoordinates small_coordinates(const Mechanism&, const MechanismState&,
                                   const std::vector<std::vector<Motion<double>>>& freedoms);

}  // namespace torsor
