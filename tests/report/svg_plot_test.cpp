#include "torsor/report/svg_plot.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/markup.hpp"
#include "tests/support/page_data.hpp"
#include "torsor/report/decimate.hpp"
#include "torsor/report/page_columns.hpp"
#include "torsor/text/json.hpp"

using namespace torsor;
using markup::count_of;
using markup::markup_fault;

namespace {

std::string drawn(const SvgPlot& plot, SvgSize size = {}) {
  std::ostringstream out;
  write_svg(plot, size, out);
  return out.str();
}

nlohmann::json data_of(const SvgPlot& plot) {
  std::ostringstream out;
  JsonWriter json(out);
  PageColumns columns;
  write_data(plot, json, columns);
  std::ostringstream stored;
  JsonWriter list(stored);
  columns.write(list);
  nlohmann::json data = nlohmann::json::parse(out.str());
  pages::put_columns(data, nlohmann::json::parse(stored.str()));
  return data;
}

SvgPlot plot_of(std::vector<double> x, std::vector<double> y) {
  SvgPlot plot;
  plot.title = "t";
  plot.x = {"time", "s"};
  plot.y = {"torque", "N m"};
  plot.series = {{"waist", std::move(x), std::move(y)}};
  return plot;
}

// the outline of the first curve inside the frame; the legend's sample comes before the inner svg
std::string curve(const std::string& svg) {
  const std::size_t inner = svg.find("<svg", 4), path = svg.find("<path class='line", inner);
  if (path == std::string::npos) return "";
  const std::size_t begin = svg.find(" d='", path) + 4;
  return svg.substr(begin, svg.find('\'', begin) - begin);
}

// the coordinates of an outline of absolute M and L commands
std::vector<double> coordinates(std::string outline) {
  for (char& c : outline) c = c == 'M' || c == 'L' ? ' ' : c;
  std::istringstream in(outline);
  std::vector<double> all;
  for (double value; in >> value;) all.push_back(value);
  return all;
}

void check_sound(const SvgPlot& plot) {
  for (const SvgSize size : {SvgSize{}, SvgSize{330, 240}}) {
    const std::string svg = drawn(plot, size);
    CHECK(markup_fault(svg) == "");
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
  }
}

}  // namespace

TEST_CASE("a plot shows its axes with units, ticks, curve and legend") {
  const SvgPlot plot = plot_of({0, 1, 2}, {0, 10, 5});
  const std::string svg = drawn(plot);
  check_sound(plot);
  CHECK(svg.find(">time (s)</text>") != std::string::npos);
  CHECK(svg.find(">torque (N m)</text>") != std::string::npos);
  CHECK(svg.find(">waist</text>") != std::string::npos);
  CHECK(svg.find(">10</text>") != std::string::npos);
  CHECK(count_of(curve(svg), "M") == 1);
  CHECK(count_of(curve(svg), "L") == 2);
}

TEST_CASE("points lie where their values say") {
  SvgPlot plot = plot_of({0, 5, 10}, {0, 50, 100});
  plot.y.low = 0;
  plot.y.high = 100;
  const auto at = coordinates(curve(drawn(plot)));
  REQUIRE(at.size() == 6);
  CHECK(at[2] == doctest::Approx((at[0] + at[4]) / 2).epsilon(1e-3));
  CHECK(at[3] == doctest::Approx((at[1] + at[5]) / 2).epsilon(1e-3));
  CHECK(at[1] > at[5]);
  CHECK(at[0] < at[4]);
}

TEST_CASE("no series, an empty series, a single point and a constant are drawn") {
  SvgPlot none;
  check_sound(none);
  CHECK(drawn(none).find("no data") != std::string::npos);
  check_sound(plot_of({}, {}));
  CHECK(drawn(plot_of({}, {})).find("no data") != std::string::npos);

  const SvgPlot point = plot_of({3}, {4});
  check_sound(point);
  CHECK(count_of(drawn(point), "<circle") == 1);
  CHECK(curve(drawn(point)).empty());

  const SvgPlot constant = plot_of({0, 1}, {7, 7});
  check_sound(constant);
  const auto at = coordinates(curve(drawn(constant)));
  REQUIRE(at.size() == 4);
  CHECK(at[1] == at[3]);
}

TEST_CASE("values that are not finite leave a gap, without a line about it") {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const SvgPlot plot = plot_of({0, 1, 2, 3, 4, 5, 6, nan, 8, 9}, {1, 2, nan, 3, 4, inf, 5, 1, 2, 3});
  check_sound(plot);
  const std::string svg = drawn(plot);
  CHECK(count_of(curve(svg), "M") == 3);
  CHECK(count_of(curve(svg), "L") == 3);
  CHECK(count_of(svg, "<circle") == 1);
  CHECK(drawing_notes(plot).empty());

  const SvgPlot nothing = plot_of({0, 1}, {nan, -inf});
  check_sound(nothing);
  CHECK(drawn(nothing).find("no data") != std::string::npos);
}

TEST_CASE("ranges from 1e-300 to the largest double are drawn without overflow") {
  const double huge = std::numeric_limits<double>::max();
  check_sound(plot_of({0, 1}, {-huge, huge}));
  check_sound(plot_of({-huge, huge}, {0, 5e-324}));
  check_sound(plot_of({0, 1e-12}, {0, 1e9}));
  check_sound(plot_of({0, 1}, {1e9, 1e9 + 1e-3}));
  CHECK(drawn(plot_of({0, 1e-12}, {0, 1e9})).find(">torque (10⁹ N m)</text>") != std::string::npos);
  CHECK(drawn(plot_of({0, 1e-12}, {0, 1e9})).find(">time (10⁻¹² s)</text>") != std::string::npos);
}

TEST_CASE("a million points are drawn with few, and a peak of one sample stands") {
  std::vector<double> x, y;
  for (int i = 0; i < 1000000; ++i) {
    x.push_back(1e-3 * i);
    y.push_back(std::sin(0.01 * i) + 0.1 * std::sin(1.3 * i));
  }
  y[777777] = 40;
  const SvgPlot plot = plot_of(x, y);
  const std::string svg = drawn(plot);
  CHECK(svg.size() < 100000);
  const auto at = coordinates(curve(svg));
  double top = 1e9, where = 0;
  for (std::size_t i = 0; i + 1 < at.size(); i += 2) {
    if (at[i + 1] < top) top = at[i + 1], where = at[i];
  }
  // the peak is at 777.8 of 1000, far above the rest
  const double left = at[0], right = at[at.size() - 2];
  CHECK((where - left) / (right - left) == doctest::Approx(0.7778).epsilon(2e-3));
  CHECK(at[1] - top > 150);

  const auto data = data_of(plot)["series"][0];
  CHECK(data["points"] == 1000000);
  CHECK(data["thinned"] == true);
  CHECK(data["y"].size() <= max_series_points);
  CHECK(std::find(data["y"].begin(), data["y"].end(), 40) != data["y"].end());
  REQUIRE(drawing_notes(plot).size() == 1);
  CHECK(drawing_notes(plot)[0].find("20000 points") != std::string::npos);
}

TEST_CASE("the data hold every value of a series exactly") {
  std::vector<double> x, y;
  for (int i = 0; i < 20000; ++i) {
    x.push_back(i / 7.0);
    y.push_back(std::exp(-1e-3 * i) / 3);
  }
  SvgPlot plot = plot_of(x, y);
  plot.limits = {{0.1, "limit"}};
  plot.markers = {{2.5, "grip"}};
  const auto data = data_of(plot);
  CHECK(data["kind"] == "lines");
  CHECK(data["x"]["unit"] == "s");
  CHECK(data["series"][0]["thinned"] == false);
  CHECK(data["series"][0]["x"].get<std::vector<double>>() == x);
  CHECK(data["series"][0]["y"].get<std::vector<double>>() == y);
  CHECK(data["limits"][0]["value"].get<double>() == 0.1);
  CHECK(data["markers"][0]["label"] == "grip");
  CHECK(drawing_notes(plot).empty());
}

TEST_CASE("a limit near the data is drawn, one far away is named at the edge and does not flatten the curve") {
  SvgPlot plot = plot_of({0, 1}, {-10, 10});
  plot.limits = {{15, "near limit"}, {-1000, "far limit"}};
  const std::string svg = drawn(plot);
  check_sound(plot);
  CHECK(count_of(svg, "<path class='limit'") == 1);
  CHECK(svg.find(">near limit</text>") != std::string::npos);
  CHECK(svg.find(">▼ far limit</text>") != std::string::npos);
  const auto at = coordinates(curve(svg));
  CHECK(at[1] - at[3] > 150);
  // a limit that is not a number is no line at all
  plot.limits = {{std::nan(""), "none"}};
  CHECK(drawn(plot).find("none") == std::string::npos);
}

TEST_CASE("markers inside the range are drawn with their names, in rows if they are close") {
  SvgPlot plot = plot_of({0, 10}, {0, 1});
  plot.markers = {{5, "grip"}, {5.1, "lift"}, {50, "outside"}, {std::nan(""), "never"}, {10, "end"}};
  const std::string svg = drawn(plot);
  check_sound(plot);
  CHECK(count_of(svg, "<path class='marker'") == 3);
  CHECK(svg.find("outside") == std::string::npos);
  CHECK(svg.find("never") == std::string::npos);
  const auto y_of = [&](const std::string& name) {
    const std::size_t text = svg.rfind("<text", svg.find(">" + name + "</text>"));
    return std::stod(svg.substr(svg.find(" y='", text) + 4));
  };
  CHECK(y_of("grip") - y_of("lift") >= 12);
}

TEST_CASE("series differ in colour and dash, and no pair repeats among the first 64") {
  SvgPlot plot;
  for (int i = 0; i < 64; ++i) plot.series.push_back({"joint " + std::to_string(i), {0, 1}, {0, 1.0 * i}});
  check_sound(plot);
  const std::string svg = drawn(plot);
  for (int colour = 0; colour < 8; ++colour) {
    for (int dash = 0; dash < 8; ++dash) {
      const std::string style = "class='line c" + std::to_string(colour) + " d" + std::to_string(dash) + "'";
      CHECK(count_of(svg, style) == 2);  // in the legend and in the frame
    }
  }
  for (int i = 0; i < 8; ++i) CHECK(plot_css().find(".line.c" + std::to_string(i)) != std::string::npos);
}

TEST_CASE("logarithmic axes turn a power law into a straight line and leave out what is not above zero") {
  SvgPlot plot = plot_of({1, 10, 100, 1000}, {1e-9, 1e-6, 1e-3, 1});
  plot.x.log = plot.y.log = true;
  check_sound(plot);
  const auto at = coordinates(curve(drawn(plot)));
  REQUIRE(at.size() == 8);
  for (std::size_t i = 2; i < 6; ++i) CHECK(at[i] - at[i - 2] == doctest::Approx(at[i + 2] - at[i]).epsilon(2e-3));
  plot.series[0].y[2] = 0;
  check_sound(plot);
  CHECK(drawing_notes(plot).empty());  // a gap is seen; no line about it
}

TEST_CASE("texts of a plot are escaped, and too long ones cut") {
  SvgPlot plot = plot_of({0, 1}, {0, 1});
  const std::string bad = "<script>'\"&\x01";
  plot.title = plot.x.label = plot.x.unit = plot.y.label = plot.y.unit = plot.series[0].name = bad;
  plot.limits = {{0.5, bad}};
  plot.markers = {{0.5, bad}};
  CHECK(markup_fault(drawn(plot)) == "");
  CHECK(drawn(plot).find("<script") == std::string::npos);
  plot.series[0].name = std::string(5000, 'x');
  CHECK(drawn(plot).size() < 8000);
  CHECK(drawn(plot).find("x…</text>") != std::string::npos);
}

TEST_CASE("a given range clips the curve, however far outside it runs") {
  SvgPlot plot = plot_of({0, 1, 2}, {0, 1e200, 0});
  plot.y.low = -1;
  plot.y.high = 1;
  check_sound(plot);
  for (const double c : coordinates(curve(drawn(plot)))) CHECK(std::abs(c) < 1e5);
}
