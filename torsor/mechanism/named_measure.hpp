// The measures of a mechanism that are worth reporting, by name: what reports, files of results and bindings show of joints.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/mechanism/equations.hpp"

namespace torsor {

struct NamedMeasure {
  std::string name;  // `angle.crank`
  Measure measure;
};

/// All that a joint's kind has, in the order of the joints; of two places that nothing joins, what something looks at.
std::vector<NamedMeasure> reported_measures(const MechanismDescription&);

/// angle, slide or length.
std::string_view measure_word(Measure::What);

/// Of a measure where the bodies have the accelerations A.
double second_derivative(const MeasureValue&, std::span<const Motion<double>> A);

}  // namespace torsor
