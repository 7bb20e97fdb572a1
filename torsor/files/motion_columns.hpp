// Which column of a motion CSV is what: t, then q, qd, qdd of each coordinate, by number (q1, qd1, qdd1) or by name
// (elbow or q.elbow, qd.elbow, qdd.elbow), in any order; in the spellings of other programs, too (joint1_pos,
// position.elbow, dq1, actual_q_0), and with the unit that the heading names (column_heading.hpp). What counts from 0 is
// what has a 0 and no number of coordinates beyond the last. Without qd and qdd they are to be
// derived from t and q, and without qdd from t and qd, if every joint has one degree of freedom: the velocities of others
// are components in a body frame, no rates of positions.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/model/coordinate_kind.hpp"
#include "torsor/result.hpp"
#include "torsor/text/unit.hpp"

namespace torsor {

/// What the columns of one coordinate may be.
enum class MotionQuantity { position, velocity, acceleration, torque };

/// The spellings of each coordinate's column; the first is the one that faults name. qd and qdd are of one size.
struct MotionNames {
  std::vector<std::vector<std::string>> q, qd, qdd;
  std::vector<std::string> not_derived = {};  // joints whose velocities are not the rates of their positions
  std::vector<std::string> misleading = {};   // numbers that are refused
  std::vector<std::string> elsewhere =
      {};  // columns of the same file that are not looked for here: no slips of the pen
  /// What q, qd and qdd hold.
  std::array<MotionQuantity, 3> quantities = {MotionQuantity::position, MotionQuantity::velocity,
                                              MotionQuantity::acceleration};
  /// The coordinates' own names, and their kinds; without kinds a column may be in units of angles or of lengths.
  std::vector<std::string> position_names = {}, velocity_names = {};
  std::vector<CoordinateKind> position_kinds = {}, velocity_kinds = {};
};

/// The usual spellings, numbers from 1 and the coordinates' own names; names alone where one looks like the number of
/// another coordinate. last is the prefix of what follows the velocities: accelerations, or torques ("tau").
MotionNames motion_names(std::span<const std::string> position_names, std::span<const std::string> velocity_names,
                         const std::string& last = "qdd");
/// Those of a robot, with the kinds of its coordinates.
MotionNames motion_names(const Model<double>& model, const std::string& last = "qdd");
/// The torques of names with last = "tau" alone, in the place of q.
MotionNames torque_names(const MotionNames& names);

/// What of a motion is not in its file, and comes from a smoothing spline: of q velocities and accelerations (rates), of qd
/// accelerations.
enum class Derived { nothing, rates, accelerations };
/// `qd and qdd come from a smoothing spline of q`
std::string_view derived_from(Derived what);

/// Indices into the header; qd and qdd are empty when they were not asked for or are to be derived.
struct MotionColumns {
  std::optional<int> t;
  std::vector<int> q, qd, qdd;
  Derived derive = Derived::nothing;  // of what is asked for
  std::vector<std::string> ignored;  // columns that mean nothing to a motion
  std::vector<UnitSuffix> units;     // of all(), one by one; empty: all are SI
  bool in_degrees = false;           // some angle of q is in degrees
  std::vector<int> unnamed = {};     // angles of q that are read as radians since their headings name no unit

  /// t (if there), q, qd, qdd one after the other, as CsvReader::select takes them.
  std::vector<int> all() const;
};

/// The columns of a header that are part of a motion.
std::vector<int> known_motion_columns(std::span<const std::string> header, const MotionNames& names);

struct ColumnOptions {
  int derivatives = 2;     // how many of qd, qdd are needed (0, 1, 2)
  bool may_derive = true;  // whether a file without them will do
  bool degrees = false;    // angles whose heading names no unit are in degrees, their rates in degrees per second
};

/// Finds the columns in a header, or lists every one that is missing or there twice, or that names a unit it cannot have.
/// file is the name for faults.
Result<MotionColumns> resolve_motion_columns(std::span<const std::string> header, const MotionNames& names,
                                             const ColumnOptions& options, const std::string& file);

/// The names of the columns of a table that has none, by their number: q, then as many derivatives as are needed, and t
/// before them where there is one column more; t and q alone where the derivatives may be derived.
Result<std::vector<std::string>> motion_layout(int columns, const MotionNames& names, int derivatives,
                                               const std::string& file, bool may_derive = true);

/// `the file has t, a, b, ... and 12 more`: for who misses a column. A line that does not look like a header is not quoted,
/// unless some column of it is known: the file may be another one by mistake, and hold what is not for others.
std::string columns_there(std::span<const std::string> header, bool has_known);

}  // namespace torsor
