#include "torsor/structure/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/model/coordinate_kind.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// The names and kinds of coordinates, and what is known of the inertias.
class Teller {
 public:
  explicit Teller(const Model<double>& model) : model_(model), kinds_(position_kinds(model)) {}

  const std::string& name(int l) const { return model_.velocity_names[static_cast<std::size_t>(l)]; }
  bool slides(int l) const { return kinds_[static_cast<std::size_t>(l)] == CoordinateKind::length; }
  std::string effort(int l) const { return (slides(l) ? "force at " : "torque at ") + name(l); }

 private:
  const Model<double>& model_;
  std::vector<CoordinateKind> kinds_;
};

std::string meaning_of_inertia(const Coefficient& w, const Teller& tell) {
  const auto [i, j] = std::pair(w.i, w.j);
  if (i == j)
    return tell.slides(i) ? fmt::format("mass that {} moves", tell.name(i))
                          : fmt::format("inertia of what {} turns, about its axis", tell.name(i));
  const std::string both = fmt::format("{} per acceleration of {}: ", tell.effort(i), tell.name(j));
  if (tell.slides(i) && tell.slides(j)) return both + "the mass moved, times the cosine between the two axes";
  if (tell.slides(i))
    return both + fmt::format("how far the mass beyond {} is carried along the prismatic joint", tell.name(j));
  if (tell.slides(j)) return both + fmt::format("the arm of the sliding mass about the axis of {}", tell.name(i));
  return both + fmt::format("inertia of what {} turns, projected on both axes", tell.name(j));
}

/// Number of d_ij in the list of independent coefficients.
std::size_t inertia_number(int i, int j, int n) {
  if (i == j) return static_cast<std::size_t>(i);
  if (i > j) std::swap(i, j);
  return cells(i, 2 * n - i - 1) / 2 + static_cast<std::size_t>(n + j - i - 1);
}

class Reasons {
 public:
  Reasons(const ExactStructure& structure, const AxisFacts& facts, const Model<double>& model)
      : s_(structure), facts_(facts), tell_(model) {}

  std::string of_inertia(int i, int j) const {
    const JointFacts &inner = joint(i), &outer = joint(j);
    const PairFacts& pair = facts_(i, j);
    if (i == j) return inner.slides ? "it moves no mass" : "what it turns has no inertia about its axis";
    if (!pair.one_path) return fmt::format("{} and {} are on different branches", tell_.name(i), tell_.name(j));
    if (inner.slides && outer.slides)
      return outer.massless ? no_mass(j) : "the two prismatic joints are at right angles";
    if (outer.massless && (inner.slides || outer.slides)) return no_mass(j);
    if (inner.slides != outer.slides && pair.parallel)
      return fmt::format("{} translates along the axis of {}", tell_.name(inner.slides ? i : j),
                         tell_.name(inner.slides ? j : i));
    if (inner.slides)
      return outer.balanced
                 ? balanced(j)
                 : fmt::format("turning {} moves its mass only across the axis of {}", tell_.name(j), tell_.name(i));
    if (outer.slides)
      return fmt::format("the sliding mass centre stays in a plane through the axis of {}", tell_.name(i));
    if (outer.principal && pair.right_angle)
      return fmt::format("the axes are at right angles, and that of {} is a principal axis of what it turns",
                         tell_.name(j));
    if (pair.right_angle) return "the axes are at right angles, and no product of inertia couples them";
    return fmt::format("about both axes the inertia of what {} turns balances out", tell_.name(j));
  }

  std::string of_centrifugal(int j, int i) const {
    if (joint(j).slides) return "a prismatic joint exerts no centrifugal force";
    if (!facts_(i, j).one_path && i != j)
      return fmt::format("{} and {} are on different branches", tell_.name(i), tell_.name(j));
    if (i > j) return unchanged(j, j, i);
    if (!s_.nonzero[inertia_number(i, j, s_.n)]) return fmt::format("{} is zero", label(i, j));
    return unchanged(i, j, j);
  }

  std::string of_coriolis(int j, int m, int i) const {
    if (!(facts_(i, j).one_path && facts_(i, m).one_path && facts_(j, m).one_path))
      return "the three joints are not on one path to the base";
    if (joint(std::min(j, m)).slides)
      return fmt::format("{} is prismatic, and carries no one around", tell_.name(std::min(j, m)));
    const bool moves = depends(i, j, m) || depends(i, m, j) || depends(j, m, i);
    if (!moves)
      return fmt::format("{}, {} and {} do not change with the third coordinate", label(i, j), label(i, m),
                         label(j, m));
    std::string why = "the changes of the inertias with the velocities cancel";
    for (const auto& [a, b] : {std::pair(i, j), std::pair(i, m), std::pair(j, m)})
      if (facts_(a, b).parallel)
        return why + fmt::format(": the axes of {} and {} are parallel", tell_.name(std::min(a, b)),
                                 tell_.name(std::max(a, b)));
    return why;
  }

  std::string of_gravity(int i) const {
    const JointFacts& facts = joint(i);
    if (facts.along_gravity && facts.across_gravity) return "there is no gravity";
    if (facts.massless) return no_mass(i);
    if (facts.slides) return "the prismatic joint is across gravity";
    if (facts.along_gravity) return "the axis is along gravity";
    if (facts.balanced) return balanced(i);
    return "the weight has no arm about the axis";
  }

 private:
  const JointFacts& joint(int l) const { return facts_.joints[static_cast<std::size_t>(l)]; }
  std::string label(int i, int j) const {
    return to_text({CoefficientKind::mutual_inertia, std::min(i, j), std::max(i, j)}, s_.n);
  }
  bool depends(int i, int j, int l) const { return s_.depends_on(inertia_number(i, j, s_.n), l); }
  std::string no_mass(int l) const { return fmt::format("{} moves no mass", tell_.name(l)); }
  std::string balanced(int l) const {
    return fmt::format("the mass centre of what {} turns is on its axis", tell_.name(l));
  }
  std::string unchanged(int i, int j, int l) const {
    return fmt::format("{} does not change with {}", label(i, j), tell_.name(l));
  }

  const ExactStructure& s_;
  const AxisFacts& facts_;
  Teller tell_;
};

}  // namespace

std::string meaning(const Coefficient& w, const Model<double>& model) {
  const Teller tell(model);
  switch (w.kind) {
    case CoefficientKind::self_inertia:
    case CoefficientKind::mutual_inertia: return meaning_of_inertia(w, tell);
    case CoefficientKind::centrifugal:
      return fmt::format("{} per squared velocity of {}: centrifugal", tell.effort(w.i), tell.name(w.j));
    case CoefficientKind::coriolis:
      return fmt::format("{} per velocities of {} and {} together: Coriolis, half of it", tell.effort(w.i),
                         tell.name(w.j), tell.name(w.m));
    case CoefficientKind::gravity: break;
  }
  return tell.slides(w.i) ? fmt::format("weight of what {} moves, along the prismatic joint", tell.name(w.i))
                          : fmt::format("moment of the weight of what {} turns, about its axis", tell.name(w.i));
}

std::string why_zero(const ExactStructure& structure, std::size_t e, const AxisFacts& facts,
                     const Model<double>& model) {
  if (structure.nonzero[e] != 0) return "";
  const Coefficient& w = structure.coefficients[e];
  if (facts.n != structure.n) {
    // the facts are about joints with a coordinate each
    const int j = w.kind == CoefficientKind::gravity ? w.i : w.j, m = w.kind == CoefficientKind::coriolis ? w.m : j;
    for (const int l : {w.i, j, m})
      if (std::ranges::count_if(model.bodies, [l](const Body<double>& b) { return b.nv > 0 && b.v == l; }) > 1)
        return "joints share coordinates, and their shares cancel";
    return "not looked for: other joints of this robot share a coordinate";
  }
  const Reasons reasons(structure, facts, model);
  switch (w.kind) {
    case CoefficientKind::self_inertia:
    case CoefficientKind::mutual_inertia: return reasons.of_inertia(w.i, w.j);
    case CoefficientKind::centrifugal: return reasons.of_centrifugal(w.j, w.i);
    case CoefficientKind::coriolis: return reasons.of_coriolis(w.j, w.m, w.i);
    case CoefficientKind::gravity: break;
  }
  return reasons.of_gravity(w.i);
}

}  // namespace torsor
