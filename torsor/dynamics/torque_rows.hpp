// A record of motion and torques that is gone through row by row, as often as needed: from memory, or from a file in memory
// that does not grow with it (io/torque_record.hpp).
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "torsor/dynamics/other_tool.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

class TorqueRows {
 public:
  virtual ~TorqueRows() = default;
  /// To the first row.
  virtual void rewind() = 0;
  /// The next row, valid until the next call; null at the end.
  virtual const TorqueSample* next() = 0;
  /// The time of the last row; not a number where there are none.
  virtual double t() const { return std::numeric_limits<double>::quiet_NaN(); }
};

/// Rows that are held in memory; they must outlive this.
class StoredRows final : public TorqueRows {
 public:
  explicit StoredRows(const std::vector<TorqueSample>& samples) : samples_(samples) {}
  void rewind() override { at_ = 0; }
  const TorqueSample* next() override { return at_ < samples_.size() ? &samples_[at_++] : nullptr; }

 private:
  const std::vector<TorqueSample>& samples_;
  std::size_t at_ = 0;
};

/// What one look at every row tells of each coordinate.
struct RecordSurvey {
  std::size_t rows = 0;
  std::vector<bool> moves;         // some velocity or acceleration is not zero
  std::vector<bool> accelerates;   // its acceleration changes
  std::vector<bool> driven;        // some torque is not zero
  std::vector<double> constant;    // its torque, where that is the same in all rows; else NaN
};

RecordSurvey survey(const Model<double>&, TorqueRows&);

}  // namespace torsor
