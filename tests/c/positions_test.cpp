// Positions as a space through the C interface: the numbers of the library, on every built-in robot, and no allocation.
#include <doctest/doctest.h>

#include <random>

#include "c/torsor.h"
#include "tests/support/count_allocations.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/joint_tangent.hpp"
#include "torsor/model/position_space.hpp"
#include "torsor/model/random_position.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("positions move through the C interface as they do in the library, and nothing is allocated") {
  Random random(511);
  int wide = 0;
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    const std::string name(embedded.name);
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    torsor_robot* robot = nullptr;
    REQUIRE(torsor_load(name.c_str(), &robot) == TORSOR_OK);
    const auto nq = static_cast<std::size_t>(model.nq), nv = static_cast<std::size_t>(model.nv), square = nv * nv;
    wide += nq != nv;
    const Numbers q = random_state(random, model).q, to = random_state(random, model).q,
                  d = random.numbers(model.nv, 1);
    Numbers change = random.numbers(model.nq, 1);
    Numbers found(nq), expected(nq), way(nv), expected_way(nv), one(square), two(square), A(square), B(square);

    const long before = allocations;
    CHECK(torsor_integrate(robot, q.data(), d.data(), found.data()) == TORSOR_OK);
    CHECK(torsor_difference(robot, q.data(), to.data(), way.data()) == TORSOR_OK);
    CHECK(torsor_integrate_tangents(robot, q.data(), d.data(), one.data(), two.data()) == TORSOR_OK);
    CHECK(allocations == before);
    integrate_position<double>(model, q, d, expected);
    CHECK(found == expected);
    position_difference<double>(model, q, to, expected_way);
    CHECK(way == expected_way);
    integrate_tangents<double>(model, d, A, B);
    CHECK(one == A);
    CHECK(two == B);
    difference_tangents<double>(model, q, to, A, B);
    CHECK(torsor_difference_tangents(robot, q.data(), to.data(), one.data(), nullptr) == TORSOR_OK);
    CHECK(torsor_difference_tangents(robot, q.data(), to.data(), nullptr, two.data()) == TORSOR_OK);
    CHECK(one == A);
    CHECK(two == B);
    interpolate_position<double>(model, q, to, 0.3, expected);
    CHECK(torsor_interpolate(robot, q.data(), to.data(), 0.3, found.data()) == TORSOR_OK);
    CHECK(found == expected);
    position_tangent<double>(model, q, change, expected_way);
    CHECK(torsor_position_tangent(robot, q.data(), change.data(), way.data()) == TORSOR_OK);
    CHECK(way == expected_way);
    position_gradient<double>(model, q, d, expected);
    CHECK(torsor_position_gradient(robot, q.data(), d.data(), found.data()) == TORSOR_OK);
    CHECK(found == expected);
    std::mt19937_64 engine(7);
    CHECK(torsor_random_position(robot, 7, found.data()) == TORSOR_OK);
    CHECK(found == random_position(model, engine));
    // an answer may take the place of the question
    Numbers same = q;
    integrate_position<double>(model, q, d, expected);
    CHECK(torsor_integrate(robot, same.data(), d.data(), same.data()) == TORSOR_OK);
    CHECK(same == expected);
    torsor_free(robot);
  }
  CHECK(wide > 0);
}

TEST_CASE("positions that mean nothing are refused, and nothing is written") {
  torsor_robot* robot = nullptr;
  REQUIRE(torsor_load("floating", &robot) == TORSOR_OK);
  const auto nq = static_cast<std::size_t>(torsor_nq(robot)), nv = static_cast<std::size_t>(torsor_nv(robot));
  Numbers q(nq), bad(nq), d(nv), out(nq, -7.0);
  REQUIRE(torsor_neutral_position(robot, q.data()) == TORSOR_OK);
  d[1] = NAN;
  CHECK(torsor_integrate(robot, q.data(), d.data(), out.data()) == TORSOR_NOT_FINITE);
  CHECK(torsor_integrate(robot, q.data(), nullptr, out.data()) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_integrate(nullptr, q.data(), d.data(), out.data()) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_integrate(robot, nullptr, q.data(), out.data()) == TORSOR_BAD_ARGUMENT);
  // a quaternion of length zero at either end
  CHECK(torsor_difference(robot, q.data(), bad.data(), out.data()) == TORSOR_NOT_FINITE);
  CHECK(torsor_difference(robot, bad.data(), q.data(), out.data()) == TORSOR_NOT_FINITE);
  CHECK(torsor_interpolate(robot, q.data(), q.data(), NAN, out.data()) == TORSOR_NOT_FINITE);
  CHECK(torsor_difference_tangents(nullptr, q.data(), q.data(), out.data(), nullptr) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_random_position(robot, 1, nullptr) == TORSOR_BAD_ARGUMENT);
  CHECK(out == Numbers(nq, -7.0));
  torsor_free(robot);
}
