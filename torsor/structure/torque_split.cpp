#include "torsor/structure/torque_split.hpp"

#include "torsor/model/random_position.hpp"

namespace torsor {

TorqueSplit torque_split(std::span<const double> D, std::span<const double> c, std::span<const double> G,
                         std::span<const double> qd, std::span<const double> qdd) {
  const std::size_t n = G.size();
  TorqueSplit out{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0), {G.begin(), G.end()}};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      out.inertia[i] += D[i * n + j] * qdd[j];
      for (std::size_t m = 0; m < n; ++m) out.velocity[i] += c[(i * n + j) * n + m] * qd[j] * qd[m];
    }
  return out;
}

TorqueSplit torque_split_at(const Model<double>& model, std::span<const double> q, std::span<const double> qd,
                            std::span<const double> qdd) {
  const std::size_t n = static_cast<std::size_t>(model.nv);
  CoefficientsWork<double> work(model);
  Configuration<double> configuration(model);
  configuration.set(model, q);
  std::vector<double> D(n * n), c(n * n * n), G(n);
  coefficients_composite_body<double>(model, configuration, work, D, c, G);
  return torque_split(D, c, G, qd, qdd);
}

RateLimits usual_rate_limits(const Model<double>& model) {
  RateLimits out;
  const std::vector<CoordinateKind> kinds = position_kinds(model);
  for (std::size_t l = 0; l < model.limits.size(); ++l) {
    const double limit = model.limits[l].velocity;
    out.speed.push_back(std::isfinite(limit) ? limit : kinds[l] == CoordinateKind::angle ? 2 : 1);
    out.acceleration.push_back(2 * out.speed.back());
  }
  return out;
}

TermSizes workspace_term_sizes(const Model<double>& model, const RateLimits& limits, int states, std::uint64_t seed) {
  const std::size_t n = static_cast<std::size_t>(model.nv);
  CoefficientsWork<double> work(model);
  Configuration<double> configuration(model);
  // positions by a generator of their own: they are those of the workspace survey with this seed
  std::mt19937_64 engine(seed), rates(seed + 1);
  std::vector<double> D(n * n), c(n * n * n), G(n), qd(n), qdd(n);
  TermGather gather(model.nv);
  for (int t = 0; t < states; ++t) {
    configuration.set(model, random_position(model, engine));
    for (std::size_t l = 0; l < n; ++l) {
      qd[l] = limits.speed[l] * (2 * uniform(rates) - 1);
      qdd[l] = limits.acceleration[l] * (2 * uniform(rates) - 1);
    }
    coefficients_composite_body<double>(model, configuration, work, D, c, G);
    gather.see(torque_split(D, c, G, qd, qdd), t);
  }
  return gather.sizes();
}

void TermGather::see(const TorqueSplit& terms, int state) {
  for (std::size_t i = 0; i < inertia_.size(); ++i) {
    inertia_[i].see(abs(terms.inertia[i]), state);
    velocity_[i].see(abs(terms.velocity[i]), state);
    gravity_[i].see(abs(terms.gravity[i]), state);
  }
}

TermSizes TermGather::sizes() const {
  TermSizes out;
  for (std::size_t i = 0; i < inertia_.size(); ++i) {
    out.inertia.push_back(inertia_[i].spread());
    out.velocity.push_back(velocity_[i].spread());
    out.gravity.push_back(gravity_[i].spread());
  }
  return out;
}

}  // namespace torsor
