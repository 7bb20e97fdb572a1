// Mechanism: a checked description with everything referred to mass centres, and the list of its equations in blocks. Const
// after build(), shared by threads; MechanismState is what moves.
//
// Coordinates are the seven per body of Sim, Yoo & Lee 1985, mass centre r and Euler parameters p; velocities are six per body, (w, v) along the
// world's axes, so that no equation is needed for the norm of p and the mass matrix is never singular by form:
// p' = 1/2 (0, w) p. The multipliers are the same numbers as with seven.
#pragma once

#include <span>
#include <vector>

#include "torsor/mechanism/description.hpp"
#include "torsor/kinematics/joint_equations.hpp"

namespace torsor {

/// Mass centre, Euler parameters, velocity of the mass centre, angular velocity; all along the world's axes.
struct BodyState {
  Vec3<double> r;
  Quaternion<double> p;
  Vec3<double> v, w;
};

/// Where a measure with play is: inside, or beyond one of its ends, where a damper may have to pull for its stop to push.
enum class StopMode : signed char { inside, lower_pushes, lower_slack, upper_pushes, upper_slack };

/// In which of its pieces each law of force is kept during a step, so that it is smooth however far the step goes
/// (force_modes.hpp). Empty: each as it is written.
struct ForceModes {
  std::vector<StopMode> stops;  // of each spring
  std::vector<int> friction;    // of each: 1, -1 the way it slides; 0 it sticks
};

struct MechanismState {
  double t = 0;
  std::vector<BodyState> bodies;
  std::vector<double> angles;  // of each joint, counted on over whole turns: the value it had when last looked at
  ForceModes modes;
};

/// One side of a joint, from the mass centre of its body (or the origin of its carrier, or of the world).
struct PlacedSide {
  int body = ground, carrier = -1;
  Vec3<double> s;
  Mat3<double> R = Mat3<double>::identity();
};

/// A block of equations: those of one joint, one coupling or one driver.
struct ConstraintBlock {
  enum class Origin { joint, coupling, driver };
  Origin origin = Origin::joint;
  int index = 0;        // in the list of its origin
  bool drives = false;  // prescribes motion: a driver, or a joint that a driver has taken
  int rows = 0, velocity_only = 0, first_row = 0;
  std::vector<int> bodies;         // that move and appear in it, each once
  std::size_t first_gradient = 0;  // in MechanismEquations::J: bodies x 6 x rows
};

/// What is added to a body that lacks some so that its own can be inverted; forward dynamics gives it back.
struct BorrowedInertia {
  double m = 0;
  Sym3<double> I;  // a multiple of 1
};

struct Mechanism {
  MechanismDescription description;
  std::vector<PlacedSide> side_i, side_j;  // of each joint
  std::vector<JointSizes> sizes;
  std::vector<double> offsets;  // of each coupling
  std::vector<ConstraintBlock> blocks;
  std::vector<BorrowedInertia> borrowed;  // of each body
  int rows = 0;  // of all blocks
  std::vector<double> row_units;  // of each row: 1 where it is of angles, the length below where it is of lengths

  int bodies() const { return static_cast<int>(description.bodies.size()); }
  /// `joint "elbow"`, and likewise for couplings and drivers: for reports.
  std::string block_name(const ConstraintBlock&) const;
};

/// Checks a description and prepares it; every fault found, each naming its element.
Result<Mechanism> build(const MechanismDescription&);

/// How far from the mass centres the joints are at most, m; where all are in them, how far apart all is; where that is nothing,
/// 1. What lengths compare with.
double size_of(const Mechanism&);

/// Length, time and energy of a mechanism's own, which tolerances are relative to, so that large and small, fast and slow,
/// heavy and light ones are alike. A bar of 1 m on the earth has the units m and s.
struct OwnUnits {
  double length = 1, time = 1, energy = 1;
};
/// Without gravity, which says what is fast, time is taken from what lies between two instants.
OwnUnits own_units(const Mechanism&, double interval);

/// Finds the offsets of couplings and the phases of screws that are "as at the start".
void set_phases(Mechanism&);

/// Finds the units of all rows.
void set_row_units(Mechanism&);

/// Where the description puts the bodies, at t; not yet assembled.
MechanismState described_state(const Mechanism&, double t = 0);

/// The pose of a body's own frame, which need not be at its mass centre.
Transform<double> body_pose(const Mechanism&, const MechanismState&, int body);

/// Velocity of a body and of its own frame's origin, world components; acceleration likewise, from that of the mass centre.
Motion<double> body_velocity(const Mechanism&, const MechanismState&, int body);
Motion<double> body_acceleration(const Mechanism&, const MechanismState&, const Motion<double>& A, int body);

/// Where a point of a body is, in the world, and how it moves where the mass centres have the accelerations A.
struct PointMotion {
  Vec3<double> place, velocity, acceleration;
};
PointMotion point_motion(const Mechanism&, const MechanismState&, std::span<const Motion<double>> A,
                         const MechanismPoint&);

}  // namespace torsor
