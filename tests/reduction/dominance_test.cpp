#include "torsor/reduction/dominance.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;

namespace {

const DominanceRow& find(const std::vector<DominanceRow>& rows, const std::string& name) {
  for (const DominanceRow& row : rows)
    if (row.name == name) return row;
  FAIL(name);
  return rows.front();
}

}  // namespace

TEST_CASE("the parts of torques and inertias add up to those of the full model, rotors included") {
  for (const char* name : {"puma560", "puma560_drives", "stanford"}) {
    CAPTURE(std::string(name));
    const auto robot = load_robot(name);
    const auto forms = robot_forms(*robot);
    const auto states = random_workspace_states(forms->model, usual_rate_limits(forms->model), 20, 3);
    const auto found = dominance(*robot, states);
    REQUIRE(found);
    TreeDynamics<double> full(forms->model);
    std::vector<double> tau(6), M(36);
    for (std::size_t k = 0; k < states.size(); ++k) {
      full.inverse(states[k].q, states[k].qd, states[k].qdd, tau);
      full.mass(states[k].q, M);
      std::size_t at = 0;
      for (std::size_t i = 0; i < 6; ++i) {
        double sum = 0;
        for (const DominancePart& part : found->torque[i].parts) sum += part.values[k];
        CHECK(sum == doctest::Approx(tau[i]).epsilon(1e-9).scale(1e-3));
        for (std::size_t j = i; j < 6; ++j, ++at) {
          double inertia = 0;
          for (const DominancePart& part : found->inertia[at].parts) inertia += part.values[k];
          CHECK(inertia == doctest::Approx(M[i * 6 + j]).epsilon(1e-9).scale(1e-3));
        }
      }
    }
  }
}

TEST_CASE("parts that are too large for numbers are a fault that names them") {
  for (const double x : {1e160, 1e308}) {
    const std::vector<JointState> fast{{{0.1, 0.2}, {x, 0}, {0, 0}}};
    const auto found = dominance(*load_robot("two_link"), fast);
    REQUIRE_FALSE(found);
    CHECK(found.faults().front().rule == "not-finite");
    CHECK(found.faults().front().offender.starts_with("h"));
  }
}

TEST_CASE("what dominates a PUMA: masses in D12, inertias in all that joint 6 does, and nothing where nothing is") {
  const auto robot = load_robot("puma560");
  const Model<double> model = robot_forms(*robot)->model;
  const RateLimits slow{std::vector<double>(6, 1.0), std::vector<double>(6, 1.0)};
  const auto found = dominance(*robot, random_workspace_states(model, slow, 300, 1));
  REQUIRE(found);
  CHECK(find(found->inertia, "D12").verdict() == "translation");
  CHECK(find(found->inertia, "D24").verdict() == "translation");
  CHECK(find(found->inertia, "D22").verdict() == "mixed");
  CHECK(find(found->inertia, "D44").verdict() == "rotation");
  for (const char* name : {"D16", "D26", "D36", "D46", "D66"}) CHECK(find(found->inertia, name).parts[1].share == 1);
  for (const char* name : {"D45", "D56"}) CHECK(find(found->inertia, name).verdict() == "zero");
  CHECK(find(found->velocity, "h3").verdict() == "translation");
  CHECK(find(found->velocity, "h6").verdict() == "rotation");
  CHECK(find(found->torque, "tau2").verdict() == "gravity");
  for (const auto& rows : {found->inertia, found->velocity, found->torque})
    for (const DominanceRow& row : rows) {
      double sum = 0;
      for (const DominancePart& part : row.parts) sum += part.share;
      CHECK(sum == doctest::Approx(row.zero ? 0 : 1));
    }
  CHECK_FALSE(dominance(*load_robot("two_arm"), {{{}}}));
}
