// torsor agree: the certificate, and the diagnosis of another tool's torques, as a user runs them.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "tests/cli/command.hpp"
#include "tests/support/page_data.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// A robot file of ours, and a copy of it with some text replaced: what the other tool was given.
void write_arm(const std::string& name, const std::string& from = "", const std::string& to = "") {
  std::string text = torsor("convert puma560_drives --to toml").out;
  if (!from.empty()) {
    std::size_t at = text.find(from), count = 0;
    for (; at != std::string::npos; at = text.find(from, at + to.size()), ++count) text.replace(at, from.size(), to);
    REQUIRE(count > 0);
  }
  write(name, text);
}

/// Torques of a robot along a motion, as CSV.
std::string torques(const std::string& robot) {
  std::string motion = "t,q1,q2,q3,q4,q5,q6\n";
  for (int k = 0; k <= 200; ++k) {
    motion += std::to_string(k * 0.01);
    for (int i = 1; i <= 6; ++i) motion += ',' + std::to_string(std::sin(k * 0.01 * (1 + 0.3 * i)) * (1.3 - 0.1 * i));
    motion += '\n';
  }
  write("motion.csv", motion);
  REQUIRE(torsor("id " + robot + " --motion motion.csv -o torques.csv").code == 0);
  return "torques.csv";
}

}  // namespace

TEST_CASE("the certificate lists formulations, pairs and the verdict") {
  const Outcome text = torsor("agree puma560 --states 5");
  CHECK(text.code == 0);
  CHECK(contains(text.out, "tree-newton-euler"));
  const Outcome answer = torsor("agree puma560 --states 5 --seed 3 --json");
  REQUIRE(answer.code == 0);
  const json j = json_of(answer);
  CHECK(j["agree"] == true);
  CHECK(j["states"] == 5);
  CHECK(j["worst"]["disagreement"].get<double>() < 1e-12);
  std::size_t inverse = 0;
  for (const json& row : j["formulations"]) inverse += row["question"] == "inverse";
  CHECK(j["pairs"].size() == inverse * (inverse - 1) / 2);
}

TEST_CASE("what a robot is not served by is listed with the reason") {
  const json j = json_of("agree floating --states 2");
  REQUIRE(!j["refused"].empty());
  for (const json& row : j["refused"]) CHECK(!row["reason"].get<std::string>().empty());
}

TEST_CASE("a certificate that cannot hold has exit code 1 and names who disagrees, and at which state") {
  // rounding alone breaks a tolerance of nothing, as soon as there are two ways to the same number
  const json j = json_of("agree puma560 --states 5");
  const Outcome strict = torsor("agree puma560 --states 5 --tolerance 0");
  if (j["worst"]["disagreement"].get<double>() > 0) {
    CHECK(strict.code == 1);
    CHECK(tells(strict.err, "disagreement", {"--qdd"}));
  } else {
    CHECK(strict.code == 0);
  }
}

TEST_CASE("the certificate also comes as a page") {
  CHECK(torsor("agree two_link --html agree.html").code == 0);
  CHECK(contains(read(path("agree.html")), "<html"));
}

TEST_CASE("torques of the same robot agree, with the file's rates and with derived ones") {
  write_arm("arm.toml");
  const Outcome same = torsor("agree arm.toml --json --against " + torques("arm.toml"));
  CHECK(same.code == 0);
  CHECK(json_of(same)["agree"] == true);
  const Outcome piped = torsor("agree arm.toml --against - --json", read(path("torques.csv")));
  CHECK(piped.code == 0);
  CHECK(json_of(piped)["agree"] == true);
}

TEST_CASE("a slip in the other tool's robot file is named") {
  struct Case {
    const char *from, *to, *reason;
  };
  const std::vector<Case> cases{{"-9.81", "9.81", "gravity-sign"},
                                {"-9.81", "-9.80665", "gravity-size"},
                                {"standard-dh", "modified-dh", "dh-convention"}};
  write_arm("arm.toml");
  for (const Case& slip : cases) {
    CAPTURE(slip.reason);
    write_arm("other.toml", slip.from, slip.to);
    const std::string file = torques("other.toml");
    const Outcome told = torsor("agree arm.toml --json --against " + file);
    CHECK(told.code == 1);
    CHECK(json_of(told)["reason"] == slip.reason);
    const Outcome text = torsor("agree arm.toml --against " + file);
    CHECK(tells(text.out, slip.reason));
    CHECK(contains(text.out, "shoulder"));
  }
}

TEST_CASE("a difference without a known reason is called unknown") {
  write_arm("arm.toml");
  // the waist has an torque more, as no slip makes it: t, q, qd, qdd and tau are in columns 1, 2 .. 7, 8 .. 13, ...
  std::istringstream lines(read(path(torques("arm.toml"))));
  std::string line, out;
  std::getline(lines, line);
  out = line + '\n';
  for (int k = 0; std::getline(lines, line); ++k) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    cells[19] = std::to_string(std::stod(cells[19]) + 0.5 * std::sin(0.05 * k));
    for (std::size_t c = 0; c < cells.size(); ++c) out += (c > 0 ? "," : "") + cells[c];
    out += '\n';
  }
  const Outcome told = torsor("agree arm.toml --json --against " + write("noisy.csv", out));
  CHECK(told.code == 1);
  const json j = json_of(told);
  CHECK(j["reason"] == "unknown");
  CHECK(j["joints"][0]["differs"] == true);
  CHECK(j["joints"][1]["differs"] == false);
}

namespace {

/// A record with each torque, the last six columns, a part larger: of the row and of something without a pattern.
std::string changed(const std::string& record, double (*part)(int row, int column, double noise)) {
  std::istringstream lines(record);
  std::string line, out;
  std::getline(lines, line);
  out = line + '\n';
  unsigned k = 1;
  for (int r = 0; std::getline(lines, line); ++r) {
    std::istringstream row(line);
    std::string cell;
    for (int c = 0; std::getline(row, cell, ','); ++c) {
      k = k * 1664525U + 1013904223U;
      const double noise = 2.0 * (k >> 16) / 65535.0 - 1;
      out += (c > 0 ? "," : "") + (c < 19 ? cell : std::to_string(std::stod(cell) * (1 + part(r, c - 19, noise))));
    }
    out += '\n';
  }
  return out;
}

}  // namespace

TEST_CASE("noise is called noise, and one slip beneath noise is named with what is fitted and how well") {
  write_arm("arm.toml");
  write("noise.csv", changed(read(path(torques("arm.toml"))), [](int, int, double noise) { return 0.02 * noise; }));
  const Outcome noise = torsor("agree arm.toml --against noise.csv");
  CHECK(noise.code == 1);
  CHECK(json_of("agree arm.toml --against noise.csv")["reason"] == "noise");

  write("gain.csv", changed(read(path(torques("arm.toml"))),
                            [](int, int column, double part) { return (column == 1 ? -0.5 : 0) + 0.005 * part; }));
  const Outcome gain = torsor("agree arm.toml --against gain.csv");
  CHECK(gain.code == 1);
  CHECK(tells(gain.out, "joint-factor"));
  const json told = json_of("agree arm.toml --against gain.csv");
  CHECK(told["reason"] == "joint-factor");
  const json& size = told["guesses"][0]["sizes"][0];
  CHECK(std::abs(size["value"].get<double>() - 0.5) < 5 * size["deviation"].get<double>());
  CHECK(size["deviation"] < 1e-3);
}

TEST_CASE("beneath something smooth the plain slip comes with the tolerance at which it explains, and that holds") {
  write_arm("arm.toml");
  write_arm("other.toml", "-9.81", "9.81");
  // one part in a hundred, up and down with time: no noise
  write("noisy.csv", changed(read(path(torques("other.toml"))),
                             [](int row, int column, double) { return 0.01 * std::sin(0.1 * row + column); }));
  const Outcome strict = torsor("agree arm.toml --against noisy.csv");
  CHECK(strict.code == 1);
  CHECK(json_of("agree arm.toml --against noisy.csv")["reason"] == "unknown");
  const std::string before = "But gravity-sign explains it at --tolerance ";
  const std::size_t at = strict.out.find(before);
  REQUIRE(at != std::string::npos);
  const std::string rest = strict.out.substr(at + before.size());
  const Outcome lenient =
      torsor("agree arm.toml --against noisy.csv --json --tolerance " + rest.substr(0, rest.find(':')));
  CHECK(lenient.code == 1);
  CHECK(json_of(lenient)["reason"] == "gravity-sign");
}

TEST_CASE("an effort near the end of all numbers is refused with its line") {
  const Outcome vast = torsor("agree two_link --against -", "q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n0,0,0,0,0,0,1e308,1\n");
  CHECK(vast.code == 2);
  CHECK(tells(vast.err, "effort-range", {"2"}));
}

TEST_CASE(
    "a formulation that is alone in its catalogue is compared with the unnamed paths, and the certificate says so") {
  const Outcome alone = torsor("agree floating --states 2");
  CHECK(alone.code == 0);
  CHECK(says(alone.out, {"\"tree-newton-euler\""}));
}

TEST_CASE("what has no meaning together is refused") {
  CHECK(torsor("agree two_link --against x.csv --states 5").code == 2);
  CHECK(torsor("agree two_link --cutoff 5").code == 2);
  CHECK(torsor("agree two_link --tolerance -1").code == 2);
  CHECK(torsor("agree two_link --tolerance 1,2").code == 2);
  CHECK(torsor("agree two_link --against nowhere.csv").code == 2);
  CHECK(torsor("agree - --against -").code == 2);
  const Outcome columns = torsor("agree two_link --against -", "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n");
  CHECK(columns.code == 2);
  CHECK(tells(columns.err, "motion-column"));
}

TEST_CASE("a page of --against has the torques of both, and the table says where they are furthest apart") {
  write_arm("arm.toml");
  const std::string file = torques("arm.toml");
  REQUIRE(torsor("agree puma560 --html page.html --against " + file).code == 1);
  const json data = pages::page_data(read(path("page.html")));
  const json figure = data["figures"].back()["figure"];
  REQUIRE(figure["panels"].size() == 6);
  const json rows = data["tables"][0]["table"]["rows"];
  for (std::size_t joint = 0; joint < 6; ++joint) {
    const json& panel = figure["panels"][joint];
    CHECK(panel["series"][0]["name"] == "here");
    CHECK(panel["series"][1]["name"] == "there");
    REQUIRE(panel["series"][0]["x"].size() == 201);
    double largest = 0;
    for (std::size_t k = 0; k < 201; ++k)
      largest = std::max(largest,
                         std::abs(panel["series"][0]["y"][k].get<double>() - panel["series"][1]["y"][k].get<double>()));
    CHECK(rows[joint][0] == panel["title"]);
    CHECK(largest == doctest::Approx(rows[joint][3].get<double>()).epsilon(1e-12));
    CHECK(panel["x"]["unit"] == "s");
  }
  // six fitted frictions are a table, not a paragraph
  CHECK(data["tables"].size() >= 2);
}
