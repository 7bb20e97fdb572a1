#include "torsor/structure/structure_table.hpp"

#include <doctest/doctest.h>

#include "tests/structure/table_robots.hpp"
#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("sparsity, anthropomorphism and the empirical law of the PUMA 560") {
  const Description d = puma();
  const StructureTable table = structure_table(exact_structure(*exact_robot(d), Level::zeros), built(d));
  CHECK(table.joints == 6);
  CHECK(table.turning == 6);
  CHECK(total(table.independent) == 97);
  CHECK(total(table.nonzero) == 88);
  CHECK(std::abs(table.sparsity - 0.907) < 5e-4);  // as printed
  CHECK(table.anthropomorphism == 1);
  CHECK(std::abs(table.expected_sparsity - 0.941) < 5e-4);
}

TEST_CASE("the printed rows that exact arithmetic confirms, and those it does not") {
  // the first golden row of each robot has the mass distribution of the print
  const Json file = golden("structure_002");
  int seen = 0;
  for (const auto& [name, golden_name] : {std::pair("Cartesian", "Cartesian z-x-y"),
                                          {"cylindrical", "Cylindrical theta-z-r"},
                                          {"spherical", "Spherical theta-phi-r"},
                                          {"articulated", "Articulated, general"},
                                          {"Stanford", "Stanford"},
                                          {"PUMA", "PUMA"}})
    for (const Json& row : file.at("rows")) {
      if (row.at("name") != golden_name) continue;
      CAPTURE(row.at("name"));
      ++seen;
      const Description d = described(row);
      const ExactRobot robot = *exact_robot(d);
      const PrintedRow* printed = printed_row(axis_facts(robot, Level::zeros));
      REQUIRE(printed);
      CHECK(printed->name == name);
      const StructureTable table = structure_table(exact_structure(robot, Level::zeros), robot.model);
      CHECK(table.nonzero == printed->found);
      CHECK(table.constant[0] == printed->found_constant_self);
      const Json& paper = row.at("paper").at("row");
      CHECK(printed->printed == CoefficientCounts{paper[0], paper[1], paper[2], paper[3], paper[4]});
      CHECK(printed->note.empty() ==
            (printed->printed == printed->found && printed->printed_constant_self == printed->found_constant_self));
      // the law fits what was found to 4 per cent
      CHECK(std::abs(table.expected_sparsity - table.sparsity) < 0.07);
    }
  CHECK(seen == 6);
}

TEST_CASE("no coefficient of a random chain depends on more than Table 1 allows, and self-inertias on all of that") {
  Random random(661);
  for (int k = 0; k < draws(8); ++k) {
    const Description d = random_dh_arm(random, 2 + random.below(4), Convention::standard_dh, 0.3);
    const ExactRobot robot = *exact_robot(d);
    const ExactStructure s = exact_structure(robot, Level::generic);
    std::vector<char> slides;
    for (const Body<double>& b : robot.model.bodies) slides.push_back(b.kind == JointKind::prismatic);
    for (std::size_t e = 0; e < s.coefficients.size(); ++e) {
      CAPTURE(to_text(s.coefficients[e], s.n));
      const std::vector<char> possible = possible_dependence(s.coefficients[e], s.n, slides);
      for (int l = 0; l < s.n; ++l) {
        if (s.depends_on(e, l)) CHECK(possible[static_cast<std::size_t>(l)]);
        if (s.coefficients[e].kind == CoefficientKind::self_inertia)
          CHECK(s.depends_on(e, l) == (possible[static_cast<std::size_t>(l)] != 0));
      }
    }
  }
}
