// The rows of a mechanism's motion as they go by, and the page made of them: the mechanism as it moves, curves
// of measures, torques, reactions, energies and of the gap of the equations. Shared by kinematics, inverse and simulate.
#pragma once

#include <functional>

#include "cli/column_curves.hpp"
#include "cli/mechanism_argument.hpp"
#include "cli/row_output.hpp"
#include "torsor/report/mechanism_view.hpp"
#include "torsor/mechanism/joint_reaction.hpp"

namespace torsor {

/// Columns that belong together on a plot.
struct MechanismColumns {
  std::string heading, quantity, unit;
  std::vector<std::string> names;
};

class MechanismRows {
 public:
  /// groups: all columns after the time, in their order.
  MechanismRows(const Mechanism&, const MechanismRunArguments&, std::vector<MechanismColumns> groups,
                const std::string& what);

  const Faults& faults() const { return output_.faults(); }

  /// The numbers of one instant behind the time; false when writing has failed. efforts: of the actuators, where they are known.
  bool add(const MechanismState& state, std::span<const double> numbers, Gaps = Gaps::faults,
           std::span<const double> efforts = {});
  long long rows() const { return rows_; }

  /// Ends the rows; writes the page with these highlights and sentences and, with --json, the answer, `summary` adding to it.
  /// The verb's exit code so far. complete: the run came to its end. `summary_text`: what is printed when rows went to a file.
  int finish(bool complete, const std::vector<Highlight>& highlights, const std::vector<Paragraph>& sentences,
             const std::function<void(JsonWriter&)>& summary, const std::string& summary_text);

 private:
  const Mechanism& mechanism_;
  const MechanismRunArguments& arguments_;
  std::vector<MechanismColumns> groups_;
  std::string what_;
  RowOutput output_;
  ColumnCurves curves_;
  MechanismMotion motion_;
  long long rows_ = 0;
  bool written_ = true;
  std::vector<double> row_;
};

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

/// Value, rate and second derivative of the measures.
std::vector<MechanismColumns> measure_columns(const std::vector<NamedMeasure>&);
void append_measures(const MechanismEquations& evaluated, const std::vector<NamedMeasure>&,
                     std::span<const Motion<double>> A, std::vector<double>& out);

}  // namespace torsor
