#include "torsor/structure/structure_answer.hpp"

#include <doctest/doctest.h>

#include "tests/structure/table_robots.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("one answer has the four levels, the table, the printed row and the survey") {
  const StructureAnswer answer = *analyse_structure(puma(), {.survey = {.positions = 20}});
  CHECK(total(answer.numbers().nonzero_counts()) == 79);
  CHECK(total(answer.at(Level::zeros).nonzero_counts()) == 88);
  CHECK(total(answer.at(Level::generic).nonzero_counts()) == 95);
  CHECK(total(answer.table.nonzero) == 79);
  REQUIRE(answer.printed());
  CHECK(answer.printed()->name == "PUMA");
  CHECK_FALSE(answer.typed);
  CHECK(answer.survey.positions.size() == 20);
}

TEST_CASE("rounded right angles have both answers, unless they are to be taken as typed") {
  Description d = puma();
  std::get<DhRow>(d.links[3].geometry).alpha = 1.5708;
  const StructureAnswer both = *analyse_structure(d, {.survey = {.positions = 5}});
  CHECK(total(both.numbers().nonzero_counts()) == 79);
  REQUIRE(both.typed);
  CHECK(total(both.typed->nonzero_counts()) > 79);
  CHECK(both.typed_robot->general_angles.size() == 1);
  const StructureAnswer typed = *analyse_structure(d, {.survey = {.positions = 5}, .geometry = {.snap = false}});
  CHECK_FALSE(typed.typed);
  CHECK(typed.numbers().nonzero == both.typed->nonzero);
}

TEST_CASE("what has no structure says why") {
  Description d = puma();
  d.links[2].kind = JointKind::spherical;
  d.links[2].geometry = JointPlacement{};
  const Result<StructureAnswer> answer = analyse_structure(d);
  REQUIRE_FALSE(answer);
  CHECK(answer.faults()[0].rule == "structure-joint");
}
