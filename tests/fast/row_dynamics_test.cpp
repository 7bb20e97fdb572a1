// Rows whose robots and loads differ, beside the tree of each robot alone; rollouts beside steps of one state after the other.
#include "torsor/row_dynamics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/allocations.hpp"
#include "tests/support/drawn_rows.hpp"
#include "torsor/dynamics/discrete_step.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("rows whose robots and loads differ are each what its robot alone would have, on any machine") {
  Random random(2701);
  int chains = 0, with_wrench_inside = 0, own_lengths = 0;
  for (int k = 0; k < draws(60); ++k) {
    CAPTURE(k);
    const Model<double> model = arm_or_tree(random, k);
    const int n = model.nv;
    if (n == 0) continue;
    const int count = 1 + random.below(21), laps = 1 + random.below(3), states = count * laps, gap = random.below(3);
    const int which = random.below(16);
    const bool differ = which == 0 || random.chance(0.7);
    const DrawnRobots robots(random, model, count);
    const DrawnRows x(random, model, states, gap);
    Frame<double> frame;
    frame.body = random.chance(0.6) ? model.size() - 1 : random.below(model.size());
    frame.X_body_frame = random.transform(0.3);
    const bool lengths = differ && random.chance(0.4);
    RobotsOfRows given = robots.all(lengths);
    if (random.chance(0.3)) given.inertias = {};
    if (random.chance(0.3)) given.rotors = {};
    if (random.chance(0.3)) given.friction = {};
    for (const InstructionSet set : instruction_sets()) {
      CAPTURE(name(set));
      RowDynamics rows(model, {.instruction_set = set});
      REQUIRE((!differ || static_cast<bool>(rows.set_robots(given))));
      const LoadsOfRows loads = x.loads(which, frame);
      const std::ptrdiff_t out = n + 1, wide = n * n + 1;
      Numbers tau(static_cast<std::size_t>(states * out), -7.0), qdd(tau),
          M(static_cast<std::size_t>(states * wide), -7.0);
      REQUIRE(rows.inverse(states, x.rows(x.q, model.nq), x.rows(x.qd, n), x.rows(x.a, n), {tau.data(), out}, loads));
      REQUIRE(rows.forward(states, x.rows(x.q, model.nq), x.rows(x.qd, n), x.rows(x.a, n), {qdd.data(), out}, loads));
      REQUIRE(rows.mass(states, x.rows(x.q, model.nq), {M.data(), wide}));
      chains += Dynamics(model).canonical() && !lengths;
      own_lengths += lengths && count > 1;
      with_wrench_inside += (which & 4) && frame.body != model.size() - 1;
      for (int s = 0; s < states; ++s) {
        CAPTURE(s);
        Model<double> own = rows.robot(s % count);
        Loads acting;
        x.put(which, s, frame, own, acting);
        TreeDynamics<double> tree(own);
        tree.loads.assign(acting);
        const View q = x.row(x.q, s, model.nq), qd = x.row(x.qd, s, n), a = x.row(x.a, s, n);
        const std::size_t length = static_cast<std::size_t>(n);
        Numbers expected(length), bias(length), matrix(length * length), accelerations(length);
        tree.inverse(q, qd, a, expected);
        const auto row_of = [&](const Numbers& from, std::ptrdiff_t apart, std::size_t width) {
          return View(from).subspan(static_cast<std::size_t>(s * apart), width);
        };
        tree.inverse(q, qd, {}, bias);
        CHECK(difference(row_of(tau, out, length), expected) < 1e-11 * (1 + largest(expected) + largest(bias)));
        tree.mass(q, matrix);
        CHECK(difference(row_of(M, wide, length * length), matrix) < 1e-11 * (1 + largest(matrix)));
        REQUIRE(tree.forward(q, qd, a, accelerations) == -1);
        CHECK(difference(row_of(qdd, out, length), accelerations) < 1e-8 * (1 + largest(accelerations)));
        CHECK(tau[static_cast<std::size_t>(s * out + n)] == -7.0);
      }
    }
  }
  CHECK(chains > 20);
  CHECK(with_wrench_inside > 3);
  CHECK(own_lengths > 10);
}

TEST_CASE("the robots of rows have the numbers that were given, and without them all are the model again") {
  Random random(2702);
  for (const char* name : {"puma560", "two_arm"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const DrawnRobots drawn(random, model, 5);
    RowDynamics rows(model);
    const State s = random_state(random, model);
    const auto n = static_cast<std::size_t>(model.nv);
    const auto all = [&] {
      Numbers tau(5 * n);
      REQUIRE(rows.inverse(5, {s.q.data(), 0}, {s.qd.data(), 0}, {s.qdd.data(), 0}, {tau.data(), model.nv}));
      return tau;
    };
    const Numbers alike = all();
    REQUIRE(rows.set_robots(drawn.all()));
    CHECK(rows.robots() == 5);
    const Model<double> third = rows.robot(2);
    CHECK(third[0].inertia.m == drawn.inertias[2 * model.bodies.size()].m);
    CHECK(third.rotor[1] == drawn.rotors[2 * n + 1]);
    const Numbers differ = all();
    CHECK(difference(differ, alike) > 1e-3);
    CHECK(difference(View(differ).first(n), View(differ).subspan(n, n)) > 1e-3);
    REQUIRE(rows.set_robots({}));
    CHECK(rows.robots() == 0);
    CHECK(all() == alike);
  }
}

TEST_CASE("robots that are given one by one are those rows, and what rows cannot differ in is told") {
  Random random(2706);
  int with_friction = 0;
  for (int k = 0; k < draws(30); ++k) {
    CAPTURE(k);
    const Model<double> first = arm_or_tree(random, k);
    if (first.nv == 0) continue;
    const int count = 1 + random.below(6);
    std::vector<Model<double>> robots;
    NumbersOfRobots numbers;
    // lengths, inertias, rotors and friction, each of some
    const bool own_friction = random.chance(0.5);
    for (int row = 0; row < count; ++row) {
      Model<double> robot = first;
      for (Body<double>& b : robot.bodies) {
        if (random.chance(0.5)) b.placement = b.placement * random.transform(0.2);
        b.inertia.m += random.uniform(0, 1);
      }
      for (double& r : robot.rotor) r += random.uniform(0, 0.1);
      if (own_friction) {
        robot.friction.clear();
        for (int i = 0; i < robot.size(); ++i)
          if (robot[i].nv == 1 && random.chance(0.7)) {
            Friction<double> law;
            law.viscous = random.uniform(0, 2);
            law.coulomb_positive = random.uniform(0, 2);
            law.coulomb_negative = random.uniform(0, 2);
            robot.friction.push_back({i, law});
          }
      }
      REQUIRE(numbers.add(robot).empty());
      robots.push_back(std::move(robot));
    }
    with_friction += own_friction;
    RowDynamics rows(robots.front());
    REQUIRE(rows.set_robots(numbers.rows()));
    const int n = first.nv;
    const DrawnRows x(random, first, count, 0);
    Numbers tau(static_cast<std::size_t>(count * n));
    REQUIRE(rows.inverse(count, x.rows(x.q, first.nq), x.rows(x.qd, n), x.rows(x.a, n), {tau.data(), n}));
    for (int row = 0; row < count; ++row) {
      TreeDynamics<double> tree(robots[static_cast<std::size_t>(row)]);
      Numbers expected(static_cast<std::size_t>(n));
      tree.inverse(x.row(x.q, row, first.nq), x.row(x.qd, row, n), x.row(x.a, row, n), expected);
      CHECK(difference(View(tau).subspan(static_cast<std::size_t>(row * n), static_cast<std::size_t>(n)), expected) <
            1e-11 * (1 + largest(expected)));
    }
    Model<double> other = first;
    other.gravity.x += 1;
    CHECK(numbers.add(other) == "gravity");
    other = first;
    other.bodies.pop_back();
    CHECK(numbers.add(other) == "the number of its joints");
    other = first;
    other.bodies[0].ratio += 1;
    CHECK(numbers.add(other) == "joint \"" + first.joint_names[0] + "\": how it follows another");
    CHECK(numbers.rows().count == count);
  }
  CHECK(with_friction > 5);
}

TEST_CASE("loads act in their own call and in no other") {
  Random random(2705);
  for (const char* name : {"puma560", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const DrawnRows x(random, model, 9, 0);
    RowDynamics rows(model);
    Frame<double> frame;
    frame.body = 1;
    const auto torques = [&](const LoadsOfRows& loads) {
      Numbers tau(static_cast<std::size_t>(9 * model.nv));
      REQUIRE(rows.inverse(9, x.rows(x.q, model.nq), x.rows(x.qd, model.nv), x.rows(x.a, model.nv),
                           {tau.data(), model.nv}, loads));
      return tau;
    };
    const Numbers without = torques({});
    for (const int which : {1, 2, 4, 8, 15}) {
      CAPTURE(which);
      CHECK(difference(torques(x.loads(which, frame)), without) > 1e-3);
      CHECK(difference(torques({}), without) < 1e-12 * (1 + largest(without)));
    }
  }
}

TEST_CASE("a rollout is one step after the other, of the robot of each row and under its loads") {
  Random random(2703);
  for (int k = 0; k < draws(24); ++k) {
    CAPTURE(k);
    const Model<double> model = arm_or_tree(random, k);
    const int n = model.nv, nq = model.nq;
    if (n == 0) continue;
    const int count = 1 + random.below(11), periods = 3, hold = 1 + random.below(2), which = random.below(16);
    const DrawnRobots robots(random, model, count);
    const DrawnRows x(random, model, count, 0);
    Frame<double> frame;
    frame.body = model.size() - 1;
    frame.X_body_frame = random.transform(0.3);
    const Numbers tau = random.numbers(count * periods * n, 2);
    const double h = 2e-3;
    for (const StepMethod method : {StepMethod::semi_implicit, StepMethod::runge_kutta_4}) {
      RowDynamics rows(model);
      REQUIRE(rows.set_robots(robots.all()));
      Numbers q(static_cast<std::size_t>(count * periods * nq)), qd(static_cast<std::size_t>(count * periods * n));
      REQUIRE(rows.rollout(count,
                           {.q = x.rows(x.q, nq),
                            .qd = x.rows(x.qd, n),
                            .tau = {tau.data(), periods * n},
                            .periods = periods,
                            .step = h,
                            .hold = hold,
                            .method = method},
                           {{q.data(), periods * nq}, {qd.data(), periods * n}}, x.loads(which, frame)));
      for (int s = 0; s < count; ++s) {
        CAPTURE(s);
        Model<double> own = rows.robot(s);
        Loads acting;
        x.put(which, s, frame, own, acting);
        DiscreteStep<double> one(own, method);
        one.derivatives.loads.assign(acting);
        Numbers at(x.row(x.q, s, nq).begin(), x.row(x.q, s, nq).end()),
            rates(x.row(x.qd, s, n).begin(), x.row(x.qd, s, n).end());
        Numbers next(at), next_rates(rates), A(static_cast<std::size_t>(4 * n * n)),
            B(static_cast<std::size_t>(2 * n * n));
        for (int period = 0; period < periods; ++period) {
          const View torques =
              View(tau).subspan(static_cast<std::size_t>((s * periods + period) * n), static_cast<std::size_t>(n));
          for (int i = 0; i < hold; ++i) {
            REQUIRE(one.run(at, rates, torques, h, {next, next_rates, A, B}) == -1);
            at = next, rates = next_rates;
          }
          const auto reached = [&](const Numbers& of, int width) {
            return View(of).subspan(static_cast<std::size_t>((s * periods + period) * width),
                                    static_cast<std::size_t>(width));
          };
          CHECK(difference(reached(q, nq), at) < 1e-9 * (1 + largest(at)));
          CHECK(difference(reached(qd, n), rates) < 1e-8 * (1 + largest(rates)));
        }
      }
    }
  }
}

TEST_CASE("a rollout converges on the motion with the order of its method") {
  // against itself with steps a hundred times as short
  const Model<double> model = built(*load_robot("puma560"));
  const Numbers start{0.1, 0.5, -0.8, 0.2, 0.4, 0.1}, rest(6, 0.0);
  RowDynamics rows(model);
  const auto end = [&](StepMethod method, int steps) {
    Numbers q(6), qd(6);
    REQUIRE(rows.rollout(1,
                         {.q = {start.data(), 0},
                          .qd = {rest.data(), 0},
                          .tau = {},
                          .periods = 1,
                          .step = 0.1 / steps,
                          .hold = steps,
                          .method = method},
                         {{q.data(), 6}, {qd.data(), 6}}));
    return q;
  };
  const Numbers truth = end(StepMethod::runge_kutta_4, 2000);
  const double euler =
      difference(end(StepMethod::semi_implicit, 20), truth) / difference(end(StepMethod::semi_implicit, 40), truth);
  const double classical =
      difference(end(StepMethod::runge_kutta_4, 5), truth) / difference(end(StepMethod::runge_kutta_4, 10), truth);
  CHECK(std::abs(euler - 2) < 0.3);
  CHECK(std::abs(classical - 16) < 5);
}

TEST_CASE("a row that is no number spoils no other, threads change no bit, and nothing is allocated") {
  Random random(2704);
  for (const char* name : {"puma560", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const int n = model.nv, nq = model.nq, count = 700, periods = 4;
    const DrawnRobots robots(random, model, count);
    DrawnRows x(random, model, count, 0);
    Numbers tau = random.numbers(count * periods * n, 1);
    Frame<double> frame;
    frame.body = model.size() - 1;
    const LoadsOfRows loads = x.loads(7, frame);
    const auto all = [&](RowDynamics& rows, Numbers& out) {
      double* next = out.data();
      const auto room = [&](std::ptrdiff_t width) {
        const StateRows<double> to{next, width};
        next += count * width;
        return to;
      };
      REQUIRE(rows.inverse(count, x.rows(x.q, nq), x.rows(x.qd, n), x.rows(x.a, n), room(n), loads));
      REQUIRE(rows.forward(count, x.rows(x.q, nq), x.rows(x.qd, n), x.rows(x.a, n), room(n), loads));
      for (const StepMethod method : {StepMethod::semi_implicit, StepMethod::runge_kutta_4}) {
        const auto q = room(periods * nq), qd = room(periods * n);
        REQUIRE(rows.rollout(count,
                             {.q = x.rows(x.q, nq),
                              .qd = x.rows(x.qd, n),
                              .tau = {tau.data(), periods * n},
                              .periods = periods,
                              .step = 1e-3,
                              .method = method},
                             {q, qd}, loads));
      }
    };
    RowDynamics one(model), several(model, {.threads = 3});
    REQUIRE(one.set_robots(robots.all()));
    REQUIRE(several.set_robots(robots.all()));
    Numbers sound(static_cast<std::size_t>(count * (2 * n + 2 * periods * (nq + n)))), other(sound), spoiled(sound);
    all(one, sound);
    const long before = allocations;
    all(one, other);
    CHECK(allocations == before);
    CHECK(sound == other);
    all(several, other);
    CHECK(sound == other);

    x.q[static_cast<std::size_t>(5 * nq)] = none;
    x.qd[static_cast<std::size_t>(77 * n + n - 1)] = none;
    x.wrench[6 * 300] = none;
    tau[static_cast<std::size_t>((501 * periods + 2) * n)] = none;  // of the third period
    all(one, spoiled);
    std::ptrdiff_t begin = 0;
    int spoiled_rows = 0;
    for (const std::ptrdiff_t width : {n, n, periods * nq, periods * n, periods * nq, periods * n}) {
      for (int s = 0; s < count; ++s) {
        const auto row = [&](const Numbers& of) {
          return View(of).subspan(static_cast<std::size_t>(begin + s * width), static_cast<std::size_t>(width));
        };
        const bool numbers = std::ranges::all_of(row(spoiled), [](double y) { return std::isfinite(y); });
        if (s == 5 || s == 77 || s == 300 || s == 501) {
          spoiled_rows += !numbers;
          continue;
        }
        REQUIRE(numbers);
        CHECK(difference(row(spoiled), row(sound)) < 1e-9 * (1 + largest(row(sound))));
      }
      if (width == periods * nq)  // before that torque all is as it was
        CHECK(std::isfinite(spoiled[static_cast<std::size_t>(begin + 501 * width + 2 * nq - 1)]));
      begin += count * width;
    }
    // 5, 77 and 300 in all six, 501 in the four of rollouts
    CHECK(spoiled_rows == 3 * 6 + 4);
  }
}

TEST_CASE("rows that do not fit are refused, and so is what is not known of a robot") {
  const Model<double> arm = built(*load_robot("puma560")), floating = built(*load_robot("floating"));
  RowDynamics rows(arm);
  const Numbers six(6, 0.1);
  Numbers out(24, 7.0);
  const StateRows<const double> given{six.data(), 0};
  CHECK(rows.inverse(2, {}, given, given, {out.data(), 6}).kind == Status::wrong_size);
  CHECK(rows.inverse(2, given, given, given, {out.data(), 5}).kind == Status::wrong_size);
  LoadsOfRows nowhere;
  nowhere.wrench = given;
  CHECK(rows.inverse(2, given, given, given, {out.data(), 6}, nowhere).kind == Status::wrong_size);
  CHECK(rows.rollout(1, {.q = given, .qd = given, .tau = {}, .periods = 2, .step = 1e-3},
                     {{out.data(), 6}, {nullptr, 12}})
            .kind == Status::wrong_size);
  CHECK(rows.rollout(1, {.q = given, .qd = given, .tau = {}, .periods = 2, .step = 1e-3, .hold = 0},
                     {{out.data(), 12}, {out.data() + 12, 12}})
            .kind == Status::wrong_size);
  const Numbers rotors(12, 0.1);
  CHECK(rows.set_robots({3, {}, rotors, {}}).kind == Status::wrong_size);
  REQUIRE(rows.set_robots({2, {}, rotors, {}}));
  CHECK(rows.inverse(3, given, given, given, {out.data(), 6}).kind == Status::wrong_size);
  for (const double x : out) CHECK(x == 7.0);
  CHECK(rows.inverse(4, given, given, given, {out.data(), 6}));

  RowDynamics body(floating);
  const Numbers friction(static_cast<std::size_t>(3 * floating.nv), 0.1);
  const Status status = body.set_robots({1, {}, {}, friction});
  CHECK(status.kind == Status::not_prepared);
  CHECK(status.coordinate == 0);
}

TEST_CASE("where a robot of a row moves no mass there are no accelerations, in that row alone") {
  const Model<double> model = built(*load_robot("two_link"));
  std::vector<Inertia<double>> inertias;
  for (int k = 0; k < 9; ++k)
    for (const Body<double>& b : model.bodies) inertias.push_back(k == 4 ? Inertia<double>{} : b.inertia);
  RowDynamics rows(model);
  REQUIRE(rows.set_robots({9, inertias, Numbers(18, 0.0), {}}));
  const Numbers zero(2, 0.0);
  Numbers qdd(18);
  const StateRows<const double> row{zero.data(), 0};
  REQUIRE(rows.forward(9, row, row, row, {qdd.data(), 2}));
  for (std::size_t s = 0; s < 9; ++s) {
    CAPTURE(s);
    CHECK(std::isnan(qdd[2 * s]) == (s == 4));
    CHECK(std::isnan(qdd[2 * s + 1]) == (s == 4));
  }
}
