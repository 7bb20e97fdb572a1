#include "torsor/report/robot_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/how_many.hpp"
#include "torsor/report/dh_table.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/text/html.hpp"
#include "torsor/text/number.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/model/transmission.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"

namespace torsor {
namespace {

using Cell = TextTable::Cell;

// depth in the tree as indentation, up to where a screen ends; from there on as a number
std::string branch(const std::string& name, int depth) {
  constexpr int deepest = 20;
  const std::string indent(2 * static_cast<std::size_t>(std::min(depth, deepest)), ' ');
  return indent + (depth > deepest ? fmt::format("[{}] ", depth) : "") + name;
}

Cell finite(double x) { return std::isfinite(x) ? Cell(x) : Cell(std::string("-")); }

struct TreeRow {
  int link, depth;
};

// every link below the one that carries it, branch by branch: files may name the links of a tree in any order
std::vector<TreeRow> branch_by_branch(const Model<double>& m, int links) {
  std::vector<std::vector<int>> carried(static_cast<std::size_t>(links) + 1);
  for (int i = 0; i < links; ++i) carried[static_cast<std::size_t>(m[i].parent + 1)].push_back(i);
  std::vector<TreeRow> rows, open{{-1, -1}};
  while (!open.empty()) {
    const TreeRow row = open.back();
    open.pop_back();
    if (row.link >= 0) rows.push_back(row);
    const std::vector<int>& next = carried[static_cast<std::size_t>(row.link + 1)];
    for (auto link = next.rbegin(); link != next.rend(); ++link) open.push_back({*link, row.depth + 1});
  }
  return rows;
}

TextTable tree_table(const Robot& robot, const PrintStyle& print) {
  const Model<double>& m = robot.tree();
  TextTable table{"tree and limits"};
  for (const char* name : {"link", "joint", "kind", "parent", "lower", "upper", "unit", "speed", "effort"})
    table.columns.push_back(column(name, "", print));
  for (const std::size_t numbers : {4, 5, 7, 8}) table.columns[numbers].align = Align::decimal;
  // limits that few robots have
  std::vector<double Limits::*> rare;
  const auto add_if_any = [&](const char* name, double Limits::*limit, bool wanted) {
    if (!wanted || std::ranges::none_of(m.limits, [=](const Limits& l) { return std::isfinite(l.*limit); })) return;
    rare.push_back(limit);
    table.columns.push_back(column(name, "", print));
    table.columns.back().align = Align::decimal;
  };
  add_if_any("acceleration", &Limits::acceleration, true);
  add_if_any("deceleration", &Limits::deceleration,
             std::ranges::any_of(m.limits, [](const Limits& l) { return l.deceleration != l.acceleration; }));
  add_if_any("jerk", &Limits::jerk, true);
  const std::vector<CoordinateKind> kinds = velocity_kinds(m);
  for (const auto [i, depth] : branch_by_branch(m, links_of(robot))) {
    const Body<double>& b = m[i];
    const std::string parent = b.parent < 0 ? robot.description().base_name : m.link_names[b.parent];
    std::string kind(torsor::row(b.kind).name);
    const bool mimic = b.nv == 1 && m.velocity_names[b.v] != m.joint_names[i];
    if (mimic)
      kind +=
          fmt::format(" = {} {}{}", print_number(b.ratio), m.velocity_names[b.v],
                      b.offset == 0 ? "" : " + " + print_number(in_unit(b.offset, kind_of_joint(b), print.degrees)));
    TextTable::Row row{branch(m.link_names[i], depth), m.joint_names[i], std::move(kind), parent};
    if (mimic || b.nv == 0) {
      row.insert(row.end(), 5 + rare.size(), std::string(""));
    } else {
      const Limits& limits = m.limits[b.v];
      const auto shown = [&](double x) { return finite(in_unit(x, kinds[b.v], print.degrees)); };
      row.insert(row.end(), {shown(limits.lower), shown(limits.upper),
                             std::string(b.nv == 1 ? coordinate_unit(kinds[b.v], 0, print.degrees) : ""),
                             shown(limits.velocity), finite(limits.effort)});
      for (const auto limit : rare) row.push_back(shown(limits.*limit));
    }
    table.add(std::move(row));
  }
  return table;
}

// the author's rows, or those that the axes give; a tree has none
void add_dh_table(ReportSection& section, const Description& d, const PrintStyle& print) {
  const auto add_ends = [&](const Description& table_of) {
    for (const DhEnd& end : dh_ends(table_of, d.base)) section.text(to_text(end, print.significant()));
  };
  if (auto table = dh_table(d, print.significant())) {
    section.table(without_noise(*std::move(table)));
    add_ends(d);
    return;
  }
  const auto derived = to_dh(d, Convention::standard_dh);
  if (!derived) return;
  auto table = dh_table(derived->description, print.significant());
  if (!table) return;
  table->caption += fmt::format("; from the axes, tool within {:.1g} m", derived->position_residual);
  section.table(without_noise(*std::move(table)));
  add_ends(derived->description);
  for (const Snap& snap : derived->snaps)
    section.text(
        fmt::format("taken as special: {} (off by {:.2g} {})", snap.what, snap.residual, snap.is_angle ? "rad" : "m"));
}

TextTable mass_table(const Robot& robot, const PrintStyle& print) {
  const Description& d = robot.description();
  const Model<double>& m = robot.tree();
  TextTable table{"masses: mass centre and inertia about it, in the axes of the link frame",
                  {column("link", "", print), column("mass", "kg", print)}};
  for (const char* name : {"cx", "cy", "cz"}) table.columns.push_back(column(name, "m", print));
  for (const char* name : {"Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"})
    table.columns.push_back(column(name, "kg m²", print));
  const auto add = [&](const std::string& name, const Inertia<double>& J) {
    const Vec3<double> c = mass_centre(J);
    const Sym3<double> I = tensor_about_centre(J);
    table.add({name, J.m, c.x, c.y, c.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
  };
  if (!d.base_parts.empty()) add(fmt::format("{} (base)", d.base_name), inertia_of(d.base_parts));
  for (int i = 0; i < links_of(robot); ++i) add(m.link_names[i], inverse(m[i].link) * m[i].inertia);
  return without_noise(std::move(table));
}

void add_drives(ReportSection& section, const Robot& robot, const PrintStyle& print) {
  const Model<double>& m = robot.tree();
  TextTable rotors{"rotors",
                   {column("joint", "", print), column("inertia", "kg m²", print), column("gear", "", print),
                    column("unit", "", print), column("as", "", print), column("at the joint", "", print),
                    column("unit", "", print)}};
  for (const LinkDescription& link : robot.description().links)
    if (const auto& rotor = link.rotor) {
      // a motor that turns moves a slide through radians per metre
      const bool slide = link.kind == JointKind::prismatic;
      rotors.add({link.joint_name, rotor->inertia, rotor->gear, std::string(slide ? "rad/m" : "1"),
                  std::string(rotor->as_body ? "body" : "diagonal"), rotor->inertia * rotor->gear * rotor->gear,
                  std::string(slide ? "kg" : "kg m²")});
    }
  if (!rotors.rows.empty()) section.table(std::move(rotors));
  if (const int bodies = m.size() - links_of(robot); bodies > 0)
    section.text(
        fmt::format("{} of the rotors turn{} on the parent link as bodies of their own, beside the links above", bodies,
                    bodies == 1 ? "s" : ""));

  for (const Transmission& t : m.transmissions) {
    if (t.dofs.size() < 2) continue;
    std::vector<std::string> joints;
    for (const int dof : t.dofs) joints.push_back(m.velocity_names[dof]);
    section.table(
        matrix_table("transmission: joint speeds = matrix times motor speeds", t.matrix, joints, t.motors, print));
  }

  TextTable friction{"friction at the joints", {column("joint", "", print), column("law", "", print)}};
  for (const auto& [body, law] : m.friction) friction.add({m.joint_names[body], friction_text(law)});
  if (!friction.rows.empty()) section.table(std::move(friction));
}

}  // namespace

std::string joint_word(const Model<double>& model) {
  std::string word;
  for (const Body<double>& b : model.bodies) switch (b.kind) {
      case JointKind::fixed: break;
      case JointKind::revolute: word += 'R'; break;
      case JointKind::prismatic: word += 'P'; break;
      case JointKind::helical: word += 'H'; break;
      case JointKind::planar: word += 'E'; break;
      case JointKind::spherical: word += 'S'; break;
      case JointKind::free: word += 'F'; break;
    }
  // runs are counted: all alike, or too long to count by eye
  std::string text;
  for (std::size_t k = 0; k < word.size();) {
    const std::size_t end = std::min(word.find_first_not_of(word[k], k), word.size()), run = end - k;
    const bool counted = run > 3 || (run == word.size() && run > 1);
    text += counted ? fmt::format("{}{}", run, word[k]) : word.substr(k, run);
    k = end;
  }
  return text;
}

std::string effect_sentence(const TorqueDifference& effect) {
  return fmt::format(
      "torques of the robot as typed differ from it by up to {:.2g} of their size, {:.2g} N m or N at \"{}\", over "
      "random "
      "states",
      effect.relative, effect.effort, effect.joint);
}

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

double total_mass(const Robot& robot) {
  double mass = base_mass(robot);
  for (const Body<double>& b : robot.tree().bodies) mass += b.inertia.m;
  return mass;
}

double base_mass(const Robot& robot) {
  return robot.description().base_parts.empty() ? 0 : inertia_of(robot.description().base_parts).m;
}

int links_of(const Robot& robot) { return static_cast<int>(robot.description().links.size()); }

std::string joints_of(const Robot& robot) {
  Model<double> links;
  links.bodies.assign(robot.tree().bodies.begin(), robot.tree().bodies.begin() + links_of(robot));
  const std::string word = joint_word(links);
  return word.empty() ? "fixed" : word;
}

std::string robot_line(const Robot& robot) {
  const Model<double>& m = robot.coordinates();
  const std::string coordinates = m.nq != m.nv ? fmt::format("{} positions, {} velocities", m.nq, m.nv)
                                               : fmt::format("{} coordinate{}", m.nv, m.nv == 1 ? "" : "s");
  const double base = base_mass(robot);
  return fmt::format("{}, {}, {} kg{}", joints_of(robot), coordinates, format_number(total_mass(robot), 6),
                     base > 0 ? fmt::format(" ({} kg of them the base)", format_number(base, 6)) : "");
}

std::string robot_text(const Robot& robot) {
  constexpr std::size_t most = 12;
  const Model<double>& m = robot.tree();
  std::string text = fmt::format("<torsor.Robot '{}': {}>", printable(m.name), robot_line(robot));
  const std::vector<TreeRow> rows = branch_by_branch(m, links_of(robot));
  for (std::size_t k = 0; k < std::min(most, rows.size()); ++k) {
    const auto [i, depth] = rows[k];
    text += fmt::format("\n  {} ({} '{}')", branch(printable(m.link_names[i]), depth), row(m[i].kind).name,
                        printable(m.joint_names[i]));
  }
  return rows.size() > most ? fmt::format("{}\n  ... and {} more links", text, rows.size() - most) : text;
}

std::string robot_html(const Robot& robot) {
  Report report;
  describe_robot(report, robot, {});
  std::string html = "<h4>" + escape_html(robot.name()) + "</h4>";
  for (const ReportBlock& block : report.sections.front().blocks) {
    if (const auto* paragraph = std::get_if<Paragraph>(&block)) html += "<p>" + escape_html(paragraph->text) + "</p>";
    if (const auto* table = std::get_if<TextTable>(&block)) html += to_html(*table);
  }
  return html;
}

void describe_robot(Report& report, const Robot& robot, const PrintStyle& print) {
  const Description& description = robot.description();
  const Model<double>& m = robot.tree();
  ReportSection& section = report.section("Robot");
  section.text(fmt::format("{}: {}", m.name, robot_line(robot)));
  if (!description.source.empty()) section.text(fmt::format("source: {}", description.source));
  section.table(tree_table(robot, print));
  for (const std::string& sentence : loop_sentences(robot)) section.text(sentence);
  if (!robot.loops()) add_dh_table(section, description, print);
  section.table(mass_table(robot, print));
  add_drives(section, robot, print);
  TextTable tools{"tools, in the frames of their links", {column("tool", "", print), column("link", "", print)}};
  for (const char* name : {"x", "y", "z"}) tools.columns.push_back(column(name, "m", print));
  const auto angle = [&print](double x) { return in_unit(x, CoordinateKind::angle, print.degrees); };
  for (const char* name : {"roll", "pitch", "yaw"})
    tools.columns.push_back(column(name, std::string(coordinate_unit(CoordinateKind::angle, 0, print.degrees)), print));
  for (const ToolDescription& tool : description.tools) {
    const Vec3<double>& p = tool.X_link_tool.p;
    const RollPitchYaw angles = roll_pitch_yaw(tool.X_link_tool.R);
    tools.add({tool.name, tool.link, p.x, p.y, p.z, angle(angles.roll), angle(angles.pitch), angle(angles.yaw)});
  }
  if (!tools.rows.empty()) section.table(without_noise(std::move(tools)));
  if (!robot.loops() && m.position_names != m.velocity_names)
    section.text(fmt::format("positions in order: {}", fmt::join(m.position_names, ", ")));
  section.text(fmt::format("gravity in the world: {} {} {} m/s²", print_number(m.gravity.x), print_number(m.gravity.y),
                           print_number(m.gravity.z)));
}

void describe_reach(Report& report, const Model<double>& model, const Frame<double>& tool, const Reach& reach,
                    const PrintStyle& print) {
  ReportSection& section = report.section("Reach");
  const auto metres = [&print](double x) { return format_number(x, print.significant()); };
  if (std::isinf(reach.bound)) {
    section.text(fmt::format(
        "\"{}\" may get anywhere: a prismatic joint without limits, a planar or a free joint carries it", tool.name));
    return;
  }
  section.text(
      fmt::format("\"{}\" gets at most {} m from the base frame's origin (the sum of the distances along the chain)",
                  tool.name, metres(reach.bound)));
  std::string where;
  const std::vector<CoordinateKind> kinds = position_kinds(model);
  const char* const unit =
      print.degrees && std::ranges::count(kinds, CoordinateKind::angle) > 0 ? " (angles in deg)" : "";
  for (std::size_t k = 0; k < reach.q.size(); ++k)
    where += fmt::format("{}{}", k == 0 ? "" : " ", format_number(in_unit(reach.q[k], kinds[k], print.degrees), 4));
  constexpr std::size_t printable = 64;
  section.text(fmt::format(
      "farthest position found inside the joint limits by a seeded search: {} m, at {}", metres(reach.found),
      reach.q.size() <= printable ? "q = " + where + unit
                                  : fmt::format("a position of {} numbers (--json has them)", reach.q.size())));
  if (reach.cut_short)
    section.text("the search was cut short, since so many links take their time: a longer one might find more");
}

Report robot_report(const Robot& robot, const Frame<double>& tool, const std::optional<Reach>& reach,
                    std::optional<std::span<const double>> figure_at, const PrintStyle& print) {
  const Model<double>& m = robot.coordinates();
  Report report{robot.name(), ""};
  report.verdict = {fmt::format("{}, {} kg{}.", how_many(m.nv, "degree of freedom", "degrees of freedom"),
                                format_number(total_mass(robot), 4),
                                reach && std::isfinite(reach->bound)
                                    ? fmt::format("; {} reaches {} m", tool.name, format_number(reach->found, 4))
                                    : std::string()),
                    Tone::plain};
  if (figure_at) {
    MovingView view = joint_range_view(robot, "The robot, one joint at a time through its range", *figure_at);
    view.note += std::string(view.note.empty() ? "" : " ") +
                 (robot.loops() ? "The other independent joints stay where they are."
                                : "The other joints stay where they are.");
    report.section("Picture").figure(std::move(view));
  }
  describe_robot(report, robot, print);
  if (reach) describe_reach(report, m, tool, *reach, print);
  return report;
}

}  // namespace torsor
