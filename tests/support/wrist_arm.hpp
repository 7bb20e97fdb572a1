// Arms with a spherical wrist and axes parallel or perpendicular, after Hollerbach & Sahar (1983), table 3, and what
// the tests of the formulations for them share.
#pragma once

#include <numbers>

#include "tests/support/figures.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/files/load_robot.hpp"

namespace torsor::testing {

struct WristArmOptions {
  bool offsets = false;  // at shoulder, elbow and tool, and twists other than those of the table
  bool simple = false;   // diagonal tensors
};

inline Description random_wrist_arm(Random& random, const WristArmOptions& options) {
  int quarters[6] = {1, 0, -1, 1, -1, 0};
  double a[6] = {}, s[6] = {};
  for (double* length : {&s[0], &a[1], &s[3]}) *length = random.uniform(0.2, 0.6);
  if (options.offsets) {
    for (double* length : {&a[0], &s[1], &a[2], &s[2], &a[5], &s[5]}) *length = random.either_sign(0.02, 0.2);
    for (int& k : quarters) k = random.below(4) - 1;
    quarters[0] = random.chance(0.5) ? 1 : -1;
  }
  Description arm;
  arm.name = "wrist-partitioned";
  arm.convention = Convention::standard_dh;
  arm.base = random.transform(0.3);
  arm.gravity = random.vector(9);
  for (std::size_t i = 0; i < 6; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i + 1);
    link.joint_name = "joint" + std::to_string(i + 1);
    link.geometry = DhRow{random.uniform(-3, 3), s[i], a[i], quarters[i] * (std::numbers::pi / 2), 0};
    Part part = part_of(detail::random_points(random), InertiaAbout::mass_centre);
    if (options.simple) part.tensor.xy = part.tensor.xz = part.tensor.yz = 0;
    link.parts = {part};
    arm.links.push_back(std::move(link));
  }
  return arm;
}

/// A shipped robot in standard DH frames.
inline DhArm<double> shipped_arm(const std::string& name) {
  const auto robot = load_robot(name);
  REQUIRE(robot);
  const auto arm = dh_arm(*robot, Convention::standard_dh);
  REQUIRE(arm);
  return *arm;
}

/// Disagreement of a row of the inverse catalogue with the tree, at a random state of an arm that it must serve.
inline double row_disagreement(std::string_view name, const Description& arm, Random& random) {
  auto forms = robot_forms(arm);
  REQUIRE(forms);
  const auto* row = find_formulation(inverse_formulations<double>(), name);
  REQUIRE(row);
  REQUIRE(refusal(*row, *forms) == "");
  const int n = forms->model.nv;
  const Numbers q = random.numbers(n, 3), qd = random.numbers(n, 2), qdd = random.numbers(n, 2);
  forms->set(q);
  Numbers tau(static_cast<std::size_t>(n));
  row->prepare (*forms)(*forms, qd, qdd, tau);
  const Model<double>& model = forms->model;
  return disagreement(tau, inverse(model, q, qd, qdd), mass_matrix(model, q), qdd, velocity_torques(model, q, qd),
                      gravity(model, q));
}

/// What an algorithm does for an arm, under the structured rule: run(arm, position, qd, qdd, work, tau).
template <class Work, class Run>
Figures executed(const DhArm<double>& numbers, const Run& run) {
  Tape tape;
  const Recording recording(tape);
  const DhArm<Trace> arm = cast<Trace>(numbers, [](double x) { return Trace(x); });
  DhPosition<Trace> position(arm.n());
  std::vector<Trace> qd, qdd, tau(arm.links.size());
  for (int i = 1; i <= arm.n(); ++i) {
    position.c[i] = tape.input("c");
    position.s[i] = tape.input("s");
    qd.push_back(tape.input("qd"));
    qdd.push_back(tape.input("qdd"));
  }
  Work work(arm);
  run(arm, position, Rates<const Trace>(qd), Rates<const Trace>(qdd), work, Rates<Trace>(tau));
  for (const Trace& t : tau) tape.output(t, "tau");
  return figures(count(tape, Rule::structured));
}

/// A net torque with one multiplication more than it needs, for link 1 alone.
template <class Inertia>
struct OneMore : Inertia {
  using Inertia::Inertia;
  template <class T>
  Vec3<T> n_about_y(const T& w, const T& wd) const {
    return Inertia::n_about_y(w, T(2) * wd);
  }
};

}  // namespace torsor::testing
