// The spellings of a motion's columns in other programs, case aside: j1_pos, joint_1, position.elbow, elbow/velocity, dq1,
// elbow_effort, actual_q_1, qpos1. Which coordinate a number or a name belongs to is decided once per robot. Numbers count
// from 1 here; a header that counts from 0 is for motion_columns.cpp to see.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "torsor/files/motion_columns.hpp"
#include "torsor/text/column_heading.hpp"

namespace torsor {

/// What may tell the coordinate of a heading.
enum class ColumnKey { name, name_or_number };

class ColumnWords {
 public:
  explicit ColumnWords(const MotionNames& names);

  struct Meaning {
    MotionQuantity quantity;
    std::size_t coordinate;
  };
  /// What a name without its unit means; nothing where it is no spelling, or one of two coordinates.
  std::optional<Meaning> meaning(std::string_view name, ColumnKey key = ColumnKey::name_or_number) const;

 private:
  std::optional<std::size_t> coordinate(std::string_view base, MotionQuantity quantity, ColumnKey key) const;
  std::optional<std::size_t> numbered(std::string_view base, std::size_t count) const;

  std::unordered_map<std::string, std::size_t> positions_, velocities_;  // by lower-case name
  std::size_t nq_, nv_;
  bool numbers_ = true;  // no name looks like the number of another coordinate
  bool single_ = true;   // every joint has one coordinate
};

}  // namespace torsor
