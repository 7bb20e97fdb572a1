// Robots with loops against the same robots in maximal coordinates, and against themselves: power, derivatives, C.
#include "torsor/loops/loop_dynamics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/dual_loops.hpp"
#include "tests/support/loop_mechanism.hpp"
#include "tests/support/loop_robots.hpp"
#include "tests/support/random.hpp"
#include "torsor/loops/loop_map.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using Numbers = std::vector<double>;

struct LoopState {
  Numbers q, qd, qdd;
};

double largest(std::span<const double> x) {
  double most = 0;
  for (const double each : x) most = std::isnan(each) ? each : std::max(most, std::abs(each));
  return most;
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    REQUIRE(std::isfinite(a[k] - b[k]));
    most = std::max(most, std::abs(a[k] - b[k]));
  }
  return most;
}

/// Positions inside the limits that can be closed, with rates of the order of one.
LoopState draw(const Robot& robot, Dynamics& dynamics, Random& random) {
  const Model<double>& m = robot.coordinates();
  Numbers all(static_cast<std::size_t>(robot.tree().nq));
  for (int trial = 0; trial < 1000; ++trial) {
    LoopState s;
    for (int k = 0; k < m.nq; ++k) {
      const double here =
          robot.loops()->reference[static_cast<std::size_t>(robot.loops()->q[static_cast<std::size_t>(k)])];
      const Limits& bound = m.limits[static_cast<std::size_t>(k)];
      const bool bounded = std::isfinite(bound.lower) && std::isfinite(bound.upper);
      s.q.push_back(bounded ? random.uniform(bound.lower, bound.upper) : here + random.uniform(-0.5, 0.5));
    }
    s.qd = random.numbers(m.nv, 2), s.qdd = random.numbers(m.nv, 5);
    if (dynamics.positions(s.q, all)) return s;
  }
  FAIL("no position can be closed");
  return {};
}

/// By three step sizes of central differences: f' with an error of h^6.
template <class F>
Numbers slope(const F& f, double h = 1e-2) {
  const auto central = [&](double step) {
    Numbers plus = f(step);
    const Numbers minus = f(-step);
    for (std::size_t k = 0; k < plus.size(); ++k) plus[k] = (plus[k] - minus[k]) / (2 * step);
    return plus;
  };
  const Numbers a = central(h), b = central(h / 2), c = central(h / 4);
  Numbers out(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double ab = (4 * b[k] - a[k]) / 3, bc = (4 * c[k] - b[k]) / 3;
    out[k] = (16 * bc - ab) / 15;
  }
  return out;
}

Numbers moved(const Numbers& q, const Numbers& qd, double t) {
  Numbers out = q;
  for (std::size_t k = 0; k < q.size(); ++k) out[k] += t * qd[k];
  return out;
}

}  // namespace

TEST_CASE("inverse and forward dynamics with loops are those of the mechanism in maximal coordinates") {
  for (const Robot& robot : loop_robots()) {
    CAPTURE(robot.name());
    Dynamics dynamics(robot);
    Random random(11);
    const auto na = static_cast<std::size_t>(robot.nv());
    const auto n = static_cast<std::size_t>(robot.tree().nv);
    Numbers q(static_cast<std::size_t>(robot.tree().nq)), tau(na), bias(na), qdd(na);
    double worst_inverse = 0, worst_forward = 0, worst_gap = 0, worst_round = 0;
    LoopMap map(robot.tree(), robot.loops());
    for (int k = 0; k < 200; ++k) {
      const LoopState s = draw(robot, dynamics, random);
      REQUIRE(dynamics.positions(s.q, q));
      REQUIRE(map.place(s.q));
      Numbers qd(n), all(n);
      map.rates(s.qd, qd);
      map.accelerations(qd, s.qdd, all);

      LoopMechanism mechanism(robot, q, qd);
      worst_gap = std::max({worst_gap, mechanism.gap(), dynamics.closure_error()});
      REQUIRE(dynamics.inverse(s.q, s.qd, s.qdd, tau));
      const Numbers other = mechanism.inverse(mechanism.accelerations(q, qd, all));
      REQUIRE(dynamics.bias(s.q, s.qd, bias));
      const double scale = std::max({largest(tau), largest(bias), 1e-3});
      worst_inverse = std::max(worst_inverse, largest_difference(tau, other) / scale);

      // and back: the accelerations of all bodies under these torques
      REQUIRE(dynamics.forward(s.q, s.qd, tau, qdd));
      worst_round = std::max(worst_round, largest_difference(qdd, s.qdd) / 5);
      map.accelerations(qd, qdd, all);
      LoopMechanism driven(robot, q, qd, tau);
      const auto ours = driven.accelerations(q, qd, all), theirs = driven.forward();
      Numbers a, b;
      for (std::size_t i = 0; i < ours.size(); ++i) {
        for (const Vec3<double>& v : {ours[i].w, ours[i].v}) a.insert(a.end(), {v.x, v.y, v.z});
        for (const Vec3<double>& v : {theirs[i].w, theirs[i].v}) b.insert(b.end(), {v.x, v.y, v.z});
      }
      worst_forward = std::max(worst_forward, largest_difference(a, b) / largest(a));
    }
    MESSAGE(robot.name() << ": inverse " << worst_inverse << ", forward " << worst_forward << ", closure " << worst_gap
                         << ", forward of inverse " << worst_round);
    CHECK(worst_inverse < 1e-11);
    CHECK(worst_forward < 1e-11);
    CHECK(worst_round < 1e-11);
    CHECK(worst_gap < 1e-12);
  }
}

TEST_CASE("the power of the torques with loops is the change of energy, and what friction takes") {
  for (const Robot& robot : loop_robots()) {
    CAPTURE(robot.name());
    Dynamics dynamics(robot);
    LoopMap map(robot.tree(), robot.loops());
    Random random(5);
    Numbers tau(static_cast<std::size_t>(robot.nv())), rates(static_cast<std::size_t>(robot.tree().nv));
    for (int k = 0; k < 20; ++k) {
      const LoopState s = draw(robot, dynamics, random);
      REQUIRE(dynamics.inverse(s.q, s.qd, s.qdd, tau));
      double power = 0;
      for (std::size_t i = 0; i < tau.size(); ++i) power += tau[i] * s.qd[i];
      REQUIRE(map.place(s.q));
      map.rates(s.qd, rates);
      for (const JointFriction<double>& friction : robot.tree().friction)
        power -= friction.law.viscous * rates[robot.tree()[friction.body].v] * rates[robot.tree()[friction.body].v];
      const auto total = [&](double t) {
        Energy<double> e;
        Numbers q = s.q, qd = s.qd;
        for (std::size_t i = 0; i < q.size(); ++i) q[i] += t * s.qd[i] + t * t / 2 * s.qdd[i], qd[i] += t * s.qdd[i];
        REQUIRE(dynamics.energy(q, qd, e));
        return Numbers{e.kinetic + e.potential};
      };
      const double scale = largest(tau) * largest(s.qd) + 1e-3;
      CHECK(std::abs(slope(total, 2e-3)[0] - power) / scale < 1e-8);
    }
  }
}

TEST_CASE("terms with loops add up: M qdd + C qd + gravity, C of Christoffel symbols") {
  for (const Robot& robot : loop_robots()) {
    CAPTURE(robot.name());
    Description plain = robot.description();
    for (LinkDescription& link : plain.links) link.friction.reset();
    const Robot frictionless(plain);
    Dynamics dynamics(frictionless);
    Random random(7);
    const auto n = static_cast<std::size_t>(robot.nv());
    Numbers M(n * n), C(n * n), gravity(n), tau(n), sum(n), Cqd(n);
    for (int k = 0; k < 10; ++k) {
      const LoopState s = draw(frictionless, dynamics, random);
      REQUIRE(dynamics.mass(s.q, M));
      REQUIRE(dynamics.coriolis_matrix(s.q, s.qd, C));
      REQUIRE(dynamics.coriolis(s.q, s.qd, Cqd));
      REQUIRE(dynamics.gravity(s.q, gravity));
      REQUIRE(dynamics.inverse(s.q, s.qd, s.qdd, tau));
      for (std::size_t i = 0; i < n; ++i) {
        sum[i] = gravity[i];
        double product = 0;
        for (std::size_t j = 0; j < n; ++j)
          sum[i] += M[i * n + j] * s.qdd[j] + C[i * n + j] * s.qd[j], product += C[i * n + j] * s.qd[j];
        CHECK(Cqd[i] == doctest::Approx(product));
      }
      CHECK(largest_difference(sum, tau) < 1e-12 * (largest(tau) + largest(M)));
      const Numbers rate = slope([&](double t) {
        Numbers there(n * n);
        REQUIRE(dynamics.mass(moved(s.q, s.qd, t), there));
        return there;
      }, 2e-3);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          CHECK(std::abs(rate[i * n + j] - C[i * n + j] - C[j * n + i]) < 1e-8 * (1e-3 + largest(C)));
    }
  }
}

TEST_CASE("derivatives of dynamics with loops are those of differences") {
  for (const Robot& robot : loop_robots()) {
    CAPTURE(robot.name());
    Dynamics dynamics(robot);
    Random random(3);
    const auto n = static_cast<std::size_t>(robot.nv());
    Numbers tau(n), dq(n * n), dqd(n * n), dqdd(n * n), there(n), qdd(n), fq(n * n), fqd(n * n), ftau(n * n);
    for (int k = 0; k < 5; ++k) {
      const LoopState s = draw(robot, dynamics, random);
      REQUIRE(dynamics.inverse(s.q, s.qd, s.qdd, tau, {dq, dqd, dqdd}));
      REQUIRE(dynamics.forward(s.q, s.qd, tau, qdd, {fq, fqd, ftau}));
      const double scale = 1e-3 + largest(tau) + largest(dq), inverse_scale = 1e-3 + largest(fq) + largest(qdd);
      for (std::size_t j = 0; j < n; ++j) {
        Numbers along(n);
        along[j] = 1;
        const auto column = [&](const Numbers& A) {
          Numbers out;
          for (std::size_t i = 0; i < n; ++i) out.push_back(A[i * n + j]);
          return out;
        };
        const auto inverse = [&](const Numbers& q, const Numbers& qd, const Numbers& a) {
          REQUIRE(dynamics.inverse(q, qd, a, there));
          return there;
        };
        const auto forward = [&](const Numbers& q, const Numbers& qd, const Numbers& torques) {
          REQUIRE(dynamics.forward(q, qd, torques, there));
          return there;
        };
        CHECK(largest_difference(column(dq), slope([&](double t) { return inverse(moved(s.q, along, t), s.qd, s.qdd); },
                                                   2e-3)) < 1e-7 * scale);
        CHECK(largest_difference(column(dqd), slope([&](double t) {
                                   return inverse(s.q, moved(s.qd, along, t), s.qdd);
                                 })) < 1e-9 * scale);
        CHECK(largest_difference(column(dqdd), slope([&](double t) {
                                   return inverse(s.q, s.qd, moved(s.qdd, along, t));
                                 })) < 1e-9 * scale);
        CHECK(largest_difference(column(fq), slope([&](double t) { return forward(moved(s.q, along, t), s.qd, tau); },
                                                   2e-3)) < 1e-7 * inverse_scale);
        CHECK(largest_difference(column(fqd), slope([&](double t) {
                                   return forward(s.q, moved(s.qd, along, t), tau);
                                 })) < 1e-9 * inverse_scale);
        CHECK(largest_difference(column(ftau), slope([&](double t) {
                                   return forward(s.q, s.qd, moved(tau, along, t));
                                 })) < 1e-9 * inverse_scale);
      }
    }
  }
}

TEST_CASE("derivatives of dynamics with loops are those of duals to rounding") {
  for (const Robot& robot : loop_robots()) {
    CAPTURE(robot.name());
    Dynamics dynamics(robot);
    DualLoops duals(robot.tree(), *robot.loops());
    LoopMap map(robot.tree(), robot.loops());
    Random random(13);
    const auto n = static_cast<std::size_t>(robot.nv()), all = static_cast<std::size_t>(robot.tree().nv);
    Numbers tau(n), dq(n * n), dqd(n * n), dqdd(n * n), along(n), Gx(all), none(all), slope(n);
    Loads loads;
    loads.base.a = {0.3, -1, 2};
    REQUIRE(dynamics.set_loads(loads));
    double worst = 0;
    for (int k = 0; k < 20; ++k) {
      const LoopState s = draw(robot, dynamics, random);
      REQUIRE(dynamics.inverse(s.q, s.qd, s.qdd, tau, {dq, dqd, dqdd}));
      map.return_to_start();
      REQUIRE(map.place(s.q));
      const double scale = 1e-3 + largest(tau) + std::max({largest(dq), largest(dqd), largest(dqdd)});
      for (std::size_t j = 0; j < n; ++j) {
        std::ranges::fill(along, 0.0);
        along[j] = 1;
        map.rates(along, Gx);
        duals.place(map.q(), Gx);
        duals.inverse(s.qd, {}, s.qdd, loads, slope);
        for (std::size_t i = 0; i < n; ++i) worst = std::max(worst, std::abs(slope[i] - dq[i * n + j]) / scale);
        duals.place(map.q(), none);
        duals.inverse(s.qd, along, s.qdd, loads, slope);
        for (std::size_t i = 0; i < n; ++i) worst = std::max(worst, std::abs(slope[i] - dqd[i * n + j]) / scale);
      }
    }
    MESSAGE(robot.name() << ": derivatives beside duals " << worst);
    CHECK(worst < 1e-11);
  }
}

TEST_CASE("the Jacobian of the tool with loops is the derivative of its pose, and rows are answered as single states") {
  for (const Robot& robot : loop_robots()) {
    CAPTURE(robot.name());
    Dynamics dynamics(robot);
    Random random(9);
    const auto n = static_cast<std::size_t>(robot.nv());
    const LoopState s = draw(robot, dynamics, random), other = draw(robot, dynamics, random);
    Numbers J(6 * n), J_other(6 * n), tau(n);
    Transform<double> X, X_other;
    REQUIRE(dynamics.tool(s.q, X, J));
    for (std::size_t j = 0; j < n; ++j) {
      Numbers along(n);
      along[j] = 1;
      const Numbers v = slope([&](double t) {
        Transform<double> there;
        REQUIRE(dynamics.tool(moved(s.q, along, t), there, J_other));
        return Numbers{there.p.x, there.p.y, there.p.z};
      }, 2e-3);
      for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(J[(3 + i) * n + j] - v[i]) < 1e-9);
    }
    Numbers q = s.q, rows(2 * n), poses(24), jacobians(12 * n);
    q.insert(q.end(), other.q.begin(), other.q.end());
    const auto stride = static_cast<std::ptrdiff_t>(n);
    REQUIRE(dynamics.inverse(2, {q.data(), stride}, StateRows<const double>{}, StateRows<const double>{},
                             {rows.data(), stride}));
    REQUIRE(dynamics.gravity(other.q, tau));
    CHECK(largest_difference(std::span<const double>(rows).subspan(n), tau) < 1e-12 * (1e-3 + largest(tau)));
    REQUIRE(dynamics.tool(2, StateRows<const double>{q.data(), stride}, StateRows<double>{poses.data(), 12},
                          StateRows<double>{jacobians.data(), 6 * stride}));
    CHECK(largest_difference(std::span<const double>(jacobians).first(6 * n), J) < 1e-12);
  }
}

TEST_CASE("rows with loops on several threads are single states, whatever the robot has become") {
  const Robot robot = Robot::load("palletising_arm");
  Dynamics one(robot), two(robot, {.threads = 2}), three(robot, {.threads = 3});
  Random random(3);
  constexpr std::size_t states = 3000, n = 4;
  Numbers q, qd, qdd;
  for (std::size_t k = 0; k < states; ++k) {
    const LoopState s = draw(robot, one, random);
    q.insert(q.end(), s.q.begin(), s.q.end());
    qd.insert(qd.end(), s.qd.begin(), s.qd.end()), qdd.insert(qdd.end(), s.qdd.begin(), s.qdd.end());
  }
  const auto rows = [&](Dynamics& dynamics) {
    Numbers tau(states * n);
    REQUIRE(dynamics.inverse(states, {q.data(), n}, {qd.data(), n}, {qdd.data(), n}, Dynamics::Rows{tau.data(), n}));
    return tau;
  };
  const auto check = [&] {
    const Numbers a = rows(two), b = rows(three);
    CHECK(a == b);
    Numbers single(n);
    for (std::size_t k = 0; k < states; k += 37) {
      REQUIRE(one.inverse(std::span(q).subspan(n * k, n), std::span(qd).subspan(n * k, n), std::span(qdd).subspan(n * k, n), single));
      CHECK(largest_difference(single, std::span(a).subspan(n * k, n)) < 1e-8 * std::max(1.0, largest(single)));
    }
  };
  check();
  for (Dynamics* each : {&one, &two, &three}) {
    each->set_gravity({1, 2, -3});
    each->set_loads({{}, std::vector<Force<double>>(robot.tree().bodies.size(), {{1, 2, 3}, {4, 5, 6}})});
  }
  check();
}
