// Branches of inverse kinematics as tables and as JSON: `torsor ik`.
#pragma once

#include "cli/print.hpp"
#include "torsor/ik/inverse_kinematics.hpp"

namespace torsor {

/// A solution of the closed form and, where the tool moves, how its joints do.
struct ShownBranch {
  IkBranch branch;
  double determinant = 0;
  std::optional<ToolRates> rates;
};

/// One row per branch: label, joints, det J, least factor, residuals, how it stands.
TextTable branch_table(const std::string& caption, const std::vector<ShownBranch>& shown,
                       const InverseKinematics& solver, const PrintArguments& print);

/// One row per branch: velocities (order 1) or accelerations (order 2).
TextTable rate_table(const std::string& caption, const std::vector<ShownBranch>& shown, const Model<double>& model,
                     int order, const PrintArguments& print);

/// All positions of the branches, whole turns apart, that the limits allow; at most a thousand.
TextTable turns_table(const std::vector<ShownBranch>& shown, const InverseKinematics& solver,
                      const PrintArguments& print);

/// What a singular branch loses and what remains of it, in a sentence each; empty where none is singular.
std::vector<std::string> losses(const std::vector<ShownBranch>& shown, const InverseKinematics& solver);

/// The branch as one JSON object; with its turns where asked for.
void branch_fields(JsonWriter& json, const ShownBranch& shown, const InverseKinematics& solver, bool turns);

}  // namespace torsor
