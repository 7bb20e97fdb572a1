#include "torsor/model/free_base.hpp"

#include <algorithm>

namespace torsor {

Result<Description> on_free_base(Description d) {
  constexpr const char* joint = "floating_base";
  const auto stands_on_base = [&](std::size_t i) {
    const auto& parent = d.links[i].parent;
    return parent ? *parent == d.base_name : i == 0;
  };
  for (std::size_t i = 0; i < d.links.size(); ++i) {
    const LinkDescription& link = d.links[i];
    if (link.kind == JointKind::free && stands_on_base(i))
      return Fault{link.where, "joint \"" + link.joint_name + "\"", "base-free",
                   "the robot stands on a free joint already", "load it without a floating base"};
    if (link.joint_name == joint)
      return Fault{link.where, "joint \"" + link.joint_name + "\"", "joint-name",
                   "a free base would give another joint that name", "give it another name"};
  }

  LinkDescription base;
  base.name = d.base_name;
  base.joint_name = joint;
  base.kind = JointKind::free;
  base.parts = std::move(d.base_parts);
  base.urdf_extra = std::move(d.base_urdf_extra);
  base.where = d.where;
  d.base_parts.clear();
  d.base_urdf_extra = {};

  // a name for what it moves in that no link has
  std::string world = "world";
  const auto taken = [&] {
    return world == base.name ||
           std::ranges::any_of(d.links, [&](const LinkDescription& link) { return link.name == world; });
  };
  while (taken()) world += "_";
  d.base_name = world;
  base.parent = world;
  d.links.insert(d.links.begin(), std::move(base));
  return d;
}

}  // namespace torsor
