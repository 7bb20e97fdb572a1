#include "torsor/structure/derivative_zeros.hpp"

#include <doctest/doctest.h>

#include "tests/support/largest_derivatives.hpp"
#include "torsor/files/load_robot.hpp"

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
    TreeDerivatives<double> derivatives(model);
    const LargestDerivatives most = largest_derivatives(model, derivatives, random, 5);
    const auto check = [](const Numbers& sizes, const std::vector<char>& may, const std::vector<char>& of_kinds) {
      const double scale = largest(sizes);
      for (std::size_t e = 0; e < sizes.size(); ++e) {
        CAPTURE(e);
        // what no robot of these joints has, this one has not
        if (!of_kinds[e]) CHECK(!may[e]);
        if (may[e])
          CHECK(sizes[e] > 1e-9 * scale);
        else
          CHECK(sizes[e] <= 1e-13 * scale);
      }
    };
    check(most.q, zeros.dq, general.dq);
    check(most.qd, zeros.dqd, general.dqd);
    check(most.qdd, zeros.dqdd, general.dqdd);
  }
}
