// One robot, one truth: every formulation of every catalogue, and the paths that are taken without a name, on the robot
// as it was typed, however near its geometry is to a special one.
#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/formulations/certificate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// 10 to the power of a random exponent, with a random sign.
double off_by(Random& random, double least, double most) {
  return random.either_sign(1, 1) * std::pow(10, random.uniform(least, most));
}

/// As a URDF has it: quarter turns and lengths, some of them zero, each off its special value by a little.
Description nearly_special_arm(Random& random, int n) {
  Description arm = random_dh_arm(random, n, Convention::standard_dh, 0.15);
  arm.convention = Convention::placement;
  const auto angle = [&] {
    return random.below(4) * std::numbers::pi / 2 + (random.chance(0.6) ? off_by(random, -7, -2) : 0);
  };
  const auto length = [&] {
    return (random.chance(0.5) ? random.uniform(-0.5, 0.5) : 0) + (random.chance(0.6) ? off_by(random, -8, -3) : 0);
  };
  for (LinkDescription& l : arm.links) {
    const double roll = angle(), pitch = angle(), yaw = angle();
    l.geometry = JointPlacement{{exact_rotation_rpy({roll, pitch, yaw}), {length(), length(), length()}}, {0, 0, 1}};
  }
  return arm;
}

/// The robot itself at a state, by the recursion of the tree and by the canonical chain; and the size of its torques.
struct Truth {
  Truth(const Model<double>& model, const State& s)
      : tau(static_cast<std::size_t>(model.nv)),
        fast(tau.size()),
        bias(tau.size()),
        g(tau.size()),
        D(tau.size() * tau.size()) {
    TreeDynamics<double> tree(model);
    tree.inverse(s.q, s.qd, s.qdd, tau);
    tree.bias(s.q, s.qd, bias);
    tree.gravity(s.q, g);
    tree.mass(s.q, D);
    Dynamics(model).inverse(s.q, s.qd, s.qdd, fast);
    for (std::size_t i = 0; i < tau.size(); ++i)
      scale = std::max(scale, std::abs(tau[i] - bias[i]) + std::abs(bias[i] - g[i]) + std::abs(g[i]));
  }

  Numbers tau, fast, bias, g, D;
  double scale = 0;
};

/// Rows that served; each of them against both witnesses.
int check_rows(RobotForms<double>& forms, const Model<double>& robot, const State& s, double tolerance) {
  const Truth truth(robot, s);
  const auto n = static_cast<std::size_t>(robot.nv);
  REQUIRE(difference(truth.fast, truth.tau) < tolerance * truth.scale);
  forms.set(s.q);
  Numbers tau(n), h(n), c(n), D(n * n), h_ikm(n * n * n);
  int served = 0;
  const auto serves = [&](const auto& row) {
    const bool can = refusal(row, forms).empty();
    served += can ? 1 : 0;
    return can;
  };
  const CertificateRows rows = certificate_rows();
  for (const auto& row : rows.inverse)
    if (serves(row)) {
      CAPTURE(row.name);
      row.prepare(forms)(forms, s.qd, s.qdd, tau);
      CHECK(difference(tau, truth.tau) < tolerance * truth.scale);
      CHECK(difference(tau, truth.fast) < tolerance * truth.scale);
    }
  for (const auto& row : coefficients_formulations<double>())
    if (serves(row)) {
      CAPTURE(row.name);
      row.prepare(forms)(forms, s.qd, D, h, c);
      CHECK(difference(D, truth.D) < tolerance * largest(truth.D));
      CHECK(difference(sum(h, c), truth.bias) < tolerance * truth.scale);
      CHECK(difference(c, truth.g) < tolerance * truth.scale);
    }
  for (const auto& row : christoffel_formulations<double>())
    if (serves(row)) {
      CAPTURE(row.name);
      row.prepare(forms)(forms, h_ikm);
      Numbers bias = truth.g;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n * n; ++k) bias[i] += h_ikm[i * n * n + k] * s.qd[k / n] * s.qd[k % n];
      CHECK(difference(bias, truth.bias) < tolerance * (truth.scale + static_cast<double>(n * n) * largest(h_ikm)));
    }
  for (const auto& row : rows.mass)
    if (serves(row)) {
      CAPTURE(row.name);
      row.prepare(forms)(forms, D);
      CHECK(difference(D, truth.D) < tolerance * largest(truth.D));
    }
  for (const auto& row : rows.gravity)
    if (serves(row)) {
      CAPTURE(row.name);
      row.prepare(forms)(forms, c);
      CHECK(difference(c, truth.g) < tolerance * truth.scale);
    }
  return served;
}

}  // namespace

TEST_CASE("every formulation computes on the robot as typed, its axes off special directions by 1e-7 to 1e-2 rad") {
  Random random(2101);
  int held = 0;
  for (int k = 0; k < draws(200); ++k) {
    CAPTURE(k);
    const Description robot = nearly_special_arm(random, 2 + k % 6);
    const Model<double> model = built(robot);
    auto forms = robot_forms(robot);
    REQUIRE(forms);
    REQUIRE(forms->standard);
    CHECK(forms->snaps.empty());
    held += forms->standard->held();
    // all but the four of inverse dynamics for wrists, the one for turning joints, and gravity on a level base
    CHECK(check_rows(*forms, model, random_state(random, model), 1e-10) >= 40);
  }
  CHECK(held > 100);  // axes that need a fifth parameter
}

TEST_CASE("a DH table with twists of 1e-7 to 1e-2 rad has its four parameters: no formulation refuses it") {
  Random random(2102);
  for (int k = 0; k < draws(100); ++k) {
    CAPTURE(k);
    const Convention convention = k % 2 == 0 ? Convention::standard_dh : Convention::modified_dh;
    Description robot = random_dh_arm(random, 2 + k % 5, convention, 0.15);
    for (LinkDescription& l : robot.links)
      std::get<DhRow>(l.geometry).alpha = random.below(4) * std::numbers::pi / 2 + off_by(random, -7, -2);
    const Model<double> model = built(robot);
    auto forms = robot_forms(robot);
    REQUIRE(forms);
    REQUIRE(forms->standard);
    CHECK(forms->standard->held() == 0);
    CHECK(forms->modified->held() == 0);
    for (int i = 1; i <= model.nv; ++i) {
      const DhRow& row = std::get<DhRow>(robot.links[static_cast<std::size_t>(i - 1)].geometry);
      const DhArm<double>& own = convention == Convention::standard_dh ? *forms->standard : *forms->modified;
      CHECK(own[i].sa == std::sin(row.alpha));
      CHECK(own[i].a == row.a);
    }
    CHECK(check_rows(*forms, model, random_state(random, model), 1e-10) >= 40);
  }
}

TEST_CASE("a table with a fifth parameter serves all formulations, wherever it stands") {
  Random random(2103);
  for (int k = 0; k < draws(60); ++k) {
    CAPTURE(k);
    const Convention convention = k % 2 == 0 ? Convention::standard_dh : Convention::modified_dh;
    Description robot = random_dh_arm(random, 2 + k % 5, convention, 0.2);
    for (LinkDescription& l : robot.links)
      if (random.chance(0.5)) std::get<DhRow>(l.geometry).beta = random.uniform(-1, 1);
    const Model<double> model = built(robot);
    auto forms = robot_forms(robot);
    REQUIRE(forms);
    REQUIRE(forms->standard);
    CHECK(check_rows(*forms, model, random_state(random, model), 1e-11) >= 40);
  }
}

TEST_CASE("the certificate is of the robot as typed, and has the paths that are taken without a name") {
  Random random(2104);
  for (int k = 0; k < draws(20); ++k) {
    CAPTURE(k);
    auto forms = robot_forms(nearly_special_arm(random, 3 + k % 4));
    REQUIRE(forms);
    const Agreement agreement = agree(*forms, 5);
    int unnamed = 0;
    for (const CertifiedRow& row : agreement.inverse)
      unnamed += row.name == "fast" || row.name == "fast-batch" || row.name == "motion-terms";
    CHECK(unnamed == 3);
    for (const Disagreement& d : agreement.pairs) CHECK(d.measure < 1e-11);
    for (const CertifiedRow& row : agreement.others) CHECK(row.worst.measure < 1e-11);
  }
}

TEST_CASE("a certificate of another robot than the default paths compute is no certificate") {
  Random random(2105);
  Description robot = nearly_special_arm(random, 5);
  std::get<JointPlacement>(robot.links[2].geometry).X_parent_joint.R = exact_rotation_rpy({1.5708, 0, 0});
  auto typed = robot_forms(robot), snapped = robot_forms(robot, GeometryTolerance{});
  REQUIRE(typed);
  REQUIRE(snapped);
  CHECK(typed->snaps.empty());
  CHECK(!typed->nearly.empty());
  CHECK(!snapped->snaps.empty());
  CHECK(snapped->nearly.empty());
  // forms of which one is snapped and the tree is not
  RobotForms<double> mixed = *snapped;
  mixed.model = typed->model;
  const Agreement agreement = agree(mixed, 20);
  bool caught = false;
  for (const Disagreement& d : agreement.pairs) caught = caught || d.measure > 1e-8;
  CHECK(caught);
}
