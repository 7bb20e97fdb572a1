#include "torsor/simulate/simulation_result.hpp"

namespace torsor {
namespace {

/// A tolerance near rounding shortens steps without end as a jumping torque does.
constexpr double near_rounding = 1e-13;

}  // namespace

std::string describe(const Event& e, const Simulation& s) {
  const Model<double>& model = s.model();
  if (e.kind == EventKind::chatters)
    return s.rules().steps.relative < near_rounding
               ? "steps held at the shortest: the tolerance is near rounding, a looser one goes faster"
               : "steps held at the shortest: a torque or force jumps to and fro with the state";
  std::string name = e.kind == EventKind::switches ? "switch " + std::to_string(e.coordinate + 1)
                     : e.coordinate >= 0           ? model.velocity_names[static_cast<std::size_t>(e.coordinate)]
                                                   : std::string();
  const char* side = e.direction > 0 ? "upper" : "lower";
  switch (e.kind) {
    case EventKind::sticks: return name + " sticks";
    case EventKind::slides: return name + " slides " + (e.direction > 0 ? "forwards" : "backwards");
    case EventKind::touches_stop: return name + " touches its " + side + " stop";
    case EventKind::leaves_stop: return name + " leaves its " + side + " stop";
    case EventKind::switches: return name;
    case EventKind::chatters: break;
  }
  return name;
}

SimulationSummary simulation_summary(const Simulation& s, const RunEnd& end, std::span<const Event> events) {
  constexpr const char* kinds[] = {"sticks", "slides", "touches_stop", "leaves_stop", "switches", "chatters"};
  const Model<double>& model = s.model();
  SimulationSummary out{model.name, static_cast<bool>(end), describe(end, model), s.rules().integrator, end.t,
                        {s.account(), s.largest_kinetic(), s.largest_balance_error(), s.balance_share()}, s.count(),
                        s.estimated_error(), s.chatter_time(), s.events(), {}};
  for (const Event& e : events) {
    const bool named = e.coordinate >= 0 && e.kind != EventKind::switches && e.kind != EventKind::chatters;
    out.events.push_back({e.t, kinds[static_cast<int>(e.kind)],
                          named ? model.velocity_names[static_cast<std::size_t>(e.coordinate)] : std::string(),
                          e.direction, describe(e, s)});
  }
  return out;
}

RoundTripRow round_trip_row(const RoundTripInput& input, const RoundTrip& trip, const Model<double>& model) {
  const auto measured = [&trip](double error) { return trip.end ? std::optional(error) : std::nullopt; };
  const bool exact = !input.interpolation;
  return {describe(input),
          exact ? "exact function" : std::string(name(*input.interpolation)) + (input.pieces ? "-pieces" : ""),
          describe(trip.end, model) + (trip.astray ? ", astray" : ""),
          exact ? std::nullopt : std::optional(input.samples),
          static_cast<bool>(trip.end),
          measured(trip.position_error),
          measured(trip.orientation_error),
          measured(trip.largest_position_error),
          measured(trip.joint_error),
          trip.tenfold_time > 0 ? std::optional(trip.tenfold_time) : std::nullopt,
          trip.count};
}

void SimulationRecord::instant(const Simulation& s) {
  const Account& a = s.account();
  const auto add = [](NumberArray& to, std::span<const double> row) {
    to.numbers.insert(to.numbers.end(), row.begin(), row.end());
    to.shape = {to.shape.empty() ? 1 : to.shape[0] + 1, row.size()};
  };
  run_.t.push_back(s.t());
  add(run_.q, s.q());
  add(run_.qd, s.qd());
  add(run_.qdd, s.qdd());
  add(run_.tau, s.tau());
  add(run_.friction, s.friction());
  add(run_.stop_torque, s.stop_torque());
  const auto& [n, f] = a.momentum;
  add(run_.momentum, std::array{n.x, n.y, n.z, f.x, f.y, f.z});
  run_.kinetic.push_back(a.kinetic);
  run_.potential.push_back(a.potential);
  run_.torque_work.push_back(a.torque_work);
  run_.friction_loss.push_back(a.friction_loss);
  run_.stop_work.push_back(a.stop_work);
  run_.balance_error.push_back(a.balance_error);
}

SimulationRun SimulationRecord::run(const Simulation& s, const RunEnd& end) && {
  run_.summary = simulation_summary(s, end, events_);
  return std::move(run_);
}

}  // namespace torsor
