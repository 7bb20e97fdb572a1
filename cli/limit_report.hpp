// Whether a motion keeps the limits of the robot, as sentences, a table, plot lines and JSON, and --strict. Shared by the verbs
// that go along a motion.
#pragma once

#include "cli/print.hpp"
#include "torsor/dynamics/limit_watch.hpp"

namespace torsor {

struct LimitArguments {
  bool strict = false;
  bool degrees = false;  // of the sentences; no option of its own

  void add_to(Options& options);
};

/// A sentence for every limit that is passed, the worst of a kind first.
std::vector<std::string> limit_sentences(std::span<const PassedLimit> passed, const Model<double>& model, InstantsBy by,
                                         bool degrees = false);
inline std::vector<std::string> limit_sentences(const LimitWatch& watch, InstantsBy by, bool degrees = false) {
  return limit_sentences(watch.passed(), watch.model(), by, degrees);
}

/// The member limits_passed of an answer: a list, empty where all limits are kept.
void limit_fields(JsonWriter& json, const std::vector<PassedLimit>& passed);
inline void limit_fields(JsonWriter& json, const LimitWatch& watch, InstantsBy by, bool degrees = false) {
  limit_fields(json, degrees ? in_degrees(watch.passed(by), watch.model()) : watch.passed(by));
}

/// Positions and speeds beside their limits; no table where the robot has none.
std::vector<TextTable> limit_tables(const LimitWatch& watch, std::span<const double> peak_speeds,
                                    const PrintArguments& print);

/// The lines of a plot of a coordinate: of its positions, speeds or torques.
std::vector<PlotLine> limit_lines(const Limits& limits, LimitKind kind);

/// Sentences of passed limits as notes; under --strict as faults, unless there is another. The exit code: that of before, or
/// exit_impossible under --strict.
int finish_limits(const LimitArguments& arguments, const std::vector<std::string>& sentences, const std::string& robot,
                  int code);
inline int finish_limits(const LimitArguments& arguments, const LimitWatch& watch, InstantsBy by, int code) {
  return finish_limits(arguments, limit_sentences(watch, by, arguments.degrees), watch.model().name, code);
}

}  // namespace torsor
