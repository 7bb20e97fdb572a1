#include "torsor/model/serial_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "torsor/model/chain_links.hpp"
#include "torsor/model/configuration.hpp"

namespace torsor {
namespace {

class Cutter {
 public:
  Cutter(const Description& description, const std::string& base_link, const std::string& tip_link,
         const ChainOptions& given)
      : tree(description), options(given), base(base_link == description.base_name ? "" : base_link), tip(tip_link) {
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      link_of.emplace(tree.links[i].name, i);
      link_of_joint.emplace(tree.links[i].joint_name, i);
    }
    const auto tool = std::ranges::find(tree.tools, tip, &ToolDescription::name);
    if (link_of.contains(tip) || tool == tree.tools.end()) return;
    tip_tool = tip;
    tip = tool->link;
  }

  Result<SerialPart> run() {
    // what the tree is, but for the rotors of the joints that move on: these stay drives
    const auto plain = build_links(tree);
    if (!plain) return plain.faults();
    find_way(*plain);
    check_held();
    if (!errors.empty()) return errors;
    lead_from_the_chain();
    refuse_coupled();
    if (!errors.empty()) return errors;
    find_kept(*plain);
    Description with_rotors = tree;
    for (LinkDescription& l : with_rotors.links)
      if (moves_on(l) && l.rotor) l.rotor->as_body = false;
    const auto model = build(with_rotors);
    if (!model) return model.faults();
    cut(*model);
    return std::move(part);
  }

 private:
  Description tree;
  const ChainOptions& options;
  std::string base, tip, tip_tool;  // the tool by which the tip was named, if so
  std::unordered_map<std::string, std::size_t> link_of, link_of_joint;
  std::vector<std::string> way;   // links from the base, which is not one of them, to the tip
  std::vector<std::string> kept;  // these, then the links that are carried along, parents first
  std::unordered_set<std::string> on_way, is_kept, joints_on_way, frozen;
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

  void check_held() {
    for (const auto& [joint, value] : options.hold) {
      const std::string offender = fmt::format("joint \"{}\"", joint);
      const auto found = link_of_joint.find(joint);
      if (found == link_of_joint.end()) {
        std::vector<std::string> names;
        for (const LinkDescription& l : tree.links)
          if (row(l.kind).nv == 1 && !l.mimic && names.size() < 20) names.push_back(l.joint_name);
        fault(offender, "chain-hold", "there is no such joint to hold",
              fmt::format("joints: {}", fmt::join(names, ", ")));
        continue;
      }
      const LinkDescription& link = tree.links[found->second];
      if (row(link.kind).nv != 1)
        fault(offender, "chain-hold", fmt::format("a {} joint has no single position", row(link.kind).name),
              "hold joints with one coordinate; the others rest where nothing is displaced");
      else if (link.mimic)
        fault(offender, "chain-hold", fmt::format("it follows \"{}\"", link.mimic->joint), "hold the joint that leads");
      else if (!std::isfinite(value))
        fault(offender, "chain-hold", "it is held at no finite position", "give radians or metres");
    }
  }

  /// The joint that leads this one, and position of this one = ratio * that of the leader + offset.
  struct Led {
    std::size_t leader;
    double ratio = 1, offset = 0;
  };
  Led led(std::size_t link) const {
    Led l{link};
    while (tree.links[l.leader].mimic) {
      const Mimic& mimic = *tree.links[l.leader].mimic;
      l.offset += l.ratio * mimic.offset;
      l.ratio *= mimic.ratio;
      l.leader = link_of_joint.at(mimic.joint);
    }
    return l;
  }

  /// A joint of the chain whose leader is beside it becomes the leader, or is frozen; so it is where the leader is held.
  void lead_from_the_chain() {
    std::unordered_map<std::size_t, std::size_t> new_leader;  // of the joints that another one leads: the chain's first
    std::vector<Led> all;
    for (std::size_t i = 0; i < tree.links.size(); ++i) all.push_back(led(i));
    for (const std::string& name : way) {
      const std::size_t i = link_of.at(name);
      const LinkDescription &link = tree.links[i], &leader = tree.links[all[i].leader];
      if (row(link.kind).nv == 0) continue;
      const bool beside = !joints_on_way.contains(leader.joint_name);
      if (options.hold.contains(leader.joint_name) ||
          (beside && (options.followers == Followers::freeze || all[i].ratio == 0)))
        frozen.insert(link.joint_name);
      else if (beside)
        new_leader.emplace(all[i].leader, i);
    }
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      const auto found = new_leader.find(all[i].leader);
      if (found == new_leader.end()) continue;
      const Led& first = all[found->second];
      LinkDescription &link = tree.links[i], &led_by_chain = tree.links[found->second];
      if (i == found->second) {
        link.mimic.reset();
        link.limits.effort = tree.links[first.leader].limits.effort / std::abs(first.ratio);
        continue;
      }
      if (i == first.leader && link.rotor) {
        // the motor goes with the coordinate: its gear is seen through the ratio
        if (link.rotor->as_body) refuse_leader(link);
        led_by_chain.rotor = link.rotor;
        led_by_chain.rotor->gear /= first.ratio;
        link.rotor.reset();
      }
      const auto drives = [&](const TransmissionDescription& t) {
        return std::ranges::count(t.joints, link.joint_name) > 0;
      };
      if (std::ranges::any_of(tree.transmissions, drives)) refuse_leader(link);
      const double ratio = all[i].ratio / first.ratio;
      link.mimic = Mimic{tree.links[found->second].joint_name, ratio, all[i].offset - ratio * first.offset, link.where};
    }
  }

  void refuse_leader(const LinkDescription& link) {
    fault(fmt::format("joint \"{}\"", link.joint_name), "part-coupled",
          "its motor moves a joint of the chain that follows it, and is a body or drives several joints",
          "choose a chain that has both, or freeze the followers");
  }

  /// Motors that drive joints on both sides of the cut.
  void refuse_coupled() {
    const auto moves = [&](const std::string& joint) {
      return joints_on_way.contains(joint) && !frozen.contains(joint);
    };
    for (const TransmissionDescription& t : tree.transmissions) {
      const auto here = std::ranges::count_if(t.joints, moves);
      if (here > 0 && here < static_cast<std::ptrdiff_t>(t.joints.size()))
        fault(fmt::format("transmission of \"{}\"", t.joints.front()), "part-coupled",
              "only some of its joints move on the chain", "choose a chain that has all of them or none");
    }
    std::erase_if(tree.transmissions, [&](const auto& t) { return !moves(t.joints.front()); });
  }

  /// The links of the chain, and those that its joints carry along.
  void find_kept(const Model<double>& m) {
    kept = way;
    for (int i = 0; i < m.size(); ++i) {
      const std::size_t link = link_of.at(m.link_names[i]);
      if (on_way.contains(m.link_names[i]) || !tree.links[link].mimic) continue;
      const Led l = led(link);
      const std::string& leader = tree.links[l.leader].joint_name;
      if (l.ratio == 0 || options.followers == Followers::freeze || !joints_on_way.contains(leader) ||
          frozen.contains(leader))
        continue;
      kept.push_back(m.link_names[i]);
      part.carried.push_back(m.link_names[i]);
    }
    is_kept.insert(kept.begin(), kept.end());
  }

  bool moves_on(const LinkDescription& link) const {
    return is_kept.contains(link.name) && !frozen.contains(link.joint_name);
  }

  void cut(const Model<double>& m) {
    // poses in the base frame of the tree with the joints where they are held, and the link that carries each body
    std::vector<double> q = neutral_position(m);
    for (const auto& [joint, value] : options.hold)
      q[static_cast<std::size_t>(m[m.body_index(tree.links[link_of_joint.at(joint)].name)].q)] = value;
    Configuration<double> resting(m);
    resting.set(m, q);
    std::vector<Transform<double>> X(m.bodies.size());
    std::vector<int> carrier(m.bodies.size(), -1);  // body that is kept; -1: inward of the base, or beside it
    for (int i = 0; i < m.size(); ++i) {
      X[i] = (m[i].parent < 0 ? Transform<double>{} : X[m[i].parent]) * pose_in_parent(m, resting, i);
      carrier[i] = is_kept.contains(m.link_names[i]) ? i : m[i].parent < 0 ? -1 : carrier[m[i].parent];
    }
    move_base(m, X);
    keep_links(m, X, carrier);
    lump(m, q, X, carrier);
    keep_tools(m, X, carrier);
  }

  void keep_links(const Model<double>& m, const std::vector<Transform<double>>& X, const std::vector<int>& carrier) {
    Description& d = part.description;
    const Transform<double> X_base = base.empty() ? Transform<double>{} : pose_of_link(m, X, m.body_index(base));
    for (const std::string& name : kept) {
      LinkDescription link = tree.links[link_of.at(name)];
      link.parent.reset();
      const int i = m.body_index(name);
      const int on = m[i].parent < 0 ? -1 : carrier[m[i].parent];
      const Transform<double> X_on = on < 0 ? X_base : pose_of_link(m, X, on);
      if (!on_way.contains(name)) {
        link.parent = on < 0 ? d.base_name : m.link_names[on];
        place(m, X, i, X_on, link);
      }
      if (frozen.contains(link.joint_name)) {
        link.geometry = JointPlacement{~X_on * pose_of_link(m, X, i), {0, 0, 1}};
        link.kind = JointKind::fixed;
        link.limits = {};
        link.friction.reset();
        link.rotor.reset();
        link.mimic.reset();
        part.frozen.push_back(link.joint_name);
      }
      d.links.push_back(std::move(link));
    }
  }

  /// A link that is carried along hangs from a link of the chain: its joint there, in that link's frame.
  static void place(const Model<double>& m, const std::vector<Transform<double>>& X, int i,
                    const Transform<double>& X_on, LinkDescription& link) {
    const Transform<double> X_parent = m[i].parent < 0 ? Transform<double>{} : X[m[i].parent];
    const Transform<double> X_on_joint = ~X_on * (X_parent * m[i].placement);
    if (const auto* placement = std::get_if<JointPlacement>(&link.geometry)) {
      // the author's axes stay: the body frame is turned onto the axis
      link.geometry = JointPlacement{X_on_joint * m[i].link, placement->axis};
      return;
    }
    link.geometry = JointPlacement{X_on_joint, {0, 0, 1}};
    link.urdf_extra.X_link_xml = m[i].link * link.urdf_extra.X_link_xml;
    link.parts = {part_of(m[i].inertia, link.where)};
  }

  /// What is held becomes a part of the link that carries it.
  void lump(const Model<double>& m, const std::vector<double>& q, const std::vector<Transform<double>>& X,
            const std::vector<int>& carrier) {
    Description& d = part.description;
    std::unordered_map<int, std::size_t> place_of;
    for (std::size_t k = 0; k < kept.size(); ++k) place_of.emplace(m.body_index(kept[k]), k);
    std::vector<HeldLinks> held(kept.size());
    std::vector<Inertia<double>> sum(kept.size());
    for (int i = 0; i < m.size(); ++i) {
      if (carrier[i] < 0 || carrier[i] == i) continue;
      const std::size_t k = place_of.at(carrier[i]);
      sum[k] += in_link(m, X, carrier[i], X[i]) * m[i].inertia;
      if (!link_of.contains(m.link_names[i])) continue;
      ++held[k].count;
      if (m[i].parent == carrier[i]) held[k].roots.push_back(m.link_names[i]);
      held[k].joints += m[i].nv > 0;
      held[k].displaced += m[i].nv == 1 && m[i].ratio * q[static_cast<std::size_t>(m[i].q)] + m[i].offset != 0;
      held[k].shapes += !tree.links[link_of.at(m.link_names[i])].urdf_extra.xml.empty();
    }
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const Inertia<double>& J = sum[k];
      if (J.m != 0 || J.I.xx + J.I.yy + J.I.zz != 0) {
        d.links[k].parts.push_back(part_of(J, d.links[k].where));
      }
      if (held[k].count == 0) continue;
      held[k].link = kept[k];
      held[k].mass = J.m;
      part.held.push_back(held[k]);
    }
  }

  /// Tools that are left, those of the tip last.
  void keep_tools(const Model<double>& m, const std::vector<Transform<double>>& X, const std::vector<int>& carrier) {
    Description& d = part.description;
    for (const bool at_tip : {false, true})
      for (const ToolDescription& tool : tree.tools) {
        const int body = m.body_index(tool.link), on = carrier[body];
        if (on < 0 || (tool.link == tip) != at_tip) continue;
        const Transform<double> X_link = in_link(m, X, on, X[body]) * m[body].link * tool.X_link_tool;
        d.tools.push_back({tool.name, m.link_names[on], X_link, tool.where});
      }
    std::stable_partition(d.tools.begin(), d.tools.end(), [&](const ToolDescription& t) { return t.name != tip_tool; });
    const bool named = std::ranges::any_of(tree.tools, [&](const ToolDescription& t) { return t.link == tip; });
    if (!named) d.tools.push_back({tip, tip, {}, {}});
  }

  /// Pose of a link's own frame in the base frame of the tree: the author's, but that of a carried DH row is its body's.
  Transform<double> pose_of_link(const Model<double>& m, const std::vector<Transform<double>>& X, int body) const {
    const std::string& name = m.link_names[static_cast<std::size_t>(body)];
    const bool in_body = is_kept.contains(name) && !on_way.contains(name) &&
                         std::holds_alternative<DhRow>(tree.links[link_of.at(name)].geometry);
    return in_body ? X[body] : X[body] * m[body].link;
  }

  /// Pose of Y, given in the base frame, in the author's frame of a link.
  Transform<double> in_link(const Model<double>& m, const std::vector<Transform<double>>& X, int body,
                            const Transform<double>& Y) const {
    const Transform<double> X_base_link = pose_of_link(m, X, body);
    return ~X_base_link * Y;
  }

  void move_base(const Model<double>& m, const std::vector<Transform<double>>& X) {
    Description& d = part.description;
    d = tree;
    d.links.clear();
    d.tools.clear();
    const auto is_left_out = [&](const std::string& finding) {
      const std::string name = finding.substr(finding.find(':') + 1);
      return !on_way.contains(name) && !joints_on_way.contains(name);
    };
    std::erase_if(d.accepted, is_left_out);
    if (d.accepted.empty()) d.accept_reason.clear();
    if (base.empty()) return;
    const LinkDescription& link = tree.links[link_of.at(base)];
    const int body = m.body_index(base);
    d.base_name = base;
    d.base = tree.base * pose_of_link(m, X, body);
    d.base_parts = link.parts;
    d.base_urdf_extra = link.urdf_extra;
    for (int i = body; i >= 0; i = m[i].parent) part.base_moved = part.base_moved || m[i].nv > 0;
  }
};

/// The first few names in quotes, and how many more there are.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    text += fmt::format("{}\"{}\"", k == 0 ? "" : ", ", names[k]);
  return names.size() > most ? fmt::format("{}, {} more", text, names.size() - most) : text;
}

}  // namespace

Result<SerialPart> serial_part(const Description& tree, const std::string& base, const std::string& tip,
                               const ChainOptions& options) {
  return Cutter(tree, base, tip, options).run();
}

std::vector<std::string> sentences(const SerialPart& part) {
  std::vector<std::string> out;
  int shapes = 0;
  for (const HeldLinks& h : part.held) {
    const bool alone = h.roots.size() == 1, bare = h.count == static_cast<int>(h.roots.size());
    out.push_back(fmt::format("rigid on \"{}\": {} link{} of {:.6g} kg, {}{}{}", h.link, h.count,
                              h.count == 1 ? "" : "s", h.mass, listed(h.roots),
                              bare    ? ""
                              : alone ? " and what follows it"
                                      : " and what follows them",
                              h.joints == 0 ? ""
                                            : fmt::format("; {} held{}", h.joints == 1 ? "its joint" : "their joints",
                                                          h.displaced == 0 ? " at zero" : "")));
    shapes += h.shapes;
  }
  if (!part.frozen.empty())
    out.push_back(
        fmt::format("joint{} of the chain held: {}", part.frozen.size() == 1 ? "" : "s", listed(part.frozen)));
  if (!part.carried.empty())
    out.push_back(fmt::format("carried along, since {} joint{} of the chain: {}",
                              part.carried.size() == 1 ? "its joint follows one" : "their joints follow",
                              part.carried.size() == 1 ? "" : "s", listed(part.carried)));
  if (shapes > 0) out.push_back(fmt::format("shapes of {} of these rigid links are left out", shapes));
  if (part.base_moved)
    out.push_back(fmt::format("\"{}\" rests, as do the joints that carry it", part.description.base_name));
  return out;
}

}  // namespace torsor
