// The motion of a model from a CSV stream, row by row: MotionReader with the model's names, its quaternions checked and
// brought to unit length, and an end at the first fault, so that the rows before it can be kept. The rest of the file
// is then read for its faults.
#pragma once

#include "torsor/files/motion_reader.hpp"
#include "torsor/model/degree_watch.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

/// What the columns after q and qd are: accelerations (derived like the velocities when missing), or torques (never
/// derived).
enum class MotionContent { accelerations, torques };

class MotionStream {
 public:
  /// Columns t, q1.. | q.name | name, qd1.. | qd.name, and qdd1.. | qdd.name or tau1.. | tau.name. Stream and model
  /// must outlive this.
  MotionStream(const Model<double>& model, std::istream& in, std::string file, MotionOptions options = {},
               MotionContent content = MotionContent::accelerations);

  /// The next instant; torques, if asked for, stand in the place of qdd. False at the end or at the first fault of the
  /// file.
  bool next(MotionRow& row);

  /// Times, cutoff, ignored columns; its faults() are complete once next() has said false.
  const MotionReader& reader() const { return reader_; }
  /// Why positions that were read as radians may be degrees: some columns say degrees and others no unit, or the positions so
  /// far are beyond limits that they would keep as degrees. Empty where nothing speaks for it.
  std::string degree_suspicion() const;

 private:
  bool sound(MotionRow& row);

  const Model<double>& model_;
  MotionReader reader_;
  DegreeWatch degrees_;
};

}  // namespace torsor
