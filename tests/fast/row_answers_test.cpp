// Answers in several parts for rows, beside those of one state: of the robot of each row alone, under its loads.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/allocations.hpp"
#include "tests/support/drawn_rows.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/formulations/coefficients_composite_body.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/model/joint_displacement.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Room for rows of an answer, one number apart, and the rows that were written.
template <class Real = double>
struct AnswerRoom {
  AnswerRoom(std::int64_t states, std::int64_t wide)
      : width(wide), numbers(static_cast<std::size_t>(states * (wide + 1)), Real(-7)) {}
  StateRows<Real> rows() { return {numbers.data(), width + 1}; }
  Numbers row(std::int64_t s) const {
    CHECK(numbers[static_cast<std::size_t>((s + 1) * (width + 1) - 1)] == Real(-7));
    const auto begin = numbers.begin() + s * (width + 1);
    return Numbers(begin, begin + width);
  }
  std::int64_t width;
  std::vector<Real> numbers;
};

Numbers six(const Force<double>& f) { return {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z}; }
Numbers three(const Vec3<double>& x) { return {x.x, x.y, x.z}; }
Numbers both(const Vec3<double>& a, const Vec3<double>& b) { return {a.x, a.y, a.z, b.x, b.y, b.z}; }
Numbers product(View A, View x) {
  Numbers out(A.size() / x.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = 0; k < x.size(); ++k) out[i] += A[i * x.size() + k] * x[k];
  return out;
}

void check_near(View found, View expected, double tolerance) {
  CHECK(difference(found, expected) < tolerance * (1 + largest(expected)));
}

/// The position after displacements along the velocities.
Numbers displaced(const Model<double>& model, const Numbers& q, const Numbers& along) {
  Numbers out = q;
  for (const Body<double>& b : model.bodies)
    if (b.nv == 1)
      out[static_cast<std::size_t>(b.q)] = q[static_cast<std::size_t>(b.q)] + along[static_cast<std::size_t>(b.v)];
    else if (b.nv > 1)
      displace_joint(b.kind, q.data() + b.q, along.data() + b.v, out.data() + b.q);
  return out;
}

Friction<double> plain_friction(Random& random) {
  Friction<double> law;
  law.viscous = random.uniform(0, 2);
  law.coulomb_positive = random.uniform(0, 2);
  law.coulomb_negative = random.uniform(0, 2);
  return law;
}

/// All answers of one call after the other, part by part.
template <class Real>
struct AllAnswers {
  AllAnswers(const Model<double>& model, std::int64_t states)
      : n(model.nv),
        parts{{states, n},
              {states, n * n},
              {states, n * n},
              {states, n * n},
              {states, n},
              {states, n * n},
              {states, n * n},
              {states, n * n},
              {states, 1},
              {states, 1},
              {states, 3},
              {states, 6},
              {states, 6},
              {states, 6 * n},
              {states, 12},
              {states, 6},
              {states, 6},
              {states, 6 * n},
              {states, 6 * n},
              {states, n},
              {states, 6 * model.size()},
              {states, n * n},
              {states, n * n},
              {states, n},
              {states, n},
              {states, n},
              {states, n},
              {states, n},
              {states, 6 * model.size()},
              {states, 1},
              {states, 1},
              {states, 3},
              {states, 6}} {}
  void ask(RowDynamics& rows, std::int64_t states, StateRows<const Real> q, StateRows<const Real> qd,
           StateRows<const Real> a, const Frame<double>& frame, const LoadsOfRows& loads = {},
           StateRows<const double> own_frames = {}) {
    std::size_t k = 0;
    const auto next = [&] { return parts[k++].rows(); };
    const InverseDerivativesOfRows<Real> id{next(), next(), next(), next()};
    REQUIRE(rows.inverse_derivatives(states, q, qd, a, id, loads));
    const ForwardDerivativesOfRows<Real> fd{next(), next(), next(), next()};
    REQUIRE(rows.forward_derivatives(states, q, qd, a, fd, loads));
    const MomentumOfRows<Real> momentum{next(), next(), next(), next(), next(), next()};
    REQUIRE(rows.momentum(states, q, qd, momentum));
    const FrameMotionOfRows<Real> motion{next(), next(), next(), next(), next()};
    REQUIRE(rows.frame_motion(states, q, qd, a, frame, motion, own_frames));
    const auto tau = next();
    REQUIRE(rows.reactions(states, q, qd, a, tau, next(), loads));
    const TermsOfRows<Real> terms{next(), next(), next(), next(), next(), next(),
                                  next(), next(), next(), next(), next(), next()};
    REQUIRE(rows.terms(states, q, qd, a, terms, loads));
    REQUIRE(k == parts.size());
  }
  std::int64_t n;
  std::vector<AnswerRoom<Real>> parts;
};

}  // namespace

TEST_CASE("answers of rows are what the robot of each row alone has under its loads, on any machine") {
  Random random(2711);
  int loaded = 0, differing = 0, own_lengths = 0;
  for (int k = 0; k < draws(50); ++k) {
    CAPTURE(k);
    Model<double> model = arm_or_tree(random, k);
    const int n = model.nv;
    if (n == 0) continue;
    // friction that lanes know, of every third; others have laws that they do not, or none
    if (k % 3 == 0) {
      model.friction.clear();
      for (int i = 0; i < model.size(); ++i)
        if (model[i].nv == 1) model.friction.push_back({i, plain_friction(random)});
    }
    const int count = 1 + random.below(13), laps = 1 + random.below(2), states = count * laps, gap = random.below(3);
    const int which = random.chance(0.3) ? 0 : random.below(16);
    const bool differ = random.chance(0.5);
    const DrawnRobots robots(random, model, count);
    const DrawnRows x(random, model, states, gap);
    Frame<double> frame;
    frame.body = random.below(model.size());
    frame.X_body_frame = random.transform(0.3);
    // where the frame is on each robot, or on all of them
    const bool lengths = differ && random.chance(0.5);
    std::vector<Transform<double>> frames;
    Numbers frame_rows;
    for (int row = 0; lengths && row < count; ++row) {
      const auto& [R, p] = frames.emplace_back(random.transform(0.3));
      for (const double y :
           {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z, p.x, p.y, p.z, 7.0})
        frame_rows.push_back(y);
    }
    loaded += which != 0, differing += differ, own_lengths += lengths;
    for (const InstructionSet set : instruction_sets()) {
      CAPTURE(name(set));
      RowDynamics rows(model, {.instruction_set = set});
      if (differ) REQUIRE(rows.set_robots(robots.all(lengths)));
      AllAnswers<double> all(model, states);
      const StateRows<const double> own_frames{frame_rows.empty() ? nullptr : frame_rows.data(), 13};
      all.ask(rows, states, x.rows(x.q, model.nq), x.rows(x.qd, n), x.rows(x.a, n), frame, x.loads(which, frame),
              own_frames);
      for (int s = 0; s < states; ++s) {
        CAPTURE(s);
        Model<double> own = rows.robot(s % count);
        const Vec3<double> gravity = own.gravity;
        Loads acting;
        x.put(which, s, frame, own, acting);
        // another gravity as what the base feels
        acting.base.a += gravity - own.gravity;
        own.gravity = gravity;
        Dynamics dynamics(own);
        dynamics.set_loads(acting);
        const View q = x.row(x.q, s, model.nq), qd = x.row(x.qd, s, n), a = x.row(x.a, s, n);
        const std::size_t length = static_cast<std::size_t>(n), bodies = own.bodies.size();
        Numbers tau(length), A(length * length), B(A), C(A), J(6 * length);
        std::size_t part = 0;
        const auto next = [&] { return all.parts[part++].row(s); };

        REQUIRE(dynamics.inverse(q, qd, a, tau, {A, B, C}));
        check_near(next(), tau, 1e-11);
        check_near(next(), A, 1e-10);
        check_near(next(), B, 1e-10);
        check_near(next(), C, 1e-11);
        REQUIRE(dynamics.forward(q, qd, a, tau, {A, B, C}));
        check_near(next(), tau, 1e-8);
        check_near(next(), A, 1e-7);
        check_near(next(), B, 1e-7);
        check_near(next(), C, 1e-8);

        Energy<double> energy;
        REQUIRE(dynamics.energy(q, qd, energy));
        const Vec3<double> centre = energy.first_moment * (1 / energy.mass);
        const Force<double> about_centre{momentum_about_mass_centre(energy), energy.momentum.f};
        const double reach = 1 + largest(three(centre));
        const auto check_energy = [&](View momentum) { check_near(momentum, six(energy.momentum), 1e-11 * reach); };
        check_near(next(), Numbers{energy.kinetic}, 1e-11);
        check_near(next(), Numbers{energy.potential}, 1e-11);
        check_near(next(), three(centre), 1e-11);
        check_energy(next());
        const Numbers momentum = next(), matrix = next();
        check_near(momentum, six(about_centre), 1e-11 * reach);
        check_near(product(matrix, qd), momentum, 1e-10);

        FrameMotions motions(own);
        motions.set(own, q, qd, a);
        Frame<double> own_frame = frame;
        if (lengths) own_frame.X_body_frame = frames[static_cast<std::size_t>(s % count)];
        const FrameMotion motion = motions.of(own_frame);
        Transform<double> X;
        REQUIRE(dynamics.frame(q, own_frame, X, J));
        const Numbers pose = next();
        check_near(View(pose).subspan(9), three(X.p), 1e-12);
        CHECK(std::abs(pose[0] - X.R.x.x) + std::abs(pose[5] - X.R.z.y) + std::abs(pose[7] - X.R.y.z) < 1e-12);
        check_near(next(), both(motion.w, motion.v), 1e-11 * reach);
        const Numbers acceleration = next();
        check_near(acceleration, both(motion.wd, motion.a), 1e-10 * reach);
        const Numbers J_row = next(), Jd_row = next();
        check_near(J_row, J, 1e-12 * reach);
        Numbers sum = product(J_row, a);
        const Numbers bias = product(Jd_row, qd);
        for (std::size_t i = 0; i < 6; ++i) sum[i] += bias[i];
        check_near(acceleration, sum, 1e-10 * reach);

        std::vector<Force<double>> forces(bodies);
        const auto numbers_of = [&] {
          Numbers out;
          for (const Force<double>& f : forces) {
            const Numbers row = six(f);
            out.insert(out.end(), row.begin(), row.end());
          }
          return out;
        };
        REQUIRE(dynamics.inverse(q, qd, a, tau));
        check_near(next(), tau, 1e-11);
        Numbers without_friction(length);
        REQUIRE(dynamics.reactions(q, qd, a, without_friction, forces));
        check_near(next(), numbers_of(), 1e-11);

        Numbers t[5] = {tau, tau, tau, tau, tau};
        REQUIRE(dynamics.terms(q, qd, a, {A, B, t[0], t[1], t[2], t[3], t[4], forces, energy}));
        check_near(next(), A, 1e-11);
        check_near(next(), B, 1e-10);
        const double torques = 1 + largest(t[0]) + largest(t[3]);
        for (const Numbers& expected : t) CHECK(difference(next(), expected) < 1e-10 * torques);
        check_near(next(), numbers_of(), 1e-11);
        check_near(next(), Numbers{energy.kinetic}, 1e-11);
        check_near(next(), Numbers{energy.potential}, 1e-11);
        check_near(next(), three(centre), 1e-11);
        check_energy(next());
        REQUIRE(part == all.parts.size());
      }
    }
  }
  CHECK(loaded > 15);
  CHECK(differing > 10);
  CHECK(own_lengths > 5);
}

TEST_CASE(
    "derivatives of rows are what differences of torques tend to, and the momentum matrix moves the mass centre") {
  Random random(2712);
  for (int k = 0; k < draws(24); ++k) {
    CAPTURE(k);
    const Model<double> model = arm_or_tree(random, k);
    const int n = model.nv;
    if (n == 0) continue;
    const auto length = static_cast<std::size_t>(n);
    const State s = random_state(random, model);
    RowDynamics rows(model);
    AnswerRoom<> dq(1, n * n), dqd(1, n * n), matrix(1, 6 * n);
    const StateRows<const double> at{s.q.data(), 0}, qd{s.qd.data(), 0}, qdd{s.qdd.data(), 0};
    REQUIRE(rows.inverse_derivatives(1, at, qd, qdd, {{}, dq.rows(), dqd.rows(), {}}));
    REQUIRE(rows.momentum(1, at, qd, {.matrix = matrix.rows()}));
    // two positions and two speeds for each coordinate, all in one call
    constexpr double step = 1e-5;
    Numbers q_all, qd_all;
    for (int v = 0; v < 2 * n; ++v)
      for (const double sign : {1.0, -1.0}) {
        Numbers along(length), q = s.q, rates = s.qd;
        along[static_cast<std::size_t>(v % n)] = sign * step;
        if (v < n)
          q = displaced(model, s.q, along);
        else
          rates[static_cast<std::size_t>(v % n)] += sign * step;
        q_all.insert(q_all.end(), q.begin(), q.end());
        qd_all.insert(qd_all.end(), rates.begin(), rates.end());
      }
    const std::int64_t states = 4 * n;
    Numbers tau(static_cast<std::size_t>(states * n)), centre(static_cast<std::size_t>(states * 3)), kinetic(1);
    REQUIRE(rows.inverse(states, {q_all.data(), model.nq}, {qd_all.data(), n}, qdd, {tau.data(), n}));
    REQUIRE(rows.momentum(states, {q_all.data(), model.nq}, {qd_all.data(), n}, {.mass_centre = {centre.data(), 3}}));
    double mass = 0;
    for (const Body<double>& b : model.bodies) mass += b.inertia.m;
    const Numbers by_q = dq.row(0), by_qd = dqd.row(0), A = matrix.row(0);
    const double size = 1 + largest(by_q) + largest(by_qd);
    for (std::size_t v = 0; v < 2 * length; ++v)
      for (std::size_t i = 0; i < length; ++i) {
        const double slope = (tau[2 * v * length + i] - tau[(2 * v + 1) * length + i]) / (2 * step);
        CHECK(std::abs(slope - (v < length ? by_q[i * length + v] : by_qd[i * length + v - length])) < 1e-6 * size);
      }
    for (std::size_t v = 0; v < length; ++v)
      for (std::size_t i = 0; i < 3; ++i) {
        const double slope = (centre[2 * v * 3 + i] - centre[(2 * v + 1) * 3 + i]) / (2 * step);
        CHECK(std::abs(mass * slope - A[(3 + i) * length + v]) < 1e-6 * (1 + largest(A)));
      }
  }
}

TEST_CASE("Christoffel coefficients of rows are those of the composite bodies, and make the Coriolis matrix") {
  Random random(2715);
  int refused = 0;
  for (int k = 0; k < draws(40); ++k) {
    CAPTURE(k);
    const Model<double> model = arm_or_tree(random, k);
    const int n = model.nv, count = 1 + random.below(19);
    if (n == 0) continue;
    const bool of_one = std::ranges::all_of(model.bodies, [](const Body<double>& b) { return b.nv <= 1; });
    const DrawnRows x(random, model, count, 1);
    const auto length = static_cast<std::size_t>(n);
    for (const InstructionSet set : instruction_sets()) {
      CAPTURE(name(set));
      RowDynamics rows(model, {.instruction_set = set});
      AnswerRoom<> h(count, n * n * n);
      const Status status = rows.christoffel(count, x.rows(x.q, model.nq), h.rows());
      refused += !of_one;
      REQUIRE(status.kind == (of_one ? Status::ok : Status::not_prepared));
      Dynamics dynamics(model);
      CoefficientsWork<double> work(of_one ? model : Model<double>());
      for (int s = 0; of_one && s < count; ++s) {
        const View q = x.row(x.q, s, model.nq), qd = x.row(x.qd, s, n);
        const Numbers found = h.row(s);
        Numbers expected(found.size()), C(length * length);
        Configuration<double> configuration(model);
        configuration.set(model, q);
        christoffel_composite_body<double>(model, configuration, work, expected);
        check_near(found, expected, 1e-11);
        REQUIRE(dynamics.coriolis_matrix(q, qd, C));
        check_near(product(found, qd), C, 1e-11);
      }
    }
  }
  CHECK(refused > 10);
}

TEST_CASE("answers of rows: one that is no number spoils no other, threads change no bit, and nothing is allocated") {
  Random random(2713);
  for (const char* name : {"puma560", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const int n = model.nv, nq = model.nq, count = 700;
    DrawnRows x(random, model, count, 0);
    Frame<double> frame;
    frame.body = model.size() - 1;
    const LoadsOfRows loads = x.loads(7, frame);
    RowDynamics one(model), several(model, {.threads = 8});
    AllAnswers<double> sound(model, count), other(model, count), spoiled(model, count);
    const auto ask = [&](RowDynamics& rows, AllAnswers<double>& out) {
      out.ask(rows, count, x.rows(x.q, nq), x.rows(x.qd, n), x.rows(x.a, n), frame, loads);
    };
    const auto equal = [&] {
      bool all = true;
      for (std::size_t k = 0; k < sound.parts.size(); ++k)
        all = all && sound.parts[k].numbers == other.parts[k].numbers;
      return all;
    };
    ask(one, sound);
    const long before = allocations;
    ask(one, other);
    CHECK(allocations == before);
    CHECK(equal());
    ask(several, other);
    CHECK(equal());

    x.q[static_cast<std::size_t>(5 * nq + nq - 1)] = no_number;
    x.qd[static_cast<std::size_t>(77 * n + n - 1)] = no_number;
    x.wrench[6 * 300] = no_number;
    ask(one, spoiled);
    int spoiled_rows = 0;
    for (std::size_t k = 0; k < sound.parts.size(); ++k) {
      CAPTURE(k);
      for (int s = 0; s < count; ++s) {
        const Numbers now = spoiled.parts[k].row(s), expected = sound.parts[k].row(s);
        const bool numbers = std::ranges::all_of(now, [](double y) { return std::isfinite(y); });
        if (s == 5 || s == 77 || s == 300) {
          spoiled_rows += !numbers;
          continue;
        }
        REQUIRE(numbers);
        CHECK(difference(now, expected) < 1e-9 * (1 + largest(expected)));
      }
    }
    CHECK(spoiled_rows > 35);
  }
}

TEST_CASE("answers of rows of floats are those of doubles to single precision, of alike robots without loads") {
  Random random(2714);
  for (const char* name : {"puma560", "iiwa14", "two_arm", "floating"}) {
    CAPTURE(name);
    const Model<double> model = built(*load_robot(name));
    const int n = model.nv, count = 200;
    std::vector<float> q, qd, a;
    Numbers q_wide, qd_wide, a_wide;
    for (int s = 0; s < count; ++s) {
      const State state = random_state(random, model);
      const auto append = [](std::vector<float>& to, Numbers& wide, View row) {
        for (const double y : row) to.push_back(static_cast<float>(y)), wide.push_back(static_cast<double>(to.back()));
      };
      append(q, q_wide, state.q), append(qd, qd_wide, state.qd), append(a, a_wide, state.qdd);
    }
    RowDynamics rows(model);
    Frame<double> frame;
    frame.body = model.size() - 1;
    AllAnswers<double> doubles(model, count);
    AllAnswers<float> floats(model, count);
    doubles.ask(rows, count, {q_wide.data(), model.nq}, {qd_wide.data(), n}, {a_wide.data(), n}, frame);
    floats.ask(rows, count, {q.data(), model.nq}, {qd.data(), n}, {a.data(), n}, frame);
    double worst = 0, worst_forward = 0;
    for (std::size_t k = 0; k < doubles.parts.size(); ++k)
      for (int s = 0; s < count; ++s) {
        const Numbers expected = doubles.parts[k].row(s);
        const double share = difference(floats.parts[k].row(s), expected) / (1 + largest(expected));
        // accelerations lose what the condition of M takes
        double& of = k >= 4 && k < 8 ? worst_forward : worst;
        of = std::max(of, share);
      }
    MESSAGE(std::string(name) << ": " << worst << ", of forward dynamics " << worst_forward);
    CHECK(worst < 2e-5);
    CHECK(worst_forward < 1e-2);
    const StateRows<const float> row{q.data(), 0}, rates{qd.data(), 0};
    std::vector<float> forces(static_cast<std::size_t>(6 * model.size()));
    const Numbers g{0, 0, -1};
    LoadsOfRows gravity;
    gravity.gravity = {g.data(), 0};
    CHECK(rows.reactions(1, row, rates, {}, {}, {forces.data(), 0}, gravity).kind == Status::not_prepared);
    CHECK(rows.reactions(1, row, rates, {}, {}, {forces.data(), 0}));
  }
}

TEST_CASE("rows of answers that do not fit are refused, and a row without accelerations has no derivatives") {
  const Model<double> model = built(*load_robot("two_link"));
  std::vector<Inertia<double>> inertias;
  for (int k = 0; k < 9; ++k)
    for (const Body<double>& b : model.bodies) inertias.push_back(k == 4 ? Inertia<double>{} : b.inertia);
  RowDynamics rows(model);
  const Numbers two(2, 0.3);
  Numbers out(36, 7.0);
  const StateRows<const double> row{two.data(), 0};
  CHECK(rows.inverse_derivatives(2, row, row, row, {{}, {out.data(), 3}, {}, {}}).kind == Status::wrong_size);
  CHECK(rows.terms(2, {}, row, row, {.M = {out.data(), 4}}).kind == Status::wrong_size);
  CHECK(rows.frame_motion(1, row, row, row, {"", 7, {}}, {.pose = {out.data(), 12}}).kind == Status::wrong_size);
  CHECK(rows.momentum(2, row, row, {.matrix = {out.data(), 11}}).kind == Status::wrong_size);
  for (const double x : out) CHECK(x == 7.0);

  REQUIRE(rows.set_robots({9, inertias, Numbers(18, 0.0), {}}));
  Numbers dq(36), dqd(36), dtau(36), tau(18, 0.3);
  tau[2 * 7] = no_number;
  REQUIRE(
      rows.forward_derivatives(9, row, row, {tau.data(), 2}, {{}, {dq.data(), 4}, {dqd.data(), 4}, {dtau.data(), 4}}));
  for (std::size_t s = 0; s < 9; ++s)
    for (const Numbers* of : {&dq, &dqd, &dtau})
      for (std::size_t i = 0; i < 4; ++i) CHECK(std::isnan((*of)[4 * s + i]) == (s == 4 || s == 7));
}
