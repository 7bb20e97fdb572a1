#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/io/embedded_robots.hpp"
#include "torsor/io/robot_toml.hpp"
#include "torsor/io/urdf_reader.hpp"
#include "torsor/io/urdf_writer.hpp"
#include "torsor/model/dh_chain.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The robot after a trip through URDF; nothing where URDF cannot say it.
std::optional<Description> through_urdf(const Description& robot) {
  const auto text = write_urdf(robot);
  if (!text) return std::nullopt;
  const auto back = read_urdf(*text, "written.urdf");
  REQUIRE(back);
  return *back;
}

}  // namespace

TEST_CASE("every shipped robot keeps its torques from DH to URDF to DH, and from URDF to DH to URDF") {
  int serial = 0, trees = 0;
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    CAPTURE(embedded.name);
    const auto robot = read_robot_toml(embedded.text, std::string(embedded.name));
    REQUIRE(robot);
    const Model<double> model = built(*robot);
    const auto urdf = through_urdf(*robot);
    if (urdf) CHECK(torque_difference(model, built(*urdf), 8) < 1e-11);
    for (const Convention convention : {Convention::standard_dh, Convention::modified_dh}) {
      const auto dh = to_dh(*robot, convention);
      if (!dh) {
        CHECK(dh.errors()[0].rule == "not-serial");
        ++trees;
        continue;
      }
      ++serial;
      CHECK(torque_difference(model, built(dh->description), 8) < 1e-11);
      if (!urdf) continue;
      // DH -> URDF -> DH, and on to URDF again
      const auto table = to_dh(*urdf, convention);
      REQUIRE(table);
      CHECK(table->snaps.empty());
      CHECK(torque_difference(model, built(table->description), 8) < 1e-11);
      const auto again = through_urdf(table->description);
      REQUIRE(again);
      CHECK(torque_difference(model, built(*again), 8) < 1e-11);
    }
  }
  CHECK(serial >= 30);
  CHECK(trees >= 4);
}
