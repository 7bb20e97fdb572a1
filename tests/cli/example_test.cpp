// torsor example, completion and manual: what they write is what the other verbs read and declare.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "command.hpp"

using namespace cli_test;

TEST_CASE("every example is listed with what it is, and every file of examples/data is an example") {
  const auto list = nlohmann::json::parse(torsor("example --json").out);
  std::vector<std::string> names;
  for (const auto& entry : list) {
    names.push_back(entry["name"]);
    CHECK(!entry["what"].get<std::string>().empty());
    CHECK(contains(torsor("example").out, names.back()));
  }
  for (const auto& file : std::filesystem::directory_iterator(places::in_project("examples/data")))
    if (const std::string name = file.path().filename(); name != "contents.txt") {
      CAPTURE(name);
      CHECK(std::count(names.begin(), names.end(), name) == 1);
      CHECK(torsor("example " + name + " -o -").out == read(file.path()));
    }
  CHECK(std::count(names.begin(), names.end(), "four_bar.toml") == 1);
}

TEST_CASE("an example is written once, and never over another file") {
  REQUIRE(torsor("example pick.toml").code == 0);
  CHECK(read(path("pick.toml")) == read(places::in_project("examples/data/pick.toml")));
  CHECK(torsor("example pick.toml").code == 0);
  write("pick.toml", "mine");
  const Outcome refused = torsor("example pick.toml");
  CHECK(refused.code == 3);
  CHECK(contains(refused.err, "[file-exists]"));
  CHECK(read(path("pick.toml")) == "mine");
  CHECK(torsor("example pick.toml -o my_pick.toml").code == 0);
  CHECK(torsor("path my_pick.toml --robot puma560 -o /dev/null").code == 0);
  const Outcome unknown = torsor("example pikc.toml");
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "[example-unknown]; did you mean \"pick.toml\"?"));
  CHECK(torsor("example -o x").code == 2);
  CHECK(torsor("example pick.toml --json").code == 2);
}

TEST_CASE("completion for bash knows verbs, their options, robots and questions to mechanisms") {
  REQUIRE(torsor("completion bash > torsor.bash").code == 0);
  const auto completed = [](const std::string& words) {
    const std::string script = "source torsor.bash; COMP_WORDS=(torsor " + words +
                               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _torsor; echo \" ${COMPREPLY[*]} \"";
    return torsor("--version > /dev/null; bash -c '" + script + "'").out;
  };
  CHECK(completed("i") == " inertia ik id identify \n");
  CHECK(contains(completed("id --pay"), " --payload "));
  CHECK(contains(completed("id pu"), " puma560 "));
  CHECK(contains(completed("mechanism mo"), " mobility "));
  CHECK(contains(completed("mechanism inverse fo"), " four_bar "));
  CHECK(contains(completed("mechanism inverse --ev"), " --every "));
  CHECK(contains(completed("example fo"), " four_bar.toml "));
  CHECK(contains(completed("example pi"), " pick.toml "));
  CHECK_FALSE(contains(completed("plot pu"), "puma560"));
  CHECK_FALSE(contains(completed("path pu"), "puma560"));
  CHECK(contains(completed("path sixr_a"), " sixr_angeles "));
  CHECK(completed("id puma560 --q pu") == "  \n");  // the value of --q is no robot
  CHECK(completed("id puma560 --formulation kan") == " kane kane-set-a \n");
  CHECK(contains(completed("control puma560 --laws comp"), " computed-torque "));
  CHECK(completed("control puma560 --task c") == " contact \n");
  CHECK(completed("codegen puma560 --functions jac") == " jacobian \n");
  CHECK(completed("mechanism modes four_bar --at st") == " start \n");
  CHECK(completed("completion z") == " zsh \n");
  write("pick", "");
  CHECK(completed("example pi") == " pick.toml \n");  // no files of the folder
  for (const std::string shell : {"zsh", "fish"}) {
    CHECK(contains(torsor("completion " + shell).out, "payload"));
    CHECK(contains(torsor("completion " + shell).out, "semi-implicit"));
  }
  // a description ends with its sentence, not within `q1.. (or names)`
  CHECK_FALSE(contains(torsor("completion fish").out, "q1.'"));
  CHECK(torsor("completion").code == 2);
  CHECK(contains(torsor("completion tcsh").err, "[shell-unknown]"));
}

TEST_CASE("the manual has every verb with its options, and no line that man would take for a request") {
  const std::string page = torsor("manual").out;
  for (const std::string verb : {"id", "example", "mechanism inverse", "codegen"})
    CHECK(contains(page, "\n.SH torsor " + verb + "\n"));
  CHECK(contains(page, "\\fB\\-o, \\-\\-output\\fR \\fIFILE\\fR\n"));
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('.') || line.starts_with('\''))
      CHECK_MESSAGE(
          (line.starts_with(".TP") || line.starts_with(".SH") || line.starts_with(".SS") || line.starts_with(".PP") ||
           line.starts_with(".br") || line.starts_with(".B ") || line.starts_with(".TH")),
          line);
}
