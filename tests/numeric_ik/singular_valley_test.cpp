// Valleys beside singular positions: whoever walks on the floor passes the answer, and is told.
#include "torsor/numeric_ik/singular_valley.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/round_trip.hpp"
#include "tests/support/shipped_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Positions of the PUMA, folded so that its wrist is at the shoulder, and the smallest singular value there.
struct Folded {
  Numbers q;
  double sigma;
};
const Folded folded[] = {
    {{0.72061576839, 1.89636811919, 1.61701060047, -1.52825884077, 0.82143351406, -1.21801461949}, 6.8e-7},
    {{-1.94624812970, 0.22759275542, 1.62313108303, -0.26292842501, 2.62378793751, -1.89557689428}, 7.8e-7},
    {{-1.51732390754, 1.49577880935, 1.61792510995, 0.95667984322, -0.19086546989, 2.05565055425}, 3.3e-8},
    {{-0.68109640321, 3.07644222236, 1.60331702717, 0.88908476552, 0.63823762155, 2.15443493102}, 5.9e-7},
    {{2.71658976433, 0.03469695650, 1.63384466013, 2.18551768281, -2.19167609224, -0.59864956133}, 6.1e-6}};

}  // namespace

TEST_CASE("who walks on the floor of a valley stops at the answer on the way") {
  const Model<double> model = built(without_limits("puma560"));
  PoseTask task(model, model.frames.back());
  SingularValley valley(task), back(task);
  for (const Folded& f : folded) {
    CAPTURE(f.sigma);
    task.aim({}, {});
    task.place(f.q);
    task.aim(task.pose(), {});
    for (const double sign : {1.0, -1.0}) {
      // away from the answer: nothing but r is left of the error, which is small all along
      valley.enter(task, f.q, sign);
      for (int step = 0; step < 3; ++step) REQUIRE(valley.walk(task, 0.1, false, 1e-8));
      const Numbers far(valley.x().begin(), valley.x().end());
      CHECK(difference(far, f.q) > 0.1);

      // and back, one way or the other
      double least = 1;
      for (const double way : {1.0, -1.0}) {
        back.enter(task, far, way);
        for (int step = 0; step < 3; ++step) {
          back.walk(task, 0.15, false, 1e-4);
          least = std::min(least, std::sqrt(2 * task.place(back.x())));
        }
      }
      CHECK(least < 1e-11);
    }
  }
}

TEST_CASE("an arm folded onto its shoulder is solved from anywhere") {
  const Model<double> model = built(without_limits("puma560"));
  GeneralSolver solver(model, model.frames.back());
  PoseTask task(model, model.frames.back());
  Random random(740);
  for (const Folded& f : folded) {
    CAPTURE(f.sigma);
    task.aim({}, {});
    task.place(f.q);
    for (int k = 0; k < draws(20); ++k) {
      const GeneralAnswer answer = solver.solve(task.pose(), random.numbers(6, 3));
      CHECK(answer.solved());
      CHECK(answer.smallest_singular_value < 10 * f.sigma + 1e-6);
    }
  }
}
