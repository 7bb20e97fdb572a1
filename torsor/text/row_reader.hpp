// Rows of numbers under named columns, whatever file they stand in: what a motion is read from. A bad row is put on
// record and skipped, so that one run finds every fault.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "torsor/text/fault_log.hpp"

namespace torsor {

class RowReader {
 public:
  virtual ~RowReader() = default;

  /// Column names in the order of the file; empty when the file has faults before its first row.
  virtual const std::vector<std::string>& header() const = 0;
  /// From now on row holds only these columns (indices into header()), in this order.
  virtual void select(std::span<const int> columns) = 0;
  /// The next row without faults, as many numbers as columns are selected (at first: all); false at the end.
  virtual bool next(std::span<double> row) = 0;
  /// Bytes read so far, for progress.
  virtual std::int64_t bytes() const = 0;
  /// Puts a fault at the current row on record, found by someone who knows what the numbers mean.
  virtual void fault(std::string offender, std::string rule, std::string what, std::string remedy) = 0;
  /// Puts a fault elsewhere, or nowhere in particular, on record.
  void fault(Where where, std::string offender, std::string rule, std::string what, std::string remedy) {
    faults_.add({std::move(where), std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  }

  bool ok() const { return faults_.empty(); }
  /// Every fault so far, once where many rows have it; beyond a hundred kinds they are counted, not listed.
  Faults faults() const { return faults_.faults(); }
  const FaultLog& fault_log() const { return faults_; }
  std::int64_t fault_count() const { return faults_.count(); }
  const std::string& file() const { return file_; }

 protected:
  explicit RowReader(std::string file) : file_(std::move(file)) {}
  Where whole_file() const { return {file_, 0}; }

  FaultLog faults_{FaultLog::Repeats::once};

 private:
  std::string file_;
};

}  // namespace torsor
