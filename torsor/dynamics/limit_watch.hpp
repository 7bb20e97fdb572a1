// Whether a motion keeps the limits of a robot: positions, speeds and efforts of all coordinates, seen instant by instant, so
// that the motion may be of any length. What is passed is kept with its worst value, when that is, and when it was first.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

/// What a limit is of.
enum class LimitKind { velocity, acceleration, effort, position };

constexpr std::string_view limit_name(LimitKind kind) {
  constexpr std::string_view names[] = {"speed", "acceleration", "effort", "position"};
  return names[static_cast<std::size_t>(kind)];
}

/// A limit that a motion passes: the worst value, signed, with its instant; the first instant, and how many in all.
struct PassedLimit {
  LimitKind kind = LimitKind::effort;
  int coordinate = -1;  // velocity coordinate
  double value = 0, limit = 0, time = 0, first = 0;
  long long instants = 0;

  /// How far beyond: the magnitude over the limit; of a position the distance beyond the limit, in rad or m, and 1 more.
  double share() const;
};

/// The range that a coordinate has gone through, and when it was at its ends.
struct SeenRange {
  double lowest = std::numeric_limits<double>::infinity(), highest = -std::numeric_limits<double>::infinity();
  double lowest_time = 0, highest_time = 0;
};

class LimitWatch {
 public:
  /// The model must outlive this.
  explicit LimitWatch(const Model<double>& model);

  /// The next instant: q (nq), qd, tau (nv); any of them may be empty, and is not looked at then. Positions of joints of one
  /// degree of freedom alone have limits.
  void add(double t, std::span<const double> q, std::span<const double> qd, std::span<const double> tau);

  /// Every limit that was passed, the worst of each kind first; a touch, to 1e-9, is none.
  std::vector<PassedLimit> passed() const;
  bool kept() const { return kept_; }
  /// Of the position that belongs to a velocity coordinate; empty (infinite the wrong way) where there is none.
  const SeenRange& range(int coordinate) const { return range_[static_cast<std::size_t>(coordinate)]; }
  const Model<double>& model() const { return *model_; }

 private:
  void see(LimitKind kind, int coordinate, double t, double value, double limit, double beyond);

  const Model<double>* model_;
  std::vector<PassedLimit> worst_;  // by kind and coordinate
  std::vector<double> beyond_;      // likewise, how far
  std::vector<SeenRange> range_;
  std::vector<int> position_;  // of a velocity coordinate, or -1
  bool kept_ = true;
};

/// In words: `"elbow": speed -3.5 rad/s at 0.31 s is beyond its limit 3.14 rad/s (111 %)`. `when` says an instant in words.
std::string describe(const PassedLimit& passed, const Model<double>& model, std::string_view when);

}  // namespace torsor
