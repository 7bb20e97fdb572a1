#include "torsor/dynamics/energy.hpp"

#include <doctest/doctest.h>

#include "tests/support/along_motion.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a rod that turns about its end has the energies of the textbook") {
  const double m = 3, l = 0.8, q = 0.5, qd = 2;
  Description d;
  LinkDescription link{.name = "rod", .joint_name = "pivot"};
  link.geometry = JointPlacement{{}, {0, -1, 0}};  // turning lifts the rod out of the x axis
  link.parts = {{m, {l / 2, 0, 0}, {0, m * l * l / 12, m * l * l / 12, 0, 0, 0}, InertiaAbout::mass_centre, {}}};
  d.links = {link};
  const Energy<double> e = energies(built(d), Numbers{q}, Numbers{qd});
  CHECK(e.kinetic == doctest::Approx(m * l * l / 3 * qd * qd / 2).epsilon(1e-14));
  CHECK(e.potential == doctest::Approx(m * 9.81 * l / 2 * std::sin(q)).epsilon(1e-14));
  CHECK(e.mass == m);
  CHECK(apart(e.first_moment, Vec3<double>{m * l / 2 * std::cos(q), 0, m * l / 2 * std::sin(q)}) < 1e-14);
  CHECK(apart(e.momentum.n, Vec3<double>{0, -m * l * l / 3 * qd, 0}) < 1e-14);
  CHECK(apart(e.momentum.f, Vec3<double>{-m * l / 2 * std::sin(q) * qd, 0, m * l / 2 * std::cos(q) * qd}) < 1e-14);
}

TEST_CASE("energies, mass centre and momentum are sums over the particles") {
  Random random(111);
  for (int k = 0; k < draws(40); ++k) {
    const RandomRobot robot =
        random_robot(random, {.links = 1 + random.below(10), .floating = k % 2 == 0, .mimics = k % 3 == 0});
    const Model<double> model = built(robot.description);
    const State state = random_state(random, model);
    const std::vector<Transform<Time1>> X = poses(cast<Time1>(model), position_along(model, state.q, state.qd));
    double kinetic = 0, potential = 0, mass = 0;
    Vec3<double> first_moment, linear, angular;
    for (std::size_t l = 0; l < robot.description.links.size(); ++l) {
      const int i = model.body_index(robot.description.links[l].name);
      for (const auto& [m, at] : robot.particles[l]) {
        const Vec3<Time1> moving = X[i] * cast<Time1>(model[i].link * at, [](double x) { return Time1(x); });
        const Vec3<double> r = value(moving), v = rate(moving);
        kinetic += m * dot(v, v) / 2;
        potential -= m * dot(model.gravity, r);
        mass += m;
        first_moment += r * m;
        linear += v * m;
        angular += cross(r, v) * m;
      }
    }
    const Energy<double> e = energies(model, state.q, state.qd);
    CHECK(e.kinetic == doctest::Approx(kinetic).epsilon(1e-12));
    CHECK(std::abs(e.potential - potential) < 1e-12 * (1 + mass * 9.81));
    CHECK(e.mass == doctest::Approx(mass).epsilon(1e-14));
    CHECK(apart(e.first_moment, first_moment) < 1e-12 * mass);
    CHECK(apart(e.momentum.f, linear) < 1e-12 * (1 + kinetic + mass));
    CHECK(apart(e.momentum.n, angular) < 1e-12 * (1 + kinetic + mass));
    const Vec3<double> c = first_moment * (1 / mass);
    CHECK(apart(momentum_about_mass_centre(e), angular - cross(c, linear)) < 1e-12 * (1 + kinetic + mass));
  }
}

TEST_CASE("rotors on the diagonal store energy and carry no momentum") {
  Random random(112);
  Description d = random_robot(random, {.links = 3, .one_dof = true}).description;
  for (LinkDescription& link : d.links) link.kind = JointKind::revolute;
  const Model<double> without = built(d);
  d.links[1].rotor = Rotor{.inertia = 1e-3, .gear = -20};
  const Model<double> with = built(d);
  const State state = random_state(random, with);
  const Energy<double> a = energies(with, state.q, state.qd), b = energies(without, state.q, state.qd);
  CHECK(a.kinetic - b.kinetic == doctest::Approx(0.4 * state.qd[1] * state.qd[1] / 2).epsilon(1e-12));
  CHECK(apart(a.momentum, b.momentum) == 0);
}
