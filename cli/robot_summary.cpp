#include "cli/robot_summary.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/io/dh_table.hpp"
#include "torsor/io/number.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/model/transmission.hpp"

namespace torsor {
namespace {

using Cell = TextTable::Cell;

// depth in the tree as indentation
std::string branch(const Model<double>& model, int i) {
  int depth = 0;
  for (int p = model[i].parent; p >= 0; p = model[p].parent) ++depth;
  return std::string(static_cast<std::size_t>(2 * depth), ' ') + model.link_names[i];
}

Cell finite(double x) { return std::isfinite(x) ? Cell(x) : Cell(std::string("-")); }

TextTable tree_table(const Model<double>& m, const PrintArguments& print) {
  TextTable table{"tree and limits", {}, {}};
  for (const char* name : {"link", "joint", "kind", "parent", "lower", "upper", "unit", "speed", "effort"})
    table.columns.push_back(column(name, "", print));
  for (const std::size_t numbers : {4, 5, 7, 8}) table.columns[numbers].align = Align::decimal;
  const std::vector<CoordinateKind> kinds = velocity_kinds(m);
  for (int i = 0; i < m.size(); ++i) {
    const Body<double>& b = m[i];
    const std::string parent = b.parent < 0 ? "base" : m.link_names[b.parent];
    std::string kind(torsor::row(b.kind).name);
    const bool mimic = b.nv == 1 && m.velocity_names[b.v] != m.joint_names[i];
    if (mimic)
      kind += fmt::format(" = {} {}{}", print_number(b.ratio), m.velocity_names[b.v],
                          b.offset == 0 ? "" : " + " + print_number(b.offset));
    TextTable::Row row{branch(m, i), m.joint_names[i], std::move(kind), parent};
    if (mimic || b.nv == 0) {
      row.insert(row.end(), 5, std::string(""));
    } else {
      const Limits& limits = m.limits[b.v];
      row.insert(row.end(), {finite(limits.lower), finite(limits.upper),
                             std::string(b.nv == 1 ? coordinate_unit(kinds[b.v], 0) : ""), finite(limits.velocity),
                             finite(limits.effort)});
    }
    table.add(std::move(row));
  }
  return table;
}

// the author's rows, or those that the axes give; a tree has none
void add_dh_table(ReportSection& section, const Description& d, const PrintArguments& print) {
  if (auto table = dh_table(d, print.significant())) {
    section.table(*std::move(table));
    return;
  }
  const auto derived = to_dh(d, Convention::standard_dh);
  if (!derived) return;
  auto table = dh_table(derived->description, print.significant());
  if (!table) return;
  table->caption += fmt::format("; from the axes, tool within {:.1g} m", derived->position_residual);
  section.table(*std::move(table));
  for (const Snap& snap : derived->snaps)
    section.text(
        fmt::format("taken as special: {} (off by {:.2g} {})", snap.what, snap.residual, snap.is_angle ? "rad" : "m"));
}

TextTable mass_table(const Model<double>& m, const PrintArguments& print) {
  TextTable table{"masses: mass centre and inertia about it, in the axes of the link frame",
                  {column("link", "", print), column("mass", "kg", print)},
                  {}};
  for (const char* name : {"cx", "cy", "cz"}) table.columns.push_back(column(name, "m", print));
  for (const char* name : {"Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"})
    table.columns.push_back(column(name, "kg m²", print));
  for (int i = 0; i < m.size(); ++i) {
    const Inertia<double> J = inverse(m[i].link) * m[i].inertia;
    const Vec3<double> c = mass_centre(J);
    const Sym3<double> I = tensor_about_centre(J);
    TextTable::Row row{m.link_names[i], J.m, c.x, c.y, c.z};
    for (const double entry : without_noise(std::vector{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz})) row.emplace_back(entry);
    table.add(std::move(row));
  }
  return table;
}

void add_drives(ReportSection& section, const Robot& robot, const PrintArguments& print) {
  const Model<double>& m = robot.model;
  TextTable rotors{"rotors", {}, {}};
  for (const char* name : {"joint", "inertia", "gear", "as", "at the joint"})
    rotors.columns.push_back(column(name, "", print));
  for (const LinkDescription& link : robot.description.links)
    if (const auto& rotor = link.rotor)
      rotors.add({link.joint_name, rotor->inertia, rotor->gear, std::string(rotor->as_body ? "body" : "diagonal"),
                  rotor->inertia * rotor->gear * rotor->gear});
  if (!rotors.rows.empty()) section.table(std::move(rotors));

  for (const Transmission& t : m.transmissions) {
    if (t.dofs.size() < 2) continue;
    std::vector<std::string> joints;
    for (const int dof : t.dofs) joints.push_back(m.velocity_names[dof]);
    section.table(
        matrix_table("transmission: joint speeds = matrix times motor speeds", t.matrix, joints, t.motors, print));
  }

  TextTable friction{"friction at the joints", {column("joint", "", print), column("law", "", print)}, {}};
  for (const auto& [body, law] : m.friction) friction.add({m.joint_names[body], friction_text(law)});
  if (!friction.rows.empty()) section.table(std::move(friction));
}

}  // namespace

std::string friction_text(const Friction<double>& law) {
  std::vector<std::string> parts;
  const auto number = [](double x) { return format_number(x, 6); };
  if (law.viscous != 0) parts.push_back(fmt::format("viscous {}", number(law.viscous)));
  if (law.coulomb_positive != 0 || law.coulomb_negative != 0)
    parts.push_back(fmt::format("Coulomb +{} -{}", number(law.coulomb_positive), number(law.coulomb_negative)));
  if (law.stribeck_velocity > 0)
    parts.push_back(fmt::format("breakaway +{} -{} (Stribeck speed {})", number(law.breakaway_positive),
                                number(law.breakaway_negative), number(law.stribeck_velocity)));
  if (!law.table.values.empty()) parts.push_back(fmt::format("table of {} values", law.table.values.size()));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

double total_mass(const Model<double>& model) {
  double mass = 0;
  for (const Body<double>& b : model.bodies) mass += b.inertia.m;
  return mass;
}

std::string robot_line(const Robot& robot) {
  return fmt::format("{}, {} coordinates, {} kg", joint_word(robot.model), robot.model.nv,
                     format_number(total_mass(robot.model), 6));
}

void describe_robot(Report& report, const Robot& robot, const PrintArguments& print) {
  const auto& [description, m] = robot;
  ReportSection& section = report.section("Robot");
  section.text(fmt::format("{}: {}", m.name, robot_line(robot)));
  if (!description.source.empty()) section.text(fmt::format("source: {}", description.source));
  section.table(tree_table(m, print));
  add_dh_table(section, description, print);
  section.table(mass_table(m, print));
  add_drives(section, robot, print);
  TextTable tools{
      "tools (position and axes in the link frame)", {column("tool", "", print), column("link", "", print)}, {}};
  for (const char* name : {"x", "y", "z"}) tools.columns.push_back(column(name, "m", print));
  for (const ToolDescription& tool : description.tools)
    tools.add({tool.name, tool.link, tool.X_link_tool.p.x, tool.X_link_tool.p.y, tool.X_link_tool.p.z});
  if (!tools.rows.empty()) section.table(std::move(tools));
  if (m.position_names != m.velocity_names)
    section.text(fmt::format("positions in order: {}", fmt::join(m.position_names, ", ")));
  section.text(fmt::format("gravity in the world: {} {} {} m/s²", print_number(m.gravity.x), print_number(m.gravity.y),
                           print_number(m.gravity.z)));
}

void describe_reach(Report& report, const Frame<double>& tool, const Reach& reach, const PrintArguments& print) {
  ReportSection& section = report.section("Reach");
  const auto metres = [&print](double x) { return format_number(x, print.significant()); };
  if (std::isinf(reach.bound)) {
    section.text(
        fmt::format("\"{}\" may get anywhere: a slide without limits, a planar or a free joint carries it", tool.name));
    return;
  }
  section.text(
      fmt::format("\"{}\" gets at most {} m from the base frame's origin (the sum of the distances along the chain)",
                  tool.name, metres(reach.bound)));
  std::string where;
  for (std::size_t k = 0; k < reach.q.size(); ++k)
    where += fmt::format("{}{}", k == 0 ? "" : " ", format_number(reach.q[k], 4));
  section.text(fmt::format("farthest position found inside the joint limits by a seeded search: {} m, at q = {}",
                           metres(reach.found), where));
}

}  // namespace torsor
