// Collocation at the three Gauss points, order 6, in fixed steps. It is symplectic: for equations of Hamilton, y = (q, p),
// the energy of a long run swings but does not drift; and it is symmetric. Hairer, Lubich & Wanner, Geometric Numerical
// Integration, 2nd ed., Springer 2006, sec. II.1.3, VI.4, VIII.6.
//
// The stages are iterated until they stand still but for rounding: the conservation is that of the exact solution of the
// stage equations, not of an approximation. What rounding takes from y in a step is given back in the next.
#include <limits>

#include "torsor/numeric/collocation.hpp"
#include "torsor/numeric/fixed_step.hpp"

namespace torsor {
namespace {

constexpr double root_15 = 3.872983346207417;  // sqrt(15)
constexpr detail::Points gauss_points{{0.5 - root_15 / 10, 0.5, 0.5 + root_15 / 10},
                                      {{{5 / 36., 2 / 9. - root_15 / 15, 5 / 36. - root_15 / 30},
                                        {5 / 36. + root_15 / 24, 2 / 9., 5 / 36. - root_15 / 24},
                                        {5 / 36. + root_15 / 30, 2 / 9. + root_15 / 15, 5 / 36.}}}};
constexpr std::array<double, 3> gauss_weights{5 / 18., 4 / 9., 5 / 18.};
constexpr int most_sweeps = 100;

class Gauss final : public detail::FixedStep {
 public:
  Gauss(std::size_t size, const StepRules& rules) : FixedStep(size, rules, 6), lost_(size), Y_(size), last_(size) {
    for (std::size_t s = 0; s < 3; ++s) z_[s].resize(size), K_[s].resize(size);
  }

  void inside(const Slope&, double t, std::span<double> y) override {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = last_(t, i);
  }
  int inside_degree() const override { return 3; }

  void restart() override {
    has_last_ = false;
    std::fill(lost_.begin(), lost_.end(), 0.0);
  }

 protected:
  StepEnd advance(const Slope& f, double t, double h, std::span<double> y, bool kept) override {
    if (!solve(f, t, h, y)) return all_finite(K_[0]) ? StepEnd::no_convergence : StepEnd::not_finite;
    if (kept) {
      last_.set(gauss_points, t, h, y, z_);
      has_last_ = true;
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto& b = gauss_weights;
      const double by = h * (b[0] * K_[0][i] + b[1] * K_[1][i] + b[2] * K_[2][i]) + lost_[i], sum = y[i] + by;
      if (kept) lost_[i] = by - (sum - y[i]);
      y[i] = sum;
    }
    return StepEnd::taken;
  }

 private:
  bool solve(const Slope& f, double t, double h, std::span<const double> y) {
    const std::size_t n = y.size();
    // begin with the cubic of the step before, continued
    for (std::size_t s = 0; s < 3; ++s)
      for (std::size_t i = 0; i < n; ++i)
        z_[s][i] = has_last_ ? last_(t + gauss_points.c[s] * h, i) - y[i] : 0.0;
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_sweeps; ++k) {
      for (std::size_t s = 0; s < 3; ++s) {
        for (std::size_t i = 0; i < n; ++i) Y_[i] = y[i] + z_[s][i];
        f(t + gauss_points.c[s] * h, Y_, K_[s]);
        if (!all_finite(K_[s])) return std::swap(K_[0], K_[s]), false;
      }
      count_.slopes += 3;
      double change = 0, size = 0;
      for (std::size_t s = 0; s < 3; ++s)
        for (std::size_t i = 0; i < n; ++i) {
          const auto& a = gauss_points.a[s];
          const double z = h * (a[0] * K_[0][i] + a[1] * K_[1][i] + a[2] * K_[2][i]);
          change = std::max(change, std::abs(z - z_[s][i]));
          size = std::max(size, std::abs(y[i] + z));
          z_[s][i] = z;
        }
      if (change == 0) return true;
      // as long as it still shrinks it is not yet rounding
      if (change <= 4 * std::numeric_limits<double>::epsilon() * size && change >= before) return true;
      before = change;
    }
    return false;
  }

  bool has_last_ = false;
  std::vector<double> lost_, Y_;
  std::array<std::vector<double>, 3> z_, K_;
  detail::CollocationCubic last_;
};

}  // namespace

std::unique_ptr<Integrator> gauss(std::size_t size, const StepRules& rules) {
  return std::make_unique<Gauss>(size, rules);
}

}  // namespace torsor
