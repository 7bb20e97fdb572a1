// Six revolute joints of any geometry: every reference solution found, none extra, none twice; and what a pose was made
// of is among the answers for random arms, general, right-angled and nearly so.
#include "torsor/closed_form_ik/six_turns.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/golden.hpp"
#include "tests/support/random.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Transform<double> placement(const Json& rows) {
  const Numbers v = numbers(rows);
  return {{{v[0], v[4], v[8]}, {v[1], v[5], v[9]}, {v[2], v[6], v[10]}}, {v[3], v[7], v[11]}};
}

/// The arm with joint `locked` held at a value; all six where it has no seventh.
std::array<Transform<double>, 7> held(const std::vector<Transform<double>>& B, int locked, double value) {
  std::array<Transform<double>, 7> out;
  int k = 0;
  for (int i = 0; i < static_cast<int>(B.size()); ++i) {
    const Transform<double>& b = B[static_cast<std::size_t>(i)];
    if (locked >= 0 && i == locked + 1) {
      Transform<double>& before = out[static_cast<std::size_t>(k - 1)];
      before = before * Transform<double>::rotation(rotation_z(value)) * b;
    } else {
      out[static_cast<std::size_t>(k++)] = b;
    }
  }
  return out;
}

SixAngles angles(const Json& q, int locked) {
  SixAngles out{};
  std::size_t k = 0;
  for (int i = 0; i < static_cast<int>(q.size()); ++i)
    if (i != locked) out[k++] = q.at(static_cast<std::size_t>(i)).get<double>();
  return out;
}

double residual(const SixTurns& arm, const SixAngles& q, const Transform<double>& X) {
  const Transform<double> there = arm.tool_pose(q);
  const Mat3<double> off = there.R - X.R;
  return std::max({norm(there.p - X.p), norm(off.x), norm(off.y), norm(off.z)});
}

}  // namespace

TEST_CASE("every reference solution is found, none extra and none twice") {
  int required = 0, most = 0, seen = 0;
  for (const auto& [name, arm] : golden("ik_all_solutions").at("arms").items()) {
    const auto& which = name;  // clang captures no structured binding
    CAPTURE(which);
    std::vector<Transform<double>> B;
    for (const Json& rows : arm.at("B")) B.push_back(placement(rows));
    for (const Json& pose : arm.at("poses")) {
      if (seen++ % draws(2, 1) != 0) continue;  // of each arm half, whatever their kinds, or all
      CAPTURE(pose.at("kind").get<std::string>());
      const int locked = pose.value("locked", -1);
      // the cuts are chosen with the seventh joint somewhere else
      const SixTurns made(held(B, locked, 0.7));
      const SixTurns solver = made.with(held(B, locked, pose.value("value", 0.0)));
      const Transform<double> X = placement(pose.at("T"));
      TurningSolutions found;
      solver.solve(X, found);
      most = std::max(most, found.count);

      // how near counts as found: the rule of the reference data
      const Json& solutions = pose.at("solutions");
      const auto tolerance = [&](std::size_t k) {
        const double sigma = pose.at("sigma").at(k);
        const bool is_multiple = pose.contains("multiplicity") && pose.at("multiplicity").at(k) != 1;
        return is_multiple || sigma < 1e-6 ? 1e-6 : std::max(1e-8, 1e-13 / sigma);
      };
      for (std::size_t k = 0; k < solutions.size(); ++k) {
        const SixAngles q = angles(solutions.at(k), locked);
        const auto times =
            std::ranges::count_if(found.all(), [&](const TurningSolution& s) { return apart(s.q, q) < tolerance(k); });
        if (tolerance(k) < 1e-6) {
          CHECK(times == 1);
          ++required;
        } else {
          CHECK(times <= 2);
        }
      }
      for (const TurningSolution& s : found.all()) {
        CHECK(residual(solver, s.q, X) < 1e-12);
        if (pose.contains("family")) continue;
        bool is_known = false;
        for (std::size_t k = 0; k < solutions.size(); ++k)
          is_known = is_known || apart(s.q, angles(solutions.at(k), locked)) < tolerance(k);
        for (const Json& q : pose.value("touching", Json::array()))
          is_known = is_known || apart(s.q, angles(q, locked)) < 1e-6;
        CHECK(is_known);
      }
    }
  }
  CHECK(required > draws(350, 700));
  CHECK(most == 16);
}

TEST_CASE("the position that a pose was made of is among the answers, of any geometry") {
  Random random(43);
  for (const int kind : {0, 1, 2}) {
    CAPTURE(kind);
    int tried = 0, regular = 0;
    for (int draw = 0; draw < draws(12); ++draw) {
      CAPTURE(draw);
      // general; right angles and zeros; these missed by 1e-6 to 1e-2
      std::array<Transform<double>, 7> B;
      for (Transform<double>& b : B) {
        double alpha = random.uniform(-std::numbers::pi, std::numbers::pi), a = random.uniform(-0.5, 0.5),
               d = random.uniform(-0.5, 0.5);
        if (kind > 0) {
          alpha = random.chance(0.6) ? std::numbers::pi / 2 : random.below(4) * std::numbers::pi / 2;
          a = random.chance(0.5) ? 0 : 0.1 * (1 + random.below(4));
          d = random.chance(0.5) ? 0 : 0.1 * (1 + random.below(4));
        }
        if (kind == 2) {
          const double off = std::pow(10, random.uniform(-6, -2));
          alpha += off * random.uniform(-1, 1);
          a += off * random.uniform(-1, 1);
          d += off * random.uniform(-1, 1);
        }
        b = {rotation_x(alpha), {a, 0, d}};
      }
      const SixTurns arm(B);
      if (kind != 1) REQUIRE(!arm.cuts().empty());
      if (arm.cuts().empty()) continue;  // axes that move the tool in fewer than six ways
      for (int k = 0; k < 40; ++k) {
        SixAngles q;
        for (double& x : q)
          x = random.chance(0.8) ? random.uniform(-std::numbers::pi, std::numbers::pi)
                                 : (random.below(4) - 1) * std::numbers::pi / 2;
        const Transform<double> X = arm.tool_pose(q);
        TurningSolutions found;
        arm.solve(X, found);
        bool is_regular = true;
        for (const TurningSolution& s : found.all()) {
          CHECK(residual(arm, s.q, X) < 1e-12);
          is_regular = is_regular && s.measure.sigma > 1e-5;
        }
        const double sigma = measured(arm.loop(X), q).sigma;
        if (sigma < 1e-6) continue;
        ++tried;
        CHECK(std::ranges::any_of(
            found.all(), [&](const TurningSolution& s) { return apart(s.q, q) < std::max(1e-8, 1e-12 / sigma); }));
        // complex solutions come in pairs
        regular += is_regular;
        CHECK((!is_regular || found.count % 2 == 0));
      }
    }
    CHECK(tried > 100);
    CHECK(regular > 50);
  }
}

TEST_CASE("a curve of solutions is answered once, as a family") {
  // a PUMA's wrist: axes 4 and 6 in line
  std::array<Transform<double>, 7> B;
  const double alpha[] =
      {0, std::numbers::pi / 2, 0, -std::numbers::pi / 2, std::numbers::pi / 2, -std::numbers::pi / 2, 0},
               a[] = {0, 0, 0.43, 0.02, 0, 0, 0}, d[] = {0, 0, 0.15, 0.43, 0, 0, 0.1};
  for (std::size_t k = 0; k < 7; ++k) B[k] = {rotation_x(alpha[k]), {a[k], 0, d[k]}};
  const SixTurns arm(B);
  TurningSolutions found;
  arm.solve(arm.tool_pose({0.3, 0.5, -0.4, 0.7, 0, 0.2}), found);
  CHECK(std::ranges::count_if(found.all(), [](const TurningSolution& s) { return s.family; }) == 1);
  CHECK(found.count > 1);
  for (const TurningSolution& s : found.all())
    if (s.family) {
      CHECK(s.measure.sigma < 1e-7);
      CHECK(std::abs(s.measure.idle[3]) > 0.5);
      CHECK(std::abs(s.measure.idle[5]) > 0.5);
    }
}

TEST_CASE("poses out of reach and poses that are none have no solutions, and nothing is not a number") {
  std::array<Transform<double>, 7> B;
  Random random(44);
  for (Transform<double>& b : B) b = {rotation_x(random.uniform(-3, 3)), {0.3, 0, 0.1}};
  const SixTurns arm(B);
  for (const double far : {5.0, 1e3, 1e9}) {
    Transform<double> X = arm.tool_pose({1, 2, 3, 1, 2, 3});
    X.p.x += far;
    TurningSolutions found;
    arm.solve(X, found);
    CHECK(found.count == 0);
  }
}
