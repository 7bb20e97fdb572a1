// A joint of an SDF: its type, what it joins, its axes, what moves, holds and limits it.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "torsor/files/mjcf_document.hpp"
#include "torsor/files/sdf_element.hpp"
#include "torsor/files/urdf_blocks.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

struct TypeWord {
  std::string_view word;
  SdfJointType type;
};
constexpr TypeWord type_words[] = {{"revolute", SdfJointType::revolute},   {"continuous", SdfJointType::revolute},
                                   {"prismatic", SdfJointType::prismatic}, {"fixed", SdfJointType::fixed},
                                   {"screw", SdfJointType::screw},         {"ball", SdfJointType::ball},
                                   {"universal", SdfJointType::universal}, {"revolute2", SdfJointType::universal}};

SdfJointType read_joint_type(UrdfElement& e, std::string& word) {
  const auto given = e.text("type");
  if (!given) e.missing_attribute("type", "write type=\"revolute\" or another type");
  word = given.value_or("");
  std::vector<std::string_view> known;
  for (const TypeWord& each : type_words) {
    if (each.word == word) return each.type;
    known.push_back(each.word);
  }
  if (word == "gearbox")
    e.fault("type", "joint-kind", "a gearbox couples two other joints, and is no joint of a tree",
            "let one of the two joints mimic the other: <axis><mimic "
            "joint=\"...\"><multiplier>...</multiplier></mimic></axis>");
  else if (given)
    e.fault("type", "joint-kind", fmt::format("unknown type \"{}\"", excerpt(word)),
            hint_or(did_you_mean(word, known), fmt::format("use {}", fmt::join(known, ", "))));
  return SdfJointType::fixed;
}

/// -1 and everything beyond all measure say that there is no limit.
double magnitude(UrdfElement& limit, std::string_view key) {
  const double value = sdf_limit(limit, key, -1);
  if (value == 0) limit.note("limit-zero", fmt::format("the {} limit is 0, taken as none", key));
  return value <= 0 || value >= no_limit ? infinity : value;
}

double open_end(double x) { return std::abs(x) >= no_limit ? std::copysign(infinity, x) : x; }

void read_sdf_limits(UrdfElement& axis, bool unbounded, Limits& limits) {
  axis.child("limit", [&](UrdfElement& e) {
    const double lower = open_end(sdf_limit(e, "lower", -infinity)), upper = open_end(sdf_limit(e, "upper", infinity));
    if (!unbounded) limits.lower = lower, limits.upper = upper;
    limits.effort = magnitude(e, "effort");
    limits.velocity = magnitude(e, "velocity");
    limits.acceleration = limits.deceleration = magnitude(e, "drake:acceleration");
    // of the stops, which nothing here touches
    e.leave("stiffness"), e.leave("dissipation");
    e.refuse_unread({"lower", "upper", "min", "max", "effort", "velocity", "force", "torque", "unit", "deg"},
                    "write lower, upper, \"effort\" and velocity in SI units and radians");
  });
}

void read_sdf_dynamics(UrdfElement& axis, SdfAxis& out) {
  axis.child("dynamics", [&](UrdfElement& e) {
    for (const auto& [key, value] : {std::pair<const char*, double*>{"damping", &out.damping},
                                     {"friction", &out.friction},
                                     {"spring_stiffness", &out.stiffness}}) {
      *value = sdf_number(e, key, 0);
      if (*value >= 0) continue;
      e.fault("", "coefficient-sign", fmt::format("{} is {}", key, *value), "give a number zero or positive");
      *value = 0;
    }
    out.rest = sdf_number(e, "spring_reference", 0);
    e.refuse_unread({"damp", "friction", "viscous", "coulomb", "stick", "static", "spring", "stiff", "armature",
                     "inertia", "rotor", "gear"},
                    "write damping, friction, spring_stiffness and spring_reference");
  });
}

/// coordinate = multiplier (leader - reference) + offset
void read_sdf_mimic(UrdfElement& axis, SdfAxis& out) {
  axis.child("mimic", [&](UrdfElement& e) {
    SdfMimic mimic;
    mimic.where = e.where();
    mimic.joint = e.name("joint", "mimic-unknown");
    mimic.axis = read_word(e, "axis", {"axis", "axis2"}).value_or("axis");
    mimic.ratio = sdf_number(e, "multiplier", 1);
    mimic.offset = sdf_number(e, "offset", 0) - mimic.ratio * sdf_number(e, "reference", 0);
    e.refuse_unread({"joint", "mult", "offset", "ratio", "ref", "gear", "factor", "scale"},
                    "write multiplier, offset and reference");
    if (!mimic.joint.empty()) out.mimic = std::move(mimic);
  });
}

SdfAxis read_sdf_axis(UrdfElement& e, const SdfFile& file, bool unbounded) {
  SdfAxis out;
  out.where = e.where();
  e.child("xyz", [&](UrdfElement& xyz) {
    if (const auto n = content_numbers(xyz, 3)) out.xyz = {(*n)[0], (*n)[1], (*n)[2]};
    // of 1.7, but libsdformat takes it in 1.5 and 1.6 as well; before, axes were always those of the model
    if (file.minor >= 5) out.expressed_in = xyz.text("expressed_in").value_or("");
    if (file.minor < 7 && !out.expressed_in.empty())
      xyz.note("axis-later",
               "expressed_in of <xyz> is of SDF 1.7: it is read in 1.5 and 1.6, too, as Gazebo and Drake read it");
    xyz.refuse_unread({"express", "frame", "relative", "unit"},
                      "write <xyz expressed_in=\"...\">, which SDF has from 1.7 on");
    const double length = std::hypot(out.xyz.x, out.xyz.y, out.xyz.z);
    if (!(length > 1e-15 && std::isfinite(length))) {
      xyz.fault("", "axis-zero", "it has no direction", "give a vector of non-zero length, such as 0 0 1");
      out.xyz = {0, 0, 1};
    } else if (std::abs(length - 1) > 1e-3) {
      xyz.note("axis-length", "an axis is not of unit length: only its direction counts");
    }
  });
  // before 1.5 axes were those of the model, then the file could choose, from 1.7 on it says in which frame
  if (file.minor < 7 && sdf_flag(e, "use_parent_model_frame", file.minor < 5)) {
    if (!out.expressed_in.empty() && out.expressed_in != "__model__")
      e.fault("use_parent_model_frame", "axis-frame",
              fmt::format("the axis is given in \"{}\" and in the frame of the model", excerpt(out.expressed_in)),
              "write one of expressed_in and use_parent_model_frame");
    out.expressed_in = "__model__";
  }
  read_sdf_limits(e, unbounded, out.limits);
  read_sdf_dynamics(e, out);
  read_sdf_mimic(e, out);
  if (e.xml().child("initial_position")) e.note("element-ignored", "initial positions of joints are not read");
  e.leave("initial_position");
  e.refuse_unread(
      {"xyz", "use", "frame", "express", "limit", "dynamics", "mimic", "damp", "friction", "spring", "gear"},
      "write <xyz>, <limit>, <dynamics> and <mimic>");
  return out;
}

/// Metres per radian. thread_pitch has radians per metre, and a left-handed thread is positive; screw_thread_pitch of
/// 1.10 metres per turn, and a right-handed one is.
double read_pitch(UrdfElement& e) {
  const bool turns = e.xml().child("screw_thread_pitch") != nullptr;
  const double new_pitch = sdf_number(e, "screw_thread_pitch", 1), old_pitch = sdf_number(e, "thread_pitch", 0);
  if (turns || !e.xml().child("thread_pitch")) return new_pitch / (2 * std::numbers::pi);
  if (old_pitch == 0) {
    e.fault("", "thread-pitch", "a thread_pitch of 0 radians per metre is no thread",
            "give another number, or screw_thread_pitch in metres per turn");
    return 0;
  }
  return -1 / old_pitch;
}

void refuse_axis(UrdfElement& e, const char* key, const std::string& type) {
  if (e.xml().child(key)) e.note("axis-ignored", fmt::format("<{}> of a {} joint means nothing", key, excerpt(type)));
  e.leave(key);
}

}  // namespace

SdfJoint read_sdf_joint(UrdfElement& e, const SdfFile& file) {
  SdfJoint joint;
  joint.where = e.where();
  joint.name = e.name("name", "joint-name");
  if (!joint.name.empty()) e.rename("joint \"" + joint.name + '"');
  joint.shown = e.has("torsor:name") ? e.name("torsor:name", "joint-name") : joint.name;
  std::string word;
  joint.type = read_joint_type(e, word);
  for (const auto& [key, value] : {std::pair{"parent", &joint.parent}, {"child", &joint.child}}) {
    *value = sdf_word(e, key);
    // 1.4 and earlier allowed both
    if (value->empty())
      if (const XmlElement* xml = e.xml().child(key); xml && xml->attribute("link")) *value = *xml->attribute("link");
    if (value->empty()) e.missing_element(key, fmt::format("write <{}>a link, a frame or a model</{}>", key, key));
  }
  joint.pose = read_sdf_pose(e, file);
  using enum SdfJointType;
  const bool one = joint.type == revolute || joint.type == prismatic || joint.type == screw || joint.type == universal;
  if (one) {
    if (!e.child("axis", [&](UrdfElement& axis) { joint.axis = read_sdf_axis(axis, file, word == "continuous"); }))
      e.note("axis-assumed", "a joint without <axis> turns about 0 0 1");
  } else {
    refuse_axis(e, "axis", word);
  }
  if (joint.type == universal) {
    if (!e.child("axis2", [&](UrdfElement& axis) { joint.axis2 = read_sdf_axis(axis, file, false); }))
      e.missing_element("axis2", fmt::format("a {} joint has two axes", word));
  } else {
    refuse_axis(e, "axis2", word);
  }
  if (joint.type == screw) joint.pitch = read_pitch(e);
  for (const char* key : {"thread_pitch", "screw_thread_pitch"}) e.leave(key);
  joint.rotor_inertia = sdf_number(e, "drake:rotor_inertia", 0);
  joint.gear = sdf_number(e, "drake:gear_ratio", 1);
  if (joint.type == ball && (joint.rotor_inertia != 0 || joint.gear != 1))
    e.fault("", "rotor-kind", "a ball joint has no rotor in Drake, whose elements these are",
            "leave drake:rotor_inertia and drake:gear_ratio out");
  e.child("drake:mimic", [&](UrdfElement& mimic) {
    SdfMimic read{mimic.name("joint", "mimic-unknown"), "axis", mimic.number("multiplier").value_or(1),
                  mimic.number("offset").value_or(0), mimic.where()};
    if (!read.joint.empty()) joint.axis.mimic = std::move(read);
  });
  for (const char* key : {"gearbox_ratio", "gearbox_reference_body"}) e.leave(key);
  pass_over(e, {"physics", "sensor", "plugin", "drake:controller_gains"});
  e.refuse_unread({"origin", "pose", "xyz", "rpy", "frame", "axis", "axes", "mimic", "damp", "friction", "spring",
                   "stiff", "armature", "rotor", "inertia", "gear", "pitch", "limit", "dynamics"},
                  "write <pose>, <axis> with <limit> and <dynamics> in it, and <axis2>");
  return joint;
}

}  // namespace torsor::detail
