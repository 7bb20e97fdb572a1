// One state of a robot worked through a formulation step by step, for the Studio.
#include <fmt/format.h>

#include "cli/studio_robot.hpp"
#include "torsor/formulations/worked_example.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {

void StudioRobot::worked_example(const StudioRequest& in, StudioAnswer& out) {
  const auto nq = static_cast<std::size_t>(robot_.nq()), nv = static_cast<std::size_t>(robot_.nv());
  const std::vector<double> q = in.numbers("q", nq), zero(nv, 0.0), qd = in.numbers_if("qd", nv).value_or(zero),
                            qdd = in.numbers_if("qdd", nv).value_or(zero);
  // Lagrange-Euler has n^3 sums of n terms each: nobody reads them, and the engine would be busy for minutes
  constexpr std::size_t most_joints = 12;
  if (nv > most_joints)
    refuse_call("worked_example", "call-size",
                fmt::format("it has {} joints, and steps are written for {}", nv, most_joints),
                "take a part of it: torsor show --base --tool");
  auto forms = robot_forms(loaded(in).robot.description());
  if (!forms) throw_error(forms.faults());
  forms->set(q);
  const auto example = torsor::worked_example(*forms, in.text("formulation"), qd, qdd);
  if (!example) throw_error(example.faults());
  write_fields(out.json, *example);
}

}  // namespace torsor
