// The rows of `torsor mechanism inverse`: efforts of the actuators, or of the drivers where there are no actuators, with what
// they do, and the reactions of the joints, one instant after the other.
#pragma once

#include "cli/mechanism_report.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"

namespace torsor {

class InverseRows {
 public:
  InverseRows(const Mechanism&, bool on_i, bool joint_axes);

  std::vector<MechanismColumns> columns() const;
  void append(const DrivenInstant&, std::vector<double>& out);

  /// `actuators`, or `drivers`: whose efforts they are.
  const char* who() const { return of_drivers_ ? "drivers" : "actuators"; }
  bool of_drivers() const { return of_drivers_; }

  /// Actuators whose effort was not unique at an instant.
  std::vector<int> shared() const;

  /// `Power of the actuators is the rate of energy to ...`, and its figures.
  std::string power_sentence() const;
  Highlight power_highlight() const;
  void power_fields(JsonWriter&) const;
  /// `Actuator "motor": at most 12.5 N m, at 0.42 s; 5.1 N m rms.`: of each, a dozen at most.
  std::vector<std::string> effort_sentences() const;
  /// "efforts": [{name, unit, peak, peak_time, rms}]; the peak with its sign.
  void effort_fields(JsonWriter&) const;
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
  struct Course {  // of one effort
    std::string name;
    const char* unit;
    double peak = 0, peak_time = 0;
    double squares = 0, last = 0;  // the integral of its square, and the value it had last
  };
  const Mechanism& mechanism_;
  bool of_drivers_;
  MechanismInverse inverse_;
  ReactionColumns reactions_;
  std::vector<double> efforts_;
  std::vector<Force<double>> g_;
  std::vector<bool> shared_;
  std::vector<Beyond> beyond_;
  std::vector<Course> courses_;
  double first_time_ = 0, last_time_ = 0;
  long long instants_ = 0;
  /// Of courses_, the last ones of a row.
  void follow(double t, std::span<const double> efforts);
  double rms(const Course&) const;
  double worst_balance_ = 0, largest_power_ = 0;
};

}  // namespace torsor
