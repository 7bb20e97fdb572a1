// What the equations look like, in Python: their exact structure, couplings, dominance.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "python/bindings/array_results.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/reduction/dominance_result.hpp"
#include "torsor/structure/structure_answer.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::object couplings(const Robot& robot, nb::handle q, nb::handle out, int threads) {
  RowCall call("coupling", threads);
  const int n = robot.model().nv;
  call.take("q", q, robot.model().nq).settle();
  call.expect_states_of(&robot.model(), Telling::always, Answers::any);
  call.give(out, {n, n});
  // k_ij = |d_ij| / sqrt(d_ii d_jj), written over the mass matrices (coupling.hpp, (32))
  call.share([&](std::int64_t first, std::int64_t count) {
    const StateRows<const double> from = call.in<double>(0);
    robot.dynamics()->mass(count, {from.row(first), from.stride},
                           {call.out<double>(0).row(first), call.out<double>(0).stride});
    std::vector<double> root(static_cast<std::size_t>(n));
    for (std::int64_t k = first; k < first + count; ++k) {
      const std::span<double> M = call.answer(0, k);
      if (!std::ranges::all_of(M, [](double x) { return std::isfinite(x); })) {
        call.leave_out(k);
        continue;
      }
      for (int i = 0; i < n; ++i)
        root[static_cast<std::size_t>(i)] = M[cell(i, n, i)] > 0 ? std::sqrt(M[cell(i, n, i)]) : std::nan("");
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          M[cell(i, n, j)] = i == j ? 1
                                    : std::abs(M[cell(i, n, j)]) /
                                          (root[static_cast<std::size_t>(i)] * root[static_cast<std::size_t>(j)]);
    }
  });
  return call.result();
}

nb::object dominance_shares(const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd) {
  RowCall call("dominance", 1);
  const int n = robot.model().nv;
  call.take("q", q, robot.model().nq).take("qd", qd, n).take("qdd", qdd, n).settle();
  call.refuse_not_finite();
  if (call.states() == 0) refuse(call.function(), "there is no state; expected one or more");
  std::vector<JointState> states;
  const auto copy = [](std::span<const double> row) { return std::vector<double>(row.begin(), row.end()); };
  for (std::int64_t k = 0; k < call.states(); ++k)
    states.push_back({copy(call.row(0, k)), copy(call.row(1, k)), copy(call.row(2, k))});
  std::optional<Result<Dominance>> found;
  {
    nb::gil_scoped_release release;
    found = dominance(robot.description(), states);
  }
  const Dominance d = value_of(std::move(*found));
  std::vector<Share> out;
  for (const auto* rows : {&d.inertia, &d.velocity, &d.torque})
    for (const DominanceRow& row : *rows)
      for (const DominancePart& part : row.parts) out.push_back({row.name, part});
  return answer_of(out);
}

nb::object structure_of(const Robot& robot, std::uint64_t seed, int positions) {
  if (positions < 1) refuse("structure", "positions is " + std::to_string(positions) + "; expected 1 or more");
  StructureOptions options;
  options.exact.seed = options.survey.seed = seed;
  options.survey.positions = positions;
  std::optional<Result<StructureAnswer>> found;
  {
    nb::gil_scoped_release release;
    found = analyse_structure(robot.description(), options);
  }
  return answer_of(StructureArrays{value_of(std::move(*found))});
}

}  // namespace

void bind_structure(nb::module_& m) {
  m.def("structure", structure_of, "robot"_a, "seed"_a = 1985, "positions"_a = 2000,
        nb::sig("def structure(robot: Robot, seed: int = 1985, positions: int = 2000) -> torsor._results.Structure"),
        R"(Which coefficients of the equations of motion vanish identically, which are constant, how large they get.

Zeros are decided exactly, by evaluation modulo random primes; sizes are those at random positions inside the limits.

>>> import torsor as ts
>>> ts.structure(ts.load("two_link"))
<Structure: 7 of 7 coefficients are not zero, 1 of these constant>
)");
  m.def("coupling", couplings, "robot"_a, "q"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def coupling(robot: Robot, q: " TORSOR_STATE ", " TORSOR_OUT),
        R"(How strongly joints are coupled by inertia: k_ij = |M_ij| / sqrt(M_ii M_jj), below 1; 1 on the diagonal.

q: (..., nq). Answer: (..., nv, nv), NaN where a joint moves no mass.

>>> import torsor as ts
>>> ts.coupling(ts.load("two_link"), [0.0, 0.0])[0, 1].round(4)
np.float64(0.8521)
)");
  m.def(
      "dominance", dominance_shares, "robot"_a, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(),
      nb::sig("def dominance(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", qdd: " TORSOR_STATE
              ") -> list[torsor._results.Share]"),
      R"(What of inertias, velocity torques and whole torques comes from translation, rotation and each term, over given states.

q, qd, qdd: (..., n), of a serial arm. Answer: a list of Share.

>>> import torsor as ts
>>> q, qd, qdd = ts.published_motion("puma560").sample([0.5, 1.0, 1.5])
>>> [s for s in ts.dominance(ts.load("puma560"), q, qd, qdd) if s.quantity == "tau2"][0].quantity
'tau2'
)");
}

}  // namespace torsor::python
