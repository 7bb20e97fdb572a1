// Euler's method with the new velocities in the positions, order 1, one evaluation of f a step:
//
//   u(t + h) = u + h u'(t, q, u),    q(t + h) = q + h q'(q, u(t + h)).
//
// Where u' depends on q alone it is symplectic, and oscillations keep their size, which those of the explicit method do
// not; Hairer, Lubich & Wanner, Geometric Numerical Integration, sec. I.1.2. Systems without positions (Slope) get the
// explicit method. The inside of a step is straight.
#include "torsor/numeric/fixed_step.hpp"

namespace torsor {
namespace {

class SemiImplicit final : public detail::TwoPointStep {
 public:
  SemiImplicit(std::size_t size, const StepRules& rules)
      : TwoPointStep(size, rules, 1), next_(size), rate_(size) {}

 protected:
  StepEnd advance(const Slope& f, double t, double h, std::span<double> y, bool kept) override {
    const std::size_t n = y.size();
    f(t, y, rate_);
    ++count_.slopes;
    for (std::size_t i = 0; i < n; ++i) next_[i] = y[i] + h * rate_[i];
    // the velocities are new, the positions they act at are not
    std::copy_n(y.begin(), f.count_of_positions(), next_.begin());
    f.positions(next_, rate_);
    for (std::size_t i = 0; i < f.count_of_positions(); ++i) next_[i] += h * rate_[i];
    if (!all_finite(next_)) return StepEnd::not_finite;
    if (kept) {
      std::copy(y.begin(), y.end(), y0_.begin());
      std::copy(next_.begin(), next_.end(), y1_.begin());
      t0_ = t;
      length_ = h;
    }
    std::copy(next_.begin(), next_.end(), y.begin());
    return StepEnd::taken;
  }

 private:
  std::vector<double> next_, rate_;
};

}  // namespace

std::unique_ptr<Integrator> semi_implicit(std::size_t size, const StepRules& rules) {
  return std::make_unique<SemiImplicit>(size, rules);
}

}  // namespace torsor
