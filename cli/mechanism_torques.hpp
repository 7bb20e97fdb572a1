// The rows of `torsor mechanism inverse`: torques of the actuators, or of the drivers where there are no actuators, with what
// they do, and the reactions of the joints, one instant after the other.
#pragma once

#include "cli/mechanism_report.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"

namespace torsor {

class InverseRows {
 public:
  /// `start` is assembled; `freedoms`: what its joints leave free there.
  InverseRows(const Mechanism&, const MechanismState& start, int freedoms, bool on_i, bool joint_axes);

  std::vector<MechanismColumns> columns() const;
  /// Torques and reactions have no value where nothing that the actuators do makes or changes the motion, as at a dead centre:
  /// they are nan there, and whether there was such a gap is returned.
  Gaps append(const DrivenInstant&, std::vector<double>& out);

  /// `actuators`, or `drivers`: whose torques they are.
  const char* who() const { return of_drivers_ ? "drivers" : "actuators"; }
  bool of_drivers() const { return of_drivers_; }

  /// Actuators whose torque was not unique at an instant.
  std::vector<int> shared() const;

  /// `Power of the actuators is the rate of energy to ...`, and its figures.
  std::string power_sentence() const;
  Highlight power_highlight() const;
  void power_fields(JsonWriter&) const;
  /// `Actuator "motor": at most 12.5 N m, at 0.42 s; 5.1 N m rms.`: of each, a dozen at most.
  std::vector<std::string> torque_sentences() const;
  /// `Torques and reactions have no value at 2 of 21 instants, ...`; empty: they have one at all.
  std::string gap_sentence() const;
  /// "efforts": [{name, unit, peak, peak_time, rms}]; the peak with its sign; null where no instant has an torque. "no_value":
  /// times of the instants that have none.
  void torque_fields(JsonWriter&) const;
  /// Which actuators were beyond their limits, when and how often; empty: none.
  std::vector<std::string> limit_sentences() const;
  /// "beyond_limits": [{actuator, limit, instants, first}].
  void limit_fields(JsonWriter&) const;

  double worst_unbalanced = 0;
  int commanded = 0;             // degrees of freedom, where it is most
  std::vector<double> uncaused;  // when something was left that no actuator can cause, s

 private:
  struct Beyond {
    double first = 0;  // s
    long long instants = 0;
  };
  struct Course {  // of one torque
    std::string name;
    const char* unit;
    double peak = 0, peak_time = 0;
    double squares = 0, last = 0;  // the integral of its square, and the value it had last
  };
  const Mechanism& mechanism_;
  bool of_drivers_;
  MechanismInverse inverse_;
  ReactionColumns reactions_;
  std::vector<double> torques_;
  std::vector<Force<double>> g_;
  std::vector<bool> shared_;
  std::vector<Beyond> beyond_;
  std::vector<Course> courses_;
  int usual_command_ = 0;   // degrees of freedom that the actuators command beside the start
  bool all_commanded_;      // there: what then cannot be caused is up to the position
  double time_ = 0;         // s: that torques are known over
  double last_time_ = 0;
  bool last_known_ = false;  // the torques of the last instant
  long long instants_ = 0;
  std::vector<double> no_value_;  // s: when torques have none
  /// Of courses_, the last ones of a row.
  void follow(double t, std::span<const double> torques);
  bool no_instant_known() const { return static_cast<long long>(no_value_.size()) == instants_; }
  double rms(const Course&) const;
  double worst_balance_ = 0, largest_power_ = 0;
};

}  // namespace torsor
