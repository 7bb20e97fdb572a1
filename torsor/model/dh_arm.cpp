#include "torsor/model/dh_arm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/model/chain_links.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/model/dh_conventions.hpp"

namespace torsor {
namespace {

/// A common normal further away than this many lengths of the arm is given up: moments about its feet would lose more
/// digits than the two that a row costs.
constexpr double far_normal = 4;

/// What a formulation in DH frames cannot express.
Faults foreign_joints(const Description& robot) {
  Faults errors;
  const auto fault = [&](const LinkDescription& l, std::string what) {
    errors.push_back({l.where, fmt::format("joint \"{}\"", l.joint_name), "not-classical", std::move(what),
                      "the formulations for trees have no such limit"});
  };
  for (const LinkDescription& l : robot.links) {
    if (l.kind == JointKind::helical) fault(l, "a helical joint both rotates and translates");
    if (l.mimic) fault(l, "a mimic joint has no variable of its own");
    if (l.rotor && l.rotor->as_body) fault(l, "its rotor is a body of its own, a branch beside the chain");
  }
  return errors;
}

/// A row with a fifth parameter beta as two of four, one of them held; the mass goes with the one that ends (standard) or
/// begins (modified) where the link's frame is. Behind the last joint of a standard table beta only turns the frame.
void add_rows(DhArm<double>& arm, DhLink<double> l, double beta, bool last) {
  if (beta == 0) {
    arm.links.push_back(l);
    return;
  }
  const CosSin turn = exact_cos_sin(beta);
  const bool standard = arm.convention == Convention::standard_dh;
  if (standard && last) {
    const Mat3<double> R = rotation_y(turn.c, turn.s);
    l.r = R * l.r;
    l.I = rotate(R, l.I);
    arm.links.push_back(l);
    return;
  }
  DhLink<double> before, after;  // Rx(alpha) Ry(beta) = Rx(alpha - 90 deg) Rz(beta) Rx(90 deg)
  (standard ? before : after) = l;
  DhLink<double>& held = standard ? after : before;
  held.held = true;
  held.c = turn.c;
  held.s = turn.s;
  before.a = l.a;
  before.ca = l.sa;
  before.sa = -l.ca;
  after.a = 0;
  after.ca = 0;
  after.sa = 1;
  after.m = l.m;
  after.r = l.r;
  after.I = l.I;
  before.m = 0;
  before.r = {};
  before.I = {};
  arm.links.push_back(before);
  arm.links.push_back(after);
}

bool has_fifth_parameters(const Description& table) {
  return std::ranges::any_of(table.links,
                             [](const LinkDescription& l) { return std::get<DhRow>(l.geometry).beta != 0; });
}

/// The arm of a table in its own convention.
Result<DhArm<double>> arm_of_rows(const Description& table, Convention convention) {
  const auto model = build_links(table);
  if (!model) return model.faults();
  const Vec3<double> g = ~(model->base.R) * model->gravity;
  DhArm<double> arm{convention, {}, g, g.x == 0 && g.y == 0 && g.z <= 0};
  for (int i = 0; i < model->size(); ++i) {
    const Body<double>& b = (*model)[i];
    const LinkDescription& l = table.links[static_cast<std::size_t>(i)];
    const DhRow& row = std::get<DhRow>(l.geometry);
    const CosSin alpha = exact_cos_sin(row.alpha), theta = exact_cos_sin(row.theta);
    const Inertia<double> J = inertia_of(l.parts);
    // the author's own numbers where the link is one part: a shift to the origin and back would cost digits
    const bool as_typed = l.parts.size() == 1 && l.parts[0].about == InertiaAbout::mass_centre;
    add_rows(arm,
             {b.kind == JointKind::prismatic, row.a, alpha.c, alpha.s, theta.c, theta.s, row.d, J.m,
              as_typed ? l.parts[0].com : mass_centre(J), as_typed ? l.parts[0].tensor : tensor_about_centre(J)},
             row.beta, i + 1 == model->size());
  }
  for (DhLink<double>& l : arm.links) l.structure = structure_of(l);
  return arm;
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

Result<DhConversion> dh_rows(const Description& robot, Convention convention, GeometryTolerance tolerance) {
  TORSOR_EXPECT(convention != Convention::placement);
  if (Faults errors = foreign_joints(robot); !errors.empty()) return errors;
  if (!is_written_in(robot, convention)) return to_dh(robot, convention, tolerance);
  DhConversion own;
  own.description = robot;
  return own;
}

Result<DhArm<double>> dh_arm(const Description& robot, Convention convention, GeometryTolerance tolerance) {
  if (!tolerance.snap) tolerance.far = far_normal;
  const auto table = dh_rows(robot, convention, tolerance);
  if (!table) return table.faults();
  const bool standard = convention == Convention::standard_dh;
  const Convention other = standard ? Convention::modified_dh : Convention::standard_dh;
  if (is_written_in(robot, other) && has_fifth_parameters(table->description)) {
    const auto own = arm_of_rows(robot, other);
    if (!own) return own.faults();
    return standard ? to_standard(*own) : to_modified(*own);
  }
  auto arm = arm_of_rows(table->description, convention);
  if (arm && !is_written_in(robot, convention)) arm->X_base_0 = ~robot.base * table->description.base;
  return arm;
}

}  // namespace torsor
