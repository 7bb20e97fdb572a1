#include "torsor/loops/closing_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace torsor {

ClosingAdvice closing_advice(std::string_view file) {
  const auto ends_with = [&](std::initializer_list<std::string_view> endings) {
    return std::ranges::any_of(endings, [&](std::string_view ending) { return file.ends_with(ending); });
  };
  const bool mjcf = ends_with({".xml", ".mjcf"}), sdf = ends_with({".sdf", ".world"}), toml = ends_with({".toml"});
  const auto with_mechanism = [&](std::string_view advice) {
    return fmt::format("{}, or take the file as a mechanism", advice);
  };
  if (mjcf)
    return {
        with_mechanism("check what it holds together (body1, body2, anchor, or sites); its joints start where the file "
                       "draws the bodies: put these near where it closes (pos and quat of the bodies)"),
        with_mechanism("give pos, quat and anchor more digits"),
        with_mechanism("turn one of its bodies or sites by half a turn"),
        with_mechanism("draw its bodies (pos, quat) away from flat and stretched positions"),
        with_mechanism("make it of hinges, as many as move"),
        "let the motors of the tendon drive other joints of the loop, or leave out the tendon"};
  if (sdf)
    return {with_mechanism("check the joint that closes it; the others start where the file draws the links: put these "
                           "near where it closes (<pose>)"),
            with_mechanism("give the poses more digits"),
            with_mechanism("turn the axis of the joint that closes it the other way"),
            with_mechanism("draw its links (<pose>) away from flat and stretched positions"),
            with_mechanism("make it of revolute joints, as many as move"), "leave out the transmission"};
  const std::string_view elsewhere =
      toml || file.empty() ? "" : " (of a file without start: draw its bodies there)";
  return {
      fmt::format("check the frames of the loop; give start = ... to its joints, near where it closes{}", elsewhere),
      "give its frames and those of its joints more digits",
      fmt::format("turn one of its frames by half a turn, or give start = ... to its joints{}", elsewhere),
      fmt::format("give start = ... to its joints, away from flat and stretched positions{}", elsewhere),
      "make it of revolute joints, as many as move; or leave the rod out and close by a distance",
      "name it among the actuated joints of the loop, or leave out the transmission"};
}

}  // namespace torsor
