// One text, many numbers: the algorithms over float, Dual and Trace give what they give over double.
#include <doctest/doctest.h>

#include <limits>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/trace_evaluate.hpp"
#include "torsor/scalar/trace_passes.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

template <class T>
std::vector<T> over(View x) {
  return std::vector<T>(x.begin(), x.end());
}

/// Everything at one state: tau, M, C, energies, and accelerations by every forward formulation.
template <class T>
std::vector<T> everything(const Model<T>& model, const std::vector<T>& q, const std::vector<T>& qd,
                          const std::vector<T>& qdd) {
  std::vector<T> all = inverse(model, q, qd, qdd);
  const auto append = [&](const std::vector<T>& more) { all.insert(all.end(), more.begin(), more.end()); };
  const Configuration<T> configuration = configured(model, q);
  ForwardWork<T> work(model);
  const std::vector<T> tau = all;
  std::vector<T> out(tau.size(), T(0));
  for (const auto& formulation : forward_formulations<T>) {
    if (model.coupled() && !formulation.coupled) continue;
    formulation.run(model, configuration, qd, tau, {}, work, out);
    append(out);
  }
  append(mass_matrix(model, q));
  append(coriolis(model, q, qd));
  const Energy<T> e = energies(model, q, qd);
  append({e.kinetic, e.potential, e.mass, e.momentum.n.x, e.momentum.f.y, e.first_moment.z});
  return all;
}

struct Case {
  Model<double> model;
  State state;
  Numbers expected;
};

Case random_case(Random& random, int k) {
  Case c{built(random_robot(random, {.links = 1 + random.below(6),
                                     .floating = k % 2 == 0,
                                     .rotors = true,
                                     .mimics = k % 3 == 0,
                                     .transmission = k % 4 == 0})
                   .description),
         {},
         {}};
  c.state = random_state(random, c.model);
  c.expected = everything(c.model, c.state.q, c.state.qd, c.state.qdd);
  return c;
}

}  // namespace

TEST_CASE("over float everything agrees with double to single precision") {
  Random random(8000);
  for (int k = 0; k < draws(30); ++k) {
    const auto [model, state, expected] = random_case(random, k);
    const std::vector<float> all =
        everything(cast<float>(model), over<float>(state.q), over<float>(state.qd), over<float>(state.qdd));
    // forward dynamics solves: its error is the rounding times the condition of M, some hundreds here
    const double epsilon = std::numeric_limits<float>::epsilon(), scale = 1 + largest(expected);
    CHECK(difference(over<double>(Numbers(all.begin(), all.end())), expected) < 1000 * epsilon * scale);
    const std::vector<float> tau =
        inverse(cast<float>(model), over<float>(state.q), over<float>(state.qd), over<float>(state.qdd));
    const Numbers tau_double = inverse(model, state.q, state.qd, state.qdd);
    CHECK(difference(Numbers(tau.begin(), tau.end()), tau_double) < 30 * epsilon * (1 + largest(tau_double)));
  }
}

TEST_CASE("over Dual the values are those of double, and the slope of tau along qdd is the mass matrix") {
  Random random(8001);
  for (int k = 0; k < draws(20); ++k) {
    const auto [model, state, expected] = random_case(random, k);
    const Model<Dual<double>> dual_model = cast<Dual<double>>(model);
    const std::vector<Dual<double>> q = over<Dual<double>>(state.q), qd = over<Dual<double>>(state.qd);
    std::vector<Dual<double>> qdd = over<Dual<double>>(state.qdd);
    Numbers values;
    for (const Dual<double>& x : everything(dual_model, q, qd, qdd)) values.push_back(x.value);
    CHECK(difference(values, expected) < 1e-12 * (1 + largest(expected)));

    const Numbers M = mass_matrix(model, state.q);
    for (std::size_t j = 0; j < qdd.size(); ++j) {
      qdd[j].tangent[0] = 1;
      const std::vector<Dual<double>> tau = inverse(dual_model, q, qd, qdd);
      for (std::size_t i = 0; i < tau.size(); ++i)
        CHECK(tau[i].tangent[0] == doctest::Approx(M[i * tau.size() + j]).epsilon(1e-12));
      qdd[j].tangent[0] = 0;
    }
  }
}

TEST_CASE("a trace evaluates to what double gives, as recorded and after folding, sharing and clearing") {
  Random random(8002);
  for (int k = 0; k < draws(8); ++k) {
    const auto [model, state, expected] = random_case(random, k);
    Tape tape;
    {
      Recording recording(tape);
      std::vector<Trace> in[3];
      const View values[3] = {state.q, state.qd, state.qdd};
      for (int group = 0; group < 3; ++group)
        for (std::size_t i = 0; i < values[group].size(); ++i)
          in[group].push_back(tape.input("x" + std::to_string(group) + "_" + std::to_string(i)));
      for (const Trace& result : everything(cast<Trace>(model), in[0], in[1], in[2])) tape.output(result, "y");
    }
    Numbers inputs = state.q;
    inputs.insert(inputs.end(), state.qd.begin(), state.qd.end());
    inputs.insert(inputs.end(), state.qdd.begin(), state.qdd.end());
    CHECK(difference(evaluate(tape, inputs), expected) < 1e-12 * (1 + largest(expected)));
    const Tape reduced = live(share(fold(tape)));
    CHECK(reduced.nodes().size() < tape.nodes().size());
    CHECK(difference(evaluate(reduced, inputs), expected) < 1e-12 * (1 + largest(expected)));
  }
}
