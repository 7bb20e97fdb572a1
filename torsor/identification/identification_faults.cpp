#include <fmt/format.h>

#include <algorithm>

#include "torsor/identification/identification.hpp"

namespace torsor {
namespace {

constexpr double unexplained = 0.8;  // of the effort's rms, and more: what is left of a joint that is not understood
constexpr double poor = 0.2;         // likewise: what is left where another's torque may be in the column
constexpr double like = 0.5;  // of an torque: what the file leaves at most of one that it takes for a joint's own
constexpr double surely = 3;         // deviations
constexpr double rounding = 1e-9;    // of the largest inertia

}  // namespace

Faults implausible(const Model<double>& model, const Identification& found) {
  Faults errors;
  double largest = 0;
  for (const JointFit& joint : found.joints) largest = std::max(largest, joint.inertia);
  for (std::size_t j = 0; j < found.joints.size(); ++j) {
    const JointFit& joint = found.joints[j];
    const std::string name = fmt::format("joint \"{}\"", model.velocity_names[j]);
    if (joint.rows > 0 && joint.size > 0 && joint.left() >= unexplained)
      errors.push_back(
          {{},
           name,
           "identify-fit",
           fmt::format("{:.0f} % of its torque are left{}: next to nothing of it is explained", 100 * joint.left(),
                       joint.held_size > 0 ? " in what was held out" : ""),
           "look at the column of its torque: its sign, its place among the others, its delay, its noise"});
    const bool is_poor = joint.rows > 0 && joint.size > 0 && joint.left() >= poor;
    if (is_poor && joint.like >= 0 && joint.like_left < like && joint.like_left < like * joint.own_left)
      errors.push_back(
          {{},
           name,
           "identify-column",
           fmt::format("{:.0f} % of its torque are left, and by the robot file its torque is in the column of \"{}\"",
                       100 * joint.left(), model.velocity_names[joint.like]),
           "look whether the two columns were exchanged"});
    if (joint.inertia < -surely * joint.inertia_deviation - rounding * largest)
      errors.push_back(
          {{},
           name,
           "identify-inertia",
           fmt::format("its own motion would take an inertia of {:.3g}, which no bodies have", joint.inertia),
           "look at the columns of its motion and torque: is one of them another joint's, or of the other sign?"});
  }
  return errors;
}

}  // namespace torsor
