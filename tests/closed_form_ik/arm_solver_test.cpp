// One face for all arms with a closed form.
#include "torsor/closed_form_ik/arm_solver.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/moving_tool.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a solver answers as the arm behind it does") {
  for (const auto& [name, family] : {std::pair{"puma560", "elbow"}, {"stanford", "polar"}}) {
    const auto robot = load_robot(name);
    REQUIRE(robot);
    const auto solver = arm_solver(*robot);
    REQUIRE(solver);
    CHECK(solver->family() == family);
    CHECK(solver->snaps().empty());
    Witness w = witness(*robot);
    Random random(1);
    for (int i = 0; i < 100; ++i) {
      const Joints q = random_joints(random, w.arm);
      CHECK(apart(solver->tool_pose(q), w.tool(q)) < 1e-14);
      const IkAnswer answer = solver->position(w.tool(q)), direct = solve_position(w.arm, w.tool(q));
      REQUIRE(answer.count == direct.count);
      for (std::size_t k = 0; k < static_cast<std::size_t>(answer.count); ++k)
        CHECK(answer.branch[k].q == direct.branch[k].q);
    }
  }
}

TEST_CASE("an arm with three parallel axes is solved behind the same face") {
  const auto robot = load_robot("ur5");
  REQUIRE(robot);
  const auto solver = arm_solver(*robot);
  REQUIRE(solver);
  CHECK(solver->family() == "parallel");
  const Joints q{0.1, -0.2, 0.3, 0.4, 0.5, 0.6};
  const IkAnswer answer = solver->position(solver->tool_pose(q));
  CHECK(std::ranges::any_of(answer.branches(), [&](const IkBranch& b) { return difference(b.q, q) < 1e-12; }));
}

TEST_CASE("a robot without a closed form is told why") {
  const auto robot = load_robot("iiwa14");
  REQUIRE(robot);
  const auto solver = arm_solver(*robot);
  REQUIRE(!solver);
  CHECK(to_string(solver.faults().front()).find("it has 7 joints") != std::string::npos);
  // neither form: both reasons
  auto bent = load_robot("ur5");
  REQUIRE(bent);
  std::get<DhRow>(bent->links[4].geometry).a = 0.01;
  const auto neither = arm_solver(*bent);
  REQUIRE(!neither);
  const std::string why = to_string(neither.faults().front());
  CHECK(why.find("of the first three axes two are parallel") != std::string::npos);
  CHECK(why.find("axes 5 and 6 pass at 0.01 m") != std::string::npos);
}

TEST_CASE("joint rates are asked for behind the same face, with a wrist and without") {
  for (const char* name : {"puma560", "stanford", "ur5"}) {
    CAPTURE(name);
    const auto robot = load_robot(name);
    REQUIRE(robot);
    const auto solver = arm_solver(*robot);
    REQUIRE(solver);
    const Model<double> model = built(*robot);
    MovingTool tool(model);
    Random random(3);
    int near = 0;
    for (int i = 0; i < draws(100); ++i)
      for (const IkAnswer answer = solver->position(solver->tool_pose(random_rates(random, 2)));
           const IkBranch& b : answer.branches()) {
        const Joints qd = random_rates(random, 1), qdd = random_rates(random, 1);
        const JointRates rates = solver->rates(b, tool.at(b.q, qd, qdd));
        const double condition = tool.condition(b.q);
        CHECK(difference(rates.qd, qd) < 1e-12 * condition);
        CHECK(difference(rates.qdd, qdd) < 1e-9 * condition);
        CHECK(solver->lost_motions(b).count == 0);
        near += b.status == IkStatus::near_singular;
      }
    CHECK(near > 0);
  }
}

TEST_CASE("without a wrist, too, a singular branch says what is lost") {
  const auto robot = load_robot("ur5");
  REQUIRE(robot);
  const auto solver = arm_solver(*robot);
  REQUIRE(solver);
  int met = 0;
  for (const IkAnswer answer = solver->position(solver->tool_pose({0.1, -0.6, 0.4, 0.3, 0, 0.2}));
       const IkBranch& b : answer.branches()) {
    if (b.status != IkStatus::singular) continue;
    ++met;
    CHECK(solver->lost_motions(b).count == 1);
    CHECK(solver->rates(b, {{{1, 2, 3}, {4, 5, 6}}, {}, {}}).status == RateStatus::singular);
    const std::string text = solver->describe(b);
    CAPTURE(text);
    CHECK(text.find("singular at the wrist: lost is turning the tool about (") == 0);
    CHECK(text.find("5 of 6 directions remain; idle, the tool at rest: joints 2, 4 and 6 as ") != std::string::npos);
  }
  CHECK(met > 0);
}
