#include "torsor/structure/structure_table.hpp"

#include <algorithm>

#include "torsor/model/coordinate_kind.hpp"

namespace torsor {

StructureTable structure_table(const ExactStructure& structure, const Model<double>& model) {
  StructureTable out;
  out.joints = structure.n;
  out.turning = static_cast<int>(std::ranges::count(position_kinds(model), CoordinateKind::angle));
  out.independent = count_by_kind(structure.coefficients);
  out.nonzero = structure.nonzero_counts();
  out.constant = structure.constant_counts();
  if (out.joints == 0) return out;
  out.sparsity = static_cast<double>(total(out.nonzero)) / total(out.independent);
  out.anthropomorphism = static_cast<double>(out.turning) / out.joints;
  out.expected_sparsity = empirical_sparsity(out.anthropomorphism);
  return out;
}

double empirical_sparsity(double anthropomorphism) {
  const double factor = 1 + anthropomorphism * anthropomorphism;
  return 4.0 / 17 * factor * factor;
}

std::vector<char> possible_dependence(const Coefficient& w, int n, const std::vector<char>& slides) {
  std::vector<char> out(static_cast<std::size_t>(n), 0);
  const auto allow = [&](int first, int last) {  // from 0, both included
    for (int l = first; l <= last; ++l) out[static_cast<std::size_t>(l)] = 1;
  };
  const auto slide = [&](int l) { return slides[static_cast<std::size_t>(l)] != 0; };
  switch (w.kind) {
    case CoefficientKind::self_inertia:
      if (!slide(w.i)) allow(w.i + 1, n - 1);
      break;
    case CoefficientKind::mutual_inertia:
      allow(w.i + 1, slide(w.i) && slide(w.j) ? w.j - 1 : n - 1);
      if (slide(w.j)) out[static_cast<std::size_t>(w.j)] = 0;
      break;
    case CoefficientKind::centrifugal:
    case CoefficientKind::coriolis: allow(std::min({w.i, w.j, w.m}) + 1, n - 1); break;
    case CoefficientKind::gravity: allow(0, slide(w.i) ? w.i - 1 : n - 1); break;
  }
  return out;
}

std::span<const PrintedRow> printed_rows() {
  static constexpr PrintedRow rows[] = {
      {"Cartesian", "PPP", "++", {3, 0, 0, 0, 1}, 3, {3, 0, 0, 0, 1}, 3, "any", ""},
      {"cylindrical", "RPP", "|+", {3, 0, 1, 0, 1}, 2, {3, 0, 1, 0, 1}, 2,
       "the reach meets the first axis, and the mass centre of link 3 lies in their plane", ""},
      {"spherical", "RRP", "++", {3, 0, 3, 0, 2}, 1, {3, 0, 3, 0, 2}, 1,
       "no shoulder offset, no products of inertia, mass centres in the plane of the arm", ""},
      {"articulated", "RRR", "+|", {3, 3, 6, 2, 2}, 1, {3, 3, 6, 1, 2}, 1, "any",
       "15 in all, not 16: where axes 2 and 3 are parallel, c12(3) vanishes, as d12 = f(q2) + g(q2 + q3) and d13 = g(q2 + q3)"},
      {"Stanford", "RRPRRR", "++|++", {6, 12, 19, 25, 4}, 1, {6, 12, 19, 25, 4}, 2,
       "no products of inertia, mass centre of the tool on its axis",
       "two self-inertias are constant, not one: d33, a mass, and d66"},
      {"PUMA", "RRRRRR", "+|+++", {6, 14, 30, 34, 4}, 1, {6, 14, 25, 39, 4}, 1,
       "no products of inertia, mass centre of the tool on its axis",
       "88 in all, but 25 centrifugal and 39 Coriolis ones: by (36) 14 mutual inertias that are not zero leave at most 29 "
       "centrifugal ones"},
  };
  return rows;
}

const PrintedRow* printed_row(const AxisFacts& facts) {
  for (const PrintedRow& row : printed_rows()) {
    bool same = facts.n == static_cast<int>(row.joints.size());
    for (int i = 0; same && i < facts.n; ++i) {
      const std::size_t at = static_cast<std::size_t>(i);
      same = facts.joints[at].slides == (row.joints[at] == 'P');
      if (!same || i == 0) continue;
      const PairFacts& pair = facts(i - 1, i);
      same = pair.one_path && (row.angles[at - 1] == '|' ? pair.parallel : pair.right_angle);
    }
    if (same) return &row;
  }
  return nullptr;
}

}  // namespace torsor
