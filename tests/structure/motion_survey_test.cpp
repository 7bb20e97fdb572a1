#include "torsor/structure/motion_survey.hpp"

#include <doctest/doctest.h>

#include "torsor/files/load_robot.hpp"

using namespace torsor;

namespace {

struct Arm {
  ExactRobot robot;
  ExactStructure structure;
};

/// The planar arm of two links: d12 = m2 l^2 (1/3 + C2/2), c22(1) = -m2 l^2 S2 / 2 = -c11(2), G2 = m2 g l C12 / 2.
Arm two_link() {
  const auto description = load_robot("two_link");
  REQUIRE(description);
  auto robot = exact_robot(*description);
  REQUIRE(robot);
  ExactStructure structure = exact_structure(*robot, Level::numbers);
  return {*std::move(robot), std::move(structure)};
}

Course course(const std::vector<double>& times, const std::function<double(double)>& q2,
              const std::function<double(double)>& qd2) {
  std::vector<MotionRow> rows;
  for (const double t : times) rows.push_back({t, {0, q2(t)}, {0, qd2(t)}, {0, 0}});
  return course_through(std::move(rows));
}

std::vector<ZeroPassage> zeros(const Arm& arm, const MotionSurvey& survey, const std::string& name) {
  std::vector<ZeroPassage> out;
  for (const ZeroPassage& zero : survey.zeros)
    if (to_text(arm.structure.coefficients[zero.coefficient], 2) == name) out.push_back(zero);
  return out;
}

}  // namespace

TEST_CASE("coefficients of the two-link arm pass zero where their closed forms do") {
  const Arm arm = two_link();
  // q2 = t - 1: uneven instants, none of them at a zero
  const Course straight = course(
      {0, 0.3, 0.9, 1.7, 2.2, 2.9, 3.6, 4}, [](double t) { return t - 1; }, [](double) { return 1.0; });
  const MotionSurvey survey = motion_survey(arm.robot.model, arm.structure, straight);
  CHECK(survey.idle.empty());
  const auto once = [&](const char* name, double t) {
    CAPTURE(name);
    const auto found = zeros(arm, survey, name);
    REQUIRE(found.size() == 1);
    CHECK(found[0].from == doctest::Approx(t).epsilon(1e-12));
    CHECK(found[0].to == found[0].from);
    CHECK(found[0].changes_sign);
  };
  once("c22(1)", 1);
  once("c11(2)", 1);
  once("G2", 1 + std::acos(0.0));
  once("d12", 1 + std::acos(-2.0 / 3));
  for (const char* never : {"d11", "d22", "G1"}) CHECK(zeros(arm, survey, never).empty());

  // and are as large as these say
  const std::size_t d12 = 2;
  REQUIRE(to_text(arm.structure.coefficients[d12], 2) == "d12");
  const double ml2 = 2.3 * 0.85 * 0.85;
  CHECK(survey.values[d12].least == doctest::Approx(ml2 * (1.0 / 3 + std::cos(3.0) / 2)));
  CHECK(survey.values[d12].most == doctest::Approx(ml2 * (1.0 / 3 + std::cos(-0.1) / 2)));
  // k12 = |d12| / sqrt(d11 d22) at its largest, the arm stretched: d11 = l^2 (m1/3 + 4 m2/3 + m2 C2), d22 = m2 l^2 / 3
  const double C2 = std::cos(-0.1), l2 = 0.85 * 0.85, d11 = l2 * (3.7 / 3 + 4 * 2.3 / 3 + 2.3 * C2);
  CHECK(survey.coupling[1].most == doctest::Approx(ml2 * (1.0 / 3 + C2 / 2) / std::sqrt(d11 * ml2 / 3)));
  CHECK(survey.dominance[1].most == doctest::Approx(1 + 1.5 * C2));
  CHECK(survey.values[d12].at_least == 7);
  CHECK(survey.values[d12].at_most == 2);
}

TEST_CASE("a rest at zero is a while, a start there too, and a touch keeps the sign") {
  const Arm arm = two_link();
  // q2: from -1 to 0 at t = 1, at rest until t = 3, on to 1 at t = 4
  const auto q2 = [](double t) { return t < 1 ? -(1 - t) * (1 - t) : t > 3 ? (t - 3) * (t - 3) : 0; };
  const auto qd2 = [](double t) { return t < 1 ? 2 * (1 - t) : t > 3 ? 2 * (t - 3) : 0; };
  const MotionSurvey rest =
      motion_survey(arm.robot.model, arm.structure, course({0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4}, q2, qd2));
  const auto while_zero = zeros(arm, rest, "c22(1)");
  REQUIRE(while_zero.size() == 1);
  CHECK(while_zero[0].from == doctest::Approx(1).epsilon(1e-5));  // within 1e-12 of its size, and squares
  CHECK(while_zero[0].to == doctest::Approx(3).epsilon(1e-5));
  CHECK(while_zero[0].changes_sign);

  // there and back: the zero at t = 1 is an instant, the sign stays
  const MotionSurvey touch = motion_survey(
      arm.robot.model, arm.structure,
      course(
          {0, 0.5, 1, 1.5, 2}, [](double t) { return (1 - t) * (1 - t); }, [](double t) { return 2 * (t - 1); }));
  const auto touched = zeros(arm, touch, "c22(1)");
  REQUIRE(touched.size() == 1);
  CHECK(touched[0].from == 1);
  CHECK_FALSE(touched[0].changes_sign);

  // at rest in a zero all along
  const MotionSurvey idle = motion_survey(arm.robot.model, arm.structure,
                                          course(
                                              {0, 1}, [](double) { return 0.0; }, [](double) { return 0.0; }));
  std::vector<std::string> names;
  for (const std::size_t e : idle.idle) names.push_back(to_text(arm.structure.coefficients[e], 2));
  CHECK(names == std::vector<std::string>{"c11(2)", "c22(1)"});
}
