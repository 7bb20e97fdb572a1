#include "torsor/mechanism/impulse_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "torsor/mechanism/applied_forces.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/free_body_turn.hpp"
#include "torsor/mechanism/packed_state.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/fixed_step.hpp"
#include "torsor/spatial/turn_by.hpp"

namespace torsor {
namespace {

class ImpulseStep final : public detail::TwoPointStep {
 public:
  ImpulseStep(const Mechanism& m, ConstrainedMotion& motion, const MechanismState& here, const OwnUnits& units,
              bool redundant, const StepRules& rules)
      : TwoPointStep(packed_per_body * m.description.bodies.size() + 1, rules, 2),
        m_(m),
        redundant_(redundant),
        motion_(motion),
        stands_(here),
        units_(units),
        from_(here),
        to_(here),
        at_from_(m),
        at_to_(m),
        g_(here.bodies.size()),
        V_(here.bodies.size()),
        x_(here.bodies.size()),
        before_(here.bodies.size()),
        lambda_(static_cast<std::size_t>(m.rows)),
        target_(lambda_.size()) {
    for (std::size_t b = 0; b < here.bodies.size(); ++b) {
      const BorrowedInertia& lent = m.borrowed[b];
      // what has no moment of inertia in some direction has no flight of its own: it keeps its angular velocity, and the
      // gyroscopic moment of what it has is one of the forces
      turns_.emplace_back();
      if (!(lent.m > 0 || lent.I.xx > 0)) turns_.back().emplace(m.description.bodies[b].I);
    }
  }

  void inside(const Slope&, double t, std::span<double> y) override {
    const double u = (t - t0_) / length_, v = 1 - u, h = length_ / units_.time;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = y0_[i] + u * (y1_[i] - y0_[i]);
    // places by the cubic with the velocities of both ends, too
    for (std::size_t b = 0; b + packed_per_body < y.size(); b += packed_per_body) {
      const auto rates = [b](const std::vector<double>& at) {
        const double* const x = at.data() + b;
        const Quaternion<double> pd =
            Quaternion<double>{0, x[10] / 2, x[11] / 2, x[12] / 2} * Quaternion<double>{x[3], x[4], x[5], x[6]};
        return std::array{x[7], x[8], x[9], pd.e0, pd.e1, pd.e2, pd.e3};
      };
      const auto r0 = rates(y0_), r1 = rates(y1_);
      for (std::size_t i = 0; i < r0.size(); ++i) {
        const double rise = y1_[b + i] - y0_[b + i];
        y[b + i] = y0_[b + i] + u * (rise + v * (v * (h * r0[i] - rise) - u * (h * r1[i] - rise)));
      }
    }
  }
  int inside_degree() const override { return 3; }

 protected:
  StepEnd advance(const Slope& f, double t, double h, std::span<double> y, bool kept) override {
    from_.t = t;
    unpack_state(y, units_, from_);
    from_.angles = to_.angles = stands_.angles;
    from_.modes = to_.modes = stands_.modes;
    double work = begin(h);
    work += land(h);
    work += end(h);
    ++count_.slopes;
    if (kept) {
      std::copy(y.begin(), y.end(), y0_.begin());
      t0_ = t, length_ = h;
    }
    pack_state(to_, units_, y1_);
    y1_.back() = y.back() + work / units_.energy;
    if (!torsor::all_finite(y1_)) {
      f(t + h, y, y1_);  // the run finds out there what has no numbers
      return StepEnd::not_finite;
    }
    std::copy(y1_.begin(), y1_.end(), y.begin());
    return StepEnd::taken;
  }

 private:
  const Mechanism& m_;
  // equations depend on one another: a flight that has left them may contradict them, and what cannot be met is to be left
  bool redundant_;
  ConstrainedMotion& motion_;
  const MechanismState& stands_;
  OwnUnits units_;
  MechanismState from_, to_;
  MechanismEquations at_from_, at_to_;
  std::vector<std::optional<FreeBodyTurn>> turns_;
  std::vector<Force<double>> g_;
  std::vector<Motion<double>> V_, x_, before_;  // V: those the bodies fly with
  std::vector<double> lambda_, target_;

  /// What acts there, but for gyroscopic moments of those whose flight has them; returns its power.
  double forces(const MechanismState& state, const MechanismEquations& evaluated) {
    const double power = applied_forces(m_, state, evaluated, ActuatorTorques::given, g_).power;
    for (std::size_t b = 0; b < g_.size(); ++b)
      if (turns_[b]) g_[b].n += cross(state.bodies[b].w, motion_.mass(static_cast<int>(b), {state.bodies[b].w, {}}).n);
    return power;
  }

  /// x += M^-1 (impulse of g in a time h - J^T lambda) such that J x = target; what is borrowed is given back. Returns the
  /// work of what depends on time, which gives x the rates nu.
  double strike(double h, std::span<Motion<double>> x, std::span<const double> target,
                const MechanismEquations& equations) {
    const auto from = [&](bool lend) {
      for (std::size_t b = 0; b < x.size(); ++b) {
        const int body = static_cast<int>(b);
        if (h > 0) x[b] += motion_.inverse_mass(body, g_[b] * h);
        if (lend) x[b] += motion_.inverse_mass(body, motion_.borrowed(body, before_[b]));
      }
      motion_.constrain(x, target, lambda_);
    };
    if (!motion_.borrows()) {
      from(false);
    } else {
      // of the change of x, which is what is borrowed for
      const std::vector<Motion<double>> x0(x.begin(), x.end());
      constexpr int most_rounds = 30;
      for (int round = 0; round < most_rounds; ++round) {
        std::copy(x0.begin(), x0.end(), x.begin());
        from(round > 0);
        double change = 0, size = 0;
        for (std::size_t b = 0; b < x.size(); ++b) {
          const Motion<double> by = x[b] - x0[b], more = round > 0 ? by - before_[b] : by;
          change = std::max({change, norm(more.w), norm(more.v)});
          size = std::max({size, norm(by.w), norm(by.v)});
          before_[b] = by;
        }
        if (!(change > 1e-14 * size)) break;
      }
    }
    double work = 0;
    for (std::size_t r = 0; r < lambda_.size(); ++r) work -= lambda_[r] * equations.nu[r];
    return work;
  }

  double begin(double h) {
    at_from_.evaluate(from_);
    if (redundant_ || !motion_.follow(at_from_)) motion_.factor(at_from_, redundant_);
    const double power = forces(from_, at_from_);
    for (std::size_t b = 0; b < V_.size(); ++b) V_[b] = {from_.bodies[b].w, from_.bodies[b].v};
    return h / 2 * power + strike(h / 2, V_, at_from_.nu, at_from_);
  }

  /// Flies from there with V; velocities become what the end of the step will be near to.
  void fly(double h) {
    to_.t = from_.t + h;
    for (std::size_t b = 0; b < V_.size(); ++b) {
      const BodyState& was = from_.bodies[b];
      BodyState& is = to_.bodies[b];
      is = {was.r + V_[b].v * h, was.p, V_[b].v, V_[b].w};
      if (turns_[b])
        turns_[b]->go(h, is.p, is.w);
      else
        is.p = normalized(turn_by(is.w * h) * is.p);
    }
    at_to_.evaluate(to_);
  }

  double worst_gap() const {
    double worst = 0;
    for (const int row : motion_.rows()) {
      const auto r = static_cast<std::size_t>(row);
      const double share = std::fabs(at_to_.value[r]) / m_.row_units[r];
      if (!(share <= worst)) worst = share;
    }
    return worst;
  }

  /// The impulses that bring the flight onto the position equations, with the factors of the beginning: each round leaves a
  /// part of the gap that goes with h. What is left is for the run to take away.
  double land(double h) {
    constexpr double landed = 1e-13;
    constexpr int most_rounds = 30;
    double work = 0, gap = 0;
    for (int round = 0; round < most_rounds; ++round) {
      fly(h);
      const double left = worst_gap();
      if (!(left > landed) || (round > 0 && !(left < 0.9 * gap))) break;
      gap = left;
      for (std::size_t r = 0; r < target_.size(); ++r) target_[r] = -at_to_.value[r] / h;
      std::fill(x_.begin(), x_.end(), Motion<double>{});
      work += strike(0, x_, target_, at_from_);
      for (std::size_t b = 0; b < V_.size(); ++b) V_[b] += x_[b];
    }
    return work;
  }

  double end(double h) {
    // forces of the velocities that the second impulse will end with, as the first one tells
    const auto first = [&](std::size_t b) {
      return Motion<double>{V_[b].w - from_.bodies[b].w, V_[b].v - from_.bodies[b].v};
    };
    for (std::size_t b = 0; b < V_.size(); ++b) x_[b] = {to_.bodies[b].w, to_.bodies[b].v};
    for (std::size_t b = 0; b < V_.size(); ++b) to_.bodies[b].w += first(b).w, to_.bodies[b].v += first(b).v;
    at_to_.evaluate(to_);
    motion_.factor(at_to_, redundant_);
    const double power = forces(to_, at_to_);
    const double work = h / 2 * power + strike(h / 2, x_, at_to_.nu, at_to_);
    for (std::size_t b = 0; b < V_.size(); ++b) to_.bodies[b].w = x_[b].w, to_.bodies[b].v = x_[b].v;
    return work;
  }
};

}  // namespace

std::unique_ptr<Integrator> impulse_steps(const Mechanism& m, ConstrainedMotion& motion, const MechanismState& here,
                                          const OwnUnits& units, bool redundant, const StepRules& rules) {
  return std::make_unique<ImpulseStep>(m, motion, here, units, redundant, rules);
}

}  // namespace torsor
