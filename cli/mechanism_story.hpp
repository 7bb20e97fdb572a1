// What is told of the runs of a mechanism in all cases, whoever moves it: how they ended, what they passed on their way.
#pragma once

#include <string>
#include <vector>

#include "cli/mechanism_argument.hpp"
#include "torsor/report/report.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/singular_watch.hpp"

namespace torsor {

struct RunStory {
  std::vector<Highlight> highlights;
  std::vector<Paragraph> sentences;
  std::string text;

  void say(std::string sentence, Tone tone = Tone::plain);
  /// On the page, and on the error stream instead of the summary.
  void warn(const std::string& sentence);
};

RunStory story_of_driven(const DrivenRunReport&, const SingularWatch&);
void end_fields(JsonWriter&, const DrivenRunReport&, const SingularWatch&, const Mechanism&);

/// "jumps": [{"of": ..., "what": "velocity", "t": ..., "by": ..., "count": ...}].
void jump_fields(JsonWriter&, const std::vector<DriverJump>&);

/// "1, 2, 3.5 and 4 times more": of instants, in seconds.
std::string list_of_times(const std::vector<double>& times, int digits = 6);

/// The verb's exit code at the end of a run that may have stopped: complains if it did.
int end_of_run(int code, RunStop stop, double t, int block, const std::string& why, const Mechanism&);

}  // namespace torsor
