#include "torsor/check/conversion_certificate.hpp"

#include <algorithm>

namespace torsor {

ConversionCertificate certify_conversion(const Robot& meant, const Robot& read_back, const Explained* explained) {
  constexpr double rounding = 1e-12;
  double length = 1;
  for (const MovingBody& body : moving_bodies(meant).bodies) length = std::max(length, norm(body.X_parent.p));
  const RobotDifference d = robot_difference(meant, read_back, {.tools_by_name = false});
  ConversionCertificate c;
  c.position = d.pose.position;
  c.angle = d.pose.angle;
  c.torque = d.torque.relative;
  c.states = d.states;
  c.bound = {rounding * length, rounding, rounding};
  if (explained)
    c.bound = {std::max(c.bound.position, explained->position), std::max(c.bound.angle, explained->angle),
               std::max(c.bound.torque, explained->torque)};
  c.same_tree = true;
  for (const DifferenceRow& row : d.differences) {
    const bool structure = row.topic == "structure", body = row.topic == "geometry" || row.topic == "mass";
    c.same_tree = c.same_tree && !structure;
    // what was assumed moves axes and bodies: poses and torques say whether by too much
    if (body && explained) continue;
    (structure || body ? c.wrong : c.lost).push_back(row.sentence);
  }
  c.holds = c.same_tree && c.wrong.empty() && c.position <= c.bound.position && c.angle <= c.bound.angle &&
            c.torque <= c.bound.torque;
  return c;
}

}  // namespace torsor
