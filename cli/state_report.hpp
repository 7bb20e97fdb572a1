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

/// The members robot, coordinates, units and the state of a JSON answer.
void state_fields(JsonWriter& json, const Model<double>& model, const State& state,
                  const std::vector<std::string>& loads, const PrintArguments& print);

/// A member with one number per position or per velocity coordinate: angles in degrees if so.
void position_field(JsonWriter& json, std::string_view name, std::span<const double> values, const Model<double>& model,
                    const PrintArguments& print);
void rate_field(JsonWriter& json, std::string_view name, std::span<const double> values, const Model<double>& model,
                const PrintArguments& print);

}  // namespace torsor
