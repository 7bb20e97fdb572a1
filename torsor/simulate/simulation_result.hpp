// What a run of a robot came to, as a plain result: its end, its energy, its cost, its events.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/simulate/roundtrip.hpp"

namespace torsor {

struct EventRow {
  double t = 0;
  std::string kind, coordinate;
  int direction = 0;
  std::string what;
};

constexpr auto fields(Of<EventRow>) {
  using E = EventRow;
  return row_list("Event", "Something that happened between steps.", field("t", "s", "", &E::t),
                  field("kind", "", "sticks, `slides`, touches_stop, leaves_stop, switches or chatters", &E::kind),
                  field("coordinate", "", "", &E::coordinate),
                  field("direction", "", "in which it moves; which stop it touches", &E::direction),
                  field("what", "", "in words", &E::what));
}

/// Energies at the end and works since the start.
struct EnergyAccount {
  Account at_end;
  double largest_kinetic = 0, largest_balance_error = 0, balance_share = 0;
};

constexpr auto fields(Of<EnergyAccount>) {
  using E = EnergyAccount;
  return field_list(
      "EnergyAccount", "Energies at the end of a run, works since its start.",
      field("kinetic", "J", "", [](const E& e) { return e.at_end.kinetic; }),
      field("potential", "J", "", [](const E& e) { return e.at_end.potential; }),
      field("effort_work", "J", "of the torques", [](const E& e) { return e.at_end.torque_work; }),
      field("friction_loss", "J", "", [](const E& e) { return e.at_end.friction_loss; }),
      field("stop_work", "J", "", [](const E& e) { return e.at_end.stop_work; }),
      field("wrench_work", "J", "of forces from outside", [](const E& e) { return e.at_end.surroundings_work; }),
      field("largest_kinetic", "J", "on the way", &E::largest_kinetic),
      field("largest_balance_error", "J", "energy now - energy at the start - work received + loss, on the way",
            &E::largest_balance_error),
      field("balance_share", share_unit, "the same by all energy that was exchanged", &E::balance_share));
}

struct SimulationSummary {
  std::string robot;
  bool finished = false;
  std::string end, integrator;
  double end_time = 0;
  EnergyAccount energy;
  StepCount count;
  double estimated_error = 0, chatter_time = 0;
  long event_count = 0;
  std::vector<EventRow> events;
};

constexpr auto fields(Of<SimulationSummary>) {
  using S = SimulationSummary;
  return field_list(
      "SimulationSummary", "What a run came to.", field("robot", "", "", &S::robot),
      field("finished", "", "whether it reached its end", &S::finished),
      field("end", "", "how it ended, in a sentence", &S::end), field("end_time", "s", "", &S::end_time),
      field("energy", "", "", &S::energy),
      field("angular_momentum", "N m s", "at the end, about the world's origin",
            [](const S& s) { return s.energy.at_end.momentum.n; }),
      field("linear_momentum", "N s", "", [](const S& s) { return s.energy.at_end.momentum.f; }),
      field("integrator", "", "", &S::integrator), field("steps", "", "", [](const S& s) { return s.count.steps; }),
      field("refused", "", "steps that were taken again, shorter", [](const S& s) { return s.count.refused; }),
      field("slopes", "", "evaluations of forward dynamics", [](const S& s) { return s.count.slopes; }),
      field("estimated_error", "", "summed over the steps", &S::estimated_error),
      field("chatter_time", "s", "at the shortest step", &S::chatter_time),
      field("event_count", "", "", &S::event_count),
      field("events", "", "the first of them, if there are very many", &S::events));
}

constexpr auto fields(Of<IntegratorRow>) {
  using I = IntegratorRow;
  return row_list("Integrator", "A method of integration.", field("name", "", "", &I::name),
                  field("title", "", "", &I::title), field("order", "", "", &I::order),
                  field("adaptive", "", "", &I::adaptive), field("implicit", "", "", &I::implicit),
                  field("symplectic", "", "", &I::symplectic));
}

/// In words: `elbow sticks`, `elbow touches its upper stop`.
std::string describe(const Event& event, const Simulation& simulation);

SimulationSummary simulation_summary(const Simulation& simulation, const RunEnd& end, std::span<const Event> events);

/// There and back as a result; errors of a run that ended early are not to be measured.
struct RoundTripRow {
  std::string input, interpolation, end;
  std::optional<int> samples;
  bool finished = false;
  std::optional<double> position_error, orientation_error, largest_position_error, joint_error, tenfold_time;
  StepCount count;
};

constexpr auto fields(Of<RoundTripRow>) {
  using R = RoundTripRow;
  return field_list(
      "RoundTrip",
      "How far from its target the tool is after inverse dynamics and back; None where it did not get to the end.",
      field("input", "", "what drove the way back", &R::input),
      field("interpolation", "", "of the torques: exact function, hold, linear or cubic", &R::interpolation),
      field("samples", "", "of the torques", &R::samples),
      field("position_error", "m", "at the end", &R::position_error),
      field("orientation_error", "rad", "", &R::orientation_error),
      field("largest_position_error", "m", "on the way", &R::largest_position_error),
      field("joint_error", "", "largest, rad or m", &R::joint_error),
      field("tenfold_time", "s", "in which a small error grew tenfold", &R::tenfold_time),
      field("steps", "", "", [](const R& r) { return r.count.steps; }),
      field("slopes", "", "", [](const R& r) { return r.count.slopes; }), field("finished", "", "", &R::finished),
      field("end", "", "how it ended, in a sentence", &R::end));
}

RoundTripRow round_trip_row(const RoundTripInput& input, const RoundTrip& trip, const Model<double>& model);

/// A run with all its instants.
struct SimulationRun {
  SimulationSummary summary;
  std::vector<double> t;
  NumberArray q, qd, qdd, tau, friction, stop_torque, momentum;
  std::vector<double> kinetic, potential, torque_work, friction_loss, stop_work, balance_error;
};

constexpr auto fields(Of<SimulationRun>) {
  using S = SimulationRun;
  return field_list(
      "SimulationRun", "A run of a robot under torques, with the account of its energy.", fields_of_part(&S::summary),
      field("t", "s", "(instants,)", &S::t), field("q", "", "(instants, nq)", &S::q),
      field("qd", "", "(instants, nv)", &S::qd), field("qdd", "", "", &S::qdd),
      field("tau", "", "of the input, after saturation", &S::tau), field("friction", "", "what it takes", &S::friction),
      field("stop_effort", "", "torques of the stops", &S::stop_torque),
      field("momentum", "", "(instants, 6): angular about the world's origin, then linear", &S::momentum),
      field("kinetic", "J", "(instants,)", &S::kinetic), field("potential", "J", "", &S::potential),
      field("effort_work", "J", "of the torques, since the start", &S::torque_work),
      field("friction_loss", "J", "", &S::friction_loss), field("stop_work", "J", "", &S::stop_work),
      field("balance_error", "J", "energy now - energy at the start - work received + loss", &S::balance_error));
}

/// Gathers the instants and events of a run.
class SimulationRecord final : public Observer {
 public:
  void instant(const Simulation& s) override;
  void event(const Simulation&, const Event& e) override { events_.push_back(e); }
  SimulationRun run(const Simulation& s, const RunEnd& end) &&;

 private:
  SimulationRun run_;
  std::vector<Event> events_;
};

}  // namespace torsor
