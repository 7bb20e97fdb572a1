// Rows of numbers as a result: to a CSV file, to an NPY file where its name ends so, or as the member "rows" of a JSON
// answer on standard output. Shared by the verbs that go along a motion.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/files.hpp"
#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "torsor/model/model.hpp"
#include "torsor/text/csv_writer.hpp"
#include "torsor/text/json.hpp"
#include "torsor/text/npy_writer.hpp"

namespace torsor {

/// Columns of a row, one beside the other; a count of 0 stands for all of them.
struct ColumnRange {
  std::size_t first = 0, count = 0;
};

/// A clock that costs nothing beside a row [s].
double coarse_seconds();

class RowOutput {
 public:
  /// path: of the CSV or NPY file, CSV on standard output if none. begin: writes the first members of a JSON answer, which is opened
  /// here when it takes the rows, and closed by the caller. discard: the rows go nowhere.
  /// degrees_of: the columns q.NAME, qd.NAME, qdd.NAME of its angles, and angles of frames, are in degrees, as their names
  /// then say (q.NAME_deg, qd.NAME_deg_s, qdd.NAME_deg_s2).
  /// npy: the columns that an NPY file has. go_on: with the rows that a stopped run has left; they must come again.
  RowOutput(const std::optional<std::string>& path, bool json, const std::vector<std::string>& header, bool discard,
            std::function<void(JsonWriter&)> begin, ColumnRange npy = {}, bool go_on = false,
            const Model<double>* degrees_of = nullptr);
  /// A run that was left before its end has not ended well.
  ~RowOutput();

  /// The beginning of the JSON answer, where the rows went elsewhere.
  void begin_json();

  /// Faults of opening the file.
  const Faults& faults() const { return file_.faults(); }
  /// One row; false once it cannot be written, or has a number that is not finite: then it is not written. A zero has no
  /// sign. Rows are in the file half a second later at most.
  /// Where gaps are no faults, nan stands for no value: nan in a file, null in JSON.
  bool row(std::span<const double> numbers, Gaps = Gaps::faults);
  /// Puts the rows into the file now, for one who will wait for more of them; false if they cannot be written.
  bool flush();

  /// Writes what is held back; false if it cannot be written, or a row was not finite. complete: the run came to its end.
  /// If it did not, the file is left as it was, and how many rows are in FILE.partial is reported; so it is where a signal
  /// ends the run.
  bool finish_rows(bool complete);
  /// Where the rows are by now: FILE, FILE.partial or -; empty where none was kept.
  std::string place() const { return file_.is_standard() ? "-" : file_.place(); }
  /// The same behind a count of rows: ` -> FILE`, or nothing.
  std::string arrow() const;
  /// The same as the member "output" of the JSON answer, null where there is no file; none if the user named none.
  void place_field(const std::optional<std::string>& named);
  /// The JSON answer behind the rows: opened where it did not take them, with its output and page.
  JsonWriter& begin_summary(const std::optional<std::string>& output, const std::optional<std::string>& page = {});
  /// Tells why rows are not written: the exit code.
  int complain_unwritten() const;
  std::size_t width() const { return header_.size(); }
  bool is_standard() const { return file_.is_standard(); }
  JsonWriter& json() { return json_; }

 private:
  bool finish(bool complete);
  std::int64_t kept_rows() const;
  void report_kept() const;
  std::unique_lock<Interruption::Turn> guard() const {
    return interruption_ ? Interruption::lock() : std::unique_lock<Interruption::Turn>();
  }

  std::vector<std::string> header_;
  std::vector<std::size_t> in_degrees_;  // columns
  ColumnRange npy_columns_;
  OutputFile file_;
  std::optional<CsvWriter> csv_;
  std::optional<NpyWriter> npy_;
  JsonWriter json_;
  bool discard_;
  std::function<void(JsonWriter&)> begin_;
  std::vector<double> clean_;
  std::optional<Fault> not_finite_;
  long long rows_ = 0;
  bool finished_ = false;
  double written_at_;  // s
  std::optional<Interruption> interruption_;
};

/// --continue, for verbs that write rows to a file.
void add_continue_to(Options& options, bool& go_on);

/// The fault of the first number that is not finite, if there is one; as many names as numbers.
std::optional<Fault> first_not_finite(std::span<const double> numbers, const std::vector<std::string>& header);

}  // namespace torsor
