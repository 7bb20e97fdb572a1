// Torques along a motion as a report: statistics while the instants go by, curves that do not grow with them.
#pragma once

#include "torsor/dynamics/torque_summary.hpp"
#include "torsor/report/limit_tables.hpp"
#include "torsor/report/report.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/report/thinned_series.hpp"

namespace torsor {

class TorqueReport {
 public:
  /// curves: keep what the plots need. The model must outlive this.
  TorqueReport(const Model<double>& model, bool curves);

  /// An instant, with the torques of its joints; time is the number of a row where there are no times.
  void add(double time, const SeenInstant& instant);

  const TorqueStatistics& joints() const { return joint_statistics_; }
  /// Which limits of the robot were passed.
  const LimitWatch& limits() const { return limits_; }

  /// Peak and rms of the torques, of joints and motors; has_time: else "at" is the number of the row.
  std::vector<TextTable> tables(bool has_time, const PrintStyle& print) const;
  /// The same as a result.
  TorqueSummary summary(bool has_time, bool degrees = false) const;

  /// Highlights, tables and plots into a report.
  void describe(Report& report, bool has_time, const PrintStyle& print) const;

 protected:
  const Model<double>& model_;
  std::vector<int> motors_;    // the coordinates that have one behind a gear or transmission
  std::vector<double> motor_;  // torques of the last instant

 private:
  struct Curves {
    std::vector<ThinnedSeries> q, qd, qdd, tau, power;
    RobotMotion motion;
  };
  void add_plots(Report& report, bool has_time, bool degrees) const;

  TorqueStatistics joint_statistics_, motor_statistics_;
  LimitWatch limits_;
  bool keep_curves_;
  Curves curves_;
};

}  // namespace torsor
