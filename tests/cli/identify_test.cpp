#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "command.hpp"
#include "tests/support/markup.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// A motion of six joints along sines, as CSV with rates.
std::string exciting_motion(int rows, double period) {
  std::ostringstream csv;
  csv.precision(12);
  csv << "t";
  for (const char* prefix : {"q", "qd", "qdd"})
    for (int j = 1; j <= 6; ++j) csv << ',' << prefix << j;
  csv << '\n';
  for (int row = 0; row < rows; ++row) {
    const double t = period * row;
    double value[3][6] = {};
    for (int j = 0; j < 6; ++j)
      for (int k = 1; k <= 4; ++k) {
        const double rate = 1.3 * k, size = (0.4 + 0.1 * ((j * 5 + k * 3) % 4)) / k, angle = rate * t + 0.7 * j * k + k;
        value[0][j] += size * std::sin(angle);
        value[1][j] += size * rate * std::cos(angle);
        value[2][j] -= size * rate * rate * std::sin(angle);
      }
    csv << t;
    for (const auto& part : value)
      for (const double x : part) csv << ',' << x;
    csv << '\n';
  }
  return csv.str();
}

/// The record of that motion by a robot, made once.
const std::string& log_file() {
  static const std::string file = [] {
    write("exciting.csv", exciting_motion(600, 0.02));
    REQUIRE(torsor("id puma560_drives --motion exciting.csv -o log.csv").code == 0);
    return path("log.csv");
  }();
  return file;
}

/// The lines of a CSV with one column changed: change(row, text).
template <class Change>
std::string with_column_changed(const std::string& text, const std::string& column, const Change& change) {
  std::istringstream in(text);
  std::ostringstream out;
  std::string line;
  int row = -1, place = -1;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (int k = 0; std::getline(cells, cell, ','); ++k) {
      if (row < 0 && cell == column) place = k;
      if (row >= 0 && k == place) cell = change(row, cell);
      out << (k ? "," : "") << cell;
    }
    out << '\n';
    ++row;
  }
  return out.str();
}

/// The record of that motion with an elbow that stays where it is, as still.csv.
std::string still_log() {
  std::string text = read(log_file());
  for (const char* rate : {"qd.elbow", "qdd.elbow"})
    text = with_column_changed(text, rate, [](int, const std::string&) { return "0"; });
  write("still_motion.csv", with_column_changed(text, "q.elbow", [](int, const std::string&) { return "0.3"; }));
  REQUIRE(torsor("id puma560_drives --motion still_motion.csv -o still.csv").code == 0);
  return path("still.csv");
}

/// Without the columns that start with the prefix.
std::string without_columns(const std::string& text, const std::string& prefix) {
  std::istringstream in(text);
  std::ostringstream out;
  std::string line, cell;
  std::vector<bool> dropped;
  for (bool header = true; std::getline(in, line); header = false) {
    std::istringstream cells(line);
    bool first = true;
    for (std::size_t k = 0; std::getline(cells, cell, ','); ++k) {
      if (header) dropped.push_back(cell.rfind(prefix, 0) == 0);
      if (dropped[k]) continue;
      out << (first ? "" : ",") << cell;
      first = false;
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace

TEST_CASE("a record of a robot gives its own parameters back, and the robot file has its efforts") {
  // a guess of the robot: other masses, friction and rotors
  std::string guess = torsor("convert puma560_drives --to standard-dh").out;
  REQUIRE(contains(guess, "mass = 17.4"));
  guess.replace(guess.find("mass = 17.4"), 11, "mass = 15.4");
  write("guess.toml", guess);
  const Outcome run = torsor("identify guess.toml " + log_file() + " -o identified.toml --html identified.html");
  CHECK(run.code == 0);
  CHECK(says(run.out, {"450", "150"}));
  CHECK(contains(run.out, "Physical consistency"));
  CHECK(contains(run.out, "All links are possible bodies"));
  CHECK(says(run.out, {"identified.toml"}));
  CHECK(contains(read(path("identified.html")), "Recorded and computed torques"));
  CHECK(markup::markup_fault(read(path("identified.html"))).empty());

  const json truth = json_of("regressor puma560_drives");
  const json found = json_of("identify guess.toml " + log_file());
  REQUIRE(found["base_parameters"].size() == truth["base_parameters"].size());
  for (std::size_t k = 0; k < truth["base_parameters"].size(); ++k) {
    CAPTURE(found["base_parameters"][k]["name"]);
    CHECK(found["base_parameters"][k]["name"] == truth["base_parameters"][k]["name"]);
    CHECK(found["base_parameters"][k]["value"].get<double>() ==
          doctest::Approx(truth["base_parameters"][k]["value"].get<double>()).epsilon(1e-6).scale(1));
  }
  for (const json& joint : found["joints"]) CHECK(joint["residual_held_out"].get<double>() < 1e-6);
  CHECK(found["joints"][1]["residual_held_out_file"].get<double>() > 0.01);

  const std::string state =
      " --q '0.1 0.7 -1.2 0.4 0.9 -0.3' --qd '1 -0.5 0.8 2 -1 0.6' --qdd '1 2 -1 0.5 3 -2' --json";
  const json one = json_of(torsor("id puma560_drives" + state));
  const json other = json_of(torsor("id identified.toml" + state));
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(other["tau"][k].get<double>() == doctest::Approx(one["tau"][k].get<double>()).epsilon(1e-6));
}

TEST_CASE("rates that a record does not have are derived, and that is said") {
  const std::string log = write("positions.csv", without_columns(without_columns(read(log_file()), "qd"), "motor"));
  const Outcome run = torsor("identify puma560_drives " + log + " --rest 0.05");
  CHECK(run.code == 0);
  CHECK(contains(run.err, "quintic smoothing spline"));
  CHECK(contains(run.out, "quintic smoothing spline"));
  CHECK(contains(run.out, "instants at rest left out"));
}

TEST_CASE("records that cannot serve are refused with the reason") {
  const std::string text = read(log_file());
  const auto refused = [](const std::string& log, const std::string& why, int code = 2) {
    const Outcome run = torsor("identify puma560_drives " + log);
    CAPTURE(run.err);
    CHECK(run.code == code);
    CHECK(contains(run.err, why));
  };
  refused(write("no_tau.csv", without_columns(text, "tau")), "column \"tau1\": is missing");
  refused(write("no_q.csv", without_columns(text, "q.")), "is missing");
  refused(write("nan.csv", with_column_changed(text, "q.elbow",
                                               [](int row, const std::string& x) { return row == 7 ? "nan" : x; })),
          "nan.csv:9: column \"q.elbow\"");
  refused(write("short.csv", text.substr(0, text.find('\n', 1500) + 1)), "base parameters [identify-rows]");
  refused(write("empty.csv", text.substr(0, text.find('\n') + 1)), "no rows follow the header");
  refused(write("times.csv",
                with_column_changed(text, "t", [](int row, const std::string& x) { return row == 5 ? "0.08" : x; })),
          "does not come after");
  refused(write("constant.csv", with_column_changed(text, "tau.elbow", [](int, const std::string&) { return "3.5"; })),
          "[identify-constant]");
  refused(still_log(), "joints that never move: elbow", 1);
  CHECK(torsor("identify puma560_drives still.csv --partial").code == 0);
  refused("nowhere.csv", "No such file");
}

TEST_CASE("an effort that is zero throughout is refused, unless the joint is said to have no motor") {
  const std::string text = read(log_file());
  const std::string log =
      write("zero.csv", with_column_changed(text, "tau.elbow", [](int, const std::string&) { return "0"; }));
  const Outcome refused = torsor("identify puma560_drives " + log);
  CHECK(refused.code == 2);
  CHECK(tells(refused.err, "identify-effortless", {"zero.csv", "\"elbow\"", "0"}));
  CHECK(tells(refused.err, "identify-effortless", {"--passive"}));
  CHECK(refused.out.empty());
  // said so, it is taken for what it is
  const Outcome passive = torsor("identify puma560_drives " + log + " --passive elbow");
  CHECK(passive.code == 0);
  CHECK(contains(passive.out, "no torque"));
  const Outcome unknown = torsor("identify puma560_drives " + log + " --passive elbw");
  CHECK(unknown.code == 2);
  CHECK(tells(unknown.err, "option-value", {"\"elbow\""}));
}

TEST_CASE("efforts of the other sign, or of another joint, are no identification") {
  const std::string text = read(log_file());
  const std::vector<std::string> joints = [&] {
    std::vector<std::string> names;
    std::istringstream header(text.substr(0, text.find('\n')));
    for (std::string cell; std::getline(header, cell, ',');)
      if (cell.rfind("tau.", 0) == 0) names.push_back(cell);
    return names;
  }();
  REQUIRE(joints.size() == 6);
  const auto negated = [](int, const std::string& x) { return x[0] == '-' ? x.substr(1) : "-" + x; };
  const auto is_refused = [](const std::string& log, std::initializer_list<std::string_view> rules,
                             std::initializer_list<std::string_view> details) {
    const Outcome run = torsor("identify puma560_drives " + log);
    CAPTURE(run.out);
    CAPTURE(run.err);
    CHECK(run.code == 1);
    CHECK(std::ranges::any_of(rules, [&](std::string_view rule) { return tells(run.err, rule, details); }));
    return run;
  };
  std::string all = text;
  for (const std::string& column : joints) {
    CAPTURE(column);
    const std::string joint = '"' + column.substr(4) + '"';
    const Outcome run =
        is_refused(write("flipped.csv", with_column_changed(text, column, negated)), {"identify-sign"}, {joint});
    CHECK(!contains(run.err, "identify-inertia"));
    all = with_column_changed(all, column, negated);
  }
  for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
    CAPTURE(k);
    std::string swapped = text;
    swapped.replace(swapped.find(joints[k] + ','), joints[k].size(), "tau.somewhere");
    const std::size_t other = swapped.find(joints[k + 1]);
    swapped.replace(other, joints[k + 1].size(), joints[k]);
    swapped.replace(swapped.find("tau.somewhere"), 13, joints[k + 1]);
    const Outcome run = is_refused(write("swapped.csv", swapped),
                                   {"identify-fit", "identify-inertia", "identify-column"}, {});
    CHECK(!contains(run.err, "identify-sign"));
  }
  // all of them at once are one mistake, and told before possible bodies are looked for; nothing is written of it
  is_refused(write("flipped.csv", all) + " -o never.toml --html flipped.html", {"identify-sign"}, {"the", "torques"});
  CHECK(contains(read(path("flipped.html")), "no parameters of the robot"));
  CHECK(!std::filesystem::exists(path("never.toml")));
}

TEST_CASE("a joint that never moves is called that, not explained to 0 %") {
  still_log();
  const Outcome run = torsor("identify puma560_drives still.csv --partial");
  CHECK(contains(run.out, "does not move"));
  const json found = json_of("identify puma560_drives still.csv --partial");
  CHECK(found["joints"][2]["residual"].is_null());
  CHECK(found["joints"][1]["residual"].is_number());
}

TEST_CASE("options out of range and results over their own sources are refused") {
  for (const std::string bad : {"--held-out 2", "--held-out -0.1", "--rest -1", "--friction some", "--cutoff 0",
                                "--html - --json", "-o - --json", "-o log.csv"}) {
    CAPTURE(bad);
    const Outcome run = torsor("identify puma560_drives " + log_file() + " " + bad);
    CHECK(run.code == 2);
    CHECK(!run.err.empty());
  }
}

TEST_CASE("links that noise leaves on the boundary of possible bodies are named") {
  std::string noisy = read(log_file());
  for (const char* joint : {"waist", "shoulder", "elbow", "wrist_roll", "wrist_bend", "flange"}) {
    std::mt19937 engine(5);
    std::normal_distribution<double> noise(0, 0.5);
    noisy = with_column_changed(noisy, std::string("tau.") + joint, [&](int, const std::string& cell) {
      return std::to_string(std::stod(cell) + noise(engine));
    });
  }
  write("noisy.csv", noisy);
  const json answer = json_of("identify puma560_drives noisy.csv");
  REQUIRE(answer["constrained"] == true);
  REQUIRE(!answer["on_boundary"].empty());
  for (const json& each : answer["on_boundary"]) {
    CHECK(each["margin"].get<double>() >= 0);
    CHECK(each["margin"].get<double>() < 1e-5);
  }
  CHECK(contains(torsor("identify puma560_drives noisy.csv").out,
                 answer["on_boundary"][0]["link"].get<std::string>() + " ("));
  CHECK(json_of("identify puma560_drives " + log_file())["on_boundary"].empty());
}

TEST_CASE("the robot file can go to standard output, alone") {
  const Outcome run = torsor("identify puma560_drives " + log_file() + " -o -");
  CHECK(run.code == 0);
  CHECK(run.out.rfind("format = 1", 0) == 0);
  CHECK(contains(run.out, "parameters identified from"));
}
