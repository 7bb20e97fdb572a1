#include "torsor/mechanism/linearisation.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/numeric/eigenvalues.hpp"
#include "torsor/numeric/null_vector.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {
namespace {

using FreeBasis = std::vector<std::vector<Motion<double>>>;
using Shape = std::vector<std::complex<double>>;

/// K and D, from accelerations along the freedoms of states beside this one.
class NearbyMotions {
 public:
  NearbyMotions(const Mechanism& m, const MechanismState& state, const FreeBasis& N, bool redundant)
      : state_(state), N_(N), forward_(m), assembly_(m, EquationSet::all), metric_at_(m), metric_(m, EquationSet::all),
        A_(state.bodies.size()), size_(size_of(m)) {
    forward_.expect_redundancy(redundant);
    assembly_.expect_redundancy(redundant);
    metric_at_.evaluate(state);
    metric_.factor(metric_at_);
  }

  std::vector<double> accelerations(const MechanismState& s) {
    forward_.accelerations(s, A_);
    std::vector<double> a;
    for (const auto& x : N_) {
      double sum = 0;
      for (std::size_t b = 0; b < A_.size(); ++b) {
        const int body = static_cast<int>(b);
        sum += dot(x[b], metric_.mass(body, A_[b]) + metric_.borrowed(body, A_[b]));
      }
      a.push_back(sum);
    }
    return a;
  }

  /// N^T M N: 1 but for what was borrowed.
  std::vector<double> masses() const {
    const int n = static_cast<int>(N_.size());
    std::vector<double> G(cells(n, n));
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)
        for (int b = 0; b < static_cast<int>(state_.bodies.size()); ++b) {
          const auto at = static_cast<std::size_t>(b);
          G[cell(i, n, k)] += dot(N_[static_cast<std::size_t>(i)][at],
                                  metric_.mass(b, N_[static_cast<std::size_t>(k)][at]));
        }
    return G;
  }

  /// -dz''/dz (`position`) or -dz''/dz' along freedom k: (8 (a_1 - a_-1) - (a_2 - a_-2)) / 12 h.
  std::vector<double> slope(int k, bool position) {
    const auto& x = N_[static_cast<std::size_t>(k)];
    // far enough for rounding, near enough for the fifth derivative
    const double h = 5e-4 / reach_of(x, size_);
    std::vector<double> sum(N_.size());
    for (const auto& [steps, weight] : {std::pair{1, 8.0}, std::pair{-1, -8.0}, std::pair{2, -1.0}, std::pair{-2, 1.0}}) {
      const std::vector<double> a = accelerations(position ? moved(x, steps * h, 0) : moved(x, 0, steps * h));
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] -= weight * a[i] / (12 * h);
    }
    return sum;
  }

 private:
  const MechanismState& state_;
  const FreeBasis& N_;
  MechanismForward forward_;
  Assembly assembly_;
  MechanismEquations metric_at_;  // to read coordinates off motions
  ConstrainedMotion metric_;
  std::vector<Motion<double>> A_;
  double size_;

  MechanismState moved(const std::vector<Motion<double>>& x, double position, double velocity) {
    MechanismState s = state_;
    displace(s, x, position);
    for (std::size_t b = 0; b < x.size(); ++b) s.bodies[b].v += x[b].v * velocity, s.bodies[b].w += x[b].w * velocity;
    assembly_.positions(s);
    assembly_.velocities(s);
    return s;
  }
};

/// A B, or with `turned` A^T B.
std::vector<double> product(const std::vector<double>& A, const std::vector<double>& B, int n, bool turned = false) {
  std::vector<double> out(A.size());
  for (int i = 0; i < n; ++i)
    for (int l = 0; l < n; ++l)
      for (int k = 0; k < n; ++k)
        out[cell(i, n, k)] += A[turned ? cell(l, n, i) : cell(i, n, l)] * B[cell(l, n, k)];
  return out;
}

/// The eigenvalues, of a pair the one with positive imaginary part.
void find_modes(Linearisation& out) {
  const int n = out.freedoms, size = 2 * n;
  std::vector<double> B(cells(size, size));
  for (int i = 0; i < n; ++i) {
    B[cell(i, size, n + i)] = 1;
    for (int k = 0; k < n; ++k) {
      B[cell(n + i, size, k)] = -out.K[cell(i, n, k)];
      B[cell(n + i, size, n + k)] = -out.D[cell(i, n, k)];
    }
  }
  double largest = 0;
  const std::vector<std::complex<double>> all = eigenvalues(B, size);
  for (const auto& s : all) largest = std::max(largest, std::abs(s));
  for (const auto& s : all) {
    const bool turns = std::fabs(s.imag()) > 1e-7 * largest;
    if (turns && s.imag() < 0) continue;
    const double radius = std::abs(s);
    Mode mode;
    mode.s = s;
    mode.frequency = turns ? radius / whole_turn : 0;
    mode.damping = radius > 0 ? -s.real() / radius : 0;
    out.modes.push_back(std::move(mode));
  }
}

/// z of a mode: of eigenvalues that are the same, each takes a vector of its own.
Shape shape_of(const Linearisation& out, std::size_t index) {
  const int n = out.freedoms;
  const std::complex<double> s = out.modes[index].s;
  int same = 0, before = 0;
  for (std::size_t k = 0; k < out.modes.size(); ++k) {
    if (std::abs(out.modes[k].s - s) > 1e-6 * std::abs(s)) continue;
    ++same;
    before += k < index;
  }
  std::vector<std::complex<double>> P(cells(n, n));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      P[cell(i, n, k)] = out.K[cell(i, n, k)] + s * out.D[cell(i, n, k)] + (i == k ? s * s : 0.0);
  return null_vector(std::move(P), n, same, before);
}

/// Shapes in the named coordinates and as motions of the bodies' frames, the largest coordinate (lengths in sizes of the
/// mechanism) being 1.
void name_shape(const Mechanism& m, const MechanismState& state, const FreeBasis& N, const SmallCoordinates& names,
                Shape z, Mode& mode) {
  const int n = static_cast<int>(z.size());
  const double size = size_of(m);
  mode.shape.assign(z.size(), 0);
  double largest = 0;
  std::complex<double> one = 1;
  for (int i = 0; i < n; ++i) {
    std::complex<double>& q = mode.shape[static_cast<std::size_t>(i)];
    for (int k = 0; k < n; ++k) q += names.C[cell(i, n, k)] * z[static_cast<std::size_t>(k)];
    const double reach = std::abs(q) / (names.names[static_cast<std::size_t>(i)].unit == "m" ? size : 1);
    if (reach > largest * (1 + 1e-9)) largest = reach, one = q;
  }
  for (std::complex<double>& q : mode.shape) q /= one;
  mode.bodies.resize(state.bodies.size()), mode.bodies_late.resize(state.bodies.size());
  for (int b = 0; b < m.bodies(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    Motion<double> now, late;
    for (std::size_t k = 0; k < z.size(); ++k) {
      const std::complex<double> part = z[k] / one;
      now += N[k][at] * part.real(), late += N[k][at] * part.imag();
    }
    // from the mass centre to the frame
    const Vec3<double> way = rotation(state.bodies[at].p) * -m.description.bodies[at].com;
    for (Motion<double>* x : {&now, &late}) x->v += cross(x->w, way);
    mode.bodies[at] = now, mode.bodies_late[at] = late;
  }
}

}  // namespace

Linearisation linearise(const Mechanism& m, const MechanismState& state) {
  Linearisation out;
  const MobilityReport mobile = mobility(m, state, EquationSet::all);
  out.why = too_many_freedoms(mobile);
  if (!out.why.empty()) return out;
  const FreeBasis N = freedoms(m, state, EquationSet::all);
  const int n = out.freedoms = static_cast<int>(N.size());
  NearbyMotions nearby(m, state, N, mobile.redundant > 0);
  for (const double a : nearby.accelerations(state)) out.left_over = std::max(out.left_over, std::fabs(a));
  out.K.resize(cells(n, n)), out.D.resize(cells(n, n));
  for (int k = 0; k < n; ++k) {
    const std::vector<double> stiffness = nearby.slope(k, true), damping = nearby.slope(k, false);
    for (int i = 0; i < n; ++i) {
      out.K[cell(i, n, k)] = stiffness[static_cast<std::size_t>(i)];
      out.D[cell(i, n, k)] = damping[static_cast<std::size_t>(i)];
    }
  }
  find_modes(out);
  const SmallCoordinates names = small_coordinates(m, state, N);
  for (std::size_t k = 0; k < out.modes.size(); ++k)
    name_shape(m, state, N, names, shape_of(out, k), out.modes[k]);
  out.coordinates = names.names;
  // T^T G (z'' + D z' + K z) = 0
  const std::vector<double> by_mass = product(names.T, nearby.masses(), n, true);
  out.named_M = product(by_mass, names.T, n);
  out.named_D = product(by_mass, product(out.D, names.T, n), n);
  out.named_K = product(by_mass, product(out.K, names.T, n), n);
  return out;
}

}  // namespace torsor
