// Assembly modes against searches of their own: where three legs of known lengths meet, by one unknown angle and changes of
// sign.
#include "torsor/loops/assembly_modes.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "tests/support/loop_robots.hpp"
#include "tests/support/random.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/loops/loop_model.hpp"
#include "torsor/loops/start_position.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double pi = std::numbers::pi;
using Point = std::complex<double>;

/// How often f changes its sign over a turn, where it is a number and goes through zero.
template <class F>
int crossings(const F& f, int steps = 100000) {
  int count = 0;
  double last = f(0.0);
  for (int k = 1; k <= steps; ++k) {
    const double now = f(2 * pi * k / steps);
    if (std::isfinite(last) && std::isfinite(now) && (last < 0) != (now < 0) && std::abs(now - last) < 0.1) ++count;
    last = now;
  }
  return count;
}

constexpr double base = 1.0, platform = 0.854, crank = 0.507, rod = 1.397;

Point corner(double radius, int leg) { return std::polar(radius, pi / 2 + 2 * pi * leg / 3); }

/// Planar 3-RRR: three cranks at the base, rods from these to a platform that turns and shifts in the plane.
Robot planar_3rrr() {
  std::string text = "name = \"3-RRR\"\ngravity = [0, -9.81, 0]\n";
  for (int leg = 0; leg < 3; ++leg) {
    const Point A = corner(base, leg);
    text += fmt::format(
        "[[link]]\nname = \"crank{0}\"\nparent = \"base\"\njoint = {{ kind = \"revolute\", name = \"motor{0}\", start "
        "= {3} "
        "}}\nplacement = {{ position = [{1}, {2}, 0] }}\nmass = 1\ncom = [0.2, 0, 0]\ninertia = [0.01, 0.02, 0.02]\n",
        leg, A.real(), A.imag(), pi / 2 + 2 * pi * leg / 3 + 2.2);
    text += fmt::format(
        "[[link]]\nname = \"rod{0}\"\njoint = {{ kind = \"revolute\", name = \"elbow{0}\", start = 1.5 }}\nplacement = "
        "{{ "
        "position = [{1}, 0, 0] }}\nmass = 1\ncom = [0.3, 0, 0]\ninertia = [0.01, 0.02, 0.02]\n",
        leg, crank);
  }
  text += fmt::format(
      "[[link]]\nname = \"platform\"\nparent = \"rod2\"\njoint = {{ kind = \"revolute\", name = \"wrist\" "
      "}}\nplacement = {{ "
      "position = [{}, 0, 0] }}\nmass = 2\ncom = [0.1, 0, 0]\ninertia = [0.05, 0.05, 0.1]\n",
      rod);
  // the platform's frame is at its corner 2
  for (int leg = 0; leg < 2; ++leg) {
    const Point B = corner(platform, leg) - corner(platform, 2);
    text += fmt::format(
        "[[loop]]\nname = \"hinge{0}\"\nkind = \"revolute\"\nlinks = [\"rod{0}\", \"platform\"]\nfirst = {{ position = "
        "[{1}, "
        "0, 0] }}\nsecond = {{ position = [{2}, {3}, 0] }}\nactuated = [\"motor{0}\", \"motor2\"]\n",
        leg, rod, B.real(), B.imag());
  }
  text += "[[tool]]\nname = \"hand\"\nlink = \"platform\"\n";
  return Robot::load(text);
}

/// At the elbows' places: the platform turned by phi has corners 0 and 1 as far from its elbows as rods are long where corner 2 is
/// on the circle about its own; counted are all phi for which this is so.
int modes_of_3rrr(std::span<const double> q) {
  std::array<Point, 3> elbow;
  for (int leg = 0; leg < 3; ++leg) elbow[leg] = corner(base, leg) + std::polar(crank, q[leg]);
  int count = 0;
  for (const double sign : {1.0, -1.0})
    count += crossings([&](double phi) {
      const Point turn = std::polar(1.0, phi);
      // corner 2 at P: |P + b_k - E_k| = rod for k = 0, 1: P is where two circles about E_k - b_k meet
      const Point a = elbow[0] - turn * (corner(platform, 0) - corner(platform, 2)),
                  b = elbow[1] - turn * (corner(platform, 1) - corner(platform, 2));
      const Point way = b - a;
      const double d = std::abs(way), h = rod * rod - d * d / 4;
      const Point P = (a + b) / 2.0 + sign * std::sqrt(h) * Point(0, 1) * way / d;
      return std::abs(P - elbow[2]) - rod;
    });
  return count;
}

constexpr double foot = 1.0, top = 0.6;

/// 3-RPS: legs hinged to the base across their direction, slides in them, balls at the platform.
Robot spatial_3rps() {
  std::string text = "name = \"3-RPS\"\n";
  for (int leg = 0; leg < 3; ++leg) {
    const double turn = 2 * pi * leg / 3;
    text += fmt::format(
        "[[link]]\nname = \"barrel{0}\"\nparent = \"base\"\njoint = {{ kind = \"revolute\", name = \"hinge{0}\", axis "
        "= [{3}, "
        "{4}, 0], start = -0.3 }}\nplacement = {{ position = [{1}, {2}, 0] }}\nmass = 2\ncom = [0, 0, 0.3]\ninertia = "
        "[0.1, "
        "0.1, 0.01]\n[[link]]\nname = \"rod{0}\"\njoint = {{ kind = \"prismatic\", name = \"leg{0}\", axis = [0, 0, "
        "1], start "
        "= 1.3 }}\nmass = 1\ncom = [0, 0, -0.3]\ninertia = [0.05, 0.05, 0.005]\n",
        leg, foot * std::cos(turn), foot * std::sin(turn), -std::sin(turn), std::cos(turn));
  }
  text +=
      "[[link]]\nname = \"platform\"\nparent = \"rod0\"\njoint = { kind = \"spherical\", name = \"ball0\" }\nmass = "
      "3\ncom = "
      "[-0.6, 0, 0]\ninertia = [0.2, 0.2, 0.4]\n";
  for (int leg = 1; leg < 3; ++leg) {
    const Point B = top * (std::polar(1.0, 2 * pi * leg / 3) - 1.0);
    text += fmt::format(
        "[[loop]]\nname = \"ball{0}\"\nkind = \"spherical\"\nlinks = [\"rod{0}\", \"platform\"]\nsecond = {{ position "
        "= [{1}, "
        "{2}, 0] }}\nactuated = [\"leg{0}\", \"leg0\"]\n",
        leg, B.real(), B.imag());
  }
  text += fmt::format("[[tool]]\nname = \"table\"\nlink = \"platform\"\nposition = [{}, 0, 0]\n", -top);
  return Robot::load(text);
}

/// Balls on circles in the planes of their legs, as far apart as on the platform: by the angle of leg 0, those of 1 and 2.
int modes_of_3rps(std::span<const double> l) {
  const double side = top * std::sqrt(3.0);
  const auto ball = [&](int leg, double angle) {
    const double turn = 2 * pi * leg / 3, r = foot + l[leg] * std::cos(angle);
    return Vec3<double>{r * std::cos(turn), r * std::sin(turn), l[leg] * std::sin(angle)};
  };
  // angles of a leg at which its ball is `side` from a point: a cos + b sin = c
  const auto angle = [&](int leg, const Vec3<double>& from, double sign) {
    const double turn = 2 * pi * leg / 3;
    const Vec3<double> out{std::cos(turn), std::sin(turn), 0}, o = out * foot - from;
    const double a = 2 * l[leg] * dot(o, out), b = 2 * l[leg] * o.z, c = side * side - dot(o, o) - l[leg] * l[leg];
    return std::atan2(b, a) + sign * std::acos(c / std::hypot(a, b));
  };
  int count = 0;
  for (const double s1 : {1.0, -1.0})
    for (const double s2 : {1.0, -1.0})
      count += crossings([&](double first) {
        const Vec3<double> B = ball(0, first);
        return norm(ball(1, angle(1, B, s1)) - ball(2, angle(2, B, s2))) - side;
      });
  return count;
}

/// Each mode closes the loops at q; the first is the one that the robot reaches, if it reaches one.
void check_modes(const Robot& robot, const std::vector<double>& q, const AssemblyModes& found) {
  int assembled = 0;
  for (const AssemblyMode& mode : found.modes) {
    CHECK(mode.residual < 1e-11);
    assembled += mode.assembled;
    for (std::size_t k = 0; k < q.size(); ++k) CHECK(mode.q[static_cast<std::size_t>(robot.loops()->q[k])] == q[k]);
  }
  CHECK(found.settled);
  CHECK(found.missing == 0);
  Dynamics dynamics(robot);
  std::vector<double> all(static_cast<std::size_t>(robot.tree().nq));
  const bool reached = static_cast<bool>(dynamics.positions(q, all));
  CHECK(assembled == (reached ? 1 : 0));
  CHECK(found.modes.front().assembled == reached);
  if (!reached) return;
  for (std::size_t k = 0; k < all.size(); ++k)
    CHECK(std::abs(std::remainder(all[k] - found.modes.front().q[k], 2 * pi)) < 1e-9);
}

}  // namespace

TEST_CASE("a planar 3-RRR has as many assembly modes as a search by the platform's angle finds, up to six") {
  const Robot robot = planar_3rrr();
  REQUIRE(robot.nv() == 3);
  Random random(4);
  int most = 0, closed = 0, open = 0;
  for (int draw = 0; draw < 40; ++draw) {
    const std::vector<double> q{random.uniform(-pi, pi), random.uniform(-pi, pi), random.uniform(-pi, pi)};
    CAPTURE(draw);
    const int wanted = modes_of_3rrr(q);
    const auto found = find_assembly_modes(robot, q, {.frame = robot.tool()});
    if (wanted == 0) {
      REQUIRE(!found);
      CHECK(found.faults().front().rule == "loop-open");
      ++open;
      continue;
    }
    REQUIRE(found);
    check_modes(robot, q, *found);
    CHECK(static_cast<int>(found->modes.size()) == wanted);
    most = std::max(most, wanted), ++closed;
  }
  MESSAGE(closed << " positions closed, " << open << " open, up to " << most << " modes");
  CHECK(closed > 20);
  CHECK(most == 6);
}

TEST_CASE("a 3-RPS has as many as a search by the angle of a leg finds, in pairs mirrored by its base") {
  const Robot robot = spatial_3rps();
  REQUIRE(robot.nv() == 3);
  Random random(4);
  int most = 0;
  for (int draw = 0; draw < 8; ++draw) {
    const std::vector<double> l{1.3 + random.uniform(-0.3, 0.3), 1.3 + random.uniform(-0.3, 0.3),
                                1.3 + random.uniform(-0.3, 0.3)};
    CAPTURE(draw);
    const auto found = find_assembly_modes(robot, l, {.frame = robot.tool()});
    REQUIRE(found);
    check_modes(robot, l, *found);
    const int wanted = modes_of_3rps(l);
    CHECK(wanted % 2 == 0);
    CHECK(static_cast<int>(found->modes.size()) == wanted);
    most = std::max(most, wanted);
  }
  MESSAGE("up to " << most << " modes");
  CHECK(most >= 8);
  CHECK(most <= 16);
}

TEST_CASE("modes of a Stewart platform are told by where its table is, and legs that can be put in two ways not") {
  const Robot robot = Robot::load("stewart_robot");
  std::vector<double> q = start_position(robot);
  for (double& x : q) x += 0.01;
  const auto found = find_assembly_modes(robot, q, {.frame = robot.tool()});
  REQUIRE(found);
  check_modes(robot, q, *found);
  // legs of this one stand on circles: eight above and below
  CHECK(found->modes.size() == 8);
  const auto none = find_assembly_modes(Robot::load("puma560"), q);
  REQUIRE(!none);
  CHECK(none.faults().front().rule == "loop-none");
}
