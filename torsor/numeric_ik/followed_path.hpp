// The joints along a path of the tool as follow_path.hpp finds them: an entry per sample, and where and why it ended.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

enum class PathStop {
  none,          // followed to the end
  no_start,      // no joint position for the first pose
  out_of_reach,  // the path leaves the workspace
  joint_limit,   // a joint would pass its limit
  branch_lost,   // the pose ahead is reached only from another branch: a singular position lies between
  jump,          // a joint turns farther between two samples than their speeds tell: a singular position is near
  not_a_pose,
  not_a_task
};

constexpr std::string_view stop_name(PathStop stop) {
  constexpr std::string_view names[] = {"none",        "no start",   "out of reach", "joint limit",
                                        "branch lost", "jump",       "not a pose",   "not a task"};
  return names[static_cast<std::size_t>(stop)];
}

/// Where the rates of a sample are from.
enum class RatesFrom {
  tool,        // the motion of the tool determines them
  neighbours,  // they go on as before and behind, and the tool moves as asked
  least        // singular: the least accelerations that come near, and nearer than 1e-7 the least speeds, too; the
               // residuals tell how near; others may do as well
};

/// One instant that was reached. q, qd, qdd: of the whole model, nq, nv, nv.
struct PathSample {
  double t = 0;
  std::vector<double> q, qd, qdd;
  RatesFrom rates = RatesFrom::tool;
  IkStatus status = IkStatus::ok;                           // ok, near_singular or singular
  double smallest_singular_value = 0;                       // of the task's J, see GeneralAnswer
  BranchLabel label;                                        // with a closed form: its branch there
  std::array<double, 3> factor{1, 1, 1};                    // likewise
  double position_residual = 0, angle_residual = 0;         // m, rad
  double velocity_residual = 0, acceleration_residual = 0;  // see RateAnswer
  int steps = 0;                                            // taken since the sample before
};

/// What was followed, and where it ended.
struct FollowedPath {
  std::vector<PathSample> samples;
  PathStop stop = PathStop::none;
  double stop_time = 0;                   // s, the instant to which it could be followed
  double asked_time = 0;                  // s, the sample it was on its way to
  int joint = -1;                         // joint_limit, jump: velocity coordinate
  double limit = 0, beyond = 0;           // joint_limit: the limit, and by how much asked_time wants it passed;
                                          // jump: what the speeds tell at most, and by how much the joint turns
  double short_by = 0;                    // out_of_reach: m at asked_time; zero when only the orientation is
  double angle = 0;                       // out_of_reach: rad that remain
  double smallest_singular_value = 0;     // where it ended; jump: the least on the way from stop_time to asked_time
  std::array<double, 3> factor{1, 1, 1};  // with a closed form, by IkPart
  bool closed_form = false;

  bool finished() const { return stop == PathStop::none; }
};

/// Which rates the tool did not determine, and where they are from, as sentences with times; none: all were determined.
std::vector<std::string> undetermined_rates(const FollowedPath&);

/// Why it ended, as a sentence with names and numbers.
std::string explanation(const FollowedPath&, const Model<double>&);

}  // namespace torsor
