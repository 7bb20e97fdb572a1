#include "torsor/mechanism/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/applied_forces.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"

namespace torsor {
namespace {

using Basis = std::vector<std::vector<Motion<double>>>;

class Descent {
 public:
  Descent(const Mechanism& m, MechanismState& state)
      : m_(m),
        state_(state),
        equations_(m),
        assembly_(m, EquationSet::all),
        motion_(m, EquationSet::all),
        g_(state.bodies.size()),
        x_(state.bodies.size()),
        zero_(static_cast<std::size_t>(m.rows)),
        lambda_(zero_.size()) {}

  EquilibriumReport go() {
    EquilibriumReport report;
    for (BodyState& b : state_.bodies) b.v = {}, b.w = {};
    if (!assembly_.positions(state_).closed) return why(report, "the mechanism does not close where it stands");
    if (const std::string too_many = too_many_freedoms(mobility(m_, state_, EquationSet::all)); !too_many.empty())
      return why(report, too_many);
    constexpr int most_rounds = 200;
    for (; report.rounds < most_rounds; ++report.rounds) {
      const Basis N = freedoms(m_, state_, EquationSet::all);
      const int n = static_cast<int>(N.size());
      report.freedoms = n;
      const std::vector<double> f = along(state_, N);
      double size = 0;
      for (const double x : f) size = std::max(size, std::fabs(x));
      report.residual = size / std::max(scale_, 1e-300);

      // stiffness by central differences, in the same basis carried along
      std::vector<double> K(cells(n, n)), V(cells(n, n));
      for (int k = 0; k < n; ++k) {
        const std::vector<double> up = along(moved(N, k, difference), N), down = along(moved(N, k, -difference), N);
        for (int i = 0; i < n; ++i)
          K[cell(i, n, k)] = (down[static_cast<std::size_t>(i)] - up[static_cast<std::size_t>(i)]) / (2 * difference);
      }
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k) K[cell(i, n, k)] = K[cell(k, n, i)] = (K[cell(i, n, k)] + K[cell(k, n, i)]) / 2;
      symmetric_eigen<double>(K, n, V);
      report.least_stiffness = n > 0 ? K[0] : 0;
      const double largest = n > 0 ? std::max(std::fabs(K[0]), std::fabs(K[cell(n - 1, n, n - 1)])) : 0;
      report.stable = n == 0 || K[0] > 1e-7 * largest;
      if (n == 0 || (report.residual < 1e-11 && K[0] > -1e-7 * largest)) {
        report.found = true;
        return report;
      }
      // on a summit with no force to leave it: a small push
      std::vector<double> dz(static_cast<std::size_t>(n));
      for (int e = 0; e < n; ++e) {
        double part = 0;
        for (int i = 0; i < n; ++i) part += V[cell(i, n, e)] * f[static_cast<std::size_t>(i)];
        if (report.residual < 1e-9 && K[cell(e, n, e)] < -1e-7 * largest) part += 1e-3 * largest;
        // where the force is greatest it does not change: any step along it will do, turns are cut to size
        double stiffness = std::max(std::fabs(K[cell(e, n, e)]), 1e-9 * largest);
        if (stiffness == 0) stiffness = 1;
        for (int i = 0; i < n; ++i) dz[static_cast<std::size_t>(i)] += V[cell(i, n, e)] * part / stiffness;
      }
      if (!step(N, dz)) {
        report.found = report.residual < 1e-8;
        return report.found ? report
                            : why(report, fmt::format("no step lowers the forces, which are {:.3g} of the largest",
                                                      report.residual));
      }
    }
    return why(report,
               fmt::format("after {} rounds forces of {:.3g} of the largest are left: it may have no place to rest",
                           most_rounds, report.residual));
  }

 private:
  static constexpr double difference = 1e-6;
  const Mechanism& m_;
  MechanismState& state_;
  MechanismEquations equations_;
  Assembly assembly_;
  ConstrainedMotion motion_;
  std::vector<Force<double>> g_;
  std::vector<Motion<double>> x_;
  std::vector<double> zero_, lambda_;
  double scale_ = 0, potential_ = 0;

  static EquilibriumReport why(EquilibriumReport report, std::string text) {
    report.why = std::move(text);
    return report;
  }

  /// Forces along the basis at a state at rest, what the joints hold taken away: at a state beside, the basis is no longer
  /// quite free.
  std::vector<double> along(const MechanismState& s, const Basis& N) {
    equations_.evaluate(s);
    motion_.factor(equations_);
    potential_ = applied_forces(m_, s, equations_, ActuatorEfforts::given, g_).potential;
    for (std::size_t b = 0; b < g_.size(); ++b) x_[b] = motion_.inverse_mass(static_cast<int>(b), g_[b]);
    motion_.constrain(x_, zero_, lambda_);
    std::vector<double> f;
    for (const auto& x : N) {
      double sum = 0, size = 0;
      for (std::size_t b = 0; b < g_.size(); ++b) {
        const int body = static_cast<int>(b);
        sum += dot(x[b], motion_.mass(body, x_[b]) + motion_.borrowed(body, x_[b]));
        size += norm(x[b].v) * norm(g_[b].f) + norm(x[b].w) * norm(g_[b].n);
      }
      scale_ = std::max(scale_, size);
      f.push_back(sum);
    }
    return f;
  }

  /// The state moved along one freedom and brought back onto the equations.
  MechanismState moved(const Basis& N, int k, double by) {
    MechanismState s = state_;
    displace(s, N[static_cast<std::size_t>(k)], by);
    assembly_.positions(s);
    return s;
  }

  bool step(const Basis& N, const std::vector<double>& dz) {
    std::vector<Motion<double>> x(state_.bodies.size());
    for (std::size_t k = 0; k < N.size(); ++k)
      for (std::size_t b = 0; b < x.size(); ++b) x[b] += N[k][b] * dz[k];
    double turn = 0;
    for (const Motion<double>& b : x) turn = std::max({turn, norm(b.w)});
    along(state_, N);
    const double before = potential_;
    const std::vector<double> f = along(state_, N);
    double gain = 0;
    for (std::size_t k = 0; k < f.size(); ++k) gain += f[k] * dz[k];
    double fraction = std::min(1.0, 0.3 / std::max(turn, 1e-300));
    for (int half = 0; half < 40; ++half, fraction /= 2) {
      MechanismState s = state_;
      displace(s, x, fraction);
      if (!assembly_.positions(s).closed) continue;
      const std::vector<double> after = along(s, N);
      // forces at both ends against the step: the work done tells about descent also where forces have no potential
      double work = 0;
      for (std::size_t k = 0; k < f.size(); ++k) work += (f[k] + after[k]) / 2 * dz[k] * fraction;
      const double slack = 1e-14 * (std::fabs(before) + scale_);
      if (work < -slack || (gain <= slack && potential_ > before + slack)) continue;
      for (std::size_t k = 0; k < s.angles.size(); ++k) s.angles[k] = equations_.angle(static_cast<int>(k));
      state_ = s;
      return true;
    }
    return false;
  }
};

}  // namespace

EquilibriumReport find_equilibrium(const Mechanism& m, MechanismState& state) { return Descent(m, state).go(); }

}  // namespace torsor
