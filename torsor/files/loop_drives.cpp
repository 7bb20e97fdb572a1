#include "torsor/files/loop_drives.hpp"

#include <algorithm>
#include <unordered_map>

namespace torsor::detail {

void name_driven(const std::unordered_set<std::string>& driven, Description& robot) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < robot.links.size(); ++i) index.emplace(robot.links[i].name, i);
  // links with a motion of their own from one to the base
  const auto line = [&](const std::string& name) {
    std::vector<std::size_t> links;
    for (auto at = index.find(name); at != index.end() && links.size() <= robot.links.size();) {
      links.push_back(at->second);
      const LinkDescription& link = robot.links[at->second];
      at = link.parent      ? index.find(*link.parent)
           : at->second > 0 ? index.find(robot.links[at->second - 1].name)
                            : index.end();
    }
    return links;
  };
  for (LoopDescription& loop : robot.loops) {
    const std::vector<std::size_t> one = line(loop.links[0]), two = line(loop.links[1]);
    std::vector<std::string> moved, passive;
    for (const auto& [mine, other] : {std::pair{&one, &two}, std::pair{&two, &one}})
      for (const std::size_t i : *mine) {
        const LinkDescription& link = robot.links[i];
        if (std::ranges::find(*other, i) != other->end() || row(link.kind).nv == 0) continue;
        (driven.contains(link.joint_name) ? moved : passive).push_back(link.joint_name);
      }
    (moved.empty() ? loop.passive : loop.actuated) = moved.empty() ? passive : moved;
  }
}

}  // namespace torsor::detail
