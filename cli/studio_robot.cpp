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

/// What carries the whole of it is free: a body of the world by a free joint.
bool is_free_base(const Model<double>& m, int body) { return m[body].parent < 0 && m[body].kind == JointKind::free; }

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

StudioRobot::StudioRobot(Robot robot, std::string name, const std::string& wanted)
    : robot_(std::move(robot)), name_(std::move(name)), X_(robot_.model().bodies.size()) {
  const auto tool = robot_.find_frame(wanted.empty() ? nullptr : &wanted);
  if (!tool && !wanted.empty()) throw_error(tool.faults());
  if (!tool || tool->body < 0) return;
  tool_ = *tool;
  const Model<double>& m = robot_.model();
  for (int i = tool_->body; i >= 0; i = m[i].parent)
    if (m[i].nv > 0 && !is_free_base(m, i)) chain_.insert(chain_.begin(), i);
  // as joint_chain measures it: from joint to joint, as they are placed
  Transform<double> X;  // of a joint, seen from what lies before it
  double all = 0;
  bool begun = false;
  for (int i = tool_->body; i >= 0 && !chain_.empty(); i = m[i].parent) {
    const bool moves = m[i].kind != JointKind::fixed;
    if (moves && begun) all += norm(X.p);
    X = moves ? m[i].placement : m[i].placement * X;
    begun = begun || moves;
    if (i == chain_.front()) break;
  }
  const bool slides = std::ranges::any_of(chain_, [&](int i) { return m[i].kind == JointKind::prismatic; });
  length_ = all > 0 ? all : slides ? 1 : std::max(norm(tool_->X_body_frame.p), 1e-3);
  // of a leg on a free base that cannot turn its foot as well, where the foot is counts alone
  bool any_free = false;
  for (int i = 0; i < m.size(); ++i) any_free = any_free || is_free_base(m, i);
  place_alone_ = chain_.size() < 6 && any_free;
  solver_ = std::make_unique<InverseKinematics>(robot_, *tool_,
                                                place_alone_ ? IkTask{TaskWeights::position()} : IkTask{});
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
  // what may be moved: the tools of the file, then its links
  json.key("tools").begin_array();
  for (const Frame<double>& f : m.frames) json.value(f.name);
  for (const std::string& link : m.link_names)
    if (std::ranges::find(m.frames, link, &Frame<double>::name) == m.frames.end()) json.value(link);
  json.end_array();
  if (tool_) json.field("tool", tool_->name).field("tool_body", tool_->body).field("unit_length", length_);
  for (int i = 0; i < m.size(); ++i)
    if (is_free_base(m, i)) json.field("free_base", i);
  json.key("inverse_kinematics").begin_object();
  if (solver_) {
    json.field("all", solver_->gives_all()).field("redundant", held_.has_value()).field("place_alone", place_alone_);
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

ToolDirections StudioRobot::directions(std::span<const double> J, const Vec3<double>& tool,
                                       std::span<const Transform<double>> X, std::optional<int> held) const {
  const Model<double>& m = robot_.model();
  const auto nv = static_cast<std::size_t>(m.nv);
  struct Column {
    std::size_t v;
    bool slides;
  };
  std::vector<Column> columns;
  for (const int i : chain_)
    for (int k = 0; k < m[i].nv; ++k) {
      const auto v = static_cast<std::size_t>(m[i].v + k);
      const bool known = std::ranges::any_of(columns, [&](const Column& c) { return c.v == v; });
      if (!known && !(held && m[i].nv == 1 && m[i].q == *held))
        columns.push_back({v, m[i].kind == JointKind::prismatic});
    }
  const std::size_t n = columns.size(), count = std::min<std::size_t>(6, n);
  ToolDirections out{std::vector<double>(3), std::vector<double>(9), std::vector<double>(6)};
  if (n == 0) return out;
  // of six columns and more: about the first joint, where a turn of the tool is no way of it
  Vec3<double> way;
  if (chain_.size() > 5) {
    const int first = chain_.front(), parent = m[first].parent;
    const Transform<double>& X_parent = parent < 0 ? m.base : X[static_cast<std::size_t>(parent)];
    way = (X_parent * m[first].placement).p - tool;
  }
  std::vector<double> linear(3 * n), all(6 * n), U(36);
  for (std::size_t k = 0; k < n; ++k) {
    const auto at = [&](std::size_t row) { return J[row * nv + columns[k].v]; };
    const Vec3<double> w{at(0), at(1), at(2)}, v{at(3), at(4), at(5)}, moved = v + cross(w, way);
    const double unit = columns[k].slides ? 1 : length_;
    const double rows[] = {w.x, w.y, w.z, moved.x / unit, moved.y / unit, moved.z / unit};
    for (std::size_t row = 0; row < 6; ++row) all[row * n + k] = rows[row];
    const double shifts[] = {v.x, v.y, v.z};
    for (std::size_t row = 0; row < 3; ++row) linear[row * n + k] = shifts[row];
  }
  singular_values<double>(linear, 3, static_cast<int>(n), out.axes, out.sigma);
  singular_values<double>(all, 6, static_cast<int>(n), U, out.singular_values);
  out.least = out.singular_values[count - 1];
  out.product = 1;
  for (std::size_t k = 0; k < count; ++k) out.product *= out.singular_values[k];
  return out;
}

StudioState StudioRobot::state_of(const StudioRequest& in) const {
  const Model<double>& m = robot_.model();
  const auto nq = static_cast<std::size_t>(m.nq), nv = static_cast<std::size_t>(m.nv);
  const std::vector<double> zero(nv, 0.0);
  StudioState out{in.numbers("q", nq), in.numbers_if("qd", nv).value_or(zero), in.numbers_if("qdd", nv).value_or(zero)};
  // rad or m: 16 000 turns leave an angle eleven digits behind the point; and rates whose squares still have digits
  // beside gravity
  const auto bound = [](std::span<const double> numbers, const std::vector<std::string>& names, double most,
                        const char* what) {
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (!(std::abs(numbers[k]) <= most))
        refuse_call(names[k], "state-size",
                    fmt::format("{} of it is beyond {:g}: no digit of the answer would be sure", what, most));
  };
  bound(out.q, m.position_names, 1e5, "the position (rad, m)");
  bound(out.qd, m.velocity_names, 1e6, "the velocity (rad/s, m/s)");
  bound(out.qdd, m.velocity_names, 1e9, "the acceleration (rad/s², m/s²)");
  return out;
}

void StudioRobot::state(const StudioRequest& in, StudioAnswer& out) {
  const auto nv = static_cast<std::size_t>(robot_.nv());
  const auto [q, qd, qdd] = state_of(in);
  StudioLoaded& at = loaded(in);
  Loads loads;
  if (const auto wrench = in.numbers_if("wrench", 6)) {
    if (!tool_) refuse_call("wrench", "tool-missing", "the robot has no tool that one could act on");
    const std::vector<double>& w = *wrench;  // as --wrench: force, then moment
    for (const double x : w)
      if (!(std::abs(x) <= 1e9)) refuse_call("wrench", "state-size", "it is beyond 1e9 N or N m");
    loads.add_wrench(*tool_, {{w[3], w[4], w[5]}, {w[0], w[1], w[2]}});
  }
  const auto start = Clock::now();
  at.dynamics.set_loads(loads);
  const Frame<double> tool = tool_ ? *tool_ : Frame<double>{"base", -1, {}};
  JsonWriter& json = out.json;
  std::vector<double> poses;
  if (nv > 0 && tool_) {
    const Terms t = terms(at.dynamics, q, qd, qdd, tool);
    for (std::size_t k = 0; k < nv; ++k)
      if (!std::isfinite(t.tau[k]))
        refuse_call(robot_.model().velocity_names[k], "not-finite",
                    "its torque is not finite: the numbers are too large");
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
    const ToolDirections freedom = directions(t.J, t.X_world_tool.p, X_);
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
  json.field("status", status_name(one.status));
  if (one.nearest) json.field("off_by", one.nearest->position_residual).field("turned_off_by", one.nearest->angle_residual);
  const IkSolution* const chosen = !one.empty() ? &one[0] : one.nearest ? &*one.nearest : nullptr;
  if (chosen) json.key("nearest").value(std::span<const double>(chosen->q));
  // one measure of all arms: how far each solution is from singular; of seven joints the one that is held is left out
  std::vector<double> poses, least, J(6 * static_cast<std::size_t>(robot_.nv()));
  StudioLoaded& engine = loaded_ ? *loaded_ : loaded(in);
  for (const std::vector<double>& q : positions) {
    Transform<double> there;
    write_poses(engine.dynamics, q, poses);
    engine.dynamics.tool(q, there, J);
    least.push_back(directions(J, there.p, X_, held_).least);
  }
  json.key("least_singular_values").value(std::span<const double>(least));
  std::vector<double> wanted;
  append_poses(std::span(&X, 1), wanted);
  json.key("quaternion").value(std::span<const double>(wanted).subspan(3));
  json.field("microseconds", took);
  out.rows("ghosts", poses, 7);
}

}  // namespace torsor
