#include "torsor/model/configuration.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Description one_of_each() {
  Description d;
  for (const JointRow& r : joint_rows) {
    LinkDescription link{.name = std::string(r.name), .joint_name = link.name + "_joint", .kind = *joint_kind(r.name)};
    link.pitch = 0.1;
    d.links.push_back(link);
  }
  return d;
}

}  // namespace

TEST_CASE("positions become cosines and sines, displacements and unit quaternions") {
  const Model<double> model = built(one_of_each());
  REQUIRE(model.nq == 17);
  const Numbers q{0.4, 0.5, 0.6, 0.7, 5, 6, 1, 2, -2, 4, 3, 0, 0, 4, 7, 8, 9};
  Configuration<double> c(model);
  REQUIRE(c.size() == 7);
  c.set(model, q);
  CHECK(c[1].c == std::cos(0.4));
  CHECK(c[1].s == std::sin(0.4));
  CHECK(c[2].d == 0.5);
  CHECK(c[3].c == std::cos(0.6));
  CHECK(c[3].s == std::sin(0.6));
  CHECK(c[3].d == doctest::Approx(0.06).epsilon(1e-15));
  CHECK(c[4].c == std::cos(0.7));
  CHECK(c[4].s == std::sin(0.7));
  CHECK(apart(c[4].p, Vec3<double>{5, 6, 0}) == 0);
  CHECK(apart(c[5].e, Quaternion<double>{0.2, 0.4, -0.4, 0.8}) < 1e-15);
  CHECK(apart(c[6].e, Quaternion<double>{0.6, 0, 0, 0.8}) < 1e-15);
  CHECK(apart(c[6].p, Vec3<double>{7, 8, 9}) == 0);
}

TEST_CASE("a mimic joint is at ratio * q + offset") {
  Description d = one_of_each();
  d.links[2].mimic = Mimic{"revolute_joint", -2, 0.25, {}};
  d.links[3].mimic = Mimic{"prismatic_joint", 3, 1, {}};
  const Model<double> model = built(d);
  Numbers q(static_cast<std::size_t>(model.nq), 0.0);
  q[0] = 0.1;
  Configuration<double> c(model);
  c.set(model, q);
  const double slide = -2 * 0.1 + 0.25, screw = 3 * slide + 1;
  CHECK(c[2].d == doctest::Approx(slide).epsilon(1e-15));
  CHECK(c[3].c == doctest::Approx(std::cos(screw)).epsilon(1e-15));
  CHECK(c[3].d == doctest::Approx(0.1 * screw).epsilon(1e-15));
}

TEST_CASE("setting a configuration again forgets the old one") {
  const Model<double> model = built(one_of_each());
  Random random(231);
  const State a = random_state(random, model), b = random_state(random, model);
  Configuration<double> used(model), fresh(model);
  used.set(model, a.q);
  used.set(model, b.q);
  fresh.set(model, b.q);
  for (int i = 0; i < model.size(); ++i)
    CHECK(apart(pose_in_parent(model, used, i), pose_in_parent(model, fresh, i)) == 0);
}

TEST_CASE("the neutral position has zeros and unit quaternions, and leaves every joint at its placement") {
  const Model<double> model = built(one_of_each());
  const Numbers q = neutral_position(model);
  CHECK(difference(q, Numbers{0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}) == 0);
  Configuration<double> c(model);
  c.set(model, q);
  for (int i = 0; i < model.size(); ++i) CHECK(apart(pose_in_parent(model, c, i), model[i].placement) == 0);
}
