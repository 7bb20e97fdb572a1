// How long each formulation of inverse dynamics takes per call, on this machine, now: in one run, so that the ratios are
// comparable. The least of several batches is given, which is what a quiet machine would show.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/formulations/catalogue.hpp"

namespace torsor {

struct FormulationTime {
  std::string_view name, complexity;
  double seconds = 0;  // per call
};

constexpr auto fields(Of<FormulationTime>) {
  return row_list("FormulationTime", "", field("name", "", "", &FormulationTime::name),
                  field("seconds_per_call", "s", "", &FormulationTime::seconds));
}

/// Every wanted formulation that serves the robot, at one random position with random rates, for so many seconds each;
/// one call at least.
std::vector<FormulationTime> time_formulations(
    RobotForms<double>&, double seconds_each,
    const std::function<bool(std::string_view)>& wanted = [](std::string_view) { return true; });

/// Slope of log y over log x by least squares over the upper half of the points: 1 for linear growth, 4 for quartic.
double growth_exponent(std::span<const double> x, std::span<const double> y);

}  // namespace torsor
