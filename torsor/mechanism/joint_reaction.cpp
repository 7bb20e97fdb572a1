#include "torsor/mechanism/joint_reaction.hpp"

namespace torsor {

JointReaction joint_reaction(const Mechanism& m, const MechanismEquations& equations, const ConstraintBlock& block,
                             std::span<const double> lambda) {
  const auto k = static_cast<std::size_t>(block.index);
  const JointPlace<double>&i = equations.place_i(block.index), &j = equations.place_j(block.index);
  const JointEquations<double> rows = joint_equations(m.description.joints[k].kind, m.sizes[k], i, j);
  JointReaction reaction;
  for (int a = 0; a < block.rows; ++a) {
    const double l = lambda[static_cast<std::size_t>(block.first_row + a)];
    reaction.on_i -= rows.rows[static_cast<std::size_t>(a)].J_i * l;
    reaction.on_j -= rows.rows[static_cast<std::size_t>(a)].J_j * l;
  }
  // from the mass centre to the joint
  reaction.on_i.n -= cross(i.s, reaction.on_i.f);
  reaction.on_j.n -= cross(j.s, reaction.on_j.f);
  return reaction;
}

double term_torque(const Mechanism& m, const MechanismEquations& equations, const ConstraintBlock& block, int term,
                   std::span<const double> lambda) {
  const auto index = static_cast<std::size_t>(block.index);
  const std::vector<MechanismCoupling::Term>& terms = block.origin == ConstraintBlock::Origin::coupling
                                                          ? m.description.couplings[index].terms
                                                          : m.description.drivers[index].terms;
  const MechanismCoupling::Term& t = terms[static_cast<std::size_t>(term)];
  const double slope = t.profile ? t.profile(equations.measure(t.measure).value).fd : 1;
  return -lambda[static_cast<std::size_t>(block.first_row)] * t.factor * slope;
}

}  // namespace torsor
