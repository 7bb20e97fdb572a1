// Rows of inverse dynamics of a mechanism: torques of the actuators, or of the drivers where there are no actuators, with what
// they do, and the reactions of the joints, one instant after the other.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/mechanism/actuation.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"
#include "torsor/report/mechanism_columns.hpp"
#include "torsor/report/report.hpp"
#include "torsor/text/csv_writer.hpp"

namespace torsor {

/// The torque of an actuator or driver along a motion; without a value where no instant has one.
struct DrivingTorque {
  std::string name;
  const char* unit = "";
  std::optional<double> peak, peak_time, rms;
};

constexpr auto fields(Of<DrivingTorque>) {
  using D = DrivingTorque;
  return row_list("DrivingTorque", "The torque of an actuator or driver along a motion.",
                  field("name", "", "", &D::name), field("torque_unit", "", "N m or N", &D::unit),
                  field("peak_torque", "", "with its sign; None where no instant has a torque", &D::peak),
                  field("peak_torque_time", "s", "", &D::peak_time), field("rms_torque", "", "", &D::rms));
}

/// An actuator that was asked for more than its limit.
struct ExceededLimit {
  std::string actuator;
  double limit = 0;
  long long instants = 0;
  double first = 0;  // s
};

constexpr auto fields(Of<ExceededLimit>) {
  using E = ExceededLimit;
  return row_list("ExceededLimit", "An actuator whose torque is beyond its limit.",
                  field("actuator", "", "", &E::actuator), field("limit", "", "N m or N", &E::limit),
                  field("instants", "", "how many", &E::instants), field("first", "s", "", &E::first));
}

/// The torques of the drivers, each with its unit.
void add_driver_columns(const Mechanism&, MechanismColumns& group);

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
  std::vector<std::string> shared_names() const;

  /// `Power of the actuators is the rate of energy to ...`, and its figures.
  std::string power_sentence() const;
  Highlight power_highlight() const;
  /// `Actuator "motor" needs up to 12.5 N m (at 0.42 s), 5.1 N m rms.`: the largest of all torques, and of all forces.
  std::string largest_sentence() const;
  std::vector<Highlight> largest_highlights() const;
  double power_error() const { return worst_balance_; }
  double largest_power() const { return largest_power_; }
  std::optional<double> power_balance() const;
  /// `Actuator "motor": at most 12.5 N m, at 0.42 s; 5.1 N m rms.`: of each, a dozen at most.
  std::vector<std::string> torque_sentences() const;
  /// `Torques and reactions have no value at 2 of 21 instants, ...`; empty: they have one at all.
  std::string gap_sentence() const;
  std::vector<DrivingTorque> driving_torques() const;
  /// When torques have no value, s.
  const std::vector<double>& no_value() const { return no_value_; }
  /// Which actuators were beyond their limits, when and how often; empty: none.
  std::vector<std::string> limit_sentences() const;
  std::vector<ExceededLimit> exceeded_limits() const;

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
  const Course* largest(std::string_view unit) const;
  double worst_balance_ = 0, largest_power_ = 0;
};

constexpr auto fields(Of<InverseRows>) {
  using I = InverseRows;
  return field_list(
      "InverseSummary", "What the actuators of a mechanism do along a motion.",
      field("commanded", "", "degrees of freedom that the actuators command, where it is most", &I::commanded),
      field("unbalanced", "", "largest acceleration that no actuator can cause, rad/s^2 or m/s^2",
            &I::worst_unbalanced),
      field("power_error", "W", "", &I::power_error), field("largest_power", "W", "", &I::largest_power),
      field("power_balance", "", "the one by the other; None where there is hardly any power", &I::power_balance),
      field("torques_of", "", "actuators, or drivers where there are none", &I::who),
      field("torques_not_unique", "", "actuators", &I::shared_names), field("torques", "", "", &I::driving_torques),
      field("no_value", "s", "when torques have none", &I::no_value),
      field("beyond_limits", "", "", &I::exceeded_limits));
}

}  // namespace torsor
