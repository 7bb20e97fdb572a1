// What the equations look like, in Python: their exact structure, couplings, dominance.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "python/bindings/errors.hpp"
#include "python/bindings/pickles.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/reduction/dominance.hpp"
#include "torsor/structure/structure_answer.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

struct Structure {
  StructureAnswer answer;
};

std::vector<std::string> coefficient_names(const Structure& s) {
  std::vector<std::string> out;
  for (const Coefficient& c : s.answer.numbers().coefficients) out.push_back(to_text(c, s.answer.numbers().n));
  return out;
}

std::vector<bool> nonzero(const Structure& s, const std::string& level) {
  constexpr const char* names[] = {"numbers", "equal-moments", "zeros", "generic"};
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (level == names[k]) {
      const std::vector<char>& flags = s.answer.at(levels[k]).nonzero;
      return {flags.begin(), flags.end()};
    }
  refuse("nonzero", "level is \"" + printable(level) + "\"; expected numbers, equal-moments, zeros or generic");
}

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

struct Share {
  std::string quantity, part;
  double share = 0, peak = 0;
};

std::vector<Share> dominance_shares(const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd) {
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
      for (const DominancePart& part : row.parts) out.push_back({row.name, part.name, part.share, part.peak});
  return out;
}

Structure structure_of(const Robot& robot, std::uint64_t seed, int positions) {
  if (positions < 1) refuse("structure", "positions is " + std::to_string(positions) + "; expected 1 or more");
  StructureOptions options;
  options.exact.seed = options.survey.seed = seed;
  options.survey.positions = positions;
  std::optional<Result<StructureAnswer>> found;
  {
    nb::gil_scoped_release release;
    found = analyse_structure(robot.description(), options);
  }
  return Structure{value_of(std::move(*found))};
}

}  // namespace

template <>
struct Parts<Share> {
  static void each(auto& take, auto& s) { take(s.quantity, s.part, s.share, s.peak); }
};

void bind_structure(nb::module_& m) {
  nb::class_<Structure> structure_type(
      m, "Structure", nb::dynamic_attr(),
      "Which coefficients of the equations vanish, which are constant, and how large they get.");
  pickled_as_made(structure_type)
      .def_prop_ro("coefficients", coefficient_names, "Names of the independent ones: d12, c23(1), G4.")
      .def("nonzero", nonzero, "level"_a = "numbers",
           R"(For each coefficient whether it is not identically zero.

level: with these "numbers"; for all robots of this geometry with the same "equal-moments" and zeros; the same "zeros"
only; any inertias, "generic".

>>> import torsor as ts
>>> s = ts.structure(ts.load("two_link"))
>>> sum(s.nonzero()), len(s.coefficients)
(7, 7)
)")
      .def_prop_ro(
          "constant",
          [](const Structure& s) {
            std::vector<bool> out;
            for (std::size_t k = 0; k < s.answer.numbers().coefficients.size(); ++k)
              out.push_back(s.answer.numbers().constant(k));
            return out;
          },
          "For each coefficient whether it is the same in all positions.")
      .def_prop_ro(
          "relative_size",
          [](const Structure& s) {
            std::vector<double> out;
            for (std::size_t k = 0; k < s.answer.survey.coefficients.size(); ++k)
              out.push_back(s.answer.survey.relative(k));
            return new_array(out);
          },
          nb::sig("def relative_size(self) -> numpy.typing.NDArray[numpy.float64]"),
          "How large each gets over the workspace, relative to what its kind allows.")
      .def_prop_ro(
          "snaps",
          [](const Structure& s) {
            std::vector<std::string> out;
            for (const Snap& snap : s.answer.robot.snaps) out.push_back(snap.what);
            return out;
          },
          "Numbers near special ones (1.5708) that were taken as these: the zeros are those of such a robot.")
      .def_prop_ro(
          "snap_effect", [](const Structure& s) { return s.answer.snap_effect.relative; },
          "How far its torques are from those of the robot as typed, over random states, relative to their size.")
      .def_prop_ro(
          "log2_error", [](const Structure& s) { return s.answer.numbers().error.log2_error; },
          "Base-2 logarithm of the probability that any zero is wrong.")
      .def("__repr__", [](const Structure& s) {
        const ExactStructure& e = s.answer.numbers();
        return "<Structure: " + std::to_string(total(e.nonzero_counts())) + " of " +
               std::to_string(e.coefficients.size()) + " coefficients are not zero, " +
               std::to_string(total(e.constant_counts())) + " of these constant>";
      });
  nb::class_<Share> share_type(m, "Share", "What a part has in a quantity of the equations.");
  pickled_by_parts(share_type)
      .def_ro("quantity", &Share::quantity, "D12, h3, tau4.")
      .def_ro("part", &Share::part, "translation, rotation, rotors; 'D12 qdd2', gravity, ...")
      .def_ro("share", &Share::share, "From 0 to 1.")
      .def_ro("peak", &Share::peak, "Largest magnitude.")
      .def("__repr__", [](const Share& s) {
        return "<Share of " + s.part + " in " + s.quantity + ": " + std::to_string(s.share) + ">";
      });
  m.def("structure", remembered("structure", structure_of), "robot"_a, "seed"_a = 1985, "positions"_a = 2000,
        nb::sig("def structure(robot: Robot, seed: int = 1985, positions: int = 2000) -> Structure"),
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
              ") -> list[Share]"),
      R"(What of inertias, velocity torques and whole torques comes from translation, rotation and each term, over given states.

q, qd, qdd: (..., n), of a serial arm. Answer: a list of Share.

>>> import torsor as ts
>>> q, qd, qdd = ts.published_motion("puma560").sample([0.5, 1.0, 1.5])
>>> [s for s in ts.dominance(ts.load("puma560"), q, qd, qdd) if s.quantity == "tau2"][0].quantity
'tau2'
)");
}

}  // namespace torsor::python
