#include "torsor/trajectory/usual_motion.hpp"

#include <fmt/format.h>

#include "torsor/trajectory/pick_and_place.hpp"
#include "torsor/trajectory/published_motion.hpp"
#include "torsor/trajectory/range_sweep.hpp"

namespace torsor {

NamedMotion usual_motion(const Model<double>& model, std::string_view robot_name) {
  if ((robot_name == "puma560" || robot_name == "puma560_drives") && model.nv == 6)
    return {"the built-in pick and place", pick_and_place_puma560()};
  if (const PublishedMotion* published = published_motion(robot_name)) {
    PointToPoint motion = published->make();
    if (motion.size() == static_cast<std::size_t>(model.nv))
      return {fmt::format("the motion of {}", published->source), std::move(motion)};
  }
  ViaPointMotion sweep = range_sweep(model);
  std::string name = fmt::format("a sweep through half of every joint's range and back, {:.3g} s", sweep.duration());
  return {std::move(name), std::move(sweep)};
}

}  // namespace torsor
