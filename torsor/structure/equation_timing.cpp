#include "torsor/structure/equation_timing.hpp"

#include <chrono>

#include "torsor/model/general_arm.hpp"
#include "torsor/structure/symbolic_dynamics.hpp"

namespace torsor {
namespace {

Result<EquationTime> timed(std::string what, const Result<SymbolicRobot>& robot, SymbolicParts parts) {
  if (!robot) return robot.errors();
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto dynamics = symbolic_dynamics(*robot, parts);
  EquationTime row{std::move(what), 0, std::chrono::duration<double>(Clock::now() - start).count()};
  if (!dynamics) return dynamics.errors();
  for (const auto* polynomials : {&dynamics->D, &dynamics->c, &dynamics->G})
    for (const Poly& p : *polynomials) row.terms += p.terms().size();
  return row;
}

}  // namespace

Result<std::vector<EquationTime>> time_equations(const Description& robot) {
  const auto own = symbolic_robot(robot);
  if (!own) return own.errors();
  std::string joints;
  for (const SymbolicJoint& joint : own->joints) joints += joint.prismatic ? 'P' : 'R';
  const Description general = general_arm(static_cast<int>(joints.size()), Convention::standard_dh, joints);
  constexpr SymbolicParts all{true, true, true}, inertia{true, false, false};
  const SymbolicOptions every_letter{
      .general_inertias = true, .first_moments = true, .general_twists = true, .general_lengths = true, .rates = false};
  std::vector<EquationTime> rows;
  for (auto&& row : {timed("D", own, inertia), timed("D, C, G", own, all),
                     timed("D, C, G, all inertias", symbolic_robot(robot, {.general_inertias = true}), all),
                     timed("D of a general arm", symbolic_robot(general, every_letter), inertia)}) {
    if (!row) return row.errors();
    rows.push_back(*row);
  }
  return rows;
}

}  // namespace torsor
