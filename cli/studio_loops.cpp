#include "cli/studio_loops.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/loops/loop_model.hpp"
#include "torsor/mechanism/mechanism_of_robot.hpp"

namespace torsor {
namespace {

/// A side of a loop: the frame of the closing joint in its link, or in the world for the base.
Result<JointSide> side_of(const MechanismDescription& mechanism, const Description& d, const Model<double>& tree,
                          const LoopDescription& loop, std::size_t k) {
  const std::string& link = loop.links[k];
  if (link == d.base_name) return JointSide{ground, -1, tree.base * loop.X_link_loop[k]};
  const auto found = std::ranges::find(mechanism.bodies, link, &MechanismBody::name);
  if (found == mechanism.bodies.end())
    return Faults{{loop.where, loop.name, "loop-link", "its link \"" + link + "\" is no body of the mechanism", ""}};
  return JointSide{static_cast<int>(found - mechanism.bodies.begin()), -1, loop.X_link_loop[k]};
}

/// From q there and back in the k-th of n equal parts of the time, 64 u^3 (1 - u)^3 of the way, and at rest otherwise.
TimeFunction swing(double q, double by, int k, int n, double time) {
  const double part = time / n, begin = k * part;
  return [=](double t) -> TimeValue {
    if (t <= begin || t >= begin + part) return {q, 0, 0};
    const double u = (t - begin) / part, x = u * (1 - u), xd = 1 - 2 * u;  // the way is 64 x^3
    return {q + 64 * by * x * x * x, 192 * by * x * x * xd / part, 384 * by * x * (xd * xd - x) / (part * part)};
  };
}

/// Three slides one after the other from the base, two of them without mass, let the third link go anywhere and not turn: that is a joint
/// of its own kind, in which no mass is divided by another. What is left of the two rests on the ground, out of sight.
void join_slides(const Model<double>& tree, int b, StudioLoops& out) {
  const auto slides = [&](int k, int parent) {
    return tree[k].kind == JointKind::prismatic && tree[k].parent == parent;
  };
  const auto is_bare = [&](int k) {
    const auto children = std::ranges::count(tree.bodies, k, [](const Body<double>& body) { return body.parent; });
    return tree[k].inertia.m == 0 && children == 1;
  };
  if (!slides(b, -1) || !slides(b + 1, b) || !slides(b + 2, b + 1) || !is_bare(b) || !is_bare(b + 1)) return;
  MechanismDescription& m = out.mechanism;
  for (int k = b; k <= b + 2; ++k) {
    const auto at = static_cast<std::size_t>(k);
    MechanismJoint& joint = m.joints[at];
    joint.kind = k < b + 2 ? MechanismJointKind::fixed : MechanismJointKind::orientation;
    joint.i = {ground, -1, m.bodies[at].X_world_body};
    joint.j = {k, -1, {}};
    if (k < b + 2) {
      m.bodies[at].m = 1;
      out.hidden.push_back(m.bodies[at].name);
      out.hidden.push_back(joint.name);
    }
  }
  std::erase_if(m.actuators,
                [&](const MechanismActuator& a) { return a.measure.joint >= b && a.measure.joint <= b + 2; });
}

}  // namespace

Result<StudioLoops> mechanism_of_loops(const Robot& robot) {
  const Model<double>& tree = robot.tree();
  const Description& d = robot.description();
  const LoopModel& loops = *robot.loops();
  Result<MechanismDescription> made = mechanism_of_robot(tree, loops.reference);
  if (!made) return made.faults();
  StudioLoops out{std::move(*made), {}, {}};
  MechanismDescription& m = out.mechanism;
  m.name = d.name;
  m.source = d.source;
  m.notes.insert(m.notes.begin(), d.notes.begin(), d.notes.end());
  for (const LoopDescription& loop : d.loops) {
    MechanismJoint joint;
    joint.name = loop.name;
    joint.kind = loop.kind;
    joint.length = loop.length;
    joint.where = loop.where;
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      const auto side = side_of(m, d, tree, loop, k);
      if (!side) return side.faults();
      (k == 0 ? joint.i : joint.j) = *side;
    }
    m.joints.push_back(std::move(joint));
  }
  for (int b = 0; b + 2 < tree.size(); ++b) join_slides(tree, b, out);
  // rotors turn where the first joint is, out of sight; links and rotors of whose mass nothing depends are given one that is small
  // and yet not lost beside the others
  double mass = 0;
  for (const Body<double>& body : tree.bodies) mass += body.inertia.m;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    MechanismBody& body = m.bodies[b];
    if (b < tree.bodies.size()) {
      if (tree.bodies[b].inertia.m == 0 && body.m != 1 && mass > 0) body.m = 1e-6 * mass;
      continue;
    }
    out.hidden.push_back(body.name);
    if (mass > 0) body.m = 0.01 * mass;
    const auto first = std::ranges::find(m.joints, ground, [](const MechanismJoint& j) { return j.i.body; });
    body.X_world_body = first->i.X;
    for (MechanismJoint& axle : m.joints)
      if (axle.j.body == static_cast<int>(b)) axle.i.X = first->i.X;
  }
  std::erase_if(m.notes, [&](const Fault& note) {
    return std::ranges::any_of(out.hidden,
                               [&](const std::string& name) { return note.offender == "body \"" + name + "\""; });
  });
  for (Fault& note : m.notes) {
    note.severity = Severity::note;
    if (note.rule == "massless-link")
      note.what = "the link has no mass: a millionth of the robot's is put in its joint";
  }
  // what is solved for has no motor of its own
  const auto is_independent = [&](int body) {
    return tree[body].nv == 1 && std::ranges::find(loops.v, tree[body].v) != loops.v.end();
  };
  std::erase_if(m.actuators, [&](const MechanismActuator& a) {
    return a.measure.joint >= tree.size() || !is_independent(a.measure.joint);
  });
  const int count = static_cast<int>(m.actuators.size());
  m.run.time = std::max(2.0, 1.5 * count);
  for (int k = 0; k < count; ++k) {
    const MechanismActuator& motor = m.actuators[static_cast<std::size_t>(k)];
    const Body<double>& body = tree[motor.measure.joint];
    const Limits& limits = tree.limits[static_cast<std::size_t>(body.v)];
    const double q = loops.reference[static_cast<std::size_t>(body.q)];
    const double usual = motor.measure.what == Measure::What::slide ? 0.1 : 0.5;  // m, rad
    const double up = std::isfinite(limits.upper) ? limits.upper - q : 2 * usual,
                 down = std::isfinite(limits.lower) ? q - limits.lower : 2 * usual;
    const double by = up >= down ? std::min(usual, 0.4 * up) : -std::min(usual, 0.4 * down);
    MechanismDriver driver;
    driver.name = motor.name;
    driver.terms = {{motor.measure, 1, {}}};
    driver.function = swing(q, by, k, count, m.run.time);
    m.drivers.push_back(std::move(driver));
    out.ranges.push_back({motor.name, q - std::min(down, std::numbers::pi), q + std::min(up, std::numbers::pi)});
  }
  return out;
}

}  // namespace torsor
