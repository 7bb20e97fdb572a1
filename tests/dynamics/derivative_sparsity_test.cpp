// The pattern beside the derivatives themselves, at several motions: an entry is zero at all of them where the pattern
// says so, and, robots without special numbers given, nowhere else.
#include "torsor/dynamics/derivative_sparsity.hpp"

#include <doctest/doctest.h>

#include "tests/support/largest_derivatives.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("derivatives vanish where the pattern says, and nowhere else") {
  Random random(911);
  long zeros = 0;
  for (int k = 0; k < draws(300); ++k) {
    RobotOptions options{.links = 1 + random.below(8),
                         .branching = 0.3,
                         .one_dof = k % 3 == 0,
                         .floating = k % 4 == 1,
                         .rotors = k % 2 == 0,
                         .friction = k % 5 == 0,
                         .mimics = k % 6 == 5,
                         .transmission = k % 7 == 3};
    Description d = random_robot(random, options).description;
    // axes in no special direction; the first axis after a DH row is along the one before
    d.convention = Convention::placement;
    for (LinkDescription& link : d.links) link.geometry = JointPlacement{random.transform(0.3), random.direction()};
    if (k % 8 == 2) d.gravity = {};
    if (k % 3 == 1)
      for (LinkDescription& link : d.links)
        if (random.chance(0.6) && !link.mimic && !link.rotor) link.kind = JointKind::prismatic, link.pitch = 0;
    const Model<double> model = built(d);
    const int n = model.nv;
    TreeDerivatives<double> derivatives(model);
    if (k % 4 == 3) derivatives.loads.base = {random.vector(1), random.vector(1), random.vector(1)};
    const std::vector<Force<double>> external = random_forces(random, model, 3);
    if (k % 2 == 1) derivatives.loads.external = external;
    const DerivativeSparsity pattern = derivative_sparsity(model, derivatives.loads.base);

    const LargestDerivatives most = largest_derivatives(model, derivatives, random, 3);
    CAPTURE(k);
    const auto check = [&](const char* name, const Numbers& sizes, const std::vector<char>& may) {
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          CAPTURE(std::string(name));
          CAPTURE(model.velocity_names[i]);
          CAPTURE(model.velocity_names[j]);
          const double size = sizes[cell(i, n, j)];
          zeros += may[cell(i, n, j)] == 0;
          if (may[cell(i, n, j)])
            CHECK(size > 1e-9);
          else
            CHECK(size < 1e-12);
        }
    };
    check("dq", most.q, pattern.dq);
    check("dqd", most.qd, pattern.dqd);
    check("dqdd", most.qdd, pattern.dqdd);
  }
  CHECK(zeros > 1000);
}
