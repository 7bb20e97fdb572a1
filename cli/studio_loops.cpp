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

/// From q there and back in the k-th of n equal parts of the time, and at rest otherwise; at rest at both ends.
TimeFunction swing(double q, double by, int k, int n, double time) {
  const double part = time / n, begin = k * part, rate = 2 * std::numbers::pi / part;
  return [=](double t) -> TimeValue {
    if (t <= begin || t >= begin + part) return {q, 0, 0};
    const double phase = rate * (t - begin), half = 0.5 * by;
    return {q + half * (1 - std::cos(phase)), half * rate * std::sin(phase), half * rate * rate * std::cos(phase)};
  };
}

}  // namespace

Result<StudioLoops> mechanism_of_loops(const Robot& robot) {
  const Model<double>& tree = robot.tree();
  const Description& d = robot.description();
  const LoopModel& loops = *robot.loops();
  Result<MechanismDescription> made = mechanism_of_robot(tree, loops.reference);
  if (!made) return made.faults();
  StudioLoops out{std::move(*made), {}};
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
