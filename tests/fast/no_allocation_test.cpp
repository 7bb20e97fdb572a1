// Fast calls allocate nothing: every operator new of this program is counted.
#include <doctest/doctest.h>

#include "tests/support/count_allocations.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/fast/fast_dynamics.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("no call allocates") {
  Random random(7);
  for (const char* name : {"puma560", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    FastDynamics fast(model);
    const State state = random_state(random, model);
    const auto n = static_cast<std::size_t>(model.nv);
    Numbers tau(n), M(n * n), J(6 * n);
    const long before = allocations;
    fast.inverse(state.q, state.qd, state.qdd, tau);
    fast.coriolis(state.q, state.qd, tau);
    fast.mass(state.q, M);
    fast.forward(state.q, state.qd, tau, tau);
    fast.tool_pose_and_jacobian(state.q, J);
    CHECK(allocations == before);
  }
}

TEST_CASE("no call of derivatives allocates") {
  Random random(966);
  const Model<double> model = built(*load_robot("two_arm"));
  FastDynamics fast(model);
  const State s = random_state(random, model);
  const auto n = static_cast<std::size_t>(model.nv);
  Numbers torques(n), a(n * n), b(a), c(a);
  const Numbers tau = random.numbers(model.nv, 5);
  const long before = allocations;
  fast.inverse(s.q, s.qd, s.qdd, torques, {a, b, c});
  fast.forward(s.q, s.qd, tau, torques, {a, b, c});
  CHECK(allocations == before);
}
