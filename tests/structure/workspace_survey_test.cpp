#include "torsor/structure/workspace_survey.hpp"

#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/structure/exact_structure.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Description surveyed_puma() { return description(golden("puma560").at("meta").at("model")); }

}  // namespace

TEST_CASE("zeros are rounding, and the rest is not, on the PUMA 560") {
  const WorkspaceSurvey survey = workspace_survey(built(surveyed_puma()));
  const ExactStructure exact = exact_structure(*exact_robot(surveyed_puma()), Level::numbers);
  REQUIRE(survey.coefficients == exact.coefficients);
  // moments are taken about the base, so the rounding is that of the whole arm, some kg m^2 and ten times as many N m
  const double rounding = 1e-15 * survey.values.front().size();
  for (std::size_t e = 0; e < exact.coefficients.size(); ++e) {
    CAPTURE(to_text(exact.coefficients[e], 6));
    const Spread& s = survey.values[e];
    const double lost = exact.coefficients[e].kind == CoefficientKind::gravity ? 10 * rounding : rounding;
    CHECK(survey.relative(e) < 1.7);
    CHECK((exact.nonzero[e] ? survey.relative(e) > 1e-7 : s.size() < lost));
    if (exact.constant(e)) CHECK(s.most - s.least < lost);
  }
}

TEST_CASE("a coefficient that is negligible is not zero") {
  // the tool is not quite round: nine coefficients come into being, none of any size
  Description d = surveyed_puma();
  d.links[5].parts[0].tensor.xx = 0.00015000000001;
  const ExactStructure exact = exact_structure(*exact_robot(d), Level::numbers);
  CHECK(total(exact.nonzero_counts()) == 88);
  const WorkspaceSurvey survey = workspace_survey(built(d));
  int negligible = 0;
  for (std::size_t e = 0; e < exact.coefficients.size(); ++e)
    negligible += exact.nonzero[e] && survey.relative(e) < 1e-9;
  CHECK(negligible == 9);
}

TEST_CASE("extremes are values at the positions told, inside the limits, and the mean lies between") {
  Random random(651);
  Description d = random_robot(random, {.links = 5, .one_dof = true}).description;
  for (LinkDescription& link : d.links) {
    link.limits.lower = -0.4;
    link.limits.upper = 0.7;
  }
  const Model<double> model = built(d);
  const WorkspaceSurvey survey = workspace_survey(model, {.positions = 200, .seed = 3});
  const std::size_t n = static_cast<std::size_t>(model.nv);
  CoefficientsWork<double> work(model);
  Numbers D(n * n), c(n * n * n), G(n);
  for (std::size_t e = 0; e < survey.coefficients.size(); ++e) {
    const Spread& s = survey.values[e];
    CHECK(s.least <= s.mean + 1e-14 * s.size());
    CHECK(s.mean <= s.most + 1e-14 * s.size());
    const Numbers& at = survey.positions[s.at_most];
    for (const double q : at) CHECK((-0.4 <= q && q <= 0.7));
    coefficients_composite_body<double>(model, configured(model, at), work, D, c, G);
    CHECK(value_of<double>(survey.coefficients[e], model.nv, D, c, G) == s.most);
  }
  const WorkspaceSurvey again = workspace_survey(model, {.positions = 200, .seed = 3});
  CHECK(again.values.front().mean == survey.values.front().mean);
}

TEST_CASE("a Cartesian robot is uncoupled and diagonally dominant everywhere") {
  Description d;
  d.name = "gantry";
  const Vec3<double> axes[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  for (int i = 0; i < 3; ++i) {
    LinkDescription link{
        .name = "axis" + std::to_string(i), .joint_name = "axis" + std::to_string(i), .kind = JointKind::prismatic};
    link.geometry = JointPlacement{{}, axes[i]};
    link.parts = {{2.0, {0.1, 0.2, 0.3}, {0.1, 0.1, 0.1}}};
    d.links.push_back(link);
  }
  const WorkspaceSurvey survey = workspace_survey(built(d), {.positions = 50});
  for (const Spread& s : survey.dominance) CHECK(s.most == 0);
  CHECK(survey.coupling[1].most == 0);
  CHECK(std::abs(survey.values.front().most - 6) < 1e-12);
  CHECK(survey.values.front().least == survey.values.front().most);
}

TEST_CASE("joints that share a coordinate are coupled with others, by the inertia matrix in coordinates") {
  Description d = *load_robot("articulated3");
  d.links[1].mimic = Mimic{d.links[0].joint_name.empty() ? d.links[0].name : d.links[0].joint_name, 2, 0, {}};
  const Result<Model<double>> model = build(d);
  REQUIRE(model);
  REQUIRE(model->nv == 2);
  const WorkspaceSurvey survey = workspace_survey(*model, {.positions = 50});
  REQUIRE(survey.coupling.size() == 4);
  CHECK(survey.coupling[1].most > 0.01);
  CHECK(survey.coupling[1].most < 1);
}
