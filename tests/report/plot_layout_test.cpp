#include "torsor/report/plot_layout.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

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
  plot.series[0].name = "torque";
  CHECK(lay_out_legend(plot, 900).size() == 1);
  plot.y.label = "torque";
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

TEST_CASE("the line of a marker above the y heading ends below it") {
  SvgPlot plot = two_point_plot(0, 1);
  plot.y = {"motor torque", "N m"};
  plot.markers = {{0.05, "as it is"}, {0.9, "least rms"}};
  const auto labels = lay_out_markers(plot, make_frame(plot, {330, 240}));
  REQUIRE(labels.size() == 2);
  CHECK(labels[0].row == 1);
  CHECK_FALSE(labels[0].joined);
  CHECK(labels[1].joined);
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

TEST_CASE("the name of a limit covers no curve, no line and no other name") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  int beside = 0, above = 0;
  for (int trial = 0; trial < 300; ++trial) {
    SvgPlot plot;
    plot.y = {"torque", "N m"};
    for (int s = 0; s <= trial % 4; ++s) {
      const double a = unit(random), b = unit(random), c = 20 * unit(random), d = 60 * unit(random);
      PlotSeries series;
      for (int i = 0; i <= 200; ++i) {
        const double t = i / 200.0;
        series.x.push_back(t);
        series.y.push_back(a * std::sin(c * t) + b * std::cos(d * t));
      }
      plot.series.push_back(std::move(series));
    }
    plot.limits = {{1.5 * unit(random), "lower limit"}, {1.5 * unit(random), "limit 97.6"}, {9, "far away"}};
    if (trial % 2 == 0) plot.markers = {{0.1, "an event"}, {0.9, "another one"}};
    const PlotFrame frame = make_frame(plot, trial % 3 == 0 ? SvgSize{900, 380} : SvgSize{330, 240});
    const auto markers = lay_out_markers(plot, frame);
    const auto labels = lay_out_limits(plot, frame, markers);
    REQUIRE(labels.size() == 3);
    struct Box {
      double left, top, right, bottom;
    };
    std::vector<Box> boxes;
    for (const LimitLabel& label : labels) {
      const double width = 6 * static_cast<double>(text_width(label.text));  // letters of 12 px, tightly
      ++(label.row < 0 ? beside : above);
      // in the rows above the frame, beside the names of the markers
      for (const MarkerLabel& marker : markers)
        CHECK_FALSE((label.row == static_cast<int>(marker.row) && label.right - width < marker.end));
      CHECK((label.row < 0 || label.row < rows_above(markers, labels)));
      for (const LimitLabel& other : labels)
        CHECK_FALSE((&other != &label && other.row == label.row && label.row >= 0 &&
                     other.right > label.right - width && other.right <= label.right));
      if (label.row >= 0) continue;
      const Box box{label.right - width, label.baseline - 10, label.right, label.baseline + 3};
      CHECK(box.left >= frame.left);
      CHECK(box.top >= 0);
      CHECK(box.bottom <= frame.height);
      for (const Box& other : boxes)
        CHECK_FALSE(
            (box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top));
      boxes.push_back(box);
      for (const PlotLine& limit : plot.limits)
        CHECK_FALSE((frame.py(limit.value) > box.top && frame.py(limit.value) < box.bottom));
      bool covered = false;
      for (const PlotSeries& series : plot.series)
        for (std::size_t i = 1; i < series.x.size(); ++i)
          for (int k = 0; k <= 20; ++k) {
            const double f = k / 20.0, x = (1 - f) * frame.px(series.x[i - 1]) + f * frame.px(series.x[i]),
                         y = (1 - f) * frame.py(series.y[i - 1]) + f * frame.py(series.y[i]);
            covered |= x > box.left && x < box.right && y > box.top && y < box.bottom;
          }
      CHECK_FALSE(covered);
    }
  }
  // both happen: names beside their lines, and names above the frame for want of a place
  CHECK(beside > 100);
  CHECK(above > 100);
}

TEST_CASE("a limit that no curve passes has its name beside its line, however full the plot is") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    SvgPlot plot;
    plot.y = {"position", "rad"};
    double low = 1e9, high = -1e9;
    for (int s = 0; s < 8; ++s) {
      const double level = unit(random), swing = 0.02 * unit(random);
      PlotSeries series{"branch", {}, {}};
      for (int i = 0; i <= 50; ++i) {
        series.x.push_back(i / 50.0);
        series.y.push_back(level + swing * std::sin(i));
        low = std::min(low, series.y.back()), high = std::max(high, series.y.back());
      }
      plot.series.push_back(std::move(series));
    }
    // close to the curves, where there is no room between them and the line
    plot.limits = {{low - 0.01 - 0.1 * std::abs(unit(random)), "lower limit"},
                   {high + 0.01 + 0.1 * std::abs(unit(random)), "upper limit"}};
    const PlotFrame frame = make_frame(plot, {330, 240});
    const auto labels = lay_out_limits(plot, frame, {});
    REQUIRE(labels.size() == 2);
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(labels[k].row < 0);
      const double line = frame.height * (1 - frame.y.position(plot.limits[k].value));
      CHECK(std::abs(labels[k].baseline - line) < 20);
    }
  }
}
