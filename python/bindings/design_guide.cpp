// The design guide in Python: the guidelines, and which change of a robot removes which coefficient of its equations.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/timed_motion.hpp"
#include "torsor/reduction/proposals.hpp"
#include "torsor/trajectory/range_sweep.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::object guide(const Robot& robot, nb::handle motion, bool keep_axes, bool pairs, int steps) {
  const char* const f = "guide";
  const Model<double>& model = robot.model();
  if (steps < 1) refuse(f, "steps is " + std::to_string(steps) + "; expected 1 or more");
  if (model.nq != model.nv) refuse(f, "the robot has ball, planar or free joints; expected joints with a coordinate each");
  const Trajectory along = motion.is_none() ? Trajectory(range_sweep(model)) : nb::cast<Trajectory>(motion);
  if (along.size() != static_cast<std::size_t>(model.nv))
    refuse(f, "the motion has " + std::to_string(along.size()) + " coordinates; expected " + std::to_string(model.nv));
  std::optional<Result<DesignGuide>> made;
  Visits visits;
  visits.unlocked([&] {
    made = design_guide(robot.description(), course_of(watched(along, visits), steps),
                        {.structure = {}, .keep_axes = keep_axes, .pairs = pairs});
  });
  const DesignGuide found = value_of(*std::move(made));

  const nb::module_ module = nb::module_::import_("torsor._design");
  const ExactStructure& now = found.now.numbers();
  const auto names = [&](const std::vector<std::size_t>& places) {
    std::vector<std::string> out;
    for (const std::size_t k : places) out.push_back(to_text(now.coefficients[k], now.n));
    return out;
  };
  nb::list guidelines, proposals;
  for (int k = 1; k <= 4; ++k)
    guidelines.append(module.attr("Guideline")(k, std::string(guideline_text(k)), found.guidelines.kept(k)));
  for (const Proposal& p : found.proposals) {
    Answer answer;
    answer.put("kind", std::string(to_text(p.change.kind))).put("link", p.change.link).put("text", p.change.text);
    answer.put("moves_axes", p.change.moves_axes).put("removed", names(p.removed)).put("brought", names(p.brought));
    answer.put("steadied", names(p.steadied)).put("coefficients", p.count()).put("peak", new_array(p.effect.peak));
    answer.put("peak_ratio", p.peak_ratio).put("coupling_mean", p.effect.coupling_mean);
    answer.put("energy_ratio", p.energy_ratio).put("coupling_ratio", p.coupling_ratio).put("cost", p.cost());
    answer.put("coupling_largest", p.effect.coupling_largest).put("robot", nb::cast(make_robot(value_of(torsor::Robot::try_build(p.change.robot)))));
    proposals.append(answer.make("_design", "Proposal"));
  }
  Answer answer;
  answer.put("robot", model.name).put("coefficients", total(now.nonzero_counts())).put("guidelines", guidelines);
  answer.put("sparsity", found.guidelines.sparsity).put("expected_sparsity", found.guidelines.expected);
  answer.put("peak", new_array(found.effect.peak)).put("coupling_mean", found.effect.coupling_mean);
  answer.put("coupling_largest", found.effect.coupling_largest).put("proposals", proposals).put("tried", found.tried);
  return answer.make("_design", "DesignGuide");
}

}  // namespace

void bind_design_guide(nb::module_& m) {
  m.def("guide", guide, "robot"_a, "motion"_a = nb::none(), "keep_axes"_a = false, "pairs"_a = false, "steps"_a = 400,
        nb::sig("def guide(robot: Robot, motion: JointMotion | None = None, keep_axes: bool = False, pairs: bool = False, "
                "steps: int = 400) -> torsor._design.DesignGuide"),
        R"(Which changes of a robot make its equations simpler: every candidate is tried exactly; those that leave fewer
coefficients, and take no degree of freedom from a tool, are ranked by what they do to peak torques, energy and coupling
along a motion, each with the changed robot.

motion: of the joints, by default through the middle half of their ranges and back; steps: instants of it that are looked
at. keep_axes: only changes of masses, which leave the tool where it is. pairs: also two changes at once, for coefficients
that no single one removes. The guidelines are those of Tourassis & Neuman (1985).

>>> import torsor as ts
>>> guide = ts.guide(ts.load("two_link"), steps=50)
>>> best = guide.proposals[0]
>>> best.coefficients < guide.coefficients, best.robot.nv
(True, 2)
)");
}

}  // namespace torsor::python
