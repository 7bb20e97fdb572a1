#include "torsor/report/column_curves.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("curves are called by their parts, whose names stay as they are") {
  CHECK(plain_column_name("effort.crank motor") == "crank motor");
  CHECK(plain_column_name("rate.angle.crank hinge") == "crank hinge");
  CHECK(plain_column_name("q.wrist_roll") == "wrist_roll");
  CHECK(plain_column_name("friction_loss") == "friction loss");
  CHECK(plain_column_name("length.left_spring") == "length.left_spring");
  CHECK(plain_column_name("qd.base.wx") == "base.wx");
}

TEST_CASE("a curve alone has a name where it is that of a part") {
  ColumnCurves curves({"tau.waist", "balance_error", "kinetic"});
  curves.add(0, std::vector<double>{1, 2, 3});
  CHECK(curves.plot("", "torque", "N m", {0}).series[0].name == "waist");
  CHECK(curves.plot("", "energy", "J", {1}).series[0].name == "");
  CHECK(curves.plot("", "energy", "J", {1, 2}).series[0].name == "balance error");
}
