#include "torsor/files/sdf_element.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/files/mjcf_document.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

/// inf, -inf, +inf in any letters.
std::optional<double> infinite(std::string text) {
  for (char& c : text) c = static_cast<char>('A' <= c && c <= 'Z' ? c | 0x20 : c);
  if (text == "inf" || text == "+inf" || text == "infinity") return infinity;
  if (text == "-inf" || text == "-infinity") return -infinity;
  return std::nullopt;
}

Mat3<double> quaternion_rotation(UrdfElement& pose, const std::vector<double>& n) {
  const Quaternion<double> e{n[6], n[3], n[4], n[5]};
  const double length = std::sqrt(e.e0 * e.e0 + e.e1 * e.e1 + e.e2 * e.e2 + e.e3 * e.e3);
  if (std::abs(length - 1) <= 1e-3) return rotation(normalized(e));
  pose.fault("", "quaternion-length", fmt::format("the quaternion has length {:.6g}", length),
             "give one of length one, x y z w: the scalar comes last");
  return Mat3<double>::identity();
}

Transform<double> read_pose_numbers(UrdfElement& pose, const SdfFile& file) {
  const auto format = read_word(pose, "rotation_format", {"euler_rpy", "quat_xyzw"});
  const bool degrees = read_bool(pose, "degrees", false);
  const bool quaternion = format == "quat_xyzw";
  if (file.minor < 9 && (pose.has("rotation_format") || pose.has("degrees")))
    pose.fault("", "pose-format",
               fmt::format("degrees and rotation_format are of SDF 1.9, and the file says 1.{}", file.minor),
               "write version=\"1.9\" or a later one");
  if (quaternion && degrees)
    pose.fault("degrees", "pose-format", "a quaternion has no degrees",
               "leave out degrees, or write roll, pitch and yaw");
  if (pose.content().empty()) return {};
  const auto n = content_numbers(pose, quaternion ? 7 : 6);
  if (!n) return {};
  const double unit = degrees ? std::numbers::pi / 180 : 1;
  Transform<double> X;
  X.p = {(*n)[0], (*n)[1], (*n)[2]};
  X.R =
      quaternion ? quaternion_rotation(pose, *n) : exact_rotation_rpy({(*n)[3] * unit, (*n)[4] * unit, (*n)[5] * unit});
  return X;
}

}  // namespace

std::optional<std::vector<double>> content_numbers(UrdfElement& e, std::size_t size) {
  std::string text = e.content();
  if (size == 1 && text.size() > 1 && text.ends_with('"') && !text.starts_with('"')) {
    e.note("number-quote", fmt::format("the quotation mark after {} is passed over", excerpt(text)));
    text.pop_back();
  }
  auto numbers = numbers_of(text);
  if (!numbers) {
    e.fault("", "number", fmt::format("\"{}\" is not {}", excerpt(text), size == 1 ? "a number" : "a list of numbers"),
            "write finite numbers with blanks between them");
    return std::nullopt;
  }
  if (numbers->size() == size) return numbers;
  e.fault("", "vector-length", fmt::format("it has {} numbers", numbers->size()), fmt::format("write {}", size));
  return std::nullopt;
}

double sdf_number(UrdfElement& parent, std::string_view key, double otherwise) {
  parent.child(key, [&](UrdfElement& e) {
    if (const auto n = content_numbers(e, 1)) otherwise = n->front();
  });
  return otherwise;
}

double sdf_limit(UrdfElement& parent, std::string_view key, double otherwise) {
  parent.child(key, [&](UrdfElement& e) {
    if (const auto none = infinite(e.content()))
      otherwise = *none;
    else if (const auto n = content_numbers(e, 1))
      otherwise = n->front();
  });
  return otherwise;
}

bool content_flag(UrdfElement& e, bool otherwise) {
  std::string text = e.content();
  for (char& c : text) c = static_cast<char>('A' <= c && c <= 'Z' ? c | 0x20 : c);
  if (text == "1" || text == "true") return true;
  if (text == "0" || text == "false") return false;
  if (!text.empty())
    e.fault("", "word-unknown", fmt::format("\"{}\" is not one of its values", excerpt(text)),
            "write true, false, 1 or 0");
  return otherwise;
}

bool sdf_flag(UrdfElement& parent, std::string_view key, bool otherwise) {
  parent.child(key, [&](UrdfElement& e) { otherwise = content_flag(e, otherwise); });
  return otherwise;
}

std::string sdf_word(UrdfElement& parent, std::string_view key) {
  std::string word;
  parent.child(key, [&](UrdfElement& e) { word = e.content(); });
  return word;
}

SdfPose read_sdf_pose(UrdfElement& parent, const SdfFile& file) {
  SdfPose pose;
  parent.child("pose", [&](UrdfElement& e) {
    // what 1.7 calls relative_to was called frame before
    const std::string frame = e.text("frame").value_or("");
    pose.relative_to = e.text("relative_to").value_or("");
    if (file.minor >= 7 && !frame.empty())
      e.fault("frame", "pose-format", fmt::format("SDF 1.{} has no attribute \"frame\" here", file.minor),
              "write relative_to=\"...\", or the version that has it");
    if (file.minor < 7 && !pose.relative_to.empty()) {
      // libsdformat brings files to its own version before it looks at attributes, so Gazebo and Drake take both names
      e.note("pose-later",
             "relative_to of <pose> is of SDF 1.7: it is read in older files, too, as Gazebo and Drake read it");
      if (!frame.empty() && frame != pose.relative_to)
        e.fault("frame", "pose-format",
                fmt::format("its pose is given in \"{}\" and in \"{}\"", excerpt(frame), excerpt(pose.relative_to)),
                "write one of frame and relative_to");
    }
    if (pose.relative_to.empty()) pose.relative_to = frame;
    pose.X = read_pose_numbers(e, file);
    e.refuse_unread({"pose", "relative", "frame", "rot", "deg", "rad", "quat", "unit", "expressed"},
                    "write <pose relative_to=\"...\">x y z roll pitch yaw</pose>");
  });
  return pose;
}

Transform<double> read_own_pose(UrdfElement& parent, const SdfFile& file, std::string_view link) {
  const SdfPose pose = read_sdf_pose(parent, file);
  if (!pose.relative_to.empty() && pose.relative_to != link)
    parent.fault("pose", "pose-frame", fmt::format("its pose is given in \"{}\"", excerpt(pose.relative_to)),
                 "give it in the frame of its link: leave out relative_to");
  return pose.X;
}

void pass_over(UrdfElement& e, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    e.leave(name);
    if (e.xml().child(name))
      e.note("element-ignored", "sensors, plugins, lights, contacts and settings of simulators are not read");
  }
}

}  // namespace torsor::detail
