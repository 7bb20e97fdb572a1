#include "cli/torque_run.hpp"

#include <algorithm>

#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/model/transmission.hpp"

namespace torsor {

TorqueRun::TorqueRun(const Robot& robot, const Loads& loads, bool curves)
    : TorqueReport(robot.coordinates(), curves),
      robot_(robot),
      dynamics_(robot, {.questions = Questions::all_but_forward}),
      batch_(robot, loads, RowBatch::Question::inverse),
      tau_(static_cast<std::size_t>(robot.nv())) {
  dynamics_.set_loads(loads);
}

std::vector<std::string> TorqueRun::header() const {
  std::vector<std::string> header;
  add_names(header, "q", model_.position_names);
  add_names(header, "qd", model_.velocity_names);
  add_names(header, "qdd", model_.velocity_names);
  add_names(header, "tau", model_.velocity_names);
  const std::vector<std::string> names = motor_names(model_);
  for (const int k : motors_) header.push_back("motor." + names[k]);
  return header;
}

Status TorqueRun::add(const MotionRow& row, double time, std::vector<double>& results) {
  Status status;
  if (reduced_) {
    reduced_->inverse(row.q, row.qd, row.qdd, tau_);
    add_joint_friction<double>(model_, row.q, row.qd, 1, tau_);
    if (!holds_at(reduced_->model().statement, row.q, row.qd, row.qdd)) ++outside_;
  } else if (const std::span<const double> tau = batch_.next(); !tau.empty()) {
    std::copy(tau.begin(), tau.end(), tau_.begin());
  } else {
    status = dynamics_.inverse(row.q, row.qd, row.qdd, tau_);
  }
  TorqueReport::add(time, {row.q, row.qd, row.qdd, tau_, !has_time_});
  for (const std::vector<double>* part : {&row.q, &row.qd, &row.qdd, &std::as_const(tau_)})
    results.insert(results.end(), part->begin(), part->end());
  for (const int k : motors_) results.push_back(motor_[k]);
  return status;
}

MotionJob TorqueRun::job(const MotionArguments& files, int threads) {
  MotionJob job{.model = model_, .files = files, .header = header()};
  job.jumps = Jumps::noted;
  job.friction = true;
  job.start = [this](const MotionOutcome& outcome) { has_time_ = outcome.has_time; };
  job.compute = [this](const MotionRow& row, std::vector<double>& results) -> std::optional<Fault> {
    ++rows_;
    return loop_fault(robot_, add(row, has_time_ ? row.t : static_cast<double>(rows_), results));
  };
  job.answer = {static_cast<std::size_t>(model_.nq + 2 * model_.nv), tau_.size()};
  batch_.use(threads);
  if (!reduced_) job.prepare = [this](std::span<const MotionRow> rows) { batch_.prepare(rows); };
  job.summary = [this, degrees = files.degrees](JsonWriter& json) { write_fields(json, summary(has_time_, degrees)); };
  return job;
}

}  // namespace torsor
