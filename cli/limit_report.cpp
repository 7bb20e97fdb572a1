#include "cli/limit_report.hpp"

#include "torsor/dynamics/limit_result.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {

void LimitArguments::add_to(Options& options) {
  options.flag("--strict", strict,
               "exit code 1 where a limit of the robot is passed: position, speed, acceleration, jerk or torque");
}

void limit_fields(JsonWriter& json, const std::vector<PassedLimit>& passed) {
  write_json(json.key("limits_passed"), passed);
}

int finish_limits(const LimitArguments& arguments, const std::vector<std::string>& sentences, const std::string& robot,
                  int code) {
  if (!arguments.strict || code != exit_done) {
    for (const std::string& sentence : sentences) note(sentence);
    return code;
  }
  Faults errors;
  for (const std::string& sentence : sentences)
    errors.push_back({{}, robot, "limit-passed", sentence, "slow the motion down, or take another"});
  return errors.empty() ? code : complain(errors, exit_impossible);
}

}  // namespace torsor
