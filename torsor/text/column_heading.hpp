// The heading of a column with the unit that it names: `q1 (deg)`, `q1 [deg]` and `q1_deg` are q1 in degrees, `t (ms)` is t
// in milliseconds. What the number is in SI follows from the unit and from what the column measures; a unit that is not
// known there is for the reader to refuse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/text/unit.hpp"

namespace torsor {

/// What a column measures: a quantity, and how often it is derived by time (rad, rad/s, rad/s²).
enum class ColumnKind { number, time, angle, length, angle_or_length, torque, force, torque_or_force };
struct ColumnMeasure {
  ColumnKind measure = ColumnKind::number;
  int rate = 0;
};

/// A heading taken apart: in brackets any text counts as a unit, behind an underscore only one that is known somewhere.
struct ColumnHeading {
  std::string name, unit;
  bool bracket = false;
};

/// The ways to read a heading, the likeliest first: the whole of it as a name, then without the unit that it names.
std::vector<ColumnHeading> heading_readings(std::string_view heading);

/// Whether it is the time: t, time or its word in some other languages, or a timestamp that says of what; seconds, milliseconds, nanoseconds or a date, only a
/// unit tells.
bool is_time(const ColumnHeading& heading);

/// What a number under this heading is in SI; nothing where the unit is not one of what is measured. Without a unit it is
/// SI. Behind an underscore an angle or a length may leave out its rate: `qd1_deg` is in degrees per second.
std::optional<UnitSuffix> column_unit(const ColumnHeading& heading, ColumnMeasure measure);

/// A unit as it is printed: `m/s²` of m/s2, `N m` of Nm.
std::string printed_unit(std::string_view unit);

/// The units that a column of this measure may name: `rad/s, deg/s or rpm`.
std::string column_units(ColumnMeasure measure);

/// In lower case, as far as it is ASCII.
std::string lower_case(std::string_view text);

/// Degrees, degrees per second (squared).
constexpr UnitSuffix degree_unit{"deg", std::numbers::pi, 180};

}  // namespace torsor
