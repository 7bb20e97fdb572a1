// What Python is told of a mechanism at an instant or along a run: the parts that all answers share.
#pragma once

#include <string>
#include <vector>

#include "python/bindings/answer.hpp"
#include "torsor/mechanism.hpp"
#include "torsor/mechanism/actuation.hpp"
#include "torsor/mechanism/driver_torque.hpp"
#include "torsor/mechanism/mechanism_of_robot.hpp"
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

/// Whose reactions are told: on which body of each joint, along the world's axes or the joint's.
struct Axes {
  bool on_i = false, joint = false;
};

class Instants {
 public:
  explicit Instants(const Mechanism& m, bool drivers = true, Axes axes = {});

  /// The state that the equations were evaluated at; A: accelerations of the bodies, or none.
  void add(const MechanismState& state, const MechanismEquations& equations, std::span<const Motion<double>> A);
  void add_reactions(const MechanismEquations& equations, std::span<const double> lambda);

  /// What was added, as arrays; single: of the one instant there is, without its axis.
  void put(Answer& answer, bool single = false) const;
  void put_reactions(Answer& answer, bool single = false) const;

 private:
  const Mechanism& m_;
  std::vector<NamedMeasure> measures_;
  std::vector<const ConstraintBlock*> held_;  // joints and couplings whose reactions are told
  Axes axes_;
  RunRows t_, poses_, velocities_, accelerations_, values_, rates_, seconds_, reactions_;
};

}  // namespace torsor::python
