#include "torsor/reduction/torque_terms.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/reduction/at.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/equations.hpp"

namespace torsor {
namespace {

using detail::at;

/// 2^-43 of the largest coefficient, as far as 64 bits allow: far above the rounding of products and sums, so that what is
/// equal with letters is equal with numbers.
double grid_of(std::span<const Poly> polynomials, const std::vector<double>& values) {
  double largest = 0;
  for (const Poly& p : polynomials)
    for (const PolyTerm& term : p.terms()) {
      double size = std::abs(to_double(term.coefficient));
      term.monomial.each([&](int v, int exponent) {
        for (int e = v < Monomial::first_parameter ? 0 : exponent; e > 0; --e)
          if (values[at(v)] != 0) size *= std::abs(values[at(v)]);
      });
      largest = std::max(largest, size);
    }
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, -std::clamp(43 - exponent, 0, 60));
}

Fraction fraction_on(double grid, double value) {
  const auto below = fraction(std::llround(value / grid), std::llround(1 / grid));
  if (!below) throw PolyOverflow("a coefficient does not fit a fraction of 64 bits");
  return *below;
}

}  // namespace

TorqueTerms::TorqueTerms(SymbolicRobot robot) : robot_(std::move(robot)) {
  sums_.emplace(robot_);
  const Model<Poly>& tree = robot_.forms.model;
  frame_.robot = robot_.name;
  int last = -1;  // joint of the row of parallel axes
  for (int i = 0; i < static_cast<int>(robot_.joints.size()); ++i) {
    const SymbolicJoint& joint = robot_.joints[at(i)];
    if (robot_.parallel[at(i)] == 0) last = -1;
    frame_.joints.push_back({tree.velocity_names[at(i)], joint.prismatic, joint.offset, joint.prismatic ? -1 : last});
    if (!joint.prismatic) last = i;
  }

  const auto joint_of = [&](int angle) {
    return static_cast<int>(
        std::ranges::find_if(robot_.joints,
                             [&](const SymbolicJoint& j) { return !j.prismatic && j.variable == angle; }) -
        robot_.joints.begin());
  };
  const std::vector<AngleSymbol>& angles = sums_->symbols().angles;
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const bool varies = angles[k].letter.empty();
    angle_of_.push_back(varies ? static_cast<int>(frame_.angles.size()) : -1);
    if (!varies) continue;
    frame_.angles.emplace_back();
    for (const int part : angles[k].sum_of.empty() ? std::vector{static_cast<int>(k)} : angles[k].sum_of)
      frame_.angles.back().push_back(joint_of(part));
  }
  while (!robot_.qd.front().depends_on(first_rate_)) ++first_rate_;
}

Result<TorqueTerms> TorqueTerms::of(const Description& description) {
  auto robot = symbolic_robot(description);
  if (!robot) return robot.faults();
  const auto dynamics = symbolic_dynamics(*robot, {true, false, true});
  if (!dynamics) return dynamics.faults();
  try {
    try {
      TorqueTerms out(*robot);
      out.expand(*dynamics, true);
      out.velocity(out.inertia_);  // is not to overflow later
      return out;
    } catch (const PolyOverflow&) {
      TorqueTerms out(*std::move(robot));
      out.expand(*dynamics, false);
      return out;
    }
  } catch (const PolyOverflow& overflow) {
    return Faults{
        {{description.file, 0},
         "robot \"" + description.name + "\"",
         "too-large",
         overflow.what(),
         "its equations have too many terms to be reduced; take the part of the arm that matters (convert --tip)"}};
  }
}

void TorqueTerms::expand(const SymbolicDynamics& dynamics, bool exact) {
  const int n = dynamics.n;
  std::vector<Poly> D = dynamics.D, G = dynamics.G;
  // tau' = tau less that of the next joint in the row; the rates likewise, so that D' has both differences. With letters,
  // what cancels is gone
  for (int i = 0; i < n; ++i)
    if (const int k = frame_.next(i); k >= 0) {
      G[at(i)] -= G[at(k)];
      for (int j = 0; j < n; ++j) D[at(i * n + j)] -= D[at(k * n + j)];
    }
  for (int j = 0; j < n; ++j)
    if (const int k = frame_.next(j); k >= 0)
      for (int i = 0; i < n; ++i) D[at(i * n + j)] -= D[at(i * n + k)];

  const std::vector<double> values = robot_.symbols.values();
  const auto put_numbers = [&](std::vector<Poly>& part) {
    const double grid = grid_of(part, values);
    for (Poly& p : part) p = exact ? with_exact_numbers(p) : on_grid(p, grid);
    least_ = exact ? 0 : 4 * grid;
  };
  put_numbers(G);
  for (int i = 0; i < n; ++i) append(TermPart::gravity, i, i, G[at(i)], gravity_);
  put_numbers(D);
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) append(TermPart::inertia, i, j, D[at(i * n + j)], inertia_);
}

Poly TorqueTerms::with_exact_numbers(const Poly& p) const {
  bool rounded = false;
  Poly out = with_numbers(p, robot_, rounded);
  if (rounded) throw PolyOverflow("the numbers of the file do not fit fractions of 64 bits");
  return out;
}

/// Numbers for all letters but those of the position.
Poly TorqueTerms::on_grid(const Poly& p, double grid) const {
  const std::vector<double> values = robot_.symbols.values();
  const Symbols& symbols = robot_.symbols;
  struct Total {
    double sum = 0, size = 0;
  };
  std::map<Monomial, Total> totals;
  for (const PolyTerm& term : p.terms()) {
    Monomial kept;
    double number = to_double(term.coefficient);
    term.monomial.each([&](int v, int exponent) {
      const bool varies = v < Monomial::first_parameter ? symbols.angles[at(v / 2)].letter.empty()
                                                        : symbols.kind(v) == SymbolKind::displacement;
      if (varies) kept.raise(v, exponent);
      for (int e = varies ? 0 : exponent; e > 0; --e) number *= values[at(v)];
    });
    totals[kept].sum += number;
    totals[kept].size += std::abs(number);
  }
  std::vector<PolyTerm> terms;
  for (const auto& [monomial, total] : totals) {
    if (std::abs(total.sum) <= 1e-13 * total.size) continue;  // the rounding of what cancels
    if (const Fraction rounded = fraction_on(grid, total.sum); rounded.numerator != 0)
      terms.push_back({monomial, rounded});
  }
  return Poly::of(terms);
}

void TorqueTerms::append(TermPart part, int i, int j, const Poly& p, std::vector<TorqueTerm>& terms) {
  for (const PolyTerm& from : sums_->shortest(p)) {
    TorqueTerm term{part, i, j, j, to_double(from.coefficient), {}};
    if (std::abs(term.coefficient) <= least_) continue;
    std::vector<int> rates;
    from.monomial.each([&](int v, int exponent) {
      if (v < Monomial::first_parameter)
        term.factors.push_back(
            {v % 2 != 0 ? TermFactor::Kind::sine : TermFactor::Kind::cosine, angle_of_[at(v / 2)], exponent});
      else if (v >= first_rate_)
        rates.insert(rates.end(), at(exponent), v - first_rate_);
      else
        for (std::size_t k = 0; k < robot_.joints.size(); ++k)
          if (robot_.joints[k].prismatic && robot_.joints[k].variable == v - Monomial::first_parameter)
            term.factors.push_back({TermFactor::Kind::slide, static_cast<int>(k), exponent});
    });
    if (part == TermPart::velocity) {
      term.j = rates[0];
      term.m = rates[1];
    }
    if (part == TermPart::inertia) exact_[{i, j, term.factors}] = from.coefficient;
    terms.push_back(std::move(term));
  }
}

/// In the cosines and sines of the joints, those of sums multiplied out.
Poly TorqueTerms::polynomial(const TorqueTerm& term) const {
  Poly p(exact_.at({term.i, term.j, term.factors}));
  for (const TermFactor& factor : term.factors) {
    Poly c(1), s;
    if (factor.kind == TermFactor::Kind::slide) {
      c = Poly::parameter(robot_.joints[at(factor.index)].variable);
    } else {
      for (const int joint : frame_.angles[at(factor.index)]) {
        const int angle = robot_.joints[at(joint)].variable;
        const Poly next = c * Poly::cosine(angle) - s * Poly::sine(angle);
        s = s * Poly::cosine(angle) + c * Poly::sine(angle);
        c = next;
      }
    }
    for (int e = factor.exponent; e > 0; --e) p *= factor.kind == TermFactor::Kind::sine ? s : c;
  }
  return p;
}

std::vector<TorqueTerm> TorqueTerms::velocity(std::span<const TorqueTerm> inertia) {
  const int n = frame_.size();
  SymbolicDynamics e{n, std::vector<Poly>(at(n * n)), {}, {}};
  for (const TorqueTerm& term : inertia) {
    const Poly p = polynomial(term);
    e.D[at(term.i * n + term.j)] += p;
    if (term.i != term.j) e.D[at(term.j * n + term.i)] += p;
  }
  // D of D', rows and columns summed along each row of parallel axes, from its end
  for (int i = n - 1; i >= 0; --i)
    if (const int k = frame_.next(i); k >= 0)
      for (int j = 0; j < n; ++j) e.D[at(i * n + j)] += e.D[at(k * n + j)];
  for (int j = n - 1; j >= 0; --j)
    if (const int k = frame_.next(j); k >= 0)
      for (int i = 0; i < n; ++i) e.D[at(i * n + j)] += e.D[at(i * n + k)];
  e.c = christoffel_of(e.D, robot_.joints);

  // the letters qd are those of u from here on
  std::vector<Poly> qd;
  for (int i = 0; i < n; ++i) {
    const int p = frame_.joints[at(i)].previous;
    qd.push_back(p < 0 ? robot_.qd[at(i)] : robot_.qd[at(i)] - robot_.qd[at(p)]);
  }
  const std::vector<Poly> h = velocity_torques(e, qd);
  std::vector<TorqueTerm> terms;
  for (int i = 0; i < n; ++i) {
    const int k = frame_.next(i);
    append(TermPart::velocity, i, i, k < 0 ? h[at(i)] : h[at(i)] - h[at(k)], terms);
  }
  return terms;
}

TermState::TermState(const ReducedModel& frame, std::span<const double> q, std::span<const double> rates,
                     std::span<const double> accelerations)
    : qd(rates.begin(), rates.end()), u(qd), ud(accelerations.begin(), accelerations.end()) {
  for (const std::vector<int>& joints : frame.angles) {
    double angle = 0;
    for (const int k : joints) angle += q[at(k)] + frame.joints[at(k)].offset;
    c.push_back(std::cos(angle));
    s.push_back(std::sin(angle));
  }
  for (int i = 0; i < frame.size(); ++i) {
    d.push_back(q[at(i)] + frame.joints[at(i)].offset);
    if (const int p = frame.joints[at(i)].previous; p >= 0) {
      u[at(i)] += u[at(p)];
      ud[at(i)] += ud[at(p)];
    }
  }
}

void add_torque(const ReducedModel& frame, const TorqueTerm& term, const TermState& x, bool with_velocity,
                std::span<double> tau) {
  const auto value_of = [&](const TermFactor& factor) {
    const std::size_t k = at(factor.index);
    return factor.kind == TermFactor::Kind::slide ? x.d[k] : factor.kind == TermFactor::Kind::sine ? x.s[k] : x.c[k];
  };
  // tau'_i reaches every joint before i in its row
  const auto add = [&](int i, double effort) {
    for (; i >= 0; i = frame.joints[at(i)].previous) tau[at(i)] += effort;
  };
  double value = term.coefficient;
  for (const TermFactor& factor : term.factors) value *= std::pow(value_of(factor), factor.exponent);
  const auto i = at(term.i), j = at(term.j);
  if (term.part == TermPart::gravity) return add(term.i, value);
  if (term.part == TermPart::velocity) return add(term.i, value * x.u[j] * x.u[at(term.m)]);
  add(term.i, value * x.ud[j]);
  if (i != j) add(term.j, value * x.ud[i]);
  if (!with_velocity) return;

  // with kinetic energy T u_i u_j (half of it if i = j): dT/dt in the rows i and j, and - dT/dq u_i u_j
  const double twice = i == j ? 0.5 : 1;
  double rate = 0;
  for (const TermFactor& factor : term.factors) {
    double slope = term.coefficient * factor.exponent * std::pow(value_of(factor), factor.exponent - 1);
    if (factor.kind != TermFactor::Kind::slide)
      slope *= factor.kind == TermFactor::Kind::sine ? x.c[at(factor.index)] : -x.s[at(factor.index)];
    for (const TermFactor& other : term.factors)
      if (&other != &factor) slope *= std::pow(value_of(other), other.exponent);
    const std::vector<int> of_slide{factor.index};
    for (const int k : factor.kind == TermFactor::Kind::slide ? of_slide : frame.angles[at(factor.index)]) {
      rate += slope * x.qd[at(k)];
      tau[at(k)] -= twice * slope * x.u[i] * x.u[j];
    }
  }
  add(term.i, rate * x.u[j]);
  if (i != j) add(term.j, rate * x.u[i]);
}

}  // namespace torsor
