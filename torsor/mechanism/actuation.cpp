#include "torsor/mechanism/actuation.hpp"

#include <fmt/format.h>

#include "torsor/how_many.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"

namespace torsor {

Actuation actuation(const Mechanism& m, const MechanismState& assembled, const MobilityReport& joints) {
  Actuation out;
  const int actuators = static_cast<int>(m.description.actuators.size());
  if (actuators == 0) return {"not actuated", "it has no actuators", 0, {}};
  MechanismInverse inverse(m);
  inverse.expect_redundancy(true);
  std::vector<double> torques(static_cast<std::size_t>(actuators));
  const std::vector<Motion<double>> rest(m.description.bodies.size());
  out.commanded = inverse.torques(assembled, rest, torques).commanded;
  for (int k = 0; k < actuators; ++k)
    if (inverse.is_shared(k)) out.shared.push_back(k);
  out.word = out.commanded < joints.freedoms ? "under-actuated"
             : actuators > out.commanded     ? "over-actuated"
                                             : "fully actuated";
  const std::string who = how_many(actuators, "actuator") + (actuators == 1 ? " commands " : " command ");
  out.sentence = joints.freedoms == 0
                     ? who + "nothing: it has no degree of freedom, and the joints bear whatever an actuator does"
                     : fmt::format("{}{} of {}", who,
                                   how_many(out.commanded, "degree of freedom", "degrees of freedom"), joints.freedoms);
  return out;
}

std::string torque_sentence(const Mechanism& m, std::span<const int> shared) {
  if (shared.empty()) return "Torques of the actuators are unique.";
  constexpr std::size_t most_named = 8;
  std::string list;
  for (std::size_t k = 0; k < shared.size() && k < most_named; ++k)
    list += fmt::format("{}\"{}\"", k == 0 ? "" : ", ",
                        m.description.actuators[static_cast<std::size_t>(shared[k])].name);
  if (shared.size() > most_named) list += fmt::format(" and {} more", shared.size() - most_named);
  return fmt::format(
      "Torques of {} {} are not unique, as joints or other actuators can bear them instead: the least ones by weight "
      "are "
      "given, and the reactions that go with them.",
      shared.size() == 1 ? "actuator" : "actuators", list);
}

}  // namespace torsor
