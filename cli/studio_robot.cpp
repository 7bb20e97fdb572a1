#include "cli/studio_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/report/robot_summary.hpp"
#include "cli/studio_run.hpp"
#include "torsor/check/examination.hpp"
#include "torsor/control.hpp"
#include "torsor/fast/terms.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/mass_spread.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/numeric_ik/ik_result.hpp"
#include "torsor/numeric_ik/nearest_solution.hpp"
#include "torsor/report/page_columns.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/trajectory/published_path.hpp"
#include "torsor/trajectory/showing_motion.hpp"

namespace torsor {
namespace {

using Clock = std::chrono::steady_clock;

/// What the library took, in microseconds.
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

void bound_field(JsonWriter& json, const char* name, double x) {
  if (std::isfinite(x))
    json.field(name, x);
  else
    json.field(name, nullptr);
}

void write_coordinates(const Model<double>& m, JsonWriter& json) {
  const std::vector<CoordinateKind> kinds = position_kinds(m), rates = velocity_kinds(m);
  const auto kind_name = [](CoordinateKind k) {
    return k == CoordinateKind::angle ? "angle" : k == CoordinateKind::length ? "length" : "quaternion";
  };
  json.key("positions").begin_array();
  for (std::size_t k = 0; k < kinds.size(); ++k)
    json.begin_object().field("name", m.position_names[k]).field("kind", kind_name(kinds[k])).end_object();
  json.end_array().key("velocities").begin_array();
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const Limits& l = m.limits[k];
    json.begin_object().field("name", m.velocity_names[k]).field("kind", kind_name(rates[k]));
    bound_field(json, "lower", l.lower);
    bound_field(json, "upper", l.upper);
    bound_field(json, "velocity", l.velocity);
    bound_field(json, "effort", l.effort);
    bound_field(json, "acceleration", l.acceleration);
    // the position that moves with it, where there is one
    int position = -1, body = -1;
    for (int i = 0; i < m.size(); ++i)
      if (m[i].nv == 1 && m[i].v == static_cast<int>(k) && (position < 0 || m.joint_names[i] == m.velocity_names[k]))
        position = m[i].q, body = i;
    json.field("position", position).field("body", body);
    bool rubs = false;
    for (const auto& f : m.friction) rubs = rubs || f.body == body;
    json.field("friction", rubs).field("rotor", m.rotor[k] != 0).end_object();
  }
  json.end_array();
}

/// Mass, mass centre and the homogeneous ellipsoid of the same moments: semi-axes sqrt(5) sigma, in the frame of the body.
void write_bodies(const Model<double>& m, JsonWriter& json) {
  json.key("bodies").begin_array();
  for (int i = 0; i < m.size(); ++i) {
    const Body<double>& b = m[i];
    json.begin_object().field("link", m.link_names[i]).field("joint", m.joint_names[i]).field("parent", b.parent);
    json.field("kind", row(b.kind).name).field("velocity", b.nv > 0 ? b.v : -1).field("nv", b.nv);
    json.field("mass", b.inertia.m);
    if (b.inertia.m > 0) {
      const Vec3<double> c = b.inertia.h * (1 / b.inertia.m);
      const Sym3<double> I = tensor_about_centre(b.inertia);
      std::array<double, 9> A{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, axes{};
      symmetric_eigen<double>(A, 3, axes);
      const MassSpread spread = mass_spread(b.inertia.m, I);
      std::array<double, 3> half{};
      for (std::size_t k = 0; k < 3; ++k) half[k] = std::sqrt(5 * std::max(0.0, spread.variances[k]));
      json.key("centre").value(std::span<const double>(std::array{c.x, c.y, c.z}));
      json.key("ellipsoid").value(std::span<const double>(half));
      json.key("axes").value(std::span<const double>(axes));  // rows x, y, z; a column per semi-axis
    }
    // the file's own frame of the link
    std::vector<double> pose;
    append_poses(std::span(&b.link, 1), pose);
    json.key("link_frame").value(std::span<const double>(pose)).end_object();
  }
  json.end_array();
}

Faults findings_of(const Robot& robot) {
  Faults out;
  const auto take = [&out](const Finding& f) {
    out.push_back(f.error);
    out.back().severity = f.severity;
  };
  for (const Finding& f : examine(robot.description(), robot.model()).findings) take(f);
  append_notes(robot.description().notes, out);
  return out;
}

}  // namespace

StudioRobot::StudioRobot(Robot robot, std::string name)
    : robot_(std::move(robot)), name_(std::move(name)), X_(robot_.model().bodies.size()) {
  const auto tool = robot_.find_frame();
  if (!tool || tool->body < 0) return;
  tool_ = *tool;
  solver_ = std::make_unique<InverseKinematics>(robot_, *tool_);
  if (solver_->gives_all() || !solver_->redundant()) return;
  const RedundantArm& arm = *solver_->redundant();
  held_ = arm.chain().coordinate[static_cast<std::size_t>(arm.held())];
}

StudioRobot::~StudioRobot() = default;

void StudioRobot::describe(StudioAnswer& out) {
  const Model<double>& m = robot_.model();
  JsonWriter& json = out.json;
  json.field("kind", "robot")
      .field("title", m.name)
      .field("source", robot_.description().source)
      .field("line", robot_line(robot_));
  json.field("nq", m.nq).field("nv", m.nv).field("joints", joints_of(robot_));
  json.field("has_mass", robot_.without_masses().empty());
  json.key("gravity").value(std::span<const double>(std::array{m.gravity.x, m.gravity.y, m.gravity.z}));
  write_coordinates(m, json);
  write_bodies(m, json);
  json.key("tools").begin_array();
  for (const Frame<double>& f : m.frames) json.value(f.name);
  json.end_array();
  if (tool_) json.field("tool", tool_->name).field("tool_body", tool_->body);
  json.key("inverse_kinematics").begin_object();
  if (solver_) {
    json.field("all", solver_->gives_all()).field("redundant", held_.has_value());
    if (held_) json.field("held", m.position_names[static_cast<std::size_t>(*held_)]).field("held_position", *held_);
    json.key("explained").value(std::span<const std::string>(solver_->explain()));
  }
  json.end_object();
  json.field("control_refusal", control_refusal(m));
  const std::vector<double> q = neutral_position(m);
  json.key("neutral").value(std::span<const double>(q));
  const std::vector<double> start = opening_posture(m, name_, held_);
  json.key("start").value(std::span<const double>(start));
  if (const PublishedPath* const path = published_path(name_)) json.field("published", path->source);
  RobotMotion still;
  still.add(0, start);
  PageColumns unused;
  json.key("view");
  write_data(robot_view(m, m.name, still), json, unused);
  write_faults(json, "findings", findings_of(robot_));
}

StudioLoaded& StudioRobot::loaded(const StudioRequest& in) {
  const auto payload = in.numbers_if("payload", 4), gravity = in.numbers_if("gravity", 3);
  std::vector<double> key;
  for (const auto* part : {&payload, &gravity}) {
    key.push_back(*part ? 1 : 0);
    if (*part) key.insert(key.end(), (*part)->begin(), (*part)->end());
  }
  if (loaded_ && loaded_->key == key) return *loaded_;
  Robot robot = robot_;
  if (payload && (*payload)[0] != 0) {
    if (!tool_) refuse_call("payload", "tool-missing", "the robot has no tool that could hold one");
    const Payload body{(*payload)[0], {(*payload)[1], (*payload)[2], (*payload)[3]}, {}};
    if (const Faults faults = faults_of(body); !faults.empty()) throw_error(faults);
    robot = robot.with_payload(body, *tool_);
  }
  if (gravity) robot = robot.with_gravity({(*gravity)[0], (*gravity)[1], (*gravity)[2]});
  DynamicsOptions options;
  options.tool = tool_;
  Dynamics dynamics(robot, options);
  return loaded_.emplace(StudioLoaded{std::move(key), std::move(robot), std::move(dynamics)});
}

void StudioRobot::write_poses(Dynamics& dynamics, std::span<const double> q, std::vector<double>& out) {
  dynamics.poses(q, X_);
  append_poses(X_, out);
}

ToolDirections tool_directions(std::span<const double> J, int nv, double length) {
  const auto n = static_cast<std::size_t>(nv);
  ToolDirections out{std::vector<double>(3), std::vector<double>(9), std::vector<double>(6)};
  std::vector<double> linear(J.begin() + static_cast<std::ptrdiff_t>(3 * n), J.end()), all(J.begin(), J.end()), U(36);
  singular_values<double>(linear, 3, nv, out.axes, out.sigma);
  for (std::size_t k = 3 * n; k < 6 * n; ++k) all[k] /= length;
  singular_values<double>(all, 6, nv, U, out.singular_values);
  const std::size_t count = std::min<std::size_t>(6, n);
  out.least = out.singular_values[count - 1];
  out.product = 1;
  for (std::size_t k = 0; k < count; ++k) out.product *= out.singular_values[k];
  return out;
}

double StudioRobot::arm_length() const {
  double length = norm(tool_->X_body_frame.p);
  for (int i = tool_->body; i >= 0; i = robot_.model()[i].parent) length += norm(robot_.model()[i].placement.p);
  return length > 0 ? length : 1;
}

void StudioRobot::state(const StudioRequest& in, StudioAnswer& out) {
  const auto nq = static_cast<std::size_t>(robot_.nq()), nv = static_cast<std::size_t>(robot_.nv());
  const std::vector<double> q = in.numbers("q", nq), zero(nv, 0.0), qd = in.numbers_if("qd", nv).value_or(zero),
                            qdd = in.numbers_if("qdd", nv).value_or(zero);
  StudioLoaded& at = loaded(in);
  Loads loads;
  if (const auto wrench = in.numbers_if("wrench", 6)) {
    if (!tool_) refuse_call("wrench", "tool-missing", "the robot has no tool that one could act on");
    const std::vector<double>& w = *wrench;  // as --wrench: force, then moment
    loads.add_wrench(*tool_, {{w[3], w[4], w[5]}, {w[0], w[1], w[2]}});
  }
  const auto start = Clock::now();
  at.dynamics.set_loads(loads);
  const Frame<double> tool = tool_ ? *tool_ : Frame<double>{"base", -1, {}};
  JsonWriter& json = out.json;
  std::vector<double> poses;
  if (nv > 0 && tool_) {
    const Terms t = terms(at.dynamics, q, qd, qdd, tool);
    write_poses(at.dynamics, q, poses);
    const double took = since(start);
    std::vector<double> inertial(nv);
    for (std::size_t k = 0; k < nv * nv; ++k) inertial[k / nv] += t.M[k] * qdd[k % nv];
    const auto field = [&json](const char* name, std::span<const double> numbers) { json.key(name).value(numbers); };
    field("tau", t.tau);
    json.key("causes").begin_object();
    field("inertia", inertial);
    field("coriolis", t.C_qd);
    field("gravity", t.gravity);
    field("friction", t.friction);
    field("load", t.load);
    json.end_object();
    field("bias", t.bias);
    field("M", t.M);
    field("C", t.C);
    json.field("positive_definite", t.bad_pivot < 0);
    json.field("kinetic_energy", t.energy.kinetic)
        .field("potential_energy", t.energy.potential)
        .field("mass", t.energy.mass);
    const Vec3<double> c = t.energy.mass > 0 ? t.energy.first_moment * (1 / t.energy.mass) : Vec3<double>{};
    field("mass_centre", std::array{c.x, c.y, c.z});
    json.key("tool");
    write_value(json, t.X_world_tool);
    // in the world, at the joints
    std::vector<double> reactions;
    for (std::size_t i = 0; i < t.reactions.size(); ++i) {
      const Vec3<double> f = X_[i].R * t.reactions[i].f, n = X_[i].R * t.reactions[i].n;
      reactions.insert(reactions.end(), {f.x, f.y, f.z, n.x, n.y, n.z});
    }
    field("reactions", reactions);
    const ToolDirections freedom = tool_directions(t.J, robot_.nv(), arm_length());
    json.key("velocity_ellipsoid").begin_object();
    field("sigma", freedom.sigma);
    field("axes", freedom.axes);
    json.end_object();
    field("singular_values", freedom.singular_values);
    json.field("least_singular_value", freedom.least).field("manipulability", freedom.product);
    json.field("microseconds", took);
  } else {
    write_poses(at.dynamics, q, poses);
  }
  out.rows("poses", poses, 7);
}

void StudioRobot::solve(const StudioRequest& in, StudioAnswer& out) {
  if (!solver_) refuse_call("solve", "tool-missing", "the robot has no tool that could be moved");
  const std::vector<double> position = in.numbers("position", 3),
                            near = in.numbers("near", static_cast<std::size_t>(robot_.nq()));
  const auto turned = [&] {
    if (const auto rpy = in.numbers_if("rpy", 3)) return rotation_rpy((*rpy)[0], (*rpy)[1], (*rpy)[2]);
    const std::vector<double> e = in.numbers("quaternion", 4);
    return rotation(normalized(Quaternion<double>{e[0], e[1], e[2], e[3]}));
  };
  const Transform<double> X{turned(), {position[0], position[1], position[2]}};
  const auto start = Clock::now();
  IkChoice all, nearest;
  nearest.near = near;
  std::optional<IkSolutions> found;
  IkSolutions one;
  if (held_) {
    const JointChain& chain = solver_->redundant()->chain();
    const auto solve_at = [&](double redundancy) {
      all.redundancy = redundancy;
      found = solver_->solve(X, all);
      one = *found;
      if (const auto next = nearest_solution(chain, found->found, near)) one.found = {*next};
    };
    const auto held = static_cast<std::size_t>(*held_);
    solve_at(in.number_or("redundancy", near[held]));
    // who moves the redundancy does not leave the limits by it
    if (in.has("redundancy") && !one.empty() && !one[0].inside_limits) one.found.clear();
    // the tool goes on where the joint that is held has to move, too
    if (!in.has("redundancy") && (one.empty() || !one[0].inside_limits)) {
      const IkSolutions free = solver_->solve(X, nearest);
      if (!free.empty())
        solve_at(free[0].q[held]);
      else if (one.empty())
        one = free;
    }
  } else {
    if (solver_->gives_all()) found = solver_->solve(X, all);
    one = solver_->solve(X, nearest);
  }
  const double took = since(start);
  JsonWriter& json = out.json;
  const CartesianState at{X, {}, {}};
  std::vector<std::vector<double>> positions;
  json.key("result");
  if (solver_->closed() && found) {
    const IkResult result = ik_result(*solver_, at, *found);
    write_json(json, result);
    for (const IkBranchRow& b : result.branches) positions.emplace_back(b.branch.q.begin(), b.branch.q.end());
  } else if (found) {
    PoseSolutions result = pose_solutions(*solver_, at, *found, false);
    if (held_) result.redundancy = all.redundancy;
    if (held_ && in.truth_or("feasible", false)) result.feasible = *solver_->feasible(X);
    write_json(json, result);
    for (const SolutionRow& s : result.solutions) positions.push_back(s.solution.q);
  } else {
    const PoseSolutions result = pose_solutions(*solver_, at, one, false);
    write_json(json, result);
    for (const SolutionRow& s : result.solutions) positions.push_back(s.solution.q);
  }
  json.field("status", status_name(one.status)).field("short_by", one.short_by);
  const IkSolution* const chosen = !one.empty() ? &one[0] : one.nearest ? &*one.nearest : nullptr;
  if (chosen) json.key("nearest").value(std::span<const double>(chosen->q));
  std::vector<double> poses;
  StudioLoaded& engine = loaded_ ? *loaded_ : loaded(in);
  for (const std::vector<double>& q : positions)
    if (q.size() == static_cast<std::size_t>(robot_.nq())) write_poses(engine.dynamics, q, poses);
  std::vector<double> wanted;
  append_poses(std::span(&X, 1), wanted);
  json.key("quaternion").value(std::span<const double>(wanted).subspan(3));
  json.field("microseconds", took);
  out.rows("ghosts", poses, 7);
}

}  // namespace torsor
