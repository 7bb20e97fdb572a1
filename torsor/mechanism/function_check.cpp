#include "torsor/mechanism/function_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/applied_forces.hpp"
#include "torsor/mechanism/named_measure.hpp"

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
  for (const MechanismLaw& x : d.laws)
    if (!std::isfinite(law_torque(m, state, equations, x))) return name("law", x);
  for (const MechanismCoupling& x : d.couplings)
    for (const MechanismCoupling::Term& term : x.terms) {
      if (!term.profile) continue;
      const TimeValue p = term.profile(equations.measure(term.measure).value);
      if (!std::isfinite(p.f + p.fd + p.fdd)) return name("coupling", x);
    }
  return "";
}

std::string profile_pole(const Mechanism& m, const MechanismState& state, const MechanismState* later, double reach) {
  constexpr double next_to = 0.05;  // rad, or sizes of the mechanism
  const double size = size_of(m);
  const auto unit = [size](const Measure& measure) { return measure.what == Measure::What::angle ? 1 : size; };
  MechanismEquations equations(m), beyond(m);
  equations.evaluate(state);
  if (later) beyond.evaluate(*later);
  // whether the profile is farther away, before the pole and before `later`, than what else is in the sum can go
  const auto out_of_reach = [&](const auto& terms, const MechanismCoupling::Term& term, double x, double way) {
    double most = 0;
    for (const MechanismCoupling::Term& other : terms)
      if (&other != &term) most += std::fabs(other.factor) * reach * unit(other.measure);
    const double until = beyond.measure(term.measure).value - x, here = term.profile(x).f;
    for (double left = 0.1; left > 1e-6; left /= 10) {
      const double on = way * (1 - left);
      if (!(until / on >= 1)) return false;
      if (!(std::fabs(term.factor * (term.profile(x + on).f - here)) <= most)) return true;
    }
    return false;
  };
  const auto pole_of = [&](const char* what, const auto& element) -> std::string {
    for (const MechanismCoupling::Term& term : element.terms) {
      if (!term.profile) continue;
      const double x = equations.measure(term.measure).value;
      const TimeValue p = term.profile(x);
      // of a pole of order n, c (x - x0)^-n, this is 1 + 1 / n; of functions that stay finite it is less than 1
      const double bend = p.f * p.fdd / (p.fd * p.fd);
      const double way = p.f / p.fd / (bend - 1);  // from x to the pole
      if (!(bend > 1.05 && std::fabs(way) < next_to * unit(term.measure))) continue;
      if (later && !out_of_reach(element.terms, term, x, way)) continue;
      const double at = std::fabs(x + way) < 1e-3 * std::fabs(way) ? 0 : x + way;
      return fmt::format("the profile of {} \"{}\" has no finite value at x = {:.4g}, the {} of joint \"{}\"", what,
                         element.name, at, measure_word(term.measure.what),
                         m.description.joints[static_cast<std::size_t>(term.measure.joint)].name);
    }
    return "";
  };
  for (const MechanismCoupling& each : m.description.couplings)
    if (std::string pole = pole_of("coupling", each); !pole.empty()) return pole;
  for (const MechanismDriver& each : m.description.drivers)
    if (std::string pole = pole_of("driver", each); !pole.empty()) return pole;
  return "";
}

}  // namespace torsor
