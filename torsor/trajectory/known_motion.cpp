#include "torsor/trajectory/known_motion.hpp"

#include <fmt/format.h>

#include "torsor/trajectory/pick_and_place.hpp"
#include "torsor/trajectory/published_motion.hpp"

namespace torsor {

std::optional<NamedMotion> known_motion(const Model<double>& model, std::string_view robot_name) {
  if ((robot_name == "puma560" || robot_name == "puma560_drives") && model.nv == 6)
    return NamedMotion{"the built-in pick and place", pick_and_place_puma560()};
  if (const PublishedMotion* published = published_motion(robot_name)) {
    PointToPoint motion = published->make();
    if (motion.size() == static_cast<std::size_t>(model.nv))
      return NamedMotion{fmt::format("the motion of {}", published->source), std::move(motion)};
  }
  return std::nullopt;
}

}  // namespace torsor
