// The engine of the face: sizes, statuses, loads and a robot that changes, one state and rows; the numbers themselves are
// those of its parts, which have tests of their own.
#include "torsor/dynamics.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/support/allocations.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/embedded_robots.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A serial arm, a tree, a tree with quaternions, and one with shared coordinates.
std::vector<Model<double>> models() {
  std::vector<Model<double>> all;
  for (const char* name : {"puma560", "stanford", "two_arm", "floating"}) all.push_back(Robot::load(name).model());
  Random random(41);
  all.push_back(
      built(random_robot(random, {.links = 9, .rotors = true, .friction = true, .mimics = true}).description));
  return all;
}

}  // namespace

TEST_CASE("spans of a wrong size are refused, and nothing is written") {
  Dynamics dynamics(Robot::load("puma560"));
  const Numbers six(6, 0.1), five(5, 0.1);
  Numbers tau(6, 7.0), M(36, 7.0), few(5, 7.0);
  CHECK(dynamics.inverse(five, six, six, tau).kind == Status::wrong_size);
  CHECK(dynamics.inverse(six, five, six, tau).kind == Status::wrong_size);
  CHECK(dynamics.inverse(six, six, five, tau).kind == Status::wrong_size);
  CHECK(dynamics.inverse(six, six, six, few).kind == Status::wrong_size);
  CHECK(dynamics.mass(six, few).kind == Status::wrong_size);
  CHECK(dynamics.forward(six, six, {}, tau).kind == Status::wrong_size);
  CHECK(dynamics.inverse(six, six, six, tau, {M, M, few}).kind == Status::wrong_size);
  CHECK(dynamics.inverse(2, {six.data(), 0}, {}, {}, {M.data(), 3}).kind == Status::wrong_size);
  CHECK(dynamics.inverse(2, {six.data(), 0}, {}, {}, {M.data(), 0}).kind == Status::wrong_size);
  CHECK(dynamics.inverse(1, {}, {}, {}, {tau.data(), 6}).kind == Status::wrong_size);
  CHECK(dynamics.set_loads({{}, std::vector<Force<double>>(99)}).kind == Status::wrong_size);
  for (const Numbers* each : {&tau, &M, &few})
    for (const double x : *each) CHECK(x == 7.0);
  CHECK(dynamics.inverse(six, {}, {}, tau));
}

TEST_CASE("a state that is not finite is reported as that, in every argument and coordinate") {
  std::vector<Model<double>> all = models();
  for (const EmbeddedRobot& robot : embedded_robots()) all.push_back(Robot::load(std::string(robot.name)).model());
  for (const Model<double>& model : all) {
    CAPTURE(model.name);
    Dynamics dynamics(model);
    Random random(5);
    const State sound = random_state(random, model);
    Numbers tau(sound.qd.size()), qdd(tau.size()), M(tau.size() * tau.size());
    CHECK(dynamics.inverse(sound.q, sound.qd, sound.qdd, tau));
    for (Numbers State::*part : {&State::q, &State::qd, &State::qdd})
      for (std::size_t k = 0; k < (sound.*part).size(); ++k)
        for (const double x : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
          CAPTURE(k);
          CAPTURE(x);
          State s = sound;
          (s.*part)[k] = x;
          CHECK(dynamics.inverse(s.q, s.qd, s.qdd, tau).kind == Status::not_finite);
          CHECK(dynamics.forward(s.q, s.qd, s.qdd, qdd).kind == Status::not_finite);
          CHECK((part != &State::q || dynamics.mass(s.q, M).kind == Status::not_finite));
        }
  }
}

TEST_CASE("a coordinate that moves no mass is a status with its index") {
  Description arm = Robot::load("two_link").description();
  arm.links[1].parts.clear();
  Dynamics dynamics{Robot(arm)};
  const Numbers zero(2, 0.0);
  Numbers qdd(2), a(4), b(4), c(4);
  CHECK(dynamics.forward(zero, zero, zero, qdd).kind == Status::massless);
  CHECK(dynamics.forward(zero, zero, zero, qdd).coordinate == 1);
  CHECK(dynamics.forward(zero, zero, zero, qdd, {a, b, c}).kind == Status::massless);
}

TEST_CASE("with another gravity, other inertias and loads it is the robot made anew, and allocates nothing") {
  for (const Model<double>& model : models()) {
    CAPTURE(model.name);
    Random random(6);
    const State s = random_state(random, model);
    const auto n = static_cast<std::size_t>(model.nv);
    Numbers tau(n), expected(n), M(n * n), M_expected(n * n), qdd(n), rows(n);
    Dynamics dynamics(model);
    Model<double> changed = model;
    changed.gravity = {1, -2, 3};
    const int last = model.size() - 1;
    changed.bodies[last].inertia += inertia_about_centre(2.5, {0.1, 0.2, 0.3}, Sym3<double>{0.1, 0.2, 0.15});
    Loads loads;
    loads.base = {random.vector(1), random.vector(1), random.vector(1)};
    loads.add_wrench({"", last, {}}, {random.vector(3), random.vector(3)});

    const long before = allocations;
    dynamics.set_gravity(changed.gravity);
    dynamics.set_inertia(last, changed.bodies[last].inertia);
    dynamics.set_loads(loads);
    CHECK(dynamics.inverse(s.q, s.qd, s.qdd, tau));
    CHECK(dynamics.mass(s.q, M));
    CHECK(dynamics.forward(s.q, s.qd, tau, qdd));
    CHECK(allocations == before);

    TreeDynamics<double> tree(changed);
    tree.loads = loads;
    tree.inverse(s.q, s.qd, s.qdd, expected);
    tree.mass(s.q, M_expected);
    const double size = 1 + largest(expected) + largest(times(M_expected, s.qdd));
    CHECK(difference(tau, expected) < 1e-12 * size);
    CHECK(relative(M, M_expected) < 1e-12);
    CHECK(difference(qdd, s.qdd) < 1e-8 * (1 + largest(s.qdd)));
    const auto row = [](const Numbers& x) {
      return Dynamics::ConstRows{x.data(), static_cast<std::ptrdiff_t>(x.size())};
    };
    CHECK(dynamics.inverse(1, row(s.q), row(s.qd), row(s.qdd), {rows.data(), model.nv}));
    CHECK(difference(rows, expected) < 1e-12 * size);

    // and back: nothing of it is left
    Dynamics fresh(model);
    dynamics.set_gravity(model.gravity);
    dynamics.set_inertia(last, model[last].inertia);
    dynamics.set_loads({});
    dynamics.inverse(s.q, s.qd, s.qdd, tau);
    fresh.inverse(s.q, s.qd, s.qdd, expected);
    CHECK(difference(tau, expected) <= 1e-14 * size);
  }
}

TEST_CASE("reactions, energy, Coriolis matrix and frames are those of the tree") {
  for (const Model<double>& model : models()) {
    CAPTURE(model.name);
    Random random(7);
    const State s = random_state(random, model);
    const auto n = static_cast<std::size_t>(model.nv);
    Dynamics dynamics(model);
    TreeDynamics<double> tree(model);
    Numbers tau(n), expected(n), C(n * n), J(6 * n), J_tool(6 * n), rate(n);
    std::vector<Force<double>> forces(model.bodies.size());
    tree.inverse(s.q, s.qd, s.qdd, expected);
    CHECK(dynamics.reactions(s.q, s.qd, s.qdd, tau, forces));
    CHECK(tau == expected);
    for (std::size_t i = 0; i < forces.size(); ++i) CHECK(norm(forces[i].f - tree.reactions()[i].f) == 0);

    CHECK(dynamics.coriolis_matrix(s.q, s.qd, C));
    CHECK(dynamics.coriolis(s.q, s.qd, tau));
    CHECK(difference(times(C, s.qd), tau) < 1e-11 * (1 + largest(tau)));

    Transform<double> tool, frame;
    CHECK(dynamics.tool(s.q, tool, J_tool));
    CHECK(dynamics.frame(s.q, dynamics.model().frames.back(), frame, J));
    CHECK(norm(tool.p - frame.p) < 1e-12);
    CHECK(difference(J, J_tool) < 1e-12 * (1 + largest(J)));
    Energy<double> energy;
    CHECK(dynamics.energy(s.q, s.qd, energy));
    Numbers M(n * n);
    dynamics.mass(s.q, M);
    CHECK(energy.kinetic == doctest::Approx(dot(times(M, s.qd), s.qd) / 2).epsilon(1e-10));
  }
}

TEST_CASE("a tool of the options is the one whose pose is given") {
  const Robot arm = Robot::load("puma560");
  const Frame<double> elbow = arm.tool(arm.model().link_names[2]);
  Dynamics dynamics(arm, {.tool = elbow});
  const Numbers q(6, 0.3);
  Numbers J(36);
  Transform<double> tool, frame;
  CHECK(dynamics.tool(q, tool, J));
  CHECK(dynamics.frame(q, elbow, frame));
  CHECK(norm(tool.p - frame.p) < 1e-14);
}
