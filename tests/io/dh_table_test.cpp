#include "torsor/io/dh_table.hpp"

#include <doctest/doctest.h>

#include <numbers>

using namespace torsor;

namespace {

Description arm(Convention convention) {
  Description d;
  d.name = "arm";
  d.convention = convention;
  const double right = std::numbers::pi / 2;
  for (const auto& [name, kind, row] : {std::tuple{"waist", JointKind::revolute, DhRow{right, 0.5, 0, -right}},
                                        std::tuple{"a_b", JointKind::prismatic, DhRow{0, 0.25, 0.125, 0}}}) {
    LinkDescription l;
    l.name = l.joint_name = name;
    l.kind = kind;
    l.geometry = row;
    d.links.push_back(l);
  }
  return d;
}

}  // namespace

TEST_CASE("the table has a row per joint, angles in degrees too, and names its convention") {
  const auto table = dh_table(arm(Convention::standard_dh), 6);
  REQUIRE(table);
  CHECK(table->caption == "standard DH: A = Rz(theta) Tz(d) Tx(a) Rx(alpha)");
  REQUIRE(table->rows.size() == 2);
  CHECK(std::get<double>(table->rows[0][1]) == 90);
  CHECK(std::get<double>(table->rows[0][4]) == -90);
  CHECK(std::get<std::string>(table->rows[1].back()) == "d");
  CHECK(dh_table(arm(Convention::modified_dh), 6)->caption == "modified DH: A = Tx(a) Rx(alpha) Rz(theta) Tz(d)");
}

TEST_CASE("the fifth parameter has a column only where it is used") {
  Description d = arm(Convention::standard_dh);
  const std::size_t columns = dh_table(d, 6)->columns.size();
  std::get<DhRow>(d.links[0].geometry).beta = 1e-3;
  CHECK(dh_table(d, 6)->columns.size() == columns + 1);
  CHECK(dh_table_latex(d, 6)->find("\\beta_i") != std::string::npos);
}

TEST_CASE("LaTeX shows the variables as q_i and escapes names") {
  const auto text = dh_table_latex(arm(Convention::standard_dh), 6);
  REQUIRE(text);
  CHECK(text->find("waist & $q_{1} + 90$ & $0.5$ & $0$ & $-90$ \\\\") != std::string::npos);
  CHECK(text->find("a\\_b & $0$ & $q_{2} + 0.25$ & $0.125$ & $0$ \\\\") != std::string::npos);
}

TEST_CASE("a robot with a placement has no table") {
  Description d = arm(Convention::standard_dh);
  d.links[1].geometry = JointPlacement{};
  CHECK(!dh_table(d, 6));
  CHECK(!dh_table_latex(d, 6));
}
