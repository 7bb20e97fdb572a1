#include "torsor/structure/workspace_survey.hpp"

#include "torsor/formulations/coefficients_composite_body.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

/// Per coordinate: the mass it moves, one radian or the stroke of its slide.
struct Scales {
  std::vector<double> mass, unit;
};

Scales scales_of(const Model<double>& model, const CoefficientsWork<double>& work) {
  const std::size_t n = static_cast<std::size_t>(model.nv);
  Scales out{std::vector<double>(n, 0.0), std::vector<double>(n, 1.0)};
  for (std::size_t k = 0; k < work.body.size(); ++k)
    out.mass[static_cast<std::size_t>(model[work.body[k]].v)] += work.C[static_cast<std::size_t>(work.body[k])].m;
  const std::vector<CoordinateKind> kinds = position_kinds(model);
  const std::vector<Limits> bounds = position_bounds(model);
  for (std::size_t l = 0; l < n; ++l)
    if (kinds[l] == CoordinateKind::length && bounds[l].upper > bounds[l].lower)
      out.unit[l] = bounds[l].upper - bounds[l].lower;
  return out;
}

}  // namespace

WorkspaceSurvey workspace_survey(const Model<double>& model, const SurveyOptions& options) {
  const std::size_t n = static_cast<std::size_t>(model.nv);
  const bool shared = model.S.size() != n;
  WorkspaceSurvey out;
  out.seed = options.seed;
  out.coefficients = independent_coefficients(model.nv, shared);

  CoefficientsWork<double> work(model);
  Configuration<double> configuration(model);
  std::mt19937_64 engine(options.seed);
  std::vector<double> D(n * n), c(n * n * n), G(n);
  std::vector<SpreadGather> values(out.coefficients.size()), dominance(n), coupling(n * n);
  for (int t = 0; t < options.positions; ++t) {
    out.positions.push_back(random_position(model, engine));
    configuration.set(model, out.positions.back());
    coefficients_composite_body<double>(model, configuration, work, D, c, G);
    for (std::size_t e = 0; e < values.size(); ++e)
      values[e].see(value_of<double>(out.coefficients[e], model.nv, D, c, G), t);
    for (std::size_t i = 0; i < n; ++i) {
      double others = 0;
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) others += abs(D[i * n + j]);
      if (D[i * n + i] > 0) dominance[i].see(others / D[i * n + i], t);
      for (std::size_t j = i + 1; j < n; ++j)
        if (const double product = D[i * n + i] * D[j * n + j]; product > 0)
          coupling[i * n + j].see(abs(D[i * n + j]) / sqrt(product), t);
    }
  }
  for (const SpreadGather& gather : values) out.values.push_back(gather.spread());
  for (const SpreadGather& gather : dominance) out.dominance.push_back(gather.spread());
  for (const SpreadGather& gather : coupling) out.coupling.push_back(gather.spread());

  const Scales scales = scales_of(model, work);
  const auto both = [&](int i, int j) {
    return sqrt(abs(out.values[i].size() * out.values[j].size()));
  };  // d_ii come first
  for (const Coefficient& w : out.coefficients) {
    const auto unit = [&](int l) { return scales.unit[static_cast<std::size_t>(l)]; };
    switch (w.kind) {
      case CoefficientKind::self_inertia:
      case CoefficientKind::mutual_inertia: out.scales.push_back(both(w.i, w.j)); break;
      case CoefficientKind::centrifugal:
      case CoefficientKind::coriolis:
        out.scales.push_back((both(w.i, w.j) / unit(w.m) + both(w.i, w.m) / unit(w.j) + both(w.j, w.m) / unit(w.i)) /
                             2);
        break;
      case CoefficientKind::gravity:
        out.scales.push_back(norm(model.gravity) *
                             sqrt(scales.mass[static_cast<std::size_t>(w.i)] * abs(out.values[w.i].size())));
    }
  }
  return out;
}

}  // namespace torsor
