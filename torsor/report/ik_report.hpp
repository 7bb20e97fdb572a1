// Solutions of inverse kinematics as a report: every branch of a closed form, or what the numeric solver found.
#pragma once

#include "torsor/numeric_ik/ik_result.hpp"
#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"

namespace torsor {

/// Positions and rates of the branches in the units that are shown.
void show_in_units(IkResult& result, const Model<double>& model, bool degrees);

struct IkReportParts {
  bool figure = false, rates = false, turns = false;
};

/// result: of that answer, in the units that are shown.
Report closed_ik_report(const InverseKinematics& solver, const IkSolutions& answer, const IkResult& result, IkReportParts what,
                        const PrintStyle& print);
Report numeric_ik_report(const InverseKinematics& solver, const GeneralAnswer& answer, const std::optional<ToolRates>& rates,
                         const PoseSolution& result, bool figure, const PrintStyle& print);

}  // namespace torsor
