// A record of torques and the yardstick for it: how large the torques of each joint are, how exactly the file gives them,
// and so how far a tool may be off and still be said to have written it,
//
//   max(level * size of the joint, 3 * what the digits of the file can hide).
//
// What the digits hide is found by moving every number at random within half a unit of its last digit.
#pragma once

#include <array>

#include "torsor/dynamics/other_tool.hpp"
#include "torsor/dynamics/printed_digits.hpp"

namespace torsor {

/// How large the torques of a record are and how exactly it gives its numbers, gathered row by row.
class RecordScale {
 public:
  explicit RecordScale(std::size_t joints) : squares_(joints, 0.0), torques_(joints) {}

  void add(const TorqueSample&);
  /// Of each joint: rms of its torques, but at least a millionth of the largest: a joint without torque is not to be measured by its
  /// rounding.
  std::vector<double> size() const;

  static constexpr std::array groups{&TorqueSample::q, &TorqueSample::qd, &TorqueSample::qdd};
  /// Of one of these groups.
  const PrintedDigits& inputs(std::size_t group) const { return inputs_[group]; }
  /// Of each joint: columns may come from different places.
  const std::vector<PrintedDigits>& torques() const { return torques_; }

 private:
  std::size_t rows_ = 0;
  std::vector<double> squares_;
  std::array<PrintedDigits, groups.size()> inputs_;
  std::vector<PrintedDigits> torques_;
};

class MeasuredRecord {
 public:
  /// At least one sample; level is a share of the size of a joint.
  MeasuredRecord(const std::vector<TorqueSample>& rows, double level);
  /// Samples out of a longer record, measured by all of it.
  MeasuredRecord(std::vector<TorqueSample> rows, RecordScale scale, double level);

  /// Largest |difference| of each joint, of differences in the order of tau.
  std::vector<double> worst(const std::vector<double>& difference) const;

  /// How far each joint may be off if the tool, with the sizes p of its additions, wrote the record.
  std::vector<double> bounds(const OtherTool& tool, const std::vector<double>& p) const;

  /// Whether no joint is further off than that; quick where the answer is plain.
  bool within_bounds(const std::vector<double>& off, const OtherTool& tool, const std::vector<double>& p) const;

  /// The joint of an entry of tau; a record of no joints has no entry.
  std::size_t joint_of(std::size_t entry) const { return n > 0 ? entry % n : 0; }

  std::vector<TorqueSample> samples;
  std::size_t n;             // joints
  std::vector<double> tau;   // samples x n
  std::vector<double> size;  // of each joint (RecordScale)

 private:
  std::vector<double> hidden_by_digits(const OtherTool& tool, const std::vector<double>& p) const;
  bool round_numbers(const PrintedDigits& input) const;

  double level_;
  RecordScale scale_;
};

}  // namespace torsor
