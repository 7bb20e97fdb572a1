#include "torsor/dynamics/limit_watch.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/description.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("of every limit that a motion passes the worst value is kept, with its instant, the first one and how many") {
  Model<double> model = *build(*load_robot("puma560"));
  for (Limits& limits : model.limits) limits = {-1, 2, 3, 4};
  Random random(901);
  for (int draw = 0; draw < draws(50); ++draw) {
    LimitWatch watch(model);
    std::vector<std::vector<double>> q, qd, tau;
    for (int i = 0; i < 40; ++i) {
      q.push_back(random.numbers(6, 2.2));
      qd.push_back(random.numbers(6, 3.2));
      tau.push_back(random.numbers(6, 4.2));
      watch.add(0.1 * i, q.back(), qd.back(), tau.back());
    }
    // by another way: each kind and joint by itself
    std::size_t expected = 0;
    const std::vector<PassedLimit> passed = watch.passed();
    const auto check = [&](LimitKind kind, int k, auto&& beyond, auto&& value) {
      double worst = 0;
      int at = -1, first = -1, count = 0;
      for (int i = 0; i < 40; ++i) {
        if (!(beyond(i) > 0)) continue;
        if (count++ == 0) first = i;
        if (beyond(i) > worst) worst = beyond(i), at = i;
      }
      const auto found = std::find_if(passed.begin(), passed.end(),
                                      [&](const PassedLimit& p) { return p.kind == kind && p.coordinate == k; });
      REQUIRE((found != passed.end()) == (count > 0));
      if (count == 0) return;
      ++expected;
      CHECK(found->value == value(at));
      CHECK(found->time == 0.1 * at);
      CHECK(found->first == 0.1 * first);
      CHECK(found->instants == count);
    };
    for (std::size_t k = 0; k < 6; ++k) {
      const int v = static_cast<int>(k);
      const auto at = [](int i) { return static_cast<std::size_t>(i); };
      check(LimitKind::position, v, [&](int i) { return std::max(-1 - q[at(i)][k], q[at(i)][k] - 2); },
            [&](int i) { return q[at(i)][k]; });
      check(LimitKind::velocity, v, [&](int i) { return std::abs(qd[at(i)][k]) - 3; }, [&](int i) { return qd[at(i)][k]; });
      check(LimitKind::effort, v, [&](int i) { return std::abs(tau[at(i)][k]) - 4; }, [&](int i) { return tau[at(i)][k]; });
    }
    CHECK(passed.size() == expected);
    CHECK(watch.kept() == passed.empty());
  }
}

TEST_CASE("a limit that is just reached is kept, and parts that are not given are not looked at") {
  Model<double> model = *build(*load_robot("two_link"));
  for (Limits& limits : model.limits) limits = {-1, 2, 3, 4};
  LimitWatch watch(model);
  watch.add(0, std::vector<double>{2, -1}, std::vector<double>{3, -3}, std::vector<double>{4 * (1 + 1e-12), -4});
  watch.add(1, {}, {}, {});
  CHECK(watch.kept());
  watch.add(2, {}, std::vector<double>{0, 3.3}, {});
  REQUIRE(watch.passed().size() == 1);
  const std::string text = describe(watch.passed()[0], model, "at 2 s");
  CHECK(text == "\"" + model.velocity_names[1] + "\": speed 3.3 rad/s at 2 s is beyond its limit 3 rad/s (110 %)");
}
