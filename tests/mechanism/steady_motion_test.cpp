#include "torsor/mechanism/steady_motion.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/support/mechanism.hpp"
#include "tests/support/random.hpp"
#include "torsor/mechanism/linearisation.hpp"
#include "torsor/mechanism/mechanism_variant.hpp"
#include "torsor/mechanism/start.hpp"
#include "torsor/numeric/eigenvalues.hpp"
#include "torsor/numeric/row_major.hpp"

using namespace torsor;
using namespace torsor::testing;
using Complex = std::complex<double>;

namespace {

/// Small motions about the motion that a mechanism starts with.
Linearisation about_start(const MechanismDescription& d) {
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  MechanismState state = described_state(*built);
  REQUIRE(start_simulated(*built, state).empty());
  const Linearisation found = linearise(*built, state);
  CHECK(found.why.empty());
  return found;
}

/// All eigenvalues, of pairs both.
std::vector<Complex> all_of(const Linearisation& found) {
  std::vector<Complex> all;
  for (const Mode& mode : found.modes) {
    all.push_back(mode.s);
    if (mode.frequency > 0) all.push_back(std::conj(mode.s));
  }
  return all;
}

/// How far the numbers are from being the same in some order.
double apart(std::vector<Complex> a, const std::vector<Complex>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (const Complex& x : b) {
    const auto nearest = std::ranges::min_element(a, {}, [&](const Complex& y) { return std::abs(x - y); });
    most = std::max(most, std::abs(*nearest - x));
    a.erase(nearest);
  }
  return most;
}

/// A body on a ball at the origin, its mass centre l along its z axis, tilted by theta about y; moments about the mass centre.
MechanismDescription top(double m, double l, double I1, double I3, double theta) {
  MechanismDescription d;
  const Mat3<double> R = rotation(quaternion_about(Vec3<double>{0, 1, 0}, theta));
  add_body(d, "top", m, {I1, I1, I3, 0, 0, 0}, R * Vec3<double>{0, 0, l}, R);
  add_joint(d, "pivot", MechanismJointKind::spherical, ground, 0, {}, {0, 0, 1});
  return d;
}

void move(MechanismDescription& d, const Vec3<double>& w) {
  for (MechanismBody& body : d.bodies) body.velocity = {w, cross(w, body.X_world_body.p)};
}

TimeFunction at_rate(double rate) { return polynomial_in_time({0, rate}); }

/// The benchmark of Meijaard, Papadopoulos, Ruina & Schwab, Proc. R. Soc. A 463 (2007), table 1, z upwards.
MechanismDescription bicycle(double v) {
  MechanismDescription d;
  add_body(d, "rear wheel", 2, {0.0603, 0.12, 0.0603, 0, 0, 0}, {0, 0, 0.3});
  add_body(d, "frame", 85, {9.2, 11, 2.8, 0, -2.4, 0}, {0.3, 0, 0.9});
  add_body(d, "fork", 4, {0.05892, 0.06, 0.00708, 0, 0.00756, 0}, {0.9, 0, 0.7});
  add_body(d, "front wheel", 3, {0.1405, 0.28, 0.1405, 0, 0, 0}, {1.02, 0, 0.35});
  for (MechanismBody& body : d.bodies) body.velocity = {{}, {v, 0, 0}};
  d.bodies[0].velocity.w = Vec3<double>{0, v / 0.3, 0};
  d.bodies[3].velocity.w = Vec3<double>{0, v / 0.35, 0};
  add_hinge(d, "rear axle", 1, 0, {0, 0, 0.3}, {0, 1, 0});
  add_hinge(d, "front axle", 2, 3, {1.02, 0, 0.35}, {0, 1, 0});
  const double tilt = 3.14159265358979323846 / 10;
  add_hinge(d, "steer", 1, 2, {1.1, 0, 0}, {-std::sin(tilt), 0, std::cos(tilt)});
  for (const int wheel : {0, 3}) {
    MechanismJoint joint;
    joint.name = wheel == 0 ? "rear contact" : "front contact";
    joint.kind = MechanismJointKind::rolling_disc;
    joint.j.body = wheel;
    joint.j.X.R = joint_frame({}, {0, 1, 0}, {1, 0, 0}).R;
    joint.radius = wheel == 0 ? 0.3 : 0.35;
    d.joints.push_back(joint);
  }
  return d;
}

/// Lean and steer from the canonical matrices of the same paper, eqs. (A 1) to (A 4): M q'' + v C1 q' + (g K0 + v^2 K2) q = 0.
std::vector<Complex> published_bicycle(double v) {
  const double M[] = {80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686};
  const double K0[] = {-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618};
  const double K2[] = {0, 76.59734589573222, 0, 2.65431523794604};
  const double C1[] = {0, 33.86641391492494, -0.85035641456978, 1.68540397397560};
  const double det = M[0] * M[3] - M[1] * M[2], inverse[] = {M[3] / det, -M[1] / det, -M[2] / det, M[0] / det};
  std::vector<double> A(16);
  for (int i = 0; i < 2; ++i) {
    A[cell(i, 4, 2 + i)] = 1;
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < 2; ++l) {
        const std::size_t at = cell(l, 2, k);
        A[cell(2 + i, 4, k)] -= inverse[cell(i, 2, l)] * (9.81 * K0[at] + v * v * K2[at]);
        A[cell(2 + i, 4, 2 + k)] -= inverse[cell(i, 2, l)] * v * C1[at];
      }
  }
  return eigenvalues(A, 4);
}

}  // namespace

TEST_CASE("a sleeping top has the two frequencies of the closed form, and stands or falls as they say") {
  Random random(11);
  int falls = 0;
  for (int draw = 0; draw < 40; ++draw) {
    const double m = random.uniform(0.2, 2), l = random.uniform(0.05, 0.3), I1 = random.uniform(0.01, 0.05),
                 I3 = random.uniform(0.3, 1.9) * I1, A = I1 + m * l * l;
    // as fast as it takes to stand, and slower
    const double spin = 2 * std::sqrt(A * m * 9.81 * l) / I3 * random.uniform(0.3, 5);
    CAPTURE(spin);
    MechanismDescription d = top(m, l, I1, I3, 0);
    move(d, {0, 0, spin});
    const Linearisation found = about_start(d);
    CHECK(found.unsteady.empty());
    CHECK(found.moving);
    // A s^2 - i I3 spin s - m g l = 0 of the lean x + i y, and the conjugates; and the spin itself
    const Complex half(0, I3 * spin / (2 * A)), root = std::sqrt(half * half + m * 9.81 * l / A);
    const std::vector<Complex> exact{half + root, half - root, std::conj(half + root), std::conj(half - root), 0, 0};
    falls += std::abs(root.real()) > 0 && root.real() != 0 && std::abs(root.imag()) < std::abs(root.real());
    CHECK(apart(all_of(found), exact) < 1e-7 * std::abs(half + root));
  }
  CHECK(falls > 3);
}

TEST_CASE("a bead on a hoop that is driven swings about where it stays") {
  Random random(12);
  for (int draw = 0; draw < 20; ++draw) {
    const double rate = random.uniform(4, 20), l = random.uniform(0.8, 2), cosine = 9.81 / (rate * rate * l),
                 sine = std::sqrt(1 - cosine * cosine);
    MechanismDescription d;
    add_body(d, "hoop", 1, {0.1, 0.1, 0.1, 0, 0, 0});
    add_body(d, "bead", 1, {1e-12, 1e-12, 1e-12, 0, 0, 0}, {l * sine, 0, -l * cosine});
    add_hinge(d, "axis", ground, 0, {}, {0, 0, 1});
    add_hinge(d, "arm", 0, 1, {}, {0, 1, 0});
    MechanismDriver driver;
    driver.name = "spin";
    driver.terms = {{{0, Measure::What::angle}, 1, {}}};
    driver.function = at_rate(rate);
    d.drivers.push_back(driver);
    const Linearisation found = about_start(d);
    CHECK(found.unsteady.empty());
    REQUIRE(found.modes.size() == 1);
    CHECK(std::abs(found.modes[0].s - Complex(0, rate * sine)) < 1e-8 * rate);
    // held still it is a pendulum
    const Result<Mechanism> built = build(d);
    REQUIRE(built);
    const Mechanism held = held_at(*built, 0);
    MechanismState low = described_state(held);
    low.bodies[1].r = {0, 0, -l};
    low.bodies[1].p = quaternion_about(Vec3<double>{0, 1, 0}, std::acos(cosine));
    const Linearisation rest = linearise(held, low);
    CHECK_FALSE(rest.moving);
    REQUIRE(rest.modes.size() == 1);
    CHECK(std::abs(rest.modes[0].s - Complex(0, std::sqrt(9.81 / l))) < 1e-8);
  }
}

TEST_CASE("a gyroscope that precesses nods as the closed form says") {
  Random random(13);
  for (int draw = 0; draw < 20; ++draw) {
    const double m = 0.5, l = random.uniform(0.1, 0.2), I1 = 0.004, I3 = random.uniform(0.003, 0.007),
                 A = I1 + m * l * l, theta = random.uniform(0.3, 2.8), turning = random.uniform(2, 8);
    // A W^2 cos - I3 w3 W + m g l = 0
    const double w3 = (A * turning * turning * std::cos(theta) + m * 9.81 * l) / (I3 * turning);
    MechanismDescription d = top(m, l, I1, I3, theta);
    const Vec3<double> z{0, 0, 1}, axis = d.bodies[0].X_world_body.R.z;
    move(d, z * turning + axis * (w3 - turning * std::cos(theta)));
    const Linearisation found = about_start(d);
    CHECK(found.unsteady.empty());
    const double nods = std::hypot(turning * std::sin(theta), (I3 * w3 - 2 * A * turning * std::cos(theta)) / A);
    CHECK(apart(all_of(found), {{0, nods}, {0, -nods}, 0, 0, 0, 0}) < 1e-7 * nods);
  }
}

TEST_CASE("a satellite that spins about a principal axis is stable about the longest and the shortest alone") {
  const double I[] = {1.2, 2.0, 2.9}, spin = 3;
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    MechanismDescription d;
    d.gravity = {};
    add_body(d, "satellite", 7, {I[0], I[1], I[2], 0, 0, 0}, {0.3, 0.2, 0.1});
    add_joint(d, MechanismJointKind::free, ground, 0, {0.3, 0.2, 0.1}, {0, 0, 1});
    const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    d.bodies[0].velocity = {axes[axis] * spin, {0.4, -0.1, 0.2}};
    const Linearisation found = about_start(d);
    CHECK(found.unsteady.empty());
    const double i = I[axis], j = I[(axis + 1) % 3], k = I[(axis + 2) % 3];
    const Complex wobble = spin * std::sqrt(Complex(-(i - j) * (i - k) / (j * k)));
    CHECK((std::abs(wobble.real()) > 0.1) == (axis == 1));
    // how it turns is seen from a frame that turns with it, where its axis stands in space goes round; how it moves is not
    const Complex turn(0, spin);
    std::vector<Complex> exact{wobble, -wobble, turn, -turn};
    exact.insert(exact.end(), 8, 0);
    CHECK(apart(all_of(found), exact) < 1e-7);
  }
}

TEST_CASE("the benchmark bicycle has the published eigenvalues at every speed") {
  // Meijaard et al. 2007, table 2: capsize, weave, castering
  struct Published {
    double v, castering, weave, turning, capsize;
  };
  const Published rows[] = {{5, -14.078389, -0.775341, 4.464867, -0.322866},
                            {7, -18.157884, -2.138756, 7.195259, 0.102681}};
  for (const Published& row : rows) {
    const std::vector<Complex> all = published_bicycle(row.v);
    CHECK(apart(all, {row.castering, {row.weave, row.turning}, {row.weave, -row.turning}, row.capsize}) < 2e-6);
  }
  for (double v = 0.5; v < 12; v += 0.75) {
    CAPTURE(v);
    const Linearisation found = about_start(bicycle(v));
    CHECK(found.unsteady.empty());
    CHECK(found.freedoms == 3);
    CHECK(found.positions == 7);
    std::vector<Complex> exact = published_bicycle(v);
    // where it is, where it heads, how its wheels stand, and how fast it goes
    exact.insert(exact.end(), 6, 0);
    CHECK(apart(all_of(found), exact) < 1e-6);
    const int n = static_cast<int>(found.state_space.states.size());
    REQUIRE(n == 10);
    double trace = 0, sum = 0;
    for (int k = 0; k < n; ++k) trace += found.state_space.A[cell(k, n, k)];
    for (const Complex& s : exact) sum += s.real();
    CHECK(std::abs(trace - sum) < 1e-6);
  }
}

TEST_CASE("a disc that rolls straight on falls below the speed of the closed form and stands above it") {
  constexpr double m = 2, r = 0.3, It = m * r * r / 4, Ia = m * r * r / 2;
  for (double v = 0.5; v < 1.6; v += 0.1) {
    CAPTURE(v);
    MechanismDescription d;
    add_body(d, "disc", m, {It, Ia, It, 0, 0, 0}, {0, 0, r});
    MechanismJoint joint;
    joint.name = "contact";
    joint.kind = MechanismJointKind::rolling_disc;
    joint.j.body = 0;
    joint.j.X.R = joint_frame({}, {0, 1, 0}, {1, 0, 0}).R;
    joint.radius = r;
    d.joints.push_back(joint);
    d.bodies[0].velocity = {{0, v / r, 0}, {v, 0, 0}};
    const Linearisation found = about_start(d);
    CHECK(found.unsteady.empty());
    // of the lean: (It + m r^2) s^2 = m g r - Ia (Ia + m r^2) w^2 / It
    const Complex s =
        std::sqrt(Complex((m * 9.81 * r - Ia * (Ia + m * r * r) * v * v / (r * r) / It) / (It + m * r * r)));
    CHECK((s.real() > 0) == (v < std::sqrt(9.81 * r / 3)));
    std::vector<Complex> exact{s, -s};
    exact.insert(exact.end(), 6, 0);
    CHECK(apart(all_of(found), exact) < 1e-7);
  }
}

TEST_CASE("a rotor on soft bearings is steady if it or they are round, and only then") {
  for (const bool round_rotor : {true, false})
    for (const bool round_bearings : {true, false}) {
      CAPTURE(round_rotor);
      CAPTURE(round_bearings);
      MechanismDescription d;
      d.gravity = {};
      add_body(d, "rotor", 2, {0.02, round_rotor ? 0.02 : 0.03, 0.035, 0, 0, 0});
      add_joint(d, "pivot", MechanismJointKind::spherical, ground, 0, {}, {0, 0, 1});
      // springs along x and y at the tip of the shaft
      for (const bool along_x : {true, false}) {
        const Vec3<double> axis = along_x ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
        const int place = add_joint(d, MechanismJointKind::free, ground, 0, {0, 0, 0.2}, axis);
        MechanismSpring spring;
        spring.name = along_x ? "x" : "y";
        spring.measure = {place, Measure::What::slide};
        spring.k = along_x || round_bearings ? 4000 : 7000;
        d.springs.push_back(spring);
      }
      d.bodies[0].velocity.w = Vec3<double>{0, 0, 90};
      const Linearisation found = about_start(d);
      CHECK(found.unsteady.empty() == (round_rotor || round_bearings));
      if (!found.unsteady.empty()) continue;
      // a, b tilts about x and y. A round rotor is seen from the world, I (a'', b'') + I3 w (b', -a') + k l^2 (a, b) = 0; one
      // that is not from itself: I1 a'' - (I1 + I2 - I3) w b' + ((I3 - I2) w^2 + k l^2) a = 0 and likewise b
      const double I1 = 0.02, I2 = round_rotor ? 0.02 : 0.03, I3 = 0.035, w = 90, kx = 4000 * 0.04,
                   ky = (round_bearings ? 4000 : 7000) * 0.04;
      std::vector<double> A(16);
      A[2] = A[7] = 1;
      if (round_rotor) {
        A[cell(2, 4, 0)] = -ky / I1, A[cell(2, 4, 3)] = -I3 * w / I1;
        A[cell(3, 4, 1)] = -kx / I1, A[cell(3, 4, 2)] = I3 * w / I1;
      } else {
        const double c = (I1 + I2 - I3) * w;
        A[cell(2, 4, 0)] = -((I3 - I2) * w * w + ky) / I1, A[cell(2, 4, 3)] = c / I1;
        A[cell(3, 4, 1)] = -((I3 - I1) * w * w + kx) / I2, A[cell(3, 4, 2)] = -c / I2;
      }
      std::vector<Complex> exact = eigenvalues(A, 4);
      exact.insert(exact.end(), 2, 0);
      CHECK(apart(all_of(found), exact) < 1e-5);
    }
}

TEST_CASE("a motion that is not steady is called so, with equations of its instant") {
  MechanismDescription d = rods_in_line(2);
  d.bodies[0].velocity = {{0, 1, 0}, {0, 0, -0.5}};
  d.bodies[1].velocity = {{0, 1, 0}, {0, 0, -1.5}};
  const Linearisation falling = about_start(d);
  CHECK(falling.moving);
  CHECK(falling.unsteady.find("1/s^2 are left") != std::string::npos);
  CHECK(falling.state_space.A.size() == 16);
}

namespace {

/// A pendulum of 0.5 m leaning by an angle about y, its hinge on a carrier that goes along x by a polynomial of time.
MechanismDescription carried_pendulum(double lean, std::vector<double> way) {
  MechanismDescription d;
  MechanismCarrier carrier;
  carrier.name = "cart";
  carrier.position = {polynomial_in_time(std::move(way)), constant_in_time(0), constant_in_time(0)};
  d.carriers.push_back(carrier);
  const Mat3<double> R = rotation(quaternion_about(Vec3<double>{0, 1, 0}, lean));
  add_body(d, "bob", 1, {0.01, 0.02, 0.01, 0, 0, 0}, R * Vec3<double>{0, 0, -0.5}, R);
  const int hinge = add_hinge(d, "hinge", ground, 0, {}, {0, 1, 0});
  d.joints[static_cast<std::size_t>(hinge)].i.carrier = 0;
  return d;
}

}  // namespace

TEST_CASE("what hangs on an accelerating carrier rests where it leans back, and is seen from there") {
  constexpr double a = 3, g = 9.81, I = 0.02 + 0.25, l = 0.5;
  // straight down it swings off at once: relative to the carrier by m l a / I, in mass-normalised coordinates root I times that
  const Linearisation straight = about_start(carried_pendulum(0, {0, 0, a / 2}));
  CHECK(straight.left_over == doctest::Approx(l * a / std::sqrt(I)).epsilon(1e-9));
  const Linearisation leaning = about_start(carried_pendulum(std::atan2(a, g), {0, 0, a / 2}));
  CHECK(leaning.unsteady == "");
  CHECK(leaning.left_over < 1e-9);
  REQUIRE(leaning.modes.size() == 1);
  CHECK(leaning.modes[0].s.imag() == doctest::Approx(std::sqrt(l * std::hypot(a, g) / I)).epsilon(1e-7));
  CHECK(std::abs(leaning.modes[0].s.real()) < 1e-7);
}

TEST_CASE("a start at rest is no steady motion where what is prescribed moves it later or otherwise") {
  const auto says = [](const Linearisation& found, const char* words) {
    return found.unsteady.find(words) != std::string::npos;
  };
  CHECK(says(about_start(carried_pendulum(0, {0, 0, 0, 0.5})), "prescribed frame \"cart\" does not move evenly"));
  CHECK(about_start(carried_pendulum(0, {0.3})).unsteady == "");
  // held by the ground as well
  MechanismDescription held = carried_pendulum(0.2, {0, 0, 1.5});
  add_body(held, "slider", 1, {0.01, 0.02, 0.01, 0, 0, 0}, held.bodies[0].X_world_body.p);
  add_hinge(held, "pin", 0, 1, held.bodies[0].X_world_body.p, {0, 1, 0});
  add_joint(held, "plane", MechanismJointKind::planar, ground, 1, held.bodies[0].X_world_body.p, {0, 1, 0});
  CHECK(says(about_start(held), "accelerates otherwise"));
  // and where a driver sets off from rest
  MechanismDescription driven = carried_pendulum(0, {0});
  const int second = add_body(driven, "second", 1, {0.01, 0.02, 0.01, 0, 0, 0}, {0, 0, -1});
  const int knee = add_hinge(driven, "knee", 0, second, {0, 0, -0.7}, {0, 1, 0});
  driven.drivers.push_back(
      {"bend", {{{knee, Measure::What::angle}, 1, {}}}, polynomial_in_time({0, 0, 0, 0.5}), -1, {}});
  CHECK(says(about_start(driven), "the speed of driver \"bend\" changes"));
}

TEST_CASE("a conical pendulum is steady however little it resists to spin") {
  constexpr double g = 9.81, l = 0.5, tilt = 0.7, pi = 3.14159265358979;
  const double precession = std::sqrt(g / (l * std::cos(tilt)));
  for (const double I : {1e-2, 1e-5, 1e-7, 1e-8, 3e-9, 1e-9, 3e-10, 1e-10, 1e-11, 1e-12}) {
    CAPTURE(I);
    MechanismDescription d = top(1, l, I, I, pi - tilt);
    // it does not spin: its angular momentum about the mass centre is I precession, upright, and stays
    move(d, {0, 0, precession});
    const Linearisation found = about_start(d);
    CHECK(found.unsteady == "");
    // beside precession it nods at precession * root of 1 + 3 cos^2
    const auto nods = std::ranges::max_element(found.modes, {}, [](const Mode& mode) { return std::abs(mode.s); });
    REQUIRE(nods != found.modes.end());
    if (I > 1e-6) continue;
    CHECK(std::abs(nods->s.imag()) ==
          doctest::Approx(precession * std::sqrt(1 + 3 * std::cos(tilt) * std::cos(tilt))).epsilon(1e-5));
  }
}

TEST_CASE("of what is unsteady the numbers are those of the instant, seen from where it changes least") {
  // a pendulum that passes its lowest place: in its angle the rate of change is that of rest
  MechanismDescription pendulum;
  add_body(pendulum, "bob", 1, {0.01, 0.02, 0.01, 0, 0, 0}, {0, 0, -0.5});
  add_hinge(pendulum, "hinge", ground, 0, {}, {0, 1, 0});
  pendulum.bodies[0].velocity = {{0, 3, 0}, cross(Vec3<double>{0, 3, 0}, Vec3<double>{0, 0, -0.5})};
  const Linearisation swings = about_start(pendulum);
  CHECK(swings.unsteady != "");
  REQUIRE(swings.modes.size() == 1);
  CHECK(swings.modes[0].s.imag() == doctest::Approx(std::sqrt(0.5 * 9.81 / 0.27)).epsilon(1e-6));
  // forces that come later
  MechanismDescription pushed;
  add_body(pushed, "bob", 1, {0.01, 0.02, 0.01, 0, 0, 0}, {0, 0, -0.5});
  add_hinge(pushed, "hinge", ground, 0, {}, {0, 1, 0});
  MechanismForce force;
  force.name = "gust";
  force.force = {polynomial_in_time({0, 0, 1}), {}, {}};
  pushed.forces.push_back(force);
  CHECK(about_start(pushed).unsteady == "force \"gust\" changes with time");
  pushed.forces[0].force = {constant_in_time(0.2), {}, {}};
  CHECK(about_start(pushed).unsteady == "");
}
