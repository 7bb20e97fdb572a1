// The links and joints of a URDF as one tree. Joints name their two links; a tree is what they make when every link but
// one has exactly one joint above it and there is no way round in a circle. All steps are linear in the size of the file.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "torsor/text/suggest.hpp"
#include "torsor/files/urdf_blocks.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

std::string link_title(std::string_view name) { return fmt::format("link \"{}\"", name); }

class Assembly {
 public:
  Assembly(std::vector<UrdfLink>& all_links, std::vector<UrdfJoint>& all_joints, UrdfLog& faults)
      : links(all_links), joints(all_joints), log(faults), above(links.size(), -1), parent(joints.size(), -1) {}

  /// Joints in order, parents first; root is the link that none of them carries.
  std::vector<int> run(int& root) {
    const std::size_t before = log.count();
    index_names();
    for (std::size_t j = 0; j < joints.size(); ++j) connect(static_cast<int>(j));
    std::vector<int> order = sorted();
    // a joint that names a wrong link or none leaves links without a parent: no second fault
    root = log.count() == before && all_named() ? find_root() : -1;
    return order;
  }

 private:
  std::vector<UrdfLink>& links;
  std::vector<UrdfJoint>& joints;
  UrdfLog& log;
  std::unordered_map<std::string_view, int> link_of, joint_of;
  std::vector<int> above;   // link -> the joint that carries it
  std::vector<int> parent;  // joint -> its parent link

  void fault(const UrdfJoint& joint, std::string_view element, std::string_view rule, std::string what,
             std::string remedy) {
    const XmlElement* child = joint.xml->child(element);
    log.fault(child ? child->line : joint.xml->line, fmt::format("joint \"{}\"", joint.link.joint_name), rule,
              std::move(what), std::move(remedy));
  }

  void index_names() {
    for (std::size_t i = 0; i < links.size(); ++i) {
      const UrdfLink& link = links[i];
      if (link.name.empty()) continue;
      const auto [known, fresh] = link_of.emplace(link.name, static_cast<int>(i));
      if (!fresh)
        log.fault(link.line, link_title(link.name), "link-name",
                  fmt::format("the link of line {} has this name already", links[known->second].line),
                  "give each link a name of its own");
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const UrdfJoint& joint = joints[j];
      if (joint.link.joint_name.empty()) continue;
      const auto [known, fresh] = joint_of.emplace(joint.link.joint_name, static_cast<int>(j));
      if (!fresh)
        fault(joint, "", "joint-name",
              fmt::format("the joint of line {} has this name already", joints[known->second].xml->line),
              "give each joint a name of its own");
    }
  }

  /// The link of that name, or -1 with a fault; a name that was refused before is no second fault.
  int link_named(const UrdfJoint& joint, const std::string& name, std::string_view end) {
    if (name.empty()) return -1;
    if (const auto found = link_of.find(name); found != link_of.end()) return found->second;
    // a search among very many names, for very many faults, would take its time
    std::string hint;
    if (links.size() < 1000) {
      std::vector<std::string_view> names;
      for (const UrdfLink& link : links) names.push_back(link.name);
      hint = did_you_mean(name, names);
    }
    fault(joint, end, fmt::format("{}-unknown", end), fmt::format("there is no link \"{}\"", excerpt(name)),
          hint.empty() ? "name a <link> of this file" : hint);
    return -1;
  }

  void connect(int j) {
    const UrdfJoint& joint = joints[j];
    parent[j] = link_named(joint, *joint.link.parent, "parent");
    const int child = link_named(joint, joint.link.name, "child");
    if (child < 0) return;
    if (above[child] >= 0) {
      const UrdfJoint& other = joints[above[child]];
      fault(joint, "child", "two-parents",
            fmt::format("{} hangs from joint \"{}\" of line {} already", link_title(joint.link.name),
                        other.link.joint_name, other.xml->line),
            "a tree has one joint above each link: cut the loop, or remove one of the two");
    } else {
      above[child] = j;
    }
  }

  /// The joint above the parent link of a joint, -1 if there is none.
  int joint_above(int j) const { return parent[j] < 0 ? -1 : above[parent[j]]; }

  std::vector<int> sorted() {
    std::vector<int> order;
    enum State : char { waiting, on_path, placed };
    std::vector<State> state(joints.size(), waiting);
    for (std::size_t start = 0; start < joints.size(); ++start) {
      // climb to the nearest placed joint, then place the path downwards
      std::vector<int> path;
      int j = static_cast<int>(start);
      for (; j >= 0 && state[j] == waiting; j = joint_above(j)) {
        state[j] = on_path;
        path.push_back(j);
      }
      if (j >= 0 && state[j] == on_path)
        fault(joints[j], "parent", "parent-cycle",
              fmt::format("{} is its own ancestor", link_title(joints[j].link.name)),
              "a tree has no loops: let one of these links hang from another parent");
      for (; !path.empty(); path.pop_back()) {
        order.push_back(path.back());
        state[path.back()] = placed;
      }
    }
    return order;
  }

  bool all_named() const {
    return std::ranges::none_of(links, [](const UrdfLink& l) { return l.name.empty(); }) &&
           std::ranges::none_of(joints,
                                [](const UrdfJoint& j) { return j.link.name.empty() || j.link.parent->empty(); });
  }

  int find_root() {
    std::vector<int> roots;
    for (std::size_t i = 0; i < links.size(); ++i)
      if (above[i] < 0) roots.push_back(static_cast<int>(i));
    if (roots.size() == 1) return roots.front();
    std::string others;
    for (std::size_t k = 0; k < roots.size() && k < 5; ++k)
      others += fmt::format("{}\"{}\"", k == 0 ? "" : ", ", links[roots[k]].name);
    if (roots.size() > 5) others += ", ...";
    log.fault(links[roots[1]].line, link_title(links[roots[1]].name), "several-roots",
              fmt::format("{} links have no joint above them: {}", roots.size(), others),
              "join all of them but one to the rest by a <joint>, fixed if nothing moves");
    return -1;
  }
};

}  // namespace

void assemble_tree(std::vector<UrdfLink>&& links, std::vector<UrdfJoint>&& joints, UrdfLog& log, Description& robot,
                   std::vector<const XmlElement*>& xml) {
  if (links.empty()) return;
  int root = -1;
  const std::vector<int> order = Assembly(links, joints, log).run(root);
  if (root >= 0 && joints.empty())
    log.fault(links[root].line, link_title(links[root].name), "robot-empty", "it is the only link: nothing can move",
              "join another link to it by a <joint>; a body that flies freely hangs from the world by a floating one");

  std::unordered_map<std::string, UrdfLink*> by_name;
  for (UrdfLink& link : links) by_name.emplace(link.name, &link);
  for (const int j : order) {
    LinkDescription& link = robot.links.emplace_back(std::move(joints[j].link));
    xml.push_back(joints[j].xml);
    if (const auto found = by_name.find(link.name); found != by_name.end()) {
      link.parts = found->second->parts;
      link.urdf_extra = std::move(found->second->extra);
    }
  }
  if (root < 0) return;
  robot.base_name = links[root].name;
  robot.base_parts = std::move(links[root].parts);
  robot.base_urdf_extra = std::move(links[root].extra);
}

}  // namespace torsor::detail
