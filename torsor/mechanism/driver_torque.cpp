#include "torsor/mechanism/driver_torque.hpp"

#include "torsor/mechanism/joint_reaction.hpp"

namespace torsor {
namespace {

/// visit(driver, block, number of the term) of every measure that is driven.
template <class Visit>
void for_driven_measures(const Mechanism& m, const Visit& visit) {
  for (const ConstraintBlock& block : m.blocks) {
    if (block.origin != ConstraintBlock::Origin::driver) continue;
    const MechanismDriver& driver = m.description.drivers[static_cast<std::size_t>(block.index)];
    for (std::size_t k = 0; k < driver.terms.size(); ++k) visit(driver, block, k);
  }
}

}  // namespace

std::vector<std::string> driver_torque_names(const Mechanism& m) {
  std::vector<std::string> names;
  for_driven_measures(m, [&](const MechanismDriver& driver, const ConstraintBlock&, std::size_t k) {
    names.push_back(driver.name);
    if (driver.terms.size() > 1)
      names.back() += "." + m.description.joints[static_cast<std::size_t>(driver.terms[k].measure.joint)].name;
  });
  return names;
}

std::vector<Measure> driven_measures(const Mechanism& m) {
  std::vector<Measure> measures;
  for_driven_measures(m, [&](const MechanismDriver& driver, const ConstraintBlock&, std::size_t k) {
    measures.push_back(driver.terms[k].measure);
  });
  return measures;
}

void append_driver_torques(const Mechanism& m, const MechanismEquations& equations, std::span<const double> lambda,
                           std::vector<double>& out) {
  for_driven_measures(m, [&](const MechanismDriver&, const ConstraintBlock& block, std::size_t k) {
    out.push_back(term_torque(m, equations, block, static_cast<int>(k), lambda));
  });
}

}  // namespace torsor
