// Inverse dynamics along a motion: one row of results per instant, statistics of the torques, curves for the report.
// Shared by id and demo.
#pragma once

#include "cli/limit_report.hpp"
#include "cli/load_arguments.hpp"
#include "cli/motion_job.hpp"
#include "cli/print.hpp"
#include "cli/row_batch.hpp"
#include "torsor/reduction/reduced_model.hpp"
#include "torsor/dynamics/torque_summary.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/report/thinned_series.hpp"
#include "torsor/trajectory/motion.hpp"

namespace torsor {

class TorqueRun {
 public:
  /// curves: keep what the plots of a report need. The model must outlive this.
  TorqueRun(const Model<double>& model, const Loads& loads, bool curves);

  /// Takes the torques from a reduced model from here on, and friction from the robot; the model must outlive this.
  void use(ReducedDynamics<double>& reduced) { reduced_ = &reduced; }
  /// How many instants were outside the ranges of that model.
  long long outside() const { return outside_; }

  /// Columns after the time: q, qd, qdd, tau, and the torques of the motors behind gears and transmissions.
  std::vector<std::string> header() const;

  /// Appends the results of an instant, in the order of the header.
  void add(const MotionRow& row, double time, std::vector<double>& results);

  const TorqueStatistics& joints() const { return joint_statistics_; }
  /// Which limits of the robot were passed.
  const LimitWatch& limits() const { return limits_; }
  InstantsBy instants_by() const { return has_time_ ? InstantsBy::time : InstantsBy::row; }

  /// Peak and rms of the torques, of joints and motors; has_time: else "at" is the number of the row.
  std::vector<TextTable> tables(bool has_time, const PrintArguments& print) const;
  /// The same as a result.
  TorqueSummary summary(bool has_time) const { return torque_summary(limits_, joint_statistics_, motor_statistics_, has_time); }

  /// The job of going through a motion file with this, in blocks of rows on so many threads; it must not move while the
  /// job runs.
  MotionJob job(const MotionArguments& files, int threads = 1);
  /// Whether that file had times.
  bool has_time() const { return has_time_; }

  /// Highlights, tables and plots into a report.
  void describe(Report& report, bool has_time, const PrintArguments& print) const;

 private:
  struct Curves {
    std::vector<ThinnedSeries> q, qd, tau, power;
    RobotMotion motion;
  };
  void add_plots(Report& report, bool has_time) const;

  const Model<double>& model_;
  Dynamics dynamics_;
  RowBatch batch_;
  ReducedDynamics<double>* reduced_ = nullptr;
  long long outside_ = 0;
  std::vector<int> motors_;  // the coordinates that have one behind a gear or transmission
  std::vector<double> tau_, motor_;
  TorqueStatistics joint_statistics_, motor_statistics_;
  LimitWatch limits_;
  bool keep_curves_;
  Curves curves_;
  bool has_time_ = true;
  long long rows_ = 0;
};

}  // namespace torsor
