// What writers of robots as XML share: elements, numbers, the frames of links and their joints.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "torsor/text/number.hpp"
#include "torsor/text/xml.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/dh.hpp"

namespace torsor::detail {

using Attributes = std::vector<std::pair<std::string, std::string>>;

inline XmlElement element(std::string name, const Attributes& attributes = {}) {
  XmlElement e;
  e.name = std::move(name);
  for (const auto& [key, value] : attributes) e.attributes.push_back({key, value, 0});
  return e;
}

inline XmlElement element(std::string name, std::string text) {
  XmlElement e = element(std::move(name));
  e.text = std::move(text);
  return e;
}

// two dashes would end a comment
inline std::string without_dashes(std::string text) {
  for (std::size_t at; (at = text.find("--")) != std::string::npos;) text.replace(at, 2, "- -");
  return text;
}

/// A file: what it says of itself, and its notes as comments before all else.
inline std::string xml_file(const XmlElement& root, const std::vector<std::string>& notes) {
  std::string text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
  for (const std::string& note : notes) text += "<!-- " + without_dashes(note) + " -->\n";
  append_xml(text, root);
  return text;
}

// no zero with a sign
inline std::string number(double x) { return print_number(x + 0.0); }
inline std::string numbers(const Vec3<double>& v) { return number(v.x) + ' ' + number(v.y) + ' ' + number(v.z); }

inline bool is_unmoved(const Transform<double>& X) {
  const Mat3<double> E = Mat3<double>::identity();
  const auto same = [](const Vec3<double>& a, const Vec3<double>& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  return same(X.R.x, E.x) && same(X.R.y, E.y) && same(X.R.z, E.z) && same(X.p, {});
}

/// All parts as one about its mass centre; X is the pose of the frame they are given in. A part that is so already keeps
/// its digits.
inline Part joined(const std::vector<Part>& parts, const Transform<double>& X) {
  if (parts.size() == 1 && parts[0].about == InertiaAbout::mass_centre)
    return {parts[0].mass, X * parts[0].com, rotate(X.R, parts[0].tensor)};
  const Inertia<double> J = X * inertia_of(parts);
  return {J.m, mass_centre(J), tensor_about_centre(J)};
}

/// Pose of a link's own frame in the frame of its joint after the motion.
inline Transform<double> X_joint_link(const LinkDescription& link, Convention convention) {
  const auto* dh = std::get_if<DhRow>(&link.geometry);
  return dh && convention == Convention::standard_dh ? standard_dh(*dh) : Transform<double>{};
}

/// Joint frame in the parent's own link frame, and the axis in it.
inline JointPlacement placement_of(const LinkDescription& link, Convention convention) {
  if (const auto* dh = std::get_if<DhRow>(&link.geometry))
    return {convention == Convention::standard_dh ? Transform<double>{} : modified_dh(*dh), {0, 0, 1}};
  JointPlacement placement = std::get<JointPlacement>(link.geometry);
  // a vector that is of unit length already stays as it was written
  if (has_axis(link.kind) && !(std::abs(norm(placement.axis) - 1) <= 1e-15)) placement.axis = unit(placement.axis);
  return placement;
}

/// What a writer makes of a robot; or every fault, first of those that it has, then of what its format has no words for.
template <class Writer, class Beyond>
Result<std::string> write_checked(const Description& description, const Beyond& beyond,
                                  std::vector<std::string>* told) {
  const Result<Model<double>> model = build(description);
  if (!model) return model.faults();
  std::vector<int> parents;
  check_structure(description, parents);
  if (Faults errors = beyond(description, *model, parents); !errors.empty()) return errors;
  Writer writer(description, *model, parents);
  const Result<XmlElement> root = writer.run();
  if (!root) return root.faults();
  std::string text = xml_file(*root, writer.notes);
  if (told) *told = std::move(writer.notes);
  return text;
}

}  // namespace torsor::detail
