#include "torsor/identification/regressor.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/scalar/dual.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Largest |Y phi - tau| over the largest |tau|.
double off_from_inverse_dynamics(const Model<double>& model, const State& state, const BaseMotion<double>& base = {}) {
  Regressor<double> regressor(model, dynamic_parameters(model));
  regressor.base = base;
  Numbers Y(cells(model.nv, regressor.columns())), tau(static_cast<std::size_t>(model.nv));
  regressor.at(state.q, state.qd, state.qdd, Y);
  TreeDynamics<double> dynamics(model, Questions::all_but_forward);
  dynamics.loads.base = base;
  dynamics.inverse(state.q, state.qd, state.qdd, tau);
  const Numbers phi = parameter_values(model, regressor.parameters());
  double off = 0;
  for (int row = 0; row < model.nv; ++row) {
    double sum = 0;
    for (int c = 0; c < regressor.columns(); ++c) sum += Y[cell(row, regressor.columns(), c)] * phi[c];
    off = std::max(off, std::abs(sum - tau[row]));
  }
  return off == 0 ? 0 : off / largest(tau);
}

/// Friction that the linear parameters tell all of.
void without_tables(Description& robot) {
  for (LinkDescription& link : robot.links)
    if (link.friction) link.friction->table = {};
}

}  // namespace

TEST_CASE("the regressor times the parameters is inverse dynamics, on all robots") {
  Random random(91);
  for (const auto& embedded : embedded_robots()) {
    const auto robot = load_robot(std::string(embedded.name));
    REQUIRE(robot);
    const Model<double> model = built(*robot);
    CAPTURE(model.name);
    for (int draw = 0; draw < draws(20); ++draw)
      CHECK(off_from_inverse_dynamics(model, random_state(random, model)) < 1e-12);
  }
}

TEST_CASE("the regressor times the parameters is inverse dynamics, on trees of any joints and drives") {
  Random random(92);
  for (int draw = 0; draw < draws(1500); ++draw) {
    RobotOptions options{.links = 1 + random.below(9), .branching = random.uniform(0, 0.6)};
    options.floating = random.chance(0.2);
    options.rotors = random.chance(0.4);
    options.rotor_bodies = !options.rotors && random.chance(0.4);
    options.friction = random.chance(0.6);
    options.mimics = random.chance(0.3);
    options.transmission = random.chance(0.3);
    Description robot = random_robot(random, options).description;
    without_tables(robot);
    const Model<double> model = built(robot);
    const BaseMotion<double> base{random.vector(1), random.vector(2), random.vector(3)};
    CHECK(off_from_inverse_dynamics(model, random_state(random, model), base) < 1e-12);
  }
}

TEST_CASE("the regressor at rest is that of gravity, an empty rate stands for zero") {
  Random random(93);
  const Model<double> model = built(random_robot(random, {.links = 6, .rotors = true, .friction = true}).description);
  const State state = random_state(random, model);
  Regressor<double> regressor(model, dynamic_parameters(model));
  Numbers moved(cells(model.nv, regressor.columns())), still = moved;
  const Numbers zero(static_cast<std::size_t>(model.nv), 0.0);
  regressor.at(state.q, zero, zero, moved);
  regressor.at(state.q, {}, {}, still);
  CHECK(difference(moved, still) < 1e-14);
}

TEST_CASE("the regressor over duals has the derivatives of the one over numbers") {
  Random random(94);
  const Model<double> model = built(random_robot(random, {.links = 5, .rotors = true}).description);
  const State state = random_state(random, model);
  const auto list = dynamic_parameters(model);
  using D = Dual<double>;
  const Model<D> dual_model = cast<D>(model);
  Regressor<D> duals(dual_model, list);
  Regressor<double> numbers(model, list);
  const std::size_t size = cells(model.nv, numbers.columns());
  std::vector<D> q(state.q.begin(), state.q.end()), qd, qdd, Y(size);
  for (const double x : state.qd) qd.push_back({x, {0.5}});
  for (const double x : state.qdd) qdd.push_back({x, {-0.25}});
  duals.at(q, qd, qdd, Y);
  // quadratic in qd, linear in qdd: a central difference is exact
  const double h = 0.5;
  const auto shifted = [&](double by) {
    State s = state;
    for (double& x : s.qd) x += 0.5 * by;
    for (double& x : s.qdd) x -= 0.25 * by;
    Numbers out(size);
    numbers.at(s.q, s.qd, s.qdd, out);
    return out;
  };
  const Numbers ahead = shifted(h), behind = shifted(-h), here = shifted(0);
  double off = 0;
  for (std::size_t k = 0; k < size; ++k) {
    off = std::max(off, std::abs(Y[k].value - here[k]));
    off = std::max(off, std::abs(Y[k].tangent[0] - (ahead[k] - behind[k]) / (2 * h)));
  }
  CHECK(off < 1e-11);
}
