#include "torsor/model/position_space.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/joint_tangent.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Numbers integrated(const Model<double>& m, View q, View d) {
  Numbers out(q.size());
  integrate_position<double>(m, q, d, out);
  return out;
}
Numbers difference_of(const Model<double>& m, View from, View to) {
  Numbers out(static_cast<std::size_t>(m.nv));
  position_difference<double>(m, from, to, out);
  return out;
}

/// How far apart all bodies are at two positions.
double poses_apart(const Model<double>& m, View a, View b) {
  const auto poses = [&](View q) {
    Configuration<double> configuration(m);
    configuration.set(m, q);
    std::vector<Transform<double>> X(m.bodies.size());
    forward_kinematics<double>(m, configuration, X);
    return X;
  };
  const auto one = poses(a), two = poses(b);
  double most = 0;
  for (std::size_t i = 0; i < one.size(); ++i) most = std::max(most, apart(one[i], two[i]));
  return most;
}

/// Displacements of a size; turns of quaternions below half a turn.
Numbers displacement(Random& random, const Model<double>& m, double size) {
  return random.numbers(m.nv, size);
}

}  // namespace

TEST_CASE("the difference of two positions leads from one to the other, and is the displacement that did") {
  Random random(27301);
  int wide = 0;
  for (int k = 0; k < draws(300); ++k) {
    CAPTURE(k);
    const Model<double> m = built(random_robot(random, any_kind(random, k, k % 5 == 3, false)).description);
    if (m.nv == 0) continue;
    wide += m.nq != m.nv;
    const State s = random_state(random, m), t = random_state(random, m);
    const Numbers d = difference_of(m, s.q, t.q);
    CHECK(poses_apart(m, integrated(m, s.q, d), t.q) < 1e-12);
    for (const double size : {1e-9, 1e-3, 0.1, 1.7}) {
      CAPTURE(size);
      // turns below half a turn: sqrt(3) 1.7 < pi
      const Numbers way = displacement(random, m, size);
      CHECK(difference(difference_of(m, s.q, integrated(m, s.q, way)), way) < 1e-13 + 1e-13 * size);
    }
    // the other way is the way back, and a quaternion and its opposite are one position
    Numbers mirrored = t.q;
    for (const Body<double>& b : m.bodies)
      for (int i = 0; row(b.kind).nq >= 4 && i < 4; ++i) mirrored[static_cast<std::size_t>(b.q + i)] *= -1;
    CHECK(difference(difference_of(m, s.q, mirrored), d) < 1e-12);
    Numbers none(static_cast<std::size_t>(m.nv));
    CHECK(difference(difference_of(m, s.q, s.q), none) < 1e-15);

    // shares of the way
    Numbers at(s.q.size());
    interpolate_position<double>(m, s.q, t.q, 0.0, at);
    CHECK(poses_apart(m, at, s.q) < 1e-14);
    interpolate_position<double>(m, s.q, t.q, 1.0, at);
    CHECK(poses_apart(m, at, t.q) < 1e-12);
    const double share = random.uniform(0, 1);
    interpolate_position<double>(m, s.q, t.q, share, at);
    Numbers part = d;
    for (double& x : part) x *= share;
    CHECK(difference(difference_of(m, s.q, at), part) < 1e-12);
  }
  CHECK(wide > 50);
}

TEST_CASE("tangents of displaced positions and of differences are what quotients tend to, at any distance") {
  Random random(27302);
  int wide = 0;
  for (int k = 0; k < draws(120); ++k) {
    CAPTURE(k);
    const Model<double> m = built(random_robot(random, any_kind(random, k, false, false)).description);
    if (m.nv == 0) continue;
    wide += m.nq != m.nv;
    const auto n = static_cast<std::size_t>(m.nv);
    const State s = random_state(random, m);
    for (const double size : {0.0, 1e-5, 0.05, 1.6}) {
      CAPTURE(size);
      const Numbers d = displacement(random, m, size), end = integrated(m, s.q, d);
      Numbers by_q(n * n), by_d(n * n), by_from(n * n), by_to(n * n);
      integrate_tangents<double>(m, d, by_q, by_d);
      difference_tangents<double>(m, s.q, end, by_from, by_to);
      constexpr double step = 1e-5;
      for (std::size_t j = 0; j < n; ++j) {
        Numbers along(n);
        const auto moved = [&](double by, const auto& of) {
          along.assign(n, 0);
          along[j] = by;
          return of();
        };
        const auto check = [&](const Numbers& matrix, const auto& of) {
          const Numbers up = moved(step, of), down = moved(-step, of);
          for (std::size_t i = 0; i < n; ++i)
            CHECK(std::abs((up[i] - down[i]) / (2 * step) - matrix[i * n + j]) < 1e-8);
        };
        check(by_q, [&] { return difference_of(m, end, integrated(m, integrated(m, s.q, along), d)); });
        check(by_d, [&] {
          Numbers longer = d;
          for (std::size_t i = 0; i < n; ++i) longer[i] += along[i];
          return difference_of(m, end, integrated(m, s.q, longer));
        });
        check(by_from, [&] { return difference_of(m, integrated(m, s.q, along), end); });
        check(by_to, [&] { return difference_of(m, s.q, integrated(m, end, along)); });
      }
    }
  }
  CHECK(wide > 20);
}

TEST_CASE("a displacement over a time tends to the velocity, as the rate of the numbers of a position says") {
  Random random(27303);
  for (int k = 0; k < draws(60); ++k) {
    const Model<double> m = built(random_robot(random, any_kind(random, k, false, false)).description);
    if (m.nv == 0) continue;
    const State s = random_state(random, m);
    constexpr double step = 1e-6;
    Numbers forth = s.qd, back = s.qd, change(s.q.size()), d(s.qd.size());
    for (double& x : forth) x *= step;
    for (double& x : back) x *= -step;
    const Numbers up = integrated(m, s.q, forth), down = integrated(m, s.q, back);
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = (up[i] - down[i]) / (2 * step);
    for (const Body<double>& b : m.bodies) joint_tangent(b.kind, s.q.data() + b.q, change.data() + b.q, d.data() + b.v);
    CHECK(difference(d, s.qd) < 1e-8);
  }
}
