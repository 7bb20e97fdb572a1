// A motion from a CSV or NPY stream, row by row, in memory that does not grow with the file. When the file has only t and q, a
// smoothing spline over a window that moves along the file gives qd and qdd (and smooths q); when it has t, q and qd, one of qd
// gives qdd, and q and qd stay as they are. The cutoff is the caller's
// or a tenth of the sample rate, and is there to be reported. Numbers are SI and radians, whatever the file has.
#pragma once

#include <cstdint>
#include <deque>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "torsor/files/motion_columns.hpp"
#include "torsor/text/row_reader.hpp"
#include "torsor/numeric/streaming_spline.hpp"
#include "torsor/trajectory/motion.hpp"

namespace torsor {

struct MotionOptions {
  int derivatives = 2;           // how many of qd, qdd are needed
  std::optional<double> cutoff = {};  // [Hz], for deriving them; may be infinite
  bool derive = true;            // else a file without them is at fault
  bool degrees = false;          // angles whose columns name no unit are in degrees, their rates in degrees per second
};

/// How the rates of a motion came about.
struct Derivation {
  Derived what = Derived::nothing;
  double cutoff = 0, period = 0;  // [Hz], [s]; both 0 for one row
  bool even = true;               // the first samples are a period apart, to 1 %

  explicit operator bool() const { return what != Derived::nothing; }
};

class MotionReader {
 public:
  /// Reads the header and finds the columns; file is the name for faults. The stream must outlive the reader.
  MotionReader(std::istream& in, std::string file, const MotionNames& names, MotionOptions options = {});

  /// The next instant; rows with faults are put on record and skipped. False at the end: then faults() is complete.
  bool next(MotionRow& row);

  /// Puts a fault at the current line on record, found by someone who knows the robot.
  void fault(std::string offender, std::string rule, std::string what, std::string remedy) {
    rows_->fault(std::move(offender), std::move(rule), std::move(what), std::move(remedy));
  }

  bool ok() const { return rows_->ok(); }
  Faults faults() const { return rows_->faults(); }

  /// Whether the file has times; without, t of every row is 0.
  bool has_time() const { return columns_.t.has_value(); }
  const Derivation& derivation() const { return derivation_; }
  /// Whether angles of the file are in degrees, by its headings or by the options.
  bool in_degrees() const { return columns_.in_degrees; }
  /// Angles of q that are read as radians since their headings name no unit, and these headings.
  const std::vector<int>& unnamed() const { return columns_.unnamed; }
  std::string heading(int position) const {
    return rows_->header()[static_cast<std::size_t>(columns_.q[static_cast<std::size_t>(position)])];
  }
  /// Columns of the file that mean nothing to a motion.
  const std::vector<std::string>& ignored() const { return columns_.ignored; }
  /// Bytes read so far, for progress.
  std::int64_t bytes() const { return rows_->bytes(); }

 private:
  void check_rows(const MotionNames& names);
  bool read(MotionRow& row);
  void start_deriving(std::optional<double> cutoff);
  void push(const MotionRow& row);
  bool finite(const MotionRow& row);
  bool pop(MotionRow& row);
  bool next_derived(MotionRow& row);

  std::unique_ptr<RowReader> rows_;
  MotionColumns columns_;
  std::size_t nq_ = 0, nv_ = 0;
  std::vector<double> numbers_;
  double previous_ = 0, latest_ = 0;  // times: of the row before, and of the latest one that was given
  bool first_ = true, ended_ = false, overflow_ = false;
  Derivation derivation_;
  std::optional<StreamingSpline> spline_;
  std::optional<double> pushed_;  // time of the last sample given to it
  double step_ = 0;               // and how long it came after the one before
  MotionRow sample_;
  std::deque<MotionRow> waiting_;  // rows whose accelerations are yet to come from the spline
  std::vector<double> smooth_, jerk_;
};

}  // namespace torsor
