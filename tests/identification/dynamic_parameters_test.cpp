#include "torsor/identification/dynamic_parameters.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("parameters have the letters of the literature and the number of their body") {
  Description d = *load_robot("two_link");
  d.links[1].friction.emplace().viscous = 0.5;
  d.links[1].rotor = Rotor{.inertia = 1e-3, .gear = 10};
  const Model<double> model = built(d);
  std::string names;
  for (const DynamicParameter& p : dynamic_parameters(model))
    names += parameter_name(model, p) + " [" + std::string(parameter_unit(model, p)) + "] ";
  CHECK(names ==
        "m1 [kg] mx1 [kg m] my1 [kg m] mz1 [kg m] Ixx1 [kg m²] Ixy1 [kg m²] Ixz1 [kg m²] Iyy1 [kg m²] Iyz1 [kg m²] "
        "Izz1 [kg m²] m2 [kg] mx2 [kg m] my2 [kg m] mz2 [kg m] Ixx2 [kg m²] Ixy2 [kg m²] Ixz2 [kg m²] Iyy2 [kg m²] "
        "Iyz2 [kg m²] Izz2 [kg m²] Ia2 [kg m²] Fv2 [N m s/rad] Fp2 [N m] Fn2 [N m] ");
  CHECK(parameter_value(model, {ParameterKind::rotor, 1, 0}) == doctest::Approx(0.1));
  CHECK(parameter_value(model, {ParameterKind::viscous, 1, 0}) == 0.5);
  CHECK(parameter_value(model, {ParameterKind::viscous, 0, 0}) == 0);
}

TEST_CASE("a description takes values of its parameters, and builds into the model that has them") {
  Random random(121);
  for (int draw = 0; draw < draws(100); ++draw) {
    RobotOptions options{.links = 1 + random.below(6), .friction = true};
    options.rotors = random.chance(0.5);
    options.rotor_bodies = !options.rotors;
    options.mimics = random.chance(0.3);
    options.transmission = random.chance(0.3);
    Description robot = random_robot(random, options).description;
    for (LinkDescription& link : robot.links)
      if (link.friction && link.rotor && random.chance(0.5)) link.friction->table = {}, link.friction_at_motor = true;
    const Model<double> model = built(robot);
    const auto list = file_parameters(model, {DriveColumns::every_joint, DriveColumns::every_joint});
    Numbers phi = parameter_values<double>(model, list);
    // friction all by one factor: it is largest at rest
    for (std::size_t k = 0; k < phi.size(); ++k)
      phi[k] = phi[k] * (list[k].kind < ParameterKind::viscous ? random.uniform(0.95, 1.05) : 1.1) +
               (phi[k] == 0 && list[k].kind <= ParameterKind::viscous ? 0.01 : 0);
    const auto changed = with_parameters(robot, model, list, phi);
    REQUIRE(changed);
    const Numbers got = parameter_values<double>(built(*changed), list);
    for (std::size_t k = 0; k < phi.size(); ++k) {
      CAPTURE(parameter_name(model, list[k]));
      CHECK(got[k] == doctest::Approx(phi[k]).epsilon(1e-12));
    }
  }
}

TEST_CASE("what is not changed stays as it was written") {
  for (const auto& embedded : embedded_robots()) {
    const Description robot = *load_robot(std::string(embedded.name));
    const Model<double> model = built(robot);
    const auto list = file_parameters(model, {DriveColumns::none, DriveColumns::none});
    const auto same = with_parameters(robot, model, list, parameter_values<double>(model, list));
    REQUIRE(same);
    for (std::size_t i = 0; i < robot.links.size(); ++i) {
      CHECK(same->links[i].parts.size() == robot.links[i].parts.size());
      CHECK(same->links[i].friction.has_value() == robot.links[i].friction.has_value());
    }
  }
}

TEST_CASE("a link without mass that is to have moments is refused with its name") {
  const Description robot = *load_robot("two_link");
  const Model<double> model = built(robot);
  const std::vector<DynamicParameter> list{{ParameterKind::inertial, 1, 0}};
  const auto changed = with_parameters(robot, model, list, Numbers{-0.25});
  REQUIRE(!changed);
  CHECK(changed.faults()[0].rule == "mass-negative");
  CHECK(changed.faults()[0].offender.find(model.link_names[1]) != std::string::npos);
}
