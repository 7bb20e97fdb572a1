// The design guide as a plain result: guidelines with what was found of them, and the proposals by the names of coefficients.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/reduction/proposals.hpp"

namespace torsor {

constexpr auto fields(Of<AxisAngle>) {
  using A = AxisAngle;
  return row_list("AxisAngle", "A joint and the next one inward.", field("inner", "", "", &A::inner_name),
                  field("outer", "", "", &A::outer_name), field("parallel", "", "exactly", &A::parallel),
                  field("right_angle", "", "exactly", &A::right_angle),
                  field("angle", "rad", "between their axes, in every position", &A::angle));
}

constexpr auto fields(Of<JointLoad>) {
  using J = JointLoad;
  return row_list("JointLoad", "Masses that a joint moves.", field("joint", "", "", &J::name),
                  field("own_mass", "kg", "of the link it carries", &J::own),
                  field("moved_mass", "kg", "of everything beyond", &J::moved),
                  field("loading", "", "sqrt(moved mass / that of the joint before it)", &J::loading),
                  field("heavier", "", "than the link before it", &J::heavier));
}

constexpr auto fields(Of<FirstJoint>) {
  using F = FirstJoint;
  return row_list("FirstJoint", "A joint with none before it.", field("joint", "", "", &F::name),
                  field("works", "", "against gravity, in some position", &F::works),
                  field("largest", "", "torque that takes, N m or N", &F::largest),
                  field("dependent_coefficients", "", "on its coordinate", &F::dependent));
}

constexpr auto fields(Of<GuidelineCheck>) {
  using G = GuidelineCheck;
  return field_list(
      "GuidelineCheck", "What the guidelines are checked by.", field("joints", "", "how many", &G::joints),
      field("prismatic_joints", "", "of them", &G::slides),
      field("sparsity", share_unit, "of the coefficients that are not zero", &G::sparsity),
      field("expected_sparsity", share_unit, "by the empirical law for this share of revolute joints", &G::expected),
      field("expected_with_one_more_prismatic", share_unit, "", &G::expected_with_one_slide),
      field("axes", "", "", &G::axes), field("loads", "", "", &G::loads), field("first_joints", "", "", &G::first));
}

/// One of the four rules of Tourassis & Neuman (1985).
struct Guideline {
  int guideline = 0;
  std::string_view rule;
  bool kept = false;
  std::string found;
};
std::vector<Guideline> guidelines_of(const DesignGuide&);

constexpr auto fields(Of<Guideline>) {
  using G = Guideline;
  return row_list("Guideline", "One of the four rules of Tourassis & Neuman (1985).",
                  field("guideline", "", "its number", &G::guideline), field("rule", "", "", &G::rule),
                  field("kept", "", "nothing is left to follow", &G::kept),
                  field("found", "", "in numbers", &G::found));
}

constexpr auto fields(Of<MotionEffect>) {
  using E = MotionEffect;
  return field_list(
      "MotionEffect", "What a motion takes.", field("peak_torque", "", "largest torques along the motion", &E::peak),
      field("energy", "J", "the integral of |tau qd|", &E::energy), field("coupling_mean", "", "", &E::coupling_mean),
      field("coupling_largest", "", "", &E::coupling_largest));
}

constexpr auto fields(Of<ToolFreedom>) {
  using T = ToolFreedom;
  return row_list("ToolFreedom", "What a tool can do.", field("degrees_of_freedom", "", "", &T::rank),
                  field("reach", "m", "", &T::reach),
                  field("manipulability", "", "median over positions", &T::manipulability),
                  field("smallest_singular_value", "", "likewise", &T::smallest));
}

/// Coefficients of a structure by their names: d12, c23(1), G4.
inline std::vector<std::string> coefficient_names(const ExactStructure& s, const std::vector<std::size_t>& which) {
  std::vector<std::string> names;
  for (const std::size_t e : which) names.push_back(to_text(s.coefficients[e], s.n));
  return names;
}

constexpr auto fields(Of<Proposal>) {
  using R = Proposal;
  return field_list(
      "Proposal", "A change of a robot that leaves fewer coefficients of its equations, and the tool all it can do.",
      field("number", "", "its place among them, from 1", &R::number),
      field("kind", "", "offset, axis, mount, mass centre, mass shape, counterbalance or several",
            [](const R& p) { return to_text(p.change.kind); }),
      field("link", "", "the one that changes; empty for the base", [](const R& p) { return p.change.link; }),
      field("change", "", "what is done, with its numbers", [](const R& p) { return p.change.text; }),
      field("moves_axes", "", "so that the tool reaches elsewhere", [](const R& p) { return p.change.moves_axes; }),
      field("nonzero", "", "coefficients that are left", &R::count),
      field("constant", "", "of them", [](const R& p) { return total(p.structure.constant_counts()); }),
      field("removed", "", "", [](const R& p) { return coefficient_names(p.structure, p.removed); }),
      field("brought", "", "that were zero before",
            [](const R& p) { return coefficient_names(p.structure, p.brought); }),
      field("made_constant", "", "", [](const R& p) { return coefficient_names(p.structure, p.steadied); }),
      fields_of_part(&R::effect), field("peak_ratio", "", "sum of peak torques, after to before", &R::peak_ratio),
      field("energy_ratio", "", "likewise", &R::energy_ratio),
      field("coupling_ratio", "", "of the mean", &R::coupling_ratio),
      field("cost", "", "mean of the three, by which proposals are ranked", &R::cost),
      field("worth_it", "",
            "the mean is below one, and peak torques and energy do not both rise; those that are come first",
            &R::worth_it),
      field("tools", "", "", &R::freedom));
}

/// A coefficient that is not zero, and the numbers of the proposals that remove it, from 1.
struct RemovableCoefficient {
  std::string name;
  std::vector<std::size_t> removed_by;
};

constexpr auto fields(Of<RemovableCoefficient>) {
  return row_list("RemovableCoefficient", "A coefficient that is not zero.",
                  field("name", "", "", &RemovableCoefficient::name),
                  field("removed_by", "", "numbers of proposals, from 1", &RemovableCoefficient::removed_by));
}

inline std::vector<RemovableCoefficient> removable_coefficients(const DesignGuide& g) {
  const ExactStructure& s = g.now.numbers();
  std::vector<RemovableCoefficient> out;
  for (std::size_t e = 0; e < s.coefficients.size(); ++e) {
    if (s.nonzero[e] == 0) continue;
    out.push_back({to_text(s.coefficients[e], s.n), g.removing(e, g.proposals.size())});
    for (std::size_t& number : out.back().removed_by) ++number;
  }
  return out;
}

constexpr auto fields(Of<DesignGuide>) {
  using G = DesignGuide;
  return field_list(
      "DesignGuide",
      "What could be changed about a robot, the best first; torques and couplings are those of the robot as it is.",
      field("robot", "", "", [](const G& g) { return g.now.robot.model.name; }),
      field("coordinates", "", "", [](const G& g) { return g.now.robot.model.velocity_names; }),
      field("nonzero", "", "coefficients", [](const G& g) { return total(g.now.numbers().nonzero_counts()); }),
      field("constant", "", "of them", [](const G& g) { return total(g.now.numbers().constant_counts()); }),
      field("possible", "", "for so many joints", [](const G& g) { return g.now.numbers().coefficients.size(); }),
      fields_of_part(&G::effect), field("guidelines", "", "", guidelines_of), fields_of_part(&G::guidelines),
      field("tried", "", "candidates", &G::tried), field("proposals", "", "ranked", &G::proposals),
      field("coefficients", "", "that are not zero", removable_coefficients));
}

}  // namespace torsor
