// Every verb that writes a page: the page stands by itself, says what it comes to, moves the robot where there is one to move,
// and its name is told in one spelling.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/page_data.hpp"

using namespace cli_test;
using nlohmann::json;
using pages::base64_numbers;
using pages::page_data;

namespace {

struct PageCommand {
  const char* command;  // without --html
  std::size_t views;    // moving pictures on the page
  std::size_t clips;    // of the first of them, at least
};

const PageCommand page_commands[] = {
    {"show stanford", 1, 6},
    {"id puma560 --motion moves.csv -o out.csv", 1, 1},
    {"track puma560 line.toml -o out.csv", 1, 1},
    {"path pick.toml --robot puma560 -o out.csv", 1, 1},
    {"path line.toml -o out.csv", 1, 1},
    {"ik puma560 --pose \"0.5 0.1 0.6 0 90 0\" --degrees --all", 1, 4},
    {"ik puma560 --path line.toml -o out.csv", 1, 1},
    {"simulate two_link --torque zero --q \"0.3 0.2\" --time 0.2 -o out.csv", 1, 1},
    {"roundtrip two_link motion.csv --interpolation linear --samples 21", 1, 1},
    {"control two_link --laws pd,computed-torque", 1, 2},
    {"size puma560_drives pick.toml --drives servo.toml", 1, 1},
    {"report two_link --quick --states 3", 1, 2},
    {"report two_link --quick --states 3 --motion motion.csv", 1, 1},
    {"reduce two_link", 1, 1},
    {"guide two_link", 1, 1},
    {"dominance two_link", 0, 0},
    {"structure two_link", 0, 0},
    {"agree two_link --states 10", 0, 0},
    {"agree two_link --exact", 0, 0},
    {"diff puma560 puma560_drives", 0, 0},
    {"diff two_link two_link", 0, 0},
    {"agree puma560_drives --against theirs.csv", 0, 0},
    {"regressor two_link", 0, 0},
    {"identify two_link log.csv", 0, 0},
    {"mechanism kinematics four_bar -o out.csv", 1, 1},
    {"mechanism inverse stewart_platform -o out.csv", 1, 1},
    {"mechanism simulate pendulum --time 0.2 -o out.csv", 1, 1},
    {"mechanism equilibrium bricard", 1, 1},
    {"mechanism modes pendulum", 1, 1},
    {"mechanism mobility bricard", 1, 1},
};

void write_example(const std::string& name) {
  std::filesystem::remove(path(name));
  REQUIRE(torsor("example " + name).code == 0);
}

const json* view_of(const json& data) {
  for (const json& entry : data["figures"])
    if (entry["figure"]["kind"] == "view") return &entry["figure"];
  return nullptr;
}

}  // namespace

TEST_CASE("every page stands by itself, has a verdict, moves what moves, and is named on the screen") {
  for (const char* file : {"moves.csv", "line.toml", "pick.toml", "servo.toml", "motion.csv", "theirs.csv", "log.csv"})
    write_example(file);
  for (const PageCommand& each : page_commands) {
    CAPTURE(std::string(each.command));
    const Outcome run = torsor(std::string(each.command) + " --html page.html");
    CAPTURE(run.err);
    REQUIRE(run.code <= 1);
    CHECK(("\n" + run.out).ends_with("\npage: page.html\n"));
    const std::string page = read(path("page.html"));
    CHECK(markup::markup_fault(page) == "");
    for (const char* word : {"http:", "https:", "src=", "@import", "url("}) CHECK_FALSE(contains(page, word));
    CHECK(contains(page, "default-src 'none'"));
    CHECK_FALSE(contains(page, "cannot be shown"));
    const json data = page_data(page);
    CHECK(data["format"] == 2);
    CHECK(data["verdict"].get<std::string>().size() > 8);
    CHECK(contains(page, "<p class='notice verdict "));
    std::size_t views = 0;
    for (const json& entry : data["figures"]) views += entry["figure"]["kind"] == "view" ? 1 : 0;
    CHECK(views == each.views);
    if (each.views == 0) continue;
    const json& view = *view_of(data);
    CHECK(view["clips"].size() >= each.clips);
    for (const json& clip : view["clips"]) {
      const std::size_t frames = clip["t"].size();
      REQUIRE(frames > 0);
      CHECK(frames <= 400);
      const std::vector<double> poses = base64_numbers<float>(clip["poses"].get<std::string>());
      CHECK(poses.size() == 7 * frames * view["parts"].size());
      for (const double x : poses) REQUIRE(std::isfinite(x));
    }
    CHECK(contains(page, "class='still'"));
  }
}

TEST_CASE("where rows go to the screen, the page is named beside them") {
  for (const char* file : {"moves.csv", "line.toml", "pick.toml", "servo.toml"}) write_example(file);
  for (const char* command :
       {"id puma560 --motion moves.csv", "track puma560 line.toml", "path pick.toml --robot puma560",
        "ik puma560 --path line.toml", "simulate two_link --torque zero --q \"0.3 0.2\" --time 0.2",
        "size puma560_drives pick.toml -o -", "mechanism kinematics four_bar"}) {
    CAPTURE(std::string(command));
    const Outcome run = torsor(std::string(command) + " --html page.html");
    REQUIRE(run.code <= 1);
    CHECK_FALSE(contains(run.out, "page.html"));
    CHECK(contains("\n" + run.err, "\npage: page.html\n"));
  }
}

TEST_CASE("verdicts of two robots, of limits and of a change of the design say what they are of") {
  const auto page_after = [](const std::string& command) {
    REQUIRE(torsor(command + " --html page.html").code <= 1);
    return page_data(read(path("page.html")));
  };
  const json differ = page_after("diff puma560 puma560_drives");
  CHECK(differ["verdict"].get<std::string>().starts_with("The robots differ in "));
  CHECK_FALSE(contains(differ.dump(), "kg m^2"));
  CHECK(contains(differ.dump(), "kg m²"));
  CHECK(page_after("diff two_link two_link")["verdict"].get<std::string>().starts_with("The robots are the same"));

  // beside a limit that is passed no card is green
  write("beyond.csv", "t,q1,q2,q3,q4,q5,q6\n0,0,0,3,0,0,0\n0.1,0,0,3,0,0,0\n0.2,0,0,3,0,0,0\n");
  const json beyond = page_after("id puma560 --motion beyond.csv -o out.csv");
  CHECK(contains(beyond["verdict"].get<std::string>(), "\"elbow\": position"));
  const std::string page = read(path("page.html"));
  CHECK(contains(page, "<dt>nearest to its torque limit</dt>"));
  CHECK_FALSE(contains(page, "<div class='good'>"));

  // a limit that is reached leaves nothing
  write_example("pick.toml");
  const json sized = page_after("size puma560_drives pick.toml");
  CHECK(contains(sized["verdict"].get<std::string>(), "just kept, nothing is left: 100 % of the"));
  CHECK(contains(read(path("page.html")), "<div class='warning'><dt>nearest to its limit</dt><dd>100"));

  const std::string guided = page_after("guide puma560")["verdict"].get<std::string>();
  CHECK(contains(guided,
                 "lowers the sum of peak torques by 33.4 % at the price of 28.4 kg more on 23.45 kg; but the peak of "
                 "waist rises from"));
}

TEST_CASE("a robot stands on a page in degrees as on one in radians") {
  for (const char* robot : {"puma560", "panda", "floating"}) {
    CAPTURE(std::string(robot));
    std::vector<json> clips;
    for (const char* pose :
         {"--pose \"0.4 0.1 0.5 0 90 0\" --degrees", "--pose \"0.4 0.1 0.5 0 1.5707963267948966 0\""}) {
      const Outcome run = torsor("ik " + std::string(robot) + " " + pose + " --html page.html");
      REQUIRE(run.code <= 1);
      const json data = page_data(read(path("page.html")));
      REQUIRE(view_of(data) != nullptr);
      clips.push_back((*view_of(data))["clips"]);
    }
    REQUIRE(clips[0].size() > 0);
    CHECK(clips[0] == clips[1]);
  }
}

TEST_CASE("the robot of a page stands where torsor fk puts it, and its instants are those of the curves") {
  write_example("moves.csv");
  REQUIRE(torsor("id puma560 --motion moves.csv -o out.csv --html page.html").code == 0);
  const json data = page_data(read(path("page.html")));
  const json* const view = view_of(data);
  REQUIRE(view);
  const json& clip = (*view)["clips"][0];
  const std::vector<double> poses = base64_numbers<float>(clip["poses"].get<std::string>());
  const std::string rows = read(path("out.csv"));
  const std::size_t parts = (*view)["parts"].size(), frames = clip["t"].size();
  const json& trace = (*view)["traces"].back();
  for (const std::size_t f : {std::size_t{0}, frames / 3, frames - 1}) {
    // the row of that instant
    std::size_t k = 0;
    while (cell(rows, "t", k) < clip["t"][f].get<double>() - 1e-12) ++k;
    std::string q;
    for (const char* joint : {"waist", "shoulder", "elbow", "wrist_roll", "wrist_bend", "flange"})
      q += std::to_string(cell(rows, std::string("q.") + joint, k)) + " ";
    const json fk = json_of("fk puma560 --q \"" + q + "\"");
    const json& place = named(fk["frames"], trace["name"].get<std::string>(), "frame")["position"];
    // the origin of the tool: the pose of its link, and its place there
    const double* const X = poses.data() + 7 * (f * parts + trace["part"].get<std::size_t>());
    const double s[3] = {trace["at"][0], trace["at"][1], trace["at"][2]}, e[4] = {X[3], X[4], X[5], X[6]};
    const double t[3] = {2 * (e[2] * s[2] - e[3] * s[1]), 2 * (e[3] * s[0] - e[1] * s[2]),
                         2 * (e[1] * s[1] - e[2] * s[0])};
    const double u[3] = {e[2] * t[2] - e[3] * t[1], e[3] * t[0] - e[1] * t[2], e[1] * t[1] - e[2] * t[0]};
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(X[i] + s[i] + e[0] * t[i] + u[i] == doctest::Approx(place[i].get<double>()).epsilon(1e-5));
  }
}

TEST_CASE(
    "curves over the same instants share them: a page of a thousand rows and eight branches stays near two megabytes") {
  write_example("line.toml");
  REQUIRE(torsor("track puma560 line.toml --step 0.001 -o out.csv --html page.html").code == 0);
  const std::string page = read(path("page.html"));
  CHECK(rows_in("out.csv") > 1000);
  CHECK(page.size() < 2'200'000);
  const json data = page_data(page);
  std::size_t series = 0;
  for (const json& entry : data["figures"])
    for (const json& panel :
         entry["figure"].contains("panels") ? entry["figure"]["panels"] : json::array({entry["figure"]}))
      series += panel.contains("series") ? panel["series"].size() : 0;
  // of each curve its own numbers at most, and times that are shared
  CHECK(data["columns"].size() < series + 12);
}
