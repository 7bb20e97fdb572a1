#include "torsor/mechanism/function_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/equations.hpp"

namespace torsor {

std::string unsound_function(const Mechanism& m, const MechanismState& state) {
  const MechanismDescription& d = m.description;
  const double t = state.t;
  const auto sound = [t](const TimeFunction& f, bool derivatives) {
    if (!f) return true;
    const TimeValue x = f(t);
    return std::isfinite(derivatives ? x.f + x.fd + x.fdd : x.f);
  };
  const auto name = [](const char* what, const auto& element) { return fmt::format("{} \"{}\"", what, element.name); };
  for (const MechanismDriver& x : d.drivers)
    if (!sound(x.function, true)) return name("driver", x);
  for (const MechanismCarrier& x : d.carriers) {
    const bool place = std::all_of(x.position.begin(), x.position.end(), [&](const auto& f) { return sound(f, true); });
    const bool turns = std::all_of(x.turns.begin(), x.turns.end(), [&](const auto& f) { return sound(f.angle, true); });
    if (!place || !turns) return name("carrier", x);
  }
  for (const MechanismActuator& x : d.actuators)
    if (!sound(x.effort, false)) return name("actuator", x);
  for (const MechanismSpring& x : d.springs)
    if (!sound(x.effort, false)) return name("spring", x);
  for (const MechanismForce& x : d.forces)
    for (std::size_t k = 0; k < 3; ++k)
      if (!sound(x.force[k], false) || !sound(x.moment[k], false)) return name("force", x);
  MechanismEquations equations(m);
  equations.evaluate(state);
  for (const MechanismCoupling& x : d.couplings)
    for (const MechanismCoupling::Term& term : x.terms) {
      if (!term.profile) continue;
      const TimeValue p = term.profile(equations.measure(term.measure).value);
      if (!std::isfinite(p.f + p.fd + p.fdd)) return name("coupling", x);
    }
  return "";
}

}  // namespace torsor
