#include "torsor/model/coordinate_kind.hpp"

#include <doctest/doctest.h>

#include "torsor/model/description.hpp"

using namespace torsor;

namespace {

constexpr auto angle = CoordinateKind::angle, length = CoordinateKind::length, four = CoordinateKind::quaternion;

// a free hull that carries one joint of each kind, and a second hinge that mimics the first
Model<double> mixed_model() {
  Description d;
  const JointKind kinds[] = {JointKind::free,     JointKind::spherical, JointKind::prismatic,
                             JointKind::revolute, JointKind::planar,    JointKind::fixed};
  for (const JointKind kind : kinds) {
    LinkDescription link{.name = std::string(row(kind).name), .joint_name = std::string(row(kind).name), .kind = kind};
    link.parts.push_back({1.0, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}});
    d.links.push_back(std::move(link));
  }
  d.links.push_back(d.links[3]);
  d.links.back().name = d.links.back().joint_name = "follower";
  d.links.back().mimic = Mimic{"revolute", 2, 0, {}};
  d.links.push_back(d.links[2]);
  d.links.back().name = d.links.back().joint_name = "rack";
  d.links.back().mimic = Mimic{"revolute", 0.1, 0, {}};  // a slide that follows a hinge: the coordinate stays an angle
  auto model = build(d);
  REQUIRE(model);
  return *std::move(model);
}

}  // namespace

TEST_CASE("each position coordinate is an angle, a length or a quaternion's") {
  const std::vector<CoordinateKind> expected{four, four, four, four,   length, length, length, four,
                                             four, four, four, length, angle,  angle,  length, length};
  CHECK(position_kinds(mixed_model()) == expected);
}

TEST_CASE("each velocity coordinate is the rate of an angle or of a length") {
  const std::vector<CoordinateKind> expected{angle, angle, angle,  length, length, length, angle,
                                             angle, angle, length, angle,  angle,  length, length};
  CHECK(velocity_kinds(mixed_model()) == expected);
}

TEST_CASE("units follow the kind and the order of the rate") {
  CHECK(coordinate_unit(angle, 0) == "rad");
  CHECK(coordinate_unit(length, 1) == "m/s");
  CHECK(coordinate_unit(four, 0).empty());
  CHECK(torque_unit(angle) == "N m");
  CHECK(torque_unit(length) == "N");
}
