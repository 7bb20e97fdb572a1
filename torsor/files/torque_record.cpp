#include "torsor/files/torque_record.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/text/csv_reader.hpp"
#include "torsor/text/number.hpp"

namespace torsor {
namespace detail {

constexpr double vast = 1e100;  // the square of a torque, and sums of them, must be numbers

/// The columns of torques, row by row.
class TorqueColumns {
 public:
  TorqueColumns(const MotionNames& names, std::istream& in, const std::string& file) : csv_(in, file) {
    if (!csv_.ok()) return;
    const auto columns = resolve_motion_columns(csv_.header(), torque_names(names), {.derivatives = 0}, file);
    if (!columns) {
      unresolved_ = columns.faults();
      return;
    }
    columns_ = columns->q;
    units_ = columns->units;
    if (columns->t && !units_.empty()) units_.erase(units_.begin());
    csv_.select(columns_);
  }

  bool next(std::vector<double>& row) {
    row.resize(columns_.size());
    if (!unresolved_.empty() || !csv_.ok() || !csv_.next(row)) return false;
    for (std::size_t k = 0; k < units_.size(); ++k) row[k] = to_si(row[k], units_[k]);
    for (std::size_t k = 0; k < row.size(); ++k)
      if (std::abs(row[k]) > vast)
        csv_.fault("column \"" + csv_.header()[static_cast<std::size_t>(columns_[k])] + '"', "effort-range",
                   print_number(row[k]) + " is beyond the torques that can be compared",
                   "look for a number that was never written; keep the magnitude below " + print_number(vast));
    return true;
  }

  /// Every fault, the rest of the text included.
  Faults faults() {
    if (!unresolved_.empty()) return unresolved_;
    for (std::vector<double> row; next(row);) {
    }
    return csv_.faults();
  }

 private:
  CsvReader csv_;
  std::vector<int> columns_;
  std::vector<UnitSuffix> units_;
  Faults unresolved_;
};

}  // namespace detail

struct TorqueFile::Pass {
  Pass(const TorqueFile& f)
      : motion_text(f.open_()),
        torque_text(f.open_()),
        motion(f.model_, *motion_text, f.file_, {2, f.cutoff_, true, f.degrees_}),
        torques(f.names_, *torque_text, f.file_) {}

  std::unique_ptr<std::istream> motion_text, torque_text;
  MotionStream motion;
  detail::TorqueColumns torques;
  MotionRow row;
  TorqueSample sample;
};

TorqueFile::TorqueFile(const Model<double>& model, Open open, std::string file, std::optional<double> cutoff,
                       bool degrees)
    : model_(model), open_(std::move(open)), file_(std::move(file)), cutoff_(cutoff),
      degrees_(degrees), names_(motion_names(model, "tau")), pass_(std::make_unique<Pass>(*this)) {}

TorqueFile::~TorqueFile() = default;

void TorqueFile::rewind() { pass_ = std::make_unique<Pass>(*this); }

double TorqueFile::t() const { return pass_->row.t; }

const TorqueSample* TorqueFile::next() {
  Pass& p = *pass_;
  const bool moves = p.motion.next(p.row), driven = p.torques.next(p.sample.tau);
  if (moves && driven) {
    p.sample.q = p.row.q;
    p.sample.qd = p.row.qd;
    p.sample.qdd = p.row.qdd;
    return &p.sample;
  }
  // one of them stopped at a fault: the rest of the text is read for the others
  while (p.motion.next(p.row)) {
  }
  faults_ = p.motion.reader().faults();
  // a row that is broken for both is reported once
  for (const Fault& error : p.torques.faults())
    if (std::none_of(faults_.begin(), faults_.end(), [&](const Fault& e) { return to_string(e) == to_string(error); }))
      faults_.push_back(error);
  return nullptr;
}

RecordNotes TorqueFile::notes() const {
  const MotionReader& reader = pass_->motion.reader();
  RecordNotes notes{reader.has_time(), reader.derivation(), {}, pass_->motion.degree_suspicion()};
  for (const std::string& column : reader.ignored())
    if (known_motion_columns({&column, 1}, torque_names(names_)).empty()) notes.ignored.push_back(column);
  return notes;
}

}  // namespace torsor
