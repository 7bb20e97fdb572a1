#include "torsor/mechanism/mechanism_result.hpp"

#include <set>

namespace torsor {
namespace {

std::vector<std::string> block_names(const Mechanism& m, const auto& blocks) {
  std::vector<std::string> names;
  for (const int b : blocks) names.push_back(m.block_name(m.blocks[static_cast<std::size_t>(b)]));
  return names;
}

/// Blocks that redundant equations come from.
std::set<int> blocks_of(const MobilityReport& report) {
  std::set<int> blocks;
  for (const Dependence& each : report.dependences) {
    blocks.insert(each.block);
    blocks.insert(each.partners.begin(), each.partners.end());
  }
  return blocks;
}

}  // namespace

Redundancy redundancy(const Mechanism& m, const MobilityReport& report) {
  if (report.too_large) return {report.rows, {}, {}, {}};
  return {report.rows, report.rank, report.redundant, block_names(m, blocks_of(report))};
}

Mobility mobility_of(const Mechanism& m, const MechanismState& assembled, const MobilityReport& joints, bool singular) {
  Mobility out{m.description.name, joints, mobility(m, assembled, EquationSet::all), singular, {}, {}, {}, {}, {}};
  if (joints.too_large) return out;
  out.actuated = actuation(m, assembled, joints);
  for (const int k : out.actuated.shared)
    out.torques_not_unique.push_back(m.description.actuators[static_cast<std::size_t>(k)].name);
  if (out.driven.redundant > joints.redundant) {
    std::set<int> drivers = blocks_of(out.driven);
    std::erase_if(drivers, [&](int b) { return !m.blocks[static_cast<std::size_t>(b)].drives; });
    out.over_driving = block_names(m, drivers);
  }
  for (const Dependence& each : joints.dependences) {
    const ConstraintBlock& block = m.blocks[static_cast<std::size_t>(each.block)];
    out.dependences.push_back({each.row - block.first_row + 1, m.block_name(block), block_names(m, each.partners)});
  }
  for (const int coordinate : joints.independent) out.independent.push_back(coordinate_name(m, coordinate));
  return out;
}

}  // namespace torsor
