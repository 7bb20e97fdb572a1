// Solutions of inverse kinematics as a report and its tables: every branch of a closed form, or what the numeric solver found.
#pragma once

#include <span>

#include "torsor/model/coordinate_kind.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/numeric_ik/ik_result.hpp"
#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"

namespace torsor {

/// Positions and rates in the units that are shown, for JSON, whose numbers stand without units. Reports take them in SI.
void show_in_units(IkResult& result, const Model<double>& model, bool degrees);
void show_in_units(PoseSolutions& result, const Model<double>& model, bool degrees);
void show_in_units(PoseSolution& result, const Model<double>& model, bool degrees);

struct IkReportParts {
  bool figure = false, rates = false, turns = false;
  const char* redundancy_is_ours =
      nullptr;  // nobody asked for the value of the redundancy: it is said, and how to ask for another
};

/// result: of that answer.
Report closed_ik_report(const InverseKinematics& solver, const IkSolutions& answer, const IkResult& result,
                        IkReportParts what, const PrintStyle& print);
/// Of fewer than six joints, or of seven with one held.
Report solutions_report(const InverseKinematics& solver, const IkSolutions& found, const PoseSolutions& result,
                        IkReportParts what, const PrintStyle& print);
Report numeric_ik_report(const InverseKinematics& solver, const GeneralAnswer& answer,
                         const std::optional<ToolRates>& rates, const PoseSolution& result, bool figure,
                         const PrintStyle& print);

/// One row per branch: label, joints, det J, least factor, residuals, status.
TextTable branch_table(const std::string& caption, const std::vector<IkBranchRow>& shown,
                       const Model<double>& model, const PrintStyle& print);

struct LabelledRates {
  std::string label;
  const RateRow* rates;
};

/// One row per branch or solution: velocities (order 1) or accelerations (order 2).
TextTable rate_table(const std::string& caption, std::span<const LabelledRates> shown, const Model<double>& model,
                     int order, const PrintStyle& print);

/// All positions of the branches, whole turns apart, that the limits allow; at most a thousand.
TextTable turns_table(const std::vector<IkBranchRow>& shown, const Model<double>& model, const PrintStyle& print);

/// What a singular branch loses and what remains of it, in a sentence each; empty where none is singular.
std::vector<std::string> losses(const std::vector<IkBranchRow>& shown);

/// Solutions of fewer or more than six joints as rows, their joints as columns.
TextTable solution_table(const PoseSolutions& result, const Model<double>& model, const PrintStyle& print);

/// Values of a redundancy that have solutions.
TextTable interval_table(const std::string& caption, const std::vector<FeasibleInterval>& intervals,
                         CoordinateKind kind, const PrintStyle& print);

}  // namespace torsor
