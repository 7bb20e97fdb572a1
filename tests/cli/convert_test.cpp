#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command.hpp"

using namespace cli_test;

TEST_CASE("a robot goes through every form and back, and says how far its torques moved") {
  for (const char* form : {"standard-dh", "modified-dh", "placement", "toml"}) {
    CAPTURE(form);
    const std::string file = path("arm.toml");
    const auto there = torsor("convert puma560 --to " + std::string(form) + " -o " + file);
    CHECK(there.code == 0);
    CHECK(contains(there.err, "torques differ by at most"));
    CHECK(there.out.empty());
    const auto back = torsor("convert " + file + " --to standard-dh --json");
    REQUIRE(back.code == 0);
    const auto answer = nlohmann::json::parse(back.out);
    CHECK(answer["torque_difference"].get<double>() < 1e-11);
    CHECK(answer["snaps"].empty());
  }
  const std::string urdf = path("arm.urdf");
  CHECK(torsor("convert puma560 -o " + urdf).code == 0);
  const auto table = torsor("convert " + urdf + " --table markdown");
  CHECK(table.code == 0);
  CHECK(contains(table.out, "0.67183"));
  CHECK(contains(table.out, "0.4318"));
}

TEST_CASE("tables come as text, Markdown and LaTeX") {
  CHECK(contains(torsor("convert puma560 --table text").out, "standard DH"));
  CHECK(contains(torsor("convert puma560 --table markdown").out, "| waist"));
  CHECK(contains(torsor("convert stanford --to modified-dh --table latex").out, "\\begin{tabular}"));
}

TEST_CASE("what cannot be converted is refused with the reason") {
  const auto tree = torsor("convert two_arm --to standard-dh");
  CHECK(tree.code == 2);
  CHECK(contains(tree.err, "[not-serial]"));
  const auto form = torsor("convert puma560 --to dh");
  CHECK(form.code == 2);
  CHECK(contains(form.err, "standard-dh"));
  CHECK(torsor("convert puma560 --to urdf --table text").code == 2);
  CHECK(torsor("convert puma560 --angle-tolerance -1").code == 2);
}

TEST_CASE("with --json the file is written, too, and standard output has one answer only") {
  const Outcome both = torsor("convert two_link -o two.toml --json");
  CHECK(both.code == 0);
  CHECK(both.out.starts_with("{"));
  CHECK(contains(read(path("two.toml")), "two-link arm"));
  CHECK(contains(torsor("convert two_link -o - --json").err, "--json: has no meaning while"));
}
