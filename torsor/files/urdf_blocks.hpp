// The blocks of a URDF, each read from its element. A faulty entry leaves the default in its place, so that reading goes
// on and every fault of the file is found in one pass.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "torsor/files/urdf_element.hpp"
#include "torsor/model/description.hpp"

namespace torsor::detail {

/// A magnitude from which on a limit means none, as in SDFormat; and how a missing one is written.
constexpr double no_limit = 1e16;

/// <origin xyz rpy>, the identity if it is missing.
Transform<double> read_origin(UrdfElement& parent, std::string_view name = "origin");

struct UrdfLink {
  std::string name;
  int line = 0;
  std::vector<Part> parts;
  UrdfExtra extra;
};
UrdfLink read_urdf_link(UrdfElement& element);

/// A joint with everything on it: `link.name` is the child's name, `link.parent` the parent's; both may be empty after a
/// fault.
struct UrdfJoint {
  LinkDescription link;
  const XmlElement* xml = nullptr;
};
UrdfJoint read_urdf_joint(UrdfElement& joint);

/// The joints put into order, parents first and else as in the file, with what their links weigh; the root link becomes
/// the base. Reports names given twice, links that are missing, second parents, cycles, several roots. `xml` gets the
/// element of each link's joint.
void assemble_tree(std::vector<UrdfLink>&& links, std::vector<UrdfJoint>&& joints, UrdfLog& log, Description& robot,
                   std::vector<const XmlElement*>& xml);

/// Notes what other programs would stumble over among shapes, meshes and materials, which we keep as text.
void check_looks(const XmlElement& robot, UrdfLog& log);

/// A transmission: the gear of a joint, or a differential of two. Others are noted and passed over. `gears` has those read
/// so far: a second one of a joint is noted, or a fault if it has other numbers.
using JointIndex = std::unordered_map<std::string, std::size_t>;  // joint -> its place in robot.links
using JointGears = std::unordered_map<std::string, Rotor>;        // joint -> its simple transmission
void read_urdf_transmission(UrdfElement& element, const JointIndex& index, JointGears& gears, Description& robot);

/// <constraint>, a joint that closes a loop, as proposed for URDF (ros/urdfdom, pull request 264): a frame on each of two
/// links, and in each an axis.
void read_urdf_constraint(UrdfElement& element, Description& robot);

}  // namespace torsor::detail
