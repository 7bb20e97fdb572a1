// Whether a motion keeps the limits of the robot, and whether its rows belong together, as JSON and notes, and --strict.
// Shared by the verbs that go along a motion.
#pragma once

#include "cli/print.hpp"
#include "torsor/report/limit_tables.hpp"
#include "torsor/trajectory/motion_jump.hpp"

namespace torsor {

struct LimitArguments {
  bool strict = false;
  bool degrees = false;  // of the sentences; no option of its own

  void add_to(Options& options);
};

/// The limits that are passed, in the unit of angles.
inline std::vector<PassedLimit> reported_limits(const LimitWatch& watch, InstantsBy by, bool degrees) {
  return degrees ? in_degrees(watch.passed(by), watch.model()) : watch.passed(by);
}
/// The member limits_passed of an answer: a list, empty where all limits are kept.
void limit_fields(JsonWriter& json, const std::vector<PassedLimit>& passed);
inline void limit_fields(JsonWriter& json, const LimitWatch& watch, InstantsBy by, bool degrees = false) {
  limit_fields(json, reported_limits(watch, by, degrees));
}

/// The member jumps of an answer; none where rows belong together.
void jump_fields(JsonWriter& json, const RowJumps& jumps, const Model<double>& model);
/// What is wrong with rows that do not, of the file they are in or of a robot's motion.
Fault refusal(const RowJump& jump, const Model<double>& model, const std::string& file = "");

/// Sentences of passed limits as notes; under --strict as faults, unless there is another. The exit code: that of before, or
/// exit_impossible under --strict.
int finish_limits(const LimitArguments& arguments, const std::vector<std::string>& sentences, const std::string& robot,
                  int code);
inline int finish_limits(const LimitArguments& arguments, const LimitWatch& watch, InstantsBy by, int code) {
  return finish_limits(arguments, limit_sentences(watch, by, arguments.degrees), watch.model().name, code);
}
/// The same of jumps as well.
int finish_motion(const LimitArguments& arguments, const LimitWatch& watch, const RowJumps& jumps, InstantsBy by,
                  int code);

}  // namespace torsor
