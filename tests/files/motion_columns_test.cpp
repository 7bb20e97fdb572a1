#include "torsor/files/motion_columns.hpp"

#include <doctest/doctest.h>

#include <numbers>
#include <string>
#include <vector>

#include "tests/files/two_joints.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Faults column_faults(const Names& header, int derivatives = 2, const MotionNames& names = two_joints) {
  const auto columns = resolve_motion_columns(header, names, {derivatives}, "m.csv");
  REQUIRE_FALSE(columns);
  return columns.faults();
}

}  // namespace

TEST_CASE("columns are found by number or by name, in any order") {
  const auto columns = resolve_motion_columns(Names{"elbow", "qd1", "t", "q.waist", "qd.elbow", "qdd2", "qdd1"},
                                              two_joints, {2}, "m.csv");
  REQUIRE(columns);
  CHECK(columns->t == 2);
  CHECK(columns->q == std::vector{3, 0});
  CHECK(columns->qd == std::vector{1, 4});
  CHECK(columns->qdd == std::vector{6, 5});
  CHECK(columns->derive == Derived::nothing);
  CHECK(columns->all() == std::vector{2, 3, 0, 1, 4, 6, 5});
}

TEST_CASE("positions alone are enough with the time, or when nothing else is needed") {
  const auto derived = resolve_motion_columns(Names{"t", "q1", "q2"}, two_joints, {2}, "m.csv");
  REQUIRE(derived);
  CHECK(derived->derive == Derived::rates);
  CHECK(derived->qd.empty());
  const auto plain = resolve_motion_columns(Names{"q1", "q2", "qd1"}, two_joints, {0}, "m.csv");
  REQUIRE(plain);
  CHECK(plain->derive == Derived::nothing);
  CHECK(plain->all() == std::vector{0, 1});
}

TEST_CASE("without the time nothing can be derived") {
  const Faults errors = column_faults({"q1", "q2"});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].offender == "column \"t\"");
}

TEST_CASE("where nothing may be derived, missing velocities are faults") {
  const auto columns = resolve_motion_columns(Names{"t", "q1", "q2"}, two_joints, {1, false}, "m.csv");
  REQUIRE_FALSE(columns);
  REQUIRE(columns.faults().size() == 2);
  CHECK(columns.faults()[0].offender == "column \"qd1\"");
  CHECK(columns.faults()[0].remedy == "give one column for each coordinate");
}

TEST_CASE("every missing column is named, with those that are there and the likeliest of them") {
  const Faults errors = column_faults({"t", "q-1", "qd1", "qdd1", "qdd2"});
  REQUIRE(errors.size() == 3);
  CHECK(
      to_string(errors[0]) ==
      "m.csv: column \"q1\": is missing (spelt q1 or q.waist or waist); the file has t, q-1, qd1, qdd1, qdd2 "
      "[motion-column]; rename \"q-1\" if that is it");
  CHECK(errors[1].offender == "column \"q2\"");
  CHECK(errors[2].offender == "column \"qd2\"");
}

TEST_CASE("columns that are all missing are one fault") {
  const MotionNames arm = motion_names(Names{"waist", "lift", "turn"}, Names{"waist", "lift", "turn"});
  const Faults errors = column_faults({"stamp", "e0", "e1"}, 0, arm);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].offender == "columns \"q1\" to \"q3\"");
  CHECK(errors[0].what.ends_with("; the file has stamp, e0, e1"));
  // accelerations are no positions, and a topic is a name
  CHECK(column_faults({"t", "a1", "a2", "a3"}, 0, arm).size() == 1);
  CHECK(column_faults({"/log/a/b", "/log/a/c"}, 0, arm)[0].what.find("/log/a/b") != std::string::npos);
}

TEST_CASE("without the time those that are there are listed, and a time stamp is asked for its unit") {
  const Faults errors = column_faults({"stamp", "q1", "q2"});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].what.ends_with("; the file has stamp, q1, q2"));
  const Faults stamp = column_faults({"Timestamp", "q1", "q2"});
  REQUIRE(stamp.size() == 1);
  CHECK(stamp[0].remedy == "name the unit of \"Timestamp\": timestamp_s, timestamp_ms or timestamp_us");
}

TEST_CASE("a unit that many columns cannot have is told once") {
  const Faults errors = column_faults({"t", "q1 (grad)", "q2 (grad)"});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].offender == "columns \"q1 (grad)\", \"q2 (grad)\"");
  CHECK(errors[0].what == "name the unit \"grad\", which is none of these columns");
  CHECK(column_faults({"t", "q1 (grad)", "q2 (h)"}).size() == 2);
}

TEST_CASE("a column of another quantity is no slip of the pen, nor is a number under another letter") {
  const MotionNames torques = torque_names(motion_names(Names{"waist", "shoulder"}, Names{"waist", "shoulder"}, "tau"));
  const Faults errors = column_faults({"t", "waist", "shoulder"}, 0, torques);
  REQUIRE(errors.size() == 2);
  for (const Fault& error : errors) CHECK(error.remedy == "give one column for each coordinate");
  CHECK(column_faults({"t", "e0", "e1", "e2"}, 0)[0].remedy == "give one column for each coordinate");
  CHECK(column_faults({"t", "tau_waits", "tau.shoulder"}, 0, torques)[0].remedy ==
        "rename \"tau_waits\" if that is it");
}

TEST_CASE("entries in brackets count from 0 only where there is an entry 0") {
  CHECK(column_faults({"q[1]", "q[2]"}, 0).size() == 2);
  CHECK(column_faults({"q[0]", "q[0x1]"}, 0).size() == 1);
}

TEST_CASE("a line that is no header is not quoted") {
  for (const std::vector<std::string>& line : {std::vector<std::string>{"TOPSECRET=abc"},
                                               {"password"},
                                               {"root:x:0:0:root", "ab"},
                                               {"Dear all, the key is under the mat", "b"}}) {
    CAPTURE(line.front());
    const Faults errors = column_faults(line);
    REQUIRE(!errors.empty());
    CHECK(to_string(errors[0]).find(line.front()) == std::string::npos);
    CHECK(errors[0].what.find("does not look like names of columns") != std::string::npos);
  }
  // names that one may have meant, and whatever stands beside a known one
  CHECK(column_faults({"time", "angle 1 [deg]"})[0].what.find("the file has time, angle 1 [deg]") != std::string::npos);
  CHECK(column_faults({"q1", "a=b"})[0].what.find("the file has q1, a=b") != std::string::npos);
}

TEST_CASE("accelerations are derived from all velocities and the time, never from some of them") {
  const auto columns = resolve_motion_columns(Names{"t", "q1", "q2", "qd1", "qd2"}, two_joints, {2}, "m.csv");
  REQUIRE(columns);
  CHECK(columns->derive == Derived::accelerations);
  CHECK(columns->all() == std::vector{0, 1, 2, 3, 4});
  const auto states = resolve_motion_columns(Names{"q1", "q2", "qd1", "qd2"}, two_joints, {1}, "m.csv");
  REQUIRE(states);
  CHECK(states->derive == Derived::nothing);
  CHECK(column_faults({"q1", "q2", "qd1", "qd2"})[0].offender == "column \"t\"");
  CHECK(column_faults({"t", "q1", "q2", "qd1", "qd2", "qdd1"}).size() == 1);
  const Faults some = column_faults({"t", "q1", "q2", "qd1"});
  REQUIRE(some.size() == 3);
  CHECK(some[0].offender == "column \"qd2\"");
  CHECK(some[0].remedy ==
        "give every one of them, or none to have them derived: qd and qdd from t and q, qdd from t and qd");
}

TEST_CASE("numbers count from 0 where there is a 0 and no number too many") {
  const auto places = [](const Names& header, const MotionNames& names = two_joints) {
    const auto columns = resolve_motion_columns(header, names, {0}, "m.csv");
    REQUIRE(columns);
    return columns->q;
  };
  CHECK(places({"q0", "q1"}) == std::vector{0, 1});
  CHECK(places({"q1", "q0"}) == std::vector{1, 0});
  CHECK(places({"q_0 (deg)", "q_1 (deg)"}) == std::vector{0, 1});
  CHECK(places({"q0_deg", "q1_deg"}) == std::vector{0, 1});
  CHECK(places({"J0", "J1"}) == std::vector{0, 1});
  CHECK(places({"qpos_0", "qpos_1", "qvel_0", "qvel_1"}) == std::vector{0, 1});
  CHECK(places({"joint0_pos", "joint1_pos"}) == std::vector{0, 1});
  CHECK(places({"/log/q0", "/log/q1"}) == std::vector{0, 1});
  CHECK(places({"pos1", "pos2"}) == std::vector{0, 1});
  CHECK(places({"Pos_0", "Pos_1"}) == std::vector{0, 1});
  CHECK(places({"waist_q", "elbow_q"}) == std::vector{0, 1});
  // each quantity by itself, and what means nothing here does not count
  CHECK(places({"q0", "q1", "tau1", "tau2", "x0", "x9"}) == std::vector{0, 1});
  CHECK(places({"q1", "q2", "tau_0", "x0"}) == std::vector{0, 1});
  // one too many: at which end?
  const Faults three = column_faults({"q0", "q1", "q2"}, 0);
  CHECK(three[0].offender == "columns \"q0\" to \"q2\"");
  CHECK(three[0].what == "count from 0 to 2, and the robot has 2 coordinates");
  // joints that have such names themselves
  const MotionNames from_one = motion_names(Names{"joint1", "joint2"}, Names{"joint1", "joint2"});
  CHECK(places({"joint1_pos", "joint2_pos"}, from_one) == std::vector{0, 1});
  CHECK(places({"q0", "q1"}, from_one) == std::vector{0, 1});
  const Faults crossed = column_faults({"joint0_pos", "joint1_pos"}, 0, from_one);
  CHECK(crossed[0].remedy == "head the columns by the joints' names: the numbers of the file count from 0");
  const MotionNames from_zero = motion_names(Names{"joint0", "joint1"}, Names{"joint0", "joint1"});
  CHECK(places({"joint1_pos", "joint0_pos"}, from_zero) == std::vector{1, 0});
  CHECK(places({"q0", "q1"}, from_zero) == std::vector{0, 1});
}

TEST_CASE("records of a UR are read, and its commands beside what was measured are refused once") {
  Names header{"timestamp", "actual_q_0", "actual_q_1", "actual_qd_0", "actual_qd_1"};
  const auto columns = resolve_motion_columns(header, two_joints, {2}, "m.csv");
  REQUIRE(columns);
  CHECK(columns->all() == std::vector{0, 1, 2, 3, 4});
  CHECK(columns->derive == Derived::accelerations);
  header.insert(header.end(), {"target_q_0", "target_q_1"});
  const Faults errors = column_faults(header);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].offender == "column \"target_q_0\" and 1 more");
  CHECK(errors[0].what == "are the same as \"actual_q_0\" and so on");
}

TEST_CASE("elements of a message of joint states come in the order of its names, and are refused") {
  for (const Names& header : {Names{"position_0", "position_1"}, Names{"t", "/joint_states/position[0]", "/joint_states/position[1]"},
                              Names{"field.position0", "field.position1"}}) {
    const Faults errors = column_faults(header, 0);
    REQUIRE(errors.size() == 2);
    CHECK(errors[0].remedy == "head the columns by the joints' names: elements of a message are in the order of its own names");
  }
}

TEST_CASE("angles whose headings name no unit are known") {
  MotionNames arm = motion_names(Names{"waist", "lift", "turn"}, Names{"waist", "lift", "turn"});
  arm.position_kinds = arm.velocity_kinds = {CoordinateKind::angle, CoordinateKind::length, CoordinateKind::angle};
  const Names header{"q1_deg", "q2", "q3"};
  CHECK(resolve_motion_columns(header, arm, {0}, "m.csv")->unnamed == std::vector{2});
  CHECK(resolve_motion_columns(header, arm, {.derivatives = 0, .degrees = true}, "m.csv")->unnamed.empty());
  CHECK(resolve_motion_columns(Names{"q1", "q2", "q3 (rad)"}, arm, {0}, "m.csv")->unnamed == std::vector{0});
}

TEST_CASE("the same coordinate in two spellings is a fault") {
  const Faults errors = column_faults({"t", "q1", "waist", "q2"});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].what == "is the same as \"q1\"");
}

TEST_CASE("columns that mean nothing to a motion are reported") {
  const auto columns = resolve_motion_columns(Names{"t", "q1", "q2", "note", "q3"}, two_joints, {2}, "m.csv");
  REQUIRE(columns);
  CHECK(columns->ignored == Names{"note", "q3"});
}

TEST_CASE("the derivative of a quaternion has to be given") {
  const MotionNames ball = motion_names(Names{"b.e0", "b.e1", "b.e2", "b.e3"}, Names{"b.wx", "b.wy", "b.wz"});
  CHECK(column_faults({"t", "b.e0", "b.e1", "b.e2", "b.e3"}, 2, ball)[0].rule == "motion-column");
  CHECK(resolve_motion_columns(Names{"q1", "q2", "q3", "q4", "qd1", "qd2", "qd3", "qdd.b.wx", "qdd2", "qdd3"}, ball,
                               {2}, "m.csv"));
}

TEST_CASE("a joint's own name does not hide the time") {
  const MotionNames odd = motion_names(Names{"q1", "t"}, Names{"q1", "t"});
  const auto columns = resolve_motion_columns(Names{"t", "q1", "q2"}, odd, {2}, "m.csv");
  REQUIRE(columns);
  CHECK(columns->t == 0);
  CHECK(columns->q == std::vector{1, 2});
}

TEST_CASE("a joint named like the number of another goes by its name") {
  const MotionNames crossed = motion_names(Names{"q2", "q1"}, Names{"q2", "q1"});
  const auto columns =
      resolve_motion_columns(Names{"t", "q2", "q1", "qd.q2", "qd.q1", "qdd.q2", "qdd.q1"}, crossed, {2}, "m.csv");
  REQUIRE(columns);
  CHECK(columns->q == std::vector{1, 2});
  CHECK(columns->qd == std::vector{3, 4});
  const MotionNames from_zero = motion_names(Names{"q0", "q1", "q2"}, Names{"q0", "q1", "q2"});
  const auto by_name = resolve_motion_columns(Names{"q0", "q1", "q2"}, from_zero, {0}, "m.csv");
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
  const auto columns = resolve_motion_columns(Names{"t", "elbow", "qd1"}, rate, {1}, "m.csv");
  REQUIRE(columns);
  CHECK(columns->q == std::vector{1, 2});
  CHECK(columns->derive == Derived::rates);
}

TEST_CASE("a joint named like the full spelling of another is never taken for it") {
  const MotionNames nested = motion_names(Names{"q.b", "b"}, Names{"q.b", "b"});
  CHECK(column_faults({"t", "q.b", "b"}, 0, nested)[0].what == "is the same as \"q.b\"");
  CHECK(resolve_motion_columns(Names{"t", "q.q.b", "b"}, nested, {0}, "m.csv"));
}

TEST_CASE("headings of other programs are understood, with the unit that they name") {
  const MotionNames arm = [] {
    MotionNames names = motion_names(Names{"waist", "lift"}, Names{"waist", "lift"});
    names.position_kinds = names.velocity_kinds = {CoordinateKind::angle, CoordinateKind::length};
    return names;
  }();
  const double degree = std::numbers::pi / 180;
  struct Case {
    Names header;
    std::vector<double> si;  // of a 1 in each column: t, q, q
  };
  for (const Case& each : {Case{{"t", "q1", "q2"}, {1, 1, 1}},
                           Case{{"t (s)", "q1 (deg)", "q2 (mm)"}, {1, degree, 1e-3}},
                           Case{{"time [ms]", "q1 [rad]", "q2 [cm]"}, {1e-3, 1, 1e-2}},
                           Case{{"Time (s)", "q1_deg", "q2_m"}, {1, degree, 1}},
                           Case{{"t_ms", "waist_pos", "lift_position"}, {1e-3, 1, 1}},
                           Case{{"t", "waist_pos_deg", "lift_pos (mm)"}, {1, degree, 1e-3}},
                           Case{{"t", "J1", "J2"}, {1, 1, 1}},
                           Case{{"t", "j1_pos", "j2_pos"}, {1, 1, 1}},
                           Case{{"t", "joint_1 (\u00b0)", "joint_2"}, {1, degree, 1}},
                           Case{{"t", "position.waist", "position.lift"}, {1, 1, 1}},
                           Case{{"t", "Waist/position [degrees]", "lift/position"}, {1, degree, 1}},
                           Case{{"time (s)", "waist (rad)", "lift (m)"}, {1, 1, 1}},
                           Case{{"time (s)", "waist angle (rad)", "lift length (m)"}, {1, 1, 1}},
                           Case{{"time (s)", "waist q.waist (rad)", "lift q.lift (m)"}, {1, 1, 1}},
                           Case{{"T (Seconds)", "q1 (Deg)", "q2 (mm)"}, {1, degree, 1e-3}},
                           Case{{"t (sec)", "q1 [DEGREES]", "q2"}, {1, degree, 1}},
                           Case{{"t", "q1 (Rad)", "q2"}, {1, 1, 1}},
                           Case{{"t", "q1 (mrad)", "q2"}, {1, 1e-3, 1}},
                           Case{{"timestamp_s", "Joint 1 (deg)", "joint 2"}, {1, degree, 1}},
                           Case{{"timestamp (ns)", "Joint 1 position (deg)", "joint 2 position"}, {1e-9, degree, 1}},
                           Case{{"t", "q[0]", "q[1]"}, {1, 1, 1}},
                           Case{{"t", "/joint_states/waist/position", "/joint_states/lift/position"}, {1, 1, 1}},
                           Case{{"t", "/arm/joint_states/position/waist", "joint_states/lift"}, {1, 1, 1}},
                           Case{{"t", "A1 (deg)", "A2"}, {1, degree, 1}},
                           Case{{"t", "Theta_1 [deg]", "axis 2"}, {1, degree, 1}},
                           Case{{"t", "joint[0] (deg)", "joint[1]"}, {1, degree, 1}}}) {
    INFO(each.header[1]);
    const auto columns = resolve_motion_columns(each.header, arm, {0}, "m.csv");
    REQUIRE(columns);
    CHECK(columns->all() == std::vector{0, 1, 2});
    CHECK(columns->ignored.empty());
    for (std::size_t k = 0; k < 3; ++k)
      CHECK((columns->units.empty() ? 1 : to_si(1, columns->units[k])) == each.si[k]);
  }
  // rates: behind an underscore the unit of the position will do, in brackets it will not
  for (const Names& header :
       {Names{"q1", "q2", "qd1_deg", "qd2_mm", "qdd1_deg", "qdd2"},
        Names{"q1", "q2", "qd1 (deg/s)", "qd2 (mm/s)", "qdd1 (deg/s^2)", "qdd2 (m/s\u00b2)"},
        Names{"q1", "q2", "waist_vel_deg_s", "velocity.lift [mm/s]", "ddq1_deg_s2", "lift_acc"}}) {
    const auto columns = resolve_motion_columns(header, arm, {2}, "m.csv");
    REQUIRE(columns);
    CHECK(to_si(180, columns->units[2]) == std::numbers::pi);
    CHECK(to_si(1000, columns->units[3]) == 1);
    CHECK(to_si(180, columns->units[4]) == std::numbers::pi);
    CHECK(to_si(1, columns->units[5]) == 1);
  }
}

TEST_CASE("a unit that a column cannot have is a fault, with those that it can") {
  MotionNames arm = motion_names(Names{"waist", "lift"}, Names{"waist", "lift"});
  arm.position_kinds = arm.velocity_kinds = {CoordinateKind::angle, CoordinateKind::length};
  for (const Names& header : {Names{"t", "q1 (grad)", "q2"}, Names{"t", "q1", "q2 (deg)"}, Names{"t (h)", "q1", "q2"},
                              Names{"t", "q1 ()", "q2"}, Names{"t", "q1", "q2_deg"}}) {
    const Faults errors = column_faults(header, 0, arm);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].rule == "column-unit");
  }
  const Faults rates = column_faults({"q1", "q2", "qd1 (deg)", "qd2"}, 1, arm);
  REQUIRE(rates.size() == 1);
  CHECK(rates[0].remedy == "give it in rad/s, deg/s, mrad/s or rpm");
  // of a column that is not used the unit does not matter
  CHECK(resolve_motion_columns(Names{"q1", "q2", "qd1 (deg)", "i1 (A)"}, arm, {0}, "m.csv"));
}

TEST_CASE("degrees asked for are those of angles whose headings name no unit") {
  MotionNames arm = motion_names(Names{"waist", "lift"}, Names{"waist", "lift"});
  arm.position_kinds = arm.velocity_kinds = {CoordinateKind::angle, CoordinateKind::length};
  const auto columns =
      resolve_motion_columns(Names{"t", "q1", "q2", "qd1 (rad/s)", "qd2"}, arm, {1, false, true}, "m.csv");
  REQUIRE(columns);
  CHECK(to_si(180, columns->units[1]) == std::numbers::pi);
  CHECK(to_si(180, columns->units[2]) == 180);
  CHECK(to_si(180, columns->units[3]) == 180);
  CHECK(columns->in_degrees);
  // torques have none
  MotionNames torques = motion_names(Names{"waist", "lift"}, Names{"waist", "lift"}, "tau");
  torques.position_kinds = torques.velocity_kinds = arm.position_kinds;
  const auto loads =
      resolve_motion_columns(Names{"waist_effort", "tau2 (kN)"}, torque_names(torques), {0, false, true}, "m.csv");
  REQUIRE(loads);
  CHECK(to_si(2, loads->units[0]) == 2);
  CHECK(to_si(2, loads->units[1]) == 2000);
}

TEST_CASE("names that numbers or units could be mistaken for keep their meaning") {
  // joints that count from zero: joint1 is the second of them, and q1 the first as ever
  const MotionNames from_zero = motion_names(Names{"joint0", "joint1"}, Names{"joint0", "joint1"});
  const auto by_name = resolve_motion_columns(Names{"joint1_pos", "joint0_pos"}, from_zero, {0}, "m.csv");
  REQUIRE(by_name);
  CHECK(by_name->q == std::vector{1, 0});
  const auto by_number = resolve_motion_columns(Names{"q1", "q2"}, from_zero, {0}, "m.csv");
  REQUIRE(by_number);
  CHECK(by_number->q == std::vector{0, 1});
  // a joint whose name ends like a unit
  const MotionNames odd = motion_names(Names{"x", "x_deg"}, Names{"x", "x_deg"});
  const auto exact = resolve_motion_columns(Names{"x_deg", "x"}, odd, {0}, "m.csv");
  REQUIRE(exact);
  CHECK(exact->q == std::vector{1, 0});
  CHECK(exact->units.empty());
  // two joints that differ in case alone go by their exact names
  const MotionNames cases = motion_names(Names{"A", "a"}, Names{"A", "a"});
  CHECK(resolve_motion_columns(Names{"A", "a"}, cases, {0}, "m.csv"));
  CHECK(column_faults({"A_pos", "a_pos"}, 0, cases).size() == 2);
}
