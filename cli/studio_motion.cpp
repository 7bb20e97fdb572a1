// Motions for the Studio: through way points of the joints or of the tool, of a file that was dropped, or of the library; sampled
// with torques by cause and the poses of all links.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/motion_job.hpp"
#include "cli/studio_robot.hpp"
#include "torsor/codegen/work_folder.hpp"
#include "torsor/fast/terms.hpp"
#include "torsor/files/load_motion.hpp"
#include "torsor/model/degree_watch.hpp"
#include "torsor/text/number.hpp"
#include "torsor/trajectory.hpp"
#include "torsor/trajectory/published_path.hpp"
#include "torsor/trajectory/showing_motion.hpp"

namespace torsor {
namespace {

void add_instant(StudioMotion& m, double t, std::span<const double> q, std::span<const double> qd,
                 std::span<const double> qdd) {
  m.t.push_back(t);
  m.q.insert(m.q.end(), q.begin(), q.end());
  m.qd.insert(m.qd.end(), qd.begin(), qd.end());
  m.qdd.insert(m.qdd.end(), qdd.begin(), qdd.end());
}

std::string toml_list(std::span<const double> numbers) {
  std::string text = "[";
  for (const double x : numbers) text += (text.size() > 1 ? ", " : "") + print_number(x);
  return text + "]";
}

/// The points of a page as a motion file: read as any other.
std::string toml_of(const StudioRequest& in, std::size_t nq) {
  const bool of_tool = in.text_or("space", "joints") == "tool";
  std::string text = fmt::format("motion = \"{}\"\n", of_tool ? "tool" : "joints");
  const auto word = [&](const char* key) {
    const std::string value = in.text(key);
    if (!std::all_of(value.begin(), value.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }))
      refuse_call(key, "call-field", "it is not a word");
    text += fmt::format("{} = \"{}\"\n", key, value);
  };
  if (in.has("path")) word("path");
  if (in.has("law")) word("law");
  // a pace that any arm of a metre keeps; stops at the corners
  if (of_tool)
    text += fmt::format(
        "limits = {{ velocity = {0}, acceleration = {1}, angular_velocity = {2}, angular_acceleration = {3} }}\n",
        print_number(in.number_or("speed", 0.4)), 2, 1.5, 6);
  // the one on the way of an arc has no orientation
  const bool arc = of_tool && in.text_or("path", "") == "arc";
  std::size_t count = 0;
  bool first = true;
  for (const StudioRequest& point : in.items("points")) {
    text += "\n[[point]]\n";
    if (of_tool && arc && ++count == 2)
      text += fmt::format("position = {}\n", toml_list(point.numbers("position", 3)));
    else if (of_tool)
      text += fmt::format("position = {}\nquaternion = {}\n", toml_list(point.numbers("position", 3)),
                          toml_list(point.numbers("quaternion", 4)));
    else
      text += fmt::format("q = {}\n", toml_list(point.numbers("q", nq)));
    if (!of_tool && !first) text += fmt::format("duration = {}\n", print_number(point.number_or("duration", 1)));
    if (!of_tool && point.number_or("wait", 0) > 0)
      text += fmt::format("wait = {}\n", print_number(point.number("wait")));
    first = false;
  }
  if (in.truth_or("fastest", false)) text += "\n[scale]\nrobot = [\"velocity\", \"effort\"]\n";
  return text;
}

/// A table of joint positions that was dropped; its faults have its own name.
MotionTable table_of(const Model<double>& model, const std::string& text, const std::string& name) {
  constexpr std::size_t most_rows = 200'000;
  const WorkFolder folder;
  const auto file = folder.write("motion.csv", text);
  if (!file) throw_error(file.faults());
  auto table = load_motion_table(model, *file, most_rows);
  if (table) return *std::move(table);
  Faults faults = table.faults();
  for (Fault& f : faults) f.where.file = name;
  throw_error(faults);
}

void sample_motion(const Trajectory& motion, std::size_t nv, int count, StudioMotion& rows) {
  std::vector<double> q(motion.size()), qd(nv), qdd(nv);
  for (int k = 0; k < count; ++k) {
    const double t = motion.duration() * k / (count - 1);
    motion.sample(t, q, qd, qdd);
    add_instant(rows, t, q, qd, qdd);
  }
}

void follow_tool(const InverseKinematics& solver, ToolPath path, std::span<const double> near, int count,
                 StudioMotion& rows) {
  if (!path.sampled) path.period = path.duration / (count - 1);
  IkChoice choice;
  choice.near = std::vector<double>(near.begin(), near.end());
  const PathStart start = solver.start(path, choice);
  const FollowedPath followed = solver.follow(path, start.q.empty() ? near : std::span<const double>(start.q));
  for (const PathSample& s : followed.samples) add_instant(rows, s.t, s.q, s.qd, s.qdd);
  if (!followed.finished()) rows.notes.push_back(explanation(followed, solver.model()));
}

}  // namespace

void StudioRobot::motion_file(const StudioRequest& in, StudioAnswer& out) {
  out.json.field("text", toml_of(in, static_cast<std::size_t>(robot_.nq())));
}

StudioMotion StudioRobot::sampled(const StudioRequest& in, const StudioLoaded& at) const {
  const Model<double>& m = robot_.model();
  if (m.nq != m.nv)
    refuse_call("motion", "motion-robot", "joints with several coordinates have no motion here", "take an arm of it");
  const auto n = static_cast<std::size_t>(m.nv);
  const int count = in.whole_or("samples", 2, 2000, 401);
  const std::string kind = in.text("kind");
  StudioMotion rows;
  std::string& name = rows.name;
  const auto planned = [&](const PlannedMotion& p) {
    rows.notes = p.notes;
    if (p.scaling) rows.notes.push_back(torsor::describe(*p.scaling, m));
    if (const Trajectory* joints = p.joints()) {
      sample_motion(*joints, n, count, rows);
      return;
    }
    if (!solver_) refuse_call("motion", "tool-missing", "the robot has no tool that could follow it");
    const std::vector<double> near =
        p.start && p.start->size() == n ? std::vector<double>(p.start->begin(), p.start->end()) : in.numbers("near", n);
    follow_tool(*solver_, tool_path(*p.tool()), near, count, rows);
  };
  if (kind == "usual") {
    const NamedMotion usual = motion_to_show(m, name_, held_);
    name = usual.name;
    sample_motion(usual.motion, n, count, rows);
  } else if (kind == "published") {
    const PublishedPath* const path = published_path(name_);
    if (!path) refuse_call(name_, "motion-published", "no path of its tool is published with the library");
    if (!solver_) refuse_call("motion", "tool-missing", "the robot has no tool that could follow it");
    name = path->source;
    const auto read = load_motion(name_);
    if (!read) throw_error(read.faults());
    planned(*read);
  } else if (kind == "points") {
    const auto read = read_motion_toml(toml_of(in, n), "way points", &at.robot.model());
    if (!read) throw_error(read.faults());
    planned(*read);
  } else if (kind == "table") {
    name = in.text("name");
    const MotionTable table = table_of(m, in.text("text"), name);
    const auto read = trajectory_of(table);
    if (!read) throw_error(read.faults());
    if (table.derived != Derived::nothing) rows.notes.emplace_back(derived_from(table.derived));
    if (!table.degree_suspicion.empty())
      rows.notes.push_back(degrees_sentence(table.degree_suspicion, "a unit in the names of the columns"));
    if (table.jumps) rows.notes.push_back(torsor::describe(table.jumps, m));
    sample_motion(*read, n, count, rows);
  } else {
    refuse_call("kind", "call-field", "it is not usual, published, points or table");
  }
  return rows;
}

void StudioRobot::motion(const StudioRequest& in, StudioAnswer& out) {
  const Model<double>& m = robot_.model();
  const auto n = static_cast<std::size_t>(m.nv);
  StudioLoaded& at = loaded(in);
  const StudioMotion rows = sampled(in, at);
  std::vector<double> tau, inertia, coriolis, gravity, friction, poses, tool, speed, manipulability, least;
  const auto append = [](std::vector<double>& to, std::span<const double> x) {
    to.insert(to.end(), x.begin(), x.end());
  };
  at.dynamics.set_loads({});
  for (std::size_t k = 0; k < rows.t.size(); ++k) {
    const std::span<const double> q = std::span<const double>(rows.q).subspan(k * n, n),
                                  qd = std::span<const double>(rows.qd).subspan(k * n, n),
                                  qdd = std::span<const double>(rows.qdd).subspan(k * n, n);
    write_poses(at.dynamics, q, poses);
    if (!tool_) continue;
    const Terms parts = terms(at.dynamics, q, qd, qdd, *tool_);
    append(tau, parts.tau);
    for (std::size_t i = 0; i < n; ++i) {
      inertia.push_back(0);
      for (std::size_t j = 0; j < n; ++j) inertia.back() += parts.M[i * n + j] * qdd[j];
    }
    append(coriolis, parts.C_qd);
    append(gravity, parts.gravity);
    append(friction, parts.friction);
    const Vec3<double>& p = parts.X_world_tool.p;
    append(tool, std::array{p.x, p.y, p.z});
    std::array<double, 3> v{};
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t i = 0; i < n; ++i) v[r] += parts.J[(3 + r) * n + i] * qd[i];
    speed.push_back(std::hypot(v[0], v[1], v[2]));
    const ToolDirections freedom = directions(parts.J, p, X_);
    manipulability.push_back(freedom.product);
    least.push_back(freedom.least);
  }
  out.json.field("name", rows.name).key("notes").value(std::span<const std::string>(rows.notes));
  out.rows("t", rows.t);
  out.rows("q", rows.q, n);
  out.rows("qd", rows.qd, n);
  out.rows("qdd", rows.qdd, n);
  out.rows("tau", tau, n);
  out.rows("inertia", inertia, n);
  out.rows("coriolis", coriolis, n);
  out.rows("gravity", gravity, n);
  out.rows("friction", friction, n);
  out.rows("tool", tool, 3);
  out.rows("tool_speed", speed);
  out.rows("manipulability", manipulability);
  out.rows("least_singular_value", least);
  out.rows("poses", poses, 7);
}

}  // namespace torsor
