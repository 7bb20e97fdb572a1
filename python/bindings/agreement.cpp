// Agreement in Python: do all formulations say the same of a robot, is that a theorem, and why does another tool say otherwise?
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/formulations/agreement_result.hpp"
#include "torsor/formulations/certificate.hpp"
#include "torsor/check/torque_diagnosis.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/structure/exact_agreement.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::object certify(const Robot& robot, int states, std::uint64_t seed) {
  if (states < 1) refuse("agree", "states is " + std::to_string(states) + "; expected 1 or more");
  RobotForms<double> forms = robot.forms();
  Agreement found;
  {
    const nb::gil_scoped_release release;
    found = agree(forms, states, seed);
  }
  return answer_of(found);
}

nb::object prove(const Robot& robot, std::uint64_t seed, bool finite_field) {
  std::optional<Result<SymbolicRobot>> symbolic;
  ExactAgreement found;
  {
    const nb::gil_scoped_release release;
    symbolic = symbolic_robot(robot.description());
    ProofOptions options;
    options.seed = seed;
    options.finite_field_only = finite_field;
    if (*symbolic) found = agree_exact(**symbolic, options);
  }
  if (!*symbolic) raise(symbolic->faults());
  return answer_of(found);
}

nb::object diagnose(const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle tau, double level,
                    int guesses) {
  RowCall call("agree_against", 1);
  const int nv = robot.model().nv;
  call.take("q", q, robot.model().nq).take("qd", qd, nv).take("qdd", qdd, nv).take("tau", tau, nv).settle();
  call.refuse_not_finite();
  if (call.states() == 0) refuse(call.function(), "there is no state; expected one or more");
  positive(call.function(), "level", level);
  if (guesses < 1) refuse(call.function(), "guesses is " + std::to_string(guesses) + "; expected 1 or more");
  std::vector<TorqueSample> record;
  const auto copy = [&](int which, std::int64_t k) {
    const auto row = call.row(which, k);
    return std::vector<double>(row.begin(), row.end());
  };
  for (std::int64_t k = 0; k < call.states(); ++k) record.push_back({copy(0, k), copy(1, k), copy(2, k), copy(3, k)});
  DiagnosisOptions options;
  options.level = level;
  options.guesses = static_cast<std::size_t>(guesses);
  std::optional<Result<TorqueDiagnosis>> made;
  {
    const nb::gil_scoped_release release;
    made = agree_against(robot.description(), record, options);
  }
  return answer_of(value_of(*std::move(made)));
}

}  // namespace

void bind_agreement(nb::module_& m) {
  m.def(
      "agree", certify, "robot"_a, "states"_a = 100, "seed"_a = 1,
      nb::sig("def agree(robot: Robot, states: int = 100, seed: int = 1) -> torsor._results.Agreement"),
      R"(The certificate: every formulation that serves a robot, run over random states inside its limits, each pair compared.

The measure is max |dtau| / max (|D qdd| + |h| + |g|). Answer: the matrix of pairs with their names, the worst state, and the
rows of the other questions held against the tree's; holds(tolerance) is the verdict.

>>> import torsor as ts
>>> found = ts.agree(ts.load("puma560"), states=20)
>>> found.matrix.shape == (len(found.names), len(found.names)), found.holds(1e-12)
(True, True)
)");
  m.def(
      "agree_exact", prove, "robot"_a, "seed"_a = 1985, "finite_field"_a = false,
      nb::sig("def agree_exact(robot: Robot, seed: int = 1985, finite_field: bool = False) -> "
              "torsor._results.ExactAgreement"),
      R"(The proof that the torques of all formulations are the same polynomials, with letters for the numbers of a serial arm.

Where polynomials get too long, in random points modulo random primes (finite_field: always); log2_error is the base-2
logarithm of the probability that such a proof is wrong.

>>> import torsor as ts
>>> ts.agree_exact(ts.load("two_link")).holds
True
)");
  m.def(
      "agree_against", diagnose, "robot"_a, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(), "tau"_a.none(),
      "level"_a = 1e-6, "guesses"_a = 5,
      nb::sig("def agree_against(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", qdd: " TORSOR_STATE
              ", tau: " TORSOR_STATE ", level: float = 1e-6, guesses: int = 5) -> torsor._results.TorqueDiagnosis"),
      R"(Why another tool's torques differ from these: gravity, rotors, friction, inertias about the other point, signs, ...

q: (..., nq), qd, qdd and tau: (..., nv), what the other tool was asked and what it said. level: differences below this
share of a joint's rms torque are none. Every common mistake of a table is tried, alone and in pairs; those that explain the record
come first.

>>> import numpy as np, torsor as ts
>>> robot = ts.load("two_link")
>>> q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 50, 2))
>>> other = ts.inverse_dynamics(robot.with_gravity([0, 0, 0]), q, qd, qdd)
>>> ts.agree_against(robot, q, qd, qdd, other).guesses[0].slips
['gravity-missing']
)");
}

}  // namespace torsor::python
