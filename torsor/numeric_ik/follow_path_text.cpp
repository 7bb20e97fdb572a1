// What became of following a path, in sentences.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/numeric_ik/follow_path.hpp"

namespace torsor {

std::vector<std::string> undetermined_rates(const FollowedPath& p) {
  std::vector<std::string> sentences;
  const auto say = [&](RatesFrom from, const char* what) {
    constexpr std::size_t most = 5;
    std::string times;
    std::size_t count = 0;
    for (const PathSample& s : p.samples)
      if (s.rates == from && ++count <= most) times += fmt::format("{}{:.6g}", count > 1 ? ", " : "", s.t);
    if (count > most) times += fmt::format(" and {} more", count - most);
    if (count > 0) sentences.push_back(fmt::format("the arm is singular at t = {} s: {}", times, what));
  };
  say(RatesFrom::neighbours, "there the rates are continued from the samples next to it");
  say(RatesFrom::least, "the tool does not determine the rates there; the least are given, torques may be others");
  return sentences;
}

std::string explanation(const FollowedPath& p, const Model<double>& model) {
  const auto name = [&] { return model.velocity_names[static_cast<std::size_t>(p.joint)]; };
  const auto limit = [&] {
    return fmt::format("joint \"{}\" would pass its limit {:.6g} by {:.3g}", name(), p.limit, std::abs(p.beyond));
  };
  const auto far = [&] {
    return p.short_by > 0 ? fmt::format("the pose is out of reach by {:.3g} m", p.short_by)
                          : fmt::format("the place is in reach, the orientation is not: {:.3g} rad remain", p.angle);
  };
  const auto until = [&](const std::string& why) {
    return fmt::format("followed to t = {:.6g} s; for t = {:.6g} s {}", p.stop_time, p.asked_time, why);
  };
  switch (p.stop) {
    case PathStop::none: return fmt::format("followed to the end, t = {:.6g} s", p.stop_time);
    case PathStop::no_start: return "no joint position for the first pose: " + (p.joint >= 0 ? limit() : far());
    case PathStop::out_of_reach: return until(far());
    case PathStop::joint_limit: return until(limit());
    case PathStop::branch_lost: break;
    case PathStop::jump:
      return fmt::format(
          "followed to t = {:.6g} s; before t = {:.6g} s joint \"{}\" moves by {:.4g}, where the speeds of both rows "
          "allow "
          "{:.3g} at most: a singular position is too near (smallest singular value {:.2g}); another branch may pass "
          "it, or shorter steps show it",
          p.stop_time, p.asked_time, name(), p.beyond, p.limit, p.smallest_singular_value);
    case PathStop::not_a_pose: return until("the path has no pose: numbers that are not finite, or axes of no frame");
    case PathStop::not_a_task: return "the weights leave nothing to follow";
  }
  if (!p.closed_form)
    return until(fmt::format("only another branch is left: the arm is singular (smallest singular value {:.2g})",
                             p.smallest_singular_value));
  constexpr std::string_view parts[] = {"the wrist point passes the shoulder axis",
                                        "the elbow passes stretched or folded", "the wrist passes stretched"};
  const auto least = std::min_element(p.factor.begin(), p.factor.end());
  return until(fmt::format("only another branch is left: {} (factor {:.2g})",
                           parts[static_cast<std::size_t>(least - p.factor.begin())], *least));
}

}  // namespace torsor
