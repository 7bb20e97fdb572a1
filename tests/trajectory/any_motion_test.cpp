#include "torsor/trajectory/any_motion.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "torsor/trajectory/point_to_point.hpp"

using namespace torsor;

TEST_CASE("a motion of any kind samples as the motion it holds, and copies share it") {
  const auto motion = point_to_point({0, 1}, {2, -1}, 3.0, "septic");
  REQUIRE(motion);
  AnyMotion any;
  CHECK(any.size() == 0);
  CHECK(any.duration() == 0);
  {
    const AnyMotion original(*motion);
    any = original;
  }
  CHECK(any.size() == 2);
  CHECK(any.duration() == 3);
  std::vector<double> q(2), qd(2), qdd(2), Q(2), Qd(2), Qdd(2);
  for (const double t : {-1.0, 0.0, 0.7, 1.5, 3.0, 4.0}) {
    any.sample(t, q, qd, qdd);
    motion->sample(t, Q, Qd, Qdd);
    CHECK(q == Q);
    CHECK(qd == Qd);
    CHECK(qdd == Qdd);
  }
}
