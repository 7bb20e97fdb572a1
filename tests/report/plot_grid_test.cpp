#include "torsor/report/plot_grid.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/markup.hpp"
#include "tests/support/page_data.hpp"
#include "torsor/report/decimate.hpp"
#include "torsor/report/page_columns.hpp"
#include "torsor/text/json.hpp"

using namespace torsor;

TEST_CASE("a grid draws each of its plots once, in order, with its title and its data") {
  PlotGrid grid;
  grid.title = "joints";
  for (int i = 0; i < 5; ++i) {
    SvgPlot plot;
    plot.title = "joint <" + std::to_string(i) + ">";
    plot.series = {{"", {0, 1}, {0, 0.1 * i}}};
    grid.plots.push_back(plot);
  }
  for (const int columns : {-1, 1, 2, 3, 4, 100}) {
    grid.columns = columns;
    std::ostringstream out;
    write_drawing(grid, out);
    CHECK(markup::markup_fault(out.str()) == "");
    // in one column each has a second drawing, for narrow windows
    CHECK(markup::count_of(out.str(), "<svg class='plot'") == (columns <= 1 ? 10 : 5));
    CHECK(out.str().find("data-panel='4'") != std::string::npos);
    CHECK(out.str().find("joint &lt;3&gt;</p>") != std::string::npos);
  }
  std::ostringstream out;
  JsonWriter json(out);
  PageColumns columns;
  write_data(grid, json, columns);
  std::ostringstream stored;
  JsonWriter list(stored);
  columns.write(list);
  auto data = nlohmann::json::parse(out.str());
  const auto texts = nlohmann::json::parse(stored.str());
  // the five plots share their x, and the first one's y is another
  CHECK(texts.size() == 6);
  pages::put_columns(data, texts);
  REQUIRE(data["panels"].size() == 5);
  CHECK(data["panels"][3]["series"][0]["y"][1].get<double>() == 0.1 * 3);
}

TEST_CASE("what is to be said of several plots of a grid is said once") {
  PlotGrid grid;
  grid.plots.resize(3);
  for (SvgPlot& plot : grid.plots)
    plot.series = {
        {"tau", std::vector<double>(max_series_points + 1, 0.5), std::vector<double>(max_series_points + 1, 1)}};
  CHECK(drawing_notes(grid).size() == 1);
  grid.plots.resize(1);
  grid.plots[0].series = {{"tau", {0, 1}, {0, 0.0 / 0.0}}};
  CHECK(drawing_notes(grid).empty());
}
