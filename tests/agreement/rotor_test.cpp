// Rotors: as a diagonal, as bodies, behind coupled transmissions; each against mechanics written out by hand.
#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A planar arm with parallel axes and rotors on all joints.
Description planar_arm(Random& random, int n, bool as_body) {
  Description d;
  for (int i = 0; i < n; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i);
    link.joint_name = "joint" + std::to_string(i);
    link.geometry = JointPlacement{{Mat3<double>::identity(), {i == 0 ? 0 : 0.4, 0, 0}}, {0, 0, 1}};
    link.parts = {part_of({{1.0, random.vector(0.4)}, {2.0, random.vector(0.4)}}, InertiaAbout::mass_centre)};
    link.rotor = Rotor{.inertia = random.uniform(1e-3, 2e-3), .gear = random.either_sign(5, 50), .as_body = as_body};
    d.links.push_back(link);
  }
  return d;
}

}  // namespace

TEST_CASE("a rotor as a diagonal adds gear^2 J to its own joint and nothing else") {
  Random random(7000);
  Description d = planar_arm(random, 3, false);
  const Model<double> with = built(d);
  std::vector<double> seen;
  for (LinkDescription& link : d.links) {
    seen.push_back(link.rotor->gear * link.rotor->gear * link.rotor->inertia);
    link.rotor.reset();
  }
  const Model<double> without = built(d);
  const auto [q, qd, qdd] = random_state(random, with);
  const Numbers share = sum(mass_matrix(with, q), mass_matrix(without, q), -1);
  CHECK(difference(share, Numbers{seen[0], 0, 0, 0, seen[1], 0, 0, 0, seen[2]}) < 1e-14);
  const Numbers extra = sum(inverse(with, q, qd, qdd), inverse(without, q, qd, qdd), -1);
  CHECK(difference(extra, Numbers{seen[0] * qdd[0], seen[1] * qdd[1], seen[2] * qdd[2]}) < 1e-13);
}

TEST_CASE("what the diagonal neglects in a planar arm is the turning of the rotor with the links before it") {
  // the rotor of joint j turns with qd_0 + .. + qd_(j-1) + g qd_j: energy J/2 (...)^2, of which the diagonal has (g qd_j)^2 only
  Random random(7001);
  for (int k = 0; k < draws(20); ++k) {
    const std::size_t n = 4;
    Description d = planar_arm(random, static_cast<int>(n), false);
    const Model<double> diagonal = built(d);
    Numbers expected(n * n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      d.links[j].rotor->as_body = true;
      const double J = d.links[j].rotor->inertia, g = d.links[j].rotor->gear;
      for (std::size_t a = 0; a < j; ++a) {
        for (std::size_t b = 0; b < j; ++b) expected[a * n + b] += J;
        expected[a * n + j] += J * g;
        expected[j * n + a] += J * g;
      }
    }
    const Model<double> bodies = built(d);
    const auto [q, qd, qdd] = random_state(random, bodies);
    CHECK(difference(sum(mass_matrix(bodies, q), mass_matrix(diagonal, q), -1), expected) < 1e-13);
    CHECK(difference(sum(inverse(bodies, q, qd, qdd), inverse(diagonal, q, qd, qdd), -1), times(expected, qdd)) <
          1e-12);
  }
}

TEST_CASE("a rotor as a body is a link of its own that mimics the joint") {
  Random random(7002);
  for (int k = 0; k < draws(30); ++k) {
    Description d = random_robot(random, {.links = 2 + random.below(6), .rotor_bodies = true}).description;
    d.convention = Convention::placement;
    for (LinkDescription& link : d.links)
      if (!std::holds_alternative<JointPlacement>(link.geometry))
        link.geometry = JointPlacement{random.transform(0.3), random.direction()};
    const Model<double> short_form = built(d);

    // names every parent first, since links are inserted
    for (std::size_t i = 0; i < d.links.size(); ++i)
      if (!d.links[i].parent) d.links[i].parent = d.links[i - 1].name;
    const std::size_t count = d.links.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (!d.links[i].rotor) continue;
      const Rotor rotor = *d.links[i].rotor;
      LinkDescription spinning;
      spinning.name = "spinning" + std::to_string(i);
      spinning.joint_name = "bearing" + std::to_string(i);
      spinning.parent = d.links[i].parent;
      JointPlacement place = std::get<JointPlacement>(d.links[i].geometry);
      const Vec3<double> u = place.axis * (1 / norm(place.axis));
      spinning.geometry = place;
      // all its inertia is about the axis: J u u^T
      Part part;
      part.tensor = symmetric(outer(u, u) * rotor.inertia);
      spinning.parts = {part};
      spinning.mimic = Mimic{d.links[i].joint_name, rotor.gear, 0, {}};
      d.links[i].rotor.reset();
      d.links.push_back(spinning);
    }
    const Model<double> long_form = built(d);
    REQUIRE(long_form.nv == short_form.nv);
    const auto [q, qd, qdd] = random_state(random, short_form);
    const Numbers tau = inverse(short_form, q, qd, qdd), M = mass_matrix(short_form, q);
    CHECK(difference(inverse(long_form, q, qd, qdd), tau) < 1e-12 * (1 + largest(tau)));
    CHECK(difference(mass_matrix(long_form, q), M) < 1e-12 * (1 + largest(M)));
  }
}

TEST_CASE("a spinning rotor as a body resists tilting with its spin: gyroscopic torque by hand") {
  // a turntable about x carries a rotor about z that spins g times as fast as joint 2 turns; tilting at rate W about x needs, besides the
  // tensor, the moment W x (J g qd) = -W J g qd along y, which the turntable's bearing takes
  Description d;
  LinkDescription table, wheel;
  table.name = "table", table.joint_name = "tilt";
  table.geometry = JointPlacement{{}, {1, 0, 0}};
  wheel.name = "wheel", wheel.joint_name = "turn";
  wheel.rotor = Rotor{.inertia = 0.02, .gear = 30, .as_body = true};
  d.links = {table, wheel};
  d.gravity = {};
  const Model<double> model = built(d);
  TreeDynamics<double> dynamics(model);
  const Numbers q{0, 0}, qd{2, 5}, qdd{0, 0};
  Numbers tau(2);
  dynamics.inverse(q, qd, qdd, tau);
  CHECK(largest(tau) < 1e-15);
  const Transform<double> X_world_table = poses(model, q)[0];
  const Force<double> bearing = X_world_table * dynamics.reactions()[0];
  CHECK(apart(bearing.n, Vec3<double>{0, -2.0 * 0.02 * 30 * 5, 0}) < 1e-14);
}

TEST_CASE("rotors behind a coupled transmission store the energy of their own speeds") {
  Random random(7003);
  for (int k = 0; k < draws(20); ++k) {
    Description d = planar_arm(random, 3, false);
    for (LinkDescription& link : d.links) link.rotor.reset();
    const Model<double> without = built(d);
    // joint speeds = A * motor speeds, upper triangular, so that the motor speeds can be written down
    const double a = random.uniform(0.01, 0.1), b = random.uniform(0.01, 0.1), c = random.uniform(0.01, 0.1), J1 = 1e-3,
                 J2 = 3e-3;
    d.transmissions = {{{"m1", "m2"}, {"joint1", "joint2"}, {{a, b}, {0, c}}, {J1, J2}, {}}};
    const Model<double> with = built(d);
    const auto [q, qd, qdd] = random_state(random, with);
    const double w2 = qd[2] / c, w1 = (qd[1] - b * w2) / a, energy = (J1 * w1 * w1 + J2 * w2 * w2) / 2;
    CHECK(energies(with, q, qd).kinetic - energies(without, q, qd).kinetic == doctest::Approx(energy).epsilon(1e-12));

    // seen from the motors, the rotors are their own diagonal
    const Numbers rotors = sum(mass_matrix(with, q), mass_matrix(without, q), -1),
                  block{rotors[4], rotors[5], rotors[7], rotors[8]}, A{a, b, 0, c};
    CHECK(difference(product(transposed(A, 2), product(block, A, 2), 2), Numbers{J1, 0, 0, J2}) < 1e-14);

    // and accelerating them takes their inertia alone
    const Numbers extra = sum(inverse(with, q, qd, qdd), inverse(without, q, qd, qdd), -1);
    const double wd2 = qdd[2] / c, wd1 = (qdd[1] - b * wd2) / a;
    CHECK(relative(times(transposed(A, 2), Numbers{extra[1], extra[2]}), Numbers{J1 * wd1, J2 * wd2}) < 1e-11);
  }
}
