#include "torsor/files/motion_columns.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/files/two_joints.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Faults column_faults(const Names& header, int derivatives = 2, const MotionNames& names = two_joints) {
  const auto columns = resolve_motion_columns(header, names, derivatives, "m.csv");
  REQUIRE_FALSE(columns);
  return columns.faults();
}

}  // namespace

TEST_CASE("columns are found by number or by name, in any order") {
  const auto columns =
      resolve_motion_columns(Names{"elbow", "qd1", "t", "q.waist", "qd.elbow", "qdd2", "qdd1"}, two_joints, 2, "m.csv");
  REQUIRE(columns);
  CHECK(columns->t == 2);
  CHECK(columns->q == std::vector{3, 0});
  CHECK(columns->qd == std::vector{1, 4});
  CHECK(columns->qdd == std::vector{6, 5});
  CHECK_FALSE(columns->derive);
  CHECK(columns->all() == std::vector{2, 3, 0, 1, 4, 6, 5});
}

TEST_CASE("positions alone are enough with the time, or when nothing else is needed") {
  const auto derived = resolve_motion_columns(Names{"t", "q1", "q2"}, two_joints, 2, "m.csv");
  REQUIRE(derived);
  CHECK(derived->derive);
  CHECK(derived->qd.empty());
  const auto plain = resolve_motion_columns(Names{"q1", "q2", "qd1"}, two_joints, 0, "m.csv");
  REQUIRE(plain);
  CHECK_FALSE(plain->derive);
  CHECK(plain->all() == std::vector{0, 1});
}

TEST_CASE("without the time nothing can be derived") {
  const Faults errors = column_faults({"q1", "q2"});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].offender == "column \"t\"");
}

TEST_CASE("where nothing may be derived, missing velocities are faults") {
  const auto columns = resolve_motion_columns(Names{"t", "q1", "q2"}, two_joints, 1, "m.csv", false);
  REQUIRE_FALSE(columns);
  REQUIRE(columns.faults().size() == 2);
  CHECK(columns.faults()[0].offender == "column \"qd1\"");
  CHECK(columns.faults()[0].remedy == "give one column for each coordinate");
}

TEST_CASE("every missing column is named, with the one that may be meant") {
  const Faults errors = column_faults({"t", "q_1", "qd1", "qdd1", "qdd2"});
  REQUIRE(errors.size() == 3);
  CHECK(
      to_string(errors[0]) ==
      "m.csv: column \"q1\": is missing (spelt q1 or q.waist or waist) [motion-column]; rename \"q_1\" if that is it");
  CHECK(errors[1].offender == "column \"q2\"");
  CHECK(errors[2].offender == "column \"qd2\"");
}

TEST_CASE("velocities without accelerations are not guessed at") {
  const Faults errors = column_faults({"t", "q1", "q2", "qd1", "qd2"});
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].remedy == "give every qd and qdd, or none of them to have them derived from t and q");
  CHECK(resolve_motion_columns(Names{"t", "q1", "q2", "qd1", "qd2"}, two_joints, 1, "m.csv"));
}

TEST_CASE("the same coordinate in two spellings is a fault") {
  const Faults errors = column_faults({"t", "q1", "waist", "q2"});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].what == "is the same as \"q1\"");
}

TEST_CASE("columns that mean nothing to a motion are told") {
  const auto columns = resolve_motion_columns(Names{"t", "q1", "q2", "note", "q3"}, two_joints, 2, "m.csv");
  REQUIRE(columns);
  CHECK(columns->ignored == Names{"note", "q3"});
}

TEST_CASE("the derivative of a quaternion has to be given") {
  const MotionNames ball = motion_names(Names{"b.e0", "b.e1", "b.e2", "b.e3"}, Names{"b.wx", "b.wy", "b.wz"});
  CHECK(column_faults({"t", "b.e0", "b.e1", "b.e2", "b.e3"}, 2, ball)[0].rule == "motion-column");
  CHECK(resolve_motion_columns(Names{"q1", "q2", "q3", "q4", "qd1", "qd2", "qd3", "qdd.b.wx", "qdd2", "qdd3"}, ball, 2,
                               "m.csv"));
}

TEST_CASE("a joint's own name does not hide the time") {
  const MotionNames odd = motion_names(Names{"q1", "t"}, Names{"q1", "t"});
  const auto columns = resolve_motion_columns(Names{"t", "q1", "q2"}, odd, 2, "m.csv");
  REQUIRE(columns);
  CHECK(columns->t == 0);
  CHECK(columns->q == std::vector{1, 2});
}

TEST_CASE("a joint named like the number of another goes by its name") {
  const MotionNames crossed = motion_names(Names{"q2", "q1"}, Names{"q2", "q1"});
  const auto columns =
      resolve_motion_columns(Names{"t", "q2", "q1", "qd.q2", "qd.q1", "qdd.q2", "qdd.q1"}, crossed, 2, "m.csv");
  REQUIRE(columns);
  CHECK(columns->q == std::vector{1, 2});
  CHECK(columns->qd == std::vector{3, 4});
  const MotionNames from_zero = motion_names(Names{"q0", "q1", "q2"}, Names{"q0", "q1", "q2"});
  const auto by_name = resolve_motion_columns(Names{"q0", "q1", "q2"}, from_zero, 0, "m.csv");
  REQUIRE(by_name);
  CHECK(by_name->q == std::vector{0, 1, 2});
}

TEST_CASE("where names and numbers cross, numbers are refused") {
  const MotionNames crossed = motion_names(Names{"q2", "q1"}, Names{"q2", "q1"});
  const Faults numbers = column_faults({"t", "q1", "q2", "qd1", "qd2"}, 2, crossed);
  REQUIRE(numbers.size() == 2);
  CHECK(numbers[0].offender == "column \"qd1\"");
  const MotionNames torques = motion_names(Names{"q2", "q1"}, Names{"q2", "q1"}, "tau");
  CHECK(column_faults({"q.q1", "q.q2", "qd.q1", "qd.q2", "tau1", "tau.q1"}, 2, torques).back().offender ==
        "column \"tau1\"");
  const MotionNames from_zero = motion_names(Names{"q0", "q1", "q2"}, Names{"q0", "q1", "q2"});
  CHECK(column_faults({"t", "q1", "q2", "q3"}, 0, from_zero)[0].offender == "column \"q.q0\"");
  // the velocity of one joint, or the position of another
  const MotionNames rate = motion_names(Names{"elbow", "qd1"}, Names{"elbow", "qd1"});
  const auto columns = resolve_motion_columns(Names{"t", "elbow", "qd1"}, rate, 1, "m.csv");
  REQUIRE(columns);
  CHECK(columns->q == std::vector{1, 2});
  CHECK(columns->derive);
}

TEST_CASE("a joint named like the full spelling of another is never taken for it") {
  const MotionNames nested = motion_names(Names{"q.b", "b"}, Names{"q.b", "b"});
  CHECK(column_faults({"t", "q.b", "b"}, 0, nested)[0].what == "is the same as \"q.b\"");
  CHECK(resolve_motion_columns(Names{"t", "q.q.b", "b"}, nested, 0, "m.csv"));
}
