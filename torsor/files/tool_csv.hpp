// A motion of the tool as CSV: t; position x, y, z of the frame's origin [m]; Euler parameters e0, e1, e2, e3; angular
// velocity wx, wy, wz [rad/s] and velocity vx, vy, vz of the origin [m/s]; angular acceleration wdx, wdy, wdz and
// acceleration ax, ay, az, each the time derivative of the one before. All components are in the world. These are the
// columns that `torsor fk --motion FILE --rates` gives, too. A heading may name another unit: x_mm, roll (deg).
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "torsor/text/column_heading.hpp"
#include "torsor/text/csv_reader.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {

/// The columns after the time: pose, velocities, accelerations (7 + 6 + 6).
const std::vector<std::string>& tool_columns();

/// Appends the numbers of those columns. The quaternion has the sign nearer to that of the instant before, and is then
/// kept for the next one.
void append_tool(const CartesianState& state, Quaternion<double>& before, std::vector<double>& numbers);

/// Such a file, row by row. The orientation may be given as roll, pitch, yaw instead, or too: then
/// both must agree; velocities and accelerations may
/// be missing (then they are zero), but not in part. Other columns are ignored.
class ToolReader {
 public:
  /// Reads the header and finds the columns; file is the name for faults. The stream must outlive the reader.
  /// degrees: in a table with roll, pitch, yaw for an orientation, angles whose columns name no unit are in degrees, their
  /// rates in degrees per second. A table with quaternions, as our own are, is in radians where it names no unit.
  ToolReader(std::istream& in, std::string file, bool degrees = false);

  /// The next instant; false at the end or at the first fault, the rest of the file being read for its faults.
  bool next(ToolRow& row);

  bool ok() const { return csv_.ok(); }
  Faults faults() const { return csv_.faults(); }
  bool has_time() const { return has_time_; }
  /// The largest roll, pitch or yaw that was taken for radians without a word about it in the heading.
  double largest_unnamed_angle() const { return largest_unnamed_angle_; }
  bool has_velocities() const { return velocities_; }
  bool has_accelerations() const { return accelerations_; }
  const std::vector<std::string>& ignored() const { return ignored_; }
  std::int64_t bytes() const { return csv_.bytes(); }

 private:
  bool read(ToolRow& row);

  CsvReader csv_;
  bool has_time_ = false, angles_ = false, twice_ = false, velocities_ = false, accelerations_ = false, first_ = true;
  double latest_ = 0, largest_unnamed_angle_ = 0;
  std::vector<bool> unnamed_angle_ = std::vector<bool>(3, false);
  std::vector<double> numbers_;
  std::vector<UnitSuffix> units_;
  std::vector<std::string> ignored_;
};

}  // namespace torsor
