// A CSV or NPY motion in, one row of results for each of its rows out: as CSV, NPY, or the member "rows" of a JSON
// answer. In memory that does not grow with the file, with a progress bar, and with what was computed before a fault kept. Shared
// by fk, id and fd.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/row_output.hpp"
#include "cli/state_arguments.hpp"
#include "torsor/trajectory/row_watch.hpp"
#include "torsor/text/json.hpp"
#include "torsor/files/motion_stream.hpp"

namespace torsor {

struct MotionArguments {
  std::optional<std::string> input, output, cutoff;
  bool go_on = false;
  bool degrees = false;  // of the file where its columns name no unit, and of the rows that are written

  /// option: `--motion`, `--states`; columns: what the file holds.
  void add_to(Options& options, const std::string& option, const std::string& columns, bool with_cutoff,
              bool with_output = true);
};

/// --threads, for verbs that compute the rows of a file in blocks.
void add_threads_to(Options& options, std::optional<long long>& threads);

/// The value of --cutoff [Hz]: a frequency, infinite for "none", nothing where it is not given.
Result<std::optional<double>> read_cutoff(const std::optional<std::string>& text);

/// Puts on record a bad --cutoff and what does not go together: a file and a state, one stream for robot and motion.
void check_motion_mode(const MotionArguments& files, const StateArguments& state, const std::string& robot,
                       const std::string& option, Faults& errors);

struct MotionOutcome {
  int exit_code = 0;
  long long rows = 0;
  bool has_time = false;
  Derivation derived = {};
  RowJumps jumps = {};                // of rows that do not belong together
  std::vector<Chatter> chatter = {};  // of derived speeds
};

/// What becomes of rows between which positions or velocities jump: rows may be states of their own; the caller tells; a note;
/// or the end.
enum class Jumps { ignored, counted, noted, refused };

struct MotionJob {
  const Model<double>& model;
  const MotionArguments& files;
  bool json = false;
  MotionContent content = MotionContent::accelerations;
  int derivatives = 2;
  std::vector<std::string> header;  // without the time
  ColumnRange answer = {};          // of it: what an NPY file has
  bool quiet = false;               // standard output is for something else
  bool discard = false;             // the rows are computed and not written
  Jumps jumps = Jumps::ignored;     // of a file with times, qd and qdd
  bool friction = false;            // dry friction takes the sign of the speeds
  /// Told what the file is before its first row.
  std::function<void(const MotionOutcome&)> start = {};
  /// Given, the rows are read in blocks, and this sees each block before the first of its rows is computed.
  std::function<void(std::span<const MotionRow> rows)> prepare = {};
  /// Appends the results of a row, in the order of the header; an error ends the job: the mathematics says no.
  std::function<std::optional<Fault>(const MotionRow& row, std::vector<double>& results)> compute = {};
  /// Further members of the JSON answer.
  std::function<void(JsonWriter& json)> summary = {};
};

/// Runs the job; faults and notes are on standard error when it returns.
MotionOutcome run(const MotionJob& job);

/// `qd and qdd from a quintic smoothing spline ...` for those who read the results.
std::string derivation_sentence(const Derivation& derived);

/// `q.waist`, `q.shoulder`, ... appended to a header.
void add_names(std::vector<std::string>& header, const std::string& prefix, const std::vector<std::string>& names);

}  // namespace torsor
