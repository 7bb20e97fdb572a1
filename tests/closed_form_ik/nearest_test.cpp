// Out of reach: the nearest is the nearest, whatever the arm. The witness is a search that knows nothing of the arm.
#include <doctest/doctest.h>

#include "tests/closed_form_ik/nearest_witness.hpp"
#include "tests/closed_form_ik/parallel_arms.hpp"
#include "tests/closed_form_ik/random_arms.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// What was seen over many poses out of reach.
struct Seen {
  int poses = 0, least = 0, without_orientation = 0;
  double worst = 0;  // m by which the witness was nearer, per arm size

  void at(const Description& robot, const ArmSolver& solver, Random& random, int count, int starts) {
    const Model<double> model = built(robot);
    NearestWitness witness(model);
    const SixAxis& arm = std::visit([](const auto& a) -> const SixAxis& { return a; }, solver.arm);
    for (int i = 0; i < count; ++i) {
      const double far = arm.size * std::pow(10, random.uniform(-1, 0.5));
      const Vec3<double> p = random.vector(1) * far;
      const Transform<double> X{random.rotation(), arm.backwards ? p : arm.X_world_0 * p};
      const IkAnswer answer = solver.position(X);
      if (answer.status != PoseStatus::unreachable) continue;
      ++poses;
      least += answer.nearest_is_least ? 1 : 0;
      const Transform<double> there = witness.tool(answer.nearest.q);
      const double trial = witness.distance(random, X, starts, norm(X.p) + arm.size);
      if (apart(there.R, X.R) > 1e-9) {
        // no position turns the tool so
        ++without_orientation;
        CHECK(!answer.nearest_is_least);
        CHECK(std::isinf(trial));
        continue;
      }
      CHECK(norm(there.p - X.p) == doctest::Approx(answer.short_by).epsilon(1e-9));
      const double nearer = (answer.short_by - trial) / arm.size;
      if (nearer > 1e-8) MESSAGE(solver.family(), ": ", answer.short_by, " m told, ", trial, " m found");
      worst = std::max(worst, nearer);
    }
  }
};

}  // namespace

TEST_CASE("out of reach of an arm with three parallel axes no position with the orientation is nearer") {
  Random random(1);
  Seen seen;
  for (int k = 0; k < draws(12); ++k) {
    const Description robot = k % 4 == 0   ? universal(random, sold[static_cast<std::size_t>(k / 4 % 4)])
                              : k % 4 == 1 ? robot_of(random, "RRRRRR", any_parallel(random, false))
                              : k % 4 == 2 ? robot_of(random, "RRRRRR", any_parallel(random, true))
                                           : robot_of(random, "RRRRRR", turned_round(any_parallel(random, k % 8 == 3)));
    const auto solver = arm_solver(robot);
    REQUIRE(solver);
    if (solver->snaps().empty()) seen.at(robot, *solver, random, 12, 24);
  }
  CHECK(seen.poses > 50);
  CHECK(seen.worst < 1e-8);
  CHECK(seen.least > seen.poses * 9 / 10);
}

TEST_CASE("out of reach of an arm with a spherical wrist no position with the orientation is nearer") {
  Random random(2);
  for (const ArmKind& kind : arm_kinds) {
    CAPTURE(kind.what);
    Seen seen;
    for (int k = 0; k < draws(2, 80); ++k) {
      const Description robot = random_arm(random, kind);
      const auto solver = arm_solver(robot);
      REQUIRE(solver);
      if (solver->snaps().empty()) seen.at(robot, *solver, random, 12, 24);
    }
    if (kind.family != "cartesian" && kind.kinds != "PPRRRR") CHECK(seen.poses > 0);
    CHECK(seen.worst < 1e-8);
  }
}
