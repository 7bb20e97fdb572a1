#include "torsor/files/urdf_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <unordered_set>

#include "torsor/check/plausibility.hpp"
#include "torsor/files/loop_drives.hpp"
#include "torsor/files/urdf_blocks.hpp"
#include "torsor/files/xacro.hpp"
#include "torsor/model/check.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

/// What keeps an XML document from being a URDF at all.
Faults check_root(const XmlElement& root, const std::string& file) {
  if (root.name != "robot") {
    const std::string remedy = "give a URDF, whose root is <robot name=\"...\">";
    return {{{file, root.line},
             fmt::format("<{}>", excerpt(root.name)),
             "root-element",
             "the root element is not <robot>",
             remedy}};
  }
  return {};
}

/// <accept finding="triangle:forearm"/>, several of them, and the reason.
void read_accepted(UrdfElement& own, Description& robot) {
  own.children("accept", [&](UrdfElement& accept) {
    const std::string finding = accept.text("finding").value_or("");
    if (const std::size_t colon = finding.find(':'); colon == 0 || colon >= finding.size() - 1)
      accept.fault("finding", "accept-form", fmt::format("\"{}\" names no finding", excerpt(finding)),
                   "write the rule and the link, as torsor check names them: finding=\"triangle:forearm\"");
    else
      robot.accepted.push_back(finding);
  });
  robot.accept_reason = own.text("accept_reason").value_or("");
  if (!robot.accepted.empty() && robot.accept_reason.find_first_not_of(" \t\r\n") == std::string::npos)
    own.fault("accept_reason", "accept-reason", "there is none", "say why the accepted findings are right as they are");
}

/// <torsor gravity source tool accept_reason> and its <accept>: what a URDF has no place for, as our own writer leaves it;
/// others pass over it.
void read_own(UrdfElement& root, Description& robot) {
  root.child("torsor", [&](UrdfElement& own) {
    if (const auto gravity = own.vector("gravity")) robot.gravity = *gravity;
    robot.source = own.text("source").value_or("");
    read_accepted(own, robot);
    if (const auto tool = own.text("tool")) robot.tools.push_back({*tool, *tool, {}, own.where()});
  });
}

/// <constraint>; loops by elements of other dialects would be left open, and all numbers wrong.
void read_loops(UrdfElement& root, Description& robot) {
  root.children("constraint", [&](UrdfElement& e) { detail::read_urdf_constraint(e, robot); });
  for (const char* const other : {"loop", "loop_joint", "coupling"})
    root.children(other, [&](UrdfElement& e) {
      e.fault("", "loop-unread", fmt::format("loops by <{}> are not read", other),
              "write <constraint name type> with parent, parent_origin, parent_axis, child, child_origin, child_axis");
      e.leave_rest();
    });
}

void read_transmissions(UrdfElement& root, Description& robot) {
  detail::JointIndex index;
  for (std::size_t i = 0; i < robot.links.size(); ++i) index.emplace(robot.links[i].joint_name, i);
  detail::JointGears gears;
  const auto read = [&](UrdfElement& t) { detail::read_urdf_transmission(t, index, gears, robot); };
  root.children("transmission", read);
  root.children("ros2_control", [&](UrdfElement& control) {
    control.children("transmission", read);
    control.leave_rest();
  });
  // limits of torque stand at passive joints, too
  std::unordered_set<std::string> driven;
  for (const auto& [joint, gear] : gears) driven.insert(joint);
  if (!driven.empty()) detail::name_driven(driven, robot);
}

/// 1.0, 1.1 or 1.2; what an unknown version means by its elements nobody can know.
void read_version(UrdfElement& root) {
  const auto version = root.text("version");
  if (!version) return;
  root.log().says_version = true;
  if (*version == "1.0" || *version == "1.1" || *version == "1.2")
    root.log().minor_version = version->back() - '0';
  else
    root.fault("version", "urdf-version", fmt::format("it is \"{}\"", excerpt(*version)),
               "write 1.0, 1.1 or 1.2, the versions there are, or leave it out for 1.0");
}

bool is_true(const std::string& text) { return text == "true" || text == "True" || text == "1"; }
bool is_false(const std::string& text) { return text == "false" || text == "False" || text == "0"; }

/// Whether an element of <gazebo> says what the dynamics is without it.
bool changes_nothing(const XmlElement& element) {
  if (element.name == "gravity") return is_true(element.text);
  if (element.name == "joint" || element.name == "link" || element.name == "inertial" || element.name == "mass" ||
      element.name == "velocity_decay")
    return false;
  const ParsedNumber number = parse_number(element.text);
  return is_false(element.text) || (number && number.value == 0);
}

/// What Gazebo takes for physics and we do not: the rest of <gazebo> is sensors, plugins, colours, contacts and solvers.
void note_gazebo(UrdfElement& root) {
  constexpr std::string_view physics[] = {"turnGravityOff",
                                          "gravity",
                                          "springStiffness",
                                          "springReference",
                                          "dampingFactor",
                                          "static",
                                          "velocity_decay",
                                          "kinematic",
                                          "spring_stiffness",
                                          "mass",
                                          "spring_reference",
                                          "inertial",
                                          "joint",
                                          "link"};
  for (const XmlElement& gazebo : root.xml().children) {
    if (gazebo.name != "gazebo") continue;
    const std::string* reference = gazebo.attribute("reference");
    for (const XmlElement& child : gazebo.children)
      if (std::ranges::find(physics, child.name) != std::end(physics) && !changes_nothing(child))
        root.log().note(child.line, fmt::format("gazebo \"{}\"", reference ? excerpt(*reference) : ""),
                        "gazebo-dynamics",
                        fmt::format("<{}> changes the dynamics in Gazebo and is not read", child.name), "");
  }
}

/// What MuJoCo reads of a URDF beside the rest: <compiler>, <option> and <size> in <mujoco>. Gravity is read, the rest that is
/// physics is not.
void read_mujoco(UrdfElement& root, Description& robot) {
  const bool own_gravity = [&] {
    const XmlElement* own = root.xml().child("torsor");
    return own && own->attribute("gravity");
  }();
  for (const XmlElement& mujoco : root.xml().children) {
    if (mujoco.name != "mujoco") continue;
    for (const XmlElement& child : mujoco.children) {
      UrdfElement e(child, "mujoco, " + child.name, root.log());
      if (child.name == "option" && e.has("gravity") && !own_gravity)
        if (const auto gravity = e.vector("gravity")) {
          robot.gravity = *gravity;
          e.note("mujoco-dynamics", "the gravity of <mujoco> is taken, as MuJoCo does; other programs pass it over");
        }
      for (const char* key : {"density", "viscosity", "wind", "settotalmass", "inertiafromgeom", "boundmass",
                              "boundinertia", "balanceinertia"}) {
        const std::string* value = child.attribute(key);
        if (!value || is_false(*value) || *value == "auto") continue;
        if (const auto n = numbers_of(*value); n && std::ranges::all_of(*n, [](double x) { return x <= 0; })) continue;
        e.note("mujoco-dynamics", fmt::format("\"{}\" changes the dynamics in MuJoCo and is not read", key));
      }
    }
  }
}

/// What closes loops or pushes in a URDF of some program, and in no tree.
void refuse_forces(UrdfElement& root) {
  root.refuse_called({"loop", "constraint", "bushing", "spring", "damper", "tendon", "gravity", "equality"},
                     "a URDF is a tree without such forces: write loops in an MJCF, an SDF or a robot file (TOML), or "
                     "take the element out for the open tree");
  root.leave("drake:joint");
  for (const XmlElement& child : root.xml().children)
    if (child.name == "drake:joint")
      root.log().fault(child.line, "robot", "element-unknown", "<drake:joint> is not read",
                       "write a <joint> of a type of the specification, or an SDF, which has ball, universal and screw "
                       "joints");
}

/// `sound` gets the links as they are read, joined to nothing, where they have no fault of their own.
Description read_robot(UrdfElement& root, std::vector<const XmlElement*>& joint_xml, Description& sound) {
  Description robot;
  robot.file = root.log().file();
  robot.where = root.where();
  robot.name = root.has("name") ? root.name("name", "robot-name") : "";
  if (robot.name.empty()) robot.name = std::filesystem::path(robot.file).stem().string();
  read_version(root);
  std::vector<detail::UrdfLink> links;
  std::vector<detail::UrdfJoint> joints;
  root.children("link", [&](UrdfElement& e) {
    e.rename(fmt::format("link {}", links.size() + 1));
    const std::size_t before = root.log().count();
    const detail::UrdfLink& link = links.emplace_back(detail::read_urdf_link(e));
    if (root.log().count() > before) return;
    LinkDescription& body = sound.links.emplace_back();
    body.name = link.name, body.parts = link.parts, body.where = e.where();
  });
  root.children("joint", [&](UrdfElement& e) {
    e.rename(fmt::format("joint {}", joints.size() + 1));
    joints.push_back(detail::read_urdf_joint(e));
  });
  if (links.empty()) root.fault("", "robot-empty", "it has no links", "give at least two <link>, joined by a <joint>");
  detail::assemble_tree(std::move(links), std::move(joints), root.log(), robot, joint_xml);
  read_loops(root, robot);
  read_transmissions(root, robot);
  note_gazebo(root);
  detail::check_looks(root.xml(), root.log());
  root.leave("material");
  for (const XmlElement& child : root.xml().children)
    if (child.name == "material") append_xml(robot.urdf_materials, child);
  read_own(root, robot);
  read_mujoco(root, robot);
  refuse_forces(root);
  return robot;
}

/// The checks of the whole robot point at a joint; the file can point at the element that the rule's word names.
int line_of(const Fault& error, const XmlElement& joint) {
  const auto begins = [&](std::string_view word) { return error.rule.starts_with(word); };
  const XmlElement* element = begins("axis")          ? joint.child("axis")
                              : begins("limits")      ? joint.child("limit")
                              : begins("friction")    ? joint.child("dynamics")
                              : begins("number-size") ? joint.child("origin")
                                                      : nullptr;
  return element ? element->line : error.where.line;
}

/// What only the model room knows to be wrong; names and the tree were checked by their elements already.
void check_robot(const Description& robot, const std::vector<const XmlElement*>& joint_xml, UrdfLog& log) {
  std::unordered_map<int, const XmlElement*> joint_of;
  for (const XmlElement* joint : joint_xml) joint_of.emplace(joint->line, joint);
  std::vector<int> parents;
  for (Fault& error : check_structure(robot, parents)) {
    if (error.rule == "link-name" || error.rule == "joint-name" || error.rule == "parent-unknown" ||
        error.rule == "parent-cycle" || error.rule == "robot-empty")
      continue;
    const auto joint = joint_of.find(error.where.line);
    log.fault(joint == joint_of.end() ? error.where.line : line_of(error, *joint->second), std::move(error.offender),
              error.rule, std::move(error.what), std::move(error.remedy));
  }
}

/// Whoever mends the faults of a robot wants to know the rest, too: notes, and what the check would say of inertias; of a
/// robot of one link all of that, of others what needs no tree. The faults come first, else by line.
Faults everything_found(const Description& robot, const Description& sound, const UrdfLog& log) {
  Faults all = log.faults(), rest = log.other_notes();
  const bool one_link = robot.links.empty() && sound.links.size() <= 1;
  for (Finding& doubt : one_link ? plausibility(robot, Model<double>{}) : impossible_bodies(sound)) {
    if (std::ranges::find(robot.accepted, doubt.subject) != robot.accepted.end()) continue;
    rest.push_back(std::move(doubt.error));
    rest.back().severity = doubt.severity;
  }
  std::ranges::stable_sort(rest, {}, [](const Fault& error) { return error.where.line; });
  std::ranges::move(rest, std::back_inserter(all));
  return all;
}

}  // namespace

Result<Description> read_urdf(std::string_view text, const std::string& file) {
  const Result<XmlElement> document = parse_xml(text, file);
  if (!document) return document.faults();
  if (const XmlElement* macro = find_xacro(*document))
    return Fault{{file, macro->line},
                 fmt::format("<{}>", excerpt(macro->name)),
                 "xacro",
                 "it holds macros of xacro, not yet expanded",
                 "expand them first: load_robot does, and torsor convert FILE.xacro FILE.urdf"};
  return read_urdf(*document, file);
}

Result<Description> read_urdf(const XmlElement& document, const std::string& file) {
  if (Faults errors = check_root(document, file); !errors.empty()) return errors;

  UrdfLog log(file);
  UrdfElement root(document, "robot", log);
  std::vector<const XmlElement*> joint_xml;
  Description sound;
  sound.file = file;
  Description robot = read_robot(root, joint_xml, sound);
  root.finish();
  check_robot(robot, joint_xml, log);
  if (log.count() > 0) return everything_found(robot, sound, log);
  robot.notes = log.notes();
  // whoever computes torques should see it, not only who checks the file
  constexpr std::string_view of_dynamics[] = {"dynamics-unused", "dynamics-armature", "gazebo-dynamics",
                                              "mujoco-dynamics", "rotor-gear"};
  for (Fault& note : robot.notes)
    if (std::ranges::find(of_dynamics, note.rule) != std::end(of_dynamics)) note.severity = Severity::warning;
  return robot;
}

}  // namespace torsor
