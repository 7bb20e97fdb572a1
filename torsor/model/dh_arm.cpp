#include "torsor/model/dh_arm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/model/chain_links.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/model/dh_chain.hpp"

namespace torsor {
namespace {

/// What a formulation in DH frames cannot express.
Errors foreign_joints(const Description& robot) {
  Errors errors;
  const auto fault = [&](const LinkDescription& l, std::string what) {
    errors.push_back({l.where, fmt::format("joint \"{}\"", l.joint_name), "not-classical", std::move(what),
                      "the formulations for trees have no such limit"});
  };
  for (const LinkDescription& l : robot.links) {
    if (l.kind == JointKind::helical) fault(l, "a helical joint both turns and slides");
    if (l.mimic) fault(l, "a mimic joint has no variable of its own");
    if (l.rotor && l.rotor->as_body) fault(l, "its rotor is a body of its own, a branch beside the chain");
    const DhRow* row = std::get_if<DhRow>(&l.geometry);
    if (row && row->beta != 0) fault(l, "its axis is nearly parallel to a neighbour's and needs a fifth parameter");
  }
  return errors;
}

}  // namespace

bool is_written_in(const Description& robot, Convention convention) {
  return robot.convention == convention && std::ranges::all_of(robot.links, [&](const LinkDescription& l) {
           const bool follows = !l.parent || *l.parent == (&l == &robot.links[0] ? robot.base_name : (&l - 1)->name);
           return follows && std::holds_alternative<DhRow>(l.geometry) && l.kind != JointKind::fixed;
         });
}

DhStructure structure_of(const DhLink<double>& l) {
  const int quarters = l.sa == 0 && l.ca == 1    ? 0
                       : l.sa == 1 && l.ca == 0  ? 1
                       : l.sa == 0 && l.ca == -1 ? 2
                       : l.sa == -1 && l.ca == 0 ? 3
                                                 : -1;
  return {quarters, l.a != 0, l.prismatic || l.d != 0, l.I.xy != 0 || l.I.xz != 0 || l.I.yz != 0};
}

Result<DhArm<double>> dh_arm(const Description& robot, Convention convention, GeometryTolerance tolerance) {
  TORSOR_EXPECT(convention != Convention::placement);
  if (Errors errors = foreign_joints(robot); !errors.empty()) return errors;
  if (!is_written_in(robot, convention)) {
    const auto table = to_dh(robot, convention, tolerance);
    if (!table) return table.errors();
    return dh_arm(table->description, convention, tolerance);
  }
  const auto model = build_links(robot);
  if (!model) return model.errors();

  const Vec3<double> g = ~(model->base.R) * model->gravity;
  DhArm<double> arm{convention, {}, g, g.x == 0 && g.y == 0 && g.z <= 0};
  for (int i = 0; i < model->size(); ++i) {
    const Body<double>& b = (*model)[i];
    const LinkDescription& l = robot.links[static_cast<std::size_t>(i)];
    const DhRow& row = std::get<DhRow>(l.geometry);
    const CosSin alpha = exact_cos_sin(row.alpha), theta = exact_cos_sin(row.theta);
    const Inertia<double> J = inertia_of(l.parts);
    // the author's own numbers where the link is one part: a shift to the origin and back would cost digits
    const bool as_typed = l.parts.size() == 1 && l.parts[0].about == InertiaAbout::mass_centre;
    arm.links.push_back({b.kind == JointKind::prismatic, row.a, alpha.c, alpha.s, theta.c, theta.s, row.d, J.m,
                         as_typed ? l.parts[0].com : mass_centre(J),
                         as_typed ? l.parts[0].tensor : tensor_about_centre(J)});
    arm.links.back().structure = structure_of(arm.links.back());
  }
  return arm;
}

}  // namespace torsor
