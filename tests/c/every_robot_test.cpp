// The C interface beside the C++ one, on every built-in robot: the same numbers to the last bit, and, every operator
// new of this program being counted, no allocation after loading.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <thread>

#include "c/torsor.h"
#include "tests/support/count_allocations.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/kinematics/jacobian.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("on every built-in robot the C interface gives the numbers of the C++ one") {
  Random random(500);
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    const std::string name(embedded.name);
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    torsor_robot* robot = nullptr;
    REQUIRE(torsor_load(name.c_str(), &robot) == TORSOR_OK);
    REQUIRE(torsor_nq(robot) == model.nq);
    REQUIRE(torsor_nv(robot) == model.nv);
    const std::size_t nv = static_cast<std::size_t>(model.nv);
    const auto [q, qd, qdd] = random_state(random, model);
    Numbers expected(nv), tau(nv), given(nv), M(nv * nv), expected_M(nv * nv);
    Dynamics dynamics(model);

    dynamics.inverse(q, qd, qdd, tau);
    CHECK(torsor_inverse(robot, q.data(), qd.data(), qdd.data(), given.data()) == TORSOR_OK);
    CHECK(given == tau);
    dynamics.bias(q, qd, expected);
    CHECK(torsor_bias(robot, q.data(), qd.data(), given.data()) == TORSOR_OK);
    CHECK(given == expected);
    dynamics.gravity(q, expected);
    CHECK(torsor_gravity(robot, q.data(), given.data()) == TORSOR_OK);
    CHECK(given == expected);
    dynamics.mass(q, expected_M);
    CHECK(torsor_mass(robot, q.data(), M.data()) == TORSOR_OK);
    CHECK(M == expected_M);
    const bool determined = dynamics.forward(q, qd, tau, expected).kind != Status::massless;
    CHECK(torsor_forward(robot, q.data(), qd.data(), tau.data(), given.data()) ==
          (determined ? TORSOR_OK : TORSOR_SINGULAR));
    if (determined) CHECK(given == expected);

    // links first, then tools
    Configuration<double> configuration(model);
    std::vector<Transform<double>> X(model.bodies.size());
    configuration.set(model, q);
    forward_kinematics<double>(model, configuration, X);
    Numbers J(6 * nv), expected_J(6 * nv), p(3), R(9);
    REQUIRE(torsor_frame_count(robot) == model.size() + static_cast<int>(model.frames.size()));
    for (int frame = 0; frame < torsor_frame_count(robot); ++frame) {
      const bool link = frame < model.size();
      const Frame<double> of =
          link ? Frame<double>{model.link_names[frame], frame, model[frame].link} : model.frames[frame - model.size()];
      CAPTURE(of.name);
      CHECK(torsor_frame_name(robot, frame) == of.name);
      Transform<double> pose;
      REQUIRE(dynamics.frame(q, of, pose, expected_J));
      CHECK(torsor_kinematics(robot, q.data(), frame, p.data(), R.data()) == TORSOR_OK);
      CHECK(p == flat(pose.p));
      CHECK(R == flat(pose.R));
      CHECK(torsor_jacobian(robot, q.data(), frame, J.data()) == TORSOR_OK);
      CHECK(J == expected_J);
      // and what trees give, another way
      CHECK(difference(p, flat(frame_pose<double>(of, X).p)) < 1e-14);
      jacobian<double>(model, X, of.body, pose.p, expected_J);
      CHECK(difference(J, expected_J) < 1e-14);
    }
    torsor_free(robot);
  }
}

TEST_CASE("nothing allocates after loading, from the first call on") {
  Random random(501);
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    const std::string name(embedded.name);
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const auto [q, qd, qdd] = random_state(random, model);
    const std::size_t nv = qd.size();
    Numbers out(std::max(nv * nv, 6 * nv)), nan(nv, NAN), position(3), rotation(9), neutral(q.size());
    const double three[] = {0.1, -0.2, 0.3}, tensor[] = {1, 2, 2, 0.1, 0.2, 0.3};
    torsor_robot* robot = nullptr;
    REQUIRE(torsor_load(name.c_str(), &robot) == TORSOR_OK);
    const int tool = torsor_frame_count(robot) - 1;

    const long before = allocations;
    int refused = 0;
    const auto run = [&refused](torsor_status status) { refused += status == TORSOR_OK ? 0 : 1; };
    run(torsor_set_gravity(robot, three));
    run(torsor_set_payload(robot, tool, 1.5, three, tensor));
    run(torsor_set_wrench(robot, tool, three, three));
    run(torsor_inverse(robot, q.data(), qd.data(), qdd.data(), out.data()));
    run(torsor_gravity(robot, q.data(), out.data()));
    run(torsor_bias(robot, q.data(), qd.data(), out.data()));
    run(torsor_mass(robot, q.data(), out.data()));
    run(torsor_forward(robot, q.data(), qd.data(), qdd.data(), out.data()));
    run(torsor_kinematics(robot, q.data(), tool, position.data(), rotation.data()));
    run(torsor_jacobian(robot, q.data(), tool, out.data()));
    run(torsor_limits(robot, out.data(), out.data(), out.data(), out.data()));
    run(torsor_neutral_position(robot, neutral.data()));
    const int none = torsor_frame_index(robot, "a name too long to be kept in the string itself");
    const int refused_before = refused;
    run(torsor_inverse(robot, q.data(), nan.data(), qdd.data(), out.data()));
    const long after = allocations;

    CHECK(after == before);
    CHECK(none == -1);
    CHECK(refused_before == 0);
    CHECK(refused == 1);
    torsor_free(robot);
  }
  // the counter counts
  const long before = allocations;
  torsor_robot* robot = nullptr;
  REQUIRE(torsor_load("two_link", &robot) == TORSOR_OK);
  CHECK(allocations > before);
  torsor_free(robot);
}

TEST_CASE("each thread has its own error message") {
  torsor_robot* robot = nullptr;
  CHECK(torsor_load("no_such_robot", &robot) == TORSOR_BAD_INPUT);
  std::string seen = "not run";
  std::thread([&seen] { seen = torsor_error_message(); }).join();
  CHECK(seen.empty());
  CHECK(std::string(torsor_error_message()).find("no_such_robot") != std::string::npos);
}

TEST_CASE("handles of one robot work in threads of their own") {
  torsor_robot* first = nullptr;
  REQUIRE(torsor_load("puma560", &first) == TORSOR_OK);
  const double q[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  constexpr int count = 4;
  double tau[count][6], alone[count][6];
  std::vector<torsor_robot*> robots(count);
  for (int k = 0; k < count; ++k) {
    REQUIRE(torsor_clone(first, &robots[k]) == TORSOR_OK);
    REQUIRE(torsor_set_payload(robots[k], 6, k, nullptr, nullptr) == TORSOR_OK);
    REQUIRE(torsor_gravity(robots[k], q, alone[k]) == TORSOR_OK);
  }
  std::vector<std::thread> threads;
  for (int k = 0; k < count; ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 2000; ++i) torsor_gravity(robots[k], q, tau[k]);
    });
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < 6; ++i) CHECK(tau[k][i] == alone[k][i]);
    if (k > 0) CHECK(tau[k][1] != tau[k - 1][1]);
    torsor_free(robots[k]);
  }
  torsor_free(first);
}
