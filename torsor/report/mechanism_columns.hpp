// Columns of a mechanism's rows and their values: poses, measures, reactions, and of what they are.
#pragma once

#include <string>
#include <vector>

#include "torsor/mechanism/equations.hpp"
#include "torsor/mechanism/joint_reaction.hpp"
#include "torsor/mechanism/named_measure.hpp"

namespace torsor {

/// Columns that belong together: in one plot where they have one unit, else in one for each.
struct MechanismColumns {
  std::string heading, quantity, unit;
  std::vector<std::string> names;
  std::vector<std::string> units = {};  // of each, where they need not be the same

  void add(std::string name, std::string_view unit_of_it);
  std::string_view unit_of(std::size_t k) const { return k < units.size() ? units[k] : unit; }
};

/// N m of an angle, N of a slide or a length.
const char* torque_unit(const Measure& measure);

/// The names of all of them, behind `t` if so.
std::vector<std::string> header_of(const std::vector<MechanismColumns>& groups, bool with_time);

/// Whether an error is told as a share of the largest of its kind: not where there is hardly anything to have a share of.
bool tells_as_share(double error, double largest);
/// `5e-16 of the largest power, 40.54 W`, or `2e-17 W, where the largest power is 1e-16 W`.
std::string beside_largest(double error, double largest, const char* what, const char* unit);

/// What the joints bear and the couplings pass on: sizes of forces and moments, their components, torques of couplings.
struct ReactionChoice {
  bool drivers = true;  // joints that drivers have taken among them
  bool on_i = false, joint_axes = false;
};
class ReactionColumns {
 public:
  ReactionColumns(const Mechanism&, const ReactionChoice&);

  std::vector<MechanismColumns> columns() const;
  void append(const MechanismEquations& evaluated, std::span<const double> lambda, std::vector<double>& out) const;

 private:
  const Mechanism& mechanism_;
  ReactionChoice choice_;
  std::vector<const ConstraintBlock*> held_, couplings_;
};

/// Six numbers of the pose of each body's own frame with its velocity, and so on: the columns and their values.
MechanismColumns pose_columns(const MechanismDescription&);
MechanismColumns velocity_columns(const MechanismDescription&);
MechanismColumns acceleration_columns(const MechanismDescription&);
void append_poses(const Mechanism&, const MechanismState&, std::vector<double>& out);
void append_velocities(const Mechanism&, const MechanismState&, std::vector<double>& out);
void append_accelerations(const Mechanism&, const MechanismState&, std::span<const Motion<double>> A,
                          std::vector<double>& out);

/// Where the points of a file are, how fast, and how fast that changes: no columns where it names none.
std::vector<MechanismColumns> point_columns(const MechanismDescription&);
void append_points(const Mechanism&, const MechanismState&, std::span<const Motion<double>> A,
                   std::vector<double>& out);

/// Value, rate and second derivative of the measures.
std::vector<MechanismColumns> measure_columns(const std::vector<NamedMeasure>&);
void append_measures(const MechanismEquations& evaluated, const std::vector<NamedMeasure>&,
                     std::span<const Motion<double>> A, std::vector<double>& out);

}  // namespace torsor
