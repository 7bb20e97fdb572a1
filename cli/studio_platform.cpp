// Robots with loops that carry a platform, for the Studio: a pose of the tool to all ways of the legs, and a position of
// the drivers to all ways to put the loops together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/studio_mechanism.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/loops/assembly_result.hpp"
#include "torsor/loops/loop_model.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/numeric_ik/parallel_result.hpp"
#include "torsor/report/mechanism_view.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

constexpr std::size_t most_ghosts = 16;

}  // namespace

StudioMechanism::StudioMechanism(Mechanism mechanism, std::vector<StudioDriverRange> ranges,
                                 std::vector<std::string> hidden, std::optional<Robot> robot)
    : mechanism_(std::move(mechanism)),
      ranges_(std::move(ranges)),
      hidden_(std::move(hidden)),
      robot_(std::move(robot)) {
  if (!robot_) return;
  const auto tool = robot_->find_frame();
  if (!tool || tool->body < 0) {
    refusal_ = "the robot has no tool that moves";
    return;
  }
  auto solver = ParallelInverseKinematics::make(*robot_, *tool);
  // a platform that does not turn freely: where it is alone
  auto placer = robot_->nv() < 6 ? ParallelInverseKinematics::make(*robot_, *tool, TaskWeights::position())
                                 : Result<ParallelInverseKinematics>(Faults{{}});
  if (!solver && !placer) {
    refusal_ = fmt::format("{}: {}", solver.faults().front().offender, solver.faults().front().what);
    return;
  }
  tool_ = *tool;
  if (solver) solver_.emplace(*std::move(solver));
  if (placer) placer_.emplace(*std::move(placer));
}

/// Bodies of the mechanism where the tree has its links at these positions; rotors turn along (mechanism_of_robot.hpp),
/// and what only stands for others stays.
MechanismState StudioMechanism::state_at(std::span<const double> joints) const {
  const Model<double>& tree = robot_->tree();
  Configuration<double> at(tree);
  at.set(tree, joints);
  std::vector<Transform<double>> X(tree.bodies.size());
  forward_kinematics(tree, at, std::span(X));
  Mechanism placed = mechanism_;
  for (std::size_t b = 0; b < X.size(); ++b) {
    MechanismBody& body = placed.description.bodies[b];
    if (std::ranges::find(hidden_, body.name) == hidden_.end()) body.X_world_body = X[b] * tree.bodies[b].link;
    body.velocity = {};
  }
  // angles are counted over whole turns
  const std::vector<double>& reference = robot_->loops()->reference;
  const auto moved = [&](const Measure& measure) {
    const auto at_q = static_cast<std::size_t>(tree[measure.joint].q);
    return joints[at_q] - reference[at_q];
  };
  std::vector<std::pair<std::size_t, double>> angles;
  for (std::size_t b = 0; b < X.size(); ++b)
    if (tree.bodies[b].kind == JointKind::revolute)
      angles.emplace_back(b, joints[static_cast<std::size_t>(tree.bodies[b].q)]);
  for (const MechanismCoupling& coupling : placed.description.couplings) {
    const auto rotor = static_cast<std::size_t>(coupling.terms.front().measure.joint);
    if (rotor < X.size()) continue;
    double by = 0;
    for (std::size_t k = 1; k < coupling.terms.size(); ++k)
      by -= coupling.terms[k].factor * moved(coupling.terms[k].measure);
    MechanismBody& body = placed.description.bodies[static_cast<std::size_t>(placed.description.joints[rotor].j.body)];
    body.X_world_body = body.X_world_body * Transform<double>::rotation(rotation_z(by));
    angles.emplace_back(rotor, by);
  }
  MechanismState out = described_state(placed);
  for (const auto& [joint, angle] : angles) out.angles[joint] = angle;
  return out;
}

std::vector<double> StudioMechanism::independent(std::span<const double> joints) const {
  std::vector<double> out;
  for (const MechanismDriver& d : mechanism_.description.drivers) {
    const Body<double>& body = robot_->tree()[d.terms.front().measure.joint];
    out.push_back(joints[static_cast<std::size_t>(body.q)]);
  }
  return out;
}

void StudioMechanism::take(std::span<const double> joints) {
  state_ = state_at(joints);
  values_ = independent(joints);
}

Transform<double> StudioMechanism::tool_pose() const {
  const auto body = static_cast<std::size_t>(tool_->body);
  MechanismMotion motion(mechanism_);
  motion.add(state_);
  return motion.instants().front().poses[body] * inverse(robot_->tree().bodies[body].link) * tool_->X_body_frame;
}

void StudioMechanism::place(const StudioRequest& in, StudioAnswer& out) {
  if (!robot_) refuse_call("place", "call-unknown", "it is no robot with loops");
  const std::vector<double> joints = in.numbers("joints", static_cast<std::size_t>(robot_->tree().nq));
  const MechanismState there = state_at(joints);
  const double open = Assembly(mechanism_, EquationSet::without_drivers).gap(there);
  if (!(open < 1e-6)) refuse_call("place", "loop-open", fmt::format("its loops are {:.2g} apart there", open));
  take(joints);
  write_held("", out);
}

void StudioMechanism::reach(const StudioRequest& in, StudioAnswer& out) {
  if (!tool_) refuse_call("reach", "tool-missing", refusal_.empty() ? "it is no robot with loops" : refusal_);
  const std::vector<double> p = in.numbers("position", 3);
  Transform<double> X{{}, {p[0], p[1], p[2]}};
  if (const auto rpy = in.numbers_if("rpy", 3)) {
    X.R = rotation_rpy((*rpy)[0], (*rpy)[1], (*rpy)[2]);
  } else {
    const std::vector<double> e = in.numbers("quaternion", 4);
    X.R = rotation(normalized(Quaternion<double>{e[0], e[1], e[2], e[3]}));
  }
  ParallelSolutions found = solver_ ? solver_->solve(X) : placer_->solve(X);
  const bool placed = placer_ && (!solver_ || found.status != PoseStatus::solved);
  if (solver_ && placed) found = placer_->solve(X);
  JsonWriter& json = out.json;
  json.field("place_alone", placed);
  json.key("result");
  write_json(json, found);
  std::vector<double> ghosts;
  const ParallelSolution* nearest = nullptr;
  double least = 0;
  for (std::size_t k = 0; k < found.found.size(); ++k) {
    const ParallelSolution& s = found.found[k];
    if (k < most_ghosts) {
      MechanismMotion motion(mechanism_);
      motion.add(state_at(s.all));
      append_poses(motion.instants().front().poses, ghosts);
    }
    double away = 0;
    const std::vector<double> values = independent(s.all);
    for (std::size_t i = 0; i < values.size(); ++i) away += std::abs(values[i] - values_[i]);
    if (s.inside_limits && (!nearest || away < least)) nearest = &s, least = away;
  }
  const bool follow = in.truth_or("follow", false) && nearest != nullptr;
  if (follow) take(nearest->all);
  json.field("followed", follow);
  write_held("", out);
  out.rows("ghosts", ghosts, 7);
}

void StudioMechanism::assemblies(const StudioRequest&, StudioAnswer& out) {
  if (!robot_) refuse_call("assemblies", "call-unknown", "it is no robot with loops");
  std::vector<double> q;
  for (const int at : robot_->loops()->q)
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const MechanismDriver& d = mechanism_.description.drivers[k];
      if (robot_->tree()[d.terms.front().measure.joint].q == at) q.push_back(values_[k]);
    }
  if (q.size() != robot_->loops()->q.size())
    refuse_call("assemblies", "loop-coordinates", "not every independent joint of it has a driver");
  const auto found = find_assembly_modes(*robot_, q, {.frame = tool_});
  if (!found) throw_error(found.faults());
  JsonWriter& json = out.json;
  json.key("result");
  write_json(json, *found);
  std::vector<double> ghosts;
  for (std::size_t k = 0; k < std::min(most_ghosts, found->modes.size()); ++k) {
    MechanismMotion motion(mechanism_);
    motion.add(state_at(found->modes[k].q));
    append_poses(motion.instants().front().poses, ghosts);
  }
  out.rows("ghosts", ghosts, 7);
}

}  // namespace torsor
