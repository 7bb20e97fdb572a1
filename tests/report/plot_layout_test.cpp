#include "torsor/report/plot_layout.hpp"

#include <doctest/doctest.h>

#include "torsor/text/utf8.hpp"

using namespace torsor;
using namespace torsor::detail;

namespace {

SvgPlot two_point_plot(double low, double high) { return {.series = {{"a", {0, 1}, {low, high}}}}; }

}  // namespace

TEST_CASE("a text too wide is cut between letters, whatever their bytes, and stays one line") {
  CHECK(shortened("short", 500) == "short");
  CHECK(shortened("two\nlines", 500) == "two lines");
  const std::string cut = shortened("ééééééééééééééééééééééééééééééé", 80);
  CHECK(cut.ends_with("é…"));
  CHECK(text_width(cut) < 20);
  // something is left in no room at all
  CHECK(text_width(shortened("abcdefgh", 0)) == 4);
}

TEST_CASE("the legend breaks into rows, and a lone series without a name has none") {
  SvgPlot plot;
  CHECK(lay_out_legend(plot, 900).empty());
  plot.series.resize(1);
  CHECK(lay_out_legend(plot, 900).empty());
  plot.series.resize(2);
  CHECK(lay_out_legend(plot, 900).size() == 2);
  for (PlotSeries& series : plot.series) series.name = "a name of some length";
  CHECK(lay_out_legend(plot, 900)[1].row == 0);
  const auto narrow = lay_out_legend(plot, 250);
  CHECK(narrow[1].row == 1);
  CHECK(narrow[1].x == 0);
}

TEST_CASE("names of markers do not overlap, turn at the right edge, and markers outside are left out") {
  SvgPlot plot = two_point_plot(0, 1);
  plot.markers = {{0.52, "second event"}, {0.5, "first event"}, {1, "at the end"}, {7, "outside"}};
  const PlotFrame frame = make_frame(plot, {900, 380});
  const auto labels = lay_out_markers(plot, frame);
  REQUIRE(labels.size() == 3);
  CHECK(labels[0].text == "first event");
  CHECK(labels[0].row == 0);
  CHECK(labels[1].row == 1);
  CHECK_FALSE(labels[1].flipped);
  CHECK(labels[2].flipped);
}

TEST_CASE("a limit near the data widens the range, one far away does not") {
  const auto top_with = [](double limit) {
    SvgPlot plot = two_point_plot(0, 1);
    plot.limits = {{limit, "limit"}};
    return make_frame(plot, {900, 380}).y.value_at(1);
  };
  CHECK(top_with(2) >= 2);
  CHECK(top_with(50) < 2);
  // a constant curve shows its limit however far
  SvgPlot constant = two_point_plot(1, 1);
  constant.limits = {{50, "limit"}};
  CHECK(make_frame(constant, {900, 380}).y.value_at(1) >= 50);
}
