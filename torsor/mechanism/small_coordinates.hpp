// Coordinates of small motions by name: z along the freedoms (freedoms.hpp) is a basis that depends on the masses and means
// nothing to a reader. As many measures of joints as determine the motion, or velocities of bodies where joints have none, do:
//
//   q = C z,   z = T q
//
// They are chosen by how bodies move, in radians and sizes of the mechanism, not by how heavy these are: a rotor of 1e-5 kg m^2
// beside a turntable of 15 counts as much as it does.
#pragma once

#include <optional>

#include "torsor/mechanism/mobility.hpp"

namespace torsor {

struct SmallCoordinate {
  std::string name, unit;  // `angle.crank`, rad; `bob.vx`, m: the way of its mass centre along the world's x
};

struct SmallCoordinates {
  std::vector<SmallCoordinate> names;
  std::vector<double> C, T;  // freedoms x freedoms, row-major
  std::vector<double> T_first;  // inverse of the first rows and columns of C
};

/// Of a state and its free motions, the first `first` of which are told apart by the first so many coordinates alone; the joints
/// of the file come before the bodies, as long as they tell motions apart well. Nothing where the motions are no numbers or
/// cannot be told apart: their numbers leave the range of a double.
std::optional<SmallCoordinates> small_coordinates(const Mechanism&, const MechanismState&,
                                                  const std::vector<std::vector<Motion<double>>>& freedoms,
                                                  std::size_t first);

}  // namespace torsor
