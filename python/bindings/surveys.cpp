// How large the coefficients of the equations get, in Python: over the workspace, and along a motion.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "python/bindings/array_results.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/timed_motion.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/structure/motion_survey.hpp"
#include "torsor/structure/workspace_survey.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::object over_workspace(const Robot& robot, int positions, std::uint64_t seed) {
  const char* const f = "workspace_survey";
  if (positions < 1) refuse(f, "positions is " + std::to_string(positions) + "; expected 1 or more");
  if (robot.model().nq != robot.model().nv)
    refuse(f, "the robot has ball, planar or free joints; expected joints with a coordinate each");
  WorkspaceSurvey found;
  {
    const nb::gil_scoped_release release;
    found = workspace_survey(robot.model(), {positions, seed});
  }
  const std::size_t n = static_cast<std::size_t>(robot.model().nv);
  NumberArray q{{}, {found.positions.size(), n}};
  for (const std::vector<double>& each : found.positions) q.numbers.insert(q.numbers.end(), each.begin(), each.end());
  return answer_of(WorkspaceArrays{robot.model().name,
                                   coefficient_names(found.coefficients, robot.model().nv),
                                   {found.values, found.dominance, found.coupling},
                                   found.scales,
                                   std::move(q)});
}

nb::object along_motion(const Robot& robot, const Trajectory& motion, int steps) {
  const char* const f = "motion_survey";
  const Model<double>& model = robot.model();
  std::optional<Result<ExactRobot>> exact;
  ExactStructure structure;
  MotionSurvey found;
  Visits visits;
  const Trajectory along = survey_motion(f, model, nb::cast(motion), steps, visits);
  visits.unlocked([&] {
    exact = exact_robot(robot.description());
    if (!*exact) return;
    structure = exact_structure(**exact, Level::numbers);
    found = motion_survey((*exact)->model, structure, course_of(along, steps));
  });
  if (!*exact) raise(exact->faults());
  for (const TorqueSplit& each : found.terms)
    for (const std::vector<double>* part : {&each.inertia, &each.velocity, &each.gravity})
      for (std::size_t i = 0; i < part->size(); ++i)
        if (const double x = (*part)[i]; !std::isfinite(x))
          raise({not_finite("joint \"" + model.velocity_names[i] + "\"", "a term of its torque", x)});
  return answer_of(MotionArrays{model.name, coefficient_names(structure.coefficients, structure.n), std::move(found),
                                snap_names((*exact)->snaps),
                                compare_torques(robot.model(), (*exact)->model).relative});
}

}  // namespace

void bind_surveys(nb::module_& m) {
  m.def(
      "workspace_survey", over_workspace, "robot"_a, "positions"_a = 2000, "seed"_a = 1985,
      nb::sig("def workspace_survey(robot: Robot, positions: int = 2000, seed: int = 1985) -> "
              "torsor._results.WorkspaceSurvey"),
      R"(How large every coefficient of the equations gets over random positions inside the limits, and how the joints couple.

>>> import torsor as ts
>>> found = ts.workspace_survey(ts.load("two_link"), positions=200)
>>> found.coefficients[:3], found.q.shape
(['d11', 'd22', 'd12'], (200, 2))
)");
  m.def(
      "motion_survey", along_motion, "robot"_a, "motion"_a, "steps"_a = 400,
      nb::sig("def motion_survey(robot: Robot, motion: JointMotion, steps: int = 400) -> torsor._results.MotionSurvey"),
      R"(The coefficients along a motion: how large each gets, when it passes zero, and how the terms of the torques compare.

>>> import torsor as ts
>>> found = ts.motion_survey(ts.load("two_link"), ts.point_to_point([0, -0.5], [1, 0.5], 1.0), steps=50)
>>> [round(zero.start, 6) for zero in found.zeros if zero.coefficient == 'c11(2)']
[0.5]
)");
}

}  // namespace torsor::python
