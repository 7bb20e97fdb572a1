// Agreement in Python: do all formulations say the same of a robot, is that a theorem, and why does another tool say otherwise?
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/formulations/certificate.hpp"
#include "torsor/check/torque_diagnosis.hpp"
#include "torsor/structure/exact_agreement.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::object type_of(const char* name) { return nb::module_::import_("torsor._agreement").attr(name); }

nb::list certified_rows(const std::vector<CertifiedRow>& rows) {
  const nb::object type = type_of("CertifiedRow");
  nb::list out;
  for (const CertifiedRow& row : rows)
    out.append(type(std::string(question_name(row.question)), std::string(row.name), std::string(row.source),
                    std::string(row.complexity), std::string(frames_name(row.frames)), row.worst.measure, row.refused));
  return out;
}

nb::object state_of(const Model<double>& model, const Disagreement& d) {
  const std::string joint = d.q.empty() ? "" : model.velocity_names[static_cast<std::size_t>(d.coordinate)];
  return type_of("WorstState")(d.measure, joint, new_array(d.q), new_array(d.qd), new_array(d.qdd));
}

nb::object certify(const Robot& robot, int states, std::uint64_t seed) {
  if (states < 1) refuse("agree", "states is " + std::to_string(states) + "; expected 1 or more");
  RobotForms<double> forms = robot.forms();
  Agreement found;
  {
    const nb::gil_scoped_release release;
    found = certify_robot(forms, states, seed);
  }
  const std::size_t n = found.inverse.size();
  std::vector<double> matrix(n * n);
  std::vector<std::string> names, snaps;
  Disagreement worst;
  for (std::size_t a = 0; a < n; ++a) {
    names.emplace_back(found.inverse[a].name);
    for (std::size_t b = a + 1; b < n; ++b) {
      const Disagreement& pair = found.pair(a, b);
      matrix[a * n + b] = matrix[b * n + a] = pair.measure;
      if (pair.measure > worst.measure) worst = pair;
    }
  }
  for (const CertifiedRow& row : found.others)
    if (row.worst.measure > worst.measure) worst = row.worst;
  for (const Snap& snap : found.snaps) snaps.push_back(snap.what);
  Answer answer;
  answer.put("robot", robot.model().name).put("states", found.states).put("names", names).put("matrix", new_array(matrix, {n, n}));
  answer.put("worst", state_of(robot.model(), worst)).put("formulations", certified_rows(found.inverse));
  answer.put("others", certified_rows(found.others)).put("refused", certified_rows(found.refused)).put("snaps", snaps);
  return answer.make("_agreement", "Agreement");
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
    if (*symbolic) found = prove_agreement(**symbolic, options);
  }
  if (!*symbolic) raise(symbolic->faults());
  const nb::object type = type_of("ProvenRow");
  nb::list rows;
  for (const ProvenRow& row : found.rows)
    rows.append(type(std::string(row.name), std::string(row.source), row.equal,
                     row.proof == Proof::polynomial ? "polynomial" : "finite field", row.terms, row.limit));
  nb::dict refused;
  for (const RefusedRow& row : found.refused) refused[std::string(row.name).c_str()] = row.reason;
  std::vector<std::string> snaps;
  for (const Snap& snap : (*symbolic)->forms.snaps) snaps.push_back(snap.what);
  Answer answer;
  answer.put("snaps", snaps).put("snap_effect", (*symbolic)->snap_effect.relative);
  answer.put("robot", robot.model().name).put("holds", found.holds()).put("rows", rows).put("refused", refused);
  return answer.put("log2_error", found.log2_error).make("_agreement", "ExactAgreement");
}

nb::object diagnose(const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle tau, double level, int guesses) {
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
    made = diagnose_torques(robot.description(), record, options);
  }
  const TorqueDiagnosis found = value_of(*std::move(made));
  const nb::object joint_type = type_of("EffortDifference"), guess_type = type_of("SlipGuess");
  nb::list joints, told;
  for (std::size_t i = 0; i < found.joints.size(); ++i) {
    const TorqueMismatch& d = found.joints[i];
    joints.append(joint_type(robot.model().velocity_names[i], d.size, d.rms, d.worst, d.row, d.ours, d.theirs, d.differs));
  }
  for (const SlipGuess& guess : found.guesses) {
    std::vector<std::string> slips;
    std::string sentence;
    for (const SlipGuess::Part& part : guess.slips) {
      slips.emplace_back(part.name);
      sentence += (sentence.empty() ? "" : "; and ") + std::string(part.sentence) + (part.detail.empty() ? "" : " (" + part.detail + ")");
    }
    nb::dict sizes, deviations;
    for (const FittedSize& size : guess.sizes) {
      sizes[size.name.c_str()] = size.value;
      deviations[size.name.c_str()] = size.deviation;
    }
    told.append(guess_type(slips, sentence, sizes, guess.explains, guess.remains, deviations, guess.but_noise));
  }
  Answer answer;
  answer.put("agrees", found.agrees).put("noise", found.noise).put("joints", joints).put("before", found.before).put("guesses", told);
  return answer.put("tried", found.alone + found.pairs).make("_agreement", "TorqueDiagnosis");
}

}  // namespace

void bind_agreement(nb::module_& m) {
  m.def("agree", certify, "robot"_a, "states"_a = 100, "seed"_a = 1,
        nb::sig("def agree(robot: Robot, states: int = 100, seed: int = 1) -> torsor._agreement.Agreement"),
        R"(The certificate: every formulation that serves a robot, run over random states inside its limits, each pair compared.

The measure is max |dtau| / max (|D qdd| + |h| + |g|). Answer: the matrix of pairs with their names, the worst state, and the
rows of the other questions held against the tree's; holds(tolerance) is the verdict.

>>> import torsor as ts
>>> found = ts.agree(ts.load("puma560"), states=20)
>>> found.matrix.shape == (len(found.names), len(found.names)), found.holds(1e-12)
(True, True)
)");
  m.def("agree_exact", prove, "robot"_a, "seed"_a = 1985, "finite_field"_a = false,
        nb::sig("def agree_exact(robot: Robot, seed: int = 1985, finite_field: bool = False) -> "
                "torsor._agreement.ExactAgreement"),
        R"(The proof that the torques of all formulations are the same polynomials, with letters for the numbers of a serial arm.

Where polynomials get too long, in random points modulo random primes (finite_field: always); log2_error is the base-2
logarithm of the probability that such a proof is wrong.

>>> import torsor as ts
>>> ts.agree_exact(ts.load("two_link")).holds
True
)");
  m.def("agree_against", diagnose, "robot"_a, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(), "tau"_a.none(), "level"_a = 1e-6,
        "guesses"_a = 5,
        nb::sig("def agree_against(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", qdd: " TORSOR_STATE ", tau: " TORSOR_STATE
                ", level: float = 1e-6, guesses: int = 5) -> torsor._agreement.TorqueDiagnosis"),
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
