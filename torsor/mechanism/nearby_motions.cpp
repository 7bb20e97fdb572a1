#include "torsor/mechanism/nearby_motions.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/linkages.hpp"
#include "torsor/mechanism/mechanism_variant.hpp"
#include "torsor/mechanism/static_forces.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

FreeMotion free_motion(const Mechanism& m, const MechanismState& state) {
  FreeMotion out;
  const MobilityReport mobile = mobility(m, state, EquationSet::all);
  out.why = too_many_freedoms(mobile);
  if (!out.why.empty()) return out;
  out.redundant = mobile.redundant > 0;
  out.N = freedoms(m, state, EquationSet::all);
  out.velocities = out.positions();
  constexpr const char* too_far_apart =
      "its masses or lengths are too large or too far apart: in double precision its degrees of freedom have no "
      "numbers";
  // but for the spin of what has no moment of inertia
  if (out.velocities < mobile.freedoms && spinning_bodies(m, state, EquationSet::all).empty()) {
    out.why = too_far_apart;
    return out;
  }
  if (std::ranges::any_of(m.blocks, [](const ConstraintBlock& b) { return b.velocity_only > 0; })) {
    // what rolls can be elsewhere all the same: motions that positions allow, less those that velocities do
    const Mechanism slides = without_rolling(m);
    out.why = too_many_freedoms(mobility(slides, state, EquationSet::all));
    if (!out.why.empty()) return out;
    MechanismEquations equations(m);
    equations.evaluate(state);
    ConstrainedMotion metric(m, EquationSet::all);
    metric.factor(equations);
    const auto product = [&](const auto& a, const auto& b) {
      double sum = 0;
      for (std::size_t k = 0; k < a.size(); ++k) {
        const int body = static_cast<int>(k);
        sum += dot(a[k], metric.mass(body, b[k]) + metric.borrowed(body, b[k]));
      }
      return sum;
    };
    for (std::vector<Motion<double>> x : freedoms(slides, state, EquationSet::all)) {
      for (int pass = 0; pass < 2; ++pass)
        for (const auto& before : out.N) {
          const double part = product(before, x);
          for (std::size_t b = 0; b < x.size(); ++b) x[b] = x[b] - before[b] * part;
        }
      // each was of length 1
      const double left = std::sqrt(product(x, x));
      if (!(left > 1e-6)) continue;
      for (Motion<double>& each : x) each = each * (1 / left);
      out.N.push_back(std::move(x));
    }
  }
  const auto numbers = [](const std::vector<Motion<double>>& x) {
    return std::ranges::all_of(x, [](const Motion<double>& b) {
      return std::isfinite(b.w.x + b.w.y + b.w.z + b.v.x + b.v.y + b.v.z);
    });
  };
  if (!std::ranges::all_of(out.N, numbers)) out.why = too_far_apart;
  return out;
}

NearbyMotions::NearbyMotions(const Mechanism& m, const MechanismState& state, const FreeMotion& free,
                             const TurningFrames& frames)
    : mechanism_(m),
      state_(state),
      free_(free),
      frames_(frames),
      forward_(m),
      assembly_(m, EquationSet::all),
      metric_at_(m),
      metric_(m, EquationSet::all),
      A_(state.bodies.size()),
      size_(size_of(m)) {
  forward_.expect_redundancy(free.redundant);
  assembly_.expect_redundancy(free.redundant);
  metric_at_.evaluate(state);
  metric_.factor(metric_at_);
  for (const BodyState& b : state.bodies) speed_ = std::max({speed_, norm(b.w), norm(b.v) / size_});
  const Parts parts = linkages_with_springs(m);
  for (const auto& x : free.N) part_.push_back(parts.of[furthest_body(x, size_)]);
}

std::vector<double> NearbyMotions::masses() const {
  const int n = free_.velocities;
  std::vector<double> G(cells(n, n));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int b = 0; b < static_cast<int>(state_.bodies.size()); ++b) {
        const auto at = static_cast<std::size_t>(b);
        G[cell(i, n, k)] += dot(free_.N[static_cast<std::size_t>(i)][at],
                                metric_.mass(b, free_.N[static_cast<std::size_t>(k)][at]));
      }
  return G;
}

NearbyMotions::Rates NearbyMotions::rates(const MechanismState& s) {
  forward_.accelerations(s, A_);
  const std::vector<Motion<double>> d = displacement(state_, s);
  Rates out;
  // along one of the motions; `of` what else, beside the change itself, was summed up to it
  const auto read = [&](const std::vector<Motion<double>>& x, const auto& change, const auto& of) {
    double sum = 0, terms = 0;
    for (std::size_t b = 0; b < A_.size(); ++b) {
      const int body = static_cast<int>(b);
      const Motion<double> rate = change(b);
      const Force<double> f = metric_.mass(body, rate) + metric_.borrowed(body, rate), g = of(body);
      sum += dot(x[b], f);
      terms += norm(x[b].w) * (norm(f.n) + norm(g.n)) + norm(x[b].v) * (norm(f.f) + norm(g.f));
    }
    out.sum.push_back(sum), out.terms.push_back(terms);
  };
  const auto acceleration = [&](std::size_t b) { return seen_change(frames_[b], s.bodies[b], A_[b]); };
  const auto forces = [&](int body) {
    const auto b = static_cast<std::size_t>(body);
    const Force<double> momentum = metric_.mass(body, {s.bodies[b].w, s.bodies[b].v});
    return Force<double>{cross(s.bodies[b].w, momentum.n),
                         mechanism_.description.gravity * mechanism_.description.bodies[b].m};
  };
  const auto velocity = [&](std::size_t b) {
    const BodyState &at = s.bodies[b], &was = state_.bodies[b];
    return Motion<double>{at.w - was.w + cross(was.w - frames_[b].turn, d[b].w),
                          at.v - was.v - cross(frames_[b].place, d[b].v)};
  };
  const auto momenta = [&](int body) {
    const auto b = static_cast<std::size_t>(body);
    return metric_.mass(body, {s.bodies[b].w, s.bodies[b].v});
  };
  for (int k = 0; k < free_.velocities; ++k) read(free_.N[static_cast<std::size_t>(k)], acceleration, forces);
  for (const auto& x : free_.N) read(x, velocity, momenta);
  return out;
}

MechanismState NearbyMotions::moved(const std::vector<Motion<double>>& x, double position, double velocity) {
  MechanismState s = state_;
  displace(s, x, position);
  for (std::size_t b = 0; b < x.size(); ++b) s.bodies[b].v += x[b].v * velocity, s.bodies[b].w += x[b].w * velocity;
  assembly_.positions(s);
  assembly_.velocities(s);
  return s;
}

/// dy'/d and dz'/d of one z or y: (8 (a_1 - a_-1) - (a_2 - a_-2)) / 12 h.
std::vector<double> NearbyMotions::slope(int k, bool position, double h, std::vector<double>& terms) {
  const auto& x = free_.N[static_cast<std::size_t>(k)];
  std::vector<double> sum(terms.size());
  for (const auto& [steps, weight] : {std::pair{1, 8.0}, std::pair{-1, -8.0}, std::pair{2, -1.0}, std::pair{-2, 1.0}}) {
    const Rates at = rates(position ? moved(x, steps * h, 0) : moved(x, 0, steps * h));
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const auto v = static_cast<std::size_t>(free_.velocities);
      if (part_[i < v ? i : i - v] != part_[static_cast<std::size_t>(k)]) continue;
      sum[i] += weight * at.sum[i] / (12 * h);
      terms[i] = std::max(terms[i], at.terms[i]);
    }
  }
  return sum;
}

NearbyEquations NearbyMotions::equations() {
  const int p = free_.positions(), v = free_.velocities, r = p - v;
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  NearbyEquations out;
  std::vector<double> K0(cells(v, p)), D0(cells(v, v)), P(cells(p, p)), terms(at(v + p));
  const Rates here = rates(state_);
  for (int i = 0; i < v; ++i) out.left_over = std::max(out.left_over, std::fabs(here.sum[at(i)]));
  for (int k = 0; k < p; ++k) {
    // far enough for rounding, near enough for the fifth derivative
    const double h = 5e-4 / reach_of(free_.N[at(k)], size_);
    const std::vector<double> by_position = slope(k, true, h, terms);
    for (int i = 0; i < v; ++i) K0[cell(i, p, k)] = -by_position[at(i)];
    for (int i = 0; i < p; ++i) P[cell(i, p, k)] = by_position[at(v + i)];
    out.noise_by_position.push_back(1 / h);
  }
  // accelerations have no more than squares of velocities; but what is very large is slow, and beside the squares of steps of
  // 1 rad/s nothing would be left of its forces
  double natural = 0;
  for (const double x : K0) natural = std::max(natural, std::sqrt(std::fabs(x)));
  const double step = std::max(natural > 0 ? std::min(1.0, natural) : 1.0, speed_);
  for (int k = 0; k < v; ++k) {
    const double hv = step / out.noise_by_position[at(k)];
    const std::vector<double> by_velocity = slope(k, false, hv, terms);
    for (int i = 0; i < v; ++i) D0[cell(i, v, k)] = -by_velocity[at(i)];
    out.noise_by_velocity.push_back(1 / hv);
  }
  out.K.resize(cells(v, p)), out.D.resize(cells(v, v)), out.P_r.resize(cells(r, p));
  for (int i = 0; i < r; ++i)
    for (int k = 0; k < p; ++k) out.P_r[cell(i, p, k)] = P[cell(v + i, p, k)];
  for (int i = 0; i < v; ++i) {
    for (int k = 0; k < v; ++k) out.D[cell(i, v, k)] = D0[cell(i, v, k)] - P[cell(i, p, k)];
    for (int k = 0; k < p; ++k) {
      double sum = K0[cell(i, p, k)];
      for (int l = 0; l < v; ++l) sum -= D0[cell(i, v, l)] * P[cell(l, p, k)];
      for (int l = v; l < p; ++l) sum -= P[cell(i, p, l)] * P[cell(l, p, k)];
      out.K[cell(i, p, k)] = sum;
    }
    // of what the sum above is made of
    double noise = terms[at(i)];
    for (int l = 0; l < v; ++l) noise += std::fabs(D0[cell(i, v, l)]) * terms[at(v + l)];
    for (int l = v; l < p; ++l) noise += std::fabs(P[cell(i, p, l)]) * terms[at(v + l)];
    out.noise_of_acceleration.push_back(noise);
  }
  for (int i = v; i < p; ++i) out.noise_of_rest.push_back(terms[at(v + i)]);
  return out;
}

}  // namespace torsor
