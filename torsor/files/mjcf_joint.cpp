// A joint of an MJCF body: its kind, where it sits, what moves, holds and limits it.
#include <fmt/format.h>

#include <cmath>

#include "torsor/files/mjcf_model.hpp"
#include "torsor/files/urdf_blocks.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor::detail {
namespace {

double unbounded_beyond(double x) { return std::abs(x) >= no_limit ? std::copysign(infinity, x) : x; }

/// Whether a range counts: as the word says, or where it is given.
bool limited(UrdfElement& e, std::string_view word_key, const std::vector<double>& range, const MjcfSettings& s,
             std::string_view range_key) {
  const auto word = read_word(e, word_key, {"true", "false", "auto"});
  if (word && *word != "auto") return *word == "true";
  if (!s.autolimits && range[0] < range[1] && !e.has(word_key))
    e.fault(range_key, "limit-auto", fmt::format("there is a range, and \"{}\" is not given", word_key),
            fmt::format("write {}=\"true\" or \"false\", or <compiler autolimits=\"true\"/>", word_key));
  return s.autolimits && range[0] < range[1];
}

void read_joint_limits(UrdfElement& e, const MjcfSettings& s, MjcfJoint& joint) {
  const double unit = joint.kind == JointKind::revolute ? s.angle : 1;
  const std::vector<double> range = read_list(e, "range", 2, 2).value_or(std::vector<double>{0, 0});
  const bool is_limited = limited(e, "limited", range, s, "range");
  const std::vector<double> force = read_list(e, "actuatorfrcrange", 2, 2).value_or(std::vector<double>{0, 0});
  const bool force_limited = limited(e, "actuatorfrclimited", force, s, "actuatorfrcrange");
  if (row(joint.kind).nv != 1) {
    if (is_limited) e.note("limit-unused", fmt::format("limits of a {} joint are not read", row(joint.kind).name));
    return;
  }
  if (is_limited) {
    if (!(range[0] < range[1]))
      e.fault("range", "limits-order", fmt::format("it goes from {} to {}", range[0], range[1]),
              "give the lower limit first, and the upper one above it");
    else
      joint.limits.lower = unbounded_beyond(range[0] * unit), joint.limits.upper = unbounded_beyond(range[1] * unit);
  }
  if (force_limited) {
    const double largest = std::max(std::abs(force[0]), std::abs(force[1]));
    if (largest > 0) joint.limits.effort = unbounded_beyond(largest);
    if (force[0] != -force[1])
      e.note("effort-symmetric", "a range of force is not symmetric: its larger side is taken for both");
  }
}

void read_joint_forces(UrdfElement& e, const MjcfSettings& s, MjcfJoint& joint) {
  const double unit = joint.kind == JointKind::revolute ? s.angle : 1;
  joint.damping = read_coefficient(e, "damping");
  joint.frictionloss = read_coefficient(e, "frictionloss");
  joint.stiffness = read_coefficient(e, "stiffness");
  joint.armature = read_coefficient(e, "armature");
  joint.springref = e.number("springref").value_or(0) * unit;
  if (const auto pair = read_list(e, "springdamper", 2, 2); pair && ((*pair)[0] > 0 || (*pair)[1] > 0))
    e.fault("springdamper", "spring-damper",
            "stiffness and damping that MuJoCo works out of a time constant are not read",
            "write stiffness and damping: load the file in MuJoCo and save it");
  if (!s.springs) joint.stiffness = 0;
  if (!s.dampers) joint.damping = 0;
  if (!s.friction) joint.frictionloss = 0;
  if (row(joint.kind).nv == 1) return;
  // neither the mass matrix nor gravity and velocity torques know these forces: whoever asks for others is warned
  if (joint.damping != 0 || joint.frictionloss != 0 || joint.stiffness != 0)
    e.note(
        "joint-force-unused",
        "stiffness, damping and frictionloss of ball and free joints are not computed: torques are those that motors "
        "and these forces give together, and motions lack them");
  joint.damping = joint.frictionloss = joint.stiffness = 0;
  if (joint.kind == JointKind::free && joint.armature != 0)
    e.note("free-armature",
           "a free joint with armature is three prismatic joints and a spherical one: its positions and velocities are "
           "then "
           "in MuJoCo's order and along MuJoCo's axes");
}

}  // namespace

double read_coefficient(UrdfElement& e, std::string_view key) {
  const auto numbers = read_list(e, key, 1, 8);
  if (!numbers) return 0;
  for (std::size_t k = 1; k < numbers->size(); ++k)
    if ((*numbers)[k] != 0) {
      e.fault(key, "law-polynomial", "it is a polynomial", "give one number: only linear springs and dampers are read");
      break;
    }
  if (numbers->front() < 0) {
    e.fault(key, "coefficient-sign", fmt::format("it is {}", numbers->front()), "give a number zero or positive");
    return 0;
  }
  return numbers->front();
}

MjcfJoint read_mjcf_joint(UrdfElement& e, const MjcfContext& context, const Transform<double>& X_body_frame) {
  refuse_unknown(e, {"name",          "class",          "type",          "group",          "pos",
                     "axis",          "springdamper",   "limited",       "actuatorfrclimited", "solreflimit",
                     "solimplimit",   "solreffriction", "solimpfriction", "stiffness",      "range",
                     "actuatorfrcrange", "actuatorgravcomp", "margin",    "ref",            "springref",
                     "armature",      "damping",        "frictionloss",  "user"});
  const MjcfSettings& s = context.settings;
  MjcfJoint joint;
  joint.where = e.where();
  if (e.has("name")) joint.name = e.name("name", "joint-name");
  if (!joint.name.empty()) e.rename(fmt::format("joint \"{}\"", joint.name));
  const std::string type = read_word(e, "type", {"hinge", "slide", "ball", "free"}).value_or("hinge");
  if (type == "free") joint.kind = JointKind::free;
  if (type == "slide") joint.kind = JointKind::prismatic;
  if (type == "ball") joint.kind = JointKind::spherical;
  joint.pos = X_body_frame * e.vector("pos").value_or(Vec3<double>{});
  const Vec3<double> axis = e.vector("axis").value_or(Vec3<double>{0, 0, 1});
  const double length = std::hypot(axis.x, axis.y, axis.z);
  if (has_axis(joint.kind) && !(length > 1e-15 && std::isfinite(length)))
    e.fault("axis", "axis-zero", "it has no direction", "give a vector of non-zero length, such as 0 0 1");
  else
    joint.axis = X_body_frame.R * axis;
  if (row(joint.kind).nv == 1)
    joint.ref = e.number("ref").value_or(0) * (joint.kind == JointKind::revolute ? s.angle : 1);
  read_joint_limits(e, s, joint);
  read_joint_forces(e, s, joint);
  if (joint.kind == JointKind::free && s.alignfree)
    e.fault("", "free-align", "its frame is moved to the principal axes of its body by alignfree",
            "write <compiler alignfree=\"false\"/>");
  return joint;
}

MjcfJoint read_free_joint(UrdfElement& e, const MjcfContext& context) {
  refuse_unknown(e, {"name", "group", "align"});
  MjcfJoint joint;
  joint.kind = JointKind::free;
  joint.where = e.where();
  if (e.has("name")) joint.name = e.name("name", "joint-name");
  const std::string align = read_word(e, "align", {"true", "false", "auto"}).value_or("auto");
  if (align == "true" || (align == "auto" && context.settings.alignfree))
    e.fault("align", "free-align", "its frame is moved to the principal axes of its body", "write align=\"false\"");
  return joint;
}

}  // namespace torsor::detail
