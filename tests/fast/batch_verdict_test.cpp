// Which states have accelerations, and quaternions of any length: a batch says what one state says.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/measure.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/fast/batch_dynamics.hpp"
#include "torsor/fast/fast_dynamics.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// An arm whose last link has that part of the mass it should have.
Model<double> with_light_end(Random& random, int joints, double part) {
  Description d = random_dh_arm(random, joints, Convention::modified_dh, 0.2);
  for (Part& each : d.links.back().parts) {
    each.mass *= part;
    each.tensor = each.tensor * part;
  }
  return built(d);
}

}  // namespace

TEST_CASE("a batch finds no accelerations where one state finds none, and nowhere else") {
  Random random(2201);
  int massless = 0, sound = 0;
  for (const int joints : {2, 4, 6, 7, 9, 12})
    for (const double part : {1.0, 1e-6, 1e-9, 1e-12, 1e-13, 1e-15, 1e-20, 1e-38, 1e-60}) {
      CAPTURE(joints);
      CAPTURE(part);
      const Model<double> model = with_light_end(random, joints, part);
      const std::size_t n = static_cast<std::size_t>(joints);
      constexpr int count = 37;
      Numbers q, qd, tau;
      for (int k = 0; k < count; ++k) {
        const State s = random_state(random, model);
        q.insert(q.end(), s.q.begin(), s.q.end());
        qd.insert(qd.end(), s.qd.begin(), s.qd.end());
        tau.insert(tau.end(), s.qdd.begin(), s.qdd.end());
      }
      for (const InstructionSet set : instruction_sets()) {
        FastDynamics fast(model, set);
        FastDynamics derivatives(model, set);
        BatchDynamics<double> batch(model, {.instruction_set = set});
        BatchDynamics<float> floats(model, {.instruction_set = set});
        Numbers rows(q.size()), one(n), D(3 * n * n);
        const std::vector<float> fq(q.begin(), q.end()), fqd(qd.begin(), qd.end()), ftau(tau.begin(), tau.end());
        std::vector<float> float_rows(q.size());
        batch.forward(count, {q.data(), joints}, {qd.data(), joints}, {tau.data(), joints}, {rows.data(), joints});
        floats.forward(count, {fq.data(), joints}, {fqd.data(), joints}, {ftau.data(), joints},
                       {float_rows.data(), joints});
        for (std::size_t k = 0; k < count; ++k) {
          const auto at = [&](const Numbers& x) { return std::span(x).subspan(k * n, n); };
          const bool determined = fast.forward(at(q), at(qd), at(tau), one) < 0;
          (determined ? sound : massless) += 1;
          CHECK(std::isnan(rows[k * n]) == !determined);
          if (determined) {
            CHECK(difference(Numbers(at(rows).begin(), at(rows).end()), one) < 1e-3 * (1 + largest(one)));
            CHECK(std::isfinite(one[0]));
          } else {
            // and derivatives of what there is not, there are none
            const std::span<double> all(D);
            CHECK(derivatives.forward(at(q), at(qd), at(tau), one,
                                      {all.first(n * n), all.subspan(n * n, n * n), all.last(n * n)}) >= 0);
          }
          // single precision asks the tree where it cannot tell: not refused beyond what doubles refuse
          if (part >= 1e-9) CHECK_FALSE(std::isnan(float_rows[k * n]));
        }
      }
    }
  CHECK(massless > 1000);
  CHECK(sound > 1000);
}

TEST_CASE("a quaternion of any length but zero gives the efforts of a unit one") {
  Random random(2202);
  for (int trial = 0; trial < 12; ++trial) {
    RobotOptions options;
    options.links = 1 + trial % 6;
    options.floating = true;
    const Model<double> model = built(random_robot(random, options).description);
    const std::size_t nv = static_cast<std::size_t>(model.nv);
    const State s = random_state(random, model);
    TreeDynamics<double> tree(model);
    FastDynamics fast(model);
    BatchDynamics<double> batch(model);
    BatchDynamics<float> floats(model);
    Numbers expected(nv), tau(nv);
    tree.inverse(s.q, s.qd, s.qdd, expected);
    const auto scaled = [&](double length) {
      Numbers q = s.q;
      for (int i = 0; i < model.size(); ++i)
        for (int k = 0; row(model[i].kind).nq >= 4 && k < 4; ++k) q[static_cast<std::size_t>(model[i].q + k)] *= length;
      return q;
    };
    for (const double length : {1e-300, 1e-160, 1e-155, 1e-150, 1e-20, 3.0, 1e20, 1e154, 1e155, 1e160, 1e300}) {
      CAPTURE(length);
      const Numbers q = scaled(length);
      const double bound = 1e-12 * (1 + largest(expected));
      tree.inverse(q, s.qd, s.qdd, tau);
      CHECK(difference(tau, expected) < bound);
      fast.inverse(q, s.qd, s.qdd, tau);
      CHECK(difference(tau, expected) < bound);
      // one wild row among tame ones
      Numbers rows, out(20 * nv);
      for (int k = 0; k < 20; ++k) {
        const Numbers& from = k == 13 ? q : s.q;
        rows.insert(rows.end(), from.begin(), from.end());
      }
      batch.inverse(20, {rows.data(), model.nq}, {s.qd.data(), 0}, {s.qdd.data(), 0}, {out.data(), model.nv});
      for (std::size_t k = 0; k < 20; ++k)
        CHECK(difference(Numbers(out.begin() + static_cast<std::ptrdiff_t>(k * nv),
                                 out.begin() + static_cast<std::ptrdiff_t>((k + 1) * nv)),
                         expected) < bound);
    }
    for (const double length : {1e-30, 1e-22, 1e19, 1e21, 1e37}) {
      CAPTURE(length);
      const Numbers wide = scaled(length);
      const std::vector<float> q(wide.begin(), wide.end()), qd(s.qd.begin(), s.qd.end()),
          qdd(s.qdd.begin(), s.qdd.end());
      std::vector<float> out(nv);
      floats.inverse(1, {q.data(), 0}, {qd.data(), 0}, {qdd.data(), 0}, {out.data(), model.nv});
      CHECK(difference(Numbers(out.begin(), out.end()), expected) < 1e-4 * (1 + largest(expected)));
    }
    // of length zero there is no rotation
    tree.inverse(scaled(0), s.qd, s.qdd, tau);
    CHECK(std::isnan(tau[0]));
    fast.inverse(scaled(0), s.qd, s.qdd, tau);
    CHECK(std::isnan(tau[0]));
  }
}
