// Proofs of how many solutions there are: what is proven agrees with what is found and with references; where solutions meet
// nothing is proven.
#include "torsor/closed_form_ik/prove_count.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/closed_form_ik/golden_chain.hpp"
#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/loop_box.hpp"
#include "torsor/closed_form_ik/six_turns.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Each proven solution is one of those found, and each found is proven.
void check_same(const CountProof& proof, const TurningSolutions& found) {
  REQUIRE(proof.count == found.count);
  for (int k = 0; k < proof.count; ++k)
    CHECK(std::ranges::count_if(found.all(), [&](const TurningSolution& s) {
            return apart(s.q, proof.solution[static_cast<std::size_t>(k)]) < 1e-7;
          }) == 1);
}

}  // namespace

TEST_CASE("proven counts are those found: random arms, right angles, poses in and out of reach") {
  Random random(61);
  for (const bool right_angles : {false, true}) {
    CAPTURE(right_angles);
    int proven = 0, tried = 0, none = 0;
    for (int draw = 0; draw < draws(3); ++draw) {
      std::array<Transform<double>, 7> B;
      for (Transform<double>& b : B)
        b = right_angles ? Transform<double>{rotation_x((1 + 2 * random.below(2)) * std::numbers::pi / 2),
                                             {0.1 * random.below(4), 0, 0.1 * (1 + random.below(4))}}
                         : Transform<double>{rotation_x(random.uniform(-3, 3)),
                                             {random.uniform(-0.5, 0.5), 0, random.uniform(-0.5, 0.5)}};
      const SixTurns arm(B);
      if (arm.cuts().empty()) continue;
      for (int k = 0; k < 6; ++k) {
        SixAngles q;
        for (double& x : q) x = random.uniform(-std::numbers::pi, std::numbers::pi);
        Transform<double> X = arm.tool_pose(q);
        if (k % 3 == 2) X.p.x += random.uniform(0.5, 2);
        TurningSolutions found;
        arm.solve(X, found);
        const CountProof proof = prove_count(arm.loop(X), arm.cuts(), 20);
        ++tried;
        if (!proof.proven) continue;
        ++proven;
        none += proof.count == 0;
        check_same(proof, found);
      }
    }
    CHECK(tried > 5);
    CHECK(proven >= 0.8 * tried);
    CHECK(none > 0);
  }
}

TEST_CASE("no proof contradicts a reference, at singular and nearly singular poses, too") {
  int proven = 0, regular = 0, singular = 0;
  for (const auto& [name, arm] : golden("ik_all_solutions").at("arms").items()) {
    const auto& which = name;  // clang captures no structured binding
    CAPTURE(which);
    const JointChain chain = golden_chain(arm);
    if (chain.joints() != 6) continue;
    std::array<Transform<double>, 7> B;
    std::copy(chain.B.begin(), chain.B.end(), B.begin());
    const SixTurns solver(B);
    int seen = 0;
    for (const Json& pose : arm.at("poses")) {
      if (++seen > 2 && draws(1) == 1) break;
      CAPTURE(pose.at("kind").get<std::string>());
      bool is_regular = !pose.contains("family");
      for (std::size_t k = 0; k < pose.at("solutions").size(); ++k)
        is_regular = is_regular && pose.at("sigma").at(k) > 1e-3 &&
                     !(pose.contains("multiplicity") && pose.at("multiplicity").at(k) != 1);
      const CountProof proof =
          prove_count(solver.loop(golden_placement(pose.at("T"))), solver.cuts(), is_regular ? 20 : 0.2);
      // at a double solution no count holds for all poses within rounding
      bool is_double = pose.contains("family");
      for (const Json& m : pose.value("multiplicity", Json::array())) is_double = is_double || m != 1;
      if (is_double) {
        CHECK(!proof.proven);
        ++singular;
      }
      regular += is_regular;
      if (!proof.proven) continue;
      proven += is_regular;
      CHECK(proof.count == static_cast<int>(pose.at("solutions").size()));
    }
  }
  CHECK(regular > 10);
  CHECK(proven > 0.8 * regular);
  CHECK(singular > 3);
}

TEST_CASE("a box around a solution holds one, a box beside it none, one around two is not decided") {
  std::array<Transform<double>, 7> B;
  Random random(62);
  for (Transform<double>& b : B)
    b = {rotation_x(random.uniform(-3, 3)), {random.uniform(-0.5, 0.5), 0, random.uniform(-0.5, 0.5)}};
  const SixTurns arm(B);
  const SixAngles q{0.3, -0.8, 1.2, 0.5, -1.1, 0.9};
  const TurningLoop loop = arm.loop(arm.tool_pose(q));
  REQUIRE(measured(loop, q).sigma > 0.01);
  const auto box = [&](double from, double to) {
    LoopBox out;
    for (std::size_t k = 0; k < 6; ++k) out[k] = {q[k] + from, q[k] + to};
    return out;
  };
  LoopBox around_it = box(-1e-5, 2e-5), beside = box(1e-5, 3e-5), wide = box(-3, 3);
  CHECK(count_in(around(loop), around_it) == BoxHolds::one);
  for (std::size_t k = 0; k < 6; ++k) CHECK(around_it[k].width() < 1e-10);
  CHECK(count_in(around(loop), beside) == BoxHolds::none);
  CHECK(count_in(around(loop), wide) == BoxHolds::unknown);
}

TEST_CASE("without time nothing is proven") {
  std::array<Transform<double>, 7> B;
  for (Transform<double>& b : B) b = {rotation_x(1.1), {0.3, 0, 0.1}};
  const SixTurns arm(B);
  CHECK(!prove_count(arm.loop(arm.tool_pose({1, 2, 3, 1, 2, 3})), arm.cuts(), 0).proven);
}
