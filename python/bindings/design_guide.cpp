// The design guide in Python: the guidelines, and which change of a robot removes which coefficient of its equations.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/timed_motion.hpp"
#include "torsor/report/guide_result.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::object design_guide(const Robot& robot, nb::handle motion, bool keep_axes, bool pairs, int steps) {
  const char* const f = "guide";
  Visits visits;
  const Trajectory along = survey_motion(f, robot.model(), motion, steps, visits);
  std::optional<Result<DesignGuide>> made;
  visits.unlocked([&] {
    made = torsor::guide(robot.description(), course_of(along, steps),
                         {.structure = {}, .keep_axes = keep_axes, .pairs = pairs});
  });
  const DesignGuide found = value_of(*std::move(made));

  const nb::object answer = answer_of(found);
  for (std::size_t k = 0; k < found.proposals.size(); ++k)
    answer.attr("proposals")[k].attr("__dict__")["robot"] =
        nb::cast(make_robot(value_of(torsor::Robot::try_build(found.proposals[k].change.robot))));
  return answer;
}

}  // namespace

void bind_design_guide(nb::module_& m) {
  m.def("guide", design_guide, "robot"_a, "motion"_a = nb::none(), "keep_axes"_a = false, "pairs"_a = false,
        "steps"_a = 400,
        nb::sig(
            "def guide(robot: Robot, motion: JointMotion | None = None, keep_axes: bool = False, pairs: bool = False, "
            "steps: int = 400) -> torsor._results.DesignGuide"),
        R"(Which changes of a robot make its equations simpler: every candidate is tried exactly; those that leave fewer
coefficients, and take no degree of freedom from a tool, are ranked by what they do to peak torques, energy and coupling
along a motion, each with the changed robot.

motion: of the joints, by default through the middle half of their ranges and back; steps: instants of it that are looked
at. keep_axes: only changes of masses, which leave the tool where it is. pairs: also two changes at once, for coefficients
that no single one removes. The guidelines are those of Tourassis & Neuman (1985).

>>> import torsor as ts
>>> guide = ts.guide(ts.load("two_link"), steps=50)
>>> best = guide.proposals[0]
>>> best.nonzero < guide.nonzero, best.robot.nv
(True, 2)
)");
}

}  // namespace torsor::python
