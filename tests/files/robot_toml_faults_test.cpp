// Bad robot files: every slip is found where it is, all slips of a file at once, and no bytes whatever bring the reader
// down.
#include <doctest/doctest.h>

#include "tests/files/file_text.hpp"
#include "tests/support/mutate.hpp"
#include "tests/support/places.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/robot_toml.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("each broken file has exactly the faults it announces, all found at once") {
  const auto read = [](const std::string& text, const std::string& file) { return read_robot_toml(text, file); };
  const auto [files, rules] = check_broken_files("tests/broken", ".toml", read);
  CHECK(files >= 60);
  CHECK(rules.size() >= 50);
}

TEST_CASE("a misspelt word is answered with the likely one") {
  const auto message = [](const std::string& text) {
    return to_string(read_robot_toml(text, "arm.toml").faults().at(0));
  };
  CHECK(message(one_link("limit = { effort = 1 }")) ==
        "arm.toml:4: link \"a\", limit: there is no such key [key-unknown]; did you mean \"limits\"?");
  CHECK(message(one_link("", "\"revolut\"")).find("did you mean \"revolute\"?") != std::string::npos);
}

TEST_CASE("a unit that needs no saying is answered with the plain key") {
  const auto remedy = [](const std::string& line) {
    return read_robot_toml(one_link(line), "arm.toml").faults().at(0).remedy;
  };
  CHECK(remedy("mass = 1\ncom_kg = [0, 0, 0]") == "without a suffix it is in SI units: write com, com_mm or com_cm");
  CHECK(remedy("mass = 1\ncom_m = [0, 0, 0]") == "without a suffix it is in SI units: write com, com_mm or com_cm");
  const auto robot = read_robot_toml(one_link("mass_kg = 1"), "arm.toml");
  CHECK(robot.faults().back().remedy == "without a suffix it is in SI units: write mass or mass_g");
}

TEST_CASE("numbers too large hide no other fault, and a file full of them ends") {
  CHECK(faults_of(read_robot_toml(one_link("mass = -1e999\nlength = 2"), "arm.toml")) ==
        "4 number-finite, 5 key-unknown");
  std::string many = "[";
  for (int i = 0; i < 1000; ++i) many += "1e999, ";
  CHECK(faults_of(read_robot_toml(one_link("com = " + many + "]"), "arm.toml")) == "4 toml-syntax");
}

TEST_CASE("a thousand faults are counted, not listed") {
  std::string text = one_link("");
  for (int i = 0; i < 1000; ++i) text += "x" + std::to_string(i) + " = 1\n";
  const auto robot = read_robot_toml(text, "test.toml");
  REQUIRE(robot.faults().size() == 101);
  CHECK(robot.faults().back().what == "and 900 more faults");
}

TEST_CASE("nesting without end is an error and no crash") {
  const auto repeated = [](const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  const int deep = 100'000;
  for (const std::string& text : {
           "a = " + repeated("[", deep) + repeated("]", deep),
           "a = " + repeated("{ a = ", deep) + "1" + repeated("}", deep),
           "a" + repeated(".a", deep) + " = 1",
           "[a" + repeated(".a", deep) + "]",
           "[[a" + repeated(" . \"=\"", deep) + "]]",
           "s = '''\n'''\na" + repeated(".'#'", deep) + " = 1",
           "s = \"\"\" \" '\"\"\"\"\"\na" + repeated(".a", deep) + " = 1",
       })
    CHECK(faults_of(read_robot_toml(text, "test.toml")).ends_with("toml-syntax"));
}

TEST_CASE("a header that ends before its name is a syntax error and no crash") {
  for (const std::string text : {"[", "[[", "[\nlink]]", "[[\nlink]]", "[[[link]]]", "[ =", "[[ . ]]"})
    CHECK(faults_of(read_robot_toml(text, "test.toml")) == "1 toml-syntax");
}

TEST_CASE("letters with accents are welcome in texts and refused outside") {
  const auto source = [](const std::string& text) {
    return read_robot_toml("source = " + text + "\n" + one_link(""), "test.toml");
  };
  const auto folded = source("\"\"\"\\\n  \u00e9tude \u0431\"\"\"");
  REQUIRE(folded);
  CHECK(folded->source == "\u00e9tude \u0431");
  CHECK(faults_of(source("\"\"\"\\\u00e9\"\"\"")) == "1 toml-syntax");
  for (const std::string text : {"\u00e9 = 1", "[\u00e9]", "a\u0431 = 1", "a = \u00e9", "a = 1\u00e9", "a = [1\u0431]",
                                 "a \u00e9 = 1", "\u00a0a = 1"})
    CHECK(faults_of(read_robot_toml(text, "test.toml")) == "1 toml-syntax");
}

TEST_CASE("dots in texts, comments and numbers are no deep keys") {
  const auto robot = read_robot_toml(
      "# ....................................\nsource = \"...................... # \"\n" +
          one_link("mass = 1.5 # 1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19\n") +
          "friction = { table = { qd = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, "
          "1.6, "
          "1.7, 1.8], "
          "effort = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8] } }\n",
      "test.toml");
  CHECK(robot);
}

TEST_CASE("mutated robot files give a robot that builds or a list of faults, never anything else") {
  static const std::string pieces[] = {"[[link]]\n",
                                       "nan",
                                       "-inf",
                                       "1e308",
                                       "-1",
                                       "0",
                                       "\"",
                                       "'''",
                                       "{",
                                       "}",
                                       "[",
                                       "]",
                                       "=",
                                       ".",
                                       "\n",
                                       "_mm",
                                       "_deg",
                                       "true",
                                       "1979-05-27",
                                       "\xff",
                                       std::string(1, '\0'),
                                       "mimic = { joint = \"",
                                       "parent = \"",
                                       "= [[1, 2], [3]]"};
  std::vector<std::string> seeds;
  for (const EmbeddedRobot& robot : embedded_robots()) seeds.emplace_back(robot.text);
  const std::string page = contents(places::in_project("docs/robot-file.md"));
  seeds.push_back(page.substr(page.find("```toml\n") + 8, page.rfind("[[tool]]") - page.find("```toml\n") - 8));

  testing::Random random(20240611);
  int sound = 0, faulty = 0;
  for (int run = 0; run < testing::draws(3000); ++run) {
    const std::string& seed = seeds[static_cast<std::size_t>(random.below(static_cast<int>(seeds.size())))];
    const std::string text = testing::mutated(seed, {pieces, std::span(pieces).subspan(1, 5)}, random);
    const auto robot = read_robot_toml(text, "mutant.toml");
    if (robot) {
      ++sound;
      if (!build(*robot)) FAIL_CHECK("read but not built:\n" << text);
    } else {
      ++faulty;
      if (robot.faults().empty()) FAIL_CHECK("refused without a fault:\n" << text);
    }
  }
  // both ends of the street were walked
  CHECK(sound > 100);
  CHECK(faulty > 100);
}

TEST_CASE("a negative moment is told with its number and the slip that put it there, row order first") {
  const auto told = [](const std::string& inertia) {
    const auto robot = read_robot_toml(
        "[[link]]\nname = \"a\"\njoint = \"revolute\"\nmass = 4\ncom = [0.1, 0.15, 0]\ninertia = " + inertia, "a.toml");
    REQUIRE_FALSE(robot);
    REQUIRE(robot.faults().size() == 1);
    CHECK(robot.faults()[0].rule == "inertia-negative");
    return to_string(robot.faults()[0]);
  };
  const std::string rows =
      told("{ xx = 0.031, yy = -0.02, zz = 0.0002, xy = 0.017, xz = -0.0004, yz = 0.045, products = \"tensor\" }");
  CHECK(rows.find("its moment yy is -0.02 kg m^2") != std::string::npos);
  CHECK(rows.find("probable cause: row order: numbers listed as xx, xy, xz, yy, yz, zz were taken as xx, yy, zz, xy, "
                  "xz, yz") != std::string::npos);
  CHECK(told("[0.031, 0.017, -0.045]").find("probable cause: a minus sign") != std::string::npos);
  CHECK(told("[-1, -1, -50]").find("moments of inertia are zero or positive") != std::string::npos);
}

TEST_CASE("an acceptance of a misspelt rule or link is a note with the likely spelling and its line") {
  const auto notes = [](const std::string& accept) {
    const auto robot = read_robot_toml("name = \"r\"\naccept = [\"" + accept +
                                           "\"]\naccept_reason = \"a test\"\n[[link]]\nname = \"forearm\"\n"
                                           "joint = { kind = \"revolute\", name = \"elbow\" }\n",
                                       "r.toml");
    REQUIRE(robot);
    CHECK(robot->accepted.size() + robot->notes.size() == 1);
    return robot->notes.empty() ? "" : to_string(robot->notes[0]);
  };
  CHECK(notes("triangle:forearm").empty());
  CHECK(notes("limits-degrees:elbow").empty());
  CHECK(notes("mass-zero:r").empty());
  CHECK(notes("triangel:forearm") ==
        "r.toml:2: accept \"triangel:forearm\": the check has no rule \"triangel\" [accept-unknown]; did you mean "
        "\"triangle\"?");
  CHECK(notes("triangle:fourarm") ==
        "r.toml:2: accept \"triangle:fourarm\": the robot has no \"fourarm\" [accept-unknown]; did you mean "
        "\"forearm\"?");
}
