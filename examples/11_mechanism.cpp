// A four-bar linkage that is driven by its crank: how it can move, what its motor must supply, what its hinges bear.
#include <cstdio>
#include <torsor/torsor.hpp>

int main() {
  const auto description = torsor::load_mechanism("four_bar");
  if (!description) return 1;
  const auto mechanism = torsor::build(*description);
  if (!mechanism) return 1;

  torsor::MechanismState state = torsor::described_state(*mechanism);
  torsor::Assembly assembly(*mechanism, torsor::EquationSet::all);
  if (!assembly.positions(state).closed || !assembly.velocities(state).closed) return 1;
  const auto mobility = torsor::mobility(*mechanism, state, torsor::EquationSet::without_drivers);
  std::printf("%d degree of freedom, %d redundant equations\n", mobility.freedoms, mobility.redundant);

  std::vector<torsor::Motion<double>> A(state.bodies.size());
  assembly.accelerations(state, A);
  torsor::MechanismInverse inverse(*mechanism);
  inverse.expect_redundancy(mobility.redundant > 0);
  std::vector<double> torques(description->actuators.size());
  const auto report = inverse.torques(state, A, torques);
  std::printf("motor %.6f N m, %.6f W\n", torques[0], report.power);

  const auto reaction = torsor::joint_reaction(*mechanism, inverse.equations(), mechanism->blocks[0], inverse.lambda());
  std::printf("the crank's hinge bears %.3f N\n", torsor::norm(reaction.on_j.f));
  return mobility.freedoms == 1 && report.unbalanced < 1e-9 ? 0 : 1;
}
