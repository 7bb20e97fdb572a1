#include "torsor/trajectory/usual_motion.hpp"

#include <fmt/format.h>

#include "torsor/trajectory/known_motion.hpp"
#include "torsor/trajectory/range_sweep.hpp"

namespace torsor {

NamedMotion usual_motion(const Model<double>& model, std::string_view robot_name) {
  if (auto known = known_motion(model, robot_name)) return *std::move(known);
  ViaPointMotion sweep = range_sweep(model);
  std::string name = fmt::format("a sweep through half of every joint's range and back, {:.3g} s", sweep.duration());
  return {std::move(name), std::move(sweep)};
}

}  // namespace torsor
