#include "torsor/text/column_heading.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("a heading is read as a name, and without the unit that it names") {
  const auto plain = heading_readings("q1");
  REQUIRE(plain.size() == 1);
  CHECK(plain[0].name == "q1");
  const auto bracket = heading_readings("q1 [deg/s^2]");
  REQUIRE(bracket.size() == 2);
  CHECK(bracket[1].name == "q1");
  CHECK(bracket[1].unit == "deg/s2");
  CHECK(bracket[1].bracket);
  const auto suffix = heading_readings("left_arm_deg_s");
  REQUIRE(suffix.size() == 3);
  CHECK(suffix[1].name == "left_arm");
  CHECK(suffix[1].unit == "deg/s");
  CHECK(suffix[2].name == "left_arm_deg");
  CHECK(suffix[2].unit == "s");
  CHECK(heading_readings("(deg)").size() == 1);
  CHECK(heading_readings("q1_arm").size() == 1);
  CHECK(heading_readings("").size() == 1);
}

TEST_CASE("every spelling of a unit is the same unit") {
  for (const char* spelling : {"N m", "Nm", "N*m", "N\u00b7m"})
    CHECK(column_unit(heading_readings(std::string("tau1 (") + spelling + ")")[1], {ColumnKind::torque}));
  for (const char* spelling : {"deg/s^2", "deg/s\u00b2", "deg/s2", "\u00b0/s^2", "deg/s/s", "degrees/s2"}) {
    const auto unit = column_unit(heading_readings(std::string("a (") + spelling + ")")[1], {ColumnKind::angle, 2});
    REQUIRE(unit);
    CHECK(to_si(180, *unit) == std::numbers::pi);
  }
  for (const char* spelling : {"Deg/s", "DEG/S", "°/s"}) {
    const auto unit = column_unit(heading_readings(std::string("a (") + spelling + ")")[1], {ColumnKind::angle, 1});
    REQUIRE(unit);
    CHECK(to_si(180, *unit) == std::numbers::pi);
  }
  // m and M are not the same
  CHECK_FALSE(column_unit(heading_readings("tau1 (MNm)")[1], {ColumnKind::torque}));
  CHECK_FALSE(column_unit({"q1", "deg", true}, {ColumnKind::length}));
  CHECK_FALSE(column_unit({"q1", "", true}, {ColumnKind::angle}));
  CHECK_FALSE(column_unit({"e0", "rad", true}, {ColumnKind::number}));
  CHECK(column_units({ColumnKind::angle_or_length, 1}) == "rad/s, deg/s, mrad/s, m/s, cm/s, mm/s or rpm");
  CHECK(column_units({ColumnKind::number}).empty());
}

TEST_CASE("a unit is printed with its powers and blanks") {
  for (const auto& [given, printed] : {std::pair{"a (m/s^2)", "m/s\u00b2"}, {"tau (N\u00b7m)", "N m"}, {"qd (rad/s)", "rad/s"},
                                       {"j [deg/s3]", "deg/s\u00b3"}})
    CHECK(printed_unit(heading_readings(given).back().unit) == printed);
}

TEST_CASE("a time is t or time in any case and unit, and a timestamp that names its unit") {
  for (const char* heading : {"t", "T", "time", "Time", "t (s)", "Time [s]", "timestamp_ms", "timestamp (us)", "Zeit (s)", "temps"}) {
    CAPTURE(heading);
    bool found = false;
    for (const ColumnHeading& reading : heading_readings(heading)) found |= is_time(reading);
    CHECK(found);
  }
  for (const char* heading : {"timestamp", "runtime", "tau1", "time of day", "q1 (s)"})
    for (const ColumnHeading& reading : heading_readings(heading)) CHECK_FALSE(is_time(reading));
}
