// Whether a motion keeps the limits of a robot: positions, speeds and torques of all coordinates, seen instant by instant, so
// that the motion may be of any length. What is passed is kept with its worst value, when that is, and when it was first.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/fields.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

/// What a limit is of.
enum class LimitKind { velocity, acceleration, effort, position };

constexpr std::string_view limit_name(LimitKind kind) {
  constexpr std::string_view names[] = {"speed", "acceleration", "effort", "position"};
  return names[static_cast<std::size_t>(kind)];
}

/// What the instants of a motion are counted by: seconds, rows of a file without times, or nothing (a single state).
enum class InstantsBy { time, row, nothing };

/// A limit that a motion passes: the worst value, signed, with its instant; the first instant, and how many in all.
struct PassedLimit {
  LimitKind kind = LimitKind::effort;
  int coordinate = -1;  // velocity coordinate
  double value = 0, limit = 0, time = 0, first = 0;
  long long instants = 0;
  std::string joint = {};  // name of the coordinate
  InstantsBy by = InstantsBy::time;

  /// How far beyond: the magnitude over the limit; of a position the distance beyond the limit, in rad or m, and 1 more.
  double share() const;
};

constexpr auto fields(Of<PassedLimit>) {
  using P = PassedLimit;
  constexpr auto if_by = [](const P& p, InstantsBy by, double x) { return p.by == by ? std::optional(x) : std::nullopt; };
  return field_list("PassedLimit", "A limit of a robot that a motion passes, with its worst value.",
                    field("joint", "", "which coordinate", &P::joint),
                    field("quantity", "", "position, speed or torque", [](const P& p) { return limit_name(p.kind); }),
                    field("value", "", "the worst, with its sign", &P::value),
                    field("limit", "", "rad, m, rad/s, m/s, N m or N", &P::limit),
                    field("time", "s", "of the worst", [=](const P& p) { return if_by(p, InstantsBy::time, p.time); }),
                    field("first_time", "s", "when it was first passed", [=](const P& p) { return if_by(p, InstantsBy::time, p.first); }),
                    field("row", "", "of the worst, where there are no times", [=](const P& p) { return if_by(p, InstantsBy::row, p.time); }),
                    field("first_row", "", "likewise", [=](const P& p) { return if_by(p, InstantsBy::row, p.first); }),
                    field("instants", "", "how many are beyond", [](const P& p) { return p.by == InstantsBy::nothing ? std::nullopt : std::optional(p.instants); }));
}

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
  std::vector<PassedLimit> passed(InstantsBy by = InstantsBy::time) const;
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
std::string describe(const PassedLimit& passed, const Model<double>& model, std::string_view when, bool degrees = false);

/// Values and limits of angles in degrees, the rest as it is.
std::vector<PassedLimit> in_degrees(std::vector<PassedLimit> passed, const Model<double>& model);

}  // namespace torsor
