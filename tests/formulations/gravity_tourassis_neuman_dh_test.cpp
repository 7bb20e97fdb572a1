#include "torsor/formulations/gravity_tourassis_neuman_dh.hpp"

#include <doctest/doctest.h>

#include "tests/support/formulation.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("(B-4) holds up an arm on a level base and refuses one that leans, over every scalar") {
  Random random(451);
  const auto& row = formulation(gravity_formulations<double>(), "level-base");
  const auto& recorded = formulation(gravity_formulations<Trace>(), "level-base");
  for (const char* joints : {"RRR", "RRP", "RPR", "PRR", "PPP"}) {
    CAPTURE(joints);
    Description arm = general_arm(3, Convention::standard_dh, joints);
    const auto leaning = *robot_forms(arm);
    CHECK(refusal(row, leaning).find("level base") != std::string::npos);
    CHECK(!refusal(recorded, cast<Trace>(leaning, [](double x) { return Trace(x); })).empty());

    arm.gravity = {0, 0, -9.81};
    auto level = *robot_forms(arm);
    CHECK(refusal(row, level) == "");
    CHECK(refusal(recorded, cast<Trace>(level, [](double x) { return Trace(x); })) == "");
    const Numbers q = random_state(random, level.model).q;
    CHECK(relative(gravity_by("level-base", level, q), gravity(level.model, q)) < 1e-14);
  }
}

TEST_CASE("(B-3) and (B-4) take operations that grow with n; a level base saves more than half") {
  for (int n = 3; n <= 12; ++n) {
    CAPTURE(n);
    const OperationCount any = operations(gravity_formulations<Trace>(), "tourassis-neuman-dh", n);
    CHECK(any.multiplications == 46 * n - 73);
    CHECK(any.additions == 29 * n - 46);

    RobotForms<double> level = general_forms(n);
    level.standard->g = {0, 0, -9.81};
    level.standard->level = true;
    const OperationCount on_level =
        count(record(formulation(gravity_formulations<Trace>(), "level-base"), level), Rule::structured);
    CHECK(on_level.multiplications == 19 * n - 30);
    CHECK(on_level.additions == 14 * n - 20);
  }
}
