// <constraint> of a URDF: a joint that closes a loop of the tree.
//
//   <constraint name type>
//     <parent link/> <parent_origin xyz rpy/> <parent_axis xyz/>
//     <child link/>  <child_origin xyz rpy/>  <child_axis xyz/>
//   </constraint>
#include <fmt/format.h>

#include <cmath>

#include "torsor/files/urdf_blocks.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

struct ClosingType {
  std::string_view name;
  MechanismJointKind kind;
};
constexpr ClosingType closing_types[] = {{"revolute", MechanismJointKind::revolute},
                                         {"continuous", MechanismJointKind::revolute},
                                         {"prismatic", MechanismJointKind::translational},
                                         {"spherical", MechanismJointKind::spherical},
                                         {"ball", MechanismJointKind::spherical},
                                         {"universal", MechanismJointKind::universal},
                                         {"cylindrical", MechanismJointKind::cylindrical},
                                         {"planar", MechanismJointKind::planar},
                                         {"fixed", MechanismJointKind::fixed}};

MechanismJointKind read_closing_type(UrdfElement& element) {
  const auto word = element.text("type");
  if (!word) {
    element.missing_attribute("type", "write type=\"revolute\" or another type");
    return {};
  }
  std::vector<std::string_view> known;
  for (const ClosingType& type : closing_types) {
    if (type.name == *word) return type.kind;
    known.push_back(type.name);
  }
  const std::string hint = did_you_mean(*word, known);
  element.fault("type", "loop-kind", fmt::format("unknown type \"{}\"", excerpt(*word)),
                hint.empty() ? fmt::format("use {}", fmt::join(known, ", ")) : hint);
  return {};
}

Vec3<double> read_closing_axis(UrdfElement& element, std::string_view key) {
  Vec3<double> axis{1, 0, 0};
  element.child(key, [&](UrdfElement& child) {
    if (const auto xyz = child.vector("xyz")) axis = *xyz;
    if (!(norm(axis) > 0)) {
      child.fault("xyz", "axis-zero", "it has no direction", "give a direction that is not zero");
      axis = {1, 0, 0};
    }
    child.refuse_unread({"xyz", "axis", "rpy", "quat"}, "write xyz=\"x y z\"");
  });
  return unit(axis);
}

}  // namespace

void read_urdf_constraint(UrdfElement& element, Description& robot) {
  LoopDescription loop;
  loop.where = element.where();
  loop.name = element.name("name", "loop-name");
  if (!loop.name.empty()) element.rename("constraint \"" + loop.name + '"');
  loop.kind = read_closing_type(element);
  // the element keeps views of the names it is asked for
  constexpr std::string_view ends[] = {"parent", "child"}, origins[] = {"parent_origin", "child_origin"},
                             axes[] = {"parent_axis", "child_axis"};
  Vec3<double> axis[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const bool there = element.child(ends[k], [&](UrdfElement& end) { loop.links[k] = end.name("link", "link-name"); });
    if (!there) element.missing_element(ends[k], fmt::format("write <{} link=\"...\"/>", ends[k]));
    loop.X_link_loop[k] = read_origin(element, origins[k]);
    axis[k] = read_closing_axis(element, axes[k]);
  }
  using enum MechanismJointKind;
  if (loop.kind == universal) {
    if (!element.xml().child("child_axis"))
      element.missing_element("child_axis",
                              "a universal joint has an axis in each link: write <child_axis xyz=\"...\"/>");
  } else if (!element.xml().child("child_axis")) {
    axis[1] = axis[0];
  }
  // what may not turn about the axis is held by the frames as a whole
  if (loop.kind == translational && norm(axis[1] - axis[0]) > 1e-9)
    element.fault("child_axis", "loop-axes", "the axis of a prismatic joint has other numbers in its second frame",
                  "turn the origins, so that the axis is the same in both");
  // z of the frames along the axes
  if (loop.kind != fixed && loop.kind != spherical)
    for (std::size_t k = 0; k < 2; ++k) loop.X_link_loop[k].R = loop.X_link_loop[k].R * rotation_z_onto(axis[k]);
  element.refuse_unread({"origin", "pose", "axis", "rpy", "limit", "mimic", "dynamics", "damp", "friction", "spring",
                         "length", "ratio", "pitch"},
                        "a joint that closes a loop has frames and axes alone; let another joint close the loop");
  robot.loops.push_back(std::move(loop));
}

}  // namespace torsor::detail
