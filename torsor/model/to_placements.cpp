#include "torsor/model/chain_links.hpp"
#include "torsor/model/dh_chain.hpp"

namespace torsor {

Result<Description> to_placements(const Description& robot) {
  const auto built = build_links(robot);
  if (!built) return built.faults();
  const Model<double>& m = *built;

  const std::vector<std::size_t> source = source_links(robot, m);
  Description out = robot;
  out.convention = Convention::placement;
  out.links.clear();
  out.tools.clear();
  for (int i = 0; i < m.size(); ++i) {
    LinkDescription l = robot.links[source[i]];
    l.parent = m[i].parent < 0 ? robot.base_name : m.link_names[m[i].parent];
    l.geometry = JointPlacement{m[i].placement, {0, 0, 1}};
    l.urdf_extra.X_link_xml = m[i].link * l.urdf_extra.X_link_xml;
    l.parts = {part_of(m[i].inertia, l.where)};
    out.links.push_back(std::move(l));
  }
  for (const Frame<double>& f : m.frames) out.tools.push_back({f.name, m.link_names[f.body], f.X_body_frame, {}});
  return out;
}

}  // namespace torsor
