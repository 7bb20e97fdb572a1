// Transmissions of a URDF, in the forms of ros_control and ros2_control: a reduction n = motor speed / joint speed. The
// differential couples two joints and two motors,
//
//   qd_1 = (w_1 / a_1 + w_2 / a_2) / (2 n_1),    qd_2 = (w_1 / a_1 - w_2 / a_2) / (2 n_2),
//
// a the reductions of the motors, n those of the joints. The inertia of a rotor stands where Drake looks for it, beside a gear
// of its own, which must be the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/files/urdf_blocks.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

// one joint or one motor of a transmission
struct Side {
  std::string name, role;
  double reduction = 1, rotor = 0;
  std::optional<double> drake_gear;  // that of the rotor, as Drake has it
};

void read_reduction(UrdfElement& element, double& reduction) {
  for (const char* key : {"mechanicalReduction", "mechanical_reduction"})
    element.child(key, [&](UrdfElement& e) {
      const auto value = e.content_number();
      if (value == 0) e.fault("", "rotor-gear", "the reduction is 0", "give motor speed / joint speed, not zero");
      if (value && *value != 0) reduction *= *value;
    });
}

Side read_side(UrdfElement& element) {
  Side side;
  side.name = element.name("name", "transmission-joint");
  side.role = element.text("role").value_or("");
  element.child("role", [&](UrdfElement& role) { side.role = role.content(); });
  read_reduction(element, side.reduction);
  element.child("drake:rotor_inertia", [&](UrdfElement& e) {
    if (!e.has("value")) e.missing_attribute("value", "give the inertia of the rotor in kg m^2");
    side.rotor = e.number("value").value_or(0);
  });
  element.child("drake:gear_ratio", [&](UrdfElement& e) {
    if (!e.has("value")) e.missing_attribute("value", "give motor speed / joint speed");
    side.drake_gear = e.number("value");
    if (side.drake_gear == 0) {
      e.fault("value", "rotor-gear", "the gear is 0", "give motor speed / joint speed, not zero");
      side.drake_gear.reset();
    }
  });
  for (const char* key : {"hardwareInterface", "offset", "command_interface", "state_interface"}) element.leave(key);
  return side;
}

/// The gear of a motor with all reductions given. Drake's own must be that: the rotor counts with the square of its gear, the
/// torque of the motor with the gear, and one number for each would be two robots.
double gear_of(UrdfElement& transmission, double reduction, const Side& motor) {
  constexpr double same = 1e-9, none = 1;
  if (!motor.drake_gear) {
    if (motor.rotor != 0 && std::abs(reduction) != none)
      transmission.note("rotor-gear",
                        fmt::format("drake:rotor_inertia stands without drake:gear_ratio: it is taken behind the "
                                    "mechanicalReduction of {:.9g}, and Drake takes a gear of 1",
                                    reduction),
                        fmt::format("say it for both: <drake:gear_ratio value=\"{:.9g}\"/>", reduction));
    return reduction;
  }
  const double drake = *motor.drake_gear;
  // a reduction of 1 is what stands there where nobody thought of one
  if (std::abs(reduction) == none) return reduction * drake;
  if (std::abs(std::abs(reduction) - std::abs(drake)) > same * std::abs(drake))
    transmission.fault("", "rotor-gear",
                       fmt::format("mechanicalReduction is {:.9g} and drake:gear_ratio {:.9g}: with the inertia of the "
                                   "rotor they make two robots",
                                   reduction, drake),
                       "give both the same number, motor speed / joint speed, or leave one of them out");
  return reduction;
}

// joint1 before joint2, whatever their order in the file
std::vector<Side> read_sides(UrdfElement& transmission, std::string_view key) {
  std::vector<Side> sides;
  transmission.children(key, [&](UrdfElement& element) { sides.push_back(read_side(element)); });
  std::ranges::stable_sort(sides, {}, &Side::role);
  return sides;
}

LinkDescription* joint_named(UrdfElement& transmission, const std::string& name, const JointIndex& index,
                             Description& robot) {
  if (const auto found = index.find(name); found != index.end()) return &robot.links[found->second];
  std::vector<std::string_view> names;
  if (robot.links.size() < 1000)
    for (const LinkDescription& link : robot.links) names.push_back(link.joint_name);
  transmission.note("transmission-unused", fmt::format("there is no joint \"{}\" to drive: not read", excerpt(name)),
                    did_you_mean(name, names));
  return nullptr;
}

void add_gear(UrdfElement& element, const Rotor& rotor, JointGears& gears, LinkDescription& link) {
  const auto [first, fresh] = gears.emplace(link.joint_name, rotor);
  if (!fresh && (first->second.gear != rotor.gear || first->second.inertia != rotor.inertia))
    return element.fault("", "transmission-twice",
                         fmt::format("joint \"{}\" has another transmission in line {}, with other numbers",
                                     link.joint_name, first->second.where.line),
                         "drive each joint once");
  if (!fresh) return element.note("transmission-twice", "a joint has a second transmission, with the same numbers");
  // a reduction of one is no gear
  if (rotor.gear == 1 && rotor.inertia == 0) return;
  const double armature = link.rotor ? link.rotor->inertia : 0;  // at the joint
  link.rotor = rotor;
  link.rotor->inertia += armature / (rotor.gear * rotor.gear);
}

}  // namespace

void read_urdf_transmission(UrdfElement& element, const JointIndex& index, JointGears& gears, Description& robot) {
  if (const auto name = element.text("name")) element.rename(fmt::format("transmission \"{}\"", excerpt(*name)));
  std::string type = element.text("type").value_or("");
  for (const char* key : {"type", "plugin"}) element.child(key, [&](UrdfElement& e) { type = e.content(); });
  if (const std::size_t slash = type.rfind('/'); slash != std::string::npos) type.erase(0, slash + 1);
  const bool simple = type == "SimpleTransmission", differential = type == "DifferentialTransmission";
  if (!simple && !differential) {
    element.leave_rest();
    return element.note("transmission-unused", fmt::format("a transmission of type \"{}\" is not read", excerpt(type)),
                        "its joints are taken as driven directly");
  }
  double reduction = 1;
  read_reduction(element, reduction);
  const std::vector<Side> joints = read_sides(element, "joint"), motors = read_sides(element, "actuator");
  const std::size_t size = simple ? 1 : 2;
  if (joints.size() != size || motors.size() != size)
    return element.fault("", "transmission-size",
                         fmt::format("it has {} joints and {} actuators", joints.size(), motors.size()),
                         fmt::format("a {} has {} of each", type, size));
  std::vector<LinkDescription*> driven;
  for (const Side& joint : joints) {
    LinkDescription* link = joint.name.empty() ? nullptr : joint_named(element, joint.name, index, robot);
    if (!link) return;
    if (row(link->kind).nv != 1 || link->mimic)
      return element.note("transmission-unused",
                          "a transmission drives a joint that is fixed or follows another: not read");
    driven.push_back(link);
  }

  if (simple) {
    const double gear = gear_of(element, reduction * joints[0].reduction * motors[0].reduction, motors[0]);
    return add_gear(element, {.inertia = motors[0].rotor, .gear = gear, .where = element.where()}, gears, *driven[0]);
  }
  TransmissionDescription t;
  t.where = element.where();
  const double a[] = {gear_of(element, motors[0].reduction, motors[0]),
                      gear_of(element, motors[1].reduction, motors[1])};
  for (std::size_t i = 0; i < 2; ++i) {
    t.motors.push_back(motors[i].name);
    t.joints.push_back(joints[i].name);
    const double n = 2 * joints[i].reduction;
    t.matrix.push_back({1 / (n * a[0]), (i == 0 ? 1 : -1) / (n * a[1])});
  }
  if (motors[0].rotor != 0 || motors[1].rotor != 0) t.rotor_inertia = {motors[0].rotor, motors[1].rotor};
  robot.transmissions.push_back(std::move(t));
}

}  // namespace torsor::detail
