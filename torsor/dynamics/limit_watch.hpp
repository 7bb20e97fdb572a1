// Whether a motion keeps the limits of a robot: positions, speeds, accelerations, jerks and torques of all coordinates, seen
// instant by instant, so that the motion may be of any length. What is passed is kept with its worst value, when that is, and
// when it was first.
//
// Instants alone do not tell what is between them. By the mean value theorem a step of position over time is a speed that was
// reached, one of velocity an acceleration, one of acceleration a jerk (mean_rates.hpp): these are looked at, too, as the least
// that was reached. Jerk is known in no other way here.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/dynamics/passed_limit.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/model.hpp"
#include "torsor/numeric/mean_rates.hpp"

namespace torsor {

/// The range that a coordinate has gone through, and when it was at its ends.
struct SeenRange {
  double lowest = std::numeric_limits<double>::infinity(), highest = -std::numeric_limits<double>::infinity();
  double lowest_time = 0, highest_time = 0;
};

/// The largest magnitude that a coordinate has had, with its sign, and when; jerks, and what is beyond a limit, as means. And
/// the largest share of its limit, above 1 where that is passed alone.
struct SeenPeak {
  double value = 0, time = 0, share = 0, share_time = 0;
};

/// Of accelerations that slow down: that of deceleration, or where there is none, that of acceleration.
inline double slowing_limit(const Limits& limits) {
  return limits.deceleration < std::numeric_limits<double>::infinity() ? limits.deceleration : limits.acceleration;
}

/// What is known of a motion at an instant: q (nq), qd, qdd, tau (nv); what is empty is not looked at.
struct SeenInstant {
  std::span<const double> q = {}, qd = {}, qdd = {}, tau = {};
  bool alone = false;  // a state of its own: there is no motion from the instant before, or no time
};

class LimitWatch {  // NOLINT(bugprone-reserved-identifier): the compiler's own, in the copy of an array
 public:
  /// The model must outlive this. least_step [s]: means are taken over no less.
  explicit LimitWatch(const Model<double>& model, double least_step = 0);

  /// The next instant. Positions of joints of one degree of freedom alone have limits. Accelerations that slow down have a limit of their
  /// own; where that is not known, as at rest, it is the greater one.
  void add(double t, const SeenInstant& now);

  /// Every limit that was passed, the worst of each kind first; a touch, to 1e-9, is none.
  std::vector<PassedLimit> passed(InstantsBy by = InstantsBy::time) const;
  bool kept() const { return kept_; }
  /// Of the position that belongs to a velocity coordinate; empty (infinite the wrong way) where there is none.
  const SeenRange& range(int coordinate) const { return range_[static_cast<std::size_t>(coordinate)]; }
  /// Of speeds, accelerations, jerks and torques.
  const SeenPeak& peak(LimitKind kind, int coordinate) const { return peak_[at(kind, coordinate)]; }
  const Model<double>& model() const { return *model_; }

 private:
  struct Mean {
    double value = 0, least = 0, from = 0;  // least: with the digits that the numbers have
  };

  std::size_t at(LimitKind kind, int coordinate) const {
    return static_cast<std::size_t>(kind) * range_.size() + static_cast<std::size_t>(coordinate);
  }
  void find_means(double t, const SeenInstant& now);
  double acceleration_limit(int coordinate, std::optional<double> speed, double acceleration) const;
  void see_magnitude(LimitKind kind, int coordinate, double t, std::optional<double> value, double limit);
  void see(LimitKind kind, int coordinate, double t, double value, double limit, double beyond,
           std::optional<double> mean_from = {});

  const Model<double>* model_;
  std::vector<PassedLimit> worst_;  // by kind and coordinate
  std::vector<double> beyond_;      // likewise, how far
  std::vector<SeenRange> range_;
  std::vector<int> position_;  // of a velocity coordinate, or -1
  std::vector<bool> turns_;
  std::vector<SeenPeak> peak_;  // by kind and coordinate
  std::vector<Mean> mean_;      // likewise: since the instant before
  std::vector<double> last_;    // likewise: what the instant before had
  std::vector<int> stepped_[3];  // coordinates whose positions, velocities, accelerations are looked at from row to row
  std::vector<MeanRates> rates_;  // likewise
  bool kept_ = true;
};

/// In which unit a limit is: of torques, of positions or of their rates.
std::string_view limit_unit(LimitKind kind, CoordinateKind of, bool degrees = false);

/// In words: `"elbow": speed -3.5 rad/s at 0.31 s is beyond its limit 3.14 rad/s (111 %)`. `when` says an instant in words.
std::string describe(const PassedLimit& passed, const Model<double>& model, std::string_view when,
                     bool degrees = false);

/// Values and limits of angles in degrees, the rest as it is.
std::vector<PassedLimit> in_degrees(std::vector<PassedLimit> passed, const Model<double>& model);

}  // namespace torsor
