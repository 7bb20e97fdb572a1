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
#include "torsor/numeric/ldlt.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double pull = 0.1, last = 1e-8;  // rho and the last gamma, as in consistent_parameters.hpp
constexpr double millionth = 1e-6;         // of a body of the file: how far the search stays off the boundary

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
  const Numbers start = parameter_values<double>(file, base.parameters),
                scale = parameter_scales(file, base.parameters);
  double sum = 0;
  for (std::size_t k = 0; k < phi.size(); ++k) sum += 0.5 * std::pow((phi[k] - start[k]) / scale[k], 2);
  return sum;
}

/// J less a share of a ball about the origin that has the mass and the moments of K.
Inertia<double> less_ball(Inertia<double> J, const Inertia<double>& K, double share) {
  const double half = (K.I.xx + K.I.yy + K.I.zz) / 2;
  for (double* moment : {&J.I.xx, &J.I.yy, &J.I.zz}) *moment -= 2 * share * half;
  J.m -= share * K.m;
  return J;
}

/// Row-major.
Numbers pseudo_inertia(const Inertia<double>& J) {
  const auto& [m, h, I] = J;
  const double half = (I.xx + I.yy + I.zz) / 2;
  return {half - I.xx, -I.xy, -I.xz,       h.x, -I.xy, half - I.yy, -I.yz, h.y,
          -I.xz,       -I.yz, half - I.zz, h.z, h.x,   h.y,         h.z,   m};
}

/// sum_i tr(Q_i^-1 N_i) + 4 of the file's bodies Q and those wanted N, each less the millionth; nothing where that leaves no
/// possible body.
std::optional<double> barrier_gap(const Model<double>& file, const Model<double>& wanted) {
  double gap = 0;
  for (int i = 0; i < file.size(); ++i) {
    const Inertia<double>& J = file[i].inertia;
    if (!(J.m > 0)) continue;
    const Inertia<double> Q = less_ball(J, J, millionth), N = less_ball(wanted[i].inertia, J, millionth);
    if (!is_possible_body(Q) || !is_possible_body(N)) return std::nullopt;
    Numbers L = pseudo_inertia(Q);
    const Numbers P = pseudo_inertia(N);
    ldlt_factor<double>(L, 4);
    gap += 4;
    for (std::size_t c = 0; c < 4; ++c) {
      Numbers y{P[c], P[4 + c], P[8 + c], P[12 + c]};
      ldlt_solve<double>(L, 4, y);
      gap += y[c];
    }
  }
  return gap;
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

// What the search minimises is F + gamma D, and F is convex by rho at least, by the scales. Where the record is so sure that F
// is least at the nearest set, with pseudo-inertias N, the gradients at the end, P, say that
//
//   rho |S^-1 (phi - nearest)|^2 <= gamma sum tr((Q^-1 - P^-1)(N - P)) <= gamma sum (tr(Q^-1 N) + 4),
//
// which is large for a file whose bodies are flat beside those wanted.
TEST_CASE(
    "what a record leaves unknown returns to the file where that is possible, and the torques are the identified "
    "ones") {
  Random random(1601);
  int compared = 0;
  double farthest = 0, dearest = 0;
  for (int draw = 0; draw < draws(400); ++draw) {
    CAPTURE(draw);
    const auto robot = drawn(random, 0.05, draw % 2 == 0 ? 1e-7 : 1e-5, draw % 3 == 0);
    if (!robot) continue;
    const Identification& found = robot->found;
    const BaseParameters& base = found.base;
    const Numbers start = parameter_values<double>(robot->file, base.parameters),
                  scale = parameter_scales(robot->file, base.parameters);
    // what is known to a share s of its scale is drawn towards the file by rho s^2 of the way: here by next to nothing
    constexpr double sure = 1e-3;
    if (std::ranges::any_of(found.known.columns,
                            [&](int k) { return found.deviation[k] > sure * scale[base.kept[k]]; }))
      continue;
    // the least change of all, which knows nothing of bodies
    const Numbers nearest = base.nearest(start, scale, found.value);
    for (const int k : base.unfelt) CHECK(nearest[k] == start[k]);
    const auto gap = barrier_gap(robot->file, with_parameters(robot->file, base.parameters, nearest));
    if (!gap) continue;
    ++compared;
    const Numbers phi = consistent_parameters(robot->file, base, found.known);
    double way = 0;
    for (std::size_t k = 0; k < phi.size(); ++k) way += std::pow((phi[k] - nearest[k]) / scale[k], 2);
    CHECK(pull * way < last * *gap);
    farthest = std::max(farthest, pull * way / (last * *gap));
    dearest = std::max(dearest, misfit_of(found, base.values(phi)));
  }
  MESSAGE(fmt::format("{} compared: farthest {:.2g} of what the barrier may cost, misfit {:.2g}", compared, farthest,
                      dearest));
  CHECK(compared > draws(400) / 4);
  CHECK(dearest < 1e-3);
}

TEST_CASE("beneath noise no possible robot fits better and lies nearer to the file") {
  Random random(1602);
  int constrained = 0, pressed = 0, reported = 0, file_possible = 0;
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
      constexpr double hair = 3e-5;
      const Inertia<double>& J = written[each.body].inertia;
      CHECK(each.margin < 1e-5);
      CHECK_FALSE(is_possible_body(less_ball(J, J, hair)));
    }
    pressed += !set.impossible.empty();
    reported += !set.impossible.empty() && !set.on_boundary.empty();
    const Numbers truth = parameter_values<double>(robot->truth, base.parameters);
    const double ours = misfit_of(robot->found, set.base) + pull * way_of(robot->file, base, set.phi);
    const auto cost = [&](const Numbers& phi) {
      return misfit_of(robot->found, base.values(phi)) + pull * way_of(robot->file, base, phi);
    };
    CHECK(ours <= cost(truth) + 1e-5);
    // the file is wrong by parts, and what the parts of a link make together need not be a body
    const Numbers start = parameter_values<double>(robot->file, base.parameters);
    if (impossible_bodies(robot->file, base.parameters, start).empty()) {
      ++file_possible;
      CHECK(ours <= cost(start) + 1e-5);
    }
    // nor one between
    for (const double share : {0.01, 0.1, 0.5}) {
      Numbers between = set.phi;
      for (std::size_t k = 0; k < between.size(); ++k) between[k] += share * (truth[k] - between[k]);
      CHECK(ours <= cost(between) + 1e-5);
    }
  }
  CHECK(constrained > draws(200) / 10);
  CHECK(file_possible > constrained / 2);
  MESSAGE(fmt::format("{} of {} with impossible estimates end on the boundary", reported, pressed));
  CHECK(reported > 0.8 * pressed);
}

TEST_CASE(
    "a mass that the record does not tell of stays that of the file, and one that noise leaves open does not run "
    "away") {
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
  int constrained = 0, open = 0;
  double squares = 0;
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
      if (p.index == 0) {
        CHECK(std::abs(set.phi[k] - mass) < 1e-3 * mass);
      } else {
        squares += std::pow(set.phi[k] / mass - 1, 2);
        ++open;
      }
    }
    // what the file itself costs is the most that the constraints and the way can: the true robot is possible
    CHECK(set.misfit / 2 + pull * way_of(model, found->base, set.phi) <= misfit_of(*found, found->file) + 1e-5);
  }
  CHECK(constrained > draws(40) / 4);
  // an estimate of deviation s, drawn to the truth by the weight rho, has the deviation s / (1 + rho s^2): whatever the noise,
  // at most 1 / (2 sqrt(rho)) of the mass
  const double spread = std::sqrt(squares / open);
  MESSAGE(fmt::format("open masses spread by {:.2g}", spread));
  CHECK(spread < 1 / (2 * std::sqrt(pull)));
}

TEST_CASE(
    "no friction and no rotor is negative, however surely it came out so, and the other estimates make up for it") {
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
    const auto found =
        identify(model, file_parameters(model, {DriveColumns::every_joint, DriveColumns::every_joint}), record);
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
