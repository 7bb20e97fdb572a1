#include "torsor/trajectory/row_watch.hpp"

#include <doctest/doctest.h>

#include "torsor/files/load_robot.hpp"

using namespace torsor;

TEST_CASE("one watch says what each of its parts would, and only what is asked for") {
  const Model<double> model = *build(*load_robot("two_link"));
  Model<double> limited = model;
  limited.limits[0].velocity = 2;
  RowWatch all(limited, {.jumps = true}), jumps(limited, {.limits = false, .jumps = true});
  RowWatch still(limited, {.rates = 0, .timed = false});
  JumpWatch alone(limited);
  bool jumped = false;
  for (int k = 0; k < 20; ++k) {
    const double t = 0.1 * k, speed = k < 10 ? 1 : 3;  // a corner that no acceleration explains
    const MotionRow row{t, {k < 10 ? t : 1 + 3 * (t - 1), 0}, {speed, 0}, {0, 0}};
    const bool here = all.add(row);
    CHECK(here == alone.add(row));
    jumped = jumped || here;
    jumps.add(row);
    still.add(row);
  }
  CHECK(jumped);
  REQUIRE(all.jumps());
  CHECK(all.jumps().first->coordinate == 0);
  CHECK(all.jumps().count == alone.jumps().count);
  REQUIRE(all.limits().passed().size() == 1);
  CHECK(all.limits().passed()[0].kind == LimitKind::velocity);
  CHECK(jumps.jumps().count == alone.jumps().count);
  CHECK(jumps.limits().kept());
  CHECK(still.limits().kept());
  CHECK_FALSE(still.jumps());
  CHECK(all.chatter().empty());
}
