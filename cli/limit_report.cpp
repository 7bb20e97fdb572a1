#include "cli/limit_report.hpp"

#include "torsor/dynamics/limit_result.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {

void LimitArguments::add_to(Options& options) {
  options.flag("--strict", strict,
               "exit code 1 where a limit of the robot is passed: position, speed, acceleration, jerk or torque; and where "
               "the rows of a motion or path jump");
}

void limit_fields(JsonWriter& json, const std::vector<PassedLimit>& passed) {
  write_json(json.key("limits_passed"), passed);
}

void jump_fields(JsonWriter& json, const RowJumps& jumps, const Model<double>& model) {
  if (!jumps) return;
  json.key("jumps")
      .begin_object()
      .field("count", jumps.count)
      .field("joint", model.velocity_names[static_cast<std::size_t>(jumps.first->coordinate)])
      .field("quantity", jumps.first->order == 0 ? "position" : "velocity")
      .field("first_time", jumps.first->from)
      .field("before", jumps.first->before)
      .field("after", jumps.first->after)
      .end_object();
}

Fault refusal(const RowJump& jump, const Model<double>& model, const std::string& file) {
  return {{file, 0},
          file.empty() ? model.name : "",
          "motion-jump",
          describe(jump, model),
          "round the corner, give rows closer together, or leave out qd and qdd so that they are derived"};
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

int finish_motion(const LimitArguments& arguments, const LimitWatch& watch, const RowJumps& jumps, InstantsBy by,
                  int code) {
  const bool refused = jumps && arguments.strict && code == exit_done;
  if (refused) complain({refusal(*jumps.first, watch.model())}, exit_impossible);
  else if (jumps) note(describe(jumps, watch.model()));
  const int limits = finish_limits(arguments, watch, by, code);
  return refused ? exit_impossible : limits;
}

}  // namespace torsor
