#include "cli/torques_beside.hpp"

#include <fmt/format.h>

#include <memory>

#include "torsor/dynamics.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/report/robot_view.hpp"

namespace torsor {

TorqueLaw torques_without_friction(Model<double> model) {
  model.friction.clear();
  auto dynamics = std::make_shared<Dynamics>(model, DynamicsOptions{.questions = Questions::all_but_forward});
  return [dynamics](std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
                    std::span<double> tau) { dynamics->inverse(q, qd, qdd, tau); };
}

void add_torques_beside(ReportSection& section, const std::string& title, const Model<double>& model,
                        const Course& course, const NamedTorques& one, const NamedTorques& other) {
  const auto nv = static_cast<std::size_t>(model.nv);
  std::vector<double> q(static_cast<std::size_t>(model.nq)), qd(nv), qdd(nv), tau(nv);
  RobotMotion motion;
  std::vector<std::vector<double>> first(nv), second(nv);
  for (const double t : course.times) {
    course.sample(t, q, qd, qdd);
    one.law(q, qd, qdd, tau);
    motion.add(t, q, tau);
    for (std::size_t k = 0; k < nv; ++k) first[k].push_back(tau[k]);
    other.law(q, qd, qdd, tau);
    for (std::size_t k = 0; k < nv; ++k) second[k].push_back(tau[k]);
  }
  if (!motion.empty())
    section.figure(robot_view(model, fmt::format("The robot as it moves (torques: {})", one.name), motion));
  PlotGrid grid{title, "", {}, 3};
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  for (std::size_t k = 0; k < nv; ++k)
    grid.plots.push_back({model.velocity_names[k],
                          "",
                          {"time", "s"},
                          {"torque", std::string(torque_unit(kinds[k]))},
                          {{one.name, course.times, first[k]}, {other.name, course.times, second[k]}},
                          {},
                          {}});
  section.figure(std::move(grid));
}

}  // namespace torsor
