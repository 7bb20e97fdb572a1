// Places out of reach of arms without a closed form: the distance told is the least, as far as another search finds.
#include <doctest/doctest.h>

#include "tests/closed_form_ik/nearest_witness.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Turns and now and then a slide about any axes.
Description any_arm(Random& random, int joints) {
  Description d;
  d.name = "arm";
  d.base = random.transform(0.3);
  for (int i = 0; i < joints; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i + 1);
    link.joint_name = "joint" + std::to_string(i + 1);
    link.kind = random.chance(0.1) ? JointKind::prismatic : JointKind::revolute;
    link.geometry = JointPlacement{random.transform(0.3), random.direction()};
    if (link.kind == JointKind::prismatic)
      link.limits = {.lower = -0.2, .upper = 0.3};
    else if (random.chance(0.5))
      link.limits = {.lower = random.uniform(-3, -1), .upper = random.uniform(1, 3)};
    link.parts = {{1, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}}};
    d.links.push_back(std::move(link));
  }
  d.tools.push_back({"tip", d.links.back().name, random.transform(0.2), {}});
  return d;
}

}  // namespace

TEST_CASE("however the tool turns, no place inside the limits is nearer than the one told") {
  Random random(5);
  int poses = 0;
  for (int k = 0; k < draws(6, 240); ++k) {
    const Description robot =
        k == 0 ? *load_robot("panda") : k == 1 ? *load_robot("iiwa14") : any_arm(random, 3 + k % 5);
    const Model<double> model = built(robot);
    GeneralSolver solver(model, model.frames.back());
    NearestWitness witness(model);
    const double length = solver.task().length();
    for (int i = 0; i < 6; ++i) {
      const Mat3<double> R = random.rotation();
      const Transform<double> X{R, model.base.p + random.direction() * (length * random.uniform(0.1, 4))};
      GeneralOptions options;
      options.weights = i % 2 ? TaskWeights{} : TaskWeights::position();
      const std::vector<double> start(static_cast<std::size_t>(model.nq), 0.1);
      const GeneralAnswer answer = solver.solve(X, start, options);
      if (answer.status != GeneralStatus::out_of_reach || answer.short_by == 0) continue;
      ++poses;
      CHECK(answer.short_by >= answer.at_least);
      CHECK(answer.short_by <= answer.position_residual);
      double trial = infinity;
      for (int n = 0; n < 15; ++n) {
        std::vector<double> q(start.size());
        for (std::size_t j = 0; j < q.size(); ++j) {
          const Limits& l = model.limits[j];
          q[j] = random.uniform(std::max(l.lower, -std::numbers::pi), std::min(l.upper, std::numbers::pi));
        }
        trial = std::min(trial, witness.inside(q, X));
      }
      CAPTURE(robot.name);
      CHECK(answer.short_by <= trial + 1e-8 * length);
    }
  }
  CHECK(poses > 15);
}
