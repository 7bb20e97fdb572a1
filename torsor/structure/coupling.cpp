#include "torsor/structure/coupling.hpp"

#include <cmath>

#include "torsor/formulations/coefficients_composite_body.hpp"

namespace torsor {

Coupling coupling_at(const Model<double>& model, const Configuration<double>& configuration,
                            CoefficientsWork<double>& work) {
  const int n = model.nv;
  const std::size_t size = static_cast<std::size_t>(n);
  Coupling out{n, std::vector<double>(size * size), std::vector<double>(size), std::vector<double>(size),
               std::vector<PairCoupling>(size * size)};
  coefficients_composite_body<double>(model, configuration, work, out.D, {}, {});
  const auto d = [&](int i, int j) { return out.D[cell(i, n, j)]; };
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      if (d(i, i) > 0 && d(j, j) > 0) out.pairs[cell(i, n, j)].coupling = abs(d(i, j)) / sqrt(d(i, i) * d(j, j));
  if (model.S.size() != size) return out;

  // the factors, for joints on one path
  for (int k = 0; k < n; ++k) {
    const int v = model[work.body[k]].v;
    out.mass[v] = work.C[work.body[k]].m;
    out.gyration[v] = out.mass[v] > 0 ? d(v, v) / out.mass[v] : 0;
  }
  for (int k = 0; k < n; ++k)
    for (int a = work.inward[k]; a >= 0; a = work.inward[a]) {
      const int i = model[work.body[a]].v, j = model[work.body[k]].v;
      PairCoupling& pair = out.pairs[i < j ? cell(i, n, j) : cell(j, n, i)];
      if (!(out.mass[i] > 0)) continue;
      pair.loading = sqrt(out.mass[j] / out.mass[i]);
      if (!(out.mass[j] > 0)) continue;
      pair.projected = d(i, j) / out.mass[j];
      if (out.gyration[i] > 0 && out.gyration[j] > 0)
        pair.kinematic = abs(*pair.projected) / sqrt(out.gyration[i] * out.gyration[j]);
    }
  return out;
}

}  // namespace torsor
