// Branches of inverse kinematics in words: their labels as people write and read them, how they stand, what is wrong.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "torsor/ik/arm_solver.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

/// `+ - +` for shoulder, elbow, wrist; `root 2 +` where the solutions of the positioning part are only numbered; 0 where
/// the arm has no such choice or it is lost.
std::string label_text(const BranchLabel& label);

/// Which branch is wanted: signs of shoulder, elbow and wrist, or a root and the sign of the wrist; 0 where any will do.
struct BranchChoice {
  BranchLabel label;
  std::string text = {};

  /// A sign that is lost, or that the arm has not, is no reason against a branch; a root is that root.
  bool fits(const BranchLabel& branch) const;

  /// Why an arm has no such labels: signs of shoulder and elbow where it has roots, a root where it has none.
  Faults check(const ArmSolver& arm) const;
};

/// `+-+`, `+ - +`, `2 +`; or the fault of the option.
Result<BranchChoice> read_branch_choice(const std::string& text);

/// How a branch stands: `ok`; `near-singular: wrist 0.02`; `singular: wrist, q4 + q6 = 1.2, ...; elbow is 0.3 rad beyond`.
std::string standing(const IkBranch& branch, const ArmSolver& arm, const Model<double>& model, int digits);

/// Whether no joint of it is beyond its limits.
bool inside_limits(const IkBranch& branch);

/// The least of the factors of det J, and whose it is.
double least_factor(const IkBranch& branch);
std::string_view part_name(std::size_t part);

}  // namespace torsor
