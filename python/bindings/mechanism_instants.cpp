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

Instants::Instants(const Mechanism& m, bool single, bool drivers, Axes axes)
    : m_(m),
      single_(single),
      measures_(reported_measures(m.description)),
      held_(held_joints(m, drivers)),
      axes_(axes) {}

void Instants::add(const MechanismState& state, const MechanismEquations& equations,
                   std::span<const Motion<double>> A) {
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

std::vector<std::string> Instants::reaction_names() const {
  std::vector<std::string> names;
  // where nothing holds it there are none
  for (const ConstraintBlock* block : held_)
    if (reactions_.size() > 0) names.push_back(m_.description.joints[count(block->index)].name);
  return names;
}

NumberArray Instants::shaped(const RunRows& rows, std::vector<std::size_t> shape) const {
  if (!single_) shape.insert(shape.begin(), t_.size());
  return {rows.numbers(), std::move(shape)};
}

}  // namespace torsor::python
