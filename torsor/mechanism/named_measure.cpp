#include "torsor/mechanism/named_measure.hpp"

#include <fmt/format.h>

#include <set>

namespace torsor {

std::string_view measure_word(Measure::What what) {
  return what == Measure::What::angle ? "angle" : what == Measure::What::slide ? "slide" : "length";
}

std::vector<NamedMeasure> reported_measures(const MechanismDescription& d) {
  // of two places that nothing joins, what something looks at or pulls along
  std::set<std::pair<int, Measure::What>> used;
  const auto use = [&](const Measure& measure) { used.emplace(measure.joint, measure.what); };
  for (const MechanismCoupling& coupling : d.couplings)
    for (const auto& term : coupling.terms) use(term.measure);
  for (const MechanismDriver& driver : d.drivers)
    for (const auto& term : driver.terms) use(term.measure);
  for (const MechanismActuator& actuator : d.actuators) use(actuator.measure);
  for (const MechanismSpring& spring : d.springs) use(spring.measure);
  for (const MechanismLaw& law : d.laws) {
    use(law.measure);
    for (const StateSignal& each : law.signals)
      if (each.measure.joint >= 0) use(each.measure);
  }

  std::vector<NamedMeasure> all;
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const MechanismJointRow& kind = row(d.joints[k].kind);
    const auto add = [&](Measure::What what, bool has) {
      const Measure measure{static_cast<int>(k), what};
      if (has && (kind.kind != MechanismJointKind::free || used.contains({measure.joint, what})))
        all.push_back({fmt::format("{}.{}", measure_word(what), d.joints[k].name), measure});
    };
    add(Measure::What::angle, kind.angle);
    add(Measure::What::slide, kind.slide);
    add(Measure::What::length, kind.length);
  }
  return all;
}

double second_derivative(const MeasureValue& at, std::span<const Motion<double>> A) {
  double second = at.bias;
  if (at.body_i != ground) second += dot(A[static_cast<std::size_t>(at.body_i)], at.J_i);
  if (at.body_j != ground) second += dot(A[static_cast<std::size_t>(at.body_j)], at.J_j);
  return second;
}

}  // namespace torsor
