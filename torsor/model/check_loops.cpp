#include "torsor/model/check_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace torsor {
namespace {

bool has_numbers(const Vec3<double>& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// A proper rotation and a position that a machine can have.
bool is_pose(const Transform<double>& X) {
  constexpr double largest = 1e6;  // m
  if (!has_numbers(X.p) || !has_numbers(X.R.x) || !has_numbers(X.R.y) || !has_numbers(X.R.z)) return false;
  if (std::max({std::abs(X.p.x), std::abs(X.p.y), std::abs(X.p.z)}) > largest) return false;
  const Mat3<double> E = ~X.R * X.R - Mat3<double>::identity();
  return norm(E.x) + norm(E.y) + norm(E.z) < 1e-8 && dot(cross(X.R.x, X.R.y), X.R.z) > 0;
}

}  // namespace

Faults check_loops(const Description& d) {
  Faults errors;
  const auto fault = [&](const Where& where, std::string offender, std::string rule, std::string what,
                         std::string remedy) {
    errors.push_back({{where.file.empty() ? d.file : where.file, where.line},
                      std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  std::unordered_set<std::string> links{d.base_name, "base"}, joints, names;
  for (const LinkDescription& link : d.links) {
    links.insert(link.name);
    joints.insert(link.joint_name);
    if (!link.start) continue;
    const std::string joint = fmt::format("joint \"{}\"", link.joint_name);
    if (d.loops.empty())
      fault(link.where, joint, "start-unused", "start says where loops close, and the robot has none",
            "leave it out, or add a [[loop]]");
    else if (row(link.kind).nv != 1 || link.mimic)
      fault(link.where, joint, "start-kind", "start is for a joint of one degree of freedom that follows no other",
            "leave it out");
    else if (!std::isfinite(*link.start) || std::abs(*link.start) > 1e6)
      fault(link.where, joint, "number-size", "its start is not finite, or beyond any machine",
            "give a position in rad or m");
  }
  for (const LoopDescription& loop : d.loops) {
    const std::string offender = fmt::format("loop \"{}\"", loop.name);
    if (loop.name.empty() || !names.insert(loop.name).second)
      fault(loop.where, offender, "loop-name", "its name is empty or taken", "give each loop a name of its own");
    for (const std::string& link : loop.links)
      if (!links.contains(link))
        fault(loop.where, offender, "loop-link", fmt::format("there is no link \"{}\"", link),
              "name two links, or a link and the base");
    if (loop.links[0] == loop.links[1])
      fault(loop.where, offender, "loop-link", fmt::format("both its links are \"{}\"", loop.links[0]),
            "name two different links");
    if (loop_kind_name(loop.kind).empty())
      fault(loop.where, offender, "loop-kind", fmt::format("no {} joint closes a loop of a robot", row(loop.kind).name),
            "take another kind, or a mechanism file");
    for (const Transform<double>& X : loop.X_link_loop)
      if (!is_pose(X))
        fault(loop.where, offender, "loop-frame", "one of its frames is no pose",
              "give positions below 1e6 m and proper rotations");
    const bool rod = loop.kind == MechanismJointKind::distance;
    if (rod && !(loop.length > 0 && loop.length < 1e6))
      fault(loop.where, offender, "loop-length", fmt::format("its length is {} m", loop.length),
            "give the length of the rod");
    if (!loop.actuated.empty() && !loop.passive.empty())
      fault(loop.where, offender, "loop-drives", "it names actuated and passive joints",
            "name one of the two lists: the other joints of the loop are the other");
    for (const auto* list : {&loop.actuated, &loop.passive})
      for (const std::string& joint : *list)
        if (!joints.contains(joint))
          fault(loop.where, offender, "loop-joint", fmt::format("there is no joint \"{}\"", joint),
                "name joints of the loop");
  }
  return errors;
}

}  // namespace torsor
