#include "torsor/identification/group_text.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

std::vector<std::string> combinations(const Description& robot) {
  const Model<double> model = built(robot);
  return group_texts(robot, model, base_parameters(model, file_parameters(model))).combinations;
}

bool has_group(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

}  // namespace

TEST_CASE("the groups of a planar arm are those of every textbook") {
  const Description robot = *load_robot("two_link");
  CHECK(combinations(robot) == std::vector<std::string>{"mx1 + a1 m2", "my1", "Izz1 + a1^2 m2", "mx2", "my2", "Izz2"});
  const Model<double> model = built(robot);
  const GroupTexts texts = group_texts(robot, model, base_parameters(model, file_parameters(model)));
  REQUIRE(texts.letters.size() == 1);
  CHECK(texts.letters[0].name == "a1");
  CHECK(texts.letters[0].value == std::get<DhRow>(robot.links[0].geometry).a);
}

TEST_CASE("the groups of a PUMA 560 are written with the lengths of its table") {
  const auto texts = combinations(*load_robot("puma560"));
  CHECK(has_group(texts, "Izz2 + a2^2 (m3 + m4 + m5 + m6)"));
  CHECK(has_group(texts, "mx2 + a2 (m3 + m4 + m5 + m6)"));
  CHECK(has_group(texts, "Ixx3 - Iyy3 - a3^2 m4 + Iyy4 - (a3^2 - d4^2) (m5 + m6)"));
  CHECK(has_group(texts, "Ixx6 - Iyy6"));
  CHECK(has_group(texts, "Izz6"));
}

TEST_CASE("twists that are no quarter turns have their sines and cosines in the groups") {
  // Khalil's rule: mx2 takes a3 m3, my2 - sa3 (mz3 + d3 m3)
  Random random(141);
  Description robot = random_dh_arm(random, 3, Convention::modified_dh);
  for (LinkDescription& link : robot.links) std::get<DhRow>(link.geometry).theta = 0;
  const auto texts = combinations(robot);
  CHECK(has_group(texts, "mx2 + a3 m3"));
  CHECK(has_group(texts, "my2 - d3 sa3 m3 - sa3 mz3"));
  CHECK(has_group(texts, "Ixx3 - Iyy3"));
}

TEST_CASE("a robot without a table is written with the places of its joints, and odd angles as numbers") {
  Random random(142);
  Description robot = random_dh_arm(random, 3, Convention::modified_dh);
  robot.convention = Convention::placement;
  const double angle = 0.7;
  for (LinkDescription& link : robot.links)
    link.geometry = JointPlacement{{rotation_x(std::cos(angle), std::sin(angle)), {0.3, 0, 0}}, {0, 0, 1}};
  const auto texts = combinations(robot);
  CHECK(has_group(texts, "mx2 + x3 m3"));
  CHECK(has_group(texts, "my2 - 0.64422 mz3"));
}
