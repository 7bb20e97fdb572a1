// Which column of a motion CSV is what: t, then q, qd, qdd of each coordinate, by number (q1, qd1, qdd1) or by name
// (elbow or q.elbow, qd.elbow, qdd.elbow), in any order. Without qd and qdd they are to be derived from t and q, if every
// joint has one degree of freedom: the velocities of others are components in a body frame, no rates of positions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

/// The spellings of each coordinate's column; the first is the one that faults name. qd and qdd are of one size.
struct MotionNames {
  std::vector<std::vector<std::string>> q, qd, qdd;
  std::vector<std::string> not_derived = {};  // joints whose velocities are not the rates of their positions
  std::vector<std::string> misleading = {};   // numbers that are refused
};

/// The usual spellings, numbers from 1 and the coordinates' own names; names alone where one looks like the number of
/// another coordinate. last is the prefix of what follows the velocities: accelerations, or torques ("tau").
MotionNames motion_names(std::span<const std::string> position_names, std::span<const std::string> velocity_names,
                         const std::string& last = "qdd");

/// Indices into the header; qd and qdd are empty when they were not asked for or are to be derived.
struct MotionColumns {
  std::optional<int> t;
  std::vector<int> q, qd, qdd;
  bool derive = false;               // qd and qdd are asked for and not there
  std::vector<std::string> ignored;  // columns that mean nothing to a motion

  /// t (if there), q, qd, qdd one after the other, as CsvReader::select takes them.
  std::vector<int> all() const;
};

/// Whether a column of that name is part of a motion.
bool is_motion_column(const std::string& column, const MotionNames& names);

/// Finds the columns in a header, or lists every one that is missing or there twice; derivatives is how many of qd, qdd
/// are needed (0, 1, 2), may_derive whether a file without them will do. file is the name for faults.
Result<MotionColumns> resolve_motion_columns(std::span<const std::string> header, const MotionNames& names,
                                             int derivatives, const std::string& file, bool may_derive = true);

/// The names of the columns of a table that has none, by their number: q, then as many derivatives as are needed, and t
/// before them where there is one column more; t and q alone where the derivatives may be derived.
Result<std::vector<std::string>> motion_layout(int columns, const MotionNames& names, int derivatives,
                                               const std::string& file, bool may_derive = true);

}  // namespace torsor
