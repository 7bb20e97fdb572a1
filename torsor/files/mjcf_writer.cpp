#include "torsor/files/mjcf_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "torsor/files/mjcf_document.hpp"
#include "torsor/files/mjcf_shapes.hpp"
#include "torsor/model/linear_spring.hpp"
#include "torsor/files/robot_xml.hpp"
#include "torsor/files/urdf_blocks.hpp"
#include "torsor/files/urdf_expressible.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/mass_spread.hpp"
#include "torsor/numeric/invert.hpp"
#include "torsor/spatial/quaternion.hpp"

namespace torsor::detail {
namespace {

std::string quat(const Mat3<double>& R) {
  const Quaternion<double> e = quaternion(R);
  return number(e.e0) + ' ' + numbers({e.e1, e.e2, e.e3});
}

void set(XmlElement& e, std::string key, std::string value) {
  e.attributes.push_back({std::move(key), std::move(value), 0});
}

void set_pose(XmlElement& e, const Transform<double>& X) {
  if (is_unmoved(X)) return;
  set(e, "pos", numbers(X.p));
  if (!is_unmoved({X.R, {}})) set(e, "quat", quat(X.R));
}

XmlElement mjcf_inertial(const std::vector<Part>& parts) {
  const Part part = joined(parts, {});
  const Sym3<double>& I = part.tensor;
  XmlElement e = element("inertial", Attributes{{"pos", numbers(part.com)}, {"mass", number(part.mass)}});
  if (I.xy == 0 && I.xz == 0 && I.yz == 0)
    set(e, "diaginertia", numbers({I.xx, I.yy, I.zz}));
  else
    set(e, "fullinertia", numbers({I.xx, I.yy, I.zz}) + ' ' + numbers({I.xy, I.xz, I.yz}));
  return e;
}

/// Everything of the robot that an MJCF has no words for.
Faults beyond_mjcf(const Description& d, const Model<double>& model, const std::vector<int>& parent) {
  Faults errors;
  const auto fault = [&](const LinkDescription& link, std::string rule, std::string what, std::string remedy) {
    Where where = link.where;
    if (where.file.empty()) where.file = d.file;
    errors.push_back({std::move(where), fmt::format("joint \"{}\"", link.joint_name), std::move(rule), std::move(what),
                      std::move(remedy)});
  };
  std::unordered_map<std::string, const LinkDescription*> by_joint;
  for (std::size_t i = 0; i < d.links.size(); ++i) {
    const LinkDescription& link = d.links[i];
    by_joint.emplace(link.joint_name, &link);
    if (link.kind == JointKind::helical || link.kind == JointKind::planar)
      fault(link, "mjcf-joint", fmt::format("an MJCF has no {} joints", row(link.kind).name),
            link.kind == JointKind::helical ? "write a revolute joint, and on it a prismatic one that mimics it"
                                            : "write two prismatic joints and a revolute one");
    if (link.kind == JointKind::free) {
      const bool on_world =
          parent[i] < 0 && is_unmoved(d.base) && is_unmoved(placement_of(link, d.convention).X_parent_joint);
      if (!on_world)
        fault(link, "mjcf-free", "a free joint of an MJCF begins at the origin of the world",
              "let it hang from the base, without a placement of its own");
    }
    if (link.rotor && link.rotor->as_body)
      fault(link, "mjcf-rotor", "its rotor is a body of its own", "give it as a diagonal: as_body = false");
  }
  for (const auto& [body, law] : model.friction) {
    Friction<double> rest = law;
    if (as_spring(law.table)) rest.table = {};
    if (const std::string_view what = beyond_two_coefficients(rest); !what.empty())
      fault(
          *by_joint.at(model.joint_names[body]), "mjcf-friction", std::string(what),
          "an MJCF has one viscous and one dry coefficient and a linear spring per joint: give such an approximation");
  }
  return errors;
}

class MjcfWriter {
 public:
  MjcfWriter(const Description& description, const Model<double>& model, const std::vector<int>& parents)
      : d(description), parent(parents), children(d.links.size()), tools(d.tools) {
    for (const auto& [body, law] : model.friction) friction.emplace(model.joint_names[body], &law);
    for (std::size_t i = 0; i < d.links.size(); ++i)
      (parent[i] < 0 ? roots : children[static_cast<std::size_t>(parent[i])]).push_back(i);
    // the default tool is written as one: a reader of MJCF would choose among its sites and bodies
    if (tools.empty()) tools.push_back({model.frames.back().name, model.frames.back().name, {}, {}});
    for (const ToolDescription& tool : tools) tools_of[tool.link].push_back(&tool);
  }

  Result<XmlElement> run() {
    XmlElement root = element("mujoco", Attributes{{"model", d.name}});
    root.children.push_back(element("compiler", Attributes{{"angle", "radian"}, {"inertiafromgeom", "false"}}));
    if (numbers(d.gravity) != numbers(Description{}.gravity))
      root.children.push_back(element("option", Attributes{{"gravity", numbers(d.gravity)}}));
    XmlElement custom = element("custom");
    custom.children.push_back(element("text", Attributes{{"name", "torsor_tool"}, {"data", tools.back().name}}));
    root.children.push_back(std::move(custom));
    XmlElement world = worldbody();
    if (depth > mjcf_depth - 4)
      return Fault{{d.file, 0},
                   d.name,
                   "mjcf-depth",
                   fmt::format("a chain has {} links", depth),
                   "MJCF puts links into each other: take shorter chains"};
    for (const std::string& sentence : shapes.told()) note(sentence);
    if (!shapes.asset().children.empty()) root.children.push_back(shapes.asset());
    root.children.push_back(std::move(world));
    drives(root);
    if (!d.accepted.empty() || !d.source.empty()) note("source and accepted findings are not part of an MJCF");

    return root;
  }
  std::vector<std::string> notes;  // on what is lost or taken otherwise

 private:
  const Description& d;
  const std::vector<int>& parent;
  std::vector<std::vector<std::size_t>> children;
  std::vector<std::size_t> roots;
  std::vector<ToolDescription> tools;
  std::unordered_map<std::string, std::vector<const ToolDescription*>> tools_of;  // by link
  std::unordered_map<std::string, const Friction<double>*> friction;              // by joint, seen at the joint
  MjcfShapes shapes;
  int depth = 0;

  void note(std::string text) {
    if (std::ranges::find(notes, text) == notes.end()) notes.push_back(std::move(text));
  }

  XmlElement worldbody() {
    XmlElement world = element("worldbody");
    XmlElement base = element("body", Attributes{{"name", d.base_name}});
    const bool is_world =
        d.base_name == "world" && is_unmoved(d.base) && d.base_parts.empty() && d.base_urdf_extra.xml.empty();
    if (d.base_name == "world") base.attributes[0].value = "world_base";
    set_pose(base, d.base);
    if (!d.base_parts.empty()) base.children.push_back(mjcf_inertial(d.base_parts));
    for (XmlElement& geom : shapes.geoms(d.base_urdf_extra)) base.children.push_back(std::move(geom));
    std::vector<XmlElement> free;
    for (const std::size_t i : roots)
      (d.links[i].kind == JointKind::free ? free
       : is_world                         ? world.children
                                          : base.children)
          .push_back(body(i, {}, {}, 1));
    if (!is_world) world.children.push_back(std::move(base));
    for (XmlElement& each : free) world.children.push_back(std::move(each));
    return world;
  }

  /// A link without mass that only carries another is no body of MuJoCo's: its joint goes to the body that follows.
  bool is_passed_on(std::size_t i) const {
    const LinkDescription& l = d.links[i];
    if (row(l.kind).nv != 1 || !l.parts.empty() || children[i].size() != 1 || tools_of.contains(l.name) ||
        !l.urdf_extra.xml.empty())
      return false;
    const JointKind next = d.links[children[i].front()].kind;
    return row(next).nv == 1 || next == JointKind::spherical;
  }

  /// A body of an MJCF cannot be called world, which is what stands still.
  std::string body_name(const std::string& link) {
    if (link != "world") return link;
    std::string name = "world_link";
    while (name == d.base_name || std::ranges::find(d.links, name, &LinkDescription::name) != d.links.end())
      name += '_';
    note(fmt::format("the link \"world\" is the body \"{}\": in an MJCF \"world\" is what stands still", name));
    return name;
  }

  bool has_mass(std::size_t i) const {
    if (!d.links[i].parts.empty()) return true;
    return std::ranges::any_of(children[i],
                               [&](std::size_t c) { return d.links[c].kind == JointKind::fixed && has_mass(c); });
  }

  /// The body of a link, with the joints of links above it that have none; X is the pose of the last of those in the last body
  /// that was written. Poses of joints are those in the frame of the body, with all coordinates at zero.
  XmlElement body(std::size_t i, const Transform<double>& X_above, std::vector<XmlElement> joints, int level) {
    const LinkDescription& l = d.links[i];
    depth = std::max(depth, level);
    const JointPlacement placement = placement_of(l, d.convention);
    const Transform<double> L = X_joint_link(l, d.convention), own = placement.X_parent_joint * L;
    // joints from above are seen from here
    for (XmlElement& joint : joints) {
      for (XmlAttribute& a : joint.attributes) {
        if (a.name != "pos" && a.name != "axis") continue;
        const std::vector<double> n = *numbers_of(a.value);
        const Vec3<double> v{n[0], n[1], n[2]};
        a.value = numbers(a.name == "pos" ? ~own * v : ~own.R * v);
      }
    }
    if (l.kind != JointKind::fixed) joints.push_back(joint_of(l, ~L * Vec3<double>{}, ~L.R * placement.axis));
    const Transform<double> X = X_above * own;
    if (is_passed_on(i)) return body(children[i].front(), X, std::move(joints), level);
    XmlElement e = element("body", Attributes{{"name", body_name(l.name)}});
    set_pose(e, X);
    for (XmlElement& joint : joints) e.children.push_back(std::move(joint));
    if (!l.parts.empty()) {
      e.children.push_back(mjcf_inertial(l.parts));
      if (const Part part = joined(l.parts, {}); !can_be_a_body(mass_spread(part.mass, part.tensor), part.com))
        note(
            "inertias that no body has are written as they are: MuJoCo refuses them, or changes them by <compiler "
            "balanceinertia=\"true\"/>");
    }
    if (!joints.empty() && !has_mass(i))
      note(
          "MuJoCo refuses moving bodies without mass: give them some, or <compiler boundmass=\"...\" "
          "boundinertia=\"...\"/>");
    for (XmlElement& geom : shapes.geoms(l.urdf_extra)) e.children.push_back(std::move(geom));
    if (const auto found = tools_of.find(l.name); found != tools_of.end())
      for (const ToolDescription* tool : found->second) {
        XmlElement site = element("site", Attributes{{"name", tool->name}});
        set_pose(site, tool->X_link_tool);
        e.children.push_back(std::move(site));
      }
    for (const std::size_t c : children[i]) e.children.push_back(body(c, {}, {}, level + 1));
    return e;
  }

  XmlElement joint_of(const LinkDescription& l, const Vec3<double>& pos, const Vec3<double>& axis) {
    if (l.kind == JointKind::free) return element("freejoint", Attributes{{"name", l.joint_name}});
    const char* type = l.kind == JointKind::revolute ? "hinge" : l.kind == JointKind::prismatic ? "slide" : "ball";
    XmlElement e = element("joint", Attributes{{"name", l.joint_name}, {"type", type}, {"pos", numbers(pos)}});
    if (l.rotor && l.rotor->inertia != 0) set(e, "armature", number(l.rotor->gear * l.rotor->gear * l.rotor->inertia));
    if (l.kind == JointKind::spherical) return e;
    set(e, "axis", numbers(axis));
    const Limits& b = l.limits;
    const auto bound = [](double x) { return number(std::isfinite(x) ? x : std::copysign(no_limit, x)); };
    if (std::isfinite(b.lower) || std::isfinite(b.upper)) set(e, "range", bound(b.lower) + ' ' + bound(b.upper));
    if (std::isfinite(b.effort)) set(e, "actuatorfrcrange", number(-b.effort) + ' ' + number(b.effort));
    if (std::isfinite(b.velocity)) note("velocity limits are not part of an MJCF");
    const auto found = friction.find(l.joint_name);
    if (found == friction.end()) return e;
    const Friction<double>& law = *found->second;
    if (law.viscous != 0) set(e, "damping", number(law.viscous));
    if (law.coulomb_positive != 0) set(e, "frictionloss", number(law.coulomb_positive));
    if (const auto spring = as_spring(law.table)) {
      set(e, "stiffness", number(spring->stiffness));
      set(e, "springref", number(spring->rest));
    }
    return e;
  }

  void drives(XmlElement& root) {
    XmlElement equality = element("equality"), tendon = element("tendon"), actuator = element("actuator");
    for (const LinkDescription& l : d.links) {
      if (l.mimic)
        equality.children.push_back(element(
            "joint", Attributes{{"joint1", l.joint_name},
                                {"joint2", l.mimic->joint},
                                {"polycoef", number(l.mimic->offset) + ' ' + number(l.mimic->ratio) + " 0 0 0"}}));
      if (l.rotor && l.rotor->gear != 1)
        actuator.children.push_back(element(
            "motor",
            Attributes{{"name", l.joint_name + "_motor"}, {"joint", l.joint_name}, {"gear", number(l.rotor->gear)}}));
    }
    if (!equality.children.empty()) note("mimic joints are equalities, which MuJoCo holds by forces, not exactly");
    for (const TransmissionDescription& t : d.transmissions) {
      const std::size_t n = t.joints.size();
      std::vector<double> A;
      for (const auto& each : t.matrix) A.insert(A.end(), each.begin(), each.end());
      const std::vector<double> B = *invert(A, static_cast<int>(n));
      for (std::size_t k = 0; k < n; ++k) {
        XmlElement fixed = element("fixed", Attributes{{"name", t.motors[k] + "_tendon"}});
        if (!t.rotor_inertia.empty() && t.rotor_inertia[k] != 0) set(fixed, "armature", number(t.rotor_inertia[k]));
        for (std::size_t i = 0; i < n; ++i)
          fixed.children.push_back(
              element("joint", Attributes{{"joint", t.joints[i]}, {"coef", number(B[k * n + i])}}));
        tendon.children.push_back(std::move(fixed));
        actuator.children.push_back(
            element("motor", Attributes{{"name", t.motors[k]}, {"tendon", t.motors[k] + "_tendon"}}));
      }
    }
    for (XmlElement* section : {&equality, &tendon, &actuator})
      if (!section->children.empty()) root.children.push_back(std::move(*section));
  }
};

}  // namespace
}  // namespace torsor::detail

namespace torsor {

Description depth_first(Description d) {
  std::vector<int> parent;
  if (!check_structure(d, parent).empty()) return d;
  std::vector<std::vector<std::size_t>> children(d.links.size());
  std::vector<std::size_t> pending;
  // the first child lies on top; free bodies come last, as they stand in the world and not in the base
  for (const bool free : {true, false})
    for (std::size_t i = d.links.size(); i-- > 0;)
      if (parent[i] < 0 && (d.links[i].kind == JointKind::free) == free) pending.push_back(i);
  for (std::size_t i = d.links.size(); i-- > 0;)
    if (parent[i] >= 0) children[static_cast<std::size_t>(parent[i])].push_back(i);
  if (d.tools.empty())
    if (const auto model = build(d)) d.tools.push_back({model->frames.back().name, model->frames.back().name, {}, {}});
  std::vector<LinkDescription> sorted;
  while (!pending.empty()) {
    const std::size_t i = pending.back();
    pending.pop_back();
    sorted.push_back(d.links[i]);
    sorted.back().parent = parent[i] < 0 ? d.base_name : d.links[static_cast<std::size_t>(parent[i])].name;
    pending.insert(pending.end(), children[i].begin(), children[i].end());
  }
  d.links = std::move(sorted);
  return d;
}

Result<std::string> write_mjcf(const Description& given, std::vector<std::string>* told) {
  return detail::write_checked<detail::MjcfWriter>(depth_first(given), detail::beyond_mjcf, told);
}

}  // namespace torsor
