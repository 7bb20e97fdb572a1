#include "torsor/files/sdf_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>
#include <unordered_set>

#include "torsor/model/linear_spring.hpp"
#include "torsor/files/robot_xml.hpp"
#include "torsor/files/sdf_expressible.hpp"
#include "torsor/files/sdf_shapes.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/mass_spread.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"

namespace torsor::detail {
namespace {

XmlElement pose_element(const Transform<double>& X, const std::string& relative_to = "") {
  const auto [roll, pitch, yaw] = roll_pitch_yaw(X.R);
  XmlElement e = element("pose", numbers(X.p) + ' ' + numbers({roll, pitch, yaw}));
  if (!relative_to.empty()) e.attributes.push_back({"relative_to", relative_to, 0});
  return e;
}

XmlElement sdf_inertial(const Part& part) {
  XmlElement e = element("inertial"), inertia = element("inertia");
  e.children = {pose_element({Mat3<double>::identity(), part.com}), element("mass", number(part.mass))};
  const Sym3<double>& I = part.tensor;
  for (const auto& [key, value] :
       {std::pair{"ixx", I.xx}, {"ixy", I.xy}, {"ixz", I.xz}, {"iyy", I.yy}, {"iyz", I.yz}, {"izz", I.zz}})
    inertia.children.push_back(element(key, number(value)));
  e.children.push_back(std::move(inertia));
  return e;
}

/// In an SDF `::` leads into a model in the model, and no part of one may be called so.
std::string plain(std::string name) {
  for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at)) name.replace(at, 2, "__");
  return name;
}

class SdfWriter {
 public:
  SdfWriter(const Description& description, const Model<double>& built, const std::vector<int>& parents)
      : d(description),
        parent(parents),
        default_tool(built.frames.back().name),
        moves(d.links.size(), 0),
        own(d.links.size()),
        children(d.links.size()),
        carrier(d.links.size()),
        carried(d.links.size()),
        X_carrier_link(d.links.size()) {
    for (const auto& [body, law] : built.friction) friction.emplace(built.joint_names[body], &law);
    for (std::size_t i = 0; i < d.links.size(); ++i) {
      index.emplace(d.links[i].name, i);
      by_joint.emplace(d.links[i].joint_name, i);
      if (parent[i] >= 0) children[static_cast<std::size_t>(parent[i])].push_back(i);
    }
    for (const ToolDescription& tool : d.tools)
      if (tool.name == tool.link) own[index.at(tool.link)] = tool.X_link_tool;
    for (const std::size_t i : parents_first()) settle(i);
    name_all();
  }

  Result<XmlElement> run() {
    model = element("model", Attributes{{"name", d.name.empty() ? "robot" : plain(d.name)}});
    model.children.push_back(element("torsor:tool", default_tool));
    base();
    for (std::size_t i = 0; i < d.links.size(); ++i) write_link(i), write_joint(i);
    for (std::size_t i = 0; i < d.links.size(); ++i)
      if (is_frame(i)) write_frame(frame_names.at(d.links[i].name), d.links[i].name, i, {});
    for (const ToolDescription& tool : d.tools)
      if (tool.name != tool.link)
        write_frame(tool_names.at(tool.name), tool.name, index.at(tool.link), tool.X_link_tool);
    for (const TransmissionDescription& t : d.transmissions)
      note(fmt::format("the transmission of \"{}\" is lost: an SDF has none", t.joints.front()));
    if (!d.accepted.empty() || !d.source.empty()) note("source and accepted findings are not part of an SDF");

    XmlElement root =
        element("sdf", Attributes{{"version", fmt::format("1.{}", minor)}, {"xmlns:torsor", "urn:torsor"}});
    if (uses_drake) root.attributes.push_back({"xmlns:drake", "http://drake.mit.edu", 0});
    if (numbers(d.gravity) == numbers(Description{}.gravity)) {
      root.children.push_back(std::move(model));
    } else {
      XmlElement world = element("world", Attributes{{"name", "default"}});
      world.children = {element("gravity", numbers(d.gravity)), std::move(model)};
      root.children.push_back(std::move(world));
    }
    return root;
  }
  std::vector<std::string> notes;  // on what is lost or taken otherwise

 private:
  const Description& d;
  const std::vector<int>& parent;
  std::string default_tool;
  std::vector<char> moves;                         // per link
  std::vector<Transform<double>> own;              // per link: the frame that the SDF gives it, in its own
  std::vector<std::vector<std::size_t>> children;  // per link: those that hang from it
  std::vector<std::size_t> carrier;                // per link: itself, or the link that carries what becomes a frame
  std::vector<std::vector<std::size_t>> carried;   // per link: itself and the frames it carries
  std::vector<Transform<double>>
      X_carrier_link;  // pose of the link's own frame in the frame that the SDF gives the carrier
  std::unordered_map<std::string, std::size_t> index, by_joint;
  std::unordered_map<std::string, const Friction<double>*> friction;  // by joint, seen at the joint
  std::unordered_map<std::string, std::string> link_names, joint_names, frame_names, tool_names;
  std::string base_joint;
  XmlElement model;
  int minor = 7;
  bool uses_drake = false;

  void note(std::string text) {
    if (std::ranges::find(notes, text) == notes.end()) notes.push_back(std::move(text));
  }
  bool has_base_link() const {
    const bool floats_alone = std::ranges::none_of(
        d.links, [&](const LinkDescription& l) { return parent[index.at(l.name)] < 0 && l.kind != JointKind::free; });
    return d.base_name != "world" && !(floats_alone && d.base_parts.empty() && d.base_urdf_extra.xml.empty());
  }

  std::vector<std::size_t> parents_first() const {
    std::vector<std::size_t> order;
    std::vector<char> placed(d.links.size(), 0);
    for (std::size_t start = 0; start < d.links.size(); ++start) {
      std::vector<std::size_t> path;
      for (int at = static_cast<int>(start); at >= 0 && placed[static_cast<std::size_t>(at)] == 0;
           at = parent[static_cast<std::size_t>(at)]) {
        placed[static_cast<std::size_t>(at)] = 1;
        path.push_back(static_cast<std::size_t>(at));
      }
      order.insert(order.end(), path.rbegin(), path.rend());
    }
    return order;
  }

  /// What an SDF makes of a link. A link without <inertial> has 1 kg there: one that is fixed to a moving link and
  /// weighs nothing becomes a frame of that link.
  void settle(std::size_t i) {
    const LinkDescription& l = d.links[i];
    const bool on_link = parent[i] >= 0;
    const std::size_t up = on_link ? static_cast<std::size_t>(parent[i]) : 0;
    moves[i] = l.kind != JointKind::fixed || (on_link && moves[up] != 0);
    const bool folds = l.kind == JointKind::fixed && l.parts.empty() && on_link && moves[up] != 0;
    carrier[i] = folds ? carrier[up] : i;
    carried[carrier[i]].push_back(i);
    X_carrier_link[i] =
        folds ? X_carrier_link[up] * placement_of(l, d.convention).X_parent_joint * X_joint_link(l, d.convention)
              : inverse(own[i]);
    if (folds && !l.urdf_extra.xml.empty()) note("shapes of links without mass are on the links that carry them");
  }
  bool is_frame(std::size_t i) const { return carrier[i] != i; }

  /// Links, joints and frames share their names in an SDF.
  void name_all() {
    std::unordered_set<std::string> taken{"world"};
    const auto unused = [&](std::string name, const char* ending) {
      if (taken.contains(name)) name += ending;
      while (!taken.insert(name).second) name += '_';
      return name;
    };
    // names that stay as they are before those that cannot
    for (const bool kept : {true, false}) {
      const auto add_link = [&](const std::string& name) {
        if ((plain(name) == name) == kept) link_names.emplace(name, unused(plain(name), "_link"));
      };
      if (has_base_link()) add_link(d.base_name);
      for (std::size_t i = 0; i < d.links.size(); ++i)
        if (!is_frame(i)) add_link(d.links[i].name);
    }
    for (std::size_t i = 0; i < d.links.size(); ++i)
      if (is_frame(i)) frame_names.emplace(d.links[i].name, unused(plain(d.links[i].name), "_frame"));
    for (const ToolDescription& tool : d.tools)
      if (tool.name != tool.link) {
        const std::string wanted = plain(tool.name);
        tool_names.emplace(tool.name, unused(wanted, "_tool"));
        const std::string& name = tool_names.at(tool.name);
        if (name == wanted) continue;
        note(fmt::format("the tool \"{}\" is called \"{}\": a link has its name", tool.name, name));
        if (default_tool == tool.name && tool.name == d.tools.back().name && wanted == tool.name) default_tool = name;
      }
    for (const LinkDescription& l : d.links) joint_names.emplace(l.joint_name, unused(plain(l.joint_name), "_joint"));
    base_joint = unused(plain(d.base_name) + "_to_world", "_joint");
  }

  /// A link or frame by its name in the file, with that of the robot where it could not be kept.
  XmlElement named(const char* kind, const std::string& id, const std::string& name) {
    XmlElement e = element(kind, Attributes{{"name", id}});
    if (id != name && id.starts_with(plain(name)) && plain(name) != name) {
      e.attributes.push_back({"torsor:name", name, 0});
      note("names with :: are written with __, and as they were in torsor:name: an SDF has :: between models alone");
    }
    return e;
  }

  void add_inertial(XmlElement& e, const std::vector<Part>& parts, const Transform<double>& X, bool moving) {
    if (!parts.empty()) {
      const Part part = joined(parts, X);
      e.children.push_back(sdf_inertial(part));
      if (moving && !can_be_a_body(mass_spread(part.mass, part.tensor), part.com))
        note(
            "inertias that no body has are written as they are: Drake takes others in their place, Gazebo may refuse "
            "them");
    } else if (moving) {
      e.children.push_back(sdf_inertial({}));
      note("links without mass that move are written with a mass of 0, which simulators may refuse");
    }
  }

  void add_looks(XmlElement& e, const UrdfExtra& extra, const Transform<double>& X, const std::string& name) {
    std::vector<std::string> told;
    for (XmlElement& shape : sdf_shapes(extra, X, name, told)) e.children.push_back(std::move(shape));
    for (std::string& sentence : told) note(std::move(sentence));
  }

  void base() {
    if (!has_base_link()) {
      if (!d.base_parts.empty() || !d.base_urdf_extra.xml.empty()) note("mass and shapes of the world are left out");
      return;
    }
    const std::string& name = link_names.at(d.base_name);
    XmlElement e = named("link", name, d.base_name);
    if (!is_unmoved(d.base)) e.children.push_back(pose_element(d.base));
    add_inertial(e, d.base_parts, {}, false);
    add_looks(e, d.base_urdf_extra, {}, name);
    model.children.push_back(std::move(e));
    XmlElement joint = element("joint", Attributes{{"name", base_joint}, {"type", "fixed"}});
    joint.children = {element("parent", "world"), element("child", name)};
    model.children.push_back(std::move(joint));
  }

  /// The two revolute joints that a universal one was read as: JOINT.axis, a link without mass, JOINT.axis2.
  bool is_first_of_two(std::size_t i) const {
    const LinkDescription& l = d.links[i];
    if (l.kind != JointKind::revolute || !l.parts.empty() || children[i].size() != 1 || !l.urdf_extra.xml.empty() ||
        !l.joint_name.ends_with(".axis"))
      return false;
    for (const ToolDescription& tool : d.tools)
      if (tool.link == l.name) return false;
    return second_of(i) < d.links.size();
  }
  std::size_t second_of(std::size_t i) const {
    for (const std::size_t k : children[i])
      if (d.links[k].kind == JointKind::revolute && d.links[k].joint_name == d.links[i].joint_name + '2' &&
          is_unmoved(placement_of(d.links[k], d.convention).X_parent_joint) && !d.links[k].rotor && !d.links[i].rotor)
        return k;
    return d.links.size();
  }
  bool is_second_of_two(std::size_t i) const {
    return parent[i] >= 0 && is_first_of_two(static_cast<std::size_t>(parent[i])) &&
           second_of(static_cast<std::size_t>(parent[i])) == i;
  }

  void write_link(std::size_t i) {
    if (is_frame(i) || is_first_of_two(i)) return;
    const LinkDescription& l = d.links[i];
    XmlElement e = named("link", link_names.at(l.name), l.name);
    if (l.kind == JointKind::free) {
      e.attributes.push_back({"torsor:free_joint", l.joint_name, 0});
      if (!is_unmoved(own[i])) e.children.push_back(pose_element(own[i]));
    } else {
      e.children.push_back(pose_element(X_joint_link(l, d.convention) * own[i], joint_id(i)));
    }
    add_inertial(e, l.parts, X_carrier_link[i], moves[i] != 0);
    for (const std::size_t k : carried[i])
      add_looks(e, d.links[k].urdf_extra, X_carrier_link[k], plain(d.links[k].name));
    model.children.push_back(std::move(e));
  }

  /// What the joint of a link is called in the SDF.
  std::string joint_id(std::size_t i) const {
    const std::string& name =
        is_second_of_two(i) ? d.links[static_cast<std::size_t>(parent[i])].joint_name : d.links[i].joint_name;
    const std::string& id = joint_names.at(name);
    return is_second_of_two(i) ? id.substr(0, id.rfind(".axis")) + "_universal" : id;
  }

  void write_joint(std::size_t i) {
    const LinkDescription& l = d.links[i];
    if (is_frame(i) || is_first_of_two(i) || l.kind == JointKind::free) return;
    const bool two = is_second_of_two(i);
    const std::size_t first = two ? static_cast<std::size_t>(parent[i]) : i;
    const LinkDescription& from = d.links[first];
    XmlElement e = element("joint", Attributes{{"name", joint_id(i)}, {"type", two ? "universal" : type(l)}});
    const std::string shown = two ? from.joint_name.substr(0, from.joint_name.size() - 5) : l.joint_name;
    if (shown != joint_id(i)) e.attributes.push_back({"torsor:name", shown, 0});
    // the pose of the joint: in the link that carries it, or in the model where that is the world
    Transform<double> X = placement_of(from, d.convention).X_parent_joint;
    std::string relative_to = "__model__", parent_name = "world";
    if (parent[first] >= 0) {
      const std::size_t up = static_cast<std::size_t>(parent[first]);
      relative_to = parent_name = link_names.at(d.links[carrier[up]].name);
      X = X_carrier_link[up] * X;
    } else if (has_base_link()) {
      relative_to = parent_name = link_names.at(d.base_name);
    } else {
      X = d.base * X;
    }
    e.children = {pose_element(X, relative_to), element("parent", parent_name),
                  element("child", link_names.at(l.name))};
    if (row(l.kind).nv == 1) {
      e.children.push_back(axis("axis", from));
      if (two) e.children.push_back(axis("axis2", l));
    }
    if (l.kind == JointKind::helical) {
      e.children.push_back(element("screw_thread_pitch", number(l.pitch * 2 * std::numbers::pi)));
      minor = std::max(minor, 10);
    }
    if (l.rotor && (l.rotor->inertia != 0 || l.rotor->gear != 1)) {
      uses_drake = true;
      note("rotors and gears stand in drake:rotor_inertia and drake:gear_ratio, which few programs read");
      e.children.push_back(element("drake:rotor_inertia", number(l.rotor->inertia)));
      e.children.push_back(element("drake:gear_ratio", number(l.rotor->gear)));
    }
    model.children.push_back(std::move(e));
  }

  static std::string type(const LinkDescription& l) {
    if (l.kind == JointKind::helical) return "screw";
    if (l.kind == JointKind::spherical) return "ball";
    const bool open = !std::isfinite(l.limits.lower) && !std::isfinite(l.limits.upper);
    return l.kind == JointKind::revolute && open ? "continuous" : std::string(row(l.kind).name);
  }

  XmlElement axis(const char* name, const LinkDescription& l) {
    XmlElement e = element(name), limit = element("limit"), dynamics = element("dynamics");
    e.children.push_back(element("xyz", numbers(placement_of(l, d.convention).axis)));
    const Limits& b = l.limits;
    for (const auto& [key, value] :
         {std::pair{"lower", b.lower}, {"upper", b.upper}, {"effort", b.effort}, {"velocity", b.velocity}})
      if (std::isfinite(value)) limit.children.push_back(element(key, number(value)));
    if (std::isfinite(b.acceleration) && b.acceleration == b.deceleration) {
      uses_drake = true;
      limit.children.push_back(element("drake:acceleration", number(b.acceleration)));
    } else if (std::isfinite(b.acceleration) || std::isfinite(b.deceleration)) {
      note("limits of acceleration that differ from those of deceleration are not part of an SDF");
    }
    if (std::isfinite(b.jerk)) note("limits of jerk are not part of an SDF");
    if (const auto found = friction.find(l.joint_name); found != friction.end()) {
      const Friction<double>& law = *found->second;
      const LinearSpring spring = as_spring(law.table).value_or(LinearSpring{});
      for (const auto& [key, value] : {std::pair{"damping", law.viscous},
                                       {"friction", law.coulomb_positive},
                                       {"spring_reference", spring.rest},
                                       {"spring_stiffness", spring.stiffness}})
        dynamics.children.push_back(element(key, number(value)));
    }
    for (XmlElement* part : {&limit, &dynamics})
      if (!part->children.empty()) e.children.push_back(std::move(*part));
    if (l.mimic) e.children.push_back(mimic(*l.mimic));
    return e;
  }

  XmlElement mimic(const Mimic& of) {
    minor = 11;
    std::string leader = joint_names.at(of.joint), word;
    if (const std::size_t i = by_joint.at(of.joint); is_first_of_two(i) || is_second_of_two(i)) {
      leader = joint_id(is_first_of_two(i) ? second_of(i) : i);
      word = is_first_of_two(i) ? "axis" : "axis2";
    }
    XmlElement e = element("mimic", Attributes{{"joint", leader}});
    if (!word.empty()) e.attributes.push_back({"axis", word, 0});
    e.children = {element("multiplier", number(of.ratio)), element("offset", number(of.offset)),
                  element("reference", "0")};
    return e;
  }

  void write_frame(const std::string& id, const std::string& name, std::size_t link, const Transform<double>& X) {
    XmlElement e = named("frame", id, name);
    e.attributes.push_back({"attached_to", link_names.at(d.links[carrier[link]].name), 0});
    e.children.push_back(pose_element(X_carrier_link[link] * X));
    model.children.push_back(std::move(e));
    if (is_frame(link))
      note("links without mass that are fixed to a moving link are frames: a link of an SDF weighs something");
  }
};

}  // namespace
}  // namespace torsor::detail

namespace torsor {

Result<std::string> write_sdf(const Description& description, std::vector<std::string>* told) {
  return detail::write_checked<detail::SdfWriter>(description, detail::beyond_sdf, told);
}

}  // namespace torsor
