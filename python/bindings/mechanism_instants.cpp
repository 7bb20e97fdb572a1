#include "python/bindings/mechanism_instants.hpp"

#include "python/bindings/errors.hpp"

namespace torsor::python {
namespace {

std::vector<const ConstraintBlock*> held_joints(const Mechanism& m, bool drivers) {
  std::vector<const ConstraintBlock*> blocks;
  for (const ConstraintBlock& block : m.blocks)
    if (block.origin == ConstraintBlock::Origin::joint && block.rows > 0 && (drivers || !block.drives))
      blocks.push_back(&block);
  return blocks;
}

}  // namespace

MechanismState assembled(const Mechanism& m, bool* singular) {
  MechanismState state = described_state(m);
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  if (const Faults errors = assemble_start(m, assembly, state); !errors.empty()) raise(errors);
  if (singular) *singular = starts_singular(m, state, assembly.positions(state));
  return state;
}

Instants::Instants(const Mechanism& m, bool drivers, Axes axes)
    : m_(m), measures_(reported_measures(m.description)), held_(held_joints(m, drivers)), axes_(axes) {}

void Instants::add(const MechanismState& state, const MechanismEquations& equations, std::span<const Motion<double>> A) {
  t_.add(state.t);
  for (int b = 0; b < m_.bodies(); ++b) {
    poses_.add(body_pose(m_, state, b));
    velocities_.add(body_velocity(m_, state, b));
    if (!A.empty()) accelerations_.add(body_acceleration(m_, state, A[count(b)], b));
  }
  for (const NamedMeasure& each : measures_) {
    const MeasureValue at = equations.measure(each.measure);
    values_.add(at.value);
    rates_.add(at.rate);
    if (!A.empty()) seconds_.add(second_derivative(at, A));
  }
}

void Instants::add_reactions(const MechanismEquations& equations, std::span<const double> lambda) {
  for (const ConstraintBlock* block : held_) {
    const JointReaction both = joint_reaction(m_, equations, *block, lambda);
    const Force<double> F = axes_.on_i ? both.on_i : both.on_j;
    const JointPlace<double>& place =
        axes_.on_i ? equations.place_i(block->index) : equations.place_j(block->index);
    reactions_.add(axes_.joint ? along_axes(place.R, F) : F);
  }
}

void Instants::put(Answer& answer, bool single) const {
  const std::size_t n = t_.size(), bodies = count(m_.bodies()), k = measures_.size();
  const auto shaped = [&](const RunRows& rows, std::initializer_list<std::size_t> all,
                          std::initializer_list<std::size_t> one) { return rows.array(single ? one : all); };
  if (!single) answer.put("t", t_.array());
  answer.put("mechanism", m_.description.name).put("body_names", names_of(m_.description.bodies));
  answer.put("measure_names", names_of(measures_));
  answer.put("poses", shaped(poses_, {n, bodies, 4, 4}, {bodies, 4, 4}));
  answer.put("velocities", shaped(velocities_, {n, bodies, 6}, {bodies, 6}));
  answer.put("measures", shaped(values_, {n, k}, {k})).put("rates", shaped(rates_, {n, k}, {k}));
  if (!single) {
    answer.put("accelerations", accelerations_.array({n, bodies, 6}));
    answer.put("seconds", seconds_.array({n, k}));
  }
}

void Instants::put_reactions(Answer& answer, bool single) const {
  std::vector<std::string> names;
  for (const ConstraintBlock* block : held_) names.push_back(m_.description.joints[count(block->index)].name);
  answer.put("reaction_names", names);
  answer.put("reactions", single ? reactions_.array({held_.size(), 6}) : reactions_.array({t_.size(), held_.size(), 6}));
}

}  // namespace torsor::python
