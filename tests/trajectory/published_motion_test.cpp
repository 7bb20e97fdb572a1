#include "torsor/trajectory/published_motion.hpp"

#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the motion of the Stanford arm is the one of the golden data, instant by instant") {
  const PublishedMotion* published = published_motion("stanford");
  REQUIRE(published);
  const PointToPoint motion = published->make();
  CHECK(motion.duration() == 10);
  std::vector<double> q(6), qd(6), qdd(6);
  const Json file = golden("stanford_000");
  for (const auto& item : file.at("variants").items())
    for (const Json& row : item.value().at("rows")) {
      motion.sample(row.at("t").get<double>(), q, qd, qdd);
      const Numbers expected_q = numbers(row.at("q_paper")), expected_qdd = numbers(row.at("qdd_paper"));
      for (std::size_t i = 0; i < 6; ++i) {
        CHECK(q[i] == doctest::Approx(expected_q[i]).epsilon(1e-13));
        CHECK(std::abs(qdd[i] - expected_qdd[i]) < 1e-14);
      }
    }
}

TEST_CASE("every published motion is for a robot that is shipped, coordinate by coordinate") {
  for (const PublishedMotion& published : published_motions()) {
    const auto robot = load_robot(std::string(published.robot));
    REQUIRE(robot);
    CHECK(published.make().size() == robot->links.size());
  }
  CHECK(published_motion("nobody") == nullptr);
}
