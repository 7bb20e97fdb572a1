// How large the coefficients of the equations get, in Python: over the workspace, and along a motion.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "python/bindings/answer.hpp"
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

std::vector<std::string> coefficient_names(std::span<const Coefficient> coefficients, int n) {
  std::vector<std::string> names;
  for (const Coefficient& c : coefficients) names.push_back(to_text(c, n));
  return names;
}

nb::object numbers(const std::vector<Spread>& spreads, double Spread::*which) {
  std::vector<double> out;
  for (const Spread& each : spreads) out.push_back(each.*which);
  return new_array(out);
}

/// Means over what was looked at, symmetric, 1 on the diagonal; k_ij is at [i n + j], i < j.
nb::object coupling_matrix(const std::vector<Spread>& k, std::size_t n, double Spread::*which) {
  std::vector<double> out(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) out[i * n + j] = i == j ? 1 : k[std::min(i, j) * n + std::max(i, j)].*which;
  return new_array(out, {n, n});
}

/// What both surveys have.
void put_spreads(Answer& answer, const std::vector<Spread>& values, const std::vector<Spread>& dominance,
                 const std::vector<Spread>& coupling, std::size_t n) {
  answer.put("least", numbers(values, &Spread::least)).put("mean", numbers(values, &Spread::mean));
  answer.put("most", numbers(values, &Spread::most)).put("dominance", numbers(dominance, &Spread::most));
  answer.put("coupling_mean", coupling_matrix(coupling, n, &Spread::mean));
  answer.put("coupling_largest", coupling_matrix(coupling, n, &Spread::most));
}

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
  RunRows q;
  for (const std::vector<double>& each : found.positions) q.add(each);
  Answer answer;
  answer.put("robot", robot.model().name).put("coefficients", coefficient_names(found.coefficients, robot.model().nv));
  put_spreads(answer, found.values, found.dominance, found.coupling, n);
  return answer.put("scales", new_array(found.scales))
      .put("q", q.array({found.positions.size(), n}))
      .make("_surveys", "WorkspaceSurvey");
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
  const std::size_t n = static_cast<std::size_t>(model.nv), instants = found.times.size();
  const std::vector<std::string> names = coefficient_names(structure.coefficients, structure.n);
  const nb::object passage = nb::module_::import_("torsor._surveys").attr("ZeroPassage");
  nb::list zeros;
  for (const ZeroPassage& each : found.zeros)
    zeros.append(passage(names[each.coefficient], each.from, each.to, each.changes_sign));
  std::vector<std::string> idle;
  for (const std::size_t k : found.idle) idle.push_back(names[k]);
  std::vector<std::string> snaps;
  for (const Snap& snap : (*exact)->snaps) snaps.push_back(snap.what);
  RunRows inertia, velocity, gravity;
  for (const TorqueSplit& each : found.terms) {
    inertia.add(each.inertia);
    velocity.add(each.velocity);
    gravity.add(each.gravity);
  }
  Answer answer;
  answer.put("robot", model.name).put("coefficients", names).put("t", new_array(found.times));
  put_spreads(answer, found.values, found.dominance, found.coupling, n);
  answer.put("zeros", zeros).put("idle", idle).put("inertia", inertia.array({instants, n}));
  answer.put("velocity", velocity.array({instants, n})).put("gravity", gravity.array({instants, n}));
  answer.put("snaps", snaps).put("snap_effect", compare_torques(robot.model(), (*exact)->model).relative);
  return answer.make("_surveys", "MotionSurvey");
}

}  // namespace

void bind_surveys(nb::module_& m) {
  m.def(
      "workspace_survey", over_workspace, "robot"_a, "positions"_a = 2000, "seed"_a = 1985,
      nb::sig("def workspace_survey(robot: Robot, positions: int = 2000, seed: int = 1985) -> "
              "torsor._surveys.WorkspaceSurvey"),
      R"(How large every coefficient of the equations gets over random positions inside the limits, and how the joints couple.

>>> import torsor as ts
>>> found = ts.workspace_survey(ts.load("two_link"), positions=200)
>>> found.coefficients[:3], found.q.shape
(['d11', 'd22', 'd12'], (200, 2))
)");
  m.def(
      "motion_survey", along_motion, "robot"_a, "motion"_a, "steps"_a = 400,
      nb::sig("def motion_survey(robot: Robot, motion: JointMotion, steps: int = 400) -> torsor._surveys.MotionSurvey"),
      R"(The coefficients along a motion: how large each gets, when it passes zero, and how the terms of the torques compare.

>>> import torsor as ts
>>> found = ts.motion_survey(ts.load("two_link"), ts.point_to_point([0, -0.5], [1, 0.5], 1.0), steps=50)
>>> [round(zero.start, 6) for zero in found.zeros if zero.coefficient == 'c11(2)']
[0.5]
)");
}

}  // namespace torsor::python
