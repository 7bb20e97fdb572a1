// A state and what belongs to each coordinate, as one table: shared by the verbs that work at one state.
#pragma once

#include "cli/load_arguments.hpp"
#include "cli/print.hpp"
#include "cli/state_arguments.hpp"
#include "torsor/report/coordinate_table.hpp"

namespace torsor {

/// Title with the loads below it, and the positions when they do not fit into the table of coordinates.
Report state_report(const std::string& what, const Model<double>& model, const State& state,
                    const std::vector<std::string>& loads, const PrintArguments& print);

/// A fault when a number of the result is not finite: the state or the robot is beyond what doubles can hold.
Faults check_finite(std::span<const double> result, const std::vector<std::string>& names, const std::string& what);

/// The state and quantities at it, one row per coordinate; positions among them where they fit in.
TextTable state_table(std::string caption, const Model<double>& model, const State& state,
                      std::vector<Quantity> quantities, const PrintArguments& print);

}  // namespace torsor
