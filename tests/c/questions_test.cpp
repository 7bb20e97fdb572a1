// Derivatives, Coriolis terms, reactions, energies and poses through the C interface, with everything that can act on a
// robot: the numbers of Dynamics, on every built-in robot.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "c/torsor.h"
#include "tests/support/count_allocations.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/files/embedded_robots.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

void append(Numbers& to, const Vec3<double>& v) { to.insert(to.end(), {v.x, v.y, v.z}); }

Numbers flat_energy(const Energy<double>& e) {
  Numbers all{e.kinetic, e.potential, e.mass};
  append(all, e.first_moment * (1 / e.mass));
  append(all, e.momentum.f);
  append(all, e.momentum.n);
  return all;
}

Numbers flat_energy(const torsor_energies& e) {
  Numbers all{e.kinetic, e.potential, e.mass};
  for (const double* v : {e.mass_centre, e.momentum, e.angular_momentum}) all.insert(all.end(), v, v + 3);
  return all;
}

}  // namespace

TEST_CASE("on every built-in robot under loads the C interface answers as Dynamics does, and allocates nothing") {
  Random random(510);
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    const std::string name(embedded.name);
    CAPTURE(name);
    const Robot cpp = Robot::load(name);
    const Model<double>& model = cpp.model();
    torsor_robot* robot = nullptr;
    REQUIRE(torsor_load(name.c_str(), &robot) == TORSOR_OK);
    const std::size_t nv = static_cast<std::size_t>(model.nv), n = nv * nv, bodies = model.bodies.size();
    const auto [q, qd, qdd] = random_state(random, model);

    // a wrench on a link, and a base that moves
    const double force[] = {3, -2, 1}, moment[] = {0.3, 0.1, -0.2};
    const double w[] = {0.2, -0.1, 0.3}, wd[] = {0.5, 0.4, -0.6}, a[] = {1, -2, 0.5};
    const int link = model.size() / 2;
    Loads loads;
    loads.base = {{w[0], w[1], w[2]}, {wd[0], wd[1], wd[2]}, {a[0], a[1], a[2]}};
    loads.external.resize(bodies);
    loads.add_wrench({"", link, model[link].link}, {{moment[0], moment[1], moment[2]}, {force[0], force[1], force[2]}});
    Dynamics dynamics(cpp);
    REQUIRE(dynamics.set_loads(loads));

    Numbers tau(nv), dq(n), dqd(n), dlast(n), given(nv), gdq(n), gdqd(n), gdlast(n), C(n), gC(n), reactions(6 * bodies);
    Numbers positions(3 * (bodies + model.frames.size())), rotations(3 * positions.size());
    torsor_energies energies;
    const long before = allocations;
    const torsor_status statuses[] = {
        torsor_set_wrench(robot, link, force, moment),
        torsor_set_base_motion(robot, w, wd, a),
        torsor_inverse_derivatives(robot, q.data(), qd.data(), qdd.data(), given.data(), gdq.data(), gdqd.data(),
                                   gdlast.data()),
        torsor_coriolis_matrix(robot, q.data(), qd.data(), gC.data()),
        torsor_reactions(robot, q.data(), qd.data(), qdd.data(), nullptr, reactions.data()),
        torsor_energy(robot, q.data(), qd.data(), &energies),
        torsor_poses(robot, q.data(), positions.data(), rotations.data())};
    const long after = allocations;
    for (const torsor_status status : statuses) CHECK(status == TORSOR_OK);
    CHECK(after == before);

    dynamics.inverse(q, qd, qdd, tau, {dq, dqd, dlast});
    CHECK(given == tau);
    CHECK(gdq == dq);
    CHECK(gdqd == dqd);
    CHECK(gdlast == dlast);
    dynamics.coriolis_matrix(q, qd, C);
    CHECK(gC == C);
    Numbers expected(nv);
    dynamics.coriolis(q, qd, expected);
    CHECK(torsor_coriolis(robot, q.data(), qd.data(), given.data()) == TORSOR_OK);
    CHECK(given == expected);

    // accelerations, where they are determined
    const Status status = dynamics.forward(q, qd, tau, expected, {dq, dqd, dlast});
    const torsor_status answered = torsor_forward_derivatives(robot, q.data(), qd.data(), tau.data(), given.data(),
                                                              gdq.data(), gdqd.data(), gdlast.data());
    CHECK(answered == (status ? TORSOR_OK : TORSOR_SINGULAR));
    CHECK(torsor_massless_coordinate(robot) == status.coordinate);
    if (status) {
      CHECK(given == expected);
      CHECK(gdq == dq);
      CHECK(gdqd == dqd);
      CHECK(gdlast == dlast);
    }

    // at the links' own frames
    std::vector<Force<double>> forces(bodies);
    dynamics.reactions(q, qd, qdd, tau, forces);
    Numbers at_links;
    for (std::size_t i = 0; i < bodies; ++i) {
      const Force<double> f = ~model.bodies[i].link * forces[i];
      append(at_links, f.n);
      append(at_links, f.f);
    }
    CHECK(reactions == at_links);

    Energy<double> e;
    dynamics.energy(q, qd, e);
    if (e.mass > 0) CHECK(flat_energy(energies) == flat_energy(e));

    for (int frame = 0; frame < torsor_frame_count(robot); ++frame) {
      Numbers p(3), R(9);
      const auto at = static_cast<std::ptrdiff_t>(frame);
      CHECK(torsor_kinematics(robot, q.data(), frame, p.data(), R.data()) == TORSOR_OK);
      CHECK(Numbers(positions.begin() + 3 * at, positions.begin() + 3 * at + 3) == p);
      CHECK(Numbers(rotations.begin() + 9 * at, rotations.begin() + 9 * at + 9) == R);
    }
    torsor_free(robot);
  }
}

TEST_CASE("in C the joint's own torque is the reaction about its axis") {
  // a pendulum of 2 kg at 0.5 m along x, about y of the file: m g l against gravity
  const std::string urdf =
      "<robot name='p'><link name='base'/><link name='rod'><inertial><origin xyz='0.5 0 0'/><mass value='2'/>"
      "<inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'/></inertial></link>"
      "<joint name='j' type='continuous'><parent link='base'/><child link='rod'/><axis xyz='0 1 0'/></joint></robot>";
  torsor_robot* robot = nullptr;
  REQUIRE(torsor_load_text(urdf.data(), urdf.size(), &robot) == TORSOR_OK);
  REQUIRE(torsor_link_count(robot) >= 1);
  const double q[] = {0}, down[] = {0, 0, -10};
  REQUIRE(torsor_set_gravity(robot, down) == TORSOR_OK);
  double tau = 0;
  Numbers reactions(6 * static_cast<std::size_t>(torsor_link_count(robot)));
  REQUIRE(torsor_reactions(robot, q, nullptr, nullptr, &tau, reactions.data()) == TORSOR_OK);
  int link = 0;  // not torsor_frame_index, which finds the default tool of that name first
  while (torsor_frame_name(robot, link) != std::string("rod")) ++link;
  REQUIRE(link < torsor_link_count(robot));
  const auto rod = reactions.begin() + 6 * link;
  CHECK(std::abs(rod[1] - tau) < 1e-12);
  CHECK(std::abs(rod[1] + 10) < 1e-12);
  CHECK(std::abs(rod[5] - 20) < 1e-12);
  torsor_free(robot);
}

TEST_CASE("in C a clone keeps the motion of the base and the threads, and a refusal says why") {
  torsor_robot *robot = nullptr, *copy = nullptr;
  REQUIRE(torsor_load("puma560", &robot) == TORSOR_OK);
  const double q[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, a[] = {1, 2, 3};
  double tau[6], other[6], M[36];
  REQUIRE(torsor_set_base_motion(robot, a, a, a) == TORSOR_OK);
  REQUIRE(torsor_set_payload(robot, 6, 2, nullptr, nullptr) == TORSOR_OK);
  REQUIRE(torsor_set_threads(robot, 2) == TORSOR_OK);
  REQUIRE(torsor_clone(robot, &copy) == TORSOR_OK);
  REQUIRE(torsor_gravity(robot, q, tau) == TORSOR_OK);
  REQUIRE(torsor_gravity(copy, q, other) == TORSOR_OK);
  for (int k = 0; k < 6; ++k) CHECK(tau[k] == other[k]);
  REQUIRE(torsor_set_base_motion(copy, nullptr, nullptr, nullptr) == TORSOR_OK);
  REQUIRE(torsor_gravity(copy, q, other) == TORSOR_OK);
  CHECK(tau[1] != other[1]);

  CHECK(torsor_set_threads(robot, 0) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_mass(robot, nullptr, M) == TORSOR_BAD_ARGUMENT);
  CHECK(std::string(torsor_error_message()).starts_with("torsor_mass: "));
  const double bad[] = {NAN, 0, 0};
  CHECK(torsor_set_base_motion(robot, nullptr, bad, nullptr) == TORSOR_NOT_FINITE);
  CHECK(torsor_energy(robot, q, nullptr, nullptr) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_poses(robot, q, nullptr, nullptr) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_exit_code(TORSOR_OK) == 0);
  CHECK(torsor_exit_code(TORSOR_NO_SOLUTION) == 1);
  CHECK(torsor_exit_code(TORSOR_SINGULAR) == 1);
  CHECK(torsor_exit_code(TORSOR_BAD_INPUT) == 2);
  torsor_free(copy);
  torsor_free(robot);
}

TEST_CASE("dynamics of a robot without masses are refused, kinematics are not, and a payload is a mass") {
  const std::string urdf =
      "<robot name='bare'><link name='a'/><link name='b'/><joint name='j' type='continuous'><parent link='a'/><child "
      "link='b'/>"
      "<axis xyz='0 1 0'/></joint></robot>";
  torsor_robot* robot = nullptr;
  REQUIRE(torsor_load_text(urdf.data(), urdf.size(), &robot) == TORSOR_OK);
  const double q = 0.3, com[3] = {0.5, 0, 0};
  double tau = 7, jacobian[6];
  CHECK(torsor_inverse(robot, &q, nullptr, nullptr, &tau) == TORSOR_BAD_INPUT);
  CHECK(std::string(torsor_error_message()).find("robot-massless") != std::string::npos);
  CHECK(torsor_gravity(robot, &q, &tau) == TORSOR_BAD_INPUT);
  CHECK(torsor_mass(robot, &q, &tau) == TORSOR_BAD_INPUT);
  CHECK(torsor_forward(robot, &q, nullptr, nullptr, &tau) == TORSOR_BAD_INPUT);
  CHECK(torsor_inverse_rows(robot, 1, &q, nullptr, nullptr, &tau) == TORSOR_BAD_INPUT);
  CHECK(tau == 7);
  CHECK(torsor_jacobian(robot, &q, 0, jacobian) == TORSOR_OK);
  REQUIRE(torsor_set_payload(robot, 0, 2, com, nullptr) == TORSOR_OK);
  CHECK(torsor_gravity(robot, &q, &tau) == TORSOR_OK);
  CHECK(tau == doctest::Approx(-2 * 9.81 * 0.5 * std::cos(q)));
  torsor_free(robot);
}
