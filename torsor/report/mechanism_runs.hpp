// Runs of a mechanism with what is said of them: under its drivers, with the torques that cause it, and under forces; and the page of one.
#pragma once

#include "torsor/report/column_curves.hpp"
#include "torsor/report/mechanism_story.hpp"
#include "torsor/report/mechanism_torques.hpp"
#include "torsor/report/mechanism_view.hpp"

namespace torsor {

/// Takes the numbers of an instant behind the time, in the order of the columns; false ends the run. torques: of the actuators, where
/// they are known.
using MechanismRowSink =
    std::function<bool(const MechanismState&, std::span<const double> numbers, Gaps, std::span<const double> torques)>;

/// A mechanism that stands closed where its drivers begin.
struct DrivenStart {
  MechanismState state;
  MobilityReport joints;  // without drivers
};
Result<DrivenStart> driven_start(const Mechanism&);

/// The motion that drivers prescribe.
struct KinematicsRun {
  DrivenRunReport run;
  std::vector<double> singular_times;  // s
  Redundancy redundancy;
  RunStory story;
};
std::vector<MechanismColumns> kinematics_columns(const Mechanism&);
KinematicsRun run_kinematics(const Mechanism&, DrivenStart, const DrivenRunRules&, const MechanismRowSink&);

constexpr auto fields(Of<KinematicsRun>) {
  using K = KinematicsRun;
  return field_list("KinematicsRun", "", fields_of_part(&K::run), field("singular_times", "s", "", &K::singular_times),
                    field("redundancy", "", "", &K::redundancy));
}

/// The torques that cause it.
struct MechanismInverseRun {
  KinematicsRun motion;
  Faults faults = {};  // why they cannot
};
std::vector<MechanismColumns> inverse_columns(const Mechanism&, const InverseRows&);
MechanismInverseRun run_inverse(const Mechanism&, DrivenStart, const DrivenRunRules&, InverseRows&,
                                const MechanismRowSink&);

/// The motion under forces.
struct MechanismSimulation {
  ForwardRunReport run;
  MechanismFormulation formulation = MechanismFormulation::augmented;
  std::string integrator;
  std::vector<LimitedTorque> limited;
  std::vector<double> no_value;  // s: when forces have none
  std::optional<Redundancy> redundancy;
  std::optional<std::string> start_velocity;  // what was given and could not be had, in a sentence
  RunStory story;
};
std::vector<MechanismColumns> simulation_columns(const Mechanism&);
MechanismSimulation run_simulation(const Mechanism&, const ForwardRunRules&, const MechanismRowSink&);

inline const char* status_name(MechanismFormulation f) {
  return f == MechanismFormulation::partitioned ? "partitioned" : "augmented";
}

constexpr auto fields(Of<MechanismSimulation>) {
  using S = MechanismSimulation;
  return field_list("MechanismSimulation", "", fields_of_part(&S::run), field("formulation", "", "", &S::formulation),
                    field("integrator", "", "", &S::integrator), field("start_velocity", "", "", &S::start_velocity),
                    field("redundancy", "", "", &S::redundancy), field("limited", "", "", &S::limited),
                    field("no_value", "s", "", &S::no_value));
}

/// The mechanism as it moves and curves of all columns, gathered while the rows go by.
class MechanismPage {
 public:
  /// what: the verb's second word.
  MechanismPage(const Mechanism&, std::vector<MechanismColumns> groups, std::string what);

  void add(const MechanismState&, std::span<const double> numbers, std::span<const double> torques);
  Report report(const RunStory&) const;

 private:
  /// The curves of a group whose first column is that one, in a plot for each unit.
  void add_plots(ReportSection&, const MechanismColumns& group, std::size_t first) const;

  const Mechanism& mechanism_;
  std::vector<MechanismColumns> groups_;
  std::string what_;
  ColumnCurves curves_;
  MechanismMotion motion_;
};

}  // namespace torsor
