// Rows of products with derivatives, in lanes, beside the products of one state; and those beside the full matrices.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/allocations.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/dynamics/tree_products.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/row_dynamics.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Many states of a model, in rows some numbers apart.
struct Rows {
  Rows(Random& random, const Model<double>& model, int count, int gap)
      : stride(model.nv + gap), q_stride(model.nq + gap) {
    for (int k = 0; k < count; ++k) {
      const State s = random_state(random, model);
      const auto append = [gap](Numbers& to, const Numbers& row) {
        to.insert(to.end(), row.begin(), row.end());
        to.resize(to.size() + static_cast<std::size_t>(gap), 7.0);
      };
      append(q, s.q);
      append(qd, s.qd);
      append(a, random.numbers(model.nv, 4));
      append(dq, random.numbers(model.nv, 1));
      append(dqd, random.numbers(model.nv, 1));
      append(da, random.numbers(model.nv, 1));
    }
  }
  StateRows<const double> of(const Numbers& x) const { return {x.data(), &x == &q ? q_stride : stride}; }
  View row(const Numbers& x, int k, int columns) const {
    return View(x).subspan(static_cast<std::size_t>(k * (&x == &q ? q_stride : stride)),
                           static_cast<std::size_t>(columns));
  }
  std::ptrdiff_t stride, q_stride;
  Numbers q, qd, a, dq, dqd, da;
};

Model<double> model_of_draw(Random& random, int k) {
  if (k % 4 == 0) return built(random_dh_arm(random, 1 + random.below(13), Convention::modified_dh, 0.2));
  return built(random_robot(random, any_kind(random, k, k % 5 == 3, k % 7 == 2)).description);
}

}  // namespace

TEST_CASE(
    "rows of products are those of one state, on any machine, under any loads, and beside them nothing is written") {
  Random random(1001);
  for (int k = 0; k < draws(60); ++k) {
    CAPTURE(k);
    const Model<double> model = model_of_draw(random, k);
    const int n = model.nv;
    if (n == 0) continue;
    const int count = 1 + random.below(37), gap = random.below(3);
    const Rows x(random, model, count, gap);
    Loads loads;
    if (k % 3 == 1) loads.base = {random.vector(1), random.vector(1), random.vector(3)};
    if (k % 5 < 2) loads.external = random_forces(random, model, 5);
    TreeProducts<double> one(model);
    one.dynamics.loads.assign(loads);
    const std::ptrdiff_t out = n + 1;
    for (const InstructionSet set : instruction_sets()) {
      CAPTURE(name(set));
      Dynamics dynamics(model, {.instruction_set = set});
      REQUIRE(dynamics.set_loads(loads));
      for (const bool forward : {false, true}) {
        CAPTURE(forward);
        Numbers change(static_cast<std::size_t>(count * out), -7.0), g[3] = {change, change, change};
        const auto rows = [&](Numbers& to) { return StateRows<double>{to.data(), out}; };
        if (forward) {
          REQUIRE(dynamics.forward_jvp(count, x.of(x.q), x.of(x.qd), x.of(x.a), x.of(x.dq), x.of(x.dqd), x.of(x.da),
                                       rows(change)));
          REQUIRE(dynamics.forward_vjp(count, x.of(x.q), x.of(x.qd), x.of(x.a), x.of(x.dq), rows(g[0]), rows(g[1]),
                                       rows(g[2])));
        } else {
          REQUIRE(dynamics.inverse_jvp(count, x.of(x.q), x.of(x.qd), x.of(x.a), x.of(x.dq), x.of(x.dqd), x.of(x.da),
                                       rows(change)));
          REQUIRE(dynamics.inverse_vjp(count, x.of(x.q), x.of(x.qd), x.of(x.a), x.of(x.dq), rows(g[0]), rows(g[1]),
                                       rows(g[2])));
        }
        for (int s = 0; s < count; ++s) {
          CAPTURE(s);
          const View q = x.row(x.q, s, model.nq), qd = x.row(x.qd, s, n), a = x.row(x.a, s, n), dq = x.row(x.dq, s, n),
                     dqd = x.row(x.dqd, s, n), da = x.row(x.da, s, n);
          Numbers expected(n), e[3] = {expected, expected, expected};
          if (forward) {
            REQUIRE(one.forward_jvp(q, qd, a, {dq, dqd, da}, expected) == -1);
            REQUIRE(one.forward_vjp(q, qd, a, dq, {e[0], e[1], e[2]}) == -1);
          } else {
            one.inverse_jvp(q, qd, a, {dq, dqd, da}, expected);
            one.inverse_vjp(q, qd, a, dq, {e[0], e[1], e[2]});
          }
          const double bound = forward ? 1e-9 : 1e-12;
          const auto row = [&](const Numbers& of) {
            return View(of).subspan(static_cast<std::size_t>(s * out), static_cast<std::size_t>(n));
          };
          CHECK(difference(row(change), expected) < bound * (1 + largest(expected)));
          for (int j = 0; j < 3; ++j)
            CHECK(difference(row(g[j]), e[j]) < bound * (1 + largest(e[0]) + largest(e[1]) + largest(e[2])));
          for (const Numbers* each : {&change, &g[0], &g[1], &g[2]})
            CHECK((*each)[static_cast<std::size_t>(s * out + n)] == -7.0);
        }
      }
    }
  }
}

TEST_CASE("products of one state are those of the matrices of the engine, with loads and after the robot has changed") {
  Random random(1002);
  for (const char* name : {"puma560", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    Dynamics dynamics(model);
    const auto n = static_cast<std::size_t>(model.nv);
    for (int k = 0; k < 3; ++k) {
      const State s = random_state(random, model);
      Loads loads;
      if (k > 0) loads.external = random_forces(random, model, 5);
      REQUIRE(dynamics.set_loads(loads));
      if (k == 2) dynamics.set_gravity({1, 2, 3});
      Numbers tau(n), A(n * n), B(A), C(A), w = random.numbers(model.nv, 1), change(n), x(n), y(n), z(n);
      REQUIRE(dynamics.inverse(s.q, s.qd, s.qdd, tau, {A, B, C}));
      REQUIRE(dynamics.inverse_jvp(s.q, s.qd, s.qdd, {w, {}, {}}, change));
      CHECK(difference(change, times(A, w)) < 1e-11 * (1 + largest(A)));
      REQUIRE(dynamics.inverse_vjp(s.q, s.qd, s.qdd, w, {x, y, z}));
      CHECK(difference(z, times(C, w)) < 1e-11 * (1 + largest(C)));  // M is symmetric
      CHECK(std::abs(dot(w, times(B, w)) - dot(w, y)) < 1e-11 * (1 + largest(B)));
      Numbers qdd(n);
      REQUIRE(dynamics.forward(s.q, s.qd, tau, qdd, {A, B, C}));
      REQUIRE(dynamics.forward_jvp(s.q, s.qd, tau, {w, w, w}, change));
      const Numbers all = sum(sum(times(A, w), times(B, w)), times(C, w));
      CHECK(difference(change, all) < 1e-10 * (1 + largest(A) + largest(B) + largest(C)));
      REQUIRE(dynamics.forward_vjp(s.q, s.qd, tau, w, {x, y, z}));
      CHECK(std::abs(dot(w, all) - dot(x, w) - dot(y, w) - dot(z, w)) <
            1e-9 * (1 + largest(A) + largest(B) + largest(C)));
      // and in rows, after the change, too
      Numbers again(n);
      REQUIRE(dynamics.forward_jvp(1, {s.q.data(), 0}, {s.qd.data(), 0}, {tau.data(), 0}, {w.data(), 0}, {w.data(), 0},
                                   {w.data(), 0}, {again.data(), 0}));
      CHECK(difference(again, change) < 1e-9 * (1 + largest(change)));
    }
  }
}

TEST_CASE("a row that is no number spoils no other, threads change no bit, and nothing is allocated") {
  Random random(1003);
  for (const char* name : {"puma560", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const int n = model.nv, count = 3000;
    Rows x(random, model, count, 0);
    const auto all = [&](Dynamics& dynamics, Numbers& out) {
      const auto part = [&](int j) {
        return StateRows<double>{out.data() + static_cast<std::ptrdiff_t>(j) * count * n, n};
      };
      REQUIRE(
          dynamics.inverse_jvp(count, x.of(x.q), x.of(x.qd), x.of(x.a), x.of(x.dq), x.of(x.dqd), x.of(x.da), part(0)));
      REQUIRE(dynamics.inverse_vjp(count, x.of(x.q), x.of(x.qd), x.of(x.a), x.of(x.dq), part(1), part(2), part(3)));
      REQUIRE(
          dynamics.forward_jvp(count, x.of(x.q), x.of(x.qd), x.of(x.a), x.of(x.dq), x.of(x.dqd), x.of(x.da), part(4)));
      REQUIRE(dynamics.forward_vjp(count, x.of(x.q), x.of(x.qd), x.of(x.a), x.of(x.dq), part(5), part(6), part(7)));
    };
    Dynamics one(model), several(model, {.threads = 3});
    Numbers sound(static_cast<std::size_t>(8 * count * n)), other(sound), spoiled(sound);
    all(one, sound);
    const long before = allocations;
    all(one, other);
    CHECK(allocations == before);
    CHECK(sound == other);
    all(several, other);
    CHECK(sound == other);

    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    x.q[static_cast<std::size_t>(5 * x.q_stride)] = none;
    x.qd[static_cast<std::size_t>(77 * x.stride + n - 1)] = none;
    x.dq[static_cast<std::size_t>(1234 * x.stride)] = none;
    all(one, spoiled);
    for (int part = 0; part < 8; ++part)
      for (int s = 0; s < count; ++s) {
        const bool bad = s == 5 || s == 77 || s == 1234;
        const auto row = [&](const Numbers& of) {
          return View(of).subspan(static_cast<std::size_t>((part * count + s) * n), static_cast<std::size_t>(n));
        };
        // sines beside one that is none may differ in their last digit
        if (!bad) CHECK(difference(row(spoiled), row(sound)) < 1e-9 * (1 + largest(row(sound))));
        // M does not depend on the first angle, all else does
        if (s == 5 && part != 3) CHECK(std::ranges::any_of(row(spoiled), [](double y) { return std::isnan(y); }));
      }
  }
}

TEST_CASE("spans and rows of a wrong size are refused") {
  Dynamics dynamics(Robot::load("puma560"));
  const Numbers six(6, 0.1), five(5, 0.1);
  Numbers out(6, 7.0), few(5, 7.0);
  CHECK(dynamics.inverse_jvp(five, six, six, {six, six, six}, out).kind == Status::wrong_size);
  CHECK(dynamics.inverse_jvp(six, six, six, {five, six, six}, out).kind == Status::wrong_size);
  CHECK(dynamics.inverse_vjp(six, six, six, five, {out, out, out}).kind == Status::wrong_size);
  CHECK(dynamics.inverse_vjp(six, six, six, six, {out, few, out}).kind == Status::wrong_size);
  CHECK(dynamics.forward_jvp(six, six, {}, {}, out).kind == Status::wrong_size);
  CHECK(dynamics.forward_vjp(six, six, six, six, {out, out, few}).kind == Status::wrong_size);
  CHECK(dynamics
            .inverse_vjp(2, {six.data(), 0}, {}, {}, {six.data(), 0}, {out.data(), 3}, {out.data(), 6}, {out.data(), 6})
            .kind == Status::wrong_size);
  CHECK(dynamics.forward_vjp(2, {six.data(), 0}, {}, {}, {}, {out.data(), 6}, {out.data(), 6}, {out.data(), 6}).kind ==
        Status::wrong_size);
  for (const double x : out) CHECK(x == 7.0);
  CHECK(dynamics.inverse_jvp(six, {}, {}, {six, {}, {}}, out));
}

TEST_CASE("where no mass is moved there are no products, alone and in rows") {
  Dynamics dynamics(built(arm_with_nothing()));
  const Numbers zero(2, 0.0);
  Numbers x(2), y(2), z(2);
  const Status status = dynamics.forward_vjp(zero, zero, zero, zero, {x, y, z});
  CHECK(status.kind == Status::massless);
  CHECK(status.coordinate == 1);
  const StateRows<const double> row{zero.data(), 0};
  REQUIRE(dynamics.forward_vjp(1, row, row, row, row, {x.data(), 2}, {y.data(), 2}, {z.data(), 2}));
  for (const Numbers* each : {&x, &y, &z})
    for (const double number : *each) CHECK(std::isnan(number));
}

TEST_CASE("products and derivatives are numbers in a million states, at rest, singular and at limits, too") {
  Random random(2721);
  // of each robot a quarter; a million in all where draws are long
  const std::int64_t states = draws(50000);
  for (const char* name : {"puma560", "iiwa14", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const auto n = static_cast<std::size_t>(model.nv), nq = static_cast<std::size_t>(model.nq);
    constexpr std::int64_t piece = 2500;
    Dynamics dynamics(model);
    RowDynamics rows(model);
    const Numbers neutral = neutral_position(model);
    std::int64_t missing = 0;
    for (std::int64_t first = 0; first < states / 4; first += piece) {
      Numbers q, qd, a, w;
      for (std::int64_t k = 0; k < piece; ++k) {
        State s = random_state(random, model);
        const int kind = static_cast<int>(k % 5);
        // at rest; where many arms are stretched; quarter turns; at a limit
        if (kind == 1) std::ranges::fill(s.qd, 0.0);
        if (kind == 2) s.q = neutral;
        if (kind >= 3)
          for (const Body<double>& b : model.bodies) {
            if (b.nv != 1) continue;
            const Limits& limits = model.limits[static_cast<std::size_t>(b.v)];
            const double quarter = (random.below(5) - 2) * 1.5707963267948966,
                         bound = random.chance(0.5) ? limits.lower : limits.upper;
            if (kind == 3 && b.kind == JointKind::revolute) s.q[static_cast<std::size_t>(b.q)] = quarter;
            if (kind == 4 && std::isfinite(bound)) s.q[static_cast<std::size_t>(b.q)] = bound;
          }
        // quaternions that turn by half a turn about an axis, and their opposites
        for (const Body<double>& b : model.bodies)
          if (row(b.kind).nq >= 4 && kind == 3) {
            double* const e = s.q.data() + b.q;
            std::fill_n(e, 4, 0.0);
            e[random.below(4)] = random.chance(0.5) ? 1 : -1;
          }
        q.insert(q.end(), s.q.begin(), s.q.end());
        qd.insert(qd.end(), s.qd.begin(), s.qd.end());
        for (std::size_t i = 0; i < n; ++i) a.push_back(random.uniform(-4, 4)), w.push_back(random.uniform(-1, 1));
      }
      const std::ptrdiff_t v = model.nv, wide = v * v;
      const auto size = static_cast<std::size_t>(piece);
      Numbers by_q(size * n), by_qd(by_q), by_a(by_q), dq(size * n * n), dqd(dq), dlast(dq);
      const StateRows<const double> Q{q.data(), static_cast<std::ptrdiff_t>(nq)}, QD{qd.data(), v}, A{a.data(), v},
          W{w.data(), v};
      const StateRows<double> one{dq.data(), wide}, two{dqd.data(), wide}, three{dlast.data(), wide};
      const auto count_missing = [&](std::initializer_list<const Numbers*> all) {
        for (const Numbers* numbers : all)
          missing += std::ranges::count_if(*numbers, [](double x) { return !std::isfinite(x); });
      };
      REQUIRE(dynamics.inverse_vjp(piece, Q, QD, A, W, {by_q.data(), v}, {by_qd.data(), v}, {by_a.data(), v}));
      count_missing({&by_q, &by_qd, &by_a});
      REQUIRE(dynamics.forward_vjp(piece, Q, QD, A, W, {by_q.data(), v}, {by_qd.data(), v}, {by_a.data(), v}));
      count_missing({&by_q, &by_qd, &by_a});
      REQUIRE(rows.inverse_derivatives(piece, Q, QD, A, {{}, one, two, three}));
      count_missing({&dq, &dqd, &dlast});
      REQUIRE(rows.forward_derivatives(piece, Q, QD, A, {{}, one, two, three}));
      count_missing({&dq, &dqd, &dlast});
    }
    CHECK(missing == 0);
  }
}
