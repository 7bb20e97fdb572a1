// Inverse dynamics along a motion: one row of results per instant, and their report. Shared by id and demo.
#pragma once

#include "cli/limit_report.hpp"
#include "cli/motion_job.hpp"
#include "cli/row_batch.hpp"
#include "torsor/reduction/reduced_model.hpp"
#include "torsor/report/torque_report.hpp"
#include "torsor/trajectory/motion.hpp"

namespace torsor {

class TorqueRun : public TorqueReport {
 public:
  /// curves: keep what the plots of a report need. The robot must outlive this.
  TorqueRun(const Robot& robot, const Loads& loads, bool curves);

  /// Takes the torques from a reduced model from here on, and friction from the robot; the model must outlive this.
  void use(ReducedDynamics<double>& reduced) { reduced_ = &reduced; }
  /// How many instants were outside the ranges of that model.
  long long outside() const { return outside_; }

  /// Columns after the time: q, qd, qdd, tau, and the torques of the motors behind gears and transmissions.
  std::vector<std::string> header() const;

  /// Appends the results of an instant, in the order of the header; NaN where there are none, with the status of why.
  Status add(const MotionRow& row, double time, std::vector<double>& results);

  InstantsBy instants_by() const { return has_time_ ? InstantsBy::time : InstantsBy::row; }

  /// The job of going through a motion file with this, in blocks of rows on so many threads; it must not move while the
  /// job runs.
  MotionJob job(const MotionArguments& files, int threads = 1);
  /// Whether that file had times.
  bool has_time() const { return has_time_; }

 private:
  const Robot& robot_;
  Dynamics dynamics_;
  RowBatch batch_;
  ReducedDynamics<double>* reduced_ = nullptr;
  long long outside_ = 0;
  std::vector<double> tau_;
  bool has_time_ = true;
  long long rows_ = 0;
};

}  // namespace torsor
