// Rows of poses, Coriolis matrices and regressors, in lanes, beside the calls of one state; and those beside the tree.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/allocations.hpp"
#include "tests/support/loop_robots.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/identification/regressor_rows.hpp"
#include "torsor/loops/loop_model.hpp"
#include "torsor/spatial/pose_matrix.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double nothing = -7.0;

/// Many states of a model, in rows some numbers apart.
struct TermStates {
  TermStates(Random& random, const Model<double>& model, int count, int gap)
      : nq(model.nq), nv(model.nv), q_stride(model.nq + gap), v_stride(model.nv + gap) {
    for (int k = 0; k < count; ++k) {
      const State s = random_state(random, model);
      const auto append = [gap](Numbers& to, const Numbers& row) {
        to.insert(to.end(), row.begin(), row.end());
        to.resize(to.size() + static_cast<std::size_t>(gap), 7.0);
      };
      append(q, s.q), append(qd, s.qd), append(qdd, s.qdd);
    }
  }
  StateRows<const double> rows(const Numbers& x) const { return {x.data(), &x == &q ? q_stride : v_stride}; }
  View row(const Numbers& x, int k) const {
    const std::ptrdiff_t stride = &x == &q ? q_stride : v_stride;
    return View(x).subspan(static_cast<std::size_t>(k * stride), static_cast<std::size_t>(&x == &q ? nq : nv));
  }
  int nq, nv;
  std::ptrdiff_t q_stride, v_stride;
  Numbers q, qd, qdd;
};

Model<double> drawn_model(Random& random, int k) {
  if (k % 4 == 0) return built(random_dh_arm(random, 1 + random.below(13), Convention::modified_dh, 0.2));
  return built(random_robot(random, any_kind(random, k, k % 5 == 3, k % 7 == 2)).description);
}

/// Poses of all bodies by the tree, as rows of R and p, and of the links' own frames, as matrices.
struct TreePoses {
  TreePoses(const Model<double>& model, View q) {
    Configuration<double> configuration(model);
    configuration.set(model, q);
    std::vector<Transform<double>> X(model.bodies.size());
    forward_kinematics<double>(model, configuration, X);
    bodies.resize(12 * X.size()), links.resize(16 * X.size());
    for (std::size_t i = 0; i < X.size(); ++i) {
      write_pose_row(X[i], bodies.data() + 12 * i);
      write_pose_matrix(X[i] * model.bodies[i].link, links.data() + 16 * i);
    }
  }
  Numbers bodies, links;
};

Numbers tree_coriolis_matrix(const Model<double>& model, View q, View qd) {
  Configuration<double> configuration(model);
  configuration.set(model, q);
  CoriolisWork<double> work(model);
  Numbers C(cells(model.nv, model.nv));
  coriolis_matrix<double>(model, configuration, qd, work, C);
  return C;
}

View part(const Numbers& of, std::ptrdiff_t stride, int k, std::size_t size) {
  return View(of).subspan(static_cast<std::size_t>(k * stride), size);
}

}  // namespace

TEST_CASE("poses and Coriolis matrices of one state are those of the tree, on any machine") {
  Random random(2701);
  for (int k = 0; k < draws(120); ++k) {
    CAPTURE(k);
    const Model<double> model = drawn_model(random, k);
    const State s = random_state(random, model);
    const TreePoses expected(model, s.q);
    const Numbers C_tree = tree_coriolis_matrix(model, s.q, s.qd);
    double size = 1;
    for (const double x : expected.bodies) size = std::max(size, std::abs(x));
    for (const InstructionSet set : instruction_sets()) {
      CAPTURE(name(set));
      Dynamics dynamics(model, {.instruction_set = set});
      std::vector<Transform<double>> X(model.bodies.size());
      REQUIRE(dynamics.poses(s.q, X));
      Numbers bodies(expected.bodies.size()), links(expected.links.size());
      for (std::size_t i = 0; i < X.size(); ++i) write_pose_row(X[i], bodies.data() + 12 * i);
      CHECK(difference(bodies, expected.bodies) < 1e-13 * size);
      REQUIRE(dynamics.link_poses(s.q, links));
      CHECK(difference(links, expected.links) < 1e-13 * size);
      Numbers C(C_tree.size());
      REQUIRE(dynamics.coriolis_matrix(s.q, s.qd, C));
      CHECK(difference(C, C_tree) < 1e-12 * (1 + largest(C_tree)));
    }
  }
}

TEST_CASE("rows of poses, Coriolis matrices, regressors are those of one state, and nothing else is written") {
  Random random(2702);
  for (int k = 0; k < draws(60); ++k) {
    CAPTURE(k);
    const Model<double> model = drawn_model(random, k);
    const int n = model.nv, count = 1 + random.below(37);
    const TermStates x(random, model, count, random.below(3));
    const auto n_all = static_cast<std::size_t>(n * n), bodies = model.bodies.size();
    Regressor<double> regressor(model, dynamic_parameters(model));
    const std::size_t Y_all = cells(regressor.rows(), regressor.columns());
    const auto apart = [](std::size_t size) { return static_cast<std::ptrdiff_t>(size) + 1; };
    const auto room = [&](std::size_t size) { return Numbers(static_cast<std::size_t>(count * apart(size)), nothing); };
    for (const InstructionSet set : instruction_sets()) {
      CAPTURE(name(set));
      Dynamics dynamics(model, {.instruction_set = set});
      RegressorRows rows(model, dynamic_parameters(model), {.instruction_set = set});
      Numbers X = room(12 * bodies), L = room(16 * bodies), C = room(n_all), Y = room(Y_all), Y_gravity = Y;
      REQUIRE(dynamics.poses(count, x.rows(x.q), {X.data(), apart(12 * bodies)}));
      REQUIRE(dynamics.link_poses(count, x.rows(x.q), {L.data(), apart(16 * bodies)}));
      REQUIRE(dynamics.coriolis_matrix(count, x.rows(x.q), x.rows(x.qd), {C.data(), apart(n_all)}));
      rows.at(count, x.rows(x.q), x.rows(x.qd), x.rows(x.qdd), {Y.data(), apart(Y_all)});
      rows.at(count, x.rows(x.q), {}, {}, {Y_gravity.data(), apart(Y_all)});
      for (int s = 0; s < count; ++s) {
        CAPTURE(s);
        const View q = x.row(x.q, s), qd = x.row(x.qd, s), qdd = x.row(x.qdd, s);
        const auto of = [&](const Numbers& all, std::size_t size) {
          CHECK(all[static_cast<std::size_t>((s + 1) * apart(size) - 1)] == nothing);
          return part(all, apart(size), s, size);
        };
        const TreePoses expected(model, q);
        const double reach = 1 + largest(expected.bodies);
        CHECK(difference(of(X, 12 * bodies), expected.bodies) < 1e-13 * reach);
        CHECK(difference(of(L, 16 * bodies), expected.links) < 1e-13 * reach);
        const Numbers C_tree = tree_coriolis_matrix(model, q, qd);
        CHECK(difference(of(C, n_all), C_tree) < 1e-12 * (1 + largest(C_tree)));
        Numbers one(Y_all);
        regressor.at(q, qd, qdd, one);
        CHECK(difference(of(Y, Y_all), one) < 1e-12 * (1 + largest(one)));
        regressor.at(q, {}, {}, one);
        CHECK(difference(of(Y_gravity, Y_all), one) < 1e-12 * (1 + largest(one)));
      }
    }
  }
}

TEST_CASE("a robot without joints has rows, too, though there is nothing to give") {
  Random random(2709);
  RandomRobot robot = random_robot(random, {.links = 1});
  robot.description.links[0].kind = JointKind::fixed;
  const Model<double> model = built(robot.description);
  REQUIRE(model.nq == 0);
  REQUIRE(model.bodies.size() == 1);
  Dynamics dynamics(model);
  Numbers X(36, nothing);
  REQUIRE(dynamics.poses(3, {}, {X.data(), 12}));
  for (int s = 0; s < 3; ++s) CHECK(difference(part(X, 12, s, 12), TreePoses(model, {}).bodies) < 1e-15);
  CHECK(dynamics.inverse(3, Dynamics::ConstRows{}, {}, {}, Dynamics::Rows{}));
  CHECK(dynamics.mass(3, Dynamics::ConstRows{}, Dynamics::Rows{}));
}

TEST_CASE("a regressor of parameters in another order has the columns of the whole one, in rows, too") {
  Random random(2703);
  for (const char* name : {"puma560_drives", "two_arm"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const int count = 11;
    const TermStates x(random, model, count, 0);
    const std::vector<DynamicParameter> all = dynamic_parameters(model);
    std::vector<DynamicParameter> some;
    for (std::size_t c = all.size(); c-- > 0;)
      if (c % 3 != 1) some.push_back(all[c]);
    RegressorRows whole(model, all), other(model, some);
    const std::size_t wide = cells(model.nv, whole.columns()), narrow = cells(model.nv, other.columns());
    Numbers Y(count * wide), Z(count * narrow), one(wide);
    whole.at(count, x.rows(x.q), x.rows(x.qd), x.rows(x.qdd), {Y.data(), static_cast<std::ptrdiff_t>(wide)});
    other.at(count, x.rows(x.q), x.rows(x.qd), x.rows(x.qdd), {Z.data(), static_cast<std::ptrdiff_t>(narrow)});
    int compared = 0;
    for (int s = 0; s < count; ++s)
      for (int row = 0; row < model.nv; ++row)
        for (int c = 0; c < other.columns(); ++c) {
          std::size_t from = 0;
          while (!(all[from] == some[static_cast<std::size_t>(c)])) ++from;
          const std::size_t place = cell(row, whole.columns(), static_cast<int>(from));
          const double there = Y[static_cast<std::size_t>(s) * wide + place];
          CHECK(std::abs(Z[static_cast<std::size_t>(s) * narrow + cell(row, other.columns(), c)] - there) <
                1e-12 * (1 + std::abs(there)));
          ++compared;
        }
    CHECK(compared == count * model.nv * other.columns());
  }
}

TEST_CASE("rows of terms: one that is no number spoils no other, threads change no bit, and nothing is allocated") {
  Random random(2704);
  for (const char* name : {"puma560", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const int n = model.nv, count = 3000;
    const std::size_t bodies = model.bodies.size();
    TermStates x(random, model, count, 0);
    struct Answers {
      Numbers X, L, C, Y;
    };
    const auto all = [&](Dynamics& dynamics, RegressorRows& regressor, Answers& out) {
      const auto Y_size = static_cast<std::ptrdiff_t>(cells(n, regressor.columns()));
      REQUIRE(dynamics.poses(count, x.rows(x.q), {out.X.data(), static_cast<std::ptrdiff_t>(12 * bodies)}));
      REQUIRE(dynamics.link_poses(count, x.rows(x.q), {out.L.data(), static_cast<std::ptrdiff_t>(16 * bodies)}));
      REQUIRE(dynamics.coriolis_matrix(count, x.rows(x.q), x.rows(x.qd), {out.C.data(), n * n}));
      regressor.at(count, x.rows(x.q), x.rows(x.qd), x.rows(x.qdd), {out.Y.data(), Y_size});
    };
    Dynamics one(model), several(model, {.threads = 3});
    RegressorRows one_regressor(model, dynamic_parameters(model)),
        several_regressors(model, dynamic_parameters(model), {.threads = 3});
    const std::size_t states = count, Y_size = cells(n, one_regressor.columns());
    Answers sound{Numbers(12 * bodies * states), Numbers(16 * bodies * states), Numbers(states * cells(n, n)),
                  Numbers(states * Y_size)};
    Answers other = sound, spoiled = sound;
    all(one, one_regressor, sound);
    const long before = allocations;
    all(one, one_regressor, other);
    CHECK(allocations == before);
    const auto equal = [&] {
      return sound.X == other.X && sound.L == other.L && sound.C == other.C && sound.Y == other.Y;
    };
    CHECK(equal());
    all(several, several_regressors, other);
    CHECK(equal());

    // and those in later pieces are what they are alone
    for (const int s : {0, 255, 256, 1500, count - 1}) {
      CAPTURE(s);
      const View q = x.row(x.q, s), qd = x.row(x.qd, s);
      Numbers links(16 * bodies), C(cells(n, n)), Y(Y_size);
      REQUIRE(one.link_poses(q, links));
      REQUIRE(one.coriolis_matrix(q, qd, C));
      one_regressor.at(q, qd, x.row(x.qdd, s), Y);
      const auto row = [&](const Numbers& of, std::size_t size) {
        return part(of, static_cast<std::ptrdiff_t>(size), s, size);
      };
      CHECK(difference(row(sound.L, 16 * bodies), links) < 1e-12 * (1 + largest(links)));
      CHECK(difference(row(sound.C, cells(n, n)), C) < 1e-11 * (1 + largest(C)));
      CHECK(difference(row(sound.Y, Y_size), Y) < 1e-11 * (1 + largest(Y)));
    }

    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    x.q[static_cast<std::size_t>(5 * x.q_stride + x.nq - 1)] = none;
    x.qd[static_cast<std::size_t>(77 * x.v_stride + n - 1)] = none;
    all(one, one_regressor, spoiled);
    int looked_at = 0;
    const auto look = [&](const Numbers& now, const Numbers& before_that, std::size_t size,
                          std::initializer_list<int> bad) {
      for (int s = 0; s < count; ++s) {
        const View row = part(now, static_cast<std::ptrdiff_t>(size), s, size),
                   expected = part(before_that, static_cast<std::ptrdiff_t>(size), s, size);
        ++looked_at;
        if (std::ranges::find(bad, s) != bad.end())
          CHECK(std::ranges::any_of(row, [](double y) { return std::isnan(y); }));
        else  // sines beside one that is none may differ in their last digit
          CHECK(difference(row, expected) < 1e-11 * (1 + largest(expected)));
      }
    };
    look(spoiled.X, sound.X, 12 * bodies, {5});
    look(spoiled.L, sound.L, 16 * bodies, {5});
    look(spoiled.C, sound.C, cells(n, n), {5, 77});
    look(spoiled.Y, sound.Y, Y_size, {5, 77});
    CHECK(looked_at == 4 * count);
  }
}

TEST_CASE("robots with loops answer rows of poses and Coriolis matrices one state after the other") {
  for (const Robot& robot : loop_robots()) {
    CAPTURE(robot.name());
    Dynamics dynamics(robot);
    Numbers q;
    for (const int k : robot.loops()->q) q.push_back(robot.loops()->reference[static_cast<std::size_t>(k)]);
    const Numbers qd(static_cast<std::size_t>(robot.nv()), 0.3);
    const std::size_t bodies = robot.tree().bodies.size(), n = qd.size();
    std::vector<Transform<double>> X(bodies);
    Numbers links(16 * bodies), C(n * n), X_rows(24 * bodies), link_rows(32 * bodies), C_rows(2 * n * n);
    REQUIRE(dynamics.poses(q, X));
    REQUIRE(dynamics.link_poses(q, links));
    REQUIRE(dynamics.coriolis_matrix(q, qd, C));
    const StateRows<const double> q_rows{q.data(), 0}, qd_rows{qd.data(), 0};
    REQUIRE(dynamics.poses(2, q_rows, {X_rows.data(), static_cast<std::ptrdiff_t>(12 * bodies)}));
    REQUIRE(dynamics.link_poses(2, q_rows, {link_rows.data(), static_cast<std::ptrdiff_t>(16 * bodies)}));
    REQUIRE(dynamics.coriolis_matrix(2, q_rows, qd_rows, {C_rows.data(), static_cast<std::ptrdiff_t>(n * n)}));
    for (std::size_t s = 0; s < 2; ++s) {
      for (std::size_t i = 0; i < bodies; ++i) {
        double row[12], matrix[16];
        write_pose_row(X[i], row);
        write_pose_matrix(X[i] * robot.tree().bodies[i].link, matrix);
        CHECK(difference(View(row), View(X_rows).subspan(12 * (s * bodies + i), 12)) < 1e-12);
        CHECK(difference(View(matrix), View(link_rows).subspan(16 * (s * bodies + i), 16)) < 1e-12);
        CHECK(difference(View(matrix), View(links).subspan(16 * i, 16)) < 1e-12);
      }
      CHECK(difference(C, View(C_rows).subspan(s * n * n, n * n)) < 1e-9 * (1 + largest(C)));
    }
  }
}

TEST_CASE("a position that is no number is told from the poses of any branch") {
  const Model<double> model = built(*load_robot("two_arm"));
  Dynamics dynamics(model);
  std::vector<Transform<double>> X(model.bodies.size());
  Numbers links(16 * X.size());
  for (int k = 0; k < model.nq; ++k) {
    Numbers q(static_cast<std::size_t>(model.nq), 0.2);
    REQUIRE(dynamics.poses(q, X));
    REQUIRE(dynamics.link_poses(q, links));
    q[static_cast<std::size_t>(k)] = std::numeric_limits<double>::quiet_NaN();
    CHECK(dynamics.poses(q, X).kind == Status::not_finite);
    CHECK(dynamics.link_poses(q, links).kind == Status::not_finite);
  }
}

TEST_CASE("spans and rows of terms of a wrong size are refused") {
  Dynamics dynamics(Robot::load("puma560"));
  const Numbers six(6, 0.1), five(5, 0.1);
  Numbers out(96, nothing), few(95, nothing);
  CHECK(dynamics.link_poses(five, out).kind == Status::wrong_size);
  CHECK(dynamics.link_poses(six, few).kind == Status::wrong_size);
  const StateRows<const double> q{six.data(), 0};
  CHECK(dynamics.poses(2, q, {out.data(), 71}).kind == Status::wrong_size);
  CHECK(dynamics.link_poses(2, q, {out.data(), 95}).kind == Status::wrong_size);
  CHECK(dynamics.coriolis_matrix(2, q, {}, {out.data(), 36}).kind == Status::wrong_size);
  CHECK(dynamics.coriolis_matrix(2, q, q, {out.data(), 35}).kind == Status::wrong_size);
  for (const double x : out) CHECK(x == nothing);
  CHECK(dynamics.link_poses(six, out));
}
