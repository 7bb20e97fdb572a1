#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/files/urdf_reader.hpp"
#include "torsor/files/urdf_writer.hpp"
#include "torsor/model/chain_links.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/model/dh_chain.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The robot after a trip through URDF; nothing where URDF cannot say it.
std::optional<Description> through_urdf(const Description& robot) {
  const auto text = write_urdf(robot);
  if (!text) return std::nullopt;
  const auto back = read_urdf(*text, "written.urdf");
  REQUIRE(back);
  return *back;
}

/// A quarter turn about a coordinate axis or none, exactly.
Mat3<double> quarter_turn(Random& random) {
  const CosSin turn = exact_cos_sin(random.below(4) * (std::numbers::pi / 2));
  const int axis = random.below(3);
  return axis == 0 ? rotation_x(turn.c, turn.s) : axis == 1 ? rotation_y(turn.c, turn.s) : rotation_z(turn.c, turn.s);
}

LinkDescription random_link(Random& random, int i) {
  LinkDescription l;
  l.name = "l" + std::to_string(i);
  l.joint_name = "j" + std::to_string(i);
  l.kind = random.chance(0.2) ? JointKind::prismatic : JointKind::revolute;
  std::vector<PointMass> points(5);
  for (PointMass& point : points) point = {random.uniform(0.2, 1), random.vector(0.3)};
  l.parts = {part_of(points, InertiaAbout::mass_centre)};
  return l;
}

/// An arm as CAD gives it: consecutive axes parallel, across each other, meeting, coinciding, exactly, or anyhow.
Description placed_arm(Random& random) {
  Description d;
  d.name = "arm";
  const int links = 2 + random.below(6);
  for (int i = 0; i < links; ++i) {
    LinkDescription l = random_link(random, i);
    Transform<double> X{quarter_turn(random) * quarter_turn(random), {}};
    if (random.chance(0.2)) X.R = random.transform(1).R;
    for (double* x : {&X.p.x, &X.p.y, &X.p.z}) *x = random.chance(0.5) ? 0 : random.uniform(-0.4, 0.4);
    const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, random.direction()};
    l.geometry = JointPlacement{X, axes[random.below(5)]};
    d.links.push_back(l);
  }
  return d;
}

/// An arm as books give it: a DH table full of zeros and right angles.
Description tabled_arm(Random& random, Convention convention) {
  Description d;
  d.name = "arm";
  d.convention = convention;
  const int links = 2 + random.below(6);
  for (int i = 0; i < links; ++i) {
    LinkDescription l = random_link(random, i);
    const auto length = [&] { return random.chance(0.5) ? 0 : random.uniform(-0.4, 0.4); };
    const auto angle = [&] {
      return random.chance(0.7) ? (random.below(4) - 1) * (std::numbers::pi / 2) : random.uniform(-3, 3);
    };
    l.geometry = DhRow{angle(), length(), length(), angle()};
    d.links.push_back(l);
  }
  return d;
}

std::vector<std::string> link_names(const Description& d) {
  std::vector<std::string> names;
  for (const LinkDescription& l : d.links) names.push_back(l.name);
  return names;
}

/// So tight that no number drawn at random is taken for a special one.
constexpr GeometryTolerance tight{.angle = 1e-9, .length = 1e-9};

/// Rounding of a tool position: the common normal of axes 0.01 rad apart carries that of a metre times 1 / sin^2.
constexpr double rounded = 1e-11;

constexpr Convention conventions[] = {Convention::standard_dh, Convention::modified_dh};

}  // namespace

TEST_CASE("every shipped robot keeps its torques from DH to URDF to DH, and from URDF to DH to URDF") {
  int serial = 0, trees = 0;
  std::string snapped;  // robots with angles as 1.5708, which a table takes for right ones, and says so
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    CAPTURE(embedded.name);
    const auto robot = read_robot_toml(embedded.text, std::string(embedded.name));
    REQUIRE(robot);
    const Model<double> model = built(*robot);
    const auto urdf = through_urdf(*robot);
    if (urdf) CHECK(torque_difference(model, built(*urdf), 8) < 1e-11);
    for (const Convention convention : {Convention::standard_dh, Convention::modified_dh}) {
      const auto dh = to_dh(*robot, convention);
      if (!dh) {
        CHECK(dh.faults()[0].rule == "not-serial");
        ++trees;
        continue;
      }
      ++serial;
      // as typed the table has the torques of the robot; with special values those that the snaps explain
      const auto typed = to_dh(*robot, convention, {.snap = false});
      REQUIRE(typed);
      CHECK(typed->snaps.empty());
      CHECK(torque_difference(model, built(typed->description), 8) < 1e-11);
      double moved = 0;
      for (const Snap& snap : dh->snaps) moved = std::max(moved, snap.residual);
      if (!dh->snaps.empty()) snapped += std::string(embedded.name) + " ";
      const Model<double> special = built(dh->description);
      CHECK(torque_difference(model, special, 8) < 1e-11 + 10 * moved);
      if (!urdf) continue;
      // DH -> URDF -> DH, and on to URDF again
      const auto table = to_dh(*urdf, convention);
      REQUIRE(table);
      CHECK(table->snaps.size() == dh->snaps.size());
      CHECK(torque_difference(special, built(table->description), 8) < 1e-11);
      const auto again = through_urdf(table->description);
      REQUIRE(again);
      CHECK(torque_difference(special, built(*again), 8) < 1e-11);
    }
  }
  CHECK(snapped == "gen3 gen3 so101 so101 xarm6 xarm6 xarm7 xarm7 ");
  CHECK(serial >= 30);
  CHECK(trees >= 4);
}

TEST_CASE("arms with exact axes keep torques, tool and names from URDF to DH to URDF") {
  Random random(71);
  for (int draw = 0; draw < draws(200); ++draw) {
    const auto urdf = through_urdf(placed_arm(random));
    REQUIRE(urdf);
    const Model<double> model = built(*urdf);
    for (const Convention convention : conventions) {
      const auto table = to_dh(*urdf, convention, tight);
      REQUIRE(table);
      for (const Snap& snap : table->snaps) CHECK(snap.residual < rounded);
      CHECK(table->position_residual < rounded);
      CHECK(torque_difference(model, built(table->description), 8) < 1e-11);
      const auto again = through_urdf(table->description);
      REQUIRE(again);
      // the first axis may stand off the base: then a world is put under it, and the base becomes a link
      std::vector<std::string> names = link_names(*again);
      if (again->base_name != urdf->base_name) names.erase(names.begin());
      CHECK(names == link_names(*urdf));
      CHECK(built(*again).frames.back().name == model.frames.back().name);
      CHECK(torque_difference(model, built(*again), 8) < 1e-11);
      double position = 0, angle = 0;
      compare_tools(model, built(*again), position, angle);
      CHECK(position < rounded);
      CHECK(angle < rounded);
    }
  }
}

TEST_CASE("DH tables of zeros and right angles keep torques and tool from DH to URDF to DH") {
  Random random(72);
  for (int draw = 0; draw < draws(200); ++draw)
    for (const Convention convention : conventions) {
      const Description arm = tabled_arm(random, convention);
      const Model<double> model = built(arm);
      const auto urdf = through_urdf(arm);
      REQUIRE(urdf);
      CHECK(torque_difference(model, built(*urdf), 8) < 1e-11);
      const auto table = to_dh(*urdf, convention, tight);
      REQUIRE(table);
      for (const Snap& snap : table->snaps) CHECK(snap.residual < rounded);
      CHECK(torque_difference(model, built(table->description), 8) < 1e-11);
      double position = 0, angle = 0;
      compare_tools(model, built(table->description), position, angle);
      CHECK(position < rounded);
      CHECK(angle < rounded);
    }
}

TEST_CASE("axes tilted by 1e-3 to 1e-12 rad are exact without snapping, and else moved by no more than the snaps say") {
  Random random(73);
  int snapped = 0, kept = 0;
  for (double tilt = 1e-3; tilt > 0.9e-12; tilt /= 10)
    for (int draw = 0; draw < draws(40); ++draw) {
      CAPTURE(tilt);
      Description arm = placed_arm(random);
      const int joint = 1 + random.below(static_cast<int>(arm.links.size()) - 1);
      auto& place = std::get<JointPlacement>(arm.links[static_cast<std::size_t>(joint)].geometry);
      place.X_parent_joint.R = place.X_parent_joint.R * rotation_about(random.direction(), tilt);
      place.X_parent_joint.p += random.vector(0.1 * tilt);
      const auto urdf = through_urdf(arm);
      REQUIRE(urdf);
      const Model<double> model = built(*urdf);
      for (const Convention convention : conventions) {
        const auto exact = to_dh(*urdf, convention, {.snap = false});
        REQUIRE(exact);
        CHECK(exact->snaps.empty());
        CHECK(exact->position_residual < rounded);
        CHECK(torque_difference(model, built(exact->description), 8) < 1e-11);

        const auto table = to_dh(*urdf, convention);
        REQUIRE(table);
        const double moved = torque_difference(model, built(table->description), 8);
        CHECK(table->position_residual <= table->explained.position);
        CHECK(table->angle_residual <= table->explained.angle);
        CHECK(moved <= table->explained.torque);
        if (table->snaps.empty()) {
          ++kept;
          CHECK(moved < 1e-11);
        } else {
          ++snapped;
        }
      }
    }
  CHECK(snapped > 100);
  CHECK(kept > 100);
}
