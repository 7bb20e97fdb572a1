#include "torsor/fast/batch_dynamics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/measure.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/fast/fast_dynamics.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

template <class Real>
struct States {
  States(Random& random, const Model<double>& model, int count, int gap = 0)
      : q_stride(model.nq + gap), v_stride(model.nv + gap), q(count * q_stride), qd(count * v_stride), qdd(qd) {
    for (int k = 0; k < count; ++k) {
      const State state = random_state(random, model);
      for (int i = 0; i < model.nq; ++i) q[k * q_stride + i] = static_cast<Real>(state.q[i]);
      for (int i = 0; i < model.nv; ++i) qd[k * v_stride + i] = static_cast<Real>(state.qd[i]);
      for (int i = 0; i < model.nv; ++i) qdd[k * v_stride + i] = static_cast<Real>(state.qdd[i]);
    }
  }
  StateRows<const Real> q_rows() const { return {q.data(), q_stride}; }
  StateRows<const Real> qd_rows() const { return {qd.data(), v_stride}; }
  StateRows<const Real> qdd_rows() const { return {qdd.data(), v_stride}; }

  std::ptrdiff_t q_stride, v_stride;
  std::vector<Real> q, qd, qdd;
};

Numbers as_doubles(const auto* from, std::ptrdiff_t count) { return Numbers(from, from + count); }

// every question, row by row, against the tree algorithms over double
template <class Real>
void compare(Random& random, const Model<double>& model, InstructionSet set, int count, double bound) {
  const std::ptrdiff_t nv = model.nv;
  const States<Real> x(random, model, count, random.below(3));
  BatchDynamics<Real> batch(model, {.instruction_set = set});
  TreeDynamics<double> tree(model);
  const std::ptrdiff_t out = nv + 2;
  std::vector<Real> tau(count * out, Real(-7)), M(count * nv * nv), back(count * nv);
  batch.inverse(count, x.q_rows(), x.qd_rows(), x.qdd_rows(), {tau.data(), out});
  batch.mass(count, x.q_rows(), {M.data(), nv * nv});
  batch.forward(count, x.q_rows(), x.qd_rows(), {tau.data(), out}, {back.data(), nv});
  for (int k = 0; k < count; ++k) {
    CAPTURE(k);
    const Numbers q = as_doubles(&x.q[k * x.q_stride], model.nq), qd = as_doubles(&x.qd[k * x.v_stride], nv),
                  qdd = as_doubles(&x.qdd[k * x.v_stride], nv), row = as_doubles(&tau[k * out], nv);
    Numbers expected(static_cast<std::size_t>(nv)), masses(static_cast<std::size_t>(nv * nv)), again(expected);
    tree.inverse(q, qd, qdd, expected);
    tree.mass(q, masses);
    tree.bias(q, qd, again);
    // against the shares of tau, which may cancel
    const double size = largest(times(masses, qdd)) + largest(again);
    CHECK(difference(row, expected) < bound * size);
    CHECK(tau[k * out + nv] == Real(-7));  // beside the row nothing is written
    CHECK(relative(as_doubles(&M[k * nv * nv], nv * nv), masses) < bound);
    // the accelerations it finds take the torques it was given
    tree.inverse(q, qd, as_doubles(&back[k * nv], nv), again);
    CHECK(difference(again, row) < 40 * bound * size);
  }
}

}  // namespace

TEST_CASE("batches of any robot, of any length, on any machine, equal the tree algorithms row by row") {
  Random random(1);
  int canonical = 0, trees = 0;
  for (int k = 0; k < draws(60); ++k) {
    const RobotOptions options{.links = 1 + random.below(9),
                               .branching = random.chance(0.5) ? 0 : 0.3,
                               .one_dof = random.chance(0.7),
                               .floating = random.chance(0.2),
                               .rotors = true,
                               .friction = true,
                               .mimics = random.chance(0.2),
                               .transmission = random.chance(0.3)};
    const Model<double> model = random.chance(0.4)
                                    ? built(random_dh_arm(random, 1 + random.below(14), Convention::modified_dh, 0.2))
                                    : built(random_robot(random, options).description);
    if (model.nv == 0) continue;
    CAPTURE(k);
    for (const InstructionSet set : instruction_sets()) {
      CAPTURE(name(set));
      (BatchDynamics<double>(model).canonical() ? canonical : trees) += 1;
      compare<double>(random, model, set, 1 + random.below(40), 1e-13);
    }
  }
  CHECK(canonical > 10);
  CHECK(trees > 10);
}

TEST_CASE("single precision is good to a few parts in a million") {
  Random random(2);
  for (const char* name : {"puma560", "panda", "ur5", "stanford", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    for (const InstructionSet set : instruction_sets()) compare<float>(random, model, set, 33, 5e-6);
  }
}

TEST_CASE("a state that is no number spoils its own answer and no other") {
  Random random(3);
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : {"puma560", "two_arm"}) {
    const Model<double> model = built(*load_robot(name));
    const std::ptrdiff_t nv = model.nv;
    for (const InstructionSet set : instruction_sets())
      for (const double bad : {nan, inf}) {
        States<double> x(random, model, 21);
        Numbers clean(21 * nv), spoiled(21 * nv);
        BatchDynamics<double> batch(model, {.instruction_set = set});
        batch.inverse(21, x.q_rows(), x.qd_rows(), x.qdd_rows(), {clean.data(), nv});
        x.q[5 * x.q_stride + 1] = bad;
        x.qd[11 * x.v_stride] = bad;
        x.q[17 * x.q_stride] = bad;
        batch.inverse(21, x.q_rows(), x.qd_rows(), x.qdd_rows(), {spoiled.data(), nv});
        for (int k = 0; k < 21; ++k) {
          CAPTURE(k);
          const std::span row = std::span(spoiled).subspan(k * nv, nv), before = std::span(clean).subspan(k * nv, nv);
          if (k == 5 || k == 11 || k == 17)
            CHECK(std::isnan(largest(row)));
          else  // its neighbour's angle sends it through the library's sine: equal to rounding
            CHECK(relative(row, before) < 1e-14);
        }
      }
  }
}

TEST_CASE("angles of any size keep their digits where frames are offset from those of the file") {
  Random random(31);
  Description tilted = *load_robot("puma560");
  tilted.gravity = {1, 2, -9};
  const Model<double> model = built(tilted);
  const std::ptrdiff_t nv = model.nv;
  TreeDynamics<double> tree(model);
  FastDynamics fast(model);
  for (const double size : {1e2, 1e5, 1e7, 1e22}) {
    CAPTURE(size);
    States<double> x(random, model, 19);
    for (int k = 0; k < 19; ++k)
      for (int i = 0; i < model.nq; ++i) x.q[k * x.q_stride + i] = random.uniform(-size, size);
    Numbers expected(static_cast<std::size_t>(nv)), one(expected), many(19 * expected.size());
    for (const InstructionSet set : instruction_sets()) {
      BatchDynamics<double> batch(model, {.instruction_set = set});
      batch.inverse(19, x.q_rows(), x.qd_rows(), x.qdd_rows(), {many.data(), nv});
      for (int k = 0; k < 19; ++k) {
        const auto row = [&](const Numbers& from, std::ptrdiff_t stride, std::ptrdiff_t n) {
          return std::span(from).subspan(static_cast<std::size_t>(k * stride), static_cast<std::size_t>(n));
        };
        const auto q = row(x.q, x.q_stride, model.nq), qd = row(x.qd, x.v_stride, nv), qdd = row(x.qdd, x.v_stride, nv);
        tree.inverse(q, qd, qdd, expected);
        fast.inverse(q, qd, qdd, one);
        CHECK(relative(one, expected) < 1e-13);
        CHECK(relative(row(many, nv, nv), expected) < 1e-13);
      }
    }
  }
}

TEST_CASE("several threads give bit for bit what one gives") {
  Random random(4);
  for (const char* name : {"panda", "two_arm"}) {
    const Model<double> model = built(*load_robot(name));
    const std::ptrdiff_t nv = model.nv;
    const int count = 5000;
    const States<double> x(random, model, count);
    Numbers one(count * nv), many(count * nv);
    BatchDynamics<double>(model).inverse(count, x.q_rows(), x.qd_rows(), x.qdd_rows(), {one.data(), nv});
    BatchDynamics<double> threads(model, {.threads = 3});
    CHECK(threads.threads() == 3);
    for (int k = 0; k < 5; ++k) {
      std::fill(many.begin(), many.end(), 0.0);
      threads.inverse(count, x.q_rows(), x.qd_rows(), x.qdd_rows(), {many.data(), nv});
      CHECK(one == many);
    }
  }
}

TEST_CASE("the base may move, and rates may be left out") {
  Random random(5);
  for (const char* name : {"puma560", "two_arm"}) {
    const Model<double> model = built(*load_robot(name));
    const std::ptrdiff_t nv = model.nv;
    const States<double> x(random, model, 9);
    TreeDynamics<double> tree(model);
    BatchDynamics<double> batch(model);
    Numbers tau(9 * nv), expected(static_cast<std::size_t>(nv));
    tree.loads.base = {random.vector(1), random.vector(1), random.vector(1)};
    batch.set_loads({tree.loads.base, {}});
    batch.inverse(9, x.q_rows(), {}, {}, {tau.data(), nv});
    for (int k = 0; k < 9; ++k) {
      tree.inverse(std::span(x.q).subspan(k * x.q_stride, model.nq), {}, {}, expected);
      CHECK(relative(std::span(tau).subspan(k * nv, nv), expected) < 1e-13);
    }
  }
}

TEST_CASE(
    "forces from outside act on all states: at the tip, elsewhere, with a base that moves, and are taken off again") {
  Random random(51);
  for (int k = 0; k < draws(30); ++k) {
    CAPTURE(k);
    const bool arm = k % 3 != 0;
    const Model<double> model =
        arm ? built(random_dh_arm(random, 2 + random.below(12), Convention::modified_dh, 0.25))
            : built(random_robot(random,
                                 {.links = 2 + random.below(6), .branching = 0.3, .rotors = true, .friction = true})
                        .description);
    if (model.nv == 0) continue;
    const std::ptrdiff_t nv = model.nv;
    const int count = 1 + random.below(20);
    const States<double> x(random, model, count);
    TreeDynamics<double> tree(model);
    std::vector<Force<double>> tip(model.bodies.size());
    tip.back() = random.force(10);
    const std::vector<Force<double>> all = random_forces(random, model, 5);
    const BaseMotion<double> moving{random.vector(1), random.vector(2), random.vector(3)};
    for (const InstructionSet set : instruction_sets()) {
      BatchDynamics<double> batch(model, {.threads = 1 + k % 2, .instruction_set = set});
      for (const BodyLoads<double>& loads :
           {BodyLoads<double>{{}, tip}, BodyLoads<double>{moving, tip}, BodyLoads<double>{moving, all},
            BodyLoads<double>{{}, all}, BodyLoads<double>{moving, {}}, BodyLoads<double>{}}) {
        tree.loads = loads;
        batch.set_loads(loads);
        Numbers tau(static_cast<std::size_t>(count * nv)), back(tau), expected(static_cast<std::size_t>(nv)),
            bias(expected), masses(cells(model.nv, model.nv));
        batch.inverse(count, x.q_rows(), x.qd_rows(), x.qdd_rows(), {tau.data(), nv});
        batch.forward(count, x.q_rows(), x.qd_rows(), {tau.data(), nv}, {back.data(), nv});
        for (int i = 0; i < count; ++i) {
          const Numbers q = as_doubles(&x.q[i * x.q_stride], model.nq), qd = as_doubles(&x.qd[i * x.v_stride], nv),
                        qdd = as_doubles(&x.qdd[i * x.v_stride], nv), row = as_doubles(&tau[i * nv], nv);
          tree.inverse(q, qd, qdd, expected);
          tree.bias(q, qd, bias);
          tree.mass(q, masses);
          const double size = largest(times(masses, qdd)) + largest(bias);
          CHECK(difference(row, expected) < 1e-13 * size);
          tree.inverse(q, qd, as_doubles(&back[i * nv], nv), expected);
          CHECK(difference(row, expected) < 40 * 1e-13 * size);
        }
      }
    }
  }
}

TEST_CASE("Coriolis efforts are what the Coriolis matrix makes of the velocities, one by one and in rows") {
  Random random(52);
  for (int k = 0; k < draws(40); ++k) {
    CAPTURE(k);
    const Model<double> model =
        k % 2 == 0
            ? built(random_dh_arm(random, 1 + random.below(12), Convention::modified_dh, 0.25))
            : built(random_robot(random,
                                 {.links = 1 + random.below(7), .branching = 0.3, .rotors = true, .friction = true})
                        .description);
    if (model.nv == 0) continue;
    const std::ptrdiff_t nv = model.nv;
    const States<double> x(random, model, 11);
    Configuration<double> at(model);
    CoriolisWork<double> work(model);
    TreeDynamics<double> tree(model);
    Numbers C(cells(model.nv, model.nv)), M(C), one(static_cast<std::size_t>(nv));
    for (const InstructionSet set : instruction_sets()) {
      FastDynamics fast(model, set);
      BatchDynamics<double> batch(model, {.instruction_set = set});
      // loads are none of it
      fast.set_loads({{random.vector(1), random.vector(1), random.vector(1)}, {}});
      batch.set_loads({{random.vector(1), random.vector(1), random.vector(1)}, {}});
      Numbers many(static_cast<std::size_t>(11 * nv));
      batch.coriolis(11, x.q_rows(), x.qd_rows(), {many.data(), nv});
      for (int i = 0; i < 11; ++i) {
        const Numbers q = as_doubles(&x.q[i * x.q_stride], model.nq), qd = as_doubles(&x.qd[i * x.v_stride], nv);
        at.set(model, q);
        coriolis_matrix<double>(model, at, qd, work, C);
        const Numbers expected = times(C, qd);
        // of the products that make them, which cancel in the matrix of a single joint
        tree.mass(q, M);
        const double size = largest(M) * largest(qd) * largest(qd);
        fast.coriolis(q, qd, one);
        CHECK(difference(one, expected) < 1e-13 * size);
        CHECK(difference(as_doubles(&many[i * nv], nv), expected) < 1e-13 * size);
      }
    }
  }
}

TEST_CASE("poses and Jacobians of tools come in rows") {
  Random random(6);
  for (const char* name : {"puma560", "iiwa14", "scara", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const States<double> x(random, model, 13);
    FastDynamics one(model);
    for (const InstructionSet set : instruction_sets()) {
      Numbers pose(13 * 12), J(13 * 6 * model.nv), own(6 * model.nv);
      BatchDynamics<double>(model, {.instruction_set = set})
          .tool(13, x.q_rows(), {pose.data(), 12}, {J.data(), 6 * model.nv});
      for (int k = 0; k < 13; ++k) {
        const Transform<double> X = one.tool_pose_and_jacobian(std::span(x.q).subspan(k * x.q_stride, model.nq), own);
        CHECK(difference(std::span(pose).subspan(k * 12, 12), flat(X)) < 1e-13);
        CHECK(difference(std::span(J).subspan(k * own.size(), own.size()), own) < 1e-13);
      }
    }
  }
}
