// What a motion asks of joints and motors at every instant, as rows of a CSV file.
#pragma once

#include "cli/motion_job.hpp"
#include "cli/row_output.hpp"
#include "torsor/drives/sizing.hpp"

namespace torsor {

/// Speed and torque of each joint and motor and the power of all, an instant a row.
class SizeRows {
 public:
  SizeRows(const Sizing& sizing, const Model<double>& model, const std::string& path, bool degrees)
      : sizing_(sizing),
        nv_(model.nv),
        output_(path, false, header(sizing, model), false, nullptr, {}, false, degrees ? &model : nullptr) {}

  void add(double t, std::span<const double> instant) {
    row_.assign(1, t);
    for (int k = 0; k < nv_; ++k) row_.push_back(sizing_.speed(instant, k));
    for (int k = 0; k < nv_; ++k) row_.push_back(sizing_.effort(instant, k));
    row_.push_back(sizing_.total_power(instant));
    for (std::size_t d = 0; d < sizing_.drives().size(); ++d) row_.push_back(sizing_.motor_speed(instant, d));
    for (std::size_t d = 0; d < sizing_.drives().size(); ++d) row_.push_back(sizing_.motor_torque(instant, d));
    written_ = written_ && output_.row(row_);
  }

  const Faults& faults() const { return output_.faults(); }
  bool finish(bool complete) { return output_.finish_rows(complete && written_) && written_; }
  std::string place() const { return output_.place(); }
  int complain_unwritten() const { return output_.complain_unwritten(); }

 private:
  static std::vector<std::string> header(const Sizing& sizing, const Model<double>& model) {
    std::vector<std::string> names{"t"}, motors;
    for (const AssignedDrive& drive : sizing.drives()) motors.push_back(drive.name);
    add_names(names, "qd", model.velocity_names);
    add_names(names, "tau", model.velocity_names);
    names.emplace_back("power");
    add_names(names, "motor_speed", motors);
    add_names(names, "motor_torque", motors);
    return names;
  }

  const Sizing& sizing_;
  int nv_;
  RowOutput output_;
  std::vector<double> row_;
  bool written_ = true;
};

}  // namespace torsor
