#include "torsor/identification/base_parameters.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tests/support/random_robot.hpp"
#include "torsor/identification/regressor.hpp"
#include "torsor/dynamics/regroup.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/numeric/singular_values.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

std::vector<DynamicParameter> inertial_parameters(const Model<double>& model) {
  std::vector<DynamicParameter> list = dynamic_parameters(model, {DriveColumns::every_joint, DriveColumns::none});
  std::erase_if(list, [](const DynamicParameter& p) { return p.kind != ParameterKind::inertial; });
  return list;
}

/// The rank by another way: singular values of columns made by inverse dynamics, one parameter at a time.
int rank_by_singular_values(const Model<double>& model, const std::vector<DynamicParameter>& list, Random& random) {
  const int columns = static_cast<int>(list.size()), states = 12 + 2 * columns / std::max(1, model.nv);
  const int rows = states * model.nv;
  Numbers transposed(cells(columns, rows)), U(cells(columns, columns)), sigma(list.size());
  std::vector<State> drawn;
  for (int k = 0; k < states; ++k) drawn.push_back(random_state(random, model));
  const Numbers nothing(list.size(), 0.0);
  Numbers tau(static_cast<std::size_t>(model.nv));
  for (int c = 0; c < columns; ++c) {
    Numbers unit = nothing;
    unit[c] = 1;
    const Model<double> single = with_parameters(model, list, unit);
    TreeDynamics<double> dynamics(single, Questions::all_but_forward);
    double length = 0;
    for (int k = 0; k < states; ++k) {
      dynamics.inverse(drawn[k].q, drawn[k].qd, drawn[k].qdd, tau);
      for (int row = 0; row < model.nv; ++row) {
        transposed[cell(c, rows, k * model.nv + row)] = tau[row];
        length = std::hypot(length, tau[row]);
      }
    }
    if (length > 1e-9)
      for (int row = 0; row < rows; ++row) transposed[cell(c, rows, row)] /= length;
    else
      for (int row = 0; row < rows; ++row) transposed[cell(c, rows, row)] = 0;
  }
  singular_values<double>(transposed, columns, rows, U, sigma);
  return rank_of<double>(sigma, 1e-9);
}

Model<double> general_arm_of(Random& random, int n, double prismatic = 0) {
  return built(random_dh_arm(random, n, Convention::modified_dh, prismatic));
}

}  // namespace

TEST_CASE("a general arm of n revolute joints has 7n - 4 base parameters, 7n - 6 with its first axis upright") {
  Random random(111);
  for (int n = 1; n <= 8; ++n) {
    CAPTURE(n);
    Model<double> model = general_arm_of(random, n);
    CHECK(base_parameters(model, inertial_parameters(model)).count() == 7 * n - 4);
    model.gravity = (model.base * model[0].placement).R.z * -9.81;
    CHECK(base_parameters(model, inertial_parameters(model)).count() == 7 * n - 6);
    // nothing is hidden by a base that stands still when it moves
    CHECK(base_parameters(model, inertial_parameters(model), {.moving_base = true}).count() == 7 * n);
  }
}

TEST_CASE("general arms with slides have the number of base parameters that Khalil's rule gives") {
  // 7 per turning and 4 per sliding link; but the mass alone of a slide before the first turn, mx my Izz of the first
  // turning link, and three of a slide between the first turn and the second: along the first axis no moment is felt
  Random random(112);
  for (int draw = 0; draw < draws(40); ++draw) {
    const Model<double> model = general_arm_of(random, 1 + random.below(7), 0.5);
    int expected = 0, turns = 0;
    for (const Body<double>& b : model.bodies) {
      if (b.kind == JointKind::prismatic)
        expected += turns == 0 ? 1 : turns == 1 ? 3 : 4;
      else
        expected += ++turns == 1 ? 3 : 7;
    }
    CHECK(base_parameters(model, inertial_parameters(model)).count() == expected);
  }
}

TEST_CASE("a PUMA 560 has 36 base parameters of its links, and its drives add theirs") {
  const Model<double> model = built(*load_robot("puma560"));
  const auto inertial = inertial_parameters(model);
  CHECK(base_parameters(model, inertial).count() == 36);
  const BaseParameters all =
      base_parameters(model, dynamic_parameters(model, {DriveColumns::every_joint, DriveColumns::every_joint}));
  int rotors = 0;
  for (const int k : all.kept) rotors += all.parameters[k].kind == ParameterKind::rotor;
  CHECK(all.count() == 36 + rotors + 3 * 6);
  // rotors of the first two joints act like the links' own moments about these axes
  CHECK(rotors == 4);
}

TEST_CASE("the rank is that of singular values of columns made by inverse dynamics, on trees of any joints") {
  Random random(113);
  for (int draw = 0; draw < draws(25); ++draw) {
    RobotOptions options{.links = 1 + random.below(6), .branching = random.uniform(0, 0.5)};
    options.floating = random.chance(0.2);
    options.mimics = random.chance(0.3);
    options.rotor_bodies = random.chance(0.3);
    const Model<double> model = built(random_robot(random, options).description);
    if (model.nv == 0) continue;
    const auto list = dynamic_parameters(model, {DriveColumns::every_joint, DriveColumns::none});
    const BaseParameters base = base_parameters(model, list);
    CHECK(base.count() == rank_by_singular_values(model, list, random));
    CHECK(base.kept.size() + base.regrouped.size() + base.unfelt.size() == list.size());
    CHECK(base.weakest_kept > 1e3 * base.strongest_left);
  }
}

TEST_CASE("the base parameters give all efforts, on all robots") {
  Random random(114);
  for (const auto& embedded : embedded_robots()) {
    const Model<double> model = built(*load_robot(std::string(embedded.name)));
    CAPTURE(model.name);
    const BaseParameters base = base_parameters(model, dynamic_parameters(model));
    const Numbers b = base.values(parameter_values<double>(model, base.parameters));
    std::vector<DynamicParameter> kept;
    for (const int k : base.kept) kept.push_back(base.parameters[k]);
    Regressor<double> regressor(model, kept);
    TreeDynamics<double> dynamics(model, Questions::all_but_forward);
    Numbers Y(cells(model.nv, base.count())), tau(static_cast<std::size_t>(model.nv)), sum = tau;
    for (int draw = 0; draw < 10; ++draw) {
      const State state = random_state(random, model);
      regressor.at(state.q, state.qd, state.qdd, Y);
      dynamics.inverse(state.q, state.qd, state.qdd, tau);
      for (int row = 0; row < model.nv; ++row) {
        sum[row] = 0;
        for (int k = 0; k < base.count(); ++k) sum[row] += Y[cell(row, base.count(), k)] * b[k];
      }
      CHECK(difference(sum, tau) <= 1e-9 * largest(tau));
    }
  }
}

TEST_CASE("what is regrouped is what Khalil and Gautier regroup") {
  Random random(115);
  const Model<double> model = general_arm_of(random, 5);
  const BaseParameters base = base_parameters(model, inertial_parameters(model));
  std::set<std::string> gone;
  for (const int d : base.regrouped) gone.insert(parameter_name(model, base.parameters[d]));
  std::set<std::string> expected;
  for (const char* link : {"2", "3", "4", "5"})
    for (const char* letter : {"m", "mz", "Iyy"}) expected.insert(std::string(letter) + link);
  CHECK(gone == expected);
  std::set<std::string> unfelt;
  for (const int d : base.unfelt) unfelt.insert(parameter_name(model, base.parameters[d]));
  CHECK(unfelt == std::set<std::string>{"m1", "mz1", "Ixx1", "Ixy1", "Ixz1", "Iyy1", "Iyz1"});
  CHECK(base.strongest_left < 1e-12);
  // by the closed rule: one unit of a regrouped parameter, moved inwards, arrives where K says
  for (std::size_t d = 0; d < base.regrouped.size(); ++d) {
    Numbers unit(base.parameters.size(), 0.0);
    unit[base.regrouped[d]] = 1;
    const Model<double> moved = regrouped(with_parameters(model, base.parameters, unit));
    const Numbers arrived = parameter_values<double>(moved, base.parameters);
    for (std::size_t k = 0; k < base.kept.size(); ++k)
      CHECK(std::abs(base.K[k * base.regrouped.size() + d] - arrived[base.kept[k]]) < 1e-10);
  }
}

TEST_CASE("the nearest parameters have the base parameters asked for, and are the file's own where these are") {
  Random random(116);
  const Model<double> model = built(*load_robot("puma560"));
  const auto list = file_parameters(model);
  const BaseParameters base = base_parameters(model, list);
  const Numbers phi = parameter_values<double>(model, list), scale = parameter_scales(model, list);
  Numbers b = base.values(phi);
  CHECK(difference(base.nearest(phi, scale, b), phi) < 1e-14);
  for (double& x : b) x *= random.uniform(0.9, 1.1);
  const Numbers changed = base.nearest(phi, scale, b);
  CHECK(relative(base.values(changed), b) < 1e-14);
  // any other set with the same base parameters is further away
  const auto distance = [&](const Numbers& x) {
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += std::pow((x[k] - phi[k]) / scale[k], 2);
    return sum;
  };
  for (std::size_t d = 0; d < base.regrouped.size(); ++d) {
    Numbers other = changed;
    const double step = 1e-3 * scale[base.regrouped[d]];
    other[base.regrouped[d]] += step;
    for (std::size_t k = 0; k < base.kept.size(); ++k)
      other[base.kept[k]] -= step * base.K[k * base.regrouped.size() + d];
    CHECK(relative(base.values(other), b) < 1e-12);
    CHECK(distance(other) > distance(changed));
  }
}

TEST_CASE("a body that the file has with negative moments is measured by their sizes") {
  const Model<double> model = built(*load_robot("puma560"));
  const auto list = file_parameters(model);
  Model<double> negative = model;
  for (Body<double>& body : negative.bodies) body.inertia.I = body.inertia.I * -1.0;
  CHECK(difference(parameter_scales(negative, list), parameter_scales(model, list)) == 0);
}
