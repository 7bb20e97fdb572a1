// Time per call of each formulation, on a robot and on general arms of growing length: shared by bench and report.
#pragma once

#include "cli/print.hpp"
#include "bench/timing/formulation_timing.hpp"

namespace torsor {

/// Formulations with time per call and ratio to the fastest.
TextTable timing_table(const std::vector<FormulationTime>& times);

struct Scaling {
  struct Line {
    std::string name, complexity;
    std::vector<double> n, seconds;
  };
  std::vector<Line> lines;
};

/// Times general arms of up to `most` revolute joints, each formulation for so many seconds at each length; one is given
/// up where a call takes longer than `longest_call`.
Scaling measure_scaling(int most, double seconds_each, double longest_call);

/// Time per call over n, both logarithmic.
SvgPlot scaling_plot(const Scaling& scaling);

/// The exponent of growth seen over the upper half of the lengths, beside what the formulation claims.
TextTable scaling_table(const Scaling& scaling);

}  // namespace torsor
