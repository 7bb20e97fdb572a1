#include "torsor/symbolic/meant_robot.hpp"

#include <doctest/doctest.h>

#include "torsor/files/load_robot.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/reduction/torque_terms.hpp"
#include "torsor/scalar/poly.hpp"

using namespace torsor;

namespace {

Description with_rounded_angles(Description d) {
  for (LinkDescription& link : d.links) {
    double& alpha = std::get<DhRow>(link.geometry).alpha;
    if (alpha != 0) alpha = alpha > 0 ? 1.5708 : -1.5708;
  }
  return d;
}

std::vector<std::string> letters(const Description& d) {
  std::vector<std::string> out;
  const auto robot = symbolic_robot(d);
  for (const Symbol& s : robot->symbols.parameters) out.push_back(s.text());
  return out;
}

}  // namespace

TEST_CASE("angles entered rounded leave no trace in the letters, the terms or the mass data") {
  const Description puma = *load_robot("puma560"), rounded = with_rounded_angles(puma);
  CHECK(letters(rounded) == letters(puma));
  const auto robot = symbolic_robot(rounded), exact = symbolic_robot(puma);
  CHECK(robot->symbols.values() == exact->symbols.values());
  CHECK(robot->forms.snaps.size() == 4);
  CHECK(symbolic_dynamics(*robot)->G[5].is_zero());
  CHECK(TorqueTerms::of(rounded)->inertia().size() == TorqueTerms::of(puma)->inertia().size());
}

TEST_CASE("a placement and an axis entered rounded are the exact ones, and all else stays to the last bit") {
  Description d = *to_placements(*load_robot("puma560"));
  auto& turned = std::get<JointPlacement>(d.links[1].geometry);
  turned.X_parent_joint.R = exact_rotation_rpy({1.5708, 0, 0.3});
  turned.X_parent_joint.p = {1e-9, 0.2, 0};
  auto& tilted = std::get<JointPlacement>(d.links[2].geometry);
  tilted.axis = {1e-7, 1, 0};
  const auto before = std::get<JointPlacement>(d.links[3].geometry);
  const MeantRobot meant = meant_robot(d);
  CHECK(meant.snaps.size() == 3);
  const auto& placement = std::get<JointPlacement>(meant.description.links[1].geometry);
  CHECK(placement.X_parent_joint.R.y.x == 0);
  CHECK(placement.X_parent_joint.R.y.z == 1);
  CHECK(placement.X_parent_joint.p.x == 0);
  CHECK(placement.X_parent_joint.p.y == 0.2);
  CHECK(std::get<JointPlacement>(meant.description.links[2].geometry).axis.x == 0);
  CHECK(std::get<JointPlacement>(meant.description.links[3].geometry).X_parent_joint.R.x.y ==
        before.X_parent_joint.R.x.y);
}

TEST_CASE("mass data brought to the frames of a table have zeros where the robot has them") {
  Description d = *to_placements(*load_robot("puma560"));
  d.base.R = exact_rotation_rpy({0.3, -0.7, 1.1});
  // a plane across a slanted axis: its mass centre on the axis, its tensor round about it
  auto& last = std::get<JointPlacement>(d.links[5].geometry);
  last.axis = unit(Vec3<double>{1, 1, 0});
  d.links[5].parts = {{}};
  d.links[5].parts[0].mass = 2;
  d.links[5].parts[0].com = {0.1, 0.1, 0};
  d.links[5].parts[0].tensor = {0.02, 0.02, 0.03, 0.005, 0, 0};
  const auto robot = symbolic_robot(d);
  REQUIRE(robot);
  for (const Symbol& s : robot->symbols.parameters) {
    if (s.kind >= SymbolKind::displacement) continue;
    CAPTURE(s.text());
    CHECK(std::abs(s.value) > 1e-10);
  }
  const DhLink<Poly>& link = (*robot->forms.modified)[6];
  CHECK(link.r.x.is_zero());
  CHECK(link.r.y.is_zero());
  CHECK(link.I.xz.is_zero());
  CHECK(link.I.yz.is_zero());
}
