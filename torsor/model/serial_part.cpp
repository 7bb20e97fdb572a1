#include "torsor/model/serial_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "torsor/model/chain_links.hpp"
#include "torsor/model/configuration.hpp"

namespace torsor {
namespace {

class Cutter {
 public:
  Cutter(const Description& description, const std::string& base_link, const std::string& tip_link)
      : tree(description), base(base_link == description.base_name ? "" : base_link), tip(tip_link) {
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      link_of.emplace(tree.links[i].name, i);
      if (tree.links[i].mimic) mimics.emplace(tree.links[i].joint_name, tree.links[i].mimic->joint);
    }
    const auto tool = std::ranges::find(tree.tools, tip, &ToolDescription::name);
    if (link_of.contains(tip) || tool == tree.tools.end()) return;
    tip_tool = tip;
    tip = tool->link;
  }

  Result<SerialPart> run() {
    // what the tree is, but for the rotors of the chain's own joints: these stay drives
    const auto plain = build_links(tree);
    if (!plain) return plain.faults();
    find_way(*plain);
    if (!errors.empty()) return errors;
    refuse_coupled();
    if (!errors.empty()) return errors;
    Description with_rotors = tree;
    for (LinkDescription& l : with_rotors.links)
      if (on_way.contains(l.name) && l.rotor) l.rotor->as_body = false;
    const auto model = build(with_rotors);
    if (!model) return model.faults();
    cut(*model);
    return std::move(part);
  }

 private:
  const Description& tree;
  std::string base, tip, tip_tool;  // the tool by which the tip was named, if so
  std::unordered_map<std::string, std::size_t> link_of;
  std::unordered_map<std::string, std::string> mimics;  // joint -> the one it follows
  std::vector<std::string> way;                         // links from the base, which is not one of them, to the tip
  std::unordered_set<std::string> on_way, joints_on_way;
  SerialPart part;
  Faults errors;

  void fault(const std::string& offender, const char* rule, std::string what, std::string remedy) {
    errors.push_back({{tree.file, 0}, offender, rule, std::move(what), std::move(remedy)});
  }

  void find_way(const Model<double>& m) {
    for (const auto& [end, name] : {std::pair{"base", &base}, std::pair{"tip", &tip}})
      if (!(name == &base && base.empty()) && !link_of.contains(*name))
        fault(fmt::format("{} \"{}\"", end, *name), "part-link", "there is no such link", remedy_for(*name));
    if (!errors.empty()) return;
    for (int i = m.body_index(tip); i >= 0 && m.link_names[i] != base; i = m[i].parent) way.push_back(m.link_names[i]);
    std::ranges::reverse(way);
    const bool arrived = base.empty() || (!way.empty() && parent_of(m, way.front()) == base);
    if (!arrived)
      fault(fmt::format("tip \"{}\"", tip), "part-link", fmt::format("it does not hang from \"{}\"", base),
            "name a base on the way from the root to the tip");
    for (const std::string& link : way) {
      on_way.insert(link);
      joints_on_way.insert(tree.links[link_of.at(link)].joint_name);
    }
  }

  std::string remedy_for(const std::string& name) const {
    if (const auto tool = std::ranges::find(tree.tools, name, &ToolDescription::name); tool != tree.tools.end())
      return fmt::format("it is a tool: name the link it is on, \"{}\"", tool->link);
    std::vector<std::string> names;
    for (const LinkDescription& l : tree.links)
      if (names.size() < 20) names.push_back(l.name);
    if (tree.links.size() > names.size()) names.emplace_back("...");
    return fmt::format("links: {}", fmt::join(names, ", "));
  }

  static std::string parent_of(const Model<double>& m, const std::string& link) {
    const int parent = m[m.body_index(link)].parent;
    return parent < 0 ? "" : m.link_names[parent];
  }

  /// Joints that move with a joint on the other side of the cut.
  void refuse_coupled() {
    for (const LinkDescription& l : tree.links) {
      const bool here = joints_on_way.contains(l.joint_name);
      for (auto master = mimics.find(l.joint_name); master != mimics.end(); master = mimics.find(master->second))
        if (joints_on_way.contains(master->second) != here) {
          fault(fmt::format("joint \"{}\"", l.joint_name), "part-coupled",
                fmt::format("it follows \"{}\", and only one of the two is on the chain", master->second),
                "choose a chain that has both or neither");
          break;
        }
    }
    for (const TransmissionDescription& t : tree.transmissions) {
      const auto here = std::ranges::count_if(t.joints, [&](const auto& j) { return joints_on_way.contains(j); });
      if (here > 0 && here < static_cast<std::ptrdiff_t>(t.joints.size()))
        fault(fmt::format("transmission of \"{}\"", t.joints.front()), "part-coupled",
              "only some of its joints are on the chain", "choose a chain that has all of them or none");
    }
  }

  void cut(const Model<double>& m) {
    Description& d = part.description;
    d = tree;
    d.links.clear();
    d.tools.clear();
    for (const std::string& link : way) {
      d.links.push_back(tree.links[link_of.at(link)]);
      d.links.back().parent.reset();
    }
    std::erase_if(d.transmissions, [&](const auto& t) { return !joints_on_way.contains(t.joints.front()); });
    std::erase_if(d.accepted, [&](const std::string& finding) {
      const std::string name = finding.substr(finding.find(':') + 1);
      return !on_way.contains(name) && !joints_on_way.contains(name);
    });
    if (d.accepted.empty()) d.accept_reason.clear();

    // poses in the base frame of the tree with all joints at zero, and the link of the chain that carries each body
    Configuration<double> zero(m);  // of the coordinates: a joint that follows another is where its offset has it
    zero.set(m, neutral_position(m));
    std::vector<Transform<double>> X(m.bodies.size());
    std::vector<int> carrier(m.bodies.size(), -1);  // body on the chain; -1: inward of the base, or beside it
    std::vector<int> own(d.links.size());
    for (int i = 0; i < m.size(); ++i) {
      X[i] = (m[i].parent < 0 ? Transform<double>{} : X[m[i].parent]) * pose_in_parent(m, zero, i);
      carrier[i] = on_way.contains(m.link_names[i]) ? i : m[i].parent < 0 ? -1 : carrier[m[i].parent];
    }
    for (std::size_t k = 0; k < way.size(); ++k) own[k] = m.body_index(way[k]);
    move_base(m, X);

    // what is held becomes a part of the link that carries it
    std::unordered_map<int, std::size_t> place;
    for (std::size_t k = 0; k < own.size(); ++k) place.emplace(own[k], k);
    std::vector<HeldLinks> held(own.size());
    std::vector<Inertia<double>> sum(own.size());
    for (int i = 0; i < m.size(); ++i) {
      if (carrier[i] < 0 || carrier[i] == i) continue;
      const std::size_t k = place.at(carrier[i]);
      sum[k] += in_link(m, X, carrier[i], X[i]) * m[i].inertia;
      if (!link_of.contains(m.link_names[i])) continue;
      ++held[k].count;
      if (m[i].parent == carrier[i]) held[k].roots.push_back(m.link_names[i]);
      held[k].joints += m[i].nv > 0;
      held[k].shapes += !tree.links[link_of.at(m.link_names[i])].urdf_extra.xml.empty();
    }
    for (std::size_t k = 0; k < own.size(); ++k) {
      const Inertia<double>& J = sum[k];
      if (J.m != 0 || J.I.xx + J.I.yy + J.I.zz != 0) d.links[k].parts.push_back(part_of(J, d.links[k].where));
      if (held[k].count == 0) continue;
      held[k].link = way[k];
      held[k].mass = J.m;
      part.held.push_back(held[k]);
    }

    // tools that are left, those of the tip last
    for (const bool at_tip : {false, true})
      for (const ToolDescription& tool : tree.tools) {
        const int body = m.body_index(tool.link), on = carrier[body];
        if (on >= 0 && (tool.link == tip) == at_tip)
          d.tools.push_back(
              {tool.name, m.link_names[on], in_link(m, X, on, X[body]) * m[body].link * tool.X_link_tool, tool.where});
      }
    std::stable_partition(d.tools.begin(), d.tools.end(),
                          [&](const ToolDescription& t) { return t.name != tip_tool; });
    const bool named = std::ranges::any_of(tree.tools, [&](const ToolDescription& t) { return t.link == tip; });
    if (!named) d.tools.push_back({tip, tip, {}, {}});
  }

  /// Pose of Y, given in the base frame, in the author's frame of a link.
  static Transform<double> in_link(const Model<double>& m, const std::vector<Transform<double>>& X, int body,
                                   const Transform<double>& Y) {
    const Transform<double> X_base_link = X[body] * m[body].link;
    return ~X_base_link * Y;
  }

  void move_base(const Model<double>& m, const std::vector<Transform<double>>& X) {
    if (base.empty()) return;
    Description& d = part.description;
    const LinkDescription& link = tree.links[link_of.at(base)];
    const int body = m.body_index(base);
    d.base_name = base;
    d.base = tree.base * (X[body] * m[body].link);
    d.base_parts = link.parts;
    d.base_urdf_extra = link.urdf_extra;
    for (int i = body; i >= 0; i = m[i].parent) part.base_moved = part.base_moved || m[i].nv > 0;
  }
};

}  // namespace

Result<SerialPart> serial_part(const Description& tree, const std::string& base, const std::string& tip) {
  return Cutter(tree, base, tip).run();
}

}  // namespace torsor
