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

/// One fault for all joints, as that is one mistake; else one for each.
Faults opposite_signs(const Model<double>& model, const Identification& found) {
  Faults errors;
  const auto add = [&](std::string which, std::string what, const char* columns) {
    errors.push_back({{}, std::move(which), "identify-sign", what, fmt::format("change the sign of {}", columns)});
  };
  if (found.opposite.size() > 1 && found.opposite.size() == found.joints.size()) {
    add("the torques",
        "they have the other sign: as they are, every joint's own motion would take a negative inertia, and with "
        "their signs turned the record is one of bodies",
        "all their columns");
    return errors;
  }
  for (const int j : found.opposite)
    add(fmt::format("joint \"{}\"", model.velocity_names[j]),
        fmt::format("its torque has the other sign: as it is, its own motion would take an inertia of {:.3g}, and with "
                    "its sign turned the record is one of bodies",
                    found.joints[j].inertia),
        "its column");
  return errors;
}

}  // namespace

bool negative_inertia(const Identification& found, int j) {
  double largest = 0;
  for (const JointFit& joint : found.joints) largest = std::max(largest, joint.inertia);
  return found.joints[j].inertia < -surely * found.joints[j].inertia_deviation - rounding * largest;
}

Faults implausible(const Model<double>& model, const Identification& found) {
  if (!found.opposite.empty()) return opposite_signs(model, found);
  Faults errors;
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
    if (negative_inertia(found, static_cast<int>(j)))
      errors.push_back(
          {{},
           name,
           "identify-inertia",
           fmt::format("its own motion would take an inertia of {:.3g}, which no bodies have", joint.inertia),
           "look at the columns of its motion and torque: is one of them another joint's?"});
  }
  return errors;
}

}  // namespace torsor
