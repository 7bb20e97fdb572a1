// The option --motion of verbs that look at a robot along a motion of its joints: a CSV table, a motion file, the name of a
// published motion, or without it a built-in one.
#pragma once

#include "cli/robot_argument.hpp"
#include "torsor/structure/course.hpp"

namespace torsor {

struct CourseArgument {
  std::optional<std::string> motion;
  bool degrees = false;  // of a CSV file, where its columns name no unit

  /// note: what is done without the option. own_degrees: --degrees is declared here.
  void add_to(Options& options, const std::string& note, bool own_degrees = true);
};

struct NamedCourse {
  std::string name;  // for those who read the results
  Course course;
};

/// The course, or every fault of its file. Built in are pick and place for a PUMA 560, the motion that was published for a
/// robot of this name, and else a sweep through half of every joint's range.
Result<NamedCourse> read_course(const Robot&, const std::string& robot_name, const CourseArgument&);

}  // namespace torsor
