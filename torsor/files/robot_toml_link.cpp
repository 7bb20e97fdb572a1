// A link of a robot file: its name, its joint, where the joint sits, and by the other readers what the link weighs and
// what moves it.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/files/robot_toml_blocks.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

std::optional<JointKind> read_kind(TomlTable& table, std::string_view key) {
  Words<JointKind> kinds;
  for (const JointRow& r : joint_rows) kinds.emplace_back(r.name, *joint_kind(r.name));
  return table.word(key, kinds, "joint-kind");
}

// what the file says of the joint itself; an axis only where it is one
struct Joint {
  std::optional<JointKind> kind;
  std::string name;
  std::optional<Vec3<double>> axis;
  double pitch = 0;
  std::optional<double> start;
};

void read_joint_table(TomlTable& table, bool on_dh_row, Joint& joint) {
  joint.kind = read_kind(table, "kind");
  if (!table.has("kind")) table.missing("kind", "write kind = \"revolute\" or another kind");
  joint.name = read_name(table, "name", joint.name);

  joint.axis = table.vector("axis");
  if (table.has("axis") && on_dh_row)
    table.fault("axis", "axis-dh", "the axis of a DH row is its z", "leave it out, or give a placement instead of dh");
  else if (table.has("axis") && joint.kind && !has_axis(*joint.kind))
    table.fault("axis", "axis-unused", fmt::format("a {} joint has no axis", row(*joint.kind).name), "leave it out");

  const Unit unit = !joint.kind                           ? Unit(units::angle_or_length)
                    : *joint.kind == JointKind::prismatic ? Unit(units::length)
                                                          : Unit(units::angle);
  joint.start = table.number("start", unit);
  joint.pitch = table.number("pitch", units::pitch).value_or(0);
  if (joint.kind == JointKind::helical && !table.has("pitch", units::pitch))
    table.missing("pitch", "give metres per radian, or pitch_mm_per_turn");
  if (joint.kind && *joint.kind != JointKind::helical && table.has("pitch", units::pitch))
    table.fault("pitch", "pitch-unused", fmt::format("a {} joint has no pitch", row(*joint.kind).name),
                "leave it out, or make the joint helical", units::pitch);
}

// `joint = "revolute"`, or a table for more than the kind
Joint read_joint(TomlTable& link, bool on_dh_row, std::string_view link_name) {
  Joint joint;
  joint.name = link_name;
  if (link.is_table("joint")) {
    link.table("joint", [&](TomlTable& table) { read_joint_table(table, on_dh_row, joint); });
  } else {
    joint.kind = read_kind(link, "joint");
    if (!link.has("joint")) link.missing("joint", "write joint = \"revolute\" or another kind");
    if (joint.kind == JointKind::helical)
      link.fault("joint", "key-missing", "a helical joint needs a pitch",
                 "write joint = { kind = \"helical\", pitch = ... }");
  }
  return joint;
}

DhRow read_dh(TomlTable& table) {
  DhRow dh;
  dh.theta = table.number("theta", units::angle).value_or(0);
  dh.d = table.number("d", units::length).value_or(0);
  dh.a = table.number("a", units::length).value_or(0);
  dh.alpha = table.number("alpha", units::angle).value_or(0);
  dh.beta = table.number("beta", units::angle).value_or(0);
  return dh;
}

}  // namespace

std::string read_name(TomlTable& table, std::string_view key, std::string_view fallback) {
  const auto name = table.text(key);
  if (!name) return std::string(fallback);
  // names head columns and appear in messages
  const bool clean = *name == single_line(*name) && name->find_first_of(",;\"'") == std::string::npos;
  if (clean && (name->empty() || (name->front() != ' ' && name->back() != ' '))) return *name;
  table.fault(key, "name-text", fmt::format("\"{}\" would not print well as the head of a column", excerpt(*name)),
              "use a name without quotes, commas, semicolons, line breaks, or blanks at its ends");
  return std::string(fallback);
}

LinkDescription read_link(TomlTable& table, Convention convention) {
  LinkDescription link;
  link.where = table.where();
  // a link that has its name wrong keeps its number for a name; one without any is reported with the other names
  link.name = read_name(table, "name", table.has("name") ? table.title() : "");
  if (!link.name.empty() && link.name != table.title()) table.rename(fmt::format("link \"{}\"", link.name));
  link.parent = table.text("parent");

  const bool on_dh_row = table.has("dh");
  if (table.at_most_one({{"dh", units::plain}, {"placement", units::plain}}) == 0 &&
      convention != Convention::placement)
    table.missing("dh", "give dh = { a = ..., alpha = ..., d = ..., theta = ... }, or a placement");
  const Joint joint = read_joint(table, on_dh_row, link.name.empty() ? table.title() : link.name);
  link.joint_name = joint.name;
  link.kind = joint.kind.value_or(JointKind::revolute);
  link.pitch = joint.pitch;
  link.start = joint.start;

  JointPlacement placement;
  table.table("placement", [&](TomlTable& pose) { placement.X_parent_joint = read_pose(pose); });
  if (joint.axis) placement.axis = *joint.axis;
  link.geometry = placement;
  link.geometry_where = table.where(on_dh_row ? "dh" : "placement");
  if (table.has("limits")) link.limits_where = table.where("limits");
  table.table("dh", [&](TomlTable& dh) { link.geometry = read_dh(dh); });

  link.parts = read_parts(table);
  read_drive(table, joint.kind, link);
  return link;
}

}  // namespace torsor::detail
