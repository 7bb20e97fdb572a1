#include "torsor/model/dh_matrix.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/model/general_arm.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the link matrix of a turning and of a sliding joint is that of the DH table at the position") {
  const Description table = general_arm(2, Convention::standard_dh, "RP");
  const DhArm<double> arm = *dh_arm(table, Convention::standard_dh);
  DhPosition<double> position(2);
  position.set(arm, Numbers{0.7, 0.2});
  for (int i = 1; i <= 2; ++i) {
    DhRow row = std::get<DhRow>(table.links[static_cast<std::size_t>(i - 1)].geometry);
    (i == 1 ? row.theta : row.d) += i == 1 ? 0.7 : 0.2;
    CHECK(difference(flat(dh_matrix(arm, position, i)), flat(standard_dh(row))) < 1e-15);
  }
}

TEST_CASE("a base is level where gravity acts along -z of its frame and nowhere else") {
  Description arm = general_arm(2, Convention::standard_dh);
  const auto level = [&] { return dh_arm(arm, Convention::standard_dh)->level; };
  CHECK(!level());
  arm.gravity = {0, 0, -9.81};
  CHECK(level());
  arm.gravity = {0, 0, 9.81};
  CHECK(!level());
  arm.gravity = {0, -9.81, 0};
  CHECK(!level());
}
