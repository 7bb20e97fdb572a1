#include "torsor/mechanism/actuation.hpp"

#include <fmt/format.h>

#include "torsor/mechanism/inverse_dynamics.hpp"

namespace torsor {

Actuation actuation(const Mechanism& m, const MechanismState& assembled, const MobilityReport& joints) {
  Actuation out;
  const int actuators = static_cast<int>(m.description.actuators.size());
  if (actuators == 0) return {"not actuated", "it has no actuators", 0};
  MechanismInverse inverse(m);
  inverse.expect_redundancy(true);
  std::vector<double> efforts(static_cast<std::size_t>(actuators));
  const std::vector<Motion<double>> rest(m.description.bodies.size());
  out.commanded = inverse.efforts(assembled, rest, efforts).commanded;
  const auto many = [](int n, const char* one, const char* more) {
    return fmt::format("{} {}", n, n == 1 ? one : more);
  };
  out.sentence =
      fmt::format("{} {} {} of {}", many(actuators, "actuator", "actuators"), actuators == 1 ? "commands" : "command",
                  many(out.commanded, "degree of freedom", "degrees of freedom"), joints.freedoms);
  out.word = out.commanded < joints.freedoms ? "under-actuated"
             : actuators > out.commanded     ? "over-actuated"
                                             : "fully actuated";
  return out;
}

}  // namespace torsor
