#include "torsor/files/urdf_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "torsor/files/robot_xml.hpp"
#include "torsor/files/urdf_blocks.hpp"
#include "torsor/files/urdf_reader.hpp"
#include "torsor/files/urdf_expressible.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"

namespace torsor::detail {
namespace {

XmlElement origin(const Transform<double>& X) {
  const auto [roll, pitch, yaw] = roll_pitch_yaw(X.R);
  return element("origin", Attributes{{"xyz", numbers(X.p)}, {"rpy", numbers({roll, pitch, yaw})}});
}

XmlElement inertial(const Part& part) {
  XmlElement e = element("inertial");
  e.children.push_back(origin({Mat3<double>::identity(), part.com}));
  e.children.push_back(element("mass", Attributes{{"value", number(part.mass)}}));
  const Sym3<double>& I = part.tensor;
  e.children.push_back(element("inertia", Attributes{{"ixx", number(I.xx)},
                                                     {"ixy", number(I.xy)},
                                                     {"ixz", number(I.xz)},
                                                     {"iyy", number(I.yy)},
                                                     {"iyz", number(I.yz)},
                                                     {"izz", number(I.zz)}}));
  return e;
}

/// A frame that a link of a URDF may have: its joint is at its origin, so the origin must lie on the axis.
bool is_carried_by(JointKind kind, const Vec3<double>& axis, const Transform<double>& X_joint_frame) {
  if (kind == JointKind::fixed || kind == JointKind::prismatic) return true;
  if (kind != JointKind::revolute) return is_unmoved(X_joint_frame);
  return norm(cross(axis, X_joint_frame.p)) <= 1e-13 * (1 + norm(X_joint_frame.p));
}

// the noise of a product of rotations is no part of a direction
Vec3<double> without_noise(Vec3<double> u) {
  for (double* x : {&u.x, &u.y, &u.z})
    if (std::abs(*x) < 1e-15) *x = 0;
  return unit(u);
}

class Writer {
 public:
  Writer(const Description& description, const Model<double>& model, const std::vector<int>& parents)
      : d(description), parent(parents), tools(d.tools) {
    for (const auto& [body, law] : model.friction) friction.emplace(model.joint_names[body], &law);
    for (std::size_t i = 0; i < d.links.size(); ++i) {
      links.insert(d.links[i].name);
      index.emplace(d.links[i].name, i);
      joints.insert(d.links[i].joint_name);
      X_joint_urdf.push_back({});
    }
    links.insert(d.base_name);
    // without tools the frame of a link is the default one
    if (tools.empty()) tools.push_back({model.frames.back().name, model.frames.back().name, {}, {}});
    for (const ToolDescription& tool : tools) {
      const std::size_t i = index.at(tool.link);
      if (tool.name != tool.link || own.contains(tool.name)) continue;
      const Transform<double> X = X_joint_link(d.links[i], d.convention) * tool.X_link_tool;
      if (!is_carried_by(d.links[i].kind, placement_of(d.links[i], d.convention).axis, X)) continue;
      X_joint_urdf[i] = X;
      own.emplace(tool.name, &tool);
    }
  }

  Result<XmlElement> run() {
    robot = element("robot", Attributes{{"name", d.name}});
    for (XmlElement& material : elements(d.urdf_materials, {})) robot.children.push_back(std::move(material));
    base();
    for (std::size_t i = 0; i < d.links.size(); ++i) link(static_cast<int>(i));
    for (const ToolDescription& tool : tools) add_tool(tool);
    for (const LinkDescription& l : d.links)
      if (l.rotor) gear(l);
    for (const TransmissionDescription& t : d.transmissions) differential(t);
    if (!errors.empty()) return errors;
    version();
    extension();

    return std::move(robot);
  }
  std::vector<std::string> notes;  // on what is lost or taken otherwise

 private:
  const Description& d;
  const std::vector<int>& parent;
  XmlElement robot;
  Faults errors;
  std::unordered_map<std::string, const Friction<double>*> friction;  // by joint, seen at the joint
  std::unordered_set<std::string> links, joints;                      // names that are taken
  std::vector<ToolDescription> tools;
  std::unordered_map<std::string, std::size_t> index;           // link -> its place in d.links
  std::vector<Transform<double>> X_joint_urdf;                  // frame that the URDF gives each link, in its joint's
  std::unordered_map<std::string, const ToolDescription*> own;  // by link: the tool that is that frame
  std::string tool_link;                                        // the link that is the last tool
  bool needs_1_2 = false;                                       // limits of that version are written

  /// Pose of a link's own frame in the one that the URDF gives it.
  Transform<double> X_urdf_link(std::size_t i) const {
    const Transform<double> X = X_joint_link(d.links[i], d.convention);
    return is_unmoved(X_joint_urdf[i]) ? X : ~X_joint_urdf[i] * X;
  }

  static std::string unused(std::unordered_set<std::string>& taken, std::string name) {
    while (!taken.insert(name).second) name += '_';
    return name;
  }

  void note(std::string text) {
    if (std::ranges::find(notes, text) == notes.end()) notes.push_back(std::move(text));
  }

  /// What a URDF has no place for, where our own reader looks for it.
  void extension() {
    const bool gravity = numbers(d.gravity) != numbers(Description{}.gravity);
    const bool tool = default_tool_as_read() != tool_link;
    if (!gravity && d.source.empty() && d.accepted.empty() && !tool) return;
    XmlElement e = element("torsor");
    if (tool) e.attributes.push_back({"tool", tool_link, 0});
    if (!d.accepted.empty()) e.attributes.push_back({"accept_reason", d.accept_reason, 0});
    for (const std::string& finding : d.accepted)
      e.children.push_back(element("accept", Attributes{{"finding", finding}}));
    if (gravity) {
      e.attributes.push_back({"gravity", numbers(d.gravity), 0});
      note("gravity is not part of a URDF: set it where the file is used");
    }
    if (!d.source.empty()) e.attributes.push_back({"source", d.source, 0});
    robot.children.insert(robot.children.begin(), std::move(e));
  }

  /// What a reader takes as the tool of the file so far: where it is another one, the file must say so.
  std::string default_tool_as_read() const {
    std::string text;
    append_xml(text, robot);
    const auto again = read_urdf(text, "written.urdf");
    const auto model = again ? build(*again) : Result<Model<double>>(again.faults());
    return model && !model->frames.empty() ? model->frames.back().name : "";
  }

  /// What later versions of the format have is ignored in a file that does not say its version.
  void version() {
    std::string text;
    append_xml(text, robot);
    const bool of_1_1 = text.find("quat_xyzw=") != std::string::npos || text.find("<capsule") != std::string::npos;
    if (needs_1_2 || of_1_1) robot.attributes.push_back({"version", needs_1_2 ? "1.2" : "1.1", 0});
  }

  /// The elements of a kept text, their origins seen from the frame in which X is the pose of theirs.
  std::vector<XmlElement> elements(const std::string& xml, const Transform<double>& X) {
    if (xml.empty()) return {};
    Result<XmlElement> kept = parse_xml("<kept>" + xml + "</kept>", d.file);
    if (!kept) {
      errors.push_back({{d.file, 0}, "urdf_extra", "urdf-extra", "it is not XML", "leave it empty, or give elements"});
      return {};
    }
    if (!is_unmoved(X))
      for (XmlElement& e : kept->children) {
        UrdfLog log(d.file);
        log.minor_version = 2;  // whatever form its rotation has
        UrdfElement view(e, e.name, log);
        const Transform<double> moved = X * detail::read_origin(view);
        std::erase_if(e.children, [](const XmlElement& c) { return c.name == "origin"; });
        e.children.insert(e.children.begin(), origin(moved));
      }
    return std::move(kept->children);
  }

  void add_link(const std::string& name, const std::vector<Part>& parts, const Transform<double>& X_urdf_link,
                const UrdfExtra& extra) {
    XmlElement e = element("link", Attributes{{"name", name}});
    if (!parts.empty()) e.children.push_back(inertial(joined(parts, X_urdf_link)));
    for (XmlElement& shape : elements(extra.xml, X_urdf_link * extra.X_link_xml))
      e.children.push_back(std::move(shape));
    robot.children.push_back(std::move(e));
  }

  static XmlElement joint(const std::string& name, const std::string& type, const std::string& from,
                          const std::string& to, const Transform<double>& X) {
    XmlElement e = element("joint", Attributes{{"name", name}, {"type", type}});
    e.children = {element("parent", Attributes{{"link", from}}), element("child", Attributes{{"link", to}}), origin(X)};
    return e;
  }

  void base() {
    if (!is_unmoved(d.base)) {
      const std::string world = unused(links, "world");
      add_link(world, {}, {}, {});
      robot.children.push_back(joint(unused(joints, d.base_name + "_joint"), "fixed", world, d.base_name, d.base));
    }
    add_link(d.base_name, d.base_parts, {}, d.base_urdf_extra);
  }

  void link(int i) {
    const LinkDescription& l = d.links[i];
    const bool on_base = parent[i] < 0;
    const std::string& from = on_base ? d.base_name : d.links[parent[i]].name;
    JointPlacement placement = placement_of(l, d.convention);
    if (!on_base)
      placement.X_parent_joint = X_urdf_link(static_cast<std::size_t>(parent[i])) * placement.X_parent_joint;
    if (const Transform<double>& X = X_joint_urdf[static_cast<std::size_t>(i)]; !is_unmoved(X)) {
      placement.X_parent_joint = placement.X_parent_joint * X;
      placement.axis = without_noise(~X.R * placement.axis);
    }

    if (l.rotor && l.rotor->as_body) rotor_body(l, from, placement);
    add_link(l.name, l.parts, X_urdf_link(static_cast<std::size_t>(i)), l.urdf_extra);
    XmlElement e = joint(l.joint_name, type(l), from, l.name, placement.X_parent_joint);
    if (has_axis(l.kind)) e.children.push_back(element("axis", Attributes{{"xyz", numbers(placement.axis)}}));
    if (row(l.kind).nv == 1) limits(l, e);
    if (const auto law = friction.find(l.joint_name); law != friction.end())
      e.children.push_back(element("dynamics", Attributes{{"damping", number(law->second->viscous)},
                                                          {"friction", number(law->second->coulomb_positive)}}));
    if (l.mimic)
      e.children.push_back(element("mimic", Attributes{{"joint", l.mimic->joint},
                                                       {"multiplier", number(l.mimic->ratio)},
                                                       {"offset", number(l.mimic->offset)}}));
    robot.children.push_back(std::move(e));
  }

  static bool ranged(const Limits& b) { return std::isfinite(b.lower) || std::isfinite(b.upper); }

  std::string type(const LinkDescription& l) {
    if (l.kind == JointKind::free) return "floating";
    if (l.kind == JointKind::revolute && !ranged(l.limits)) return "continuous";
    if (l.kind == JointKind::spherical)
      note("spherical is a joint type of Bullet and MuJoCo; other programs refuse it");
    return std::string(row(l.kind).name);
  }

  /// Readers want all four numbers where they want any.
  void limits(const LinkDescription& l, XmlElement& e) {
    const auto bound = [](double x) { return number(std::isfinite(x) ? x : std::copysign(detail::no_limit, x)); };
    const Limits& b = l.limits;
    const bool position = ranged(b) || l.kind == JointKind::prismatic;
    const std::pair<const char*, double> later[] = {
        {"acceleration", b.acceleration}, {"deceleration", b.deceleration}, {"jerk", b.jerk}};
    const bool of_1_2 = std::ranges::any_of(later, [](const auto& x) { return std::isfinite(x.second); });
    if (!position && !std::isfinite(b.velocity) && !std::isfinite(b.effort) && !of_1_2) return;
    XmlElement limit = element("limit");
    if (position) limit = element("limit", Attributes{{"lower", bound(b.lower)}, {"upper", bound(b.upper)}});
    limit.attributes.push_back({"effort", bound(b.effort), 0});
    limit.attributes.push_back({"velocity", bound(b.velocity), 0});
    for (const auto& [key, value] : later)
      if (std::isfinite(value)) limit.attributes.push_back({key, number(value), 0});
    if (of_1_2) needs_1_2 = true;
    e.children.push_back(std::move(limit));
  }

  /// A rotor that turns on the parent link: a link that mimics the joint, with no inertia but about the axis.
  void rotor_body(const LinkDescription& l, const std::string& from, const JointPlacement& placement) {
    const std::string name = unused(links, l.name + ".rotor");
    const Vec3<double>& u = placement.axis;
    Part part;
    part.tensor = Sym3<double>{u.x * u.x, u.y * u.y, u.z * u.z, u.x * u.y, u.x * u.z, u.y * u.z} * l.rotor->inertia;
    add_link(name, {part}, {}, {});
    XmlElement e = joint(unused(joints, l.joint_name + ".rotor"), "continuous", from, name, placement.X_parent_joint);
    e.children.push_back(element("axis", Attributes{{"xyz", numbers(u)}}));
    e.children.push_back(
        element("mimic", Attributes{{"joint", l.joint_name}, {"multiplier", number(l.rotor->gear)}, {"offset", "0"}}));
    robot.children.push_back(std::move(e));
  }

  void add_tool(const ToolDescription& tool) {
    // the frame of its link is there already
    tool_link = tool.name;
    if (const auto found = own.find(tool.name); found != own.end() && found->second == &tool) return;
    const Transform<double> X = X_urdf_link(index.at(tool.link)) * tool.X_link_tool;
    const std::string name = unused(links, links.contains(tool.name) ? tool.name + "_tool" : tool.name);
    if (name != tool.name)
      note(fmt::format("the tool \"{}\" is a link of its own, \"{}\": another link has its name", tool.name, name));
    tool_link = name;
    add_link(name, {}, {}, {});
    robot.children.push_back(joint(unused(joints, name + "_joint"), "fixed", tool.link, name, X));
  }

  XmlElement actuator(const std::string& name, double reduction, double rotor) {
    XmlElement e = element("actuator", Attributes{{"name", name}});
    e.children.push_back(element("mechanicalReduction", number(reduction)));
    if (rotor == 0) return e;
    // Drake is the one reader that asks for the rotor, and reads its own reduction
    if (!robot.attribute("xmlns:drake")) robot.attributes.push_back({"xmlns:drake", "http://drake.mit.edu", 0});
    note("rotor inertias stand in drake:rotor_inertia, which few programs read");
    e.children.push_back(element("drake:rotor_inertia", Attributes{{"value", number(rotor)}}));
    e.children.push_back(element("drake:gear_ratio", Attributes{{"value", number(reduction)}}));
    return e;
  }

  static XmlElement driven_joint(const std::string& name) {
    XmlElement e = element("joint", Attributes{{"name", name}});
    e.children.push_back(element("hardwareInterface", "hardware_interface/EffortJointInterface"));
    return e;
  }

  void gear(const LinkDescription& l) {
    const double inertia = l.rotor->as_body ? 0 : l.rotor->inertia;
    if (l.rotor->gear == 1 && inertia == 0) return;
    XmlElement e = element("transmission", Attributes{{"name", l.joint_name + "_transmission"}});
    e.children = {element("type", "transmission_interface/SimpleTransmission"), driven_joint(l.joint_name),
                  actuator(l.joint_name + "_motor", l.rotor->gear, inertia)};
    robot.children.push_back(std::move(e));
  }

  void differential(const TransmissionDescription& t) {
    const detail::Differential reduction = *detail::as_differential(t);
    XmlElement e = element("transmission", Attributes{{"name", t.joints[0] + "_transmission"}});
    e.children = {element("type", "transmission_interface/DifferentialTransmission")};
    for (int k = 0; k < 2; ++k) {
      XmlElement motor = actuator(t.motors[k], reduction.a[k], t.rotor_inertia.empty() ? 0 : t.rotor_inertia[k]);
      motor.children.insert(motor.children.begin(), element("role", fmt::format("actuator{}", k + 1)));
      e.children.push_back(std::move(motor));
    }
    for (int k = 0; k < 2; ++k) {
      XmlElement driven = driven_joint(t.joints[k]);
      driven.children.insert(driven.children.begin(), element("role", fmt::format("joint{}", k + 1)));
      driven.children.push_back(element("mechanicalReduction", number(reduction.n[k])));
      e.children.push_back(std::move(driven));
    }
    robot.children.push_back(std::move(e));
  }
};

}  // namespace
}  // namespace torsor::detail

namespace torsor {

Result<std::string> write_urdf(const Description& description, std::vector<std::string>* told) {
  const auto beyond_urdf = [](const Description& d, const Model<double>& model, const std::vector<int>&) {
    return detail::inexpressible(d, model);
  };
  return detail::write_checked<detail::Writer>(description, beyond_urdf, told);
}

}  // namespace torsor
