// An SDF model as its file gives it: links, joints and frames with their poses as typed, models inside it. Included
// models are in their place. It stands between the files and a Description; sdf_frames.hpp says what its names and
// poses mean.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "torsor/model/description.hpp"

namespace torsor::detail {

/// A pose in the frame of that name, or in the one that goes without saying where the name is empty.
struct SdfPose {
  Transform<double> X;
  std::string relative_to;
};

struct SdfFrame {
  std::string name, attached_to;
  SdfPose pose;
  std::string placement_frame;  // of the frame of a merged model: the pose is that of this frame
  Where where;
  std::string shown = {};  // what our own writer calls it, where that is no name of an SDF; else empty
};

struct SdfLink {
  std::string name;
  SdfPose pose;
  std::optional<std::vector<Part>> parts;  // not given: 1 kg with moments of 1 kg m^2, as the format has it
  UrdfExtra looks;
  std::string free_joint;  // what our own writer calls the joint of a link that floats
  Where where;
  std::string shown = {};  // as of a frame
};

enum class SdfJointType { fixed, revolute, prismatic, screw, ball, universal };

/// coordinate = ratio * coordinate of the other + offset.
struct SdfMimic {
  std::string joint, axis;
  double ratio = 1, offset = 0;
  Where where;
};

struct SdfAxis {
  Vec3<double> xyz{0, 0, 1};
  std::string expressed_in;  // empty: the frame of the joint
  Limits limits;
  double damping = 0, friction = 0, stiffness = 0, rest = 0;
  std::optional<SdfMimic> mimic;
  Where where;
};

struct SdfJoint {
  std::string name, parent, child;
  std::string shown;  // what our own writer calls it, where its name was taken or is none of an SDF
  SdfJointType type = SdfJointType::fixed;
  SdfPose pose;
  SdfAxis axis, axis2;
  double pitch = 0;  // metres per radian
  double rotor_inertia = 0, gear = 1;
  Where where;
};

struct SdfModel {
  std::string name, placement_frame, canonical_link;
  SdfPose pose;
  bool is_static = false, is_world = false;
  std::string tool;  // the default tool, as our own writer leaves it
  std::vector<SdfLink> links;
  std::vector<SdfJoint> joints;
  std::vector<SdfFrame> frames;
  std::vector<SdfModel> models;
  Where where;
};

/// What a document holds: a world, or one model as the only one of a world.
struct SdfDocument {
  SdfModel world;
  std::optional<Vec3<double>> gravity;  // of a world
};

/// The text of a file that a file names by a URI, and the path it was found at; faults where there is none to be read.
struct SdfText {
  std::string text, path;
};
using OpenUri = std::function<Result<SdfText>(const std::string& uri, const std::string& from)>;

/// The document with everything it includes in place; faults and notes are added to the lists.
SdfDocument read_sdf_document(std::string_view text, const std::string& file, const OpenUri& open, Faults& errors,
                              Faults& notes);

/// A robot of another format as a model that is included: its base is a link, unless it is the world; what floats in
/// its file floats here.
SdfModel sdf_model_of(const Description& robot, Faults& errors);

/// A joint that closes a loop, with the pose of its frame in both links of the Description; the base has no name.
struct SdfLoop {
  std::string name, parent, child;
  SdfJoint joint;
  Transform<double> X_parent_joint, X_child_joint;
  Vec3<double> axis, axis2;  // in the frame of the joint, of unit length
};

/// The tree without the joints that close loops, which go to a list of their own; faults and notes are added to theirs.
Description describe_sdf(const SdfDocument& document, Faults& errors, Faults& notes, std::vector<SdfLoop>& loops);

}  // namespace torsor::detail
