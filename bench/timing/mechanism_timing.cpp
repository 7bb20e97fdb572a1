#include "bench/timing/mechanism_timing.hpp"

#include <algorithm>
#include <cmath>

#include "bench/timing/clock.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

/// The fastest of calls made for that long, three at least.
template <class Call>
double fastest_call(double seconds_each, const Call& call) {
  double best = infinity;
  const Clock::time_point begin = Clock::now();
  for (int k = 0; k < 3 || seconds_since(begin) < seconds_each; ++k) {
    const Clock::time_point start = Clock::now();
    call();
    best = std::min(best, seconds_since(start));
  }
  return best;
}

/// Rods of 1 m on hinges about z, one at the end of the other, no two in line.
MechanismDescription chain_of_rods(int n) {
  MechanismDescription d;
  d.gravity = {0, -9.81, 0};
  Vec3<double> end;
  for (int k = 0; k < n; ++k) {
    MechanismBody rod;
    rod.name = "rod" + std::to_string(k);
    rod.m = 1;
    rod.I = {1e-3, 1.0 / 12, 1.0 / 12, 0, 0, 0};
    rod.X_world_body.R = rotation(quaternion_about(Vec3<double>{0, 0, 1}, 0.1 * std::sin(0.7 * k)));
    rod.X_world_body.p = end + rod.X_world_body.R * Vec3<double>{0.5, 0, 0};
    d.bodies.push_back(rod);
    MechanismJoint hinge;
    hinge.name = "hinge" + std::to_string(k);
    hinge.i.body = k - 1;
    hinge.j.body = k;
    place_joint(hinge, d, Transform<double>::translation(end));
    d.joints.push_back(hinge);
    end += rod.X_world_body.R * Vec3<double>{1, 0, 0};
  }
  return d;
}

}  // namespace

Result<std::vector<MechanismTime>> time_mechanism(const MechanismDescription& description, double seconds_each,
                                                  double run_time) {
  const Result<Mechanism> driven = build(description);
  if (!driven) return driven.faults();
  MechanismDescription without_drivers = description;
  for (const MechanismDriver& driver : description.drivers)
    if (driver.joint >= 0)
      without_drivers.joints[static_cast<std::size_t>(driver.joint)].kind = MechanismJointKind::free;
  without_drivers.drivers.clear();
  const Result<Mechanism> loose = build(without_drivers);
  if (!loose) return loose.faults();

  MechanismState start = described_state(*driven);
  Assembly assembly(*driven, EquationSet::all);
  if (const AssemblyReport closed = assembly.positions(start); !closed.closed)
    return Fault{{}, description.name, "does-not-close", "it does not close where it stands", "check it first"};
  const MobilityReport mobile = mobility(*driven, start, EquationSet::all);
  assembly.expect_redundancy(mobile.redundant > 0);
  assembly.velocities(start);

  std::vector<MechanismTime> times;
  std::vector<Motion<double>> A(start.bodies.size());
  MechanismForward forward(*driven);
  forward.expect_redundancy(mobile.redundant > 0);
  times.push_back({"accelerations with all multipliers",
                   fastest_call(seconds_each, [&] { forward.accelerations(start, A); }), 0, 0, 0});
  if (mobile.freedoms == 0 && !description.actuators.empty()) {
    assembly.accelerations(start, A);
    MechanismInverse inverse(*driven);
    inverse.expect_redundancy(mobile.redundant > 0);
    std::vector<double> torques(description.actuators.size());
    times.push_back({"efforts and reactions of a driven instant",
                     fastest_call(seconds_each, [&] { inverse.torques(start, A, torques); }), 0, 0, 0});
  }
  ForwardRunRules rules;
  rules.integrator = "rk4";
  rules.time = run_time;
  MechanismTime step{"a step of 1 ms by rk4, projected", infinity, 0, 0, 0};
  const Clock::time_point begin = Clock::now();
  do {
    MechanismState state = start;
    for (BodyState& b : state.bodies) b.v = {}, b.w = {};
    const Clock::time_point at = Clock::now();
    const ForwardRunReport run = run_forward(*loose, state, rules, [](const ForwardInstant&) { return true; });
    if (!run.finished) return Fault{{}, description.name, "run-stopped", run.why, "check it first"};
    step.seconds = std::min(step.seconds, seconds_since(at) / static_cast<double>(run.count.steps));
    step.gap = run.worst_gap;
    step.energy_error = run.worst_energy_error;
  } while (seconds_since(begin) < seconds_each);
  times.push_back(step);
  return times;
}

namespace {

/// Rods of 1 m and hinges about z at points of the world, one by one.
struct PlaneOfRods {
  MechanismDescription d;

  PlaneOfRods() { d.gravity = {0, -9.81, 0}; }

  int rod(const Vec3<double>& centre, double slope) {
    MechanismBody body;
    body.name = "rod" + std::to_string(d.bodies.size());
    body.m = 1;
    body.I = {1e-3, 1.0 / 12, 1.0 / 12, 0, 0, 0};
    body.X_world_body = {rotation(quaternion_about(Vec3<double>{0, 0, 1}, slope)), centre};
    d.bodies.push_back(body);
    return static_cast<int>(d.bodies.size()) - 1;
  }

  void hinge(int i, int j, const Vec3<double>& P) {
    MechanismJoint joint;
    joint.name = "hinge" + std::to_string(d.joints.size());
    joint.i.body = i, joint.j.body = j;
    place_joint(joint, d, Transform<double>::translation(P));
    d.joints.push_back(joint);
  }
};

}  // namespace

MechanismDescription scissor_lattice(int cells) {
  PlaneOfRods plane;
  const double across = 0.6, high = 0.8, slope = std::atan2(high, across);
  for (int k = 0; k < cells; ++k) {
    const double x = across * k;
    const Vec3<double> centre{x + across / 2, high / 2, 0};
    const int up = plane.rod(centre, slope), down = plane.rod(centre, -slope);
    plane.hinge(up, down, centre);
    plane.hinge(k == 0 ? ground : down - 2, up, {x, 0, 0});
    if (k > 0) plane.hinge(up - 2, down, {x, high, 0});
  }
  return plane.d;
}

MechanismDescription row_of_four_bars(int cells) {
  PlaneOfRods plane;
  const double slope = 1, across = std::cos(slope), high = std::sin(slope);
  for (int k = 0, before = ground; k <= cells; ++k) {
    const double x = k;
    const int upright = plane.rod({x + across / 2, high / 2, 0}, slope);
    plane.hinge(ground, upright, {x, 0, 0});
    if (k > 0) plane.hinge(before, upright, {x + across, high, 0});
    if (k == cells) break;
    before = plane.rod({x + across + 0.5, high, 0}, 0);
    plane.hinge(upright, before, {x + across, high, 0});
  }
  return plane.d;
}

namespace {

/// Accelerations of one of these mechanisms, per body.
void add_time_per_body(const MechanismDescription& description, bool redundant, double seconds_each,
                       std::vector<MechanismTime>& times) {
  const Result<Mechanism> built = build(description);
  if (!built) return;
  const MechanismState state = described_state(*built);
  MechanismForward forward(*built);
  forward.expect_redundancy(redundant);
  std::vector<Motion<double>> A(state.bodies.size());
  const auto bodies = static_cast<double>(state.bodies.size());
  const double seconds = fastest_call(seconds_each, [&] { forward.accelerations(state, A); }) / bodies;
  const double bytes = static_cast<double>(forward.numbers_kept() * sizeof(double)) / bodies;
  times.push_back({std::to_string(state.bodies.size()), seconds, forward.gap(), 0, bytes});
}

}  // namespace

std::vector<MechanismTime> time_lattices(double seconds_each) {
  std::vector<MechanismTime> times;
  for (const int cells : {10, 100, 1000}) add_time_per_body(scissor_lattice(cells), true, seconds_each, times);
  return times;
}

std::vector<MechanismTime> time_rows_of_four_bars(double seconds_each) {
  std::vector<MechanismTime> times;
  for (const int cells : {10, 100, 1000}) add_time_per_body(row_of_four_bars(cells), true, seconds_each, times);
  return times;
}

std::vector<MechanismTime> time_chains(double seconds_each) {
  std::vector<MechanismTime> times;
  for (const int n : {10, 100, 1000, 10'000}) add_time_per_body(chain_of_rods(n), false, seconds_each, times);
  return times;
}

}  // namespace torsor
