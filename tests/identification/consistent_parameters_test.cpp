// Possible bodies that fit a record: what the record does not determine is as in the file, and the fit does not pay for it.
#include "torsor/identification/consistent_parameters.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tests/support/exciting_record.hpp"
#include "torsor/identification/identification.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/robot_toml.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double pull = 0.1;  // rho, as in consistent_parameters.hpp

/// |R (b - identified)|^2 / 2.
double misfit_of(const Identification& found, const Numbers& base) {
  const BaseKnowledge& known = found.known;
  double sum = 0;
  for (int k = 0; k < known.equations.n(); ++k) {
    double e = 0;
    for (std::size_t c = 0; c < known.columns.size(); ++c)
      e += known.equations.row(k)[c] * (base[known.columns[c]] - known.value[known.columns[c]]);
    sum += 0.5 * e * e;
  }
  return sum;
}

/// Half the square of the way from the file, by the scales of the parameters.
double way_of(const Model<double>& file, const BaseParameters& base, const Numbers& phi) {
  const Numbers start = parameter_values<double>(file, base.parameters), scale = parameter_scales(file, base.parameters);
  double sum = 0;
  for (std::size_t k = 0; k < phi.size(); ++k) sum += 0.5 * std::pow((phi[k] - start[k]) / scale[k], 2);
  return sum;
}

struct Drawn {
  Model<double> truth, file;
  Identification found;
};

/// A robot of revolute and prismatic joints, a file that is wrong by up to a share, and a record with relative noise of
/// which some joints may have been at rest.
std::optional<Drawn> drawn(Random& random, double share, double noise, bool still) {
  const Description robot = random_robot(random, {.links = 2 + random.below(3), .one_dof = true}).description;
  Drawn out{built(robot), built(slightly_wrong(robot, random, share)), {}};
  if (out.truth.nv == 0) return std::nullopt;
  auto record = exciting_record(out.truth, random, 150, 0.05);
  TreeDynamics<double> dynamics(out.truth);
  const auto rests = static_cast<std::size_t>(random.below(out.truth.nv));
  double size = 0;
  for (TorqueSample& sample : record) {
    if (still && out.truth.nv > 1) sample.q[rests] = 0.3, sample.qd[rests] = sample.qdd[rests] = 0;
    dynamics.inverse(sample.q, sample.qd, sample.qdd, sample.tau);
    for (const double tau : sample.tau) size = std::max(size, std::abs(tau));
  }
  for (TorqueSample& sample : record)
    for (double& tau : sample.tau) tau += noise * size * normal(random);
  auto found = identify(out.file, file_parameters(out.file), record, {.held_out = 0});
  if (!found) return std::nullopt;
  out.found = *std::move(found);
  return out;
}

}  // namespace

TEST_CASE("what a record leaves unknown returns to the file where that is possible, and the torques are the identified ones") {
  Random random(1601);
  int compared = 0;
  double farthest = 0, unfelt = 0, dearest = 0;
  for (int draw = 0; draw < draws(400); ++draw) {
    CAPTURE(draw);
    const auto robot = drawn(random, 0.05, draw % 2 == 0 ? 1e-7 : 1e-5, draw % 3 == 0);
    if (!robot) continue;
    const BaseParameters& base = robot->found.base;
    const Numbers start = parameter_values<double>(robot->file, base.parameters),
                  scale = parameter_scales(robot->file, base.parameters);
    // the least change of all, which knows nothing of bodies
    const Numbers nearest = base.nearest(start, scale, robot->found.value);
    Numbers inside = nearest;  // and farther still
    for (std::size_t k = 0; k < inside.size(); ++k) inside[k] += 0.05 * (nearest[k] - start[k]);
    if (!impossible_bodies(robot->file, base.parameters, inside).empty()) continue;
    ++compared;
    const Numbers phi = consistent_parameters(robot->file, base, robot->found.known);
    for (std::size_t k = 0; k < phi.size(); ++k) farthest = std::max(farthest, std::abs(phi[k] - nearest[k]) / scale[k]);
    for (const int k : base.unfelt) unfelt = std::max(unfelt, std::abs(phi[k] - start[k]) / scale[k]);
    dearest = std::max(dearest, misfit_of(robot->found, base.values(phi)));
  }
  MESSAGE(fmt::format("{} compared: farthest {:.2g}, unfelt {:.2g}, misfit {:.2g}", compared, farthest, unfelt, dearest));
  CHECK(compared > draws(400) / 4);
  CHECK(farthest < 1e-3);
  CHECK(unfelt < 1e-3);
  CHECK(dearest < 1e-3);
}

TEST_CASE("beneath noise no possible robot fits better and lies nearer to the file") {
  Random random(1602);
  int constrained = 0, pressed = 0, reported = 0;
  for (int draw = 0; draw < draws(200); ++draw) {
    CAPTURE(draw);
    const auto robot = drawn(random, 0.3, std::pow(10, random.uniform(-4, -0.5)), draw % 3 == 0);
    if (!robot || !robot->found.unexcited.empty()) continue;
    const IdentifiedSet set = identified_set(robot->file, robot->found);
    if (!set.constrained) continue;
    ++constrained;
    const BaseParameters& base = robot->found.base;
    CHECK(impossible_bodies(robot->file, base.parameters, set.phi).empty());
    // a body on the boundary is impossible with a hair less of matter, and the estimates that were beyond it end there
    const Model<double> written = with_parameters(robot->file, base.parameters, set.phi);
    for (const BoundaryBody& each : set.on_boundary) {
      Inertia<double> less = written[each.body].inertia;
      const double hair = 3e-5, half = (less.I.xx + less.I.yy + less.I.zz) / 2;
      for (double* moment : {&less.I.xx, &less.I.yy, &less.I.zz}) *moment -= 2 * hair * half;
      less.m -= hair * less.m;
      CHECK(each.margin < 1e-5);
      CHECK_FALSE(is_possible_body(less));
    }
    pressed += !set.impossible.empty();
    reported += !set.impossible.empty() && !set.on_boundary.empty();
    const Numbers truth = parameter_values<double>(robot->truth, base.parameters);
    const double ours = misfit_of(robot->found, set.base) + pull * way_of(robot->file, base, set.phi);
    const auto cost = [&](const Numbers& phi) {
      return misfit_of(robot->found, base.values(phi)) + pull * way_of(robot->file, base, phi);
    };
    CHECK(ours <= cost(truth) + 1e-5);
    CHECK(ours <= cost(parameter_values<double>(robot->file, base.parameters)) + 1e-5);
    // nor one between
    for (const double share : {0.01, 0.1, 0.5}) {
      Numbers between = set.phi;
      for (std::size_t k = 0; k < between.size(); ++k) between[k] += share * (truth[k] - between[k]);
      CHECK(ours <= cost(between) + 1e-5);
    }
  }
  CHECK(constrained > draws(200) / 10);
  MESSAGE(fmt::format("{} of {} with impossible estimates end on the boundary", reported, pressed));
  CHECK(reported > 0.8 * pressed);
}

TEST_CASE("a mass that the record does not tell of stays that of the file, and one that noise leaves open does not run away") {
  constexpr const char* arm = R"(
name = "arm"
convention = "standard-dh"
[[link]]
name = "column"
joint = { kind = "revolute", name = "turn" }
dh = { d = 0.35, alpha_deg = 90 }
mass = 12
com = [0, -0.12, 0]
inertia = [0.09, 0.03, 0.09]
[[link]]
name = "upper"
joint = { kind = "revolute", name = "shoulder" }
dh = { a = 0.5 }
mass = 8
com = [-0.25, 0, 0]
inertia = [0.01, 0.18, 0.18]
[[link]]
name = "fore"
joint = { kind = "revolute", name = "elbow" }
dh = { a = 0.4 }
mass = 5
com = [-0.22, 0, 0]
inertia = [0.005, 0.08, 0.08]
)";
  const auto robot = read_robot_toml(arm, "arm.toml");
  REQUIRE(robot);
  const Model<double> model = built(*robot);
  Random random(1603);
  int constrained = 0;
  for (int draw = 0; draw < draws(40); ++draw) {
    CAPTURE(draw);
    const double noise = draw % 2 == 0 ? 0.3 : 2;
    auto record = exciting_record(model, random, 1500, 0.01, {noise, noise, noise});
    const auto found = identify(model, file_parameters(model), record);
    REQUIRE(found);
    const IdentifiedSet set = identified_set(model, *found);
    if (!set.constrained) continue;
    ++constrained;
    for (std::size_t k = 0; k < set.phi.size(); ++k) {
      const DynamicParameter& p = found->base.parameters[k];
      if (p.kind != ParameterKind::inertial || p.which != 0) continue;
      const double mass = parameter_value(model, p);
      CAPTURE(mass);
      CHECK(std::abs(set.phi[k] - mass) < (p.index == 0 ? 1e-3 : 1.5) * mass);
    }
    // what the file itself costs is the most that the constraints can: the true robot is possible
    CHECK(set.misfit <= 2 * misfit_of(*found, found->file) + 1e-3);
  }
  CHECK(constrained > draws(40) / 4);
}

TEST_CASE("no friction and no rotor is negative, however surely it came out so, and the other estimates make up for it") {
  const Description robot = *load_robot("ur5");
  const Model<double> model = built(robot);
  Random random(1604);
  for (int draw = 0; draw < draws(6); ++draw) {
    CAPTURE(draw);
    const Numbers noise{0.5, 0.5, 0.3, 0.05, 0.05, 0.02};
    auto record = exciting_record(model, random, 600, 0.02, noise);
    // what pushes instead of braking, by many deviations
    const auto joint = static_cast<std::size_t>(draw % 6);
    for (TorqueSample& sample : record) sample.tau[joint] -= 3 * noise[joint] * sample.qd[joint];
    const auto found = identify(model, file_parameters(model, {DriveColumns::every_joint, DriveColumns::every_joint}), record);
    REQUIRE(found);
    const std::vector<DynamicParameter>& list = found->base.parameters;
    const DynamicParameter viscous{ParameterKind::viscous, static_cast<int>(joint), 0};
    const auto place = static_cast<int>(std::ranges::find(list, viscous) - list.begin());
    const auto kept = std::ranges::find(found->base.kept, place);
    REQUIRE(kept != found->base.kept.end());
    const auto k = static_cast<std::size_t>(kept - found->base.kept.begin());
    REQUIRE(found->value[k] < -5 * found->deviation[k]);

    const IdentifiedSet set = identified_set(model, *found);
    REQUIRE(set.constrained);
    CHECK(std::ranges::count(set.at_bound, place) == 1);
    for (std::size_t i = 0; i < set.phi.size(); ++i)
      CHECK((list[i].kind == ParameterKind::inertial || set.phi[i] >= 0));
    for (const int bound : set.at_bound) CHECK(set.phi[static_cast<std::size_t>(bound)] == 0);
    CHECK(impossible_bodies(model, list, set.phi).empty());
    CHECK(with_parameters(robot, model, list, set.phi));
    // it costs at least what this one alone does, and less than a robot of the file
    const double alone = std::pow(found->value[k] / found->deviation[k], 2);
    CHECK(set.misfit >= alone * (1 - 1e-6));
    CHECK(set.misfit <= 2 * misfit_of(*found, found->file) + 1e-3);
  }
}
