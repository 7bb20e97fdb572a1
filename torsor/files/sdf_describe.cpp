// An SDF as a Description. The joints make a graph of the links and the world; a tree of it is what a robot is.
//
//   - A tree that no joint holds to the world floats: a free joint carries the link that no joint carries.
//   - A joint frame J lies anywhere in its child C. A link of ours has its joint at its origin, so it is C moved to J
//     wherever J lies beside the axis, and C itself becomes a frame on it, with the same name.
//   - A joint may stand the other way round, its child nearer to the root. X_CP(q) = ~X_PC(q), so its axes are turned
//     and taken in the other order, and the coordinates stay those of the file.
//   - Joints of two axes become two, JOINT.axis and JOINT.axis2, with a link without mass between, LINK.JOINT.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "torsor/model/linear_spring.hpp"
#include "torsor/files/mjcf_document.hpp"
#include "torsor/files/sdf_frames.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

using Kind = SdfFrames::Kind;

/// A joint between two links, seen from one of them.
struct SdfEdge {
  int joint = -1;  // node; -1: a weld to the world
  int other = -1;  // node of the link at the other end
  bool reversed = false;
};

JointKind kind_of(SdfJointType type) {
  switch (type) {
    case SdfJointType::fixed: return JointKind::fixed;
    case SdfJointType::prismatic: return JointKind::prismatic;
    case SdfJointType::screw: return JointKind::helical;
    case SdfJointType::ball: return JointKind::spherical;
    case SdfJointType::revolute:
    case SdfJointType::universal: break;
  }
  return JointKind::revolute;
}

Transform<double> shifted(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }

/// Where the joint acts, in a link that has its frame at p: the link's own origin wherever that makes no difference.
Vec3<double> joint_origin(SdfJointType type, const Vec3<double>& p, const Vec3<double>& axis) {
  if (type == SdfJointType::fixed || type == SdfJointType::prismatic) return {};
  if (type == SdfJointType::ball || type == SdfJointType::universal) return p;
  const Vec3<double> beside = p - axis * dot(axis, p);
  return norm(beside) <= 1e-15 * (1 + norm(p)) ? Vec3<double>{} : p;
}

bool is_nowhere(const Vec3<double>& p) { return p.x == 0 && p.y == 0 && p.z == 0; }

class SdfDescriber {
 public:
  SdfDescriber(const SdfDocument& given, Faults& faults, Faults& passed_over, std::vector<SdfLoop>& wanted)
      : document(given), errors(faults), notes(passed_over), loops(wanted), frames(given, faults, passed_over) {}

  Description run() {
    if (!errors.empty()) return {};
    const auto& models = document.world.models;
    d.name = models.size() == 1 ? models.front().name : document.world.name;
    d.gravity = document.gravity.value_or(Description{}.gravity);
    for (const SdfFrames::Node& node : frames.nodes()) {
      if (node.kind == Kind::link) links.insert(node.name);
      if (node.kind == Kind::joint) joints.insert(node.name);
    }
    d.base_name = unused(links, "world");
    span();
    if (!errors.empty()) return {};
    for (std::size_t i = 1; i < frames.nodes().size(); ++i)
      if (frames.nodes()[i].kind == Kind::link) add_with_parents(static_cast<int>(i));
    if (d.links.empty()) {
      fault(frames.nodes().front().where, "sdf", "robot-empty", "it has no links",
            "give at least one <link> in a <model>");
      return {};
    }
    for (std::size_t i = 1; i < frames.nodes().size(); ++i)
      if (frames.nodes()[i].kind == Kind::joint) couple(static_cast<int>(i));
    tools();
    for (const int joint : closing) close(joint);
    return std::move(d);
  }

 private:
  const SdfDocument& document;
  Faults& errors;
  Faults& notes;
  std::vector<SdfLoop>& loops;
  std::vector<int> closing;  // nodes of joints that close loops
  SdfFrames frames;
  Description d;
  std::unordered_set<std::string> links, joints;       // names that are taken
  std::unordered_map<std::string, std::size_t> place;  // joint -> its place in d.links
  std::vector<std::vector<SdfEdge>> edges;             // per node
  std::vector<SdfEdge> above;        // per node: the joint that carries the link; other = -1: it floats
  std::vector<char> added, moves;    // per node: whether it has its link; whether that can move
  std::vector<Vec3<double>> origin;  // per node: the origin of our link in that of the file

  const SdfFrames::Node& node(int i) const { return frames.nodes()[static_cast<std::size_t>(i)]; }
  const SdfJoint& joint_of(int i) const { return *static_cast<const SdfJoint*>(node(i).source); }
  const SdfLink& link_of(int i) const { return *static_cast<const SdfLink*>(node(i).source); }

  static std::string unused(std::unordered_set<std::string>& taken, std::string name) {
    while (!taken.insert(name).second) name += '_';
    return name;
  }
  void fault(const Where& where, std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({where, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  }
  void note(const Where& where, std::string offender, std::string rule, std::string what, std::string remedy = "") {
    const auto same = [&](const Fault& known) { return known.rule == rule && known.what == what; };
    if (std::ranges::none_of(notes, same))
      notes.push_back({where, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  }

  /// The joints that make a tree, and those that close its loops.
  void span() {
    const std::size_t n = frames.nodes().size();
    edges.resize(n), above.resize(n), added.assign(n, 0), moves.assign(n, 0), origin.resize(n);
    std::vector<std::size_t> group(n);
    std::iota(group.begin(), group.end(), std::size_t{0});
    const auto root = [&](std::size_t i) {
      while (group[i] != i) i = group[i] = group[group[i]];
      return i;
    };
    std::vector<char> carried(n, 0);
    // links of static models stand in the world where they are
    for (std::size_t i = 1; i < n; ++i)
      if (frames.nodes()[i].kind == Kind::link && frames.nodes()[i].is_static) {
        group[root(i)] = root(0);
        edges[0].push_back({-1, static_cast<int>(i), false});
        carried[i] = 1;
      }
    for (std::size_t i = 1; i < n; ++i) {
      if (frames.nodes()[i].kind != Kind::joint) continue;
      const int joint = static_cast<int>(i), scope = node(joint).around;
      const SdfJoint& j = joint_of(joint);
      const int parent = end_of(scope, j.parent), child = end_of(scope, j.child);
      if (parent < 0 || child < 0) continue;
      if (node(parent).is_static && node(child).is_static) {
        note(j.where, title(joint), "joint-unused", "joints between links of static models do not move");
        continue;
      }
      if (parent == child) {
        fault(j.where, title(joint), "joint-ends", fmt::format("it joins \"{}\" to itself", node(child).name),
              "join two links");
        continue;
      }
      const std::size_t a = root(static_cast<std::size_t>(parent)), b = root(static_cast<std::size_t>(child));
      if (a == b) {
        closing.push_back(joint);
        continue;
      }
      group[a] = b;
      edges[static_cast<std::size_t>(parent)].push_back({joint, child, false});
      edges[static_cast<std::size_t>(child)].push_back({joint, parent, true});
      carried[static_cast<std::size_t>(child)] = 1;
    }
    std::vector<char> reached(n, 0);
    const auto walk = [&](std::size_t start) {
      std::vector<std::size_t> pending{start};
      reached[start] = 1;
      while (!pending.empty()) {
        const std::size_t at = pending.back();
        pending.pop_back();
        for (const SdfEdge& edge : edges[at]) {
          const std::size_t to = static_cast<std::size_t>(edge.other);
          if (reached[to] != 0) continue;
          reached[to] = 1;
          above[to] = {edge.joint, static_cast<int>(at), edge.reversed};
          pending.push_back(to);
        }
      }
    };
    walk(0);
    // what no joint carries is a root; then whatever is left
    for (const bool any : {false, true})
      for (std::size_t i = 1; i < n; ++i)
        if (frames.nodes()[i].kind == Kind::link && reached[i] == 0 && (any || carried[i] == 0)) walk(i);
  }

  void close(int joint) {
    const SdfJoint& j = joint_of(joint);
    const int scope = node(joint).around, parent = end_of(scope, j.parent), child = end_of(scope, j.child);
    const auto in_link = [&](int link) {
      return shifted(origin[static_cast<std::size_t>(link)] * -1.0) * frames.relative(link, joint);
    };
    const auto direction = [&](const SdfAxis& a) {
      return unit(a.expressed_in.empty() ? a.xyz : axis_frame(joint, a.expressed_in) * a.xyz);
    };
    loops.push_back({node(joint).name, parent == 0 ? "" : node(parent).name, child == 0 ? "" : node(child).name, j,
                      in_link(parent), in_link(child), direction(j.axis), direction(j.axis2)});
  }

  int end_of(int scope, const std::string& name) const {
    const int found = frames.end(scope, name);
    return found < 0 ? -1 : frames.body(found);
  }

  std::string title(int joint) const { return fmt::format("joint \"{}\"", node(joint).name); }

  void add_with_parents(int link) {
    std::vector<int> path;
    for (int at = link; at > 0 && added[static_cast<std::size_t>(at)] == 0;
         at = above[static_cast<std::size_t>(at)].other)
      path.push_back(at);
    for (; !path.empty(); path.pop_back()) {
      added[static_cast<std::size_t>(path.back())] = 1;
      add(path.back());
    }
  }

  void add(int link) {
    const SdfEdge& edge = above[static_cast<std::size_t>(link)];
    const SdfLink& source = link_of(link);
    if (edge.other < 0) {
      note(source.where, fmt::format("link \"{}\"", node(link).name), "model-floats",
           "a model that no joint holds to the world floats",
           "write a fixed joint with <parent>world</parent> where it stands");
      const std::string name =
          unused(joints, !source.free_joint.empty() ? source.free_joint : node(link).name + "_floating");
      push(node(link).name, name, d.base_name, JointKind::free, {}, {0, 0, 1}, source.where);
      moves[static_cast<std::size_t>(link)] = 1;
    } else if (edge.joint < 0) {
      push(node(link).name, unused(joints, node(link).name + "_static"), d.base_name, JointKind::fixed,
           frames.relative(0, link), {0, 0, 1}, source.where);
    } else {
      joined_by(link, edge);
    }
    weigh(link);
  }

  void joined_by(int link, const SdfEdge& edge) {
    const SdfJoint& j = joint_of(edge.joint);
    const Transform<double> X_link_joint = frames.relative(link, edge.joint);
    const std::string parent = edge.other == 0 ? d.base_name : node(edge.other).name;
    const double turn = edge.reversed ? -1 : 1;
    const auto axis = [&](const SdfAxis& a) {
      const Mat3<double> R = a.expressed_in.empty() ? Mat3<double>::identity() : axis_frame(edge.joint, a.expressed_in);
      return unit(X_link_joint.R * (R * a.xyz)) * turn;
    };
    const bool has_axis = j.type != SdfJointType::fixed && j.type != SdfJointType::ball;
    const Vec3<double> u = has_axis ? axis(j.axis) : Vec3<double>{0, 0, 1};
    const Vec3<double> p = joint_origin(j.type, X_link_joint.p, u);
    // by way of the joint: its poses in both links are what files give
    const Transform<double> X = shifted(origin[static_cast<std::size_t>(edge.other)] * -1.0) *
                                frames.relative(edge.other, edge.joint) * inverse(X_link_joint) * shifted(p);
    origin[static_cast<std::size_t>(link)] = p;
    moves[static_cast<std::size_t>(link)] =
        moves[static_cast<std::size_t>(edge.other)] != 0 || j.type != SdfJointType::fixed;
    const std::string name = node(edge.joint).name;
    if (j.type != SdfJointType::universal) {
      push(node(link).name, name, parent, kind_of(j.type), X, u, j.where);
      d.links.back().pitch = j.pitch;
      if (has_axis) finish(j.axis);
      if (j.rotor_inertia != 0 || j.gear != 1) d.links.back().rotor = Rotor{j.rotor_inertia, j.gear, false, j.where};
      if (edge.reversed && j.type == SdfJointType::ball)
        note(j.where, fmt::format("joint \"{}\"", name), "joint-reversed",
             "a ball joint whose child carries its parent turns the parent: its quaternion is the inverse one");
      return;
    }
    const std::string middle = unused(links, fmt::format("{}.{}", node(link).name, j.name));
    const Vec3<double> v = axis(j.axis2);
    const std::string words[] = {unused(joints, name + ".axis"), unused(joints, name + ".axis2")};
    push(middle, words[edge.reversed ? 1 : 0], parent, JointKind::revolute, X, edge.reversed ? v : u, j.where);
    finish(edge.reversed ? j.axis2 : j.axis);
    push(node(link).name, words[edge.reversed ? 0 : 1], middle, JointKind::revolute, {}, edge.reversed ? u : v,
         j.where);
    finish(edge.reversed ? j.axis : j.axis2);
  }

  /// Rotation from the frame that an axis is expressed in to that of its joint.
  Mat3<double> axis_frame(int joint, const std::string& name) {
    const int frame = frames.find(node(joint).around, name);
    if (frame >= 0) return frames.relative(joint, frame).R;
    fault(joint_of(joint).axis.where, title(joint), "frame-unknown",
          fmt::format("its axis is expressed in \"{}\", and there is no such frame here", excerpt(name)),
          "name a link, joint, frame or model of the same model");
    return Mat3<double>::identity();
  }

  void push(const std::string& name, const std::string& joint, const std::string& parent, JointKind kind,
            const Transform<double>& X, const Vec3<double>& axis, const Where& where) {
    place.emplace(joint, d.links.size());
    d.links.push_back({.name = name, .joint_name = joint, .parent = parent, .kind = kind,
                       .geometry = JointPlacement{X, axis}, .where = where});
  }

  void finish(const SdfAxis& axis) {
    LinkDescription& link = d.links.back();
    link.limits = axis.limits;
    link.limits_where = axis.where;
    if (axis.damping == 0 && axis.friction == 0 && axis.stiffness == 0) return;
    link.friction.emplace();
    link.friction->viscous = axis.damping;
    link.friction->coulomb_positive = link.friction->coulomb_negative = axis.friction;
    if (axis.stiffness != 0) link.friction->table = spring_table({axis.stiffness, axis.rest});
  }

  void weigh(int link) {
    const SdfLink& source = link_of(link);
    const Vec3<double>& p = origin[static_cast<std::size_t>(link)];
    LinkDescription& out = d.links.back();
    if (source.parts)
      out.parts = *source.parts;
    else if (moves[static_cast<std::size_t>(link)] != 0) {
      // nobody asks what a link weighs that cannot move
      out.parts = {
          {.mass = 1, .com = {}, .tensor = {1, 1, 1, 0, 0, 0}, .where = source.where, .tensor_where = source.where}};
      note(source.where, fmt::format("link \"{}\"", node(link).name), "inertia-assumed",
           "a link without <inertial> has 1 kg and moments of 1 kg m^2, as SDF has it", "write <inertial>");
    }
    for (Part& part : out.parts) part.com = part.com - p;
    out.urdf_extra = source.looks;
    out.urdf_extra.X_link_xml = shifted(p * -1.0) * out.urdf_extra.X_link_xml;
  }

  /// Mimic joints, when all joints are known.
  void couple(int joint) {
    const SdfJoint& j = joint_of(joint);
    const bool two = j.type == SdfJointType::universal;
    for (const auto& [axis, word] : {std::pair{&j.axis, two ? ".axis" : ""}, {&j.axis2, ".axis2"}}) {
      if (!axis->mimic || (axis == &j.axis2 && !two)) continue;
      const SdfMimic& m = *axis->mimic;
      const int master = frames.find(node(joint).around, m.joint, Kind::joint);
      const SdfJoint* leader = master < 0 ? nullptr : &joint_of(master);
      if (!leader || (m.axis == "axis2" && leader->type != SdfJointType::universal)) {
        fault(m.where, title(joint), "mimic-unknown",
              fmt::format("there is no {} of a joint \"{}\" here", m.axis, excerpt(m.joint)),
              "name a joint of the same model");
        continue;
      }
      const std::string follower = node(joint).name + word;
      const std::string of = node(master).name + (leader->type == SdfJointType::universal ? "." + m.axis : "");
      if (const auto found = place.find(follower); found != place.end())
        d.links[found->second].mimic = Mimic{of, m.ratio, m.offset, m.where};
    }
  }

  /// Frames of links whose origin is elsewhere, then frames of the file. The tool is the frame on the link that would
  /// be the tool by itself, or else that link.
  void tools() {
    const Result<Model<double>> model = build(d);
    const std::string last = model && !model->frames.empty() ? model->frames.back().name : d.links.back().name;
    std::unordered_set<std::string> taken;
    const auto put = [&](const std::string& name, int link, const Transform<double>& X, const Where& where) {
      const Transform<double> own = shifted(origin[static_cast<std::size_t>(link)] * -1.0) * X;
      d.tools.push_back({unused(taken, name), node(link).name, own, where});
    };
    int tool_link = -1;
    for (std::size_t i = 1; i < frames.nodes().size(); ++i) {
      const SdfFrames::Node& each = frames.nodes()[i];
      if (each.kind != Kind::link) continue;
      if (each.name == last) tool_link = static_cast<int>(i);
      if (!is_nowhere(origin[i])) put(each.name, static_cast<int>(i), {}, each.where);
    }
    std::string chosen = last;
    for (std::size_t i = 1; i < frames.nodes().size(); ++i) {
      const SdfFrames::Node& each = frames.nodes()[i];
      if (each.kind != Kind::frame || each.name.find("_merged__") != std::string::npos) continue;
      const int link = frames.body(static_cast<int>(i));
      if (link <= 0) continue;
      put(each.name, link, frames.relative(link, static_cast<int>(i)), each.where);
      if (node(link).name == last) chosen = d.tools.back().name;
    }
    if (d.tools.empty() && tool_of_file().empty()) return;
    if (const std::string named = tool_of_file(); !named.empty()) chosen = named;
    const auto found = std::ranges::find(d.tools, chosen, &ToolDescription::name);
    if (found != d.tools.end())
      std::rotate(found, found + 1, d.tools.end());
    else if (const auto link = std::ranges::find(d.links, chosen, &LinkDescription::name); link != d.links.end())
      d.tools.push_back({chosen, chosen, {}, link->where});
    else if (tool_link > 0)
      put(last, tool_link, {}, node(tool_link).where);
  }

  std::string tool_of_file() const {
    return document.world.models.size() == 1 ? document.world.models.front().tool : "";
  }
};

}  // namespace

Description describe_sdf(const SdfDocument& document, Faults& errors, Faults& notes, std::vector<SdfLoop>& loops) {
  return SdfDescriber(document, errors, notes, loops).run();
}

}  // namespace torsor::detail
