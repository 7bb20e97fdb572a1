// Closed forms against Newton's method: random planar linkages of dyads in any placement, with hinges and slides, on
// both branches; dead centres, steps that leap; which clusters have them.
#include "torsor/loops/planar_dyads.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/loop_robots.hpp"
#include "tests/support/random.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/loops/loop_map.hpp"
#include "torsor/report/loop_summary.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using Numbers = std::vector<double>;
using Pose = Transform<double>;

const Mat3<double> upright = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const Mat3<double> upside_down = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};

/// A frame in the plane x y anywhere, its z up or down.
Pose in_plane(Random& random) {
  const Mat3<double> turned = rotation(quaternion_about(Vec3<double>{0, 0, 1}, random.uniform(-3, 3)));
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
  return {turned * (random.chance(0.5) ? upright : upside_down), Vec3<double>{x, y, 0}};
}

/// A joint's frame there: z of a hinge across the plane, of a slide in it.
Pose joint_at(JointKind kind, Random& random) {
  const Pose there = in_plane(random);
  if (kind == JointKind::revolute) return there;
  const Vec3<double> along = there.R.x, up{0, 0, 1};
  return {Mat3<double>{cross(up, along), up, along}, there.p};
}

/// A loop of so many joints on two sides, closed by a hinge where they stand at zero; heights differ from link to link,
/// and the whole stands anywhere. All but two joints are driven.
Description random_linkage(Random& random, int joints) {
  Description d;
  d.name = "linkage";
  const Pose whole{random.rotation(), random.vector(1)};
  const int of_i = 1 + random.below(joints);
  std::vector<int> driven(static_cast<std::size_t>(joints));
  for (int k = 0; k < joints; ++k) driven[static_cast<std::size_t>(k)] = k;
  for (int k = joints - 1; k > 0; --k)
    std::swap(driven[static_cast<std::size_t>(k)], driven[static_cast<std::size_t>(random.below(k + 1))]);
  driven.resize(static_cast<std::size_t>(joints - 2));
  LoopDescription loop;
  loop.name = "pin", loop.links = {"base", "base"};
  const Vec3<double> pin{random.uniform(-1, 1), random.uniform(-1, 1), 0};
  std::array<Pose, 2> last{whole, whole};
  Pose parent;
  for (int k = 0; k < joints; ++k) {
    const bool starts = k == 0 || k == of_i;
    if (starts) parent = Pose{upright, {}};
    LinkDescription link;
    link.name = link.joint_name = "joint" + std::to_string(k);
    link.parent = starts ? "base" : "joint" + std::to_string(k - 1);
    link.kind = random.chance(0.25) ? JointKind::prismatic : JointKind::revolute;
    Pose at = whole * joint_at(link.kind, random);
    at.p = at.p + whole.R.z * random.uniform(-0.3, 0.3);
    link.geometry = JointPlacement{starts ? at : inverse(parent) * at};
    link.parts.push_back({.mass = 1, .com = random.vector(0.2), .tensor = {0.1, 0.1, 0.1}});
    parent = at;
    const std::size_t side = k < of_i ? 0 : 1;
    loop.links[side] = link.name;
    last[side] = at;
    if (std::ranges::find(driven, k) != driven.end()) loop.actuated.push_back(link.name);
    d.links.push_back(std::move(link));
  }
  if (of_i == joints) last[1] = Pose{upright, {}};
  const Pose closed{whole.R * (random.chance(0.5) ? upright : upside_down), whole * pin};
  for (const std::size_t side : {0U, 1U}) loop.X_link_loop[side] = inverse(last[side]) * closed;
  loop.kind = random.chance(0.8) ? MechanismJointKind::revolute : MechanismJointKind::spherical;
  d.loops.push_back(std::move(loop));
  return d;
}

double largest_of(std::span<const double> x) {
  double most = 0;
  for (const double each : x) most = std::max(most, std::abs(each));
  return most;
}

double gap(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    REQUIRE(std::isfinite(a[k] - b[k]));
    most = std::max(most, std::abs(a[k] - b[k]));
  }
  return most;
}

struct Compared {
  int linkages = 0, closed = 0, open = 0, dead = 0, by_pieces = 0;
  double q = 0, rates = 0, accelerations = 0, residual = 0;
};

/// How well the rates of the cluster are determined: errors of rounding grow with its inverse, of rates with the square
/// of that.
double determined(const Robot& robot, std::span<const double> q) {
  double least = 1;
  for (const LoopCluster& cluster : robot.loops()->clusters) {
    ClusterKinematics<double> kinematics(robot.tree(), cluster);
    kinematics.place(q);
    kinematics.factor();
    least = std::min(least, kinematics.determined());
  }
  return least;
}

/// By whole turns alike.
double gap_of_turns(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    REQUIRE(std::isfinite(a[k] - b[k]));
    most = std::max(most, std::abs(std::remainder(a[k] - b[k], 2 * std::numbers::pi)));
  }
  return most;
}

/// From the start to each of the positions in turn, as they were reached at once by the other.
LoopStatus by_pieces(LoopMap& map, const std::vector<Numbers>& way) {
  constexpr int pieces = 400;
  LoopStatus status;
  map.return_to_start();
  Numbers q(way.front().size());
  for (std::size_t leg = 1; leg < way.size(); ++leg)
    for (int piece = 1; piece <= pieces && status; ++piece) {
      const Numbers &from = way[leg - 1], &to = way[leg];
      for (std::size_t i = 0; i < q.size(); ++i)
        q[i] = piece == pieces ? to[i] : from[i] + (to[i] - from[i]) * piece / pieces;
      status = map.place(q);
    }
  return status;
}

/// Both ways along the same targets; errors are measured with how well the position is determined.
void compare(const Robot& robot, Random& random, int targets, double reach, Compared& found) {
  const LoopModel& loops = *robot.loops();
  LoopMap closed_form(robot.tree(), robot.loops()), newton(robot.tree(), robot.loops(), false);
  const auto n = static_cast<std::size_t>(robot.tree().nv);
  Numbers qd(n), other_qd(n), qdd(n), other_qdd(n);
  ++found.linkages;
  Numbers q_a;
  for (const int k : loops.q) q_a.push_back(loops.reference[static_cast<std::size_t>(k)]);
  const Numbers start = q_a;
  std::vector<Numbers> way{start};
  for (int k = 0; k < targets; ++k) {
    for (std::size_t i = 0; i < q_a.size(); ++i) q_a[i] = start[i] + random.uniform(-reach, reach);
    const LoopStatus here = closed_form.place(q_a);
    LoopStatus there = newton.place(q_a);
    // along a singular position Newton's method runs out of steps; by pieces it gets there
    if (here && !there) {
      ++found.by_pieces;
      way.push_back(q_a);
      there = by_pieces(newton, way);
      way.pop_back();
    }
    CAPTURE(k);
    REQUIRE(here.kind == there.kind);
    if (here) way.push_back(q_a);
    if (!here) {
      ++(here.kind == LoopStatus::open ? found.open : found.dead);
      CHECK(here.coordinate == there.coordinate);
      continue;
    }
    ++found.closed;
    const double sure = determined(robot, newton.q());
    found.q = std::max(found.q, sure * gap_of_turns(closed_form.q(), newton.q()));
    found.residual = std::max(found.residual, closed_form.residual());
    const Numbers x = random.numbers(robot.nv(), 1), a = random.numbers(robot.nv(), 1);
    closed_form.rates(x, qd), newton.rates(x, other_qd);
    found.rates = std::max(found.rates, sure * sure * gap(qd, other_qd) / std::max(1.0, largest_of(other_qd)));
    closed_form.accelerations(qd, a, qdd), newton.accelerations(other_qd, a, other_qdd);
    const double scale = std::max(1.0, largest_of(other_qdd));
    found.accelerations = std::max(found.accelerations, sure * sure * gap(qdd, other_qdd) / scale);
  }
}

void report(const std::string& what, const Compared& found) {
  MESSAGE(what << ": " << found.linkages << " linkages, " << found.closed << " positions closed, " << found.open
               << " open, " << found.dead << " at dead centres, " << found.by_pieces << " by pieces; q " << found.q
               << ", rates " << found.rates << ", accelerations " << found.accelerations << ", closure "
               << found.residual);
}

}  // namespace

TEST_CASE("planar linkages of dyads are closed in closed form as by Newton's method, wherever they stand") {
  Random random(41);
  Compared found;
  int without = 0;
  for (int k = 0; found.linkages < draws(1000, 50'000); ++k) {
    REQUIRE(k < draws(4000, 200'000));
    CAPTURE(k);
    const auto robot = Robot::try_build(random_linkage(random, 3 + random.below(3)));
    if (!robot) continue;  // in a singular position, or driven joints that are none
    if (!robot->loops()->clusters[0].dyads) {
      ++without;  // two slides that are solved for, or too near a dead centre
      continue;
    }
    compare(*robot, random, 4, 1.5, found);
  }
  report("random linkages", found);
  CHECK(without < found.linkages / 4);
  CHECK(found.closed > found.linkages);
  CHECK(found.open > 100);
  CHECK(found.q < 1e-13);
  CHECK(found.rates < 1e-13);
  CHECK(found.accelerations < 1e-13);
  CHECK(found.residual < 1e-13);
}

TEST_CASE("a step of dyads is taken at once only where its pieces lead to the same place") {
  Random random(140);  // has one whose way a joint between made longer than it was at the start
  int taken = 0, refused = 0;
  for (int k = 0; k < draws(3000, 100'000); ++k) {
    CAPTURE(k);
    const auto robot = Robot::try_build(random_linkage(random, 3 + random.below(3)));
    if (!robot || !robot->loops()->clusters[0].dyads) continue;
    const LoopModel& loops = *robot->loops();
    LoopMap at_once(robot->tree(), robot->loops()), stepped(robot->tree(), robot->loops());
    Numbers start, q_a, q;
    for (const int each : loops.q) start.push_back(loops.reference[static_cast<std::size_t>(each)]);
    for (const double x : start) q_a.push_back(x + random.uniform(-1.5, 1.5));
    const LoopStatus here = at_once.place(q_a);
    // a piece that does not close, or only at a dead centre, ends the way
    LoopStatus there;
    constexpr int pieces = 60;
    for (int piece = 1; piece <= pieces && there; ++piece) {
      q = start;
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += (q_a[i] - start[i]) * piece / pieces;
      there = stepped.place(q);
    }
    CHECK(static_cast<bool>(here) == static_cast<bool>(there));
    if (!here || !there) {
      ++refused;
      continue;
    }
    ++taken;
    const double sure = determined(*robot, at_once.q());
    CHECK(sure * gap_of_turns(at_once.q(), stepped.q()) < 1e-12);
  }
  MESSAGE(taken << " steps taken, " << refused << " refused");
  CHECK(taken > draws(1000, 30'000));
  CHECK(refused > draws(300, 10'000));
}

TEST_CASE("several loops that share joints are closed one after the other") {
  Random random(42);
  Compared found;
  for (const char* name : {"palletising_arm", "five_bar"}) {
    const Robot robot = Robot::load(name);
    REQUIRE(robot.loops()->clusters[0].dyads);
    CHECK(robot.loops()->clusters[0].dyads->loops.size() == robot.description().loops.size());
    compare(robot, random, draws(300), 1.0, found);
  }
  report("robots", found);
  CHECK(found.closed > 300);
  CHECK(found.q < 1e-13);
  CHECK(found.rates < 1e-13);
  CHECK(found.accelerations < 1e-13);
  CHECK(found.residual < 1e-13);
}

TEST_CASE("a parallelogram in closed form is exact, and turns round as often as it is turned") {
  const Robot robot = Robot::load("palletising_arm");
  LoopMap map(robot.tree(), robot.loops());
  const auto joint = [&](const char* name) {
    const auto& names = robot.tree().position_names;
    const auto at = std::ranges::find(names, name);
    REQUIRE(at != names.end());
    return map.q()[static_cast<std::size_t>(at - names.begin())];
  };
  Random random(43);
  for (int k = 0; k < 200; ++k) {
    // flat where motor and shoulder differ by a right angle, and where the forearm points along the plate
    const double shoulder = random.uniform(-0.6, 1.1);
    const double motor = std::clamp(shoulder + random.uniform(-1.4, 1.4), -0.9, 1.7);
    REQUIRE(map.place(Numbers{0.3, shoulder, 0, motor}));
    CHECK(std::abs(joint("elbow") - (motor - shoulder)) < 5e-14);
    CHECK(std::abs(joint("rod_hinge") - (shoulder - motor)) < 5e-14);
    CHECK(std::abs(joint("plate_hinge") + shoulder) < 5e-14);
    CHECK(std::abs(joint("wrist_hinge") + motor) < 5e-14);
  }
  // and a four-bar's passive joints turn on, forwards and backwards
  const Robot bars = Robot::load(four_bar(1, 0.4, 0.9, 0.8));
  LoopMap round(bars.tree(), bars.loops()), newton(bars.tree(), bars.loops(), false);
  for (const double turns : {0.1, 0.6, 1.2, 2.0, 1.1, -3.0}) {
    REQUIRE(round.place(Numbers{1.2 + 2 * std::numbers::pi * turns}));
    REQUIRE(newton.place(Numbers{1.2 + 2 * std::numbers::pi * turns}));
    CHECK(gap(round.q(), newton.q()) < 1e-12);
  }
}

TEST_CASE("next to dead centres closed forms leave the answer to Newton's method, whose statuses they have") {
  const Robot robot = Robot::load(four_bar(1, 0.4, 0.9, 0.8, "actuated = [\"rocker\"]"));
  REQUIRE(robot.loops()->clusters[0].dyads);
  LoopMap map(robot.tree(), robot.loops()), newton(robot.tree(), robot.loops(), false);
  const double limit = std::numbers::pi - std::acos((1 + 0.64 - 1.69) / (2 * 0.8));
  int dead = 0, open = 0, closed = 0;
  for (double distance = 0.3; distance > 1e-16; distance *= 0.6)
    for (const double angle : {limit + distance, limit - distance, limit}) {
      CAPTURE(distance);
      const LoopStatus here = map.place(Numbers{angle}), there = newton.place(Numbers{angle});
      CHECK(here.kind == there.kind);
      dead += here.kind == LoopStatus::dead_centre;
      open += here.kind == LoopStatus::open;
      closed += here.kind == LoopStatus::closed;
      if (here && there) {
        CHECK(determined(robot, newton.q()) * gap(map.q(), newton.q()) < 1e-14);
        CHECK(map.residual() < 1e-14);
      }
    }
  CHECK(dead > 70);
  CHECK(open > 10);
  CHECK(closed > 10);
  // crank and coupler folded: half a turn of the rocker away, behind a gap that no closed form may leap
  CHECK(map.place(Numbers{limit + 3}).kind == LoopStatus::open);
  CHECK(newton.place(Numbers{limit + 3}).kind == LoopStatus::open);
}

TEST_CASE("which loops have a closed form is said, and others have none") {
  const auto said = [](const Robot& robot) {
    for (const std::string& sentence : loop_sentences(robot))
      if (sentence.find("closed form") != std::string::npos) return true;
    return false;
  };
  CHECK(said(Robot::load("palletising_arm")));
  CHECK(said(Robot::load("five_bar")));
  CHECK(said(Robot::load(four_bar(1, 0.4, 0.9, 0.8, "", "spherical"))));
  CHECK_FALSE(said(Robot::load("delta")));
  CHECK_FALSE(said(Robot::load("ankle")));
  // an axis that is a little off its plane
  Description d = Robot::load(four_bar()).description();
  auto& placement = std::get<JointPlacement>(d.links[2].geometry).X_parent_joint;
  placement.R = placement.R * rotation(quaternion_about(Vec3<double>{1, 0, 0}, 3e-12));
  CHECK_FALSE(said(Robot(d)));
}
