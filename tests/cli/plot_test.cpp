#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "command.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/page_data.hpp"

using namespace cli_test;
using nlohmann::json;
using markup::count_of;
using markup::markup_fault;

namespace {

const char* const small = "t,q1,q2,tau1,tau2,energy\n0,0,1,10,20,5\n0.5,1,2,11,-21,6\n1,0,3,12,22,7\n";

// the data that a page carries
json data_of(const std::string& page) {
  return pages::page_data(page);
}

json figure_of(const std::string& page, std::size_t number) { return data_of(page)["figures"].at(number)["figure"]; }

std::vector<std::string> names_of(const json& figure) {
  std::vector<std::string> names;
  for (const json& series : figure["series"]) names.push_back(series["name"]);
  return names;
}

using Names = std::vector<std::string>;

Outcome run_plot(const std::string& arguments, const std::string& input = "") {
  return cli_test::torsor("plot " + arguments, input);
}

}  // namespace

TEST_CASE("a file becomes a page beside it, a plot for each quantity, every number in its data") {
  write("motion.csv", small);
  const Outcome plot = run_plot("motion.csv");
  CHECK(plot.code == 0);
  CHECK(plot.err.empty());
  CHECK(plot.out.starts_with("motion.csv: 3 rows, 5 columns over t -> motion-plot.html\n"));
  const std::string page = read(path("motion-plot.html"));
  CHECK(markup_fault(page) == "");
  for (const char* outside : {"src=\"http", "href=\"http", "@import", "url(http"}) CHECK_FALSE(contains(page, outside));
  for (const char* heading : {"Positions (q)", "Torques (tau)", "motion.csv"}) CHECK(contains(page, heading));

  CHECK(names_of(figure_of(page, 0)) == Names{"q1", "q2"});
  const json torques = figure_of(page, 1);
  CHECK(names_of(torques) == Names{"tau1", "tau2"});
  CHECK(torques["series"][1]["x"] == json{0, 0.5, 1});
  CHECK(torques["series"][1]["y"] == json{20, -21, 22});
  CHECK(torques["x"]["label"] == "t");
  const json alone = figure_of(page, 2);
  CHECK(alone["panels"].size() == 1);
  CHECK(alone["panels"][0]["title"] == "energy");
  CHECK(alone["panels"][0]["y"]["label"] == "");  // told by the title
}

TEST_CASE("the screen and --json tell ends and extremes, and where they are") {
  write("motion.csv", small);
  CHECK(contains(run_plot("motion.csv").out, "\ntau2       20    22    -21   0.5        22   1\n"));
  const json answer = json_of(run_plot("motion.csv --json -o here.html"));
  CHECK(answer["output"] == "here.html");
  CHECK(answer["row_count"] == 3);
  CHECK(answer["complete"] == true);
  CHECK(answer["columns"][3] == json{{"name", "tau2"},
                                     {"first", 20},
                                     {"last", 22},
                                     {"least", -21},
                                     {"least_at", 0.5},
                                     {"greatest", 22},
                                     {"greatest_at", 1},
                                     {"gaps", 0}});
  // of equal extremes the first
  CHECK(answer["columns"][0]["least"] == 0);
  CHECK(answer["columns"][0]["least_at"] == 0);
}

TEST_CASE("columns are chosen by name or by quantity, and drawn over any other") {
  write("motion.csv", small);
  CHECK(run_plot("motion.csv -o a.html --columns 'tau, q2'").code == 0);
  const std::string both = read(path("a.html"));
  CHECK(names_of(figure_of(both, 0)) == Names{"tau1", "tau2"});
  CHECK(figure_of(both, 1)["panels"][0]["title"] == "q2");

  CHECK(run_plot("motion.csv -o b.html --x q1 --columns q2").code == 0);
  const json phase = figure_of(read(path("b.html")), 0)["panels"][0];
  CHECK(phase["x"]["label"] == "q1");
  CHECK(phase["series"][0]["x"] == json{0, 1, 0});
  CHECK(phase["series"][0]["y"] == json{1, 2, 3});

  // named twice is drawn once, and not over itself
  CHECK(says(run_plot("motion.csv -o c.html --columns q1,q,t").out, {"3", "2"}));
}

TEST_CASE("names that belong together share a plot, whatever their spelling") {
  write("names.csv",
        "time,q.elbow,q.wrist,x,y,z,vx,vy,vz,e0,e1,e2,e3,roll,pitch,yaw,current_1,current_2,height\n"
        "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18\n1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18\n");
  CHECK(run_plot("names.csv").code == 0);
  const json figures = data_of(read(path("names-plot.html")))["figures"];
  REQUIRE(figures.size() == 7);
  const std::pair<const char*, Names> expected[] = {{"Positions (q)", {"q.elbow", "q.wrist"}},
                                                    {"Position (x y z)", {"x", "y", "z"}},
                                                    {"Velocity (v)", {"vx", "vy", "vz"}},
                                                    {"Quaternion (e)", {"e0", "e1", "e2", "e3"}},
                                                    {"Orientation (roll pitch yaw)", {"roll", "pitch", "yaw"}},
                                                    {"current", {"current_1", "current_2"}}};
  for (std::size_t k = 0; k < 6; ++k) {
    CHECK(figures[k]["section"] == expected[k].first);
    CHECK(names_of(figures[k]["figure"]) == expected[k].second);
  }
  CHECK(figures[6]["figure"]["panels"][0]["title"] == "height");
}

TEST_CASE("with --separate each column has a plot of its own") {
  write("motion.csv", small);
  CHECK(run_plot("motion.csv -o a.html --separate").code == 0);
  const json grid = figure_of(read(path("a.html")), 1);
  REQUIRE(grid["panels"].size() == 2);
  CHECK(grid["panels"][1]["title"] == "tau2");
  CHECK(run_plot("motion.csv -o a.svg --separate").code == 0);
  const std::string svg = read(path("a.svg"));
  CHECK(count_of(svg, "class='plot'") == 5);
  // two side by side
  CHECK(count_of(svg, "<svg x='16' ") == 3);
}

TEST_CASE("a drawing needs nothing but itself") {
  write("motion.csv", small);
  CHECK(run_plot("motion.csv -o a.svg --columns tau,energy --title 'a < b & c'").code == 0);
  const std::string svg = read(path("a.svg"));
  CHECK(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg'"));
  CHECK(markup_fault(svg) == "");
  CHECK(count_of(svg, "class='plot'") == 2);
  CHECK(contains(svg, ">a &lt; b &amp; c</text>"));
  CHECK(contains(svg, ">Torques (tau)</text>"));
  CHECK_FALSE(contains(svg, "var("));

  // without a heading the document is called by its plots
  CHECK(contains(svg, "<title>a &lt; b &amp; c</title>"));
  CHECK(contains(run_plot("- --svg", small).out, "<title>Positions (q), Torques (tau), energy</title>"));

  // to a pipe, and from one
  const Outcome piped = run_plot("- --svg --columns tau,energy --title 'a < b & c'", small);
  CHECK(piped.code == 0);
  CHECK(piped.out == svg);
  CHECK(run_plot("- -o -", small).out.starts_with("<!DOCTYPE html>"));
}

TEST_CASE("without a time the rows are counted") {
  CHECK(contains(run_plot("- -o a.html", "a,b\n3,1\n4,1\n").out, "standard input: 2 rows, 2 columns over row"));
  CHECK(figure_of(read(path("a.html")), 0)["panels"][0]["series"][0]["x"] == json{1, 2});
  // a time alone has nothing to be the axis of
  CHECK(says(run_plot("- -o a.html", "t\n3\n4\n").out, {"2", "1"}));
}

TEST_CASE("a bad cell is told and leaves a gap in its own curve, a row of the wrong length in every one") {
  write("bad.csv", "t,a,b\n0,1,1\n1,x,2\n2,3\n3,4,4\n4,5,5\n");
  const Outcome plot = run_plot("bad.csv --json");
  CHECK(plot.code == 2);
  CHECK(tells(plot.err, "number", {"bad.csv:3", "\"a\"", "\"x\""}));
  CHECK(tells(plot.err, "csv-columns", {"bad.csv:4", "2", "3"}));
  CHECK(says(plot.err, {"2", "1"}));
  const json answer = json_of(plot);
  CHECK(answer["complete"] == false);
  CHECK(answer["columns"][0]["gaps"] == 2);
  const std::string page = read(path("bad-plot.html"));
  CHECK(contains(page, "The file has 2 faults"));
  const json panels = figure_of(page, 0)["panels"];
  CHECK(panels[0]["series"][0]["y"] == json{1, nullptr, nullptr, 4, 5});
  CHECK(panels[1]["series"][0]["y"] == json{1, 2, nullptr, 4, 5});
  CHECK(panels[1]["series"][0]["x"] == json{0, 1, nullptr, 3, 4});

  // a row without its time is nowhere
  CHECK(run_plot("- -o x.html", "t,a\n0,1\nx,2\n2,3\n").code == 2);
  CHECK(figure_of(read(path("x.html")), 0)["panels"][0]["series"][0]["x"] == json{0, nullptr, 2});
}

TEST_CASE("cells without a value are gaps and no faults; the first number of a curve may come late") {
  const Outcome plot = run_plot("- -o a.html --json", "t,a,b\n0,,nan\n1,2,inf\n2,3,4\n");
  CHECK(plot.code == 0);
  CHECK(plot.err == "note: interrupted where there is no number: a (1 row), b (2 rows)\n");
  const json columns = json_of(plot)["columns"];
  CHECK(columns[0]["first"] == 2);
  CHECK(columns[0]["least"] == 2);
  CHECK(columns[1]["least_at"] == 2);
}

TEST_CASE("columns of text are left out with one note") {
  const Outcome plot = run_plot("- -o a.html --json", "t,mode,a,name\n0,idle,1,x\n1,run,2,y\n");
  CHECK(plot.code == 0);
  CHECK(plot.err ==
        "note: columns without numbers are not drawn: mode (\"idle\" is not a number), name (\"x\" is not a number)\n");
  const json answer = json_of(plot);
  CHECK(answer["columns"].size() == 1);
  CHECK(answer["skipped"] == json{"mode", "name"});
  CHECK(answer["complete"] == true);

  // times of day are text, too: then the rows are counted
  const Outcome times = run_plot("- -o a.html", "time,a\n12:00:01,1\n12:00:02,2\n");
  CHECK(times.code == 0);
  CHECK(says(times.out, {"2", "1"}));
  CHECK(says(times.err, {"\"12:00:01\""}));
  CHECK(run_plot("- -o a.html --x time", "time,a\n12:00:01,1\n12:00:02,2\n").code == 2);
}

TEST_CASE("of many faults the first five are told and the rest counted") {
  std::string text = "t,a,b\n0,1,1\n";
  for (int k = 0; k < 300; ++k) text += "1,x,y\n";
  const Outcome plot = run_plot("- -o a.html", text);
  CHECK(plot.code == 2);
  CHECK(tells(plot.err, "number", {"4", "\"b\"", "\"y\""}));
  CHECK(tells(plot.err, "number", {"5", "\"a\"", "\"x\""}));
  CHECK_FALSE(contains(plot.err, "standard input:5: column \"b\""));
  CHECK(tells(plot.err, "more", {"595"}));
}

TEST_CASE("a first line without names is a row, and columns are called by their number") {
  const Outcome plain = run_plot("- -o a.html --x 'column 1'", "0,1\n1,2\n");
  CHECK(plain.code == 0);
  CHECK(says(plain.out, {"2", "1"}));
  CHECK(says(plain.err, {"1", "2"}));
  CHECK(figure_of(read(path("a.html")), 0)["panels"][0]["series"][0]["y"] == json{1, 2});

  const json odd = json_of(run_plot("- -o a.html --json", ",a,a\n0,1,2\n1,2,3\n"));
  CHECK(odd["columns"][0]["name"] == "column 1");
  CHECK(odd["columns"][2]["name"] == "a (column 3)");

  // a line of units
  const Outcome units = run_plot("- -o a.html", "t,a\ns,rad\n0,1\n1,2\n");
  CHECK(units.code == 0);
  CHECK(units.err == "note: line 2 holds no numbers and is left out\n");
}

TEST_CASE("a file with nothing to draw gives no page") {
  const auto refused = [](const std::string& arguments, const std::string& input, const std::string& what) {
    CAPTURE(arguments);
    std::filesystem::remove(path("none.html"));
    const Outcome plot = run_plot("- -o none.html " + arguments, input);
    CHECK(plot.code == 2);
    CHECK(contains(plot.err, what));
    CHECK_FALSE(std::filesystem::exists(path("none.html")));
  };
  refused("", "", "csv-empty");
  refused("", "t,a\n", "csv-no-data");
  refused("", "name,a\nx,b\ny,c\n", "standard input:3: column \"...\": \"...\" is not a number");
  refused("", "name,a\nx,b\ny,c\n", "plot-numbers");
  refused("", "t,a\n,\n,\n", "plot-numbers");
  refused("", "a (m) b (m)\n1 2\n", "csv-delimiter");
  refused("--columns t", "t,a\n0,1\n", "plot-columns");
  refused("--x tt --columns c,a,bb", "t,a,b\n0,1,2\n", "--x \"tt\": the file has no such column");
  refused("--x tt --columns c,a,bb", "t,a,b\n0,1,2\n", "--columns \"bb\": the file has no such column");
  refused("--x tt --columns c,a,bb", "t,a,b\n0,1,2\n", "columns: t, a, b\n");

  // columns that hold no numbers are not even told when nobody asks for them
  CHECK(run_plot("- -o none.html --columns a", "name,a\nx,1\ny,2\n").err.empty());

  std::string wide = "c0", row = "0";
  for (int k = 1; k < 300; ++k) wide += ",c" + std::to_string(k), row += ",0";
  refused("", wide + '\n' + row + '\n', "choose at most 256 with --columns");
  CHECK(run_plot("- -o none.html --columns c299,c7", wide + '\n' + row + '\n').code == 0);
}

TEST_CASE("a file without numbers may be any file: nothing of it is quoted") {
  for (const std::string text : {"root:hunter2:0:0\nguest:hunter2:1:1\nbin:hunter2:2:2\n", "hunter2\nhunter2\n",
                                 "user,hunter2\nroot,hunter2\nguest,hunter2\n",
                                 "a,b\n\"hunter2\"x\"hunter2\",c\nd,hunter2\n",
                                 "key = hunter2\nword = hunter2\n", "a,hunter2\nb\nc,hunter2,d\n"})
    for (const std::string arguments : {"", " --columns tau", " --x t", " --json"}) {
      CAPTURE(text);
      CAPTURE(arguments);
      const Outcome plot = run_plot("- -o none.html" + arguments, text);
      CHECK(plot.code == 2);
      CHECK_FALSE(contains(plot.out + plot.err, "hunter2"));
      CHECK(contains(plot.err, "standard input"));
    }
}

TEST_CASE("files that cannot be read or written, or are both, are told") {
  write("motion.csv", small);
  CHECK(run_plot("nowhere.csv").code == 2);
  const Outcome ending = run_plot("motion.csv -o a.png");
  CHECK(ending.code == 2);
  CHECK(tells(ending.err, "plot-format"));
  CHECK(run_plot("motion.csv -o a.html --svg").code == 2);
  CHECK(run_plot("motion.csv -o nowhere/a.html").code == 3);
  CHECK(run_plot("motion.csv -o nowhere/a.svg").code == 3);
  CHECK(run_plot("motion.csv -o - --json").code == 2);
  write("same.svg", small);
  CHECK(run_plot("same.svg -o same.svg").code == 2);
  CHECK(read(path("same.svg")) == small);
}

TEST_CASE("a long file keeps its one peak and makes a small page") {
  std::string text = "t,a\n";
  for (int k = 0; k < 200000; ++k) text += std::to_string(k) + (k == 123457 ? ",1000\n" : k % 2 == 0 ? ",1\n" : ",2\n");
  write("long.csv", text);
  const json answer = json_of(run_plot("long.csv --json"));
  CHECK(answer["row_count"] == 200000);
  CHECK(answer["columns"][0]["greatest_at"] == 123457);
  const std::string page = read(path("long-plot.html"));
  CHECK(page.size() < 1000000);
  CHECK(contains(page, "Long curves are thinned; every peak is kept."));
  const json series = figure_of(page, 0)["panels"][0]["series"][0];
  CHECK(series["y"].size() < 8000);
  CHECK(std::find(series["y"].begin(), series["y"].end(), json(1000)) != series["y"].end());
}

TEST_CASE("the time is known by the headings that motions have, and its unit stands at the axis") {
  struct Heading {
    const char *text, *name, *unit;
  };
  for (const auto& [heading, name, unit] : {Heading{"t (s)", "t", "s"},
                                         {"Time [s]", "Time", "s"},
                                         {"timestamp_ms", "timestamp", "ms"},
                                         {"time", "time", ""},
                                         {"time (s)", "time", "s"},
                                         {"t_ms", "t", "ms"},
                                         {"TIMESTAMP", "TIMESTAMP", ""}}) {
    const std::string text = heading;
    CAPTURE(text);
    write("timed.csv", std::string("q1 (deg),") + text + ",q2 (deg)\n1,0,2\n3,10,4\n");
    const Outcome plot = run_plot("timed.csv");
    CHECK(plot.code == 0);
    CHECK(contains(plot.out, std::string("2 columns over ") + text + " ->"));
    const json figure = figure_of(read(path("timed-plot.html")), 0);
    CHECK(figure["x"]["label"] == name);
    CHECK(figure["x"]["unit"] == unit);
    CHECK(figure["series"][0]["x"] == json{0, 10});
  }
  write("timed.csv", "q1,runtime,q2\n1,0,2\n3,10,4\n");
  CHECK(contains(run_plot("timed.csv").out, "3 columns over row ->"));
}

TEST_CASE("columns with a unit are found by their names, and share a plot with those of the same unit alone") {
  write("units.csv", "t (s);q1 (deg);q2 (deg);q3 (m);tau1 (N m);tau2 (N m)\n0;1;2;3;4;5\n1;1;2;3;4;5\n");
  REQUIRE(run_plot("units.csv --columns q1,tau").code == 0);
  const std::string page = read(path("units-plot.html"));
  const json torques = figure_of(page, 0);
  CHECK(names_of(torques) == Names{"tau1", "tau2"});
  CHECK(torques["y"]["label"] == "tau");
  CHECK(torques["y"]["unit"] == "N m");
  write("spelt.csv", "t,tau1 (N·m),a (m/s²),b (m/s^2)\n0,1,2,3\n1,2,3,4\n");
  REQUIRE(run_plot("spelt.csv").code == 0);
  const std::string spelt = read(path("spelt-plot.html"));
  for (const char* unit : {"(N m)", "(m/s²)"}) CHECK(contains(spelt, unit));
  for (const char* unit : {"(Nm)", "(m/s2)", "(N·m)"}) CHECK_FALSE(contains(spelt, std::string(unit) + "</text>"));
  CHECK(figure_of(page, 1)["panels"][0]["y"]["unit"] == "deg");
  REQUIRE(run_plot("units.csv").code == 0);
  CHECK(names_of(figure_of(read(path("units-plot.html")), 0)) == Names{"q1", "q2"});
  // of a quantity all units are drawn, each in its own plot
  CHECK(contains(run_plot("units.csv --columns q").out, "3 columns over t (s)"));
  CHECK(run_plot("units.csv --x t --columns q1").code == 0);
  CHECK(contains(run_plot("units.csv --columns q9").err, "q1 (deg)"));
}

TEST_CASE("a heading in the encoding of Windows is read as what it says") {
  write("windows.csv", "t;q1 (\xb0);q2 (\xb0)\n0;1;2\n1;3;4\n");
  const Outcome plot = run_plot("windows.csv --columns q1");
  CHECK(plot.code == 0);
  CHECK(contains(plot.out, "q1 (\u00b0)"));
  CHECK_FALSE(contains(plot.out + plot.err, "\ufffd"));
  CHECK_FALSE(contains(read(path("windows-plot.html")), "\ufffd"));
}

TEST_CASE("rounding beside the other columns of a quantity is shown as zero, alone as it is") {
  write("noise.csv", "t,tau1,tau2,error\n0,30,-1.07e-19,1e-19\n1,31,1e-20,2e-19\n");
  const Outcome plot = run_plot("noise.csv");
  CHECK_FALSE(contains(plot.out, "-1.07e-19"));
  CHECK(contains(plot.out, "2e-19"));
  CHECK(contains(run_plot("noise.csv --json").out, "-1.07e-19"));
}
