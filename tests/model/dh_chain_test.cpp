#include "torsor/model/dh_chain.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

RandomRobot random_chain(Random& random, int links) {
  RobotOptions options;
  options.links = links;
  options.branching = 0;
  options.one_dof = true;
  return random_robot(random, options);
}

/// Largest difference of the torques of two robots over random states, relative to the largest torque.
double torque_difference(const Description& a, const Description& b) {
  const Model<double> A = built(a), B = built(b);
  REQUIRE(A.nv == B.nv);
  TreeDynamics<double> x(A), y(B);
  Random random(7);
  double worst = 0;
  for (int state = 0; state < 10; ++state) {
    Numbers q(A.nq), qd(A.nv), qdd(A.nv), tau_a(A.nv), tau_b(A.nv);
    for (int i = 0; i < A.nv; ++i) {
      q[i] = random.uniform(-2, 2);
      qd[i] = random.uniform(-2, 2);
      qdd[i] = random.uniform(-2, 2);
    }
    x.inverse(q, qd, qdd, tau_a);
    y.inverse(q, qd, qdd, tau_b);
    worst = std::max(worst, relative(tau_b, tau_a));
  }
  return worst;
}

/// Two revolute joints whose axes are `tilt` from parallel, half a metre apart, and a third across them.
Description tilted(double tilt) {
  Description d;
  for (int i = 0; i < 3; ++i) {
    LinkDescription l{.name = "j" + std::to_string(i + 1), .joint_name = "j" + std::to_string(i + 1)};
    Transform<double> X{Mat3<double>::identity(), {0.5 * (i > 0), 0.1, 0.2}};
    if (i == 1) X.R = rotation_about(Vec3<double>{0.6, 0.8, 0}, tilt);
    if (i == 2) X.R = rotation_x(1.1);
    l.geometry = JointPlacement{X, {0, 0, 1}};
    l.parts = {{2.0, {0.1, 0.2, 0.05}, {0.1, 0.12, 0.08, 0.01, 0.005, -0.01}}};
    d.links.push_back(l);
  }
  return d;
}

}  // namespace

TEST_CASE("a random chain keeps its torques in both DH conventions, there and back") {
  Random random(11);
  for (int draw = 0; draw < 200; ++draw) {
    const RandomRobot robot = random_chain(random, 1 + draw % 9);
    if (built(robot.description).nv == 0) continue;  // fixed joints only
    for (const Convention convention : {Convention::standard_dh, Convention::modified_dh}) {
      const auto dh = to_dh(robot.description, convention);
      REQUIRE(dh);
      CHECK(dh->snaps.empty());
      CHECK(dh->position_residual < 1e-12);
      CHECK(torque_difference(robot.description, dh->description) < 1e-11);
      const auto placed = to_placements(dh->description);
      REQUIRE(placed);
      CHECK(torque_difference(robot.description, *placed) < 1e-11);
      const auto again = to_dh(*placed, convention);
      REQUIRE(again);
      CHECK(torque_difference(robot.description, again->description) < 1e-11);
    }
  }
}

TEST_CASE("the table of a right-angled arm comes back as it was written") {
  Description d;
  d.convention = Convention::standard_dh;
  const double right = std::numbers::pi / 2;
  const std::vector<DhRow> rows{{0, 0.67, 0, right}, {0, 0, 0.43, 0},   {0, 0.15, 0.02, -right},
                                {0, 0.43, 0, right}, {0, 0, 0, -right}, {0, 0.1, 0, 0}};
  for (const DhRow& row : rows) {
    LinkDescription l{.name = "j" + std::to_string(d.links.size()), .joint_name = "j" + std::to_string(d.links.size())};
    l.geometry = row;
    l.parts = {{1.0, {0.1, 0, 0}, {0.1, 0.1, 0.1}}};
    d.links.push_back(l);
  }
  const auto placed = to_placements(d);
  REQUIRE(placed);
  const auto dh = to_dh(*placed, Convention::standard_dh);
  REQUIRE(dh);
  CHECK(dh->snaps.empty());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = std::get<DhRow>(dh->description.links[i].geometry);
    CHECK(std::abs(row.theta - rows[i].theta) < 1e-14);
    CHECK(std::abs(row.d - rows[i].d) < 1e-14);
    CHECK(std::abs(row.a - rows[i].a) < 1e-14);
    CHECK(row.alpha == rows[i].alpha);
    CHECK(row.beta == 0);
  }
}

TEST_CASE("axes tilted by any small angle are exact without snapping") {
  for (double tilt = 1e-3; tilt > 1e-13; tilt /= 10) {
    INFO("tilt ", tilt);
    const auto dh = to_dh(tilted(tilt), Convention::standard_dh, {.snap = false});
    REQUIRE(dh);
    CHECK(dh->snaps.empty());
    CHECK(torque_difference(tilted(tilt), dh->description) < 1e-11);
    CHECK(dh->position_residual < 1e-13);
    const auto modified = to_dh(tilted(tilt), Convention::modified_dh, {.snap = false});
    REQUIRE(modified);
    CHECK(torque_difference(tilted(tilt), modified->description) < 1e-11);
  }
}

TEST_CASE("what is snapped is reported, and explains the whole difference") {
  for (double tilt = 1e-3; tilt > 1e-13; tilt /= 10) {
    INFO("tilt ", tilt);
    const auto dh = to_dh(tilted(tilt), Convention::standard_dh);
    REQUIRE(dh);
    double residual = 0;
    for (const Snap& snap : dh->snaps) residual = std::max(residual, snap.residual);
    const double difference = torque_difference(tilted(tilt), dh->description);
    if (tilt > 2e-5) {
      CHECK(dh->snaps.empty());
      CHECK(difference < 1e-11);
    } else {
      if (tilt > 2e-14) CHECK(std::abs(residual - tilt) < 1e-3 * tilt + 1e-15);
      // torques depend smoothly on the geometry: the robot is a metre long and its torques are of order one
      CHECK(difference < 100 * residual + 1e-12);
      CHECK(std::get<DhRow>(dh->description.links[0].geometry).alpha == 0);
    }
  }
}

TEST_CASE("rounded right angles are snapped and the table is clean") {
  Description d;
  for (int i = 0; i < 3; ++i) {
    LinkDescription l{.name = "j" + std::to_string(i), .joint_name = "j" + std::to_string(i)};
    l.geometry = JointPlacement{{rotation_rpy(i == 1 ? 1.5708 : 0.0, 0.0, 0.0), {0, 0, 0.3}}, {0, 0, 1}};
    l.parts = {{1.0, {0.1, 0, 0}, {0.1, 0.1, 0.1}}};
    d.links.push_back(l);
  }
  const auto dh = to_dh(d, Convention::standard_dh);
  REQUIRE(dh);
  REQUIRE(dh->snaps.size() >= 1);
  CHECK(dh->snaps[0].residual == doctest::Approx(1.5708 - std::numbers::pi / 2).epsilon(1e-6));
  CHECK(std::get<DhRow>(dh->description.links[0].geometry).alpha == std::numbers::pi / 2);
}

namespace {

/// Joints at given positions and attitudes in the one before, all about z of their frames, a third of a metre of arm on.
Description joints_at(const std::vector<Transform<double>>& placements) {
  Description d;
  for (const Transform<double>& X : placements) {
    LinkDescription l{.name = "j" + std::to_string(d.links.size() + 1),
                      .joint_name = "j" + std::to_string(d.links.size() + 1)};
    l.geometry = JointPlacement{X, {0, 0, 1}};
    l.parts = {{1.0, {0.1, 0.2, 0.3}, {0.1, 0.1, 0.1}}};
    d.links.push_back(l);
  }
  return d;
}

const DhRow& row_of(const DhConversion& dh, std::size_t i) { return std::get<DhRow>(dh.description.links[i].geometry); }

}  // namespace

TEST_CASE("a snapped angle leaves no length of its own, however long the lever") {
  const double off = 1.5708 - std::numbers::pi / 2;
  const Mat3<double> none = Mat3<double>::identity();
  // the second axis in the direction of the first, half a metre up, but for `off`; and a third on top of it
  const auto straight =
      to_dh(joints_at({{none, {}}, {rotation_x(off), {0, 0, 0.5}}, {none, {0, 0, 2}}}), Convention::standard_dh);
  REQUIRE(straight);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(row_of(*straight, i).a == 0);
    CHECK(row_of(*straight, i).theta == 0);
    CHECK(row_of(*straight, i).alpha == 0);
  }
  REQUIRE(straight->snaps.size() == 1);
  CHECK(straight->snaps[0].residual == doctest::Approx(off).epsilon(1e-9));
  CHECK(straight->position_residual <= straight->explained.position);

  // out along x, and up to its own joint half a metre on: theta takes the fault in one case, the twist in the other
  for (const Mat3<double>& tilt : {rotation_z(off), rotation_y(off)}) {
    const auto across =
        to_dh(joints_at({{none, {}}, {tilt * rotation_y(std::numbers::pi / 2), {0.5, 0, 0}}, {rotation_x(1.0), {}}}),
              Convention::standard_dh);
    REQUIRE(across);
    CHECK(row_of(*across, 0).a == 0);
    CHECK(std::abs(row_of(*across, 0).d) < 1e-15);
    CHECK(std::abs(row_of(*across, 0).theta) == std::numbers::pi / 2);
    CHECK(std::abs(row_of(*across, 0).alpha) == std::numbers::pi / 2);
    CHECK(row_of(*across, 1).d == doctest::Approx(0.5).epsilon(1e-15));
    REQUIRE(across->snaps.size() == 1);
    CHECK(across->snaps[0].residual == doctest::Approx(off).epsilon(1e-9));
    CHECK(across->position_residual <= across->explained.position);
  }
}

TEST_CASE("a length that no snapped angle made stays") {
  const Mat3<double> none = Mat3<double>::identity();
  const auto dh = to_dh(joints_at({{none, {}}, {none, {1.8e-6, 0, 0.5}}}), Convention::standard_dh);
  REQUIRE(dh);
  CHECK(row_of(*dh, 0).a == doctest::Approx(1.8e-6));
  CHECK(dh->snaps.empty());
}

TEST_CASE("however much was snapped, it explains no more than a tenth") {
  const Model<double> model = built(tilted(0));
  const Explained explained = explained_by({{"twist", 0.1, true}, {"distance", 0.01, false}}, model, model);
  CHECK(explained.torque == doctest::Approx(0.1));
  CHECK(explained.angle == doctest::Approx(0.1));
  CHECK(explained_by({{"twist", 1e-6, true}}, model, model).torque == doctest::Approx(1e-3));
}

TEST_CASE("links fixed to a link become part of it, and a tool stays where it was") {
  Random random(5);
  RandomRobot robot = random_chain(random, 4);
  LinkDescription flange{.name = "flange", .joint_name = "flange", .kind = JointKind::fixed};
  flange.geometry = JointPlacement{{rotation_x(0.3), {0.1, 0.2, 0.3}}, {0, 0, 1}};
  flange.parts = {{0.7, {0.01, 0.02, 0.03}, {0.1, 0.2, 0.15}}};
  robot.description.links.push_back(flange);
  const auto dh = to_dh(robot.description, Convention::modified_dh);
  REQUIRE(dh);
  CHECK(dh->description.links.size() == 4);
  CHECK(dh->position_residual < 1e-12);
  CHECK(dh->angle_residual < 1e-7);
  CHECK(torque_difference(robot.description, dh->description) < 1e-11);
}

TEST_CASE("branches and ball joints have no DH table, and the answer says which joint") {
  Random random(3);
  Description branched = random_chain(random, 4).description;
  branched.links[3].parent = branched.links[0].name;
  const auto two_arms = to_dh(branched, Convention::standard_dh);
  REQUIRE(!two_arms);
  CHECK(two_arms.faults()[0].rule == "not-serial");
  CHECK(two_arms.faults()[0].offender.find(branched.links[3].joint_name) != std::string::npos);

  Description ball;
  ball.links = {{.name = "ball", .joint_name = "ball", .kind = JointKind::spherical}};
  CHECK(!to_dh(ball, Convention::standard_dh));
}

TEST_CASE("point masses stay points: what the shift of a tensor leaves is not written as a negative moment") {
  Random random(17);
  for (int draw = 0; draw < 200; ++draw) {
    Description d = random_chain(random, 3).description;
    for (LinkDescription& l : d.links) l.parts = {{random.uniform(0.1, 100), random.vector(2), {}}};
    if (built(d).nv == 0) continue;
    for (const Convention convention : {Convention::standard_dh, Convention::modified_dh}) {
      const auto dh = to_dh(d, convention);
      REQUIRE(dh);
      for (const LinkDescription& l : dh->description.links)
        if (l.parts[0].mass < 100)  // one point only: links that hold others fixed are bodies
          for (const double moment : {l.parts[0].tensor.xx, l.parts[0].tensor.yy, l.parts[0].tensor.zz})
            CHECK(moment >= 0);
    }
  }
}

TEST_CASE("the base's own inertia stays where it is in the world") {
  Random random(19);
  Description d = random_chain(random, 3).description;
  d.base_parts = {{5, {0.1, -0.2, 0.3}, {0.3, 0.2, 0.4, 0.01, 0.02, -0.03}},
                  {2, {0, 0.1, 0}, {0.5, 0.6, 0.7, 0.01, 0, 0}, InertiaAbout::frame_origin}};
  const auto dh = to_dh(d, Convention::standard_dh);
  REQUIRE(dh);
  const Inertia<double> before = d.base * inertia_of(d.base_parts);
  const Inertia<double> after = dh->description.base * inertia_of(dh->description.base_parts);
  CHECK(norm(before.h - after.h) < 1e-13);
  CHECK(difference(flat(full(before.I)), flat(full(after.I))) < 1e-12);
}

TEST_CASE("the default tool stays the default, wherever it sits") {
  Random random(23);
  Description d = random_chain(random, 4).description;
  d.tools = {{"tip", d.links[3].name, {}, {}}, {"camera", d.links[1].name, {rotation_x(0.2), {0.1, 0, 0}}, {}}};
  const auto dh = to_dh(d, Convention::modified_dh);
  REQUIRE(dh);
  CHECK(dh->description.tools.back().name == "camera");
  CHECK(dh->position_residual < 1e-12);
}
