#include "torsor/identification/identification.hpp"

#include <doctest/doctest.h>

#include "tests/support/exciting_record.hpp"
#include "tests/support/rule_table.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/model/transmission.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A PUMA with drives: rotors on all joints, friction of its own on each.
Description driven_puma() {
  Description robot = *load_robot("puma560");
  double k = 1;
  for (LinkDescription& link : robot.links) {
    link.rotor = Rotor{.inertia = 2e-4 / k, .gear = 40 + 10 * k};
    link.friction.emplace();
    link.friction->viscous = 4 / k;
    link.friction->coulomb_positive = 6 / k;
    link.friction->coulomb_negative = 5 / k;
    k += 1;
  }
  return robot;
}

Numbers base_values(const Model<double>& truth, const BaseParameters& base) {
  return base.values(parameter_values<double>(truth, base.parameters));
}

}  // namespace

TEST_CASE("a record without noise gives the truth, whatever the file said") {
  Random random(131);
  for (const char* name : {"two_link", "stanford", "puma560", "panda", "driven"}) {
    CAPTURE(name);
    const Description robot = name == std::string("driven") ? driven_puma() : *load_robot(name);
    const Model<double> truth = built(robot), file = built(slightly_wrong(robot, random, 0.4));
    const auto found = identify(file, file_parameters(file), exciting_record(truth, random, 800, 0.02));
    REQUIRE(found);
    CHECK(found->unexcited.empty());
    const Numbers expected = base_values(truth, found->base);
    CHECK(relative(found->value, expected) < 1e-9);
    CHECK(relative(found->file, expected) > 1e-3);
    for (const JointFit& joint : found->joints) {
      CHECK(joint.held_fit < 1e-9);
      CHECK(joint.fit < 1e-9);
    }
    CHECK(found->fitted == 600);
    CHECK(found->held_out == 200);
  }
}

TEST_CASE("trees of any joints, floating ones too, are identified from states without order") {
  Random random(139);
  for (int draw = 0; draw < draws(12); ++draw) {
    RobotOptions options{.links = 1 + random.below(4), .branching = 0.3, .friction = true};
    options.floating = random.chance(0.5);
    options.rotors = random.chance(0.5);
    options.mimics = random.chance(0.3);
    const Description robot = random_robot(random, options).description;
    const Model<double> truth = built(robot), file = built(slightly_wrong(robot, random, 0.3));
    if (truth.nv == 0) continue;
    TreeDynamics<double> dynamics(truth);
    std::vector<TorqueSample> record;
    for (int k = 0; k < 400; ++k) {
      const State state = random_state(random, truth);
      record.push_back({state.q, state.qd, state.qdd, Numbers(static_cast<std::size_t>(truth.nv))});
      dynamics.inverse(state.q, state.qd, state.qdd, record.back().tau);
    }
    // nothing is noise here: what is hardly excited is found as well
    const auto found = identify(file, file_parameters(file), record, {.excited = 1e-9});
    REQUIRE(found);
    CHECK(found->unexcited.empty());
    CHECK(relative(found->value, base_values(truth, found->base)) < 1e-8);
  }
}

TEST_CASE("the standard deviations are those of the errors: coverage over many noisy records") {
  // 95 % of all errors within 1.96 deviations, and their mean square 1, of some 54 parameters times 60 records
  Random random(132);
  const Description robot = driven_puma();
  const Model<double> truth = built(robot), file = built(slightly_wrong(robot, random, 0.3));
  const Numbers noise{2, 3, 1, 0.2, 0.1, 0.05};
  int within = 0, all = 0;
  double square = 0;
  const int records = 60;
  for (int k = 0; k < records; ++k) {
    const auto record = exciting_record(truth, random, 500, 0.02, noise);
    const auto found = identify(file, file_parameters(file), record);
    REQUIRE(found);
    REQUIRE(found->unexcited.empty());
    CHECK(found->settled);
    const Numbers expected = base_values(truth, found->base);
    for (int i = 0; i < found->count(); ++i) {
      const double z = (found->value[i] - expected[i]) / found->deviation[i];
      within += std::abs(z) < 1.96;
      square += z * z;
      ++all;
    }
    // each joint's noise is told to a few percent: 375 rows know it to 1/sqrt(750) = 4 %
    for (std::size_t j = 0; j < noise.size(); ++j)
      CHECK(found->joints[j].noise == doctest::Approx(noise[j]).epsilon(0.2));
  }
  CHECK(std::abs(within / static_cast<double>(all) - 0.95) < 0.012);
  CHECK(std::abs(square / all - 1) < 0.1);
}

TEST_CASE(
    "whatever the noise, the written robot is of possible bodies and reads back, and no possible robot fits better") {
  Random random(1331);
  int constrained = 0, trials = 0;
  // in draw 92 breakaway is held at a sliding level of next to nothing; 1639 goes far along a wall of possible bodies
  for (int draw = 0; draw < draws(100); ++draw) {
    CAPTURE(draw);
    RobotOptions options{.links = 2 + random.below(4)};
    options.rotors = draw % 3 == 0;
    options.friction = draw % 4 == 0;
    const Description robot = random_robot(random, options).description;
    const Description wrong = slightly_wrong(robot, random, 0.3);
    const Model<double> truth = built(robot), file = built(wrong);
    if (truth.nv == 0) continue;
    TreeDynamics<double> dynamics(truth);
    std::vector<TorqueSample> record;
    double size = 0;
    for (int k = 0; k < 300; ++k) {
      const State state = random_state(random, truth);
      record.push_back({state.q, state.qd, state.qdd, Numbers(static_cast<std::size_t>(truth.nv))});
      dynamics.inverse(state.q, state.qd, state.qdd, record.back().tau);
      for (const double x : record.back().tau) size = std::max(size, std::abs(x));
    }
    const double noise = size * std::pow(10.0, random.uniform(-6, -0.5));
    for (TorqueSample& sample : record)
      for (double& x : sample.tau) x += noise * normal(random);
    const auto found = identify(file, file_parameters(file), record);
    REQUIRE(found);
    const IdentifiedSet set = identified_set(file, *found);
    const auto written = with_parameters(wrong, file, found->base.parameters, set.phi);
    for (std::size_t k = 0; k < set.phi.size(); ++k)
      CHECK((found->base.parameters[k].kind == ParameterKind::inertial || set.phi[k] >= 0));
    ++trials;
    CHECK(impossible_bodies(file, found->base.parameters, set.phi).empty());
    REQUIRE(written);
    const auto back = read_robot_toml(write_robot_toml(*written), "identified.toml");
    for (const Fault& error : back.faults()) MESSAGE(to_string(error));
    REQUIRE(back);
    CHECK(build(*back));
    if (!set.constrained) continue;
    ++constrained;
    // the true robot is possible, so it cannot be better; what bounds its misfit is an independent path to the optimum
    const Numbers expected = base_values(truth, found->base);
    double misfit = 0;
    for (int k = 0; k < found->known.equations.n(); ++k) {
      double e = 0;
      for (std::size_t c = 0; c < found->known.columns.size(); ++c)
        e += found->known.equations.row(k)[c] *
             (expected[found->known.columns[c]] - found->value[found->known.columns[c]]);
      misfit += e * e;
    }
    CHECK(set.misfit <= misfit * (1 + 1e-6) + 1e-3);
  }
  CHECK(constrained > trials / 10);
  CHECK(trials > draws(100) / 2);
}

TEST_CASE("a body is possible when matter can make it") {
  Random random(1332);
  for (int draw = 0; draw < draws(2000); ++draw) {
    // points make a body, three of them a flat one, two a rod, one a point: all of them possible
    Inertia<double> J{};
    const double unit = std::pow(10.0, random.uniform(-6, 6));
    for (int points = 1 + random.below(6); points > 0; --points)
      J = J + inertia_about_centre(random.uniform(0.1, 2), random.vector(unit), Sym3<double>{});
    CHECK(is_possible_body(J));
    // and one whose spread along some axis is negative is not
    Inertia<double> bad = J;
    const double more = 1e-6 * (J.I.xx + J.I.yy + J.I.zz) + 1e-12 * J.m * unit * unit;
    bad.I.xx += J.I.yy + J.I.zz - J.I.xx + more;
    CHECK_FALSE(is_possible_body(bad));
  }
}

TEST_CASE("weights by noise are what makes small joints known") {
  // without them, the noise of the large joints would drown the wrist; the deviations of Izz6 tell
  Random random(133);
  const Model<double> truth = built(driven_puma());
  const Numbers noise{20, 20, 20, 0.01, 0.01, 0.01};
  const auto found = identify(truth, file_parameters(truth), exciting_record(truth, random, 500, 0.02, noise));
  REQUIRE(found);
  int k = 0;
  while (k < found->count() && parameter_name(truth, found->base.parameters[found->base.kept[k]]) != "Fv6") ++k;
  REQUIRE(k < found->count());
  CHECK(found->deviation[k] < 0.01);
  CHECK(found->joints[5].noise < 0.02);
  CHECK(found->joints[0].noise > 10);
}

TEST_CASE("the efforts of the motors behind their gears identify the same parameters") {
  Random random(134);
  Description robot = driven_puma();
  // the last two joints behind one coupling
  for (std::size_t k : {4, 5}) robot.links[k].rotor.reset();
  robot.transmissions.push_back({{"m5", "m6"},
                                 {robot.links[4].joint_name, robot.links[5].joint_name},
                                 {{0.02, 0}, {0.01, 0.02}},
                                 {1e-5, 1e-5},
                                 {}});
  const Model<double> truth = built(robot), file = built(slightly_wrong(robot, random, 0.3));
  auto record = exciting_record(truth, random, 800, 0.02);
  for (TorqueSample& sample : record) {
    const Numbers joints = sample.tau;
    motor_torques(truth, joints, sample.tau);
  }
  IdentificationOptions options;
  options.at_motors = true;
  const auto found = identify(file, file_parameters(file), record, options);
  REQUIRE(found);
  CHECK(relative(found->value, base_values(truth, found->base)) < 1e-9);
}

TEST_CASE("a motion that leaves joints at rest is told with what it cannot identify") {
  Random random(135);
  const Model<double> truth = built(*load_robot("puma560"));
  auto record = exciting_record(truth, random, 400, 0.02);
  TreeDynamics<double> dynamics(truth);
  for (TorqueSample& sample : record) {
    for (std::size_t j : {1, 2, 3, 4, 5}) sample.q[j] = 0.3, sample.qd[j] = sample.qdd[j] = 0;
    dynamics.inverse(sample.q, sample.qd, sample.qdd, sample.tau);
  }
  const auto found = identify(truth, file_parameters(truth, {DriveColumns::none, DriveColumns::none}), record);
  REQUIRE(found);
  CHECK(found->unexcited.size() > 5);
  // these keep the values of the file, and all others are right
  for (const int k : found->unexcited) CHECK(found->value[k] == found->file[k]);
  CHECK(relative(found->value, found->file) < 1e-9);
}

TEST_CASE("a joint at rest has no say about its dry friction") {
  Random random(136);
  const Model<double> truth = built(driven_puma());
  auto record = exciting_record(truth, random, 600, 0.02);
  // stuck for a while: any torque up to the dry level holds it
  TreeDynamics<double> dynamics(truth);
  for (std::size_t k = 100; k < 160; ++k) {
    record[k].qd[2] = record[k].qdd[2] = 0;
    dynamics.inverse(record[k].q, record[k].qd, record[k].qdd, record[k].tau);
    record[k].tau[2] += random.uniform(-1, 1);
  }
  const auto found = identify(truth, file_parameters(truth), record);
  REQUIRE(found);
  CHECK(found->joints[2].resting == 60);
  CHECK(relative(found->value, found->file) < 1e-9);
}

TEST_CASE("a record that is too short is refused with the numbers") {
  Random random(137);
  const Model<double> truth = built(*load_robot("puma560"));
  const auto list = file_parameters(truth, {DriveColumns::every_joint, DriveColumns::every_joint});
  const auto found = identify(truth, list, exciting_record(truth, random, 10, 0.02));
  REQUIRE(!found);
  CHECK(found.faults()[0].rule == "identify-rows");
  CHECK(found.faults()[0].what.find("10 instants, 8 of them") != std::string::npos);
  CHECK(!identify(truth, file_parameters(truth), {}));
  // one that stands still tells nothing either, and one whose torques were not recorded
  auto record = exciting_record(truth, random, 200, 0.02);
  for (TorqueSample& sample : record) sample.tau[2] = 3.5;
  const auto unrecorded = identify(truth, list, record);
  REQUIRE(!unrecorded);
  CHECK(unrecorded.faults()[0].rule == "identify-constant");
  for (TorqueSample& sample : record) sample = record.front(), sample.qd.assign(6, 0.0), sample.qdd = sample.qd;
  const auto still = identify(truth, list, record);
  REQUIRE(!still);
  CHECK(still.faults()[0].what.find("their joint rests") != std::string::npos);
}

TEST_CASE("the identified set has the identified efforts, and is taken back into the description") {
  Random random(138);
  const Description robot = driven_puma(), guess = slightly_wrong(robot, random, 0.1);
  const Model<double> truth = built(robot), file = built(guess);
  const auto found = identify(file, file_parameters(file), exciting_record(truth, random, 500, 0.02));
  REQUIRE(found);
  const IdentifiedSet set = identified_set(file, *found);
  const auto written = with_parameters(guess, file, found->base.parameters, set.phi);
  for (const Fault& error : written.faults()) MESSAGE(to_string(error));
  REQUIRE(written);
  const Model<double> again = built(*written);
  TreeDynamics<double> one(truth), other(again);
  Numbers tau(6), same(6);
  for (int draw = 0; draw < 20; ++draw) {
    const State state = random_state(random, truth);
    one.inverse(state.q, state.qd, state.qdd, tau);
    other.inverse(state.q, state.qd, state.qdd, same);
    CHECK(relative(same, tau) < 1e-8);
  }
}

TEST_CASE("every rule that refuses a record is explained in its page") {
  std::set<std::string> ours;
  for (const char* file :
       {"torsor/identification/identification.cpp", "torsor/identification/identification_faults.cpp",
        "cli/identify.cpp", "cli/parameter_arguments.cpp"})
    for (const std::string& word : hyphenated(quoted_words(text_of(file))))
      if (word.starts_with("identify-") || word.starts_with("parameter-")) ours.insert(word);
  CHECK(ours == rule_table("docs/identification.md"));
}
