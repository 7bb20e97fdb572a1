// What is said of the runs of a mechanism in all cases, whoever moves it: how they ended, what they passed on their way, which of its
// equations depend on one another.
#pragma once

#include "torsor/mechanism/mechanism_result.hpp"
#include "torsor/report/report.hpp"

namespace torsor {

struct RunStory {
  std::vector<Highlight> highlights;
  std::string answer;  // what was asked, in a sentence: the verdict where nothing is grave
  std::vector<Paragraph> sentences;
  std::string text;
  std::vector<std::string> warnings;

  void say(std::string sentence, Tone tone = Tone::plain);
  /// On the page, and on the error stream instead of the summary.
  void warn(const std::string& sentence);
};

/// The gravest sentence; where none is grave, what was asked and how far it came.
Paragraph verdict_of(const RunStory&);

RunStory story_of_driven(const DrivenRunReport&, const std::vector<double>& singular_times);

/// "1, 2, 3.5 and 4 times more": of instants, in seconds.
std::string list_of_times(const std::vector<double>& times, int digits = 6);

/// What reactions are given: none; those of the joints; those that go with torques which are not unique themselves, as is said elsewhere.
enum class ReactionsGiven { none, of_joints, with_torques };

/// `3 of 21 equations are redundant (rank 18): reactions of joint "crank hinge", ... are not unique, the least ones are given.`
std::string redundancy_sentence(const Redundancy&, ReactionsGiven);

/// Actuators whose given torque was cut to their limit between two times, and for how long.
std::vector<std::string> limit_sentences(const MechanismDescription&, double from, double to);

/// What is to be said of bodies that are free to turn about axes in which they have no inertia; empty: there are none.
std::string spin_sentence(const Mechanism&, const MechanismState& assembled, EquationSet);

}  // namespace torsor
