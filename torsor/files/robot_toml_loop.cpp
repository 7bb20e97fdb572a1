// A [[loop]] of a robot file: a joint between two links that are there already, by its frame in each.
#include <fmt/format.h>

#include "torsor/files/robot_toml_blocks.hpp"
#include "torsor/model/check_loops.hpp"

namespace torsor::detail {

LoopDescription read_loop(TomlTable& table) {
  LoopDescription loop;
  loop.where = table.where();
  loop.name = read_name(table, "name", "");
  if (loop.name.empty())
    table.missing("name", "give each loop a name of its own");
  else
    table.rename(fmt::format("loop \"{}\"", loop.name));
  Words<MechanismJointKind> kinds;
  for (const LoopKind& each : loop_kinds) kinds.emplace_back(each.name, each.kind);
  const auto kind = table.word<MechanismJointKind>("kind", kinds, "loop-kind");
  if (!table.has("kind")) table.missing("kind", "write kind = \"revolute\" or another kind");
  if (kind) loop.kind = *kind;

  const auto links = table.texts("links");
  if (!table.has("links")) table.missing("links", "name the two links that it joins: links = [\"rod\", \"rocker\"]");
  if (links && links->size() != 2)
    table.fault("links", "array-length", fmt::format("it has {} names", links->size()), "name two links");
  else if (links)
    loop.links = {(*links)[0], (*links)[1]};
  table.table("first", [&](TomlTable& frame) { loop.X_link_loop[0] = read_pose(frame); });
  table.table("second", [&](TomlTable& frame) { loop.X_link_loop[1] = read_pose(frame); });

  const bool rod = loop.kind == MechanismJointKind::distance;
  loop.length = table.number("length", units::length).value_or(0);
  if (kind && rod && !table.has("length", units::length)) table.missing("length", "give the length of the rod");
  if (kind && !rod && table.has("length", units::length))
    table.fault("length", "loop-length", fmt::format("a {} joint has no length", loop_kind_name(*kind)),
                "leave it out, or make it a distance", units::length);

  loop.actuated = table.texts("actuated").value_or(std::vector<std::string>{});
  loop.passive = table.texts("passive").value_or(std::vector<std::string>{});
  return loop;
}

}  // namespace torsor::detail
