#include "torsor/report/quiet_curves.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "torsor/report/report.hpp"

using namespace torsor;

namespace {

SvgPlot plot_of(std::string quantity, std::string unit, double size) {
  return {.y = {std::move(quantity), std::move(unit)}, .series = {{"a", {0, 1, 2}, {size, -size, std::nan("")}}}};
}

}  // namespace

TEST_CASE("a curve of rounding beside others of its quantity is zero, and its gaps stay") {
  std::vector<SvgPlot> plots{plot_of("torque", "N m", 30), plot_of("torque", "N m", 1e-21),
                             plot_of("torque", "N m", 1e-12)};
  silence_noise(plots);
  CHECK(plots[0].series[0].y[0] == 30);
  CHECK(plots[1].series[0].y[0] == 0);
  CHECK(plots[1].series[0].y[1] == 0);
  CHECK(std::isnan(plots[1].series[0].y[2]));
  // small, but not rounding
  CHECK(plots[2].series[0].y[0] == 1e-12);
}

TEST_CASE("what has another quantity, none, or a logarithmic axis is no rounding of the others") {
  std::vector<SvgPlot> plots{plot_of("torque", "N m", 30), plot_of("torque", "N", 1e-21), plot_of("", "", 1e-21),
                             plot_of("", "", 30), plot_of("torque", "N m", 1e-21)};
  plots[4].y.log = true;
  silence_noise(plots);
  for (const std::size_t k : {1, 2, 4}) CHECK(plots[k].series[0].y[0] == 1e-21);
}

TEST_CASE("the panels of every report are without rounding") {
  Report report;
  report.section("a").figure(PlotGrid{"", "", {plot_of("torque", "N m", 30), plot_of("torque", "N m", 1e-21)}, 2});
  const auto& grid = std::get<PlotGrid>(std::get<Figure>(report.sections.front().blocks.front()));
  CHECK(grid.plots[1].series[0].y[0] == 0);
}
