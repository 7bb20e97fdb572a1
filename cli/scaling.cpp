#include "cli/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/model/general_arm.hpp"

namespace torsor {

TextTable timing_table(const std::vector<FormulationTime>& times) {
  double fastest = 0;
  for (const FormulationTime& time : times)
    if (time.seconds > 0 && (fastest == 0 || time.seconds < fastest)) fastest = time.seconds;
  TextTable table{"time per call of inverse dynamics", {{"formulation"}, {"time", "µs"}, {"ratio"}, {"order"}}};
  for (const FormulationTime& time : times)
    table.add({std::string(time.name), time.seconds * 1e6, time.seconds / fastest, std::string(time.complexity)});
  return table;
}

Scaling measure_scaling(int most, double seconds_each, double longest_call) {
  Scaling scaling;
  for (const int n : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 60}) {
    if (n > most) break;
    RobotForms<double> forms = general_forms(n);
    const auto wanted = [&](std::string_view name) {
      const auto line = std::ranges::find(scaling.lines, name, &Scaling::Line::name);
      return line == scaling.lines.end() || line->seconds.back() <= longest_call;
    };
    for (const FormulationTime& time : time_formulations(forms, seconds_each, wanted)) {
      auto line = std::ranges::find(scaling.lines, time.name, &Scaling::Line::name);
      if (line == scaling.lines.end()) {
        if (n > 1) continue;  // it serves arms of one length only
        line = scaling.lines.insert(line, {std::string(time.name), std::string(time.complexity), {}, {}});
      }
      line->n.push_back(n);
      line->seconds.push_back(time.seconds);
    }
  }
  return scaling;
}

SvgPlot scaling_plot(const Scaling& scaling) {
  SvgPlot plot{
      "time per call over the number of joints", "general arms; least of several batches", {"joints"}, {"time", "s"}};
  plot.x.log = plot.y.log = true;
  for (const Scaling::Line& line : scaling.lines) plot.series.push_back({line.name, line.n, line.seconds});
  return plot;
}

TextTable scaling_table(const Scaling& scaling) {
  TextTable table{
      "growth with the number of joints: the exponent seen over the longer half of the arms",
      {{"formulation"}, {"claimed"}, {"exponent", "", Align::automatic, 3}, {"longest arm"}, {"its time", "µs"}}};
  for (const Scaling::Line& line : scaling.lines) {
    if (line.n.size() < 4) continue;
    table.add({line.name, line.complexity, growth_exponent(line.n, line.seconds),
               static_cast<long long>(line.n.back()), line.seconds.back() * 1e6});
  }
  return table;
}

}  // namespace torsor
