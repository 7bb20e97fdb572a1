#include "torsor/structure/derivative_zeros.hpp"

namespace torsor {

DerivativeSparsity derivative_zeros(const Model<double>& model, const ExactStructure& structure) {
  const int n = structure.n;
  TORSOR_EXPECT(model.nv == n);
  DerivativeSparsity out{std::vector<char>(cells(n, n)), {}, {}};
  out.dqd = out.dqdd = out.dq;
  for (std::size_t k = 0; k < structure.coefficients.size(); ++k) {
    if (!structure.nonzero[k]) continue;
    const auto& [kind, i, j, m] = structure.coefficients[k];
    const auto row_depends = [&, at = k](int row) {
      for (int l = 0; l < n; ++l)
        if (structure.depends_on(at, l)) out.dq[cell(row, n, l)] = 1;
    };
    const auto product_of_speeds = [&](int row, int a, int b) {
      out.dqd[cell(row, n, a)] = out.dqd[cell(row, n, b)] = 1;
      row_depends(row);
    };
    row_depends(i);
    if (kind == CoefficientKind::gravity) continue;
    if (kind == CoefficientKind::self_inertia || kind == CoefficientKind::mutual_inertia) {
      out.dqdd[cell(i, n, j)] = out.dqdd[cell(j, n, i)] = 1;
      row_depends(j);
      continue;
    }
    product_of_speeds(i, j, m);
    if (model.coupled()) continue;
    // what the symmetries leave out of the list: c_am(a) = -c_aa(m) and c_ac(b) = -c_ab(c) for a < b < c, a < m
    if (j == m && j < i) product_of_speeds(j, j, i);
    if (j < m && m < i) product_of_speeds(m, j, i);
  }
  add_friction_entries(model, out);
  return out;
}

}  // namespace torsor
