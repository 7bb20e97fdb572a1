#include "torsor/report/loop_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/how_many.hpp"
#include "torsor/loops/loop_model.hpp"
#include "torsor/model/check_loops.hpp"
#include "torsor/text/text_table.hpp"

namespace torsor {

std::vector<std::string> loop_sentences(const Robot& robot) {
  std::vector<std::string> out;
  if (!robot.loops()) return out;
  const LoopModel& loops = *robot.loops();
  const Description& d = robot.description();
  out.push_back(fmt::format("{} of {} joint coordinates; independent: {}",
                            how_many(loops.nv(), "degree of freedom", "degrees of freedom"), robot.tree().nv,
                            fmt::join(loops.coordinates.velocity_names, ", ")));
  for (const LoopCluster& c : loops.clusters) {
    std::string names;
    for (const ClusterLoop& loop : c.loops)
      names += fmt::format("{}\"{}\" ({})", names.empty() ? "" : ", ",
                           d.loops[static_cast<std::size_t>(loop.loop)].name, loop_kind_name(loop.kind));
    const int rank = static_cast<int>(c.dependent.size());
    out.push_back(fmt::format(
        "{} {}: {} joint coordinates, {} of rank {}{}, {}; closed to {:.1e} m or rad",
        c.loops.size() == 1 ? "loop" : "loops", names, c.coordinates.size(),
        how_many(c.all_rows, "equation", "equations"), rank,
        c.redundant > 0 ? fmt::format(" ({} redundant)", c.redundant) : "",
        how_many(static_cast<int>(c.independent.size()), "degree of freedom", "degrees of freedom"), c.residual));
    out.back() += c.dyads ? "; positions in closed form" : "; positions by Newton's method";
    if (c.independent.empty()) out.push_back("these loops are rigid: their joints do not move");
  }
  const auto list = [&](bool independent, bool actuated) {
    std::string names;
    for (const LoopJoint& joint : loops.joints)
      if (joint.independent == independent && joint.actuated == actuated)
        names += (names.empty() ? "" : ", ") + joint.joint;
    return names;
  };
  if (const std::string names = list(true, true); !names.empty())
    out.push_back(fmt::format("independent since they are actuated: {}", names));
  if (const std::string names = list(true, false); !names.empty())
    out.push_back(fmt::format("independent though not actuated, since nothing else determines them: {}", names));
  if (const std::string names = list(false, true); !names.empty())
    out.push_back(
        fmt::format("actuated and yet determined by the others, more motors than degrees of freedom: {}", names));
  out.push_back(fmt::format("solved for: {}", list(false, false)));
  std::string where;
  for (std::size_t k = 0; k < loops.q.size(); ++k)
    where += (k > 0 ? " " : "") + format_number(loops.reference[static_cast<std::size_t>(loops.q[k])], 6);
  out.push_back(fmt::format("assembled at q = {}", where));
  return out;
}

Fault loop_fault(const Robot& robot, const LoopStatus& status) {
  return *loop_fault(
      robot, Status{status.kind == LoopStatus::open ? Status::not_closed : Status::dead_centre, status.coordinate});
}

std::optional<Fault> loop_fault(const Robot& robot, const Status& status) {
  const std::vector<std::string>& names = robot.coordinates().velocity_names;
  const bool named = status.coordinate >= 0 && static_cast<std::size_t>(status.coordinate) < names.size();
  const std::string who =
      named ? fmt::format("coordinate \"{}\"", names[static_cast<std::size_t>(status.coordinate)]) : "q";
  if (status.kind == Status::not_closed)
    return Fault{{},
                 who,
                 "loop-open",
                 "the loops cannot be closed at this position, on the branch in which they were assembled",
                 "a start = ... of joints, near to where the loops close, chooses the branch"};
  if (status.kind == Status::dead_centre)
    return Fault{
        {},
        who,
        "loop-dead-centre",
        "the loops are at a dead centre: this coordinate cannot move, or others can without it, and torques are not "
        "determined",
        "leave this position, or name other actuated joints"};
  if (status.kind == Status::not_prepared)
    return Fault{
        {}, robot.name(), "robot-loops", "this is not computed for robots with loops", "docs/loops.md lists what is"};
  return std::nullopt;
}

}  // namespace torsor
