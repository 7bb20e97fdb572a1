#include "torsor/numeric/integrator.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "torsor/numeric/dormand_prince_tableau.hpp"

using namespace torsor;

namespace {

// a planet with eccentricity e: y = (x, y, vx, vy), period 2 pi
constexpr auto planet = [](double, std::span<const double> y, std::span<double> dy) {
  const double r = std::hypot(y[0], y[1]), r3 = r * r * r;
  dy[0] = y[2], dy[1] = y[3], dy[2] = -y[0] / r3, dy[3] = -y[1] / r3;
};

std::vector<double> perihelion(double e) { return {1 - e, 0, 0, std::sqrt((1 + e) / (1 - e))}; }

double planet_energy(std::span<const double> y) {
  return (y[2] * y[2] + y[3] * y[3]) / 2 - 1 / std::hypot(y[0], y[1]);
}

std::vector<double> run(Integrator& method, const Slope& f, std::vector<double> y, double from, double to) {
  for (double t = from; t < to;) REQUIRE(method.step(f, t, y, to) == StepEnd::taken);
  return y;
}

double distance(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace

TEST_CASE("every method has its order, inside its steps too") {
  // two runs each: by steps where they are fixed, by what error is allowed where they are not
  const struct {
    const char* name;
    StepRules coarse, fine;
    int inside;
  } cases[] = {{"semi-implicit", {0.004}, {0.002}, 2},
               {"rk4", {0.04}, {0.02}, 4},
               {"dormand-prince", {0, 1e-6, 1e-6}, {0, 1e-11, 1e-11}, 8},
               {"gauss", {0.2}, {0.1}, 4},
               {"radau", {0, 1e-5, 1e-5}, {0, 1e-8, 1e-8}, 4}};
  const double to = 2 * std::numbers::pi;
  const auto start = perihelion(0.2);
  for (const auto& c : cases) {
    CAPTURE(std::string(c.name));
    const IntegratorRow* row = find_integrator(c.name);
    REQUIRE(row);
    double error[2], steps[2], within[2], length[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const StepRules& rules = k == 0 ? c.coarse : c.fine;
      const auto method = row->make(4, rules), finely = find_integrator("gauss")->make(4, {1e-3});
      error[k] = distance(run(*method, planet, start, 0, to), start);
      steps[k] = static_cast<double>(method->count().steps);
      auto y = start, inside = start;
      double t = 0;
      method->restart();
      REQUIRE(method->step(planet, t, y, 10) == StepEnd::taken);
      length[k] = t;
      method->inside(planet, 0.3 * t, inside);
      within[k] = distance(inside, run(*finely, planet, start, 0, 0.3 * t));
    }
    CHECK(std::log(error[0] / error[1]) / std::log(steps[1] / steps[0]) == doctest::Approx(row->order).epsilon(0.15));
    CHECK(std::log(within[0] / within[1]) / std::log(length[0] / length[1]) > c.inside - 0.5);
  }
}

TEST_CASE("methods with fixed steps know the size of their error without being told") {
  // cos t, forwards: what the steps miss adds up, so that the sum bounds the distance and is not far above it
  const auto turn = [](double, std::span<const double> y, std::span<double> dy) { dy[0] = y[1], dy[1] = -y[0]; };
  const struct {
    const char* name;
    double step;
  } cases[] = {{"semi-implicit", 1e-4}, {"rk4", 0.02}, {"gauss", 0.1}};
  for (const auto& c : cases) {
    CAPTURE(std::string(c.name));
    const auto method = find_integrator(c.name)->make(2, {c.step});
    const auto y = run(*method, turn, {1, 0}, 0, 10);
    const double error = distance(y, std::vector<double>{std::cos(10), -std::sin(10)});
    CHECK(method->estimated_error() > error / 2);
    CHECK(method->estimated_error() < 10 * error);
  }
}

TEST_CASE("semi-implicit steps take positions along with the new velocities and keep an oscillation's size") {
  struct Spring {
    void operator()(double, std::span<const double> y, std::span<double> dy) const { dy[0] = y[1], dy[1] = -y[0]; }
    static std::size_t count_of_positions() { return 1; }
    static void positions(std::span<const double> y, std::span<double> dy) { dy[0] = y[1]; }
  } const spring;
  const auto turn = [](double, std::span<const double> y, std::span<double> dy) { dy[0] = y[1], dy[1] = -y[0]; };
  const auto make = find_integrator("semi-implicit")->make;
  double t = 0;
  std::vector<double> y{1, 0};
  REQUIRE(make(2, {0.1})->step(spring, t, y, 1) == StepEnd::taken);
  CHECK(y[1] == doctest::Approx(-0.1));
  CHECK(y[0] == doctest::Approx(0.99));
  const auto kept = run(*make(2, {0.05}), spring, {1, 0}, 0, 500), grown = run(*make(2, {0.05}), turn, {1, 0}, 0, 500);
  CHECK(std::hypot(kept[0], kept[1]) == doctest::Approx(1).epsilon(0.03));
  CHECK(std::hypot(grown[0], grown[1]) > 1e4);
}

TEST_CASE("the steps of an adaptive method keep the error that was allowed") {
  for (const char* name : {"dormand-prince", "radau"})
    for (const double allowed : {1e-5, 1e-7, 1e-9}) {
      CAPTURE(std::string(name));
      CAPTURE(allowed);
      const auto method = find_integrator(name)->make(4, {1, allowed, allowed, 0});
      const auto start = perihelion(0.6);
      const auto end = run(*method, planet, start, 0, 2 * std::numbers::pi);
      CHECK(distance(end, start) < 200 * allowed);
      CHECK(method->estimated_error() > 0);
      CHECK(method->estimated_error() < 4 * allowed * static_cast<double>(method->count().steps));
      // an ellipse wants short steps at one end and long ones at the other
      CHECK(method->count().steps > 5);
    }
}

TEST_CASE("tight tolerances of the eighth order reach the rounding of doubles") {
  const auto method = find_integrator("dormand-prince")->make(4, {1, 1e-13, 1e-14, 0});
  const auto start = perihelion(0.3);
  CHECK(distance(run(*method, planet, start, 0, 2 * std::numbers::pi), start) < 1e-11);
  CHECK(method->count().steps < 80);
}

TEST_CASE("the energy of a planet swings but does not drift under the symplectic method, and drifts under others") {
  const auto start = perihelion(0.5);
  const double E = planet_energy(start);
  const auto worst = [&](const char* name, double step, int orbits) {
    const auto method = find_integrator(name)->make(4, {step, 1e-6, 1e-6, 0});
    auto y = start;
    double most = 0;
    for (double t = 0; t < 2 * std::numbers::pi * orbits;) {
      REQUIRE(method->step(planet, t, y, 2 * std::numbers::pi * orbits) == StepEnd::taken);
      most = std::max(most, std::abs(planet_energy(y) - E));
    }
    return most;
  };
  CHECK(worst("gauss", 0.1, 200) < 1.05 * worst("gauss", 0.1, 20));
  CHECK(worst("rk4", 0.1, 200) > 5 * worst("rk4", 0.1, 20));
  // without truncation errors rounding is what remains, and it does not add up
  CHECK(worst("gauss", 0.01, 20) < 2e-13);
}

TEST_CASE("a stiff part that has decayed does not shorten the steps of the implicit method") {
  // y follows cos t; everything beside it decays with 1e6 per second
  const auto f = [](double t, std::span<const double> y, std::span<double> dy) {
    dy[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t);
  };
  const auto method = find_integrator("radau")->make(1, {1, 1e-7, 1e-7, 0});
  const auto y = run(*method, f, {1.5}, 0, 10);
  CHECK(y[0] == doctest::Approx(std::cos(10.0)).epsilon(1e-6));
  CHECK(method->count().steps < 120);
  const auto explicit_one = find_integrator("dormand-prince")->make(1, {1, 1e-7, 1e-7, 0});
  run(*explicit_one, f, {1.5}, 0, 0.01);
  CHECK(explicit_one->count().steps > 500);
}

TEST_CASE("the inside of a step begins and ends where the step does") {
  for (const IntegratorRow& row : integrators()) {
    CAPTURE(row.name);
    const auto method = row.make(4, {0.01, 1e-9, 1e-9, 0});
    auto y = perihelion(0.4), before = y, there = y;
    double t = 0;
    for (int k = 0; k < 5; ++k) {
      const double from = t;
      before = y;
      REQUIRE(method->step(planet, t, y, 3) == StepEnd::taken);
      method->inside(planet, from, there);
      CHECK(distance(there, before) < 1e-14);
      method->inside(planet, t, there);
      CHECK(distance(there, y) < 1e-12);
    }
  }
}

TEST_CASE("a slope that is not a number, or a solution that ends, stops a run") {
  const auto poisoned = [](double t, std::span<const double>, std::span<double> dy) {
    dy[0] = t > 0.5 ? std::numeric_limits<double>::quiet_NaN() : 1;
  };
  const auto blow_up = [](double, std::span<const double> y, std::span<double> dy) { dy[0] = y[0] * y[0]; };
  for (const IntegratorRow& row : integrators()) {
    CAPTURE(row.name);
    for (const Slope f : {Slope(poisoned), Slope(blow_up)}) {
      const auto method = row.make(1, {0.01, 1e-8, 1e-8, 0});
      std::vector<double> y{1};
      StepEnd end = StepEnd::taken;
      double t = 0;
      int steps = 0;
      while (t < 2 && end == StepEnd::taken && ++steps < 5000) end = method->step(f, t, y, 2);
      CHECK(steps < 5000);
      CHECK(end != StepEnd::taken);
      CHECK(std::isfinite(y[0]));
    }
  }
}

TEST_CASE("after an event a restarted method goes on as a new one") {
  for (const IntegratorRow& row : integrators()) {
    CAPTURE(row.name);
    const StepRules rules{0.01, 1e-8, 1e-8, 0};
    const auto used = row.make(4, rules), fresh = row.make(4, rules);
    run(*used, planet, perihelion(0.1), 0, 1);
    used->restart();
    CHECK(run(*used, planet, perihelion(0.7), 0, 1) == run(*fresh, planet, perihelion(0.7), 0, 1));
  }
}

TEST_CASE("the coefficients of the eighth order satisfy their conditions") {
  using namespace torsor::detail;
  for (std::size_t i = 1; i < dp_all_stages; ++i) {
    double sum = 0, moment = 0;
    for (std::size_t j = 0; j < i; ++j) sum += dp(i, j), moment += dp(i, j) * dp_c[j];
    CHECK(sum == doctest::Approx(dp_c[i]).epsilon(1e-13));
    if (i > 1) CHECK(moment == doctest::Approx(dp_c[i] * dp_c[i] / 2).epsilon(1e-13));
  }
  // the step integrates t^7 exactly, its estimates t^4 and t^2
  for (int power = 0; power < 8; ++power) {
    double step = 0, estimate5 = 0;
    for (std::size_t s = 0; s < dp_stages; ++s) {
      const double at = std::pow(dp_c[s], power);
      step += dp(dp_stages, s) * at;
      estimate5 += dp_e5[s] * at;
    }
    const double estimate3 =
        dp_bhat[0] * (power == 0) + dp_bhat[1] * std::pow(dp_c[8], power) + dp_bhat[2] * std::pow(dp_c[11], power);
    CHECK(step == doctest::Approx(1.0 / (power + 1)).epsilon(1e-13));
    if (power < 5) CHECK(std::abs(estimate5) < 1e-13);
    if (power < 3) CHECK(estimate3 == doctest::Approx(1.0 / (power + 1)).epsilon(1e-13));
  }
}

TEST_CASE("names find methods, and no name is there twice") {
  for (const IntegratorRow& row : integrators()) CHECK(find_integrator(row.name) == &row);
  CHECK(find_integrator("euler") == nullptr);
}

TEST_CASE("an explicit method tells that its steps are as short as stability asks") {
  const auto stiff = [](double t, std::span<const double> y, std::span<double> dy) {
    dy[0] = -1e4 * (y[0] - std::cos(t));
  };
  const auto method = dormand_prince(1, {});
  run(*method, stiff, {1}, 0, 2);
  CHECK(method->count().stiff > method->count().steps / 2);
  const auto free = dormand_prince(4, {});
  run(*free, planet, perihelion(0.6), 0, 20);
  CHECK(free->count().stiff == 0);
}

TEST_CASE("a fixed step that an event cuts counts what its inside misses") {
  const auto swing = [](double, std::span<const double> y, std::span<double> dy) { dy[0] = y[1], dy[1] = -y[0]; };
  for (const char* name : {"semi-implicit", "rk4", "gauss"}) {
    CAPTURE(std::string(name));
    const auto method = find_integrator(name)->make(2, {0.3});
    std::vector<double> y{1, 0}, inside(2);
    double t = 0;
    REQUIRE(method->step(swing, t, y, 1) == StepEnd::taken);
    method->inside(swing, 0.1, inside);
    method->cut(swing, 0.1, inside);
    const double missed = std::max(std::abs(inside[0] - std::cos(0.1)), std::abs(inside[1] + std::sin(0.1)));
    CHECK(method->estimated_error() > missed / 3);
  }
}
