#include "torsor/mechanism/mechanism_timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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
  if (!driven) return driven.errors();
  MechanismDescription without_drivers = description;
  for (const MechanismDriver& driver : description.drivers)
    if (driver.joint >= 0)
      without_drivers.joints[static_cast<std::size_t>(driver.joint)].kind = MechanismJointKind::free;
  without_drivers.drivers.clear();
  const Result<Mechanism> loose = build(without_drivers);
  if (!loose) return loose.errors();

  MechanismState start = described_state(*driven);
  Assembly assembly(*driven, EquationSet::all);
  if (const AssemblyReport closed = assembly.positions(start); !closed.closed)
    return Error{{}, description.name, "does-not-close", "it does not close where it stands", "check it first"};
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
    std::vector<double> efforts(description.actuators.size());
    times.push_back({"efforts and reactions of a driven instant",
                     fastest_call(seconds_each, [&] { inverse.efforts(start, A, efforts); }), 0, 0, 0});
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
    if (!run.finished) return Error{{}, description.name, "run-stopped", run.why, "check it first"};
    step.seconds = std::min(step.seconds, seconds_since(at) / static_cast<double>(run.count.steps));
    step.gap = run.worst_gap;
    step.energy_error = run.worst_energy_error;
  } while (seconds_since(begin) < seconds_each);
  times.push_back(step);
  return times;
}

std::vector<MechanismTime> time_chains(double seconds_each) {
  std::vector<MechanismTime> times;
  for (const int n : {10, 100, 1000, 10'000}) {
    const Result<Mechanism> chain = build(chain_of_rods(n));
    if (!chain) continue;
    const MechanismState state = described_state(*chain);
    MechanismForward forward(*chain);
    std::vector<Motion<double>> A(state.bodies.size());
    const double seconds = fastest_call(seconds_each, [&] { forward.accelerations(state, A); }) / n;
    const double bytes = static_cast<double>(forward.numbers_kept() * sizeof(double)) / n;
    times.push_back({std::to_string(n), seconds, forward.gap(), 0, bytes});
  }
  return times;
}

}  // namespace torsor
