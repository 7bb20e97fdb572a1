#include "torsor/structure/derivative_zeros.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/tree_derivatives.hpp"
#include "torsor/io/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("derivatives of a robot vanish where its exact structure says, and nowhere else") {
  Random random(951);
  for (const char* name : {"puma560", "puma560_drives", "stanford", "scara", "two_arm", "ur5", "cartesian3",
                           "rotary_hollerbach_simple", "two_link"}) {
    CAPTURE(name);
    const auto robot = load_robot(name);
    REQUIRE(robot);
    const auto exact = exact_robot(*robot, {.snap = false});
    REQUIRE(exact);
    const Model<double> model = built(*robot);
    const DerivativeSparsity zeros = derivative_zeros(model, exact_structure(*exact, Level::numbers));
    const DerivativeSparsity general = derivative_sparsity(model);
    const int n = model.nv;
    TreeDerivatives<double> derivatives(model);
    Numbers tau(n), dq(cells(n, n)), dqd(dq), dqdd(dq), most_q(dq), most_qd(dq), most_qdd(dq);
    for (int motion = 0; motion < 5; ++motion) {
      const State s = random_state(random, model);
      derivatives.inverse(s.q, s.qd, s.qdd, tau, {dq, dqd, dqdd});
      for (std::size_t e = 0; e < dq.size(); ++e) {
        most_q[e] = std::max(most_q[e], std::abs(dq[e]));
        most_qd[e] = std::max(most_qd[e], std::abs(dqd[e]));
        most_qdd[e] = std::max(most_qdd[e], std::abs(dqdd[e]));
      }
    }
    const auto check = [&](const Numbers& most, const std::vector<char>& may, const std::vector<char>& of_kinds) {
      const double scale = largest(most);
      for (std::size_t e = 0; e < most.size(); ++e) {
        CAPTURE(e);
        // what no robot of these joints has, this one has not
        if (!of_kinds[e]) CHECK(!may[e]);
        if (may[e])
          CHECK(most[e] > 1e-9 * scale);
        else
          CHECK(most[e] <= 1e-13 * scale);
      }
    };
    check(most_q, zeros.dq, general.dq);
    check(most_qd, zeros.dqd, general.dqd);
    check(most_qdd, zeros.dqdd, general.dqdd);
  }
}
