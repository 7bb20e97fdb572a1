// Description: what a robot file says, in SI units and radians but otherwise as its author wrote it: editable, not yet
// trusted. build() turns it into a Model<double> or lists every fault.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "torsor/model/friction.hpp"
#include "torsor/model/joint.hpp"
#include "torsor/model/mechanism_joint_kind.hpp"
#include "torsor/model/model.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// standard: A_i = Rz(theta) Tz(d) Tx(a) Rx(alpha), joint i turns about z of frame i-1 (Paul; Fu, Gonzalez & Lee).
/// modified: A_i = Tx(a) Rx(alpha) Rz(theta) Tz(d), joint i turns about z of frame i (Craig; Khalil; Angeles et al.
/// with d = -b).
enum class Convention { placement, standard_dh, modified_dh };

/// One row of a DH table; the joint variable is added to theta (revolute, helical) or to d (prismatic). beta is the fifth
/// parameter of Hayati (1983), a turn about y after the one about x, for axes that are nearly parallel and must stay so.
struct DhRow {
  double theta = 0, d = 0, a = 0, alpha = 0, beta = 0;
};

/// Joint frame in the parent's link frame, and the joint's axis in that frame.
struct JointPlacement {
  Transform<double> X_parent_joint;
  Vec3<double> axis{0, 0, 1};
};

enum class InertiaAbout { mass_centre, frame_origin };

/// A rigid piece of a link: mass, mass centre and tensor (entries, not products) in the axes of the link frame.
struct Part {
  double mass = 0;
  Vec3<double> com = {};
  Sym3<double> tensor = {};
  InertiaAbout about = InertiaAbout::mass_centre;
  Where where = {}, tensor_where = {};
  Mat3<double> typed_in = Mat3<double>::identity();  // axes in which the file gives the tensor: slips are sought there
};

/// Rotor of a joint's motor: on the motor side of the gear. gear = motor speed / joint speed, negative if they turn against
/// each other. As a diagonal, gear^2 * inertia is added to the joint and the gyroscopic torque of the spinning rotor on the
/// arm is neglected. As a body, the rotor turns on the parent link (fully accounted for; its mass is in the parent link
/// already). At a spherical joint (gear 1, a diagonal) it is what simulators call armature, added to each velocity.
struct Rotor {
  double inertia = 0, gear = 1;
  bool as_body = false;
  Where where = {};
};

struct Mimic {
  std::string joint;
  double ratio = 1, offset = 0;
  Where where = {};
};

/// Elements of a URDF that say how a link looks and what it touches, kept as text to be given back; nothing reads them.
/// Their origins are poses in the frame X_link_xml of the link: whoever moves the link frame moves that, not the text.
struct UrdfExtra {
  std::string xml;
  Transform<double> X_link_xml;
};

/// A link and the joint that carries it.
struct LinkDescription {
  std::string name, joint_name;
  /// Not set: the link before it, or the base for the first; the base's name: the base.
  std::optional<std::string> parent = {};
  JointKind kind = JointKind::revolute;
  std::variant<DhRow, JointPlacement> geometry = JointPlacement{};
  double pitch = 0;  // helical: metres per radian
  std::vector<Part> parts = {};
  Limits limits = {};
  std::optional<Friction<double>> friction = {};
  bool friction_at_motor = false;  // its numbers are those of the motor side: viscous * gear^2, dry * |gear|
  std::optional<Rotor> rotor = {};
  std::optional<Mimic> mimic = {};
  std::optional<double> start = {};  // of a robot with loops, one degree of freedom: near which position they close
  Where where = {}, geometry_where = {}, limits_where = {};
  UrdfExtra urdf_extra = {};
};

struct TransmissionDescription {
  std::vector<std::string> motors, joints;
  std::vector<std::vector<double>> matrix;  // rows = joints, columns = motors
  std::vector<double> rotor_inertia;        // per motor, or empty
  Where where = {};
};

/// A joint that closes a loop of the tree: equations between a frame on each of two links (z is its axis). Of the tree's
/// joints in the loop some are named as actuated, or the others as passive, or neither.
struct LoopDescription {
  std::string name;
  MechanismJointKind kind = MechanismJointKind::revolute;
  std::array<std::string, 2> links;             // the base's name: the base
  std::array<Transform<double>, 2> X_link_loop;  // its frame in each
  double length = 0;                             // m: of a rod (distance)
  std::vector<std::string> actuated, passive;    // joints; not both
  Where where = {};
};

/// A named frame on a link; the last one is the default tool.
struct ToolDescription {
  std::string name, link;
  Transform<double> X_link_tool;
  Where where = {};
};

struct Description {
  std::string name, source, file;
  Where where;                                    // the line that names it
  Convention convention = Convention::placement;  // of the rows given as DH
  std::string base_name = "base";                 // what links call it as their parent
  Transform<double> base;
  std::vector<Part> base_parts;  // inertia of the base itself: no force feels it, but it is kept
  Vec3<double> gravity{0, 0, -9.81};
  std::vector<LinkDescription> links;
  std::vector<TransmissionDescription> transmissions;
  std::vector<LoopDescription> loops;
  std::vector<ToolDescription> tools;
  UrdfExtra base_urdf_extra;
  std::string urdf_materials;  // colours that the extras of the links refer to by name
  std::vector<std::string> accepted;  // findings of check that the author knows of, as "triangle:forearm"
  std::string accept_reason;          // and why they are right as they are
  Where accept_where;
  Faults notes;  // what a reader passed over or assumed, for the user to know; never a fault
};

/// Parts joined rigidly: their inertia in the frame they are given in.
Inertia<double> inertia_of(const std::vector<Part>&);

/// The model a description stands for, or all its faults. Bodies keep the file's order where parents already come
/// first. A robot with loops is none: what computes on a tree would take it as one that is cut open.
Result<Model<double>> build(const Description&);

/// The same for whoever closes the loops: the tree without them.
Result<Model<double>> build_tree(const Description&);

/// Why a robot with loops is refused by what computes on trees; empty for a tree.
Faults refuse_loops(const Description&);

}  // namespace torsor
