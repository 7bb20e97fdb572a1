#include "torsor/reduction/torque_terms.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/random.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/robot_forms.hpp"

using namespace torsor;

TEST_CASE("all terms together are the equations of motion, of arms with parallel axes, slides and rotors") {
  for (const char* name :
       {"puma560", "puma560_drives", "stanford", "two_link", "scara", "articulated3", "cylindrical3", "ur5"}) {
    CAPTURE(std::string(name));
    const auto robot = load_robot(name);
    REQUIRE(robot);
    auto terms = TorqueTerms::of(*robot);
    REQUIRE(terms);
    ReducedModel model = terms->frame();
    for (const auto& part : {terms->inertia(), terms->velocity(terms->inertia()), terms->gravity()})
      model.terms.insert(model.terms.end(), part.begin(), part.end());
    ReducedDynamics<double> dynamics(model);
    const auto forms = robot_forms(*robot);
    TreeDynamics<double> full(forms->model);
    const int n = model.size();
    std::vector<double> tau(static_cast<std::size_t>(n)), same(tau), once(tau), M(tau.size() * tau.size()), same_M(M);
    testing::Random random(71);
    for (int k = 0; k < 20; ++k) {
      const std::vector<double> q = random.numbers(n, 3), qd = random.numbers(n, 2), qdd = random.numbers(n, 2);
      full.inverse(q, qd, qdd, tau);
      dynamics.inverse(q, qd, qdd, same);
      std::ranges::fill(once, 0.0);
      for (const TorqueTerm& term : model.terms)
        if (term.part != TermPart::velocity) add_torque(model, term, TermState(model, q, qd, qdd), true, once);
      full.mass(q, M);
      dynamics.mass(q, same_M);
      for (std::size_t i = 0; i < tau.size(); ++i) {
        CHECK(same[i] == doctest::Approx(tau[i]).epsilon(1e-9).scale(1e-3));
        CHECK(once[i] == doctest::Approx(tau[i]).epsilon(1e-9).scale(1e-3));
      }
      for (std::size_t i = 0; i < M.size(); ++i) CHECK(same_M[i] == doctest::Approx(M[i]).epsilon(1e-9).scale(1e-3));
      // forward dynamics turns inverse dynamics round
      std::vector<double> back(qdd.size());
      CHECK(dynamics.forward(q, qd, same, back) == -1);
      for (std::size_t i = 0; i < back.size(); ++i) CHECK(back[i] == doctest::Approx(qdd[i]).epsilon(1e-7));
    }
  }
}

TEST_CASE("rates of absolute angles leave few terms: of a PUMA's upper arm one constant") {
  const auto terms = TorqueTerms::of(*load_robot("puma560"));
  REQUIRE(terms);
  CHECK(terms->frame().joints[2].previous == 1);
  CHECK(terms->frame().next(1) == 2);
  int of_upper_arm = 0;
  for (const TorqueTerm& term : terms->inertia())
    if (term.i == 1 && term.j == 1) {
      ++of_upper_arm;
      CHECK(term.factors.empty());
    }
  CHECK(of_upper_arm == 1);
  CHECK_FALSE(TorqueTerms::of(*load_robot("two_arm")));
}
