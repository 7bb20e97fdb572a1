// Identification of parameters from records, in Python.
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>

#include "python/bindings/array_results.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Numbers = std::vector<double>;

DriveColumns columns_of(const char* f, const char* name, const std::string& word) {
  return static_cast<DriveColumns>(word_of(f, name, word, {"none", "model", "all"}));
}

nb::object find(const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle tau, double held_out,
                double rest_speed, bool at_motors, const std::vector<std::string>& passive, const std::string& friction,
                const std::string& rotors, std::uint64_t seed) {
  const char* const f = "identify";
  const Model<double>&model = robot.coordinates(), &tree = robot.tree();
  if (!(held_out >= 0 && held_out <= 0.9))
    refuse(f, "held_out is " + std::to_string(held_out) + "; expected a share from 0 to 0.9");
  if (!(rest_speed >= 0)) refuse(f, "rest_speed is negative or no number; expected a speed");
  RowCall call(f, 1);
  call.take("q", q, model.nq).take("qd", qd, model.nv).take("qdd", qdd, model.nv).take("tau", tau, model.nv).settle();
  call.refuse_not_finite();
  std::vector<TorqueSample> samples;
  for (std::int64_t k = 0; k < call.states(); ++k) {
    const auto part = [&](int which) { return Numbers(call.row(which, k).begin(), call.row(which, k).end()); };
    samples.push_back({part(0), part(1), part(2), part(3)});
  }
  const std::vector<DynamicParameter> list =
      file_parameters(tree, {columns_of(f, "rotors", rotors), columns_of(f, "friction", friction)});
  constexpr std::size_t most = 600;  // what base parameters are found for in reasonable time
  if (list.size() > most)
    refuse(f, "the robot has " + std::to_string(list.size()) + " parameters; expected at most " + std::to_string(most));
  IdentificationOptions options;
  options.held_out = held_out;
  options.rest_speed = rest_speed;
  options.at_motors = at_motors;
  options.seed = seed;
  options.passive.resize(static_cast<std::size_t>(model.nv), false);
  const std::vector<std::string_view> coordinates(model.velocity_names.begin(), model.velocity_names.end());
  for (const std::string& name : passive) options.passive[word_of(f, "passive", name, coordinates)] = true;
  std::optional<Result<Identification>> made;
  {
    const nb::gil_scoped_release release;
    made.emplace(identify(robot, list, samples, options));
  }
  IdentifiedArrays out{model, tree, value_of(*std::move(made))};
  out.doubts = implausible(model, out.of);

  // a robot with the identified numbers, where a file can hold it
  const IdentifiedSet set = identified_set(tree, out.of);
  auto written = with_parameters(robot.description(), tree, out.of.base.parameters, set.phi);
  if (written) {
    written->source += (written->source.empty() ? "" : "; ") + std::string("parameters identified from a record");
    if (const auto built = torsor::Robot::try_build(*std::move(written)))
      out.robot.of = nb::cast(make_robot(*built));
    else
      out.faults = built.faults();
  } else {
    out.faults = written.faults();
  }
  for (const Fault& doubt : out.doubts) warn_of_run(doubt.offender + ": " + doubt.what);
  if (const std::size_t unexcited = out.of.unexcited.size(); unexcited > 0)
    warn_of_run(model.name + ": this motion does not determine " + std::to_string(unexcited) +
                " base parameters from the others; they are left as in the file");
  return answer_of(out);
}

}  // namespace

void bind_identification(nb::module_& m) {
  m.def("identify", find, "robot"_a, "q"_a, "qd"_a, "qdd"_a, "tau"_a, nb::kw_only(), "held_out"_a = 0.25,
        "rest_speed"_a = 0.0, "at_motors"_a = false, "passive"_a = std::vector<std::string>(), "friction"_a = "model", "rotors"_a = "model", "seed"_a = 1,
        nb::sig(
            "def identify(robot: Robot, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, qdd: "
            "numpy.typing.ArrayLike, tau: numpy.typing.ArrayLike, *, held_out: float = 0.25, rest_speed: float = 0.0, "
            "at_motors: bool = False, passive: collections.abc.Sequence[str] = (), friction: str = \"model\", rotors: str = \"model\", seed: int = 1) -> "
            "torsor._results.Identification"),
        R"(Base parameters of a robot from a record of its motion and torques, by weighted least squares.

q: (N, nq), qd, qdd, tau: (N, nv). held_out: share of the record, at its end, that is kept for validation. rest_speed: a
joint no faster than this says nothing of its dry friction. at_motors: tau is on the side of the motors. passive: joints that
have no motor; a torque of 0 in all rows is refused of any other. friction, rotors: whose parameters are looked for, of those that the 'model' has, 'all' or 'none'. Parameters that the motion does not
excite are left as in the file, with a :class:`RunWarning`. So is said why torques cannot be those of this robot:
exchanged columns, wrong signs; `implausible` has the reasons.

>>> import numpy as np, torsor as ts
>>> robot = ts.load("two_link")
>>> random = np.random.default_rng(1)
>>> q, qd, qdd = random.uniform(-2, 2, (3, 200, 2))
>>> truth = robot.with_payload(0.5)
>>> found = ts.identify(robot, q, qd, qdd, ts.inverse_dynamics(truth, q, qd, qdd))
>>> bool(abs(ts.inverse_dynamics(found.robot, q, qd, qdd) - ts.inverse_dynamics(truth, q, qd, qdd)).max() < 1e-9)
True
)");
}

}  // namespace torsor::python
