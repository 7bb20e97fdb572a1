// A control law: the torques of the joints from what an arm does and what it is to do. One face for all laws, so that a
// run does not care which one drives it; one file each, and one row of the table.
//
// Every law works in joint coordinates q of one degree of freedom each; those that close the loop around the tool take
// its pose and motion in the world, and measure orientation by quaternion (pose_error.hpp). Near a singular position
// tool motions are resolved by damped least squares (damped_inverse.hpp): bounded rates, and the part given up is
// reported. Every torque is cut at the limit of its joint, and the number of joints cut is reported; no law has an
// integral that could wind up.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/control/controller_model.hpp"
#include "torsor/trajectory/cartesian.hpp"

namespace torsor {

/// What is measured: positions and rates of the joints (n each); the force that the surroundings exert on the tool, its
/// moment about the tool's origin, components in the world.
struct ControlState {
  double t = 0;
  std::span<const double> q, qd;
  Force<double> tool_force;
};

/// What is wanted at an instant. The joints' own plan (n each) is all that joint-based laws see; tool-based ones use it
/// for what the tool does not determine, and do without if it is empty.
struct ControlReference {
  std::span<const double> q, qd, qdd;
  CartesianState tool;
  Force<double> push;  // what the tool is to exert on its surroundings; operational space alone uses it
};

/// A position on the way, at a time [s].
struct JointKnot {
  double t = 0;
  std::vector<double> q;
};

/// What a law is made from. model (kinematics, limits; with loops Robot::coordinates()), tool and dynamics must outlive it; dynamics serves one law.
struct ControlSetup {
  const Model<double>& model;
  const Frame<double>& tool;
  ControllerModel& dynamics;
  std::vector<double> start;  // n: where constant inertias are taken
  ControlGains gains = {};
  Impedance impedance = {};           // all zero: that of the arm itself, with the gains at the bandwidth below
  std::vector<JointKnot> knots = {};  // where inverse Jacobians are computed beforehand; in the order of time
  double impedance_bandwidth = 1;     // kp times the square of this and kv times this
};

/// What a law had to give up at the last call.
struct ControlReport {
  double lost = 0;                     // of the asked tool motion: rad/s^2 (rad/s for rates), shifts per tool_length
  double smallest_singular_value = 1;  // of the tool's Jacobian, per greatest
  int saturated = 0;                   // joints whose torque was cut
};

/// One law for one arm. Nothing is allocated after construction; one object per thread.
class ControlLaw {
 public:
  explicit ControlLaw(const ControlSetup& setup);
  virtual ~ControlLaw() = default;
  ControlLaw(const ControlLaw&) = delete;
  ControlLaw& operator=(const ControlLaw&) = delete;

  /// tau (n) [N m, N], within the limits of the joints.
  void effort(const ControlState& state, const ControlReference& reference, std::span<double> tau);

  const ControlReport& report() const { return report_; }

 protected:
  virtual void compute(const ControlState& state, const ControlReference& reference, std::span<double> tau) = 0;

  const Model<double>& model_;
  ControllerModel& dynamics_;
  ControlGains gains_;
  int n_;
  ControlReport report_;
};

/// What a law asks of the controller's model.
enum class ModelNeed { none, gravity, all };

/// A row of the table of laws.
struct ControlLawRow {
  std::string_view name, title, source;
  bool tool;   // closes the loop around the tool
  bool force;  // uses the measured force
  ModelNeed need;
  std::string_view singular;  // what it does near a singular position
  std::unique_ptr<ControlLaw> (*make)(const ControlSetup&);
};

/// All laws, from the simplest on.
std::span<const ControlLawRow> control_laws();

/// The row of that name, or null.
const ControlLawRow* find_control_law(std::string_view name);

/// Why no law can be made for this robot, as a sentence; empty where all can.
std::string control_refusal(const Model<double>&);
/// Why this law cannot; of a robot with loops those that close the loop around the tool.
std::string control_refusal(const Robot&, const ControlLawRow&);

/// Inertia [kg m^2, kg] that each joint feels at q while the others are free: 1 / (M^-1)_ii.
std::vector<double> free_inertias(ControllerModel&, std::span<const double> q);

/// The impedance of the arm itself at q: inertias and masses that the tool has about and along its axes while it is
/// free to move in the others, 1 / (J M^-1 J^T)_ii, with the gains as stiffness and damping per mass.
Impedance natural_impedance(const Model<double>&, const Frame<double>& tool, ControllerModel&,
                            std::span<const double> q, const ControlGains&);

}  // namespace torsor
