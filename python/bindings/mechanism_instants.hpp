// A mechanism at an instant or along a run, in arrays: what Python gets.
#pragma once

#include <string>
#include <vector>

#include "python/bindings/answer.hpp"
#include "python/bindings/results.hpp"
#include "torsor/mechanism.hpp"
#include "torsor/mechanism/driver_torque.hpp"
#include "torsor/mechanism/mechanism_of_robot.hpp"
#include "torsor/mechanism/mechanism_result.hpp"
#include "torsor/mechanism/named_measure.hpp"

namespace torsor::python {

inline std::size_t count(int n) { return static_cast<std::size_t>(n); }

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

/// The start, positions and velocities closed; torsor.Error where that cannot be.
MechanismState assembled(const Mechanism& m, bool* singular = nullptr);

/// Which reactions are given: on which body of each joint, along the world's axes or the joint's.
struct Axes {
  bool on_i = false, joint = false;
};

/// Bodies and joints at one instant, or at those of a run.
class Instants {
 public:
  /// single: there is one, and arrays have no axis for it.
  explicit Instants(const Mechanism& m, bool single = false, bool drivers = true, Axes axes = {});

  /// The state that the equations were evaluated at; A: accelerations of the bodies, or none.
  void add(const MechanismState& state, const MechanismEquations& equations, std::span<const Motion<double>> A);
  void add_reactions(const MechanismEquations& equations, std::span<const double> lambda);

  const std::string& mechanism() const { return m_.description.name; }
  std::vector<std::string> body_names() const { return names_of(m_.description.bodies); }
  std::vector<std::string> measure_names() const { return names_of(measures_); }
  const std::vector<double>& t() const { return t_.numbers(); }
  NumberArray poses() const { return shaped(poses_, {count(m_.bodies()), 4, 4}); }
  NumberArray velocities() const { return shaped(velocities_, {count(m_.bodies()), 6}); }
  NumberArray accelerations() const { return shaped(accelerations_, {count(m_.bodies()), 6}); }
  NumberArray measures() const { return shaped(values_, {measures_.size()}); }
  NumberArray rates() const { return shaped(rates_, {measures_.size()}); }
  NumberArray seconds() const { return shaped(seconds_, {measures_.size()}); }
  std::vector<std::string> reaction_names() const;
  NumberArray reactions() const { return shaped(reactions_, {reaction_names().size(), 6}); }

 private:
  NumberArray shaped(const RunRows& rows, std::vector<std::size_t> shape) const;

  const Mechanism& m_;
  bool single_;
  std::vector<NamedMeasure> measures_;
  std::vector<const ConstraintBlock*> held_;  // joints whose reactions are given
  Axes axes_;
  RunRows t_, poses_, velocities_, accelerations_, values_, rates_, seconds_, reactions_;
};

constexpr auto fields(Of<Instants>) {
  using I = Instants;
  return field_list(
      "Instants", "", field("mechanism", "", "", &I::mechanism), field("body_names", "", "", &I::body_names),
      field("measure_names", "", "", &I::measure_names),
      field("poses", "m", "(..., bodies, 4, 4): of the bodies' own frames in the world", &I::poses),
      field("velocities", "", "(..., bodies, 6): angular, then linear", &I::velocities),
      field("measures", "", "(..., measures), rad or m: angles, displacements, lengths of the joints", &I::measures),
      field("rates", "", "", &I::rates));
}

/// The same along a run.
struct RunInstants {
  Instants at;
  RunRows closure_error = {};
};

constexpr auto fields(Of<RunInstants>) {
  using R = RunInstants;
  return field_list(
      "RunInstants", "", fields_of_part(&R::at), field("t", "s", "(instants,)", [](const R& r) { return r.at.t(); }),
      field("accelerations", "", "(instants, bodies, 6)", [](const R& r) { return r.at.accelerations(); }),
      field("seconds", "", "second derivatives of the measures", [](const R& r) { return r.at.seconds(); }),
      field("closure_error", "", "(instants,): largest error of an equation of position, m or rad", &R::closure_error));
}

struct Assembled {
  Instants at;
  double moved = 0;
  bool singular = false;
};

constexpr auto fields(Of<Assembled>) {
  return field_list(
      "Assembled", "A mechanism at its start, closed.", fields_of_part(&Assembled::at),
      field("moved", "m", "how far at most bodies were moved from where the file has them", &Assembled::moved),
      field("singular", "", "it may go on in more than one way", &Assembled::singular));
}

struct Equilibrium {
  Instants at;
  EquilibriumReport report;
};

constexpr auto fields(Of<Equilibrium>) {
  using E = Equilibrium;
  return field_list(
      "Equilibrium", "Where a mechanism stays at rest.", fields_of_part(&E::at), fields_of_part(&E::report),
      field("reaction_names", "", "joints", [](const E& e) { return e.at.reaction_names(); }),
      field("reactions", "", "(joints, 6): moment and force", [](const E& e) { return e.at.reactions(); }));
}

struct DrivenRun {
  RunInstants motion;
  DrivenRunReport report = {};
};

constexpr auto fields(Of<DrivenRun>) {
  return field_list("DrivenRun", "Motion that drivers prescribe.", fields_of_part(&DrivenRun::motion),
                    fields_of_part(&DrivenRun::report));
}

struct InverseRun {
  RunInstants motion;
  std::vector<std::string> actuator_names = {};
  bool of_drivers = false;
  int commanded = 0;
  RunRows torques = {}, power = {}, kinetic = {}, potential = {}, unbalanced = {};
  DrivenRunReport report = {};
};

constexpr auto fields(Of<InverseRun>) {
  using I = InverseRun;
  return field_list(
      "InverseRun", "Torques and reactions along the motion that drivers prescribe.", fields_of_part(&I::motion),
      fields_of_part(&I::report),
      field("torques_of", "", "actuators, or drivers where there are none",
            [](const I& r) { return r.of_drivers ? "drivers" : "actuators"; }),
      field("actuator_names", "", "or those of the drivers", &I::actuator_names),
      field("torques", "", "(instants, actuators), N m or N: what the motors supply",
            [](const I& r) { return matrix_of(r.torques.numbers(), r.actuator_names.size()); }),
      field("power", "W", "(instants,): of the torques", &I::power), field("kinetic", "J", "", &I::kinetic),
      field("potential", "J", "", &I::potential),
      field("unbalanced", "", "(instants,): largest acceleration that no actuator could have caused", &I::unbalanced),
      field("commanded", "", "degrees of freedom that the actuators command", &I::commanded),
      field("reaction_names", "", "joints", [](const I& r) { return r.motion.at.reaction_names(); }),
      field("reactions", "", "(instants, joints, 6): moment and force",
            [](const I& r) { return r.motion.at.reactions(); }));
}

struct MechanismForwardRun {
  RunInstants motion;
  std::string integrator = {};
  RunRows kinetic = {}, potential = {}, work = {}, energy_error = {};
  ForwardRunReport report = {};
};

constexpr auto fields(Of<MechanismForwardRun>) {
  using F = MechanismForwardRun;
  return field_list(
      "ForwardRun", "Motion under forces and drivers.", fields_of_part(&F::motion),
      field("kinetic", "J", "(instants,)", &F::kinetic), field("potential", "J", "", &F::potential),
      field("work", "J", "since the start, of everything that is no potential", &F::work),
      field("energy_error", "J", "what the balance of energy misses", &F::energy_error),
      field("reaction_names", "", "joints", [](const F& r) { return r.motion.at.reaction_names(); }),
      field("reactions", "", "(instants, joints, 6): moment and force on the second body, along the world's axes",
            [](const F& r) { return r.motion.at.reactions(); }),
      field("integrator", "", "", &F::integrator), fields_of_part(&F::report));
}

}  // namespace torsor::python
