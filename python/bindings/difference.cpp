// What is different between two robots, in Python.
#include <nanobind/stl/string.h>

#include <cmath>

#include "python/bindings/errors.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/check/robot_difference.hpp"

namespace torsor::python {

using namespace nb::literals;

namespace {

nb::object diff(const Robot& first, const Robot& second, double tolerance, int states, bool link_frames) {
  if (!(tolerance >= 0) || !std::isfinite(tolerance))
    refuse("diff", "tolerance is not a number from 0 on; expected 1e-9, for example");
  if (states < 1) refuse("diff", "states is " + std::to_string(states) + "; expected 1 or more");
  return answer_of(
      robot_difference(first, second, {.tolerance = tolerance, .states = states, .link_frames = link_frames}));
}

}  // namespace

void bind_difference(nb::module_& m) {
  m.def("diff", diff, "first"_a, "second"_a, nb::kw_only(), "tolerance"_a = 1e-9, "states"_a = 64,
        "link_frames"_a = false,
        nb::sig("def diff(first: Robot, second: Robot, *, tolerance: float = 1e-9, states: int = 64, link_frames: bool "
                "= False) -> "
                "torsor._results.RobotDifference"),
        R"(What is different between two robots, physically: geometry, masses, limits, friction, drives, frames.

Joints are matched by name, else by place (renamed says so). Poses and torques are compared over random states inside the
limits of the first. tolerance: of lengths relative to the robot's, of angles in rad, of all else relative to itself. The
frames of links are a matter of taste, and count with link_frames alone.

>>> import torsor as ts
>>> puma = ts.load("puma560")
>>> ts.diff(puma, ts.load(puma.to_urdf(), check=False)).same
True
>>> heavier = ts.diff(puma, puma.with_payload(2.0))
>>> heavier.same, heavier.differences[0].topic, round(heavier.differences[0].difference, 9)
(False, 'mass', 2.0)
)");
}

}  // namespace torsor::python
