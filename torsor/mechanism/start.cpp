#include "torsor/mechanism/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/how_many.hpp"
#include "torsor/mechanism/branch_watch.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/named_measure.hpp"
#include "torsor/mechanism/run_diagnosis.hpp"

namespace torsor {
namespace {

/// A fault of a block of equations, where the file has it.
Faults fault_of(const Mechanism& m, int number, std::string rule, std::string what, std::string remedy) {
  const ConstraintBlock& block = m.blocks[static_cast<std::size_t>(std::max(number, 0))];
  const auto k = static_cast<std::size_t>(block.index);
  const Where where = block.origin == ConstraintBlock::Origin::joint      ? m.description.joints[k].where
                      : block.origin == ConstraintBlock::Origin::coupling ? m.description.couplings[k].where
                                                                          : m.description.drivers[k].where;
  return {{where, m.block_name(block), std::move(rule), std::move(what), std::move(remedy)}};
}

/// What is behind the unit of a position.
std::string_view per_time(std::string_view asked) {
  return asked == "a velocity" ? " per s" : asked == "an acceleration" ? " per s^2" : "";
}

std::string names_of(const Mechanism& m, std::span<const int> blocks) {
  constexpr std::size_t most = 6;
  std::string list;
  for (std::size_t k = 0; k < std::min(blocks.size(), most); ++k)
    list += (k == 0 ? "" : ", ") + m.block_name(m.blocks[static_cast<std::size_t>(blocks[k])]);
  return blocks.size() > most ? list + fmt::format(" and {} more", blocks.size() - most) : list;
}

/// Blocks of drivers among equations that depend on one another.
std::vector<int> dependent_drivers(const Mechanism& m, const MechanismState& state) {
  std::vector<int> drivers;
  for (const Dependence& d : mobility(m, state, EquationSet::all, 1e-6).dependences) {
    const auto take = [&](int block) {
      if (m.blocks[static_cast<std::size_t>(block)].drives) drivers.push_back(block);
    };
    take(d.block);
    for (const int partner : d.partners) take(partner);
  }
  std::sort(drivers.begin(), drivers.end());
  drivers.erase(std::unique(drivers.begin(), drivers.end()), drivers.end());
  return drivers;
}

Faults fight_of(const Mechanism& m, const std::vector<int>& drivers, const char* asked, double gap) {
  return fault_of(m, drivers.back(), "drivers-fight", "it " + drivers_fight(m, drivers, asked, gap),
                  "leave one of them out, or let them agree");
}

/// The first block whose equations have no numbers where it stands, and why in words; none: all have.
struct Numberless {
  int block = -1;
  std::string why;
};

Numberless without_numbers(const Mechanism& m, const MechanismState& state) {
  MechanismEquations equations(m);
  equations.evaluate(state);
  const auto finite = [&](const ConstraintBlock& block) {
    bool yes = true;
    for (int r = 0; r < block.rows; ++r) {
      const auto row = static_cast<std::size_t>(block.first_row + r);
      yes = yes && std::isfinite(equations.value[row] + equations.nu[row]);
      for (std::size_t slot = 0; slot < block.bodies.size(); ++slot) {
        const Force<double> g = equations.gradient(block, slot, r);
        yes = yes && std::isfinite(g.n.x + g.n.y + g.n.z + g.f.x + g.f.y + g.f.z);
      }
    }
    return yes;
  };
  const auto of_profile = [&](const std::vector<MechanismCoupling::Term>& terms) -> std::string {
    for (const MechanismCoupling::Term& term : terms) {
      const double x = equations.measure(term.measure).value;
      if (!term.profile) continue;
      if (const TimeValue at = term.profile(x); std::isfinite(at.f + at.fd)) continue;
      return fmt::format("its profile has no finite value or slope at x = {:.6g}, the {} of joint \"{}\"", x,
                         measure_word(term.measure.what),
                         m.description.joints[static_cast<std::size_t>(term.measure.joint)].name);
    }
    return "its equations have no finite numbers";
  };
  for (std::size_t b = 0; b < m.blocks.size(); ++b) {
    const ConstraintBlock& block = m.blocks[b];
    const auto k = static_cast<std::size_t>(block.index);
    if (finite(block)) continue;
    using enum ConstraintBlock::Origin;
    const bool flat = block.origin == joint && m.description.joints[k].kind == MechanismJointKind::rolling_disc;
    if (flat)
      return {static_cast<int>(b),
              "the disc lies flat in the plane it rolls on: no point of its rim is the one that touches"};
    return {static_cast<int>(b), block.origin == coupling ? of_profile(m.description.couplings[k].terms)
                                 : block.origin == driver ? of_profile(m.description.drivers[k].terms)
                                                          : of_profile({})};
  }
  return {};
}

constexpr const char* start_elsewhere = "let it start elsewhere";

/// Who is to blame for positions that cannot be closed: the joints, if they cannot without the drivers; drivers that are too
/// many; or what the drivers ask for.
Faults blame_positions(const Mechanism& m, MechanismState& state, const AssemblyReport& report) {
  const auto cannot_close = [&](const AssemblyReport& of, const std::string& but, const char* remedy) {
    return fault_of(
        m, of.block, "cannot-close",
        fmt::format("it cannot close: {:.3g} m or rad are left where all others are best kept{}", of.gap, but), remedy);
  };
  if (const Numberless none = without_numbers(m, state); none.block >= 0)
    return fault_of(m, none.block, "cannot-close", "it cannot close: " + none.why, start_elsewhere);
  std::vector<int> drivers;
  for (std::size_t b = 0; b < m.blocks.size(); ++b)
    if (m.blocks[b].drives) drivers.push_back(static_cast<int>(b));
  Assembly joints(m, EquationSet::without_drivers);
  joints.expect_redundancy(true);
  const AssemblyReport alone = drivers.empty() ? report : joints.from_guess(state);
  if (!alone.closed)
    return cannot_close(
        alone, "", "check lengths, points and axes; if they are right, let the bodies stand nearer to where it closes");
  if (const std::vector<int> fighting = drivers_too_many(m, beside(m, state)); !fighting.empty())
    return fight_of(m, fighting, "a position", report.gap);
  return cannot_close(report, fmt::format(", and without {} it closes", names_of(m, drivers)),
                      drivers.size() == 1 ? "let the driver ask for a position that exists"
                                          : "let the drivers ask for a position that exists");
}

Faults blame_velocities(const Mechanism& m, const MechanismState& state, const AssemblyReport& report) {
  if (const Numberless none = without_numbers(m, state); none.block >= 0)
    return fault_of(m, none.block, "cannot-move", "it cannot move: " + none.why, start_elsewhere);
  if (const std::vector<int> fighting = drivers_too_many(m, beside(m, state)); !fighting.empty())
    return fight_of(m, fighting, "a velocity", report.gap);
  // a joint asks for nothing: the driver does that works against it
  const std::vector<int> drivers = dependent_drivers(m, state);
  return fault_of(
      m, drivers.empty() ? report.block : drivers.back(), "cannot-move",
      fmt::format("it asks for a velocity that nothing can have in this position: {:.3g} m/s or rad/s are left",
                  report.gap),
      "the mechanism is locked here: start elsewhere, or let the drivers start at rest");
}

/// The equations as they are there; where it was hard to close, what was found is right to half the digits.
MobilityReport mobility_as_closed(const Mechanism& m, const MechanismState& state, const AssemblyReport& closed) {
  return mobility(m, state, EquationSet::all, closed.singular ? 1e-4 : 1e-9);
}

Faults fault_of_singular_start(const Mechanism& m) {
  return {
      {{}, m.description.name, "singular-start", singular_start, "let the drivers start a little before or after it"}};
}

}  // namespace

std::vector<int> drivers_too_many(const Mechanism& m, const MechanismState& state) {
  std::vector<int> drivers = dependent_drivers(m, state);
  if (drivers.size() < 2) drivers.clear();
  return drivers;
}

std::string drivers_fight(const Mechanism& m, const std::vector<int>& drivers, const char* asked, double gap) {
  const std::span<const int> others = std::span(drivers).first(drivers.size() - 1);
  return fmt::format("asks for {} that {} {} not allow with it: {:.3g} m or rad{} are left", asked, names_of(m, others),
                     others.size() == 1 ? "does" : "do", gap, per_time(asked));
}

bool starts_singular(const Mechanism& m, const MechanismState& state, const AssemblyReport& closed) {
  const MobilityReport here = mobility_as_closed(m, state, closed);
  return !here.too_large && here.freedoms > freedoms_nearby(m, state, EquationSet::all);
}

bool driven_from_singular(const Mechanism& m, const MechanismState& state, const AssemblyReport& closed) {
  if (std::ranges::none_of(m.blocks, &ConstraintBlock::drives)) return false;
  const MobilityReport here = mobility_as_closed(m, state, closed);
  return !here.too_large && here.freedoms > 0 && freedoms_nearby(m, state, EquationSet::all) == 0;
}

bool stands_singular(const Mechanism& m, const MechanismState& state) {
  constexpr double loosely = 1e-3;  // it stands next to it
  const MobilityReport here = mobility(m, state, EquationSet::all, loosely);
  return !here.too_large && here.freedoms > freedoms_nearby(m, state, EquationSet::all);
}

std::string lost_velocities(const Mechanism& m, const MechanismState& given, const MechanismState& taken, bool closed) {
  const std::string apart = masses_apart(m);
  const auto moves_so = [&](bool closes, const MechanismState& state) {
    return closes && !start_velocity(m, given, state).differs();
  };
  if (apart.empty() || moves_so(closed, taken)) return "";
  const Result<Mechanism> other = with_equal_masses(m);
  if (!other) return "";
  Assembly assembly(*other, EquationSet::all);
  assembly.expect_redundancy(true);
  MechanismState state = taken;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    state.bodies[b].w = given.bodies[b].w, state.bodies[b].v = given.bodies[b].v;
  const bool closes = start_velocities(*other, assembly, state).closed;
  return (closed ? moves_so(closes, state) : closes) ? "its velocities at the start are lost: " + apart : "";
}

Faults assemble_start(const Mechanism& m, Assembly& assembly, MechanismState& state) {
  if (m.blocks.empty()) return {};
  const MechanismState guess = state;
  if (const AssemblyReport report = assembly.from_guess(state); !report.closed) {
    state = guess;
    return blame_positions(m, state, report);
  }
  const AssemblyReport report = start_velocities(m, assembly, state);
  if (std::string lost = lost_velocities(m, guess, state, report.closed); !lost.empty())
    return {{{}, m.description.name, "cannot-move", std::move(lost),
             "check the masses and their units; fix what weighs nothing to its neighbour"}};
  return report.closed ? Faults() : blame_velocities(m, state, report);
}

Faults start_simulated(const Mechanism& m, MechanismState& state) {
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  if (Faults errors = assemble_start(m, assembly, state); !errors.empty()) return errors;
  return driven_from_singular(m, state, assembly.positions(state)) ? fault_of_singular_start(m) : Faults();
}

Faults start_driven(const Mechanism& m, MechanismState& state) {
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  if (Faults errors = assemble_start(m, assembly, state); !errors.empty()) return errors;
  const AssemblyReport closed = assembly.positions(state);
  const MobilityReport here = mobility_as_closed(m, state, closed);
  if (!here.too_large && here.freedoms > freedoms_nearby(m, state, EquationSet::all)) return fault_of_singular_start(m);
  const MobilityReport driven = closed.singular ? mobility(m, state, EquationSet::all) : here;
  if (driven.too_large || driven.freedoms == 0) return {};
  const int freedoms = mobility(m, state, EquationSet::without_drivers).freedoms;
  return {{{},
           m.description.name,
           "not-driven",
           fmt::format("of {} {} {} not driven: its motion is not determined",
                       how_many(freedoms, "degree of freedom", "degrees of freedom"), driven.freedoms,
                       driven.freedoms == 1 ? "is" : "are"),
           "add drivers to the file, or let forces move it, in a simulation"}};
}

}  // namespace torsor
