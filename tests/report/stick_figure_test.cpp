// Figures of robots: well-formed, complete, finite, whatever the robot.
#include "tests/support/places.hpp"
#include "torsor/report/stick_figure.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "tests/files/file_text.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/configuration.hpp"

using namespace torsor;
using namespace markup;
using namespace torsor::testing;

namespace {

std::string figure(const Model<double>& model, std::span<const double> q) {
  std::ostringstream out;
  write_stick_figure(model, q, out);
  return out.str();
}

/// What must hold of every figure; `joints` is how many symbols there are to be.
void check_figure(const std::string& svg, int joints) {
  CHECK(markup_fault(svg) == "");
  CHECK(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg'"));
  CHECK(count_of(svg, "<g class='joint ") == joints);
  for (const char* bad : {"nan", "inf", "-0.0 "}) {
    CAPTURE(bad);
    for (const std::string& path : attribute_values(svg, "d")) CHECK(count_of(path, bad) == 0);
  }
  // nothing from outside
  CHECK(count_of(svg, "href") == 0);
  CHECK(count_of(svg, "url(") == 0);
  // all strokes and symbols on the page
  for (const std::string& path : attribute_values(svg, "d"))
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (path[i] != 'M' && path[i] != 'L') continue;
      const double x = std::stod(path.substr(i + 1));
      CHECK((x > -1 && x < 481));
    }
}

template <class Visit>
void for_each_robot(const Visit& visit) {
  for (const auto& entry : std::filesystem::directory_iterator(places::in_project("robots"))) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    visit(name, entry.path());
  }
}

}  // namespace

TEST_CASE("every robot of the library is drawn with all its joints, at zero and elsewhere") {
  for_each_robot([](const std::string&, const std::filesystem::path& path) {
    const Result<Description> description = load_robot(path.string());
    REQUIRE(description);
    const Model<double> model = built(*description);
    check_figure(figure(model, neutral_position(model)), model.size());
    Random random(1);
    check_figure(figure(model, random_state(random, model).q), model.size());
  });
}

TEST_CASE("every robot of the library has its picture and its row in the documentation") {
  const std::string page = contents(places::in_project("docs/robots.md"));
  for_each_robot([&](const std::string& name, const std::filesystem::path&) {
    CHECK(count_of(page, "robots/" + name + ".svg") == 1);
    CHECK(count_of(page, "../robots/" + name + ".toml") == 1);
    const std::string svg = contents(places::in_project("docs/robots/") + name + ".svg");
    CHECK(markup_fault(svg) == "");
    CHECK(count_of(svg, "<g class='joint ") > 0);
  });
}

TEST_CASE("random trees with every kind of joint are drawn") {
  Random random(2);
  for (int k = 0; k < draws(20); ++k) {
    RobotOptions options;
    options.links = 1 + random.below(12);
    options.floating = random.chance(0.3);
    options.mimics = true;
    const Model<double> model = built(random_robot(random, options).description);
    check_figure(figure(model, random_state(random, model).q), model.size());
  }
}

TEST_CASE("a robot whose joints all sit at the origin is drawn, finite and with every joint") {
  Description d;
  d.name = "knot";
  for (int i = 0; i < 5; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i);
    link.joint_name = "joint" + std::to_string(i);
    link.kind = i == 3 ? JointKind::prismatic : JointKind::revolute;
    link.geometry = JointPlacement{{}, i % 2 == 0 ? Vec3<double>{0, 0, 1} : Vec3<double>{1, 0, 0}};
    link.parts = {Part{.mass = 1, .tensor = {1, 1, 1, 0, 0, 0}}};
    d.links.push_back(link);
  }
  const Model<double> model = built(d);
  const std::string svg = figure(model, neutral_position(model));
  check_figure(svg, 5);
  CHECK(count_of(svg, "<g class='joint prismatic'>") == 1);
}

TEST_CASE("a robot without gravity, one that hangs, one that is far away and one that is tiny are drawn") {
  const Result<Description> puma = load_robot("puma560");
  REQUIRE(puma);
  const std::vector<double> q{0.3, 0.4, -2, 0.1, 0.5, 0};
  const auto drawn = [&](const auto& change) {
    Description d = *puma;
    change(d);
    const Model<double> model = built(d);
    const std::string svg = figure(model, q);
    check_figure(svg, 6);
    return svg;
  };
  const std::string usual = drawn([](Description&) {});
  CHECK(drawn([](Description& d) { d.gravity = {}; }) == usual);
  drawn([](Description& d) { d.base.p = {1000, -2000, 500}; });
  drawn([](Description& d) {
    for (LinkDescription& link : d.links)
      std::get<DhRow>(link.geometry).a *= 1e-6, std::get<DhRow>(link.geometry).d *= 1e-6;
  });
  // head down: the hatch of the base lies above it
  const std::string hanging = drawn([](Description& d) { d.gravity = {0, 0, 9.81}; });
  CHECK(hanging.find("l-8.0 -8.0") != std::string::npos);
  CHECK(usual.find("l-8.0 8.0") != std::string::npos);
}

TEST_CASE("a body that floats has no base, a rotor that is a body has no symbol") {
  const Result<Description> solo = load_robot("floating"), drives = load_robot("puma560_drives");
  REQUIRE(solo);
  REQUIRE(drives);
  const Model<double> walker = built(*solo);
  CHECK(count_of(figure(walker, neutral_position(walker)), "l-8.0") == 0);

  Description with_rotors = *drives;
  for (LinkDescription& link : with_rotors.links) link.rotor->as_body = true;
  const Model<double> model = built(with_rotors);
  REQUIRE(model.size() == 12);
  check_figure(figure(model, neutral_position(model)), 6);
}

TEST_CASE("names are escaped in a figure") {
  Description d;
  d.name = "<arm> & 'co'";
  LinkDescription link;
  link.name = "a";
  link.joint_name = "<j>";
  link.geometry = JointPlacement{};
  link.parts = {Part{.mass = 1, .tensor = {1, 1, 1, 0, 0, 0}}};
  d.links = {link};
  const Model<double> model = built(d);
  const std::string svg = figure(model, neutral_position(model));
  check_figure(svg, 1);
  CHECK(count_of(svg, "<title>&lt;j&gt;</title>") == 1);
}
