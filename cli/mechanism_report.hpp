// The rows of a mechanism's motion as they go by, and the page made of them. Shared by kinematics, inverse and simulate.
#pragma once

#include <functional>

#include "cli/mechanism_argument.hpp"
#include "cli/row_output.hpp"
#include "torsor/report/mechanism_runs.hpp"

namespace torsor {

class MechanismRows {
 public:
  /// groups: all columns after the time, in their order.
  MechanismRows(const Mechanism&, const MechanismRunArguments&, const std::vector<MechanismColumns>& groups,
                const std::string& what);

  const Faults& faults() const { return output_.faults(); }

  /// Takes the rows of a run; false when writing has failed.
  MechanismRowSink sink();

  /// Ends the rows; writes the page and, with --json, the answer, `summary` adding to it; notes the warnings. finished: the run
  /// came to its end. The verb's exit code so far.
  int finish(bool finished, const RunStory&, const std::function<void(JsonWriter&)>& summary);

 private:
  const Mechanism& mechanism_;
  const MechanismRunArguments& arguments_;
  std::string what_;
  RowOutput output_;
  std::optional<MechanismPage> page_;
  long long rows_ = 0;
  bool written_ = true;
  std::vector<double> row_;
};

/// The verb's exit code at the end of a run that may have stopped: complains if it did.
inline int end_of_run(int code, const MechanismRunEnd& run, const Mechanism& m) {
  if (code != exit_done || run.stop == RunStop::none) return code;
  const RunStopRow& row = run_stop(run.stop);
  return complain({{{},
                    run.stopped_by.empty() ? m.description.name : run.stopped_by,
                    std::string(row.rule),
                    "at " + format_number(run.t, 8) + " s " + run.why,
                    std::string(row.remedy)}},
                  exit_impossible);
}

}  // namespace torsor
