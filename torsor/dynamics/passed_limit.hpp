// A limit that a motion passes, as limit_watch.hpp finds it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace torsor {

/// What a limit is of.
enum class LimitKind { jerk, acceleration, velocity, effort, position };

constexpr std::string_view limit_name(LimitKind kind) {
  constexpr std::string_view names[] = {"jerk", "acceleration", "speed", "effort", "position"};
  return names[static_cast<std::size_t>(kind)];
}

/// What the instants of a motion are counted by: seconds, rows of a file without times, or nothing (a single state).
enum class InstantsBy { time, row, nothing };

/// A limit that a motion passes: the worst value, signed, with its instant; the first instant, and how many in all. A value
/// between two instants is their mean, and `time` the later one.
struct PassedLimit {
  LimitKind kind = LimitKind::effort;
  int coordinate = -1;  // velocity coordinate
  double value = 0, limit = 0, time = 0, first = 0;
  long long instants = 0;
  std::string joint = {};  // name of the coordinate
  InstantsBy by = InstantsBy::time;
  std::optional<double> mean_from = {};  // the earlier of the two instants

  /// How far beyond: the magnitude over the limit; of a position the distance beyond the limit, in rad or m, and 1 more.
  double share() const;
};

}  // namespace torsor
