// A motion with the efforts that some tool gave for it, from one CSV file: the columns of a motion (motion_columns.hpp; qd
// and qdd are derived where both are missing) and tau1.. or tau.NAME. All of it is held in memory, for comparisons.
#pragma once

#include <istream>

#include "torsor/dynamics/other_tool.hpp"
#include "torsor/io/motion_stream.hpp"

namespace torsor {

struct EffortRecord {
  std::vector<EffortSample> samples;
  std::vector<double> t;          // of each sample, where there are times
  bool derived = false;           // qd and qdd
  double cutoff = 0, period = 0;  // [Hz], [s], where derived
  bool even = true;               // the samples are a period apart
  std::vector<std::string> ignored;
};

/// The record, with at least one sample, or every fault of the file; file is the name for faults. cutoff [Hz] is that of
/// the smoothing spline for missing rates.
Result<EffortRecord> read_effort_record(const Model<double>&, std::istream&, const std::string& file,
                                        std::optional<double> cutoff = {});

}  // namespace torsor
