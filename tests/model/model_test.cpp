#include "torsor/model/model.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a cast model has the same structure and the converted numbers") {
  Random random(241);
  Description d =
      random_robot(random, {.links = 8, .rotors = true, .friction = true, .mimics = true, .transmission = true})
          .description;
  d.tools = {{"tip", "link7", random.transform(0.1), {}}};
  const Model<double> model = built(d), copy = cast<double>(model);
  CHECK(copy.name == model.name);
  CHECK(copy.nq == model.nq);
  CHECK(copy.nv == model.nv);
  CHECK(copy.link_names == model.link_names);
  CHECK(copy.joint_names == model.joint_names);
  CHECK(copy.position_names == model.position_names);
  CHECK(copy.velocity_names == model.velocity_names);
  CHECK(copy.limits.size() == model.limits.size());
  CHECK(copy.transmissions.size() == model.transmissions.size());
  CHECK(copy.friction.size() == model.friction.size());
  CHECK(apart(copy.frames.at(0).X_body_frame, model.frames.at(0).X_body_frame) == 0);
  CHECK(copy.coupled() == model.coupled());
  const auto [q, qd, qdd] = random_state(random, model);
  CHECK(difference(inverse(copy, q, qd, qdd), inverse(model, q, qd, qdd)) == 0);
  CHECK(difference(friction(copy, q, qd), friction(model, q, qd)) == 0);
  CHECK(difference(mass_matrix(copy, q), mass_matrix(model, q)) == 0);

  // each number goes through the conversion
  const Model<double> doubled = cast<double>(model, [](double x) { return 2 * x; });
  CHECK(doubled[3].inertia.m == 2 * model[3].inertia.m);
  CHECK(doubled.gravity.z == 2 * model.gravity.z);
  CHECK(doubled.rotor == sum(model.rotor, model.rotor));
}

TEST_CASE("links are found by name") {
  Random random(242);
  const Model<double> model = built(random_robot(random, {.links = 4}).description);
  CHECK(model.body_index("link2") == 2);
  CHECK(model.body_index("link9") == -1);
}

TEST_CASE("a payload is one more part of its link") {
  Random random(243);
  for (int k = 0; k < draws(20); ++k) {
    Description d = random_robot(random, {.links = 5}).description;
    const Model<double> bare = built(d);
    const Part load = part_of({{1.0, random.vector(0.2)}, {0.5, random.vector(0.2)}, {0.7, random.vector(0.2)}},
                              InertiaAbout::mass_centre);
    d.links[3].parts.push_back(load);
    const Model<double> expected = built(d);
    const Model<double> loaded =
        with_payload(bare, 3, bare[3].link, inertia_about_centre(load.mass, load.com, load.tensor));
    const auto [q, qd, qdd] = random_state(random, bare);
    const Numbers tau = inverse(expected, q, qd, qdd);
    CHECK(difference(inverse(loaded, q, qd, qdd), tau) < 1e-12 * (1 + largest(tau)));
  }
}

TEST_CASE("a model is coupled when a coordinate moves several joints or rotors are coupled") {
  Random random(244);
  Description d = random_robot(random, {.links = 3, .one_dof = true}).description;
  for (LinkDescription& link : d.links) link.kind = JointKind::revolute;
  CHECK(!built(d).coupled());
  d.links[0].rotor = Rotor{.inertia = 1e-3, .gear = 10};
  CHECK(!built(d).coupled());
  Description body = d, mimic = d, shared = d;
  body.links[0].rotor->as_body = true;
  CHECK(built(body).coupled());
  mimic.links[2].mimic = Mimic{"joint1", 1, 0, {}};
  CHECK(built(mimic).coupled());
  shared.transmissions = {{{"a", "b"}, {"joint1", "joint2"}, {{1, 0.5}, {0, 1}}, {1e-3, 1e-3}, {}}};
  CHECK(built(shared).coupled());
}
