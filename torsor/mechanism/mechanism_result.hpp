// Results about mechanisms by their lists of fields: mobility, redundant equations, how runs ended, rest and small motions.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/mechanism/actuation.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/equilibrium.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/linearisation.hpp"
#include "torsor/mechanism/torque_limit.hpp"

namespace torsor {

/// Equations that depend on one another. Without rank and what follows from it where that was too large to be found.
struct Redundancy {
  int equations = 0;
  std::optional<int> rank, redundant;
  std::optional<std::vector<std::string>> not_unique;  // joints, couplings and drivers
};
Redundancy redundancy(const Mechanism&, const MobilityReport&);

constexpr auto fields(Of<Redundancy>) {
  using R = Redundancy;
  return field_list("Redundancy", "Equations that depend on one another; None where there are too many for a rank.",
                    field("equations", "", "", &R::equations), field("rank", "", "", &R::rank),
                    field("redundant", "", "", &R::redundant),
                    field("not_unique", "", "whose reactions are therefore not unique", &R::not_unique));
}

constexpr auto fields(Of<MobilityReport>) {
  using M = MobilityReport;
  return field_list(
      "MobilityCount", "Degrees of freedom of a set of equations: 6 per body less their rank.",
      field("equations", "", "", &M::rows), field("rank", "", "", &M::rank), field("redundant", "", "", &M::redundant),
      field("degrees_of_freedom", "", "", &M::freedoms),
      field("counted", "", "degrees of freedom by counting alone", &M::counted),
      field("gap_in_rank", "", "least length that counted, over the largest that did not", &M::gap_in_rank));
}

/// An equation that follows from others: which one of which joint, and from whose.
struct NamedDependence {
  int equation = 0;
  std::string of;
  std::vector<std::string> follows_from;
};

constexpr auto fields(Of<NamedDependence>) {
  using N = NamedDependence;
  return row_list("Dependence", "An equation that follows from others: which one of which joint, and from whose.",
                  field("equation", "", "", &N::equation), field("of", "", "", &N::of),
                  field("follows_from", "", "", &N::follows_from));
}

/// Degrees of freedom of a mechanism where it stands: of joints and couplings alone, and with the drivers.
struct Mobility {
  std::string mechanism;
  MobilityReport joints, driven;
  bool singular = false;
  Actuation actuated;                           // not found where joints.too_large
  std::vector<std::string> torques_not_unique;  // of these actuators
  std::vector<std::string> over_driving;        // drivers that prescribe together what fewer of them could
  std::vector<NamedDependence> dependences;
  std::vector<std::string> independent;
};

/// Of an assembled state; `singular`: it may go on in more than one way.
Mobility mobility_of(const Mechanism&, const MechanismState& assembled, const MobilityReport& joints, bool singular);

constexpr auto fields(Of<Mobility>) {
  using M = Mobility;
  return field_list(
      "Mobility", "Degrees of freedom of a mechanism where it stands at the start.",
      field("mechanism", "", "", &M::mechanism), field("joints", "", "of joints and couplings", &M::joints),
      field("driven", "", "with the drivers", &M::driven),
      field("singular", "", "it may go on in more than one way", &M::singular),
      field("actuation", "", "fully actuated, under-actuated, over-actuated or not actuated",
            [](const M& m) { return m.actuated.word; }),
      field("commanded", "", "degrees of freedom that the actuators command",
            [](const M& m) { return m.actuated.commanded; }),
      field("torques_not_unique", "", "actuators", &M::torques_not_unique),
      field("over_driving", "", "drivers that prescribe together what fewer of them could", &M::over_driving),
      field("dependences", "", "", &M::dependences),
      field("independent", "", "velocities that determine all others, BODY.wx and so on", &M::independent));
}

constexpr auto fields(Of<DriverJump>) {
  using J = DriverJump;
  return field_list(
      "DriverJump", "A jump of what a driver prescribes.", field("of", "", "", &J::name),
      field("what", "", "value or velocity", [](const J& j) { return j.of_value ? "value" : "velocity"; }),
      field("t", "s", "the first", &J::t), field("by", "", "", &J::by),
      field("unit", "", "", [](const J& j) { return std::string(j.unit) + (j.of_value ? "" : "/s"); }),
      field("count", "", "how many there are", &J::count));
}

constexpr auto fields(Of<LimitedTorque>) {
  using L = LimitedTorque;
  return row_list("LimitedTorque", "An actuator whose given torque was cut to its limit.",
                  field("actuator", "", "", &L::name), field("first", "s", "", &L::first),
                  field("seconds", "s", "for how long, in all", &L::seconds));
}

constexpr auto fields(Of<MechanismRunEnd>) {
  using R = MechanismRunEnd;
  return field_list(
      "MechanismRunEnd", "How a run ended.", field("finished", "", "", &R::finished), field("end_time", "s", "", &R::t),
      field("why", "", "it did not finish; None if it did",
            [](const R& r) { return r.finished ? std::nullopt : std::optional(r.why); }),
      field("rule", "", "of that",
            [](const R& r) { return r.finished ? std::nullopt : std::optional(run_stop(r.stop).rule); }),
      field("stopped_by", "", "joint, coupling or driver",
            [](const R& r) { return r.stopped_by.empty() ? std::nullopt : std::optional(r.stopped_by); }));
}

constexpr auto fields(Of<DrivenRunReport>) {
  using R = DrivenRunReport;
  return field_list("DrivenRunReport", "How a run under drivers went.",
                    fields_of_part([](const R& r) -> const MechanismRunEnd& { return r; }),
                    field("largest_closure_error", "", "of an equation of position, m or rad", &R::worst_gap),
                    field("branch_times", "s", "of branch points that were passed", &R::branch_times),
                    field("rest_time", "s", "since when it rests upon a singular position",
                          [](const R& r) { return r.rest_time >= 0 ? std::optional(r.rest_time) : std::nullopt; }),
                    field("branches_watched", "", "not of more than 60 bodies", &R::watched),
                    field("jumps", "", "", &R::jumps));
}

constexpr auto fields(Of<MechanismEvent>) {
  using E = MechanismEvent;
  return row_list("MechanismEvent",
                  "An event of a run: a stop that is touched or left, friction that sticks or lets go.",
                  field("t", "s", "", &E::t), field("kind", "", "", &E::kind), field("of", "", "", &E::of));
}

constexpr auto fields(Of<ForwardRunReport>) {
  using R = ForwardRunReport;
  return field_list("ForwardRunReport", "How a run under forces went.",
                    fields_of_part([](const R& r) -> const MechanismRunEnd& { return r; }),
                    field("largest_closure_error", "", "of an equation of position, m or rad", &R::worst_gap),
                    field("largest_drift", "", "of the same in one step, before it is brought back", &R::worst_drift),
                    field("largest_rate_error", "", "of an equation of velocity", &R::worst_rate_gap),
                    field("largest_energy_error", "J", "", &R::worst_energy_error),
                    field("largest_energy", "J", "kinetic, or change of potential", &R::largest_energy),
                    field("steps", "", "", [](const R& r) { return r.count.steps; }),
                    field("refused", "", "steps", [](const R& r) { return r.count.refused; }),
                    field("slopes", "", "that were evaluated", [](const R& r) { return r.count.slopes; }),
                    field("estimated_error", "", "", &R::estimated_error),
                    field("crossings", "", "of singular positions", &R::crossings),
                    field("singular_times", "s", "", &R::singular_times), field("jumps", "", "", &R::jumps),
                    field("events", "", "of stops and of dry friction", &R::events));
}

inline const char* status_name(Stability s) {
  return s == Stability::stable ? "stable" : s == Stability::unstable ? "unstable" : "indifferent";
}

constexpr auto fields(Of<EquilibriumReport>) {
  using R = EquilibriumReport;
  return field_list("EquilibriumReport", "A place of rest.", field("stable", "", "", &R::stable),
                    field("stability", "", "stable, indifferent or unstable", &R::stability),
                    field("degrees_of_freedom", "", "", &R::freedoms), field("rounds", "", "of the search", &R::rounds),
                    field("residual", "", "largest force along a degree of freedom, relative", &R::residual),
                    field("least_stiffness", "1/s^2", "", &R::least_stiffness));
}

constexpr auto fields(Of<SmallCoordinate>) {
  return row_list("SmallCoordinate", "A coordinate of small motions.", field("name", "", "", &SmallCoordinate::name),
                  field("unit", "", "", &SmallCoordinate::unit));
}

constexpr auto fields(Of<StateSpace>) {
  using S = StateSpace;
  return field_list("StateSpace",
                    "x' = A x + B u, y = C x + D u: differences from the rest or steady motion it is about.",
                    field("states", "", "coordinates, then their rates", &S::states),
                    field("inputs", "", "torques of the actuators", &S::inputs),
                    field("outputs", "", "measures of the joints, then coordinates that are none", &S::outputs),
                    field("A", "", "",
                          [](const S& s) {
                            return NumberArray{s.A, {s.states.size(), s.states.size()}};
                          }),
                    field("B", "", "",
                          [](const S& s) {
                            return NumberArray{s.B, {s.states.size(), s.inputs.size()}};
                          }),
                    field("C", "", "",
                          [](const S& s) {
                            return NumberArray{s.C, {s.outputs.size(), s.states.size()}};
                          }),
                    field("D", "", "", [](const S& s) {
                      return NumberArray{s.D, {s.outputs.size(), s.inputs.size()}};
                    }));
}

}  // namespace torsor
