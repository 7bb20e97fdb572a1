// A motion with the torques that some tool gave for it, from one CSV text: the columns of a motion (motion_columns.hpp; qd
// and qdd are derived where both are missing) and tau1.. or tau.NAME. Two readers go through the text side by side, one for
// the motion and one for the torques, so that a record of any length takes little memory.
#pragma once

#include <functional>
#include <istream>
#include <memory>

#include "torsor/dynamics/torque_rows.hpp"
#include "torsor/files/motion_stream.hpp"

namespace torsor {

/// How the rates of a record came about, and what of its file was not used.
struct RecordNotes {
  bool timed = false;  // there are times
  Derivation derived = {};
  std::vector<std::string> ignored;
  std::string degree_suspicion = {};  // degree_watch.hpp
};

/// A record row by row, from a text that can be opened again and again.
class TorqueFile final : public TorqueRows {
 public:
  using Open = std::function<std::unique_ptr<std::istream>()>;

  /// file is the name for faults, cutoff [Hz] that of the smoothing spline for missing rates, degrees the unit of angles
  /// whose columns name none. Reads as far as the header; the model must outlive this.
  TorqueFile(const Model<double>&, Open, std::string file, std::optional<double> cutoff = {}, bool degrees = false);
  ~TorqueFile() override;

  void rewind() override;
  const TorqueSample* next() override;
  double t() const override;

  /// Every fault of the text, once next() has answered null.
  const Faults& faults() const { return faults_; }
  RecordNotes notes() const;

 private:
  struct Pass;
  const Model<double>& model_;
  Open open_;
  std::string file_;
  std::optional<double> cutoff_;
  bool degrees_;
  MotionNames names_;
  std::unique_ptr<Pass> pass_;
  Faults faults_;
};

}  // namespace torsor
