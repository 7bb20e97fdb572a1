#include "torsor/mechanism/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/how_many.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/mechanism/static_forces.hpp"
#include "torsor/numeric/eigenvalues.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"

namespace torsor {
namespace {

/// How the next step is looked for.
enum class Search { down, least_forces };

class RestSearch {
 public:
  RestSearch(const Mechanism& m, MechanismState& state) : m_(m), state_(state), statics_(m) {}

  EquilibriumReport go() {
    if (std::string cannot = prepare(); !cannot.empty()) return why(std::move(cannot));
    const MechanismState start = state_;
    // parts that nothing joins come to rest one after the other: steps and tolerances of one are not those of another
    EquilibriumReport all;
    all.stability = Stability::stable;
    for (int part = 0; part < statics_.parts(); ++part) {
      const bool rests = rest(part);
      if (std::string apart = masses_apart(m_);
          !apart.empty() && (rests ? !statics_.certain(state_, N_) : rests_with_equal_masses(part, start)))
        return why(std::move(apart), "check the masses and their units; fix what weighs nothing to its neighbour");
      if (!std::isfinite(report_.residual) || !std::isfinite(report_.least_stiffness))
        return why("its forces or their changes are too large for numbers",
                   "check masses, inertias, stiffnesses and their units");
      if (!rests) return why(no_rest());
      if (report_.freedoms > 0 && (all.freedoms == 0 || report_.least_stiffness < all.least_stiffness))
        all.least_stiffness = report_.least_stiffness;
      all.freedoms += report_.freedoms, all.rounds += report_.rounds;
      all.residual = std::max(all.residual, report_.residual);
      all.stability = std::max(all.stability, report_.stability);  // the worst comes last
    }
    all.found = true;
    all.stable = all.stability == Stability::stable;
    return all;
  }

 private:
  const Mechanism& m_;
  MechanismState& state_;
  StaticForces statics_;
  EquilibriumReport report_;
  double trusted_ = 0;  // how far a step may reach

  // of the freedoms at the state
  FreeMotions N_;
  std::vector<double> f_, K_;         // forces; stiffness
  std::vector<double> values_, axes_;  // eigenvalues of the symmetric part of K, and its axes
  double stiff_ = 0;                   // what a stiffness compares with

  /// Brings the state onto the equations; why it cannot be looked at.
  std::string prepare() {
    for (BodyState& b : state_.bodies) b.v = {}, b.w = {};
    if (!statics_.close(state_)) return "the mechanism does not close where it stands";
    const MobilityReport mobile = mobility(m_, state_, EquationSet::all);
    statics_.expect_redundancy(mobile.redundant > 0);
    return too_many_freedoms(mobile);
  }

  /// What finds no rest with equal masses either does not lack it for its own.
  bool rests_with_equal_masses(int part, MechanismState state) const {
    const Result<Mechanism> equal = with_equal_masses(m_);
    if (!equal) return false;
    RestSearch search(*equal, state);
    return search.prepare().empty() && search.rest(part);
  }

  /// Whether the part came to rest.
  bool rest(int part) {
    report_ = {};
    statics_.look_at(part);
    const MechanismState start = state_;
    if (look(Search::down)) return true;
    const EquilibriumReport down = report_;
    // from where the way down has led, then from the start
    for (const MechanismState& from : {state_, start}) {
      state_ = from;
      if (look(Search::least_forces)) return true;
    }
    report_ = down;
    return false;
  }

  std::string no_rest() const {
    return fmt::format("forces of {:.3g} of the largest are left after {}, and none of the ways on is better: "
                       "it may have no place to rest",
                       report_.residual, how_many(report_.rounds, "round"));
  }

  EquilibriumReport why(std::string text,
                        const char* remedy = "start nearer to one, or add springs where nothing holds it") {
    report_.found = report_.stable = false;
    report_.why = std::move(text);
    report_.remedy = remedy;
    return report_;
  }

  /// Whether it came to rest.
  bool look(Search search) {
    constexpr int most_rounds = 200;
    trusted_ = 0.3;
    for (int round = 0; round < most_rounds; ++round, ++report_.rounds) {
      take_stock();
      const bool at_rest = report_.residual < 1e-12;
      const bool settled = search == Search::least_forces || report_.stability != Stability::unstable;
      if (f_.empty() || (at_rest && settled)) return report_.found = true;
      if (!step(search)) return report_.found = report_.residual < 1e-9 && settled;
    }
    return false;
  }

  /// Freedoms, forces, stiffness and what they say of the state.
  void take_stock() {
    N_ = statics_.of_part(freedoms(m_, state_, EquationSet::all));
    const int n = report_.freedoms = static_cast<int>(N_.size());
    f_ = statics_.along(state_, N_);
    report_.residual = statics_.share(f_);
    K_ = statics_.stiffness(state_, N_);
    values_.assign(f_.size(), 0);
    axes_.assign(K_.size(), 0);
    std::vector<double> S(K_.size());
    double skew = 0, largest = 0;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        S[cell(i, n, k)] = (K_[cell(i, n, k)] + K_[cell(k, n, i)]) / 2;
        skew = std::max(skew, std::fabs(K_[cell(i, n, k)] - K_[cell(k, n, i)]));
      }
    symmetric_eigen<double>(S, n, axes_);
    for (int e = 0; e < n; ++e) {
      values_[static_cast<std::size_t>(e)] = S[cell(e, n, e)];
      largest = std::max(largest, std::fabs(S[cell(e, n, e)]));
    }
    // a stiffness is as nothing beside the largest, as differences can tell, and beside forces over a turn of 1 rad
    stiff_ = std::max(1e-9 * largest, 1e-8 * statics_.stiffness_scale());
    report_.least_stiffness = n > 0 ? values_[0] : 0;
    bool flutters = false;
    // forces without a potential: what turns in K grows in motion
    if (skew > 1e-6 * largest)
      for (int e = 0; const std::complex<double>& s : eigenvalues(K_, n)) {
        report_.least_stiffness = e++ == 0 ? s.real() : std::min(report_.least_stiffness, s.real());
        flutters = flutters || std::fabs(s.imag()) > 1e-6 * largest;
      }
    // next to where two rests meet, stiffness goes with the root of the force that is left: no more is known of it
    const double doubt = std::max(stiff_, 2 * std::sqrt(report_.residual) * statics_.stiffness_scale());
    report_.stability = n == 0                                         ? Stability::stable
                        : flutters || report_.least_stiffness < -doubt ? Stability::unstable
                        : report_.least_stiffness > doubt              ? Stability::stable
                                                                       : Stability::indifferent;
    report_.stable = report_.stability == Stability::stable;
  }

  /// The step for a mu, along the freedoms.
  std::vector<double> step_for(Search search, double mu) const {
    const int n = static_cast<int>(f_.size());
    std::vector<double> dz(f_.size());
    for (int e = 0; e < n; ++e) {
      const double value = values_[static_cast<std::size_t>(e)];
      double part = 0;
      for (int i = 0; i < n; ++i) part += axes_[cell(i, n, e)] * f_[static_cast<std::size_t>(i)];
      double way = 0;
      if (search == Search::least_forces)
        way = part * value / std::max(value * value + mu * mu, 1e-300);
      else
        way = part / std::max(std::fabs(value) + mu, 1e-3 * stiff_ + 1e-300);
      // on a summit with no force to leave it: a small push
      constexpr double push = 1e-3;
      if (search == Search::down && report_.residual < 1e-9 && value < -stiff_) way += push / statics_.reach();
      for (int i = 0; i < n; ++i) dz[static_cast<std::size_t>(i)] += axes_[cell(i, n, e)] * way;
    }
    return dz;
  }

  std::vector<Motion<double>> motion_of(const std::vector<double>& dz) const {
    std::vector<Motion<double>> x(state_.bodies.size());
    for (std::size_t k = 0; k < N_.size(); ++k)
      for (std::size_t b = 0; b < x.size(); ++b) x[b] += N_[k][b] * dz[k];
    return x;
  }

  /// The longest step that does not reach further than is trusted.
  std::vector<double> trusted_step(Search search) const {
    const auto reach = [&](double mu) { return reach_of(motion_of(step_for(search, mu)), statics_.size()); };
    double low = 0, high = 0;
    for (const double value : values_) high = std::max(high, std::fabs(value));
    high = std::max(high, stiff_) * 1e-6;
    if (high == 0) high = 1;
    if (reach(0) <= trusted_) return step_for(search, 0);
    while (reach(high) > trusted_ && high < 1e300) low = high, high *= 10;
    for (int half = 0; half < 20; ++half) {
      const double middle = low == 0 ? high / 10 : std::sqrt(low * high);
      (reach(middle) > trusted_ ? low : high) = middle;
    }
    return step_for(search, high);
  }

  /// Goes on to a better place; false: there is none near.
  bool step(Search search) {
    for (int tries = 0; tries < 40; ++tries) {
      const std::vector<double> dz = trusted_step(search);
      const std::vector<Motion<double>> x = motion_of(dz);
      const double reach = reach_of(x, statics_.size());
      if (!(reach > 1e-15)) return false;
      MechanismState next = state_;
      displace(next, x);
      if (!statics_.close(next) || reach_of(difference(next, x), statics_.size()) > 0.5 * reach) {
        trusted_ = reach / 4;
        continue;
      }
      const double gain = search == Search::down ? share_of_work(dz, next) : share_of_forces(dz, next);
      if (gain > 0.75 && gain < 1.5 && reach > 0.5 * trusted_) trusted_ = std::min(2 * trusted_, 1.0);
      if (gain < 0.25) trusted_ = reach / 4;
      if (!(gain > 0.1)) continue;
      state_ = std::move(next);
      return true;
    }
    return false;
  }

  /// What closing the equations has changed of a step.
  std::vector<Motion<double>> difference(const MechanismState& next, const std::vector<Motion<double>>& x) const {
    std::vector<Motion<double>> d = displacement(state_, next);
    for (std::size_t b = 0; b < d.size(); ++b) d[b] = d[b] - x[b];
    return d;
  }

  /// Work done on the way to the next state over what forces and stiffness here say of it; where that is lost in rounding,
  /// whether forces become less.
  double share_of_work(const std::vector<double>& dz, const MechanismState& next) {
    const int n = static_cast<int>(dz.size());
    double said = 0;
    for (int i = 0; i < n; ++i) {
      said += f_[static_cast<std::size_t>(i)] * dz[static_cast<std::size_t>(i)];
      for (int k = 0; k < n; ++k)
        said -= K_[cell(i, n, k)] * dz[static_cast<std::size_t>(i)] * dz[static_cast<std::size_t>(k)] / 2;
    }
    const StaticForces::Work work = statics_.work(state_, next);
    if (said > 1e3 * work.rounding) return work.done / said;
    return share_of_forces(dz, next);
  }

  /// Fall of the sum of squares of the forces over what the stiffness says of it.
  double share_of_forces(const std::vector<double>& dz, const MechanismState& next) {
    const int n = static_cast<int>(dz.size());
    const std::vector<double> there = statics_.along(next, N_);
    double before = 0, after = 0, said = 0;
    for (int i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      double left = f_[at];
      for (int k = 0; k < n; ++k) left -= K_[cell(i, n, k)] * dz[static_cast<std::size_t>(k)];
      before += f_[at] * f_[at], after += there[at] * there[at], said += left * left;
    }
    return before > said ? (before - after) / (before - said) : 0;
  }
};

}  // namespace

EquilibriumReport find_equilibrium(const Mechanism& m, MechanismState& state) { return RestSearch(m, state).go(); }

}  // namespace torsor
