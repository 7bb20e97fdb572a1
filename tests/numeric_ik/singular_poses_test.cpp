// Poses of random arms with joints at right angles, half turns and beside them: where solutions meet or are curves the position
// that the pose is made of is found, or a curve of solutions that it is on; what is found has the pose.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/closed_form_ik/joint_chain.hpp"
#include "torsor/closed_form_ik/loop_family.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double right_angle = std::numbers::pi / 2;

struct Link {
  double twist, across, along;
};

Description arm_of(const std::array<Link, 6>& links) {
  Description robot;
  robot.name = "random";
  Transform<double> X;
  for (std::size_t k = 0; k < 6; ++k) {
    const std::string number = std::to_string(k + 1);
    robot.links.push_back({.name = "link" + number,
                           .joint_name = "joint" + number,
                           .kind = JointKind::revolute,
                           .geometry = JointPlacement{X, {0, 0, 1}}});
    X = Transform<double>{rotation_x(links[k].twist), {links[k].across, 0, 0}} *
        Transform<double>::translation({0, 0, links[k].along});
  }
  robot.tools.push_back({"tool", "link6", X, {}});
  return robot;
}

/// Three neighbouring axes parallel, half of the others at right angles to their neighbours.
std::array<Link, 6> parallel_links(Random& random) {
  const int first = random.below(4);
  std::array<Link, 6> links;
  for (int k = 0; k < 6; ++k) {
    Link& link = links[static_cast<std::size_t>(k)];
    link.twist = k == first || k == first + 1 ? 0
                 : random.below(2) == 0       ? right_angle * (random.below(4) - 1)
                                              : random.uniform(-3, 3);
    // drawn one after the other: compilers evaluate the sides of a product in an order of their own
    link.along = random.uniform(-0.5, 0.5);
    link.across = random.uniform(-0.5, 0.5);
  }
  return links;
}

SixTurns six_turns_of(const JointChain& chain) {
  std::array<Transform<double>, 7> B;
  std::copy(chain.B.begin(), chain.B.end(), B.begin());
  return SixTurns(B);
}

/// Whether a position is among the solutions: at its place, as well as rounding leaves that open; or on a curve of them; or with
/// nothing but solutions between.
bool is_among(const IkSolutions& found, const SixAngles& q, const TurningLoop& loop) {
  const double sigma = measured(loop, q).sigma;
  const double rounding = sigma > 1e-6 ? std::max(1e-8, 1e-13 / sigma) : 1e-4;
  for (const IkSolution& s : found) {
    SixAngles there;
    std::copy(s.q.begin(), s.q.end(), there.begin());
    const double by = apart(there, q);
    if (by < rounding) return true;
    LoopFamily family;
    if (std::ranges::count(s.branch.free, true) > 0 && follow_family(loop, there, measured(loop, there), family) &&
        family.holds(loop, q))
      return true;
    if (sigma > 1e-3 || by > 3e-2) continue;
    bool is_joined = true;
    for (const double share : {0.25, 0.5, 0.75}) {
      SixAngles on = q;
      for (std::size_t k = 0; k < 6; ++k) on[k] += share * std::remainder(there[k] - q[k], 4 * right_angle);
      const SixAngles straight = on;
      is_joined = is_joined && close_along(loop, on) && apart(straight, on) < 0.1 * by;
    }
    if (is_joined) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("where solutions meet the one that the pose is made of is found, and all that are found have the pose") {
  Random random(12);
  int poses = 0, at_singular = 0, lost = 0;
  for (int arm = 0; arm < draws(12); ++arm) {
    const auto robot = Robot::try_build(arm_of(parallel_links(random)));
    REQUIRE(robot);
    const InverseKinematics ik(*robot);
    if (!ik.closed()) continue;  // four parallel axes: no pose determines the joints
    const auto chain = joint_chain(robot->model(), robot->tool());
    REQUIRE(chain);
    const SixTurns six = six_turns_of(*chain);
    for (int pose = 0; pose < 100; ++pose) {
      SixAngles q;
      for (double& x : q) {
        x = random.uniform(-3.1, 3.1);
        const int kind = random.below(6);
        if (kind < 2) x = right_angle * (random.below(4) - 1);
        if (kind == 1) x += std::pow(10.0, random.uniform(-15, -3));
      }
      const Transform<double> X = chain->tool_pose(q);
      const IkSolutions found = ik.solve_all(X);
      ++poses;
      CAPTURE(arm);
      CAPTURE(pose);
      const TurningLoop loop = six.loop(X);
      const double sigma = measured(loop, q).sigma;
      at_singular += sigma < 1e-6;
      const bool is_found = is_among(found, q, loop);
      lost += !is_found;
      CHECK((is_found || sigma < 1e-6));
      for (const IkSolution& s : found) {
        const Transform<double> there = chain->tool_pose(s.q);
        CHECK(norm(there.p - X.p) + norm(there.R.x - X.R.x) + norm(there.R.y - X.R.y) < 1e-10);
      }
    }
  }
  CHECK(poses > 800);
  CHECK(at_singular > 50);
  CHECK(500 * lost <= poses);  // several singular sets at once: docs/ik.md says how many
}

TEST_CASE("a double solution beside two simple ones is found, whose determinant rounding has lifted off zero") {
  // axes 1, 2 and 3 parallel; the determinant touches zero within 6e-14 of its size, where its error was taken for 7e-15
  const auto robot = Robot::try_build(arm_of({{{0, -0.22526703854644514, 0.22359328559990133},
                                               {0, 0.13210672119558831, 0.43400659381290696},
                                               {0.015094147109703915, 0.35974551651724629, 0.17689896150104212},
                                               {right_angle, 0.094030987475143157, 0.48903391780841388},
                                               {2 * right_angle, -0.3709176009633024, -0.4052614855402128},
                                               {1.9111637497429008, 0.33841747352205698, 0.11856059090897158}}}));
  REQUIRE(robot);
  const InverseKinematics ik(*robot);
  const auto chain = joint_chain(robot->model(), robot->tool());
  REQUIRE(chain);
  const SixTurns six = six_turns_of(*chain);
  // the first and the last joint turn all solutions alike, and their rounding otherwise
  Random random(13);
  for (SixAngles q : {SixAngles{1.5707963268346552, 1.1109617922844757e-14, 1.5707963370434517, -2.6572800172789623, 0,
                                -2.1049502542484864},
                      SixAngles{1.0889418811298035, 1.0366496548015429e-07, 1.8083310933821113, 0.23842715887242161,
                                -1.009095165952711, 3.1417287064959978}})
    for (int k = 0; k < 20; ++k) {
      CAPTURE(k);
      const Transform<double> X = chain->tool_pose(q);
      const IkSolutions found = ik.solve_all(X);
      CHECK(found.size() == 3);
      CHECK(is_among(found, q, six.loop(X)));
      q[0] = random.uniform(-3, 3);
      q[5] = random.uniform(-3, 3);
    }
}

TEST_CASE("beside a curve of solutions the two that remain of it are found") {
  // axes 1, 2 and 3 parallel, 5 and 6 too: at q4 = 1e-9 every determinant is zero to rounding
  const auto robot = Robot::try_build(arm_of({{{0, 0.1481822384623438, -0.10138899050836481},
                                               {0, -0.37591611145846449, 0.093830749071846853},
                                               {right_angle, 0.41518740819911526, 0.044882076918005054},
                                               {right_angle, 0.19577632898784414, 0.1332561504290285},
                                               {2 * right_angle, 0.026696059773890668, 0.41585440837350851},
                                               {0, -0.35411607449028104, 0.017530344924119423}}}));
  REQUIRE(robot);
  const InverseKinematics ik(*robot);
  const auto chain = joint_chain(robot->model(), robot->tool());
  REQUIRE(chain);
  const std::array<double, 6> q{
      0, 1.3588086189790469, -1.5707963264044544, 1.3786977351605028e-09, 0.4697366765538078, -2.264737800926512};
  const Transform<double> X = chain->tool_pose(q);
  const IkSolutions found = ik.solve_all(X);
  CHECK(found.size() >= 2);
  for (const IkSolution& s : found) CHECK(norm(chain->tool_pose(s.q).p - X.p) < 1e-12);
}

TEST_CASE("of nearly special arms that are folded or stretched to within what snapping moves no branch is lost") {
  // a UR5e whose right angles are off by some 1e-6
  Random random(14);
  int regular = 0, nearly_there = 0;
  for (int draw = 0; draw < draws(20, 1200); ++draw) {
    std::array<Link, 6> links{{{right_angle, 0, 0},
                               {0, -0.425, 0},
                               {0, -0.3922, 0.1333},
                               {right_angle, 0, 0.0997},
                               {-right_angle, 0, 0.0996},
                               {0, 0, 0}}};
    for (Link& link : links) link.twist += random.uniform(-5e-6, 5e-6);
    const auto robot = Robot::try_build(arm_of(links));
    REQUIRE(robot);
    const InverseKinematics ik(*robot);
    REQUIRE(ik.closed());
    REQUIRE(!ik.closed()->snaps().empty());
    const auto chain = joint_chain(robot->model(), robot->tool());
    REQUIRE(chain);
    const SixTurns six = six_turns_of(*chain);
    for (int pose = 0; pose < 10; ++pose) {
      SixAngles q;
      for (double& x : q) x = random.uniform(-3.1, 3.1);
      q[2] = (random.chance(0.5) ? 2 * right_angle : 0) + random.either_sign(1e-6, 1e-4);
      const Transform<double> X = chain->tool_pose(q);
      const TurningLoop loop = six.loop(X);
      const IkSolutions found = ik.solve_all(X);
      CAPTURE(draw);
      CAPTURE(pose);
      const bool is_regular = measured(loop, q).sigma > 1e-8;
      regular += is_regular;
      CHECK((!is_regular || is_among(found, q, loop)));
      for (const IkSolution& s : found) CHECK(norm(chain->tool_pose(s.q).p - X.p) < 1e-10);
      nearly_there += ik.closed()->position(X).count < static_cast<int>(found.size());
    }
  }
  CHECK(regular > 9 * draws(20, 1200));  // of ten each
  CHECK(nearly_there > draws(3, 10));        // what the family alone would lose
}
