#include "torsor/files/robot_toml_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "torsor/model/check_loops.hpp"
#include "torsor/text/toml_text.hpp"

namespace torsor {
namespace {

/// `key = value`, or `key_deg = ...` where whole hundredths of a degree give exactly this angle.
std::string angle(std::string_view key, double radians) {
  const double degrees = std::round(radians * (18000 / std::numbers::pi)) / 100;
  if (degrees / 180 * std::numbers::pi == radians) return fmt::format("{}_deg = {}", key, toml_number(degrees));
  return fmt::format("{} = {}", key, toml_number(radians));
}

/// The entries of an inline table, those that are not empty.
std::string inline_table(std::initializer_list<std::string> entries) {
  std::string out = "{ ";
  for (const std::string& entry : entries)
    if (!entry.empty()) out += (out.size() > 2 ? ", " : "") + entry;
  return out + " }";
}

bool is_identity(const Mat3<double>& R) {
  const Mat3<double> E = R - Mat3<double>::identity();
  return norm(E.x) + norm(E.y) + norm(E.z) == 0;
}

/// position and matrix, as lines of a block or entries of an inline table; nothing for what is zero.
std::vector<std::string> pose(const Transform<double>& X) {
  std::vector<std::string> out;
  if (X.p.x != 0 || X.p.y != 0 || X.p.z != 0) out.push_back("position = " + toml_list(X.p));
  if (!is_identity(X.R)) {
    const Mat3<double> rows = ~X.R;
    out.push_back(fmt::format("matrix = [{}, {}, {}]", toml_list(rows.x), toml_list(rows.y), toml_list(rows.z)));
  }
  return out;
}

std::string part_lines(const Part& part) {
  std::string out = fmt::format("mass = {}\n", toml_number(part.mass));
  if (norm(part.com) != 0) out += fmt::format("com = {}\n", toml_list(part.com));
  const Sym3<double>& I = part.tensor;
  const bool diagonal = I.xy == 0 && I.xz == 0 && I.yz == 0, at_frame = part.about == InertiaAbout::frame_origin;
  if (diagonal && !at_frame) {
    if (I.xx != 0 || I.yy != 0 || I.zz != 0)
      out += fmt::format("inertia = {}\n", toml_list(Vec3<double>{I.xx, I.yy, I.zz}));
    return out;
  }
  const auto entry = [](const char* name, double x) { return fmt::format("{} = {}", name, toml_number(x)); };
  return out + "inertia = " +
         inline_table({entry("xx", I.xx), entry("yy", I.yy), entry("zz", I.zz), entry("xy", I.xy), entry("xz", I.xz),
                       entry("yz", I.yz), at_frame ? "about = \"frame\"" : "about = \"com\"",
                       "products = \"tensor\""}) +
         "\n";
}

/// Mass lines of a link or the base; several parts become a list of blocks under `block`.
std::string mass_lines(const std::vector<Part>& parts, const char* block) {
  if (parts.size() == 1) return part_lines(parts[0]);
  std::string out;
  for (const Part& part : parts) out += fmt::format("\n[[{}]]\n{}", block, part_lines(part));
  return out;
}

std::string joint_line(const LinkDescription& l) {
  const auto* place = std::get_if<JointPlacement>(&l.geometry);
  const Vec3<double> axis = place ? place->axis : Vec3<double>{0, 0, 1};
  const bool about_z = axis.x == 0 && axis.y == 0 && axis.z == 1;
  return "joint = " +
         inline_table({fmt::format("kind = \"{}\"", row(l.kind).name), "name = " + toml_text(l.joint_name),
                       has_axis(l.kind) && !about_z ? "axis = " + toml_list(axis) : "",
                       l.kind == JointKind::helical ? "pitch = " + toml_number(l.pitch) : "",
                       l.start ? "start = " + toml_number(*l.start) : ""}) +
         "\n";
}

std::string geometry_line(const LinkDescription& l, Convention convention) {
  if (const auto* dh = std::get_if<DhRow>(&l.geometry)) {
    const auto length = [](const char* key, double x) { return fmt::format("{} = {}", key, toml_number(x)); };
    return "dh = " +
           inline_table({angle("theta", dh->theta), length("d", dh->d), length("a", dh->a), angle("alpha", dh->alpha),
                         dh->beta != 0 ? angle("beta", dh->beta) : ""}) +
           "\n";
  }
  std::string entries;
  for (const std::string& entry : pose(std::get<JointPlacement>(l.geometry).X_parent_joint))
    entries += (entries.empty() ? "" : ", ") + entry;
  // beside DH rows a link without any line would be a row that is missing
  if (entries.empty() && convention != Convention::placement) entries = "position = [0, 0, 0]";
  return entries.empty() ? "" : "placement = { " + entries + " }\n";
}

std::string limits_line(const LinkDescription& l) {
  const Limits& b = l.limits;
  const bool bounded = std::isfinite(b.lower) && std::isfinite(b.upper);
  if (!bounded && std::isinf(b.velocity) && std::isinf(b.effort) && std::isinf(b.acceleration) &&
      std::isinf(b.deceleration) && std::isinf(b.jerk))
    return "";
  const auto one = [](const char* key, double x) {
    return std::isfinite(x) ? fmt::format("{} = {}", key, toml_number(x)) : "";
  };
  return "limits = " +
         inline_table({bounded ? "position = " + toml_list(std::vector{b.lower, b.upper}) : "",
                       one("velocity", b.velocity), one("effort", b.effort), one("acceleration", b.acceleration),
                       one("deceleration", b.deceleration), one("jerk", b.jerk)}) +
         "\n";
}

std::string friction_line(const LinkDescription& l) {
  if (!l.friction) return "";
  const Friction<double>& f = *l.friction;
  const auto pair = [](const char* key, double positive, double negative) {
    if (positive == 0 && negative == 0) return std::string();
    return fmt::format("{} = {}", key,
                       positive == negative ? toml_number(positive) : toml_list(std::vector{positive, negative}));
  };
  const bool stribeck = f.stribeck_velocity > 0;
  std::string table;
  if (!f.table.values.empty()) {
    const std::span<const double> values = f.table.values;
    const std::size_t columns = f.table.qd.size();
    std::string effort = toml_list(values);
    if (!f.table.q.empty()) {
      effort = "[";
      for (std::size_t i = 0; i < f.table.q.size(); ++i)
        effort += (i ? ", " : "") + toml_list(values.subspan(i * columns, columns));
      effort += "]";
    }
    table = "table = " + inline_table({f.table.q.empty() ? "" : "q = " + toml_list(f.table.q),
                                       "qd = " + toml_list(f.table.qd), "effort = " + effort});
  }
  return "friction = " +
         inline_table({l.friction_at_motor ? "on = \"motor\"" : "",
                       f.viscous != 0 ? "viscous = " + toml_number(f.viscous) : "",
                       pair("coulomb", f.coulomb_positive, f.coulomb_negative),
                       stribeck ? pair("breakaway", f.breakaway_positive, f.breakaway_negative) : "",
                       stribeck ? "stribeck_velocity = " + toml_number(f.stribeck_velocity) : "", table}) +
         "\n";
}

std::string link_block(const LinkDescription& l, Convention convention) {
  std::string out = "\n[[link]]\nname = " + toml_text(l.name) + "\n";
  if (l.parent) out += "parent = " + toml_text(*l.parent) + "\n";
  out += joint_line(l) + geometry_line(l, convention) + limits_line(l) + friction_line(l);
  if (l.rotor)
    out += "rotor = " +
           inline_table({"inertia = " + toml_number(l.rotor->inertia), "gear = " + toml_number(l.rotor->gear),
                         l.rotor->as_body ? "as = \"body\"" : ""}) +
           "\n";
  if (l.mimic)
    out += "mimic = " +
           inline_table({"joint = " + toml_text(l.mimic->joint), "ratio = " + toml_number(l.mimic->ratio),
                         "offset = " + toml_number(l.mimic->offset)}) +
           "\n";
  return out + mass_lines(l.parts, "link.part");
}

}  // namespace

std::string write_robot_toml(const Description& robot) {
  static constexpr const char* conventions[] = {"placement", "standard-dh", "modified-dh"};
  std::string out = "format = 1\n";
  if (!robot.name.empty()) out += "name = " + toml_text(robot.name) + "\n";
  if (!robot.source.empty()) out += "source = " + toml_text(robot.source) + "\n";
  out += fmt::format("convention = \"{}\"\n", conventions[static_cast<int>(robot.convention)]);
  out += "gravity = " + toml_list(robot.gravity) + "\n";
  if (!robot.accepted.empty())
    out += "accept = " + toml_list(robot.accepted) + "\naccept_reason = " + toml_text(robot.accept_reason) + "\n";

  const std::vector<std::string> base_pose = pose(robot.base);
  if (!base_pose.empty() || robot.base_name != "base" || !robot.base_parts.empty()) {
    out += "\n[base]\n";
    if (robot.base_name != "base") out += "name = " + toml_text(robot.base_name) + "\n";
    for (const std::string& line : base_pose) out += line + "\n";
    out += mass_lines(robot.base_parts, "base.part");
  }
  for (const LinkDescription& link : robot.links) out += link_block(link, robot.convention);
  for (const TransmissionDescription& t : robot.transmissions) {
    out += "\n[[transmission]]\nmotors = " + toml_list(t.motors) + "\njoints = " + toml_list(t.joints) + "\nmatrix = [";
    for (std::size_t i = 0; i < t.matrix.size(); ++i) out += (i ? ", " : "") + toml_list(t.matrix[i]);
    out += "]\n";
    if (!t.rotor_inertia.empty()) out += "rotor_inertia = " + toml_list(t.rotor_inertia) + "\n";
  }
  for (const LoopDescription& loop : robot.loops) {
    out += fmt::format("\n[[loop]]\nname = {}\nkind = \"{}\"\nlinks = {}\n", toml_text(loop.name),
                       loop_kind_name(loop.kind), toml_list(std::vector(loop.links.begin(), loop.links.end())));
    const auto frame = [&](const char* key, const Transform<double>& X) {
      if (const std::vector<std::string> entries = pose(X); !entries.empty())
        out += fmt::format("{} = {{ {} }}\n", key, fmt::join(entries, ", "));
    };
    frame("first", loop.X_link_loop[0]);
    frame("second", loop.X_link_loop[1]);
    if (loop.kind == MechanismJointKind::distance) out += "length = " + toml_number(loop.length) + "\n";
    if (!loop.actuated.empty()) out += "actuated = " + toml_list(loop.actuated) + "\n";
    if (!loop.passive.empty()) out += "passive = " + toml_list(loop.passive) + "\n";
  }
  for (const ToolDescription& tool : robot.tools) {
    out += "\n[[tool]]\nname = " + toml_text(tool.name) + "\nlink = " + toml_text(tool.link) + "\n";
    for (const std::string& line : pose(tool.X_link_tool)) out += line + "\n";
  }
  return out;
}

std::string robot_digest(const Description& d) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : write_robot_toml(d)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace torsor
