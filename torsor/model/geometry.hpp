// The one classifier of geometry: whether two axes are parallel, perpendicular or meet, whether a length is zero and an
// angle a quarter turn, is decided here and nowhere else. Files round ("1.5708" is 3.7e-6 rad off a right angle, and the
// common normal of two axes so nearly parallel lies kilometres away), so what is within the tolerance is snapped, and
// each snap is reported with its residual. Lengths are measured by that of the robot's links. Below 1e-14, where double arithmetic on a robot's numbers makes such
// differences by itself, special values are taken even without snapping: these are counted, and the largest is kept.
#pragma once

#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "torsor/spatial/rotation.hpp"

namespace torsor {

struct GeometryTolerance {
  double angle = 1e-5;                // rad
  std::optional<double> length = {};  // m; without one, relative_length of the robot's links
  bool snap = true;                   // false: only what is equal to rounding counts as special
  /// Common normals with feet further away than this many lengths of the arm give way to a fifth parameter; as a rule it
  /// is the angle between the axes that decides.
  double far = std::numeric_limits<double>::infinity();

  static constexpr double relative_length = 1e-6;
};

/// A special value taken instead of a nearby one: what was decided, and by how much the numbers were moved.
struct Snap {
  std::string what;
  double residual = 0;  // rad or m
  bool is_angle = false;
};

/// Special values taken where only rounding stood between: how many, and how far off at most.
struct RoundedAway {
  int count = 0;
  double angle = 0, length = 0;  // rad, m
};

/// Decides, and keeps a list of what it moved.
class GeometryClassifier {
 public:
  /// unit: the length of the robot's links, m.
  explicit GeometryClassifier(GeometryTolerance tolerance = {}, double unit = 1) : tolerance_(tolerance), unit_(unit) {}

  /// The length, or exactly zero.
  double length(double x, const std::string& what) {
    if (x == 0 || !(abs(x) <= length_tolerance())) return x;
    note(what + " is zero", abs(x), false);
    return 0;
  }

  /// The angle, or the double nearest to the multiple of pi/2 it stands for.
  double angle(double x, const std::string& what) {
    const double special = special_angle(x);
    if (x == special) return x;
    const int turns = static_cast<int>(std::nearbyint(x / quarter));
    note(what + " is " + std::to_string(turns * 90) + " degrees", abs(x - special), true);
    return special;
  }

  /// What angle() will answer, without a record.
  double special_angle(double x) const {
    const double special = std::nearbyint(x / quarter) * quarter;
    return abs(x - special) <= angle_tolerance() ? special : x;
  }

  /// Unit directions with the same or the opposite sense; a hair wider than angle(), which never finds parallel what is
  /// not so here.
  bool parallel(const Vec3<double>& u, const Vec3<double>& v) const {
    return between(u, v) <= angle_tolerance() * (1 + 1e-9);
  }

  /// Angle between two lines with these unit directions, 0 .. pi/2.
  static double between(const Vec3<double>& u, const Vec3<double>& v) {
    return std::atan2(norm(cross(u, v)), abs(dot(u, v)));
  }

  /// Records a decision taken elsewhere on the classifier's word.
  void assume(std::string what, double residual) { note(std::move(what), residual, true); }

  const std::vector<Snap>& snaps() const { return snaps_; }
  const RoundedAway& rounded_away() const { return rounded_away_; }

  /// Largest difference that double arithmetic on a robot's numbers makes by itself (rad, and of the length of its links).
  static constexpr double rounding = 1e-14;
  /// The same of lengths, m.
  double length_rounding() const { return rounding * unit_; }

 private:
  static constexpr double quarter = std::numbers::pi / 2;

  double length_tolerance() const {
    return tolerance_.snap ? tolerance_.length.value_or(GeometryTolerance::relative_length * unit_) : length_rounding();
  }
  double angle_tolerance() const { return tolerance_.snap ? tolerance_.angle : rounding; }

  void note(std::string what, double residual, bool is_angle) {
    if (residual > (is_angle ? rounding : length_rounding())) {
      snaps_.push_back({std::move(what), residual, is_angle});
    } else if (residual > 0) {
      ++rounded_away_.count;
      double& largest = is_angle ? rounded_away_.angle : rounded_away_.length;
      largest = residual > largest ? residual : largest;
    }
  }

  GeometryTolerance tolerance_;
  double unit_;
  std::vector<Snap> snaps_;
  RoundedAway rounded_away_;
};

}  // namespace torsor
