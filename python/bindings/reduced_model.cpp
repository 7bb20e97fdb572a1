// Reduced models in Python: the equations of a robot without what hardly matters on a motion.
#include "python/bindings/reduced_model.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "python/bindings/errors.hpp"
#include "python/bindings/pickles.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "python/bindings/timed_motion.hpp"
#include "torsor/files/reduced_toml.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/symbolic/meant_robot.hpp"
#include "torsor/reduction/reduce.hpp"

namespace torsor::python {

using namespace nb::literals;

void check_reduced(const Reduced& reduced, const Robot& robot) {
  // models are reduced of the robot as it was meant, with right angles where the file has rounded ones
  const Model<double> meant = value_of(build(meant_robot(robot.description()).description));
  if (const std::string why = mismatch(reduced.model, meant); !why.empty())
    raise({{{}, "\"" + reduced.model.robot + "\"", "reduced-robot", why,
            "give the robot that it was made from, or reduce this one"}});
}

namespace {

std::unique_ptr<Reduced> reduce(const Robot& robot, const Trajectory& motion, double tolerance, bool consistent,
                                bool on_ranges, int steps) {
  ReduceOptions options;
  options.tolerance = tolerance;
  options.consistent = consistent;
  options.on_ranges = on_ranges;
  if (!(tolerance > 0) || !(tolerance < 1))
    refuse("reduce", "tolerance is " + std::to_string(tolerance) + "; expected between 0 and 1");
  if (steps < 1) refuse("reduce", "steps is " + std::to_string(steps) + "; expected 1 or more");
  if (motion.size() != static_cast<std::size_t>(robot.model().nv))
    refuse("reduce", "the motion has " + std::to_string(motion.size()) + " coordinates; expected " +
                         std::to_string(robot.model().nv));
  std::optional<Result<Reduction>> found;
  Visits visits;
  visits.unlocked([&] { found = reduce(robot.description(), course_of(watched(motion, visits), steps), options); });
  Reduction reduction = value_of(std::move(*found));
  return std::make_unique<Reduced>(std::move(reduction.model), reduction.terms);
}

nb::object reduced_inverse(const Reduced& model, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle out,
                           int threads) {
  RowCall call("inverse_dynamics", threads);
  const int n = model.model.size();
  call.take("q", q, n).take("qd", qd, n, Need::optional).take("qdd", qdd, n, Need::optional).settle();
  call.expect_states_of(nullptr);
  call.give(out, {n});
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = model.dynamics();
    for (std::int64_t k = first; k < first + count; ++k)
      dynamics->inverse(call.row(0, k), call.row(1, k), call.row(2, k), call.answer(0, k));
  });
  return call.result();
}

nb::object reduced_mass(const Reduced& model, nb::handle q, nb::handle out, int threads) {
  RowCall call("mass_matrix", threads);
  const int n = model.model.size();
  call.take("q", q, n).settle();
  call.expect_states_of(nullptr);
  call.give(out, {n, n});
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = model.dynamics();
    for (std::int64_t k = first; k < first + count; ++k) dynamics->mass(call.row(0, k), call.answer(0, k));
  });
  return call.result();
}

std::unique_ptr<Reduced> read(nb::handle source, const Robot* robot) {
  const std::string given = path_of("read_reduced", "source", source);
  const bool is_text = given.find('\n') != std::string::npos;
  auto reduced = std::make_unique<Reduced>(
      value_of(read_reduced_toml(is_text ? given : value_of(read_text_file(given)), is_text ? "text" : given)));
  if (robot) check_reduced(*reduced, *robot);
  return reduced;
}

}  // namespace

void bind_reduced_model(nb::module_& m) {
  nb::class_<Reduced> type(m, "ReducedModel",
                           "The equations of a robot without what hardly matters on a motion. Friction is no part of "
                           "it. It can be pickled.");
  pickled_by_state(type)
      .def_prop_ro(
          "terms", [](const Reduced& r) { return r.model.terms.size(); }, "Terms that are kept.")
      .def_prop_ro(
          "full_terms", [](const Reduced& r) { return r.full_terms; },
          "Terms of the full model; None of one that was read from a file.")
      .def_prop_ro(
          "error_on_motion", [](const Reduced& r) { return new_array(r.model.statement.on_motion); },
          nb::sig("def error_on_motion(self) -> numpy.typing.NDArray[numpy.float64]"),
          "Per joint: the largest error found on the motion, and a thousandth of it, relative to its largest torque.")
      .def_prop_ro(
          "error_on_ranges", [](const Reduced& r) { return new_array(r.model.statement.on_ranges); },
          nb::sig("def error_on_ranges(self) -> numpy.typing.NDArray[numpy.float64]"),
          "Per joint: a bound that no state in the ranges of positions, speeds and accelerations of the motion "
          "exceeds, where `error_proven`; else what a search found there.")
      .def_prop_ro(
          "error_found", [](const Reduced& r) { return new_array(r.model.statement.found); },
          nb::sig("def error_found(self) -> numpy.typing.NDArray[numpy.float64]"),
          "Per joint: the largest error that a search found over the ranges; the worst lies between it and "
          "`error_on_ranges`. Empty where the file does not say.")
      .def_prop_ro(
          "error_proven", [](const Reduced& r) { return r.model.statement.proven; },
          "Whether `error_on_ranges` is a bound by interval arithmetic; False in files of older versions.")
      .def("inverse_dynamics", reduced_inverse, "q"_a.none(), "qd"_a = nb::none(), "qdd"_a = nb::none(),
           "out"_a = nb::none(), "threads"_a = 0,
           nb::sig("def inverse_dynamics(self, q: " TORSOR_STATE ", qd: " TORSOR_OPTIONAL_STATE
                   ", qdd: " TORSOR_OPTIONAL_STATE ", " TORSOR_OUT),
           R"(Torques by the reduced model, friction apart: (..., n).

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> small = ts.reduce(robot, ts.point_to_point([0, 0.5], [1, 1], 1.0), tolerance=0.05)
>>> small.inverse_dynamics([0.2, 0.7]).shape
(2,)
)")
      .def("mass_matrix", reduced_mass, "q"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
           nb::sig("def mass_matrix(self, q: " TORSOR_STATE ", " TORSOR_OUT),
           R"(The mass matrix of the reduced model: (..., n, n).

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> small = ts.reduce(robot, ts.point_to_point([0, 0.5], [1, 1], 1.0), tolerance=0.05)
>>> small.mass_matrix([0.2, 0.7]).shape
(2, 2)
)")
      .def(
          "to_toml", [](const Reduced& r) { return write_reduced_toml(r.model); },
          R"(The model as the text of a file, which `torsor id --reduced` reads.

>>> import torsor as ts
>>> small = ts.reduce(ts.load("two_link"), ts.point_to_point([0, 0.5], [1, 1], 1.0))
>>> "tolerance" in small.to_toml()
True
)")
      .def("__getstate__", [](const Reduced& r) { return std::pair(write_reduced_toml(r.model), r.full_terms); })
      .def("__setstate__",
           [](Reduced& r, const std::pair<std::string, std::optional<std::size_t>>& state) {
             new (&r) Reduced(value_of(read_reduced_toml(state.first, "pickled text")), state.second);
           })
      .def("__repr__", [](const Reduced& r) {
        return "<ReducedModel of " + r.model.robot + ": " + std::to_string(r.model.terms.size()) +
               (r.full_terms ? " of " : " ") + (r.full_terms ? std::to_string(*r.full_terms) + " " : "") + "terms>";
      });
  m.def("reduce", reduce, "robot"_a, "motion"_a, "tolerance"_a = 0.01, "consistent"_a = false, "on_ranges"_a = false,
        "steps"_a = 400,
        nb::sig("def reduce(robot: Robot, motion: JointMotion, tolerance: float = 0.01, consistent: bool = False, "
                "on_ranges: bool = False, steps: int = 400) -> ReducedModel"),
        R"(The equations of a serial arm without what hardly matters on a motion.

tolerance: of each joint's largest torque; consistent: velocity terms follow from the inertias that are kept; on_ranges:
no state in the ranges of the motion that a search finds exceeds the tolerance.

>>> import torsor as ts
>>> small = ts.reduce(ts.load("puma560"), ts.published_motion("puma560"), tolerance=0.02)
>>> small.terms < small.full_terms
True
)");
  m.def(
      "read_reduced", read, "source"_a, "robot"_a = nb::none(),
      nb::sig("def read_reduced(source: str | os.PathLike[str], robot: Robot | None = None) -> ReducedModel"),
      R"(A reduced model from its file (docs/reduced-file.md), by its path or as text; with a robot, Error if it is none of it.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> small = ts.reduce(robot, ts.point_to_point([0, 0.5], [1, 1], 1.0))
>>> ts.read_reduced(small.to_toml(), robot).terms == small.terms
True
)");
}

}  // namespace torsor::python
