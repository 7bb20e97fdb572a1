// Branches of inverse kinematics as tables: `torsor ik`.
#pragma once

#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"
#include "torsor/numeric_ik/ik_result.hpp"

namespace torsor {

/// One row per branch: label, joints, det J, least factor, residuals, status.
TextTable branch_table(const std::string& caption, const std::vector<IkBranchRow>& shown,
                       const Model<double>& model, const PrintStyle& print);

/// One row per branch: velocities (order 1) or accelerations (order 2).
TextTable rate_table(const std::string& caption, const std::vector<IkBranchRow>& shown, const Model<double>& model,
                     int order, const PrintStyle& print);

/// All positions of the branches, whole turns apart, that the limits allow; at most a thousand.
TextTable turns_table(const std::vector<IkBranchRow>& shown, const Model<double>& model, const PrintStyle& print);

/// What a singular branch loses and what remains of it, in a sentence each; empty where none is singular.
std::vector<std::string> losses(const std::vector<IkBranchRow>& shown);

/// Solutions of fewer or more than six joints as rows, their joints as columns.
TextTable solution_table(const PoseSolutions& result, const Model<double>& model, const PrintStyle& print);

/// Values of a redundancy that have solutions.
TextTable interval_table(const std::string& caption, const std::vector<FeasibleInterval>& intervals, const PrintStyle& print);

}  // namespace torsor
