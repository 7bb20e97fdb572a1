#include "bench/timing/equation_timing.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "bench/timing/clock.hpp"
#include "torsor/model/general_arm.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/equations.hpp"
#include "torsor/symbolic/symbolic_dynamics.hpp"

namespace torsor {
namespace {

constexpr SymbolicParts all{true, true, true}, inertia{true, false, false};
constexpr int most_general = 7;  // joints: the terms of D grow sixfold with each one

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);  // given in units of 1024 bytes
}

/// Of the independent coefficients: d_ij, i <= j, and c_jm(i), j <= m.
std::size_t terms_of(const SymbolicDynamics& dynamics) {
  std::size_t terms = 0;
  for (int i = 0; i < dynamics.n; ++i) {
    for (int j = i; j < dynamics.n && !dynamics.D.empty(); ++j) terms += dynamics.d(i, j).terms().size();
    for (int j = 0; j < dynamics.n && !dynamics.c.empty(); ++j)
      for (int m = j; m < dynamics.n; ++m) terms += dynamics.christoffel(i, j, m).terms().size();
  }
  for (const Poly& g : dynamics.G) terms += g.terms().size();
  return terms;
}

Result<EquationTime> timed(std::string what, const Result<SymbolicRobot>& robot, SymbolicParts parts) {
  if (!robot) return robot.faults();
  const Clock::time_point start = Clock::now();
  const auto dynamics = symbolic_dynamics(*robot, parts);
  if (!dynamics) return dynamics.faults();
  const double seconds = seconds_since(start);
  return EquationTime{std::move(what), terms_of(*dynamics), seconds, {}, peak_memory()};
}

Result<EquationTime> timed_by_names(std::string what, const Result<SymbolicRobot>& robot, SymbolicParts parts) {
  if (!robot) return robot.faults();
  const Clock::time_point start = Clock::now();
  const auto lines = equations(*robot, {.parts = parts, .form = EquationForm::named});
  if (!lines) return lines.faults();
  return EquationTime{std::move(what), 0, seconds_since(start), lines->cost, peak_memory()};
}

}  // namespace

Result<std::vector<EquationTime>> time_equations(const Description& robot) {
  const auto own = symbolic_robot(robot);
  if (!own) return own.faults();
  std::string joints;
  for (const SymbolicJoint& joint : own->joints) joints += joint.prismatic ? 'P' : 'R';
  joints.resize(std::min<std::size_t>(joints.size(), most_general));
  const Description general = general_arm(static_cast<int>(joints.size()), Convention::standard_dh, joints);
  const SymbolicOptions linear{.general_inertias = true, .first_moments = true, .rates = false};
  SymbolicOptions every_letter = linear;
  every_letter.general_twists = every_letter.general_lengths = true;

  std::vector<EquationTime> rows;
  for (auto&& row :
       {timed("D", own, inertia), timed("D, C, G", own, all),
        timed("D, C, G, all inertias", symbolic_robot(robot, {.general_inertias = true}), all),
        timed_by_names("D with names, ten linear parameters a link", symbolic_robot(robot, linear), inertia),
        timed_by_names("D, C, G with names", own, all),
        timed("D of a general arm", symbolic_robot(general, every_letter), inertia)}) {
    if (!row) return row.faults();
    rows.push_back(*row);
  }
  return rows;
}

}  // namespace torsor
