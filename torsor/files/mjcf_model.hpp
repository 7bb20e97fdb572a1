// An MJCF model as its file gives it, with classes and units resolved: bodies with several joints each, and what couples
// and drives the joints. It stands between the file and a Description, and is what <attach> takes from another file.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "torsor/files/mjcf_settings.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/mesh_solid.hpp"

namespace torsor::detail {

struct MjcfJoint {
  std::string name;
  JointKind kind = JointKind::revolute;
  Vec3<double> pos, axis{0, 0, 1};  // in the frame of the body
  double ref = 0;                   // the joint is not displaced where its coordinate is this
  Limits limits;
  double damping = 0, frictionloss = 0, stiffness = 0, springref = 0, armature = 0;
  Where where;
};

struct MjcfSite {
  std::string name;
  Transform<double> X_body_site;
  Where where;
};

struct MjcfBody {
  std::string name;
  int parent = -1;  // -1: the world
  Transform<double> X_parent_body;
  std::vector<MjcfJoint> joints;
  std::vector<Part> parts;
  std::vector<MjcfSite> sites;
  Where where;
};

/// joint = constant + ratio * other, both measured from their refs; without another joint it is held at the constant.
struct MjcfCoupling {
  std::string joint, other;
  double constant = 0, ratio = 1;
  Where where;
};

/// A fixed tendon: its length is the sum of coefficients times coordinates.
struct MjcfTendon {
  std::string name;
  std::vector<std::pair<std::string, double>> joints;
  double armature = 0;
  Where where;
};

struct MjcfActuator {
  std::string name, joint, tendon;
  double gear = 1, effort = 0;       // torque: the largest force before the gear, 0 if there is no bound
  double armature = 0, damping = 0;  // of the motor, before the gear
  Where where;
};

/// <connect> or <weld>: a point of one body stays at a point of another, or one body does not move in the other. Both are
/// named by their bodies (empty: the world), or by sites.
struct MjcfLoop {
  std::string name;
  bool weld = false, sites = false;
  bool rigid = false;  // a weld without torques (torquescale="0") holds its point alone
  std::string one, two;
  Vec3<double> anchor;                         // of <connect> in the first body, of <weld> in the second
  std::optional<Transform<double>> X_one_two;  // of <weld>; without it as the file puts the bodies
  Where where;
};

struct MjcfModel {
  std::string name, tool;
  Vec3<double> gravity{0, 0, -9.81};
  std::vector<MjcfBody> bodies;  // parents first
  std::vector<MjcfSite> sites;   // of the world
  std::vector<MjcfCoupling> couplings;
  std::vector<MjcfLoop> loops;
  std::vector<MjcfTendon> tendons;
  std::vector<MjcfActuator> actuators;
};

/// What all parts of the reader share.
struct MjcfContext {
  MjcfDocument& document;
  MjcfSettings settings;
  MjcfDefaults defaults;
  std::optional<std::unordered_map<std::string, MjcfNode>> mesh_assets = {};  // by name
  std::map<std::string, Result<MeshBody>> meshes = {};                        // those asked for
};

/// What a mesh weighs, for a mass of one: its centre and tensor in its own frame; or why that cannot be known.
const Result<MeshBody>& mjcf_mesh(MjcfContext& context, const std::string& name);

/// A law of one number, zero or positive; further ones are coefficients of a polynomial, which we do not have.
double read_coefficient(UrdfElement& element, std::string_view key);

/// A joint, with the pose of the frames around it in the body.
MjcfJoint read_mjcf_joint(UrdfElement& element, const MjcfContext& context, const Transform<double>& X_body_frame);
MjcfJoint read_free_joint(UrdfElement& element, const MjcfContext& context);

/// What a geom weighs, in the frame of its body; nothing if it weighs nothing.
std::vector<Part> read_mjcf_geom(UrdfElement& element, MjcfContext& context,
                                 const Transform<double>& X_body_frame);
/// <inertial>, in the frame of the body.
Part read_mjcf_inertial(UrdfElement& element, const MjcfSettings& settings);
/// The bounds and the balance that the compiler is asked for, and the total mass.
void settle_inertias(const MjcfSettings& settings, std::vector<MjcfBody>& bodies);

/// Equalities, tendons and actuators.
void read_mjcf_drives(MjcfContext& context, MjcfModel& model);

/// The whole document; `attached` are the files on the way to it.
MjcfModel read_mjcf_model(MjcfDocument& document, const std::vector<std::string>& attached, Faults& errors,
                          Faults& notes);

/// A joint that closes a loop: frames of two links stay together, or their origins alone.
struct MjcfClosing {
  std::string name;
  bool rigid = false;
  std::string one, two;  // links
  Transform<double> X_one, X_two;
  Where where;
};

/// What a tree does not hold: its loops, and where the file puts it. The positions are those of joints, by their names.
struct MjcfLoops {
  std::vector<MjcfClosing> closings;
  std::unordered_map<std::string, std::vector<double>> start;
};

}  // namespace torsor::detail
