#include "torsor/report/report.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/markup.hpp"
#include "tests/support/page_data.hpp"

using namespace torsor;
using markup::attribute_values;
using markup::count_of;
using markup::markup_fault;

namespace {

std::string page_of(const Report& report) {
  std::ostringstream out;
  write_html(report, out);
  return out.str();
}

SvgPlot torque_plot() {
  SvgPlot plot;
  plot.title = "Torques";
  plot.x = {"time", "s"};
  plot.y = {"torque", "N m"};
  for (int joint = 0; joint < 6; ++joint) {
    PlotSeries series{"joint " + std::to_string(joint + 1), {}, {}};
    for (int i = 0; i <= 600; ++i) {
      series.x.push_back(i / 100.0);
      series.y.push_back((joint + 1) * std::sin(i / 37.0 + joint));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Report example_report() {
  Report report;
  report.title = "PUMA 560";
  report.subtitle = "pick and place";
  report.footer = "the end";
  report.highlights = {{"peak", "97.2", "N m", "joint 2", Tone::good}};
  TextTable table;
  table.caption = "Peaks";
  table.columns = {{"joint"}, {"torque", "N m"}};
  table.add({"waist", 1.0 / 3});
  auto& first = report.section("Motion");
  auto& second = report.section("Structure");
  first.text("plain").text("watch out", Tone::warning).figure(torque_plot()).table(table).code("a < b");
  second.figure(HeatMap{"M", "", "", {"a"}, {"b"}, {{0.1}}, 3})
      .figure(PlotGrid{"grid", "", {torque_plot()}, 2})
      .table(table);
  return report;
}

}  // namespace

TEST_CASE("a report is one well-formed page with all its parts in order") {
  const std::string page = page_of(example_report());
  CHECK(markup_fault(page) == "");
  CHECK(page.starts_with("<!DOCTYPE html>"));
  std::size_t place = 0;
  for (const char* part : {"<h1>PUMA 560</h1>", "Pick and place", "97.2", "<h2>Motion</h2>", "<p>Plain</p>",
                           "<p class='notice warning'>Watch out</p>", "id='figure-1'", "Torques", "id='table-1'",
                           "Peaks", "<pre><span>a &lt; b\n</span></pre>", "<h2>Structure</h2>", "id='figure-2'",
                           "id='figure-3'", "id='table-2'", "<footer>the end</footer>", "id='data'"}) {
    CAPTURE(part);
    const std::size_t found = page.find(part, place);
    CHECK(found != std::string::npos);
    place = found == std::string::npos ? place : found;
  }
}

TEST_CASE("the page refers to nothing outside itself") {
  const std::string page = page_of(example_report());
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("https://") == std::string::npos);
  CHECK(page.find("@import") == std::string::npos);
  CHECK(page.find("url(") == std::string::npos);
  CHECK(page.find(" src=") == std::string::npos);
  CHECK(page.find("<link") == std::string::npos);
  CHECK(page.find("default-src 'none'") != std::string::npos);
  // links lead only to places of the page that exist
  Report long_report = example_report();
  long_report.section("Three");
  long_report.section("Four");
  const std::string with_contents = page_of(long_report);
  CHECK(markup_fault(with_contents) == "");
  const auto targets = attribute_values(with_contents, "href");
  CHECK(targets.size() == 4);
  for (const std::string& target : targets) {
    REQUIRE(target.starts_with("#"));
    CHECK(count_of(with_contents, " id='" + target.substr(1) + "'") == 1);
  }
}

TEST_CASE("every id of the page occurs once") {
  const std::string page = page_of(example_report());
  const auto ids = attribute_values(page, "id");
  CHECK(ids.size() == 8);  // two sections, three figures, two tables, the data
  CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
}

TEST_CASE("the data block equals the plotted series and the tables exactly, under the ids of the page") {
  const std::string page = page_of(example_report());
  const auto data = pages::page_data(page);
  const SvgPlot plot = torque_plot();
  REQUIRE(data["figures"].size() == 3);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto& series = data["figures"][0]["figure"]["series"][i];
    CHECK(series["name"] == plot.series[i].name);
    CHECK(series["x"].get<std::vector<double>>() == plot.series[i].x);
    CHECK(series["y"].get<std::vector<double>>() == plot.series[i].y);
  }
  CHECK(data["figures"][1]["figure"]["kind"] == "matrix");
  CHECK(data["figures"][2]["figure"]["panels"].size() == 1);
  CHECK(data["tables"][1]["section"] == "Structure");
  CHECK(data["tables"][0]["table"]["rows"][0][1].get<double>() == 1.0 / 3);
  CHECK(data["notes"].empty());
  for (const char* kind : {"figures", "tables"}) {
    for (const auto& entry : data[kind])
      CHECK(page.find("id='" + entry["id"].get<std::string>() + "'") != std::string::npos);
  }
}

TEST_CASE("a value that is not finite is a gap in the data, and no line is written about it") {
  Report report;
  SvgPlot plot;
  plot.series = {{"tau", {0, 1, 2}, {1, std::nan(""), 3}}};
  report.section("a").figure(plot);
  const std::string page = page_of(report);
  const auto data = pages::page_data(page);
  CHECK(data["figures"][0]["figure"]["series"][0]["y"][1].is_null());
  CHECK(page.find("class='remark'") == std::string::npos);
}

TEST_CASE("a column of numbers is stored once, however often it is drawn") {
  Report report;
  report.section("a").figure(torque_plot()).figure(torque_plot());
  const auto data = pages::page_data(page_of(report));
  // six series over the same instants, drawn twice: their x, and six y
  CHECK(data["columns"].size() == 7);
}

TEST_CASE("the verdict stands above all numbers, on the page and in the data") {
  Report report = example_report();
  report.verdict = {"It will <do>.", Tone::good};
  const std::string page = page_of(report);
  const std::size_t verdict = page.find("<p class='notice verdict good'>It will &lt;do&gt;.</p>");
  REQUIRE(verdict != std::string::npos);
  CHECK(verdict < page.find("<dl class='highlights'>"));
  CHECK(pages::page_data(page)["verdict"] == "It will <do>.");
}

TEST_CASE("a wide table is written smaller until it fits, and a usual one is not") {
  const auto fit = [](std::size_t columns) {
    TextTable table;
    for (std::size_t k = 0; k < columns; ++k) table.columns.push_back({"c", "", Align::automatic, 6});
    table.rows.emplace_back(columns, -0.123456);
    Report report;
    report.section("a").table(table);
    const std::string page = page_of(report);
    const std::string opening = "<div class='scroll screen";
    const std::size_t at = page.find(opening);
    REQUIRE(at != std::string::npos);
    return page.at(at + opening.size()) - '0';
  };
  CHECK(fit(5) == 0);
  CHECK(fit(14) > fit(12));
  CHECK(fit(60) == 5);  // beyond that it is scrolled
}

TEST_CASE("a table too wide for paper is there a second time, in parts, and stored once") {
  TextTable table;
  for (int k = 0; k < 30; ++k) table.columns.push_back({"c", "", Align::automatic, 6});
  table.rows.emplace_back(30, -0.123456);
  Report report;
  report.section("a").table(table);
  const std::string page = page_of(report);
  CHECK(markup_fault(page) == "");
  CHECK(count_of(page, "<div class='scroll") == 1);
  CHECK(count_of(page, " on-screen'") == 1);
  CHECK(count_of(page, "<div class='on-paper") >= 2);
  CHECK(pages::page_data(page)["tables"].size() == 1);
  CHECK(count_of(page_of(example_report()), "class='on-paper") == 0);
}

TEST_CASE("a plot as wide as the text has a second drawing for narrow windows; panels have one for both") {
  Report report;
  report.section("a").figure(torque_plot()).figure(PlotGrid{"", "", {torque_plot(), torque_plot()}, 3});
  report.section("b").figure(PlotGrid{"", "", {torque_plot()}, 1});
  const std::string page = page_of(report);
  CHECK(count_of(page, "<div class='drawing wide'") == 2);
  CHECK(count_of(page, "<div class='drawing narrow'") == 2);
  CHECK(count_of(page, "<div class='drawing' data-panel=") == 2);
  CHECK(count_of(page, "<div class='drawing narrow' data-panel='0'>") == 1);
  CHECK(count_of(page, "viewBox='0 0 360 ") == 2);
  // nothing is scrolled there
  CHECK(page.find("min-width:620px") == std::string::npos);
}

TEST_CASE("what the verdict says is not said again below it") {
  Report report;
  report.verdict = {"It fits. It ran to 2 s.", Tone::good};
  report.section("a").text("It fits.").text("It fits tightly.");
  const std::string page = page_of(report);
  CHECK(page.find("<p>It fits.</p>") == std::string::npos);
  CHECK(page.find("<p>It fits tightly.</p>") != std::string::npos);
}

TEST_CASE("a percent sign stays beside its number, and highlights stand in rows of equal length") {
  Report report;
  report.section("a").text("16 % of it, a % b");
  CHECK(page_of(report).find("<p>16\u00A0% of it, a % b</p>") != std::string::npos);
  for (const auto& [count, columns] : {std::pair{1, 1}, {3, 3}, {4, 4}, {5, 3}, {6, 3}, {7, 4}, {9, 3}}) {
    report.highlights.assign(static_cast<std::size_t>(count), {"a", "1"});
    CHECK(page_of(report).find("<dl class='highlights by" + std::to_string(columns) + "'>") != std::string::npos);
  }
}

TEST_CASE("no text of a report can become markup or script") {
  const std::string bad = "</script><script>alert('x')</script><img src=x onerror=\"alert(1)\"><!-- & \xff \x01";
  Report report;
  report.title = report.subtitle = report.footer = bad;
  report.highlights = {{bad, bad, bad, bad, Tone::bad}};
  SvgPlot plot = torque_plot();
  plot.title = plot.note = plot.x.label = plot.x.unit = plot.y.label = plot.y.unit = plot.series[0].name = bad;
  plot.limits = {{1, bad}};
  plot.markers = {{1, bad}};
  TextTable table;
  table.caption = bad;
  table.columns = {{bad, bad}};
  table.add({bad});
  for (int i = 0; i < 4; ++i) {
    auto& section = report.section(bad);
    section.text(bad).text(bad, Tone::bad).code(bad).table(table).figure(plot);
    section.figure(HeatMap{bad, bad, bad, {bad}, {bad}, {{1}}, 3}).figure(PlotGrid{bad, bad, {plot}, 3});
  }
  const std::string page = page_of(report);
  CHECK(markup_fault(page) == "");
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("<!--") == std::string::npos);
  CHECK(count_of(page, "<script") == 2);
  CHECK(count_of(page, "</script>") == 2);
  const auto data = pages::page_data(page);
  CHECK(data["title"].get<std::string>().starts_with("</script><script>alert('x')"));
}

TEST_CASE("an empty report is still a page, and sections keep their place while others are added") {
  CHECK(markup_fault(page_of(Report())) == "");
  Report report;
  ReportSection& first = report.section("first");
  for (int i = 0; i < 100; ++i) report.section("more");
  first.text("still here");
  REQUIRE(report.sections.front().blocks.size() == 1);
  CHECK(std::get<Paragraph>(report.sections.front().blocks[0]).text == "still here");
}

TEST_CASE("the page serves dark screens, narrow screens and print") {
  const std::string page = page_of(example_report());
  for (const char* rule :
       {"@media screen and (prefers-color-scheme: dark)", "@media (max-width:680px)", "@media print"}) {
    CHECK(page.find(rule) != std::string::npos);
  }
  CHECK(count_of(page, "{") == count_of(page, "}"));
}
