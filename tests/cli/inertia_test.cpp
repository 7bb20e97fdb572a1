#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command.hpp"
#include "tests/support/places.hpp"

using namespace cli_test;

namespace {

const std::string tub = places::in_project("tests/meshes/tub_description/urdf/tub.urdf");

nlohmann::json link_of(const nlohmann::json& answer, const std::string& name) {
  for (const auto& link : answer["links"])
    if (link["link"] == name) return link;
  FAIL("no link " << name);
  return {};
}

}  // namespace

TEST_CASE("masses from shapes are printed, written and read back") {
  const std::string out = path("filled.urdf");
  const auto done = torsor("inertia " + tub + " --total-mass 18 --mass angle=2.5 -o " + out + " --json");
  REQUIRE(done.code == 0);
  const auto answer = json_of(done);
  CHECK(answer["total_mass"].get<double>() == doctest::Approx(18));
  CHECK(link_of(answer, "angle")["mass"].get<double>() == 2.5);
  CHECK(link_of(answer, "angle")["state"] == "filled");
  CHECK(link_of(answer, "tool0")["state"] == "no shape");
  CHECK(link_of(answer, "tool0")["mass"].is_null());
  CHECK(link_of(answer, "open")["watertight"] == false);
  CHECK(link_of(answer, "open")["mass_least"].get<double>() == 0);
  CHECK(link_of(answer, "open")["moments_least"][2].get<double>() == 0);
  CHECK(link_of(answer, "open")["moments_most"][0].get<double>() >=
        link_of(answer, "open")["moments"][0].get<double>());
  CHECK(link_of(answer, "tool0")["moments_most"].is_null());
  CHECK(contains(done.err, "tool0"));
  const auto show = torsor("inertia " + out + " --json");
  REQUIRE(show.code == 0);
  CHECK(json_of(show)["total_mass"].get<double>() == doctest::Approx(18).epsilon(1e-13));
  CHECK(link_of(json_of(show), "angle")["state"] == "kept");
  CHECK(torsor("id " + out + " --q zero --json").code == 0);
  const auto table = torsor("inertia " + tub + " --density 1000");
  CHECK(contains(table.out, "bounds of the moments"));
  CHECK(contains(table.out, "1 least (kg m^2)"));
  for (const char* name : {"filled.toml", "filled.mjcf"})
    CHECK(torsor("inertia " + tub + " --density 1000 -o " + path(name)).code == 0);
}

TEST_CASE("links that cannot be filled are named, and nothing is written without --partial") {
  const std::string out = path("partial.urdf");
  const auto done = torsor("inertia " + tub + " --density 1000 --shapes visual -o " + out);
  CHECK(done.code == 2);
  CHECK(tells(done.err, "mesh-missing", {"post"}));
  CHECK(tells(done.err, "inertia-partial"));
  CHECK(torsor("show " + out).code == 2);
  CHECK(torsor("inertia " + tub + " --density 1000 --shapes visual --partial -o " + out).code == 0);
  CHECK(torsor("show " + out).code == 0);
}

TEST_CASE("options that make no sense are refused") {
  for (const char* options : {"--density 0", "--density 1000 --total-mass 3", "--mass angle",
                              "--mass angle=1 --mass angle=2", "--shapes all", "--open sheet", "--thickness 0.1",
                              "-o x.urdf", "--density 1 --partial", "--mass known=1", "--density 1000 -o x.step"}) {
    CAPTURE(options);
    CHECK(torsor("inertia " + tub + " " + options).code == 2);
  }
}

TEST_CASE("a robot without masses is one for kinematics, until inertia gives it some") {
  const std::string filled = path("bare_filled.urdf");
  const std::string bare =
      write("bare.urdf",
            "<robot name='bare'><link name='a'/><link name='b'><collision><origin xyz='0.5 0 0'/><geometry><box "
            "size='1 0.1 0.1'/></geometry></collision></link>"
            "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/></joint></robot>");
  CHECK(torsor("fk " + bare + " --q 0").code == 0);
  CHECK(torsor("check " + bare).code == 0);
  for (const char* verb : {"id", "fd", "terms"}) {
    const auto refused = torsor(std::string(verb) + " " + bare + " --q 0");
    CHECK(refused.code == 2);
    CHECK(tells(refused.err, "robot-massless"));
    CHECK(contains(refused.err, "torsor inertia"));
  }
  CHECK(tells(torsor("control " + bare).err, "robot-massless"));
  REQUIRE(torsor("inertia " + bare + " --density 1000 -o " + filled).code == 0);
  const auto id = torsor("id " + filled + " --q 0 --json");
  REQUIRE(id.code == 0);
  CHECK(json_of(id)["tau"][0].get<double>() == doctest::Approx(-10 * 9.81 * 0.5).epsilon(1e-12));
}
