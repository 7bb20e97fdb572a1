#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

const std::string sound =
    "[[link]]\nname = \"arm\"\njoint = \"revolute\"\n"
    "shape = { box_mm = [400, 80, 80], density = 1500, position_mm = [200, 0, 0] }\n";
const std::string doubtful =
    "[[link]]\nname = \"arm\"\njoint = \"revolute\"\nmass = 1.5\ncom = [0.15, 0, 0]\n"
    "inertia = [0.002, 0.0101, 1.04]\n";
const std::string impossible =
    "[[link]]\nname = \"arm\"\njoint = \"revolute\"\nmass = 3\ncom = [0.25, 0, 0]\n"
    "inertia = { xx = 0.004, yy = 0.064, zz = 0.064, about = \"frame\" }\n";
const std::string accepted = "accept = [\"triangle:arm\"]\naccept_reason = \"a test\"\n" + doubtful;

}  // namespace

TEST_CASE("a sound file gives one line and exit code 0") {
  const Outcome check = torsor("check " + write("sound.toml", sound));
  CHECK(check.code == 0);
  CHECK(check.out == path("sound.toml") + ": 0 errors, 0 warnings\n");
  CHECK(check.err.empty());
}

TEST_CASE("a warning names file, line, link, rule, numbers and probable cause; --strict makes it count") {
  const std::string file = write("doubtful.toml", doubtful);
  const Outcome check = torsor("check doubtful.toml");
  CHECK(check.code == 0);
  CHECK(check.out ==
        "warning: doubtful.toml:6: link \"arm\": its principal moments 0.002, 0.0101, 1.04 kg m^2 break the triangle "
        "inequality: 1.04 > 0.0121 [triangle]; probable cause: missing decimal point: inertia zz = 0.0104 instead of "
        "1.04 would fit\n"
        "doubtful.toml: 0 errors, 1 warning\n");
  CHECK(torsor("check doubtful.toml --strict").code == 2);
}

TEST_CASE("an error gives exit code 2") {
  write("impossible.toml", impossible);
  const Outcome check = torsor("check impossible.toml");
  CHECK(check.code == 2);
  CHECK(tells(check.out, "moment-negative", {"impossible.toml:6", "\"arm\""}));
  CHECK(says(check.out, {"impossible.toml", "1", "0"}));
}

TEST_CASE("of a robot of one link notes are notes, and its inertia is looked at") {
  write("ball.urdf",
        "<robot name='ball'>\n<link name='ball'>\n<inertial><mass value='1'/>\n"
        "<inertia ixx='1' iyy='1' izz='3' ixy='0' ixz='0' iyz='0'/></inertial>\n"
        "<visual><geometry><sphere radius='1'/></geometry><material name='steel'/></visual>\n</link>\n</robot>\n");
  const Outcome check = torsor("check ball.urdf");
  CHECK(check.code == 2);
  CHECK(tells(check.out, "robot-empty", {"ball.urdf:2", "\"ball\""}));
  CHECK(tells(check.out, "triangle", {"ball.urdf:4", "\"ball\"", "1", "3", "2"}));
  CHECK(tells(check.out, "material-unknown", {"ball.urdf:5", "\"ball\"", "\"steel\""}));
  CHECK(says(check.out, {"ball.urdf", "1"}));
  const json findings = json_of("check ball.urdf")["files"][0]["findings"];
  REQUIRE(findings.size() == 3);
  CHECK(findings[0]["severity"] == "error");
  CHECK(findings[1]["severity"] == "warning");
  CHECK(findings[2]["severity"] == "note");
  // other verbs say which of the lines keeps the robot from being read
  const Outcome show = torsor("show ball.urdf");
  CHECK(show.code == 2);
  CHECK(show.err.starts_with("ball.urdf:2: "));
  CHECK(tells(show.err, "triangle", {"ball.urdf:4"}));
  CHECK(tells(show.err, "material-unknown", {"ball.urdf:5"}));
}

TEST_CASE("errors of a robot hide neither its notes nor what no body can have, whatever its links are joined to") {
  const std::string looks =
      "<visual><geometry><mesh/></geometry><material name='steel'/></visual>\n<collision><geometry/></collision>\n"
      "<visual><origin xyz='1 2' rpy='a b c'/><geometry><sphere radius='1'/></geometry></visual>\n";
  const auto mass = [](const std::string& m, const std::string& izz) {
    return "<inertial><mass value='" + m + "'/>\n<inertia ixx='1' iyy='1' izz='" + izz +
           "' ixy='0' ixz='0' iyz='0'/></inertial>";
  };
  const auto joint = [](const std::string& child) {
    return "<joint name='j' type='continuous'><parent link='base'/><child link='" + child + "'/></joint>";
  };
  const std::string materials = "<material name='red'><color rgba='1 1 1'/></material>\n<material/>\n";
  const std::string base = "<link name='base'>\n" + looks + mass("1", "3") + "</link>\n";
  const std::pair<std::string, std::string> robots[] = {
      {"mass-negative", base + "<link name='a'>" + mass("-1", "1") + "</link>" + joint("a")},
      {"child-unknown", base + "<link name='a'>" + mass("1", "1") + "</link>" + joint("b")},
      {"link-name", base + "<link name='base'/><link name='a'>" + mass("1", "1") + "</link>" + joint("a")},
      {"robot-empty", base},
  };
  for (const auto& [rule, text] : robots) {
    const std::string wanted = rule;
    CAPTURE(wanted);
    write("refused.urdf", "<robot name='refused'>\n" + text + materials + "</robot>\n");
    const Outcome check = torsor("check refused.urdf");
    CAPTURE(check.out);
    CHECK(check.code == 2);
    CHECK(check.out.starts_with("error: "));
    CHECK(tells(check.out, rule));
    CHECK(tells(check.out, "mesh-file", {"refused.urdf:3", "\"base\""}));
    CHECK(tells(check.out, "material-unknown", {"refused.urdf:3", "\"steel\""}));
    CHECK(tells(check.out, "shape-missing", {"refused.urdf:4"}));
    CHECK(tells(check.out, "shape-origin", {"refused.urdf:5", "\"xyz\"", "\"1 2\""}));
    CHECK(tells(check.out, "shape-origin", {"refused.urdf:5", "\"rpy\"", "\"a b c\""}));
    CHECK(tells(check.out, "triangle", {"refused.urdf:7", "\"base\"", "1", "3", "2"}));
    CHECK(tells(check.out, "material-color", {"\"1 1 1\""}));
    CHECK(tells(check.out, "material-name"));
  }
  // a number that could not be read is no number to doubt
  write("refused.urdf", "<robot name='refused'>\n<link name='base'/><link name='a'>" + mass("1", "3") +
                            "</link><link name='b'>" + mass("x", "3") + "</link>" + joint("a") + "</robot>\n");
  const json findings = json_of("check refused.urdf")["files"][0]["findings"];
  int doubted = 0;
  for (const json& each : findings) doubted += each["rule"] == "triangle";
  CHECK(doubted == 1);
}

TEST_CASE("several files are checked in one run, those that cannot be read among them") {
  write("sound.toml", sound);
  write("doubtful.toml", doubtful);
  write("broken.toml", "[[link]]\nname = \"a\"\njoint = \"revolut\"\nmass = -1\n");
  const Outcome check = torsor("check sound.toml broken.toml missing.toml doubtful.toml puma560");
  CHECK(check.code == 2);
  CHECK(contains(check.out, "sound.toml: 0 errors, 0 warnings\nerror: broken.toml:3: "));
  CHECK(tells(check.out, "mass-negative"));
  CHECK(tells(check.out, "file-read", {"missing.toml"}));
  CHECK(contains(check.out, "doubtful.toml: 0 errors, 1 warning\npuma560: 0 errors, 0 warnings (3 accepted)\n"));
  CHECK(check.err.empty());
}

TEST_CASE("an accepted warning is counted, not shown, and no matter for --strict") {
  write("accepted.toml", accepted);
  const Outcome check = torsor("check accepted.toml --strict");
  CHECK(check.code == 0);
  CHECK(check.out == "accepted.toml: 0 errors, 0 warnings (1 accepted)\n");
  write("unused.toml", "accept = [\"triangle:arm\"]\naccept_reason = \"a test\"\n" + sound);
  const Outcome unused = torsor("check unused.toml --strict");
  CHECK(unused.code == 0);
  CHECK(tells(unused.out, "accept-unused", {"unused.toml:1", "\"triangle:arm\""}));
}

TEST_CASE("the answer as JSON has every finding with its parts") {
  write("doubtful.toml", doubtful);
  write("accepted.toml", accepted);
  const Outcome check = torsor("check doubtful.toml accepted.toml --json");
  CHECK(check.code == 0);
  const json files = json_of(check)["files"];
  REQUIRE(files.size() == 2);
  CHECK(files[0]["warnings"] == 1);
  CHECK(files[0]["errors"] == 0);
  const json& finding = files[0]["findings"][0];
  CHECK(finding["severity"] == "warning");
  CHECK(finding["rule"] == "triangle");
  CHECK(finding["subject"] == "triangle:arm");
  CHECK(finding["file"] == "doubtful.toml");
  CHECK(finding["line"] == 6);
  CHECK(finding["offender"] == "link \"arm\"");
  CHECK(finding["cause"] == "decimal-point");
  CHECK(files[1]["findings"].empty());
  CHECK(files[1]["accepted"][0]["subject"] == "triangle:arm");
  CHECK(files[1]["accept_reason"] == "a test");
}

TEST_CASE("without a file, or with an unknown option, there is a word on what is expected") {
  CHECK(tells(torsor("check").err, "argument-missing"));
  CHECK(torsor("check").code == 2);
  CHECK(tells(torsor("check puma560 --stric").err, "option-unknown", {"\"--strict\""}));
}

TEST_CASE("a directory is called one, and the files beside it are checked all the same") {
  write("sound.toml", sound);
  const Outcome check = torsor("check . sound.toml");
  CHECK(check.code == 2);
  CHECK(tells(check.out, "file-read"));
  CHECK(says(check.out, {"sound.toml", "0"}));
}

TEST_CASE("what concerns the whole robot has the line that names it") {
  write("massless.toml", "format = 1\nname = \"r\"\n[[link]]\nname = \"a\"\njoint = \"revolute\"\n");
  CHECK(tells(torsor("check massless.toml").out, "mass-zero", {"massless.toml:2", "\"r\""}));
}

TEST_CASE("the help tells of several files, strictness, JSON, acceptance and exit codes") {
  const Outcome help = torsor("check --help");
  CHECK(help.code == 0);
  for (const char* part : {"FILE...", "--strict", "--json", "accept_reason", "Exit code", "docs/check.md"})
    CHECK(contains(help.out, part));
}

TEST_CASE("standard input can be checked") {
  const Outcome check = torsor("check -", impossible);
  CHECK(check.code == 2);
  CHECK(tells(check.out, "moment-negative", {"6", "\"arm\""}));
  CHECK(contains(check.out, "\nstandard input: 1 error, "));
  CHECK(json_of(torsor("check - --json", impossible))["files"][0]["file"] == "standard input");
}

TEST_CASE("every verb warns of a doubtful robot on standard error and goes on; a sound one is passed in silence") {
  write("doubtful.toml", doubtful);
  write("sound.toml", sound);
  for (const std::string verb : {"show", "fk", "id", "fd", "terms"}) {
    CAPTURE(verb);
    const std::string state = verb == "show" ? "" : " --q zero";
    const Outcome warned = torsor(verb + " doubtful.toml" + state);
    CHECK(warned.code == 0);
    CHECK(warned.err.starts_with("warning: doubtful.toml:6: link \"arm\": its principal moments"));
    CHECK(torsor(verb + " sound.toml" + state).err.empty());
    CHECK(torsor(verb + " puma560" + state).err.empty());
  }
}

TEST_CASE("of many warnings a verb tells five, and where to find the others") {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    std::string link = doubtful;
    link.replace(link.find("arm"), 3, "arm" + std::to_string(i));
    text += link;
  }
  write("many.toml", text);
  const Outcome fk = torsor("fk many.toml --q zero");
  CHECK(fk.code == 0);
  CHECK(std::count(fk.err.begin(), fk.err.end(), '\n') == 6);
  CHECK(says(fk.err, {"3", "many.toml"}));
}

TEST_CASE("a joint that moves no mass is refused by forward dynamics alone, with a sentence") {
  write("hand.toml", sound + "[[link]]\nname = \"hand\"\njoint = \"revolute\"\nmass = 0\n");
  CHECK(torsor("check hand.toml").code == 2);
  CHECK(torsor("fk hand.toml --q zero").code == 0);
  CHECK(torsor("id hand.toml --q zero").code == 0);
  const Outcome fd = torsor("fd hand.toml --q zero");
  CHECK(fd.code == 1);
  CHECK(tells(fd.err, "mass-matrix", {"\"hand\""}));
}

TEST_CASE("of a rule that very many links break the first hundred are shown, and in JSON all") {
  std::string text;
  for (int i = 0; i < 130; ++i) {
    std::string link = doubtful;
    link.replace(link.find("arm"), 3, "arm" + std::to_string(i));
    text += link;
  }
  write("many.toml", text);
  const Outcome check = torsor("check many.toml");
  CHECK(check.code == 0);
  CHECK(std::count(check.out.begin(), check.out.end(), '\n') == 102);
  CHECK(contains(check.out,
                 "warning: many.toml: and 30 more [triangle]; --json lists all of them\n"
                 "many.toml: 0 errors, 130 warnings\n"));
  CHECK(json_of("check many.toml")["files"][0]["findings"].size() == 130);
}

TEST_CASE("a name of a million letters is cut where it is repeated") {
  std::string link = impossible;
  link.replace(link.find("arm"), 3, std::string(1'000'000, 'x'));
  write("long.toml", link);
  for (const std::string verb : {"check long.toml", "convert long.toml --to standard-dh -o short.toml"}) {
    const Outcome outcome = torsor(verb);
    CHECK(outcome.out.size() + outcome.err.size() < 2000);
    CHECK(tells(outcome.out + outcome.err, "moment-negative", {"999920"}));
  }
}
