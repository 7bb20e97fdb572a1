// What a file says of a mechanism: bodies, the joints between them, couplings between joints, drivers that prescribe
// motion, actuators that are to supply the torques, forces. Editable and forgiving; build() checks it and makes the
// Mechanism that algorithms need.
//
// A joint has a frame on each of its two bodies: origin at the joint, z along its axis, x the direction its angle is
// counted from. Every kind (mechanism_joint_kind.hpp) is a set of equations between these two frames, so any joint may close a loop
// and nothing is ever cut. Body -1 is the ground.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "torsor/model/mechanism_joint_kind.hpp"
#include "torsor/result.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/transform.hpp"
#include "torsor/trajectory/time_function.hpp"

namespace torsor {

inline constexpr int ground = -1;

/// A rigid body: m (kg), mass centre in its frame (m), tensor about the mass centre along the axes of its frame (kg m^2).
struct MechanismBody {
  std::string name;
  double m = 0;
  Vec3<double> com;
  Sym3<double> I;
  Transform<double> X_world_body;  // where it is at the start, or roughly: assembly does the rest
  Motion<double> velocity;         // at the start, world components: w, and v of the body frame's origin
  bool turn_given = false, way_given = false;  // w and v are wanted also where they are zero; else a zero is free
  Where where = {};
};

/// A frame that moves as prescribed: a place other bodies can be joined to as if it were ground. Its position is given by
/// three functions (m), its orientation by turns one after the other, each about an axis of the frame the turns before
/// have reached: z-x-z angles are three of them.
struct MechanismCarrier {
  struct Turn {
    Vec3<double> axis;   // a unit vector
    TimeFunction angle;  // rad
  };
  std::string name;
  std::array<TimeFunction, 3> position;
  std::vector<Turn> turns;
  Where where = {};
};

/// One side of a joint: a body (index, or ground) or a carrier, and the pose of the joint frame in it.
struct JointSide {
  int body = ground;
  int carrier = -1;  // not negative: the side is this carrier, `body` is not looked at
  Transform<double> X;
};

struct MechanismJoint {
  std::string name;
  MechanismJointKind kind = MechanismJointKind::revolute;
  JointSide i, j;
  double length = 0;  // m: of a rod (distance), of a revolute-spherical link
  double offset = 0;  // m: of a revolute-spherical link along its axis, of a point over its plane
  double pitch = 0;   // m per rad: of a screw
  double radius = 0;  // m: of a ball or disc that rolls
  std::optional<double> angle_rate = {}, slide_rate = {}, length_rate = {};  // at the start, rad/s and m/s; none: free
  Where where = {};
};

/// What can be measured at a joint: the angle of x_j from x_i about z_i, the slide of origin j along z_i, the distance of
/// the two origins.
struct Measure {
  enum class What { angle, slide, length };
  int joint = -1;
  What what = What::angle;
};

/// sum of factor * measure (or, with a profile, of factor * profile(measure)) = offset: gears, belts, racks, cams.
struct MechanismCoupling {
  struct Term {
    Measure measure;
    double factor = 1;
    TimeFunction profile = {};  // of the measure instead of time; empty: the measure itself
  };
  std::string name, kind;  // the word of the file: gear, belt, rack-and-pinion, cam, coupler
  std::vector<Term> terms;
  std::optional<double> offset;  // none: what the sum is at the start
  Where where = {};
};

/// Prescribes a measure, a sum of measures, or (with a joint to a carrier) a body's point or pose.
struct MechanismDriver {
  std::string name;
  std::vector<MechanismCoupling::Term> terms;  // sum of factor * measure = function(t)
  TimeFunction function;
  int joint = -1;  // not negative: instead, all equations of this joint, one side of which is a carrier
  Where where = {};
};

/// Supplies an torque along a measure: a torque about z_i for an angle (N m, on body j, its opposite on i), a force for a
/// slide or a length (N, positive: apart). A spring and damper may sit beside it: the motor then supplies
/// T = torque + k (measure - rest) + c rate (001, eqs. (34) and (36) as corrected).
struct MechanismActuator {
  std::string name;
  Measure measure;
  double k = 0, c = 0, rest = 0;
  double weight = 1;                   // of its torque where more actuators than needed share the work
  std::optional<double> effort_limit;  // N m or N
  TimeFunction effort = {};            // in simulations: of time; empty: none
  Where where = {};
};

/// A passive spring and damper along a measure, with a given force or torque: on body j, -k (measure - rest) - c rate + f(t).
/// With play it does nothing between two values of the measure, and beyond them it pushes back and never pulls: a stop, a
/// backlash, a rope, a point that lies on a plane.
struct MechanismSpring {
  struct Play {
    double lower = 0, upper = 0;  // one of them may be infinite
  };
  std::string name;
  Measure measure;
  double k = 0, c = 0, rest = 0;
  std::optional<Play> play = {};  // instead of the rest
  TimeFunction effort = {};
  Where where = {};
};

/// Dry friction along a measure of a joint, N m or N. While it slides it is `coulomb`, and `coefficient` times what the joint bears
/// across its axis (times `radius` at a hinge); at rest it holds up to `breakaway` and `static_coefficient` in their places.
struct MechanismFriction {
  std::string name;
  Measure measure;
  double coulomb = 0, breakaway = 0;               // breakaway no less
  double coefficient = 0, static_coefficient = 0;  // likewise
  double radius = 1;                               // m, of the bearing; 1 along a slide
  double stribeck = 0;  // rad/s or m/s: the speed from rest on by which it falls from the one to the other; 0: at once
  Where where = {};

  bool by_load() const { return coefficient > 0 || static_coefficient > 0; }
};

/// What the state says of itself, for laws: a measure of a joint or its rate, a coordinate of a point or its velocity.
struct StateSignal {
  enum class Kind { measure, rate, place, velocity };
  Kind kind = Kind::measure;
  Measure measure = {};
  int point = -1, axis = 0;  // of places and velocities, world components
};

/// A force or torque along a measure that is a function of the state: f of the values of the signals, on body j. A non-linear spring, a
/// hydraulic cylinder, a control law.
struct MechanismLaw {
  std::string name;
  Measure measure;
  std::vector<StateSignal> signals;
  std::function<double(std::span<const double> x)> f;
  /// What passes zero where f has corners: steps end there.
  std::function<void(std::span<const double> x, std::span<double> bends)> bends = {};
  int bend_count = 0;
  Where where = {};
};

/// A force and moment on a body at a point of it (body frame), components along the world's axes or the body's.
struct MechanismForce {
  std::string name;
  int body = 0;
  Vec3<double> point;
  std::array<TimeFunction, 3> force, moment;  // N, N m; empty functions are zero
  bool along_body_axes = false;
  Where where = {};
};

/// A place in a body that results follow: the way it draws is a coupler curve.
struct MechanismPoint {
  std::string name;
  int body = 0;
  Vec3<double> point;  // body frame
  Where where = {};
};

/// How a run is to be done when nobody says otherwise.
struct MechanismRun {
  double time = 1;         // s
  double interval = 0.01;  // s between rows of results
  std::string integrator = "dormand-prince";
  double step = 1e-3, tolerance = 1e-10;
  bool partitioned = false;  // by coordinate partitioning instead of the augmented system
};

struct MechanismDescription {
  std::string name, source;
  Vec3<double> gravity{0, 0, -9.81};
  std::vector<MechanismBody> bodies;
  std::vector<MechanismCarrier> carriers;
  std::vector<MechanismJoint> joints;
  std::vector<MechanismCoupling> couplings;
  std::vector<MechanismDriver> drivers;
  std::vector<MechanismActuator> actuators;
  std::vector<MechanismSpring> springs;
  std::vector<MechanismFriction> frictions;
  std::vector<MechanismLaw> laws;
  std::vector<MechanismForce> forces;
  std::vector<MechanismPoint> points;
  MechanismRun run;
  Faults notes = {};  // what a reader or a conversion passed over, for the user to know; never a fault
};

/// A joint between two bodies given in the world where the bodies stand at the start: its frames follow from X_world_joint.
inline void place_joint(MechanismJoint& joint, const MechanismDescription& mechanism,
                        const Transform<double>& X_world_joint) {
  for (JointSide* const side : {&joint.i, &joint.j}) {
    if (side->body == ground || side->carrier >= 0) {
      side->X = X_world_joint;
      continue;
    }
    const Transform<double>& X = mechanism.bodies[static_cast<std::size_t>(side->body)].X_world_body;
    side->X = Transform<double>(~X) * X_world_joint;
  }
}

}  // namespace torsor
