// Regular positions in lanes beside the elimination of six joints, which knows nothing of them: shipped arms, and
// random ones with a wrist at either end, any joint of seven held.
#include "torsor/closed_form_ik/regular_chain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double half_circle = std::numbers::pi;

double apart_of(const JointChain& chain, std::span<const double> a, std::span<const double> b) {
  double by = 0;
  for (std::size_t k = 0; k < chain.slides.size(); ++k)
    by = std::max(by, std::abs(chain.slides[k] ? a[k] - b[k] : std::remainder(a[k] - b[k], 2 * half_circle)));
  return by;
}

Transform<double> along_z(double d) { return Transform<double>::translation({0, 0, d}); }

/// Six joints: axes 1 and 2 meet or are parallel, an elbow of any offset and twist, a wrist of any twists; the last
/// axes have places along themselves.
JointChain drawn_arm(Random& random, bool backwards) {
  const auto twist = [&] {
    return random.chance(0.5) ? half_circle / 2 * (random.chance(0.5) ? 1 : -1) : random.either_sign(0.4, 2.6);
  };
  JointChain chain;
  chain.slides.assign(6, false);
  const bool boom = random.chance(0.3);
  chain.slides[2] = boom;
  const double first = random.chance(0.3) && !boom ? 0 : twist();
  chain.B = {{random.rotation(), random.vector(1)},
             {rotation_x(first), {first == 0 ? random.uniform(0.2, 0.6) : 0.0, 0, random.uniform(-0.3, 0.3)}},
             {rotation_x(first == 0 ? random.either_sign(0.3, 1) : twist()), {random.uniform(0.2, 0.6), 0, 0}},
             {rotation_x(twist()), {random.uniform(-0.2, 0.2), 0, random.uniform(0.2, 0.5)}},
             along_z(random.uniform(-0.1, 0.1)) * Transform<double>::rotation(rotation_x(twist())),
             {rotation_x(twist()), {}},
             {random.rotation(), random.vector(0.2)}};
  // axes 4 and 5 meet in joint 5's place, 5 and 6 likewise
  chain.limits.assign(6, Limits{});
  for (Limits& limits : chain.limits) limits.lower = -3 * half_circle, limits.upper = 3 * half_circle;
  if (backwards) {
    std::vector<Transform<double>> B;
    for (std::size_t k = 7; k-- > 0;) B.push_back(inverse(chain.B[k]));
    chain.B = B;
    std::reverse(chain.slides.begin(), chain.slides.end());
  }
  chain.coordinate = {0, 1, 2, 3, 4, 5};
  chain.size = 0;
  for (std::size_t k = 1; k < 6; ++k) chain.size += norm(chain.B[k].p);
  return chain;
}

}  // namespace

TEST_CASE("arms with a wrist at either end have the solutions of the elimination, in lanes") {
  Random random(61);
  int served = 0, compared = 0, none = 0;
  for (int draw = 0; draw < draws(12); ++draw) {
    CAPTURE(draw);
    const JointChain chain = drawn_arm(random, draw % 2 == 1);
    const auto arm = RegularChain::of_wrist(chain);
    if (!arm) continue;
    ++served;
    CHECK(arm->backwards == (draw % 2 == 1));
    std::array<Transform<double>, 7> B;
    std::array<bool, 6> slides{};
    std::copy(chain.B.begin(), chain.B.end(), B.begin());
    std::copy(chain.slides.begin(), chain.slides.end(), slides.begin());
    const SixTurns six(B, slides);
    for (int k = 0; k < 20; ++k) {
      std::vector<double> q;
      for (const bool s : chain.slides) q.push_back(s ? random.uniform(-1, 1) * chain.size : random.uniform(-3.1, 3.1));
      Transform<double> X = chain.tool_pose(q);
      if (k % 5 == 4) X.p = X.p * 1.5;
      RegularSolutions found;
      if (!arm->solve(X, 0, found)) continue;
      TurningSolutions all;
      six.solve(X, all);
      ++compared;
      none += found.count == 0;
      REQUIRE(found.count == all.count);
      for (const TurningSolution& s : all.all())
        CHECK(std::ranges::count_if(found.all(), [&](const RegularSolution& r) {
                return apart_of(chain, r.q, s.q) < 1e-8;
              }) == 1);
      for (const RegularSolution& s : found.all()) {
        const Transform<double> there = chain.tool_pose(std::span(s.q).first(6));
        CHECK(norm(there.p - X.p) < 1e-11 * chain.size);
        CHECK(norm(there.R.x - X.R.x) + norm(there.R.y - X.R.y) < 1e-11);
      }
      if (k % 5 != 4)
        CHECK(std::ranges::any_of(found.all(),
                                  [&](const RegularSolution& r) { return apart_of(chain, r.q, q) < 1e-8; }));
    }
  }
  CHECK(served >= draws(12) * 3 / 4);
  CHECK(compared > 12 * served);
  CHECK(none > 0);
}

TEST_CASE("seven joints with any of them held have the solutions of the elimination, and their least singular values") {
  for (const auto& [its, held] : {std::pair{"panda", 6}, {"iiwa14", 1}, {"iiwa14", 2}, {"iiwa14", 4}, {"iiwa14", 6}}) {
    const std::string name = its;  // clang captures no structured binding
    const int joint = held;
    CAPTURE(name);
    CAPTURE(joint);
    const Robot robot = Robot::load(name);
    const auto chain = joint_chain(robot.model(), robot.tool());
    const auto arm = RedundantArm::of(*chain, joint);
    REQUIRE(arm);
    Random random(62);
    int solutions = 0;
    for (int k = 0; k < draws(40); ++k) {
      CAPTURE(k);
      SevenAngles q;
      for (double& x : q) x = random.uniform(-3, 3);
      const Transform<double> X = chain->tool_pose(q);
      const double value = q[static_cast<std::size_t>(joint)];
      SevenSolutions found;
      arm->solve(X, value, found);
      TurningSolutions all;
      const SixTurns six = arm->six(value);
      six.solve(X, all);
      double least = 1;
      for (const TurningSolution& s : all.all()) least = std::min(least, s.measure.sigma);
      if (least < 1e-4) continue;
      REQUIRE(found.count == all.count);
      for (const SevenSolution& s : found.all()) {
        ++solutions;
        SixAngles moved{};
        std::size_t to = 0;
        for (std::size_t i = 0; i < 7; ++i)
          if (static_cast<int>(i) != joint) moved[to++] = s.q[i];
        const auto same =
            std::ranges::find_if(all.all(), [&](const TurningSolution& t) { return apart(moved, t.q) < 1e-7; });
        REQUIRE(same != all.all().end());
        CHECK(s.sigma == doctest::Approx(same->measure.sigma).epsilon(0.3));
      }
    }
    CHECK(solutions > 100);
  }
}

TEST_CASE("whether a swivel angle has a solution inside the limits is what its solutions say") {
  const Robot robot = Robot::load("iiwa14");
  const auto chain = joint_chain(robot.model(), robot.tool());
  const auto arm = SwivelArm::of(*chain);
  REQUIRE(arm);
  REQUIRE(arm->regular());
  Random random(63);
  int inside = 0, outside = 0;
  for (int k = 0; k < draws(300); ++k) {
    SevenAngles q;
    for (double& x : q) x = random.uniform(-3, 3);
    const Transform<double> X = chain->tool_pose(q);
    const double psi = random.uniform(-3, 3);
    SwivelSolutions all;
    arm->solve_cases(X, psi, all);
    bool any = false;
    for (const SevenAngles& s : all.all()) {
      bool each = true;
      for (std::size_t i = 0; i < 7; ++i) each = each && s[i] > chain->limits[i].lower && s[i] < chain->limits[i].upper;
      any = any || each;
    }
    const RegularChain::Inside said = arm->regular()->inside(X, psi);
    if (said == RegularChain::Inside::doubtful) continue;
    CHECK((said == RegularChain::Inside::some) == any);
    (any ? inside : outside) += 1;
  }
  CHECK(inside > 30);
  CHECK(outside > 30);
}
