#include "torsor/report/plot_grid.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/markup.hpp"
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
    CHECK(markup::count_of(out.str(), "<svg class='plot'") == 5);
    CHECK(out.str().find("data-panel='4'") != std::string::npos);
    CHECK(out.str().find("joint &lt;3&gt;</p>") != std::string::npos);
  }
  std::ostringstream out;
  JsonWriter json(out);
  write_data(grid, json);
  const auto data = nlohmann::json::parse(out.str());
  REQUIRE(data["panels"].size() == 5);
  CHECK(data["panels"][3]["series"][0]["y"][1].get<double>() == 0.1 * 3);
}

TEST_CASE("the notes of a grid name the plot they belong to") {
  PlotGrid grid;
  grid.plots.resize(2);
  grid.plots[1].title = "elbow";
  grid.plots[1].series = {{"tau", {0, 1}, {0, 0.0 / 0.0}}};
  REQUIRE(drawing_notes(grid).size() == 1);
  CHECK(drawing_notes(grid)[0].find("elbow: 1 of 2 points") == 0);
}
