// What elements of an SDF hold between their tags: numbers, words, poses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "torsor/files/sdf_model.hpp"
#include "torsor/files/urdf_element.hpp"

namespace torsor::detail {

/// One file, with its version 1.minor, on which the meaning of its elements depends.
struct SdfFile {
  UrdfLog log;
  int minor = 0;
};

/// The element's text as so many numbers; nothing, with a fault, where it is something else.
std::optional<std::vector<double>> content_numbers(UrdfElement& element, std::size_t size);
/// The child element's text as one number, a limit that may be inf, a yes or no, or a word; the default where there is
/// none.
double sdf_number(UrdfElement& parent, std::string_view key, double otherwise);
double sdf_limit(UrdfElement& parent, std::string_view key, double otherwise);
bool sdf_flag(UrdfElement& parent, std::string_view key, bool otherwise);
std::string sdf_word(UrdfElement& parent, std::string_view key);
/// The same of the element itself.
bool content_flag(UrdfElement& element, bool otherwise);

/// <pose relative_to degrees rotation_format>; the identity where there is none.
SdfPose read_sdf_pose(UrdfElement& parent, const SdfFile& file);
/// The same of what lies in the frame of its link and nowhere else.
Transform<double> read_own_pose(UrdfElement& parent, const SdfFile& file, std::string_view link);

SdfLink read_sdf_link(UrdfElement& element, const SdfFile& file);
SdfJoint read_sdf_joint(UrdfElement& element, const SdfFile& file);

/// <visual> and <collision> as the URDF that a Description keeps; shapes that a URDF does not have are left out with a
/// note.
UrdfExtra read_sdf_looks(UrdfElement& link, const SdfFile& file);

/// Elements for others, all under one note: sensors, plugins, lights, looks.
void pass_over(UrdfElement& element, std::initializer_list<std::string_view> names);

}  // namespace torsor::detail
