// ExactRobot: a robot as its author meant it, ready for exact arithmetic. Each constant pose is a product of elementary
// turns and shifts, each angle a whole number of hundredths of a degree or else a general one, each number a decimal. The
// chain of poses is that of the description (DH rows of either convention, placements and axes, any base), never the
// rounded product of them.
//
// A rotation that was given as a matrix or by an axis is first brought to turns: Rz Ry Rx of roll, pitch and yaw; an axis
// u by Rz(phi) Ry(theta) z = u. (A matrix of decimals is no rotation: 0.7071^2 + 0.7071^2 is not 1.)
//
// An angle that is no multiple of 0.01 degrees is a quarter turn times a general angle of less than 45 degrees, and equal
// ones, of either sign, share it. Special relations between different general angles are not known.
#pragma once

#include <cstdint>

#include "torsor/model/description.hpp"
#include "torsor/model/geometry.hpp"

namespace torsor {

/// `parts` 36000-ths of a turn, and perhaps one of the general angles, forwards or backwards.
struct ExactAngle {
  std::int64_t parts = 0;
  int general = -1;  // index into general_angles
  bool backwards = false;
};

/// A turn about one axis (0, 1, 2: x, y, z), or a shift.
struct ExactStep {
  int axis = -1;  // -1: a shift
  ExactAngle angle = {};
  Vec3<double> shift = {};
};

struct ExactBody {
  std::vector<ExactStep> to_joint;  // from the parent's link frame (the base) to the joint frame
  std::vector<ExactStep> to_link;   // from the body frame to the link frame, in which the parts are given
  std::vector<Part> parts;
  bool is_rotor = false;      // round about its own axis: where it stands does not matter
  std::int64_t multiple = 1;  // its angle in units of its coordinate's: ratio times the unit's denominator
  ExactAngle offset;          // added to the angle of a mimic joint
};

/// A general angle (rad, positive, at most a quarter of pi) and in how many turns it occurs.
struct GeneralAngle {
  double size = 0;
  int uses = 0;
  std::string first;  // where it occurs first: `joint "elbow": alpha`
};

struct ExactRobot {
  Model<double> model;  // the tree: parents, kinds, coordinates, names, limits, gravity
  std::vector<ExactStep> base;
  std::vector<ExactBody> bodies;  // as in the model
  std::vector<GeneralAngle> general_angles;
  bool hundredths = false;  // some angle is no whole degree
  std::vector<Snap> snaps;  // special values taken instead of nearby ones
};

/// The most coordinates whose n^3 coefficients are asked for.
inline constexpr int most_coordinates = 128;

/// The robot for exact arithmetic; with `tolerance.snap` rounded special values (1.5708) are what they stand for. Faults
/// where there is no model, where a joint has several degrees of freedom (such joints have no coordinates whose
/// coefficients these are), or where there are more than most_coordinates.
Result<ExactRobot> exact_robot(const Description&, GeometryTolerance tolerance = {});

}  // namespace torsor
