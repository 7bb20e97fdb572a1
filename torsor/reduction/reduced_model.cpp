#include "torsor/reduction/reduced_model.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/reduction/at.hpp"
#include "torsor/reduction/reduced_tapes.hpp"
#include "torsor/scalar/factored_sums.hpp"
#include "torsor/scalar/interval.hpp"
#include "torsor/scalar/trace_passes.hpp"

namespace torsor {
namespace {

using detail::at;

/// The variables of the terms on tape: C and S of each angle, then the displacement of each joint, then the rates u and
/// their derivatives.
class RecordedTerms {
 public:
  RecordedTerms(const ReducedModel& model, Tape& tape, bool rates) : model_(model), n_(model.size()) {
    std::vector<Trace> c(at(n_), Trace(1)), s(at(n_)), d(at(n_));
    for (int i = 0; i < n_; ++i) {
      const std::string number = std::to_string(i + 1);
      if (model.joints[at(i)].prismatic) {
        d[at(i)] = tape.input("d" + number);
      } else {
        c[at(i)] = tape.input("c" + number);
        s[at(i)] = tape.input("s" + number);
      }
    }
    // sums of angles by the addition theorems, each from the longest one that it begins with
    for (std::size_t a = 0; a < model.angles.size(); ++a) add_angle(a, c, s);
    variables_.insert(variables_.end(), d.begin(), d.end());
    if (!rates) return;
    for (const char* name : {"qd", "qdd"}) {
      const std::size_t first = variables_.size();
      for (int i = 0; i < n_; ++i) variables_.push_back(tape.input(name + std::to_string(i + 1)));
      for (int i = 0; i < n_; ++i)
        if (const int p = model.joints[at(i)].previous; p >= 0) variables_[first + at(i)] += variables_[first + at(p)];
    }
  }

  std::span<const Trace> variables() const { return variables_; }

  ProductTerm product(const TorqueTerm& term, std::initializer_list<int> rates = {}) const {
    ProductTerm out{term.coefficient, {}};
    for (const TermFactor& factor : term.factors)
      out.factors.insert(out.factors.end(), at(factor.exponent),
                         factor.kind == TermFactor::Kind::slide
                             ? angles() + factor.index
                             : 2 * factor.index + (factor.kind == TermFactor::Kind::sine ? 1 : 0));
    out.factors.insert(out.factors.end(), rates.begin(), rates.end());
    return out;
  }
  int rate(int j) const { return angles() + n_ + j; }
  int acceleration(int j) const { return angles() + 2 * n_ + j; }

 private:
  int angles() const { return 2 * static_cast<int>(model_.angles.size()); }

  void add_angle(std::size_t a, const std::vector<Trace>& c, const std::vector<Trace>& s) {
    const std::vector<int>& joints = model_.angles[a];
    Trace ca = c[at(joints.front())], sa = s[at(joints.front())];
    std::size_t done = 1;
    for (std::size_t b = 0; b < a; ++b) {
      const std::vector<int>& shorter = model_.angles[b];
      if (shorter.size() <= done || shorter.size() >= joints.size() ||
          !std::equal(shorter.begin(), shorter.end(), joints.begin()))
        continue;
      ca = variables_[2 * b];
      sa = variables_[2 * b + 1];
      done = shorter.size();
    }
    for (; done < joints.size(); ++done) {
      const std::size_t k = at(joints[done]);
      const Trace turned = ca * c[k] - sa * s[k];
      sa = sa * c[k] + ca * s[k];
      ca = turned;
    }
    variables_.push_back(ca);
    variables_.push_back(sa);
  }

  const ReducedModel& model_;
  int n_;
  std::vector<Trace> variables_;
};

/// What one would write by hand.
Tape tidied(const Tape& tape) { return live(share(fold(tape))); }

}  // namespace

int ReducedModel::next(int i) const {
  for (int k = i + 1; k < size(); ++k)
    if (joints[at(k)].previous == i) return k;
  return -1;
}

bool holds_at(const ReductionStatement& said, std::span<const double> q, std::span<const double> qd,
              std::span<const double> qdd) {
  const auto inside = [](const std::vector<StateRange>& ranges, std::span<const double> x) {
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      const double value = x.empty() ? 0 : x[k], slack = 1e-9 * (1 + std::abs(value));
      if (value < ranges[k].low - slack || value > ranges[k].high + slack) return false;
    }
    return true;
  };
  return inside(said.q, q) && inside(said.qd, qd) && inside(said.qdd, qdd);
}

std::vector<std::vector<double>> reference_torques(const Model<double>& model) {
  TORSOR_EXPECT(model.nq == model.nv);
  Model<double> smooth = model;
  smooth.friction.clear();
  // on the tree: these numbers are kept in files, and the kernels of another machine round in another way, zeros too
  TreeDynamics<double> dynamics(smooth, Questions::all_but_forward);
  std::vector<std::vector<double>> out;
  for (int state = 1; state <= 3; ++state) {
    std::vector<double> q, qd, qdd;
    for (int i = 0; i < model.nv; ++i) {
      q.push_back(std::sin(1.3 * state + 2.1 * i));
      qd.push_back(std::cos(0.7 * state + 1.9 * i));
      qdd.push_back(std::sin(2.3 * state + 0.3 * i));
    }
    out.emplace_back(at(model.nv));
    dynamics.inverse(q, qd, qdd, out.back());
  }
  return out;
}

std::string mismatch(const ReducedModel& reduced, const Model<double>& model) {
  std::vector<std::string> names;
  for (const ReducedJoint& joint : reduced.joints) names.push_back(joint.name);
  if (reduced.robot != model.name || names != model.velocity_names || model.nq != model.nv)
    return "it is a reduced model of another robot than \"" + model.name + "\"";

  // relative to the largest torque of the joint among them
  const std::vector<std::vector<double>> reference = reference_torques(model);
  if (reduced.reference.size() != reference.size()) return "it does not say of which robot it is";
  for (std::size_t i = 0; i < names.size(); ++i) {
    double size = 0, off = 0;
    for (std::size_t k = 0; k < reference.size(); ++k) {
      if (reduced.reference[k].size() != names.size()) return "it does not say of which robot it is";
      size = std::max(size, std::abs(reference[k][i]));
      off = std::max(off, std::abs(reference[k][i] - reduced.reference[k][i]));
    }
    if (off > 1e-9 * size)
      return "the robot has changed since: its torques at \"" + names[i] +
             "\" are not those that the model was made from";
  }

  Model<double> smooth = model;
  smooth.friction.clear();
  TreeDynamics<double> full(smooth, Questions::all_but_forward);
  ReducedDynamics<double> dynamics(reduced);
  std::vector<double> tau(names.size()), approximate(names.size());
  std::mt19937_64 engine(1985);
  const auto drawn = [&](const std::vector<StateRange>& ranges) {
    std::vector<double> x;
    for (const StateRange& range : ranges)
      x.push_back(range.low + (range.high - range.low) * std::uniform_real_distribution<double>(0, 1)(engine));
    return x;
  };
  const ReductionStatement& said = reduced.statement;
  for (int k = 0; k < 64; ++k) {
    const std::vector<double> q = drawn(said.q), qd = drawn(said.qd), qdd = drawn(said.qdd);
    full.inverse(q, qd, qdd, tau);
    dynamics.inverse(q, qd, qdd, approximate);
    for (std::size_t i = 0; i < tau.size(); ++i)
      if (!(std::abs(approximate[i] - tau[i]) <= (said.on_ranges[i] + 1e-6) * said.scale[i]))
        return "its error at \"" + names[i] + "\" is larger than it says";
  }
  return "";
}

std::string factor_name(const ReducedModel& model, const TermFactor& factor) {
  if (factor.kind == TermFactor::Kind::slide) return "d" + std::to_string(factor.index + 1);
  std::string name = factor.kind == TermFactor::Kind::sine ? "S" : "C";
  const std::vector<int>& joints = model.angles[at(factor.index)];
  for (const int k : joints) name += (model.size() > 9 && k != joints.front() ? "," : "") + std::to_string(k + 1);
  return name;
}

Tape record_inverse(const ReducedModel& model) {
  Tape tape;
  {
    const Recording recording(tape);
    const RecordedTerms terms(model, tape, true);
    std::vector<std::vector<ProductTerm>> sums(at(model.size()));
    for (const TorqueTerm& term : model.terms) {
      std::vector<ProductTerm>& sum = sums[at(term.i)];
      switch (term.part) {
        case TermPart::inertia:
          sum.push_back(terms.product(term, {terms.acceleration(term.j)}));
          if (term.i != term.j) sums[at(term.j)].push_back(terms.product(term, {terms.acceleration(term.i)}));
          break;
        case TermPart::velocity: sum.push_back(terms.product(term, {terms.rate(term.j), terms.rate(term.m)})); break;
        case TermPart::gravity: sum.push_back(terms.product(term)); break;
      }
    }
    std::vector<Trace> tau = factored_sums(sums, terms.variables());
    for (int i = model.size() - 1; i >= 0; --i)
      if (const int k = model.next(i); k >= 0) tau[at(i)] += tau[at(k)];
    for (int i = 0; i < model.size(); ++i) tape.output(tau[at(i)], "tau" + std::to_string(i + 1));
  }
  return tidied(tape);
}

Tape record_mass(const ReducedModel& model) {
  const int n = model.size();
  Tape tape;
  {
    const Recording recording(tape);
    const RecordedTerms terms(model, tape, false);
    std::vector<std::vector<ProductTerm>> sums(at(n * n));  // i <= j
    for (const TorqueTerm& term : model.terms)
      if (term.part == TermPart::inertia) sums[at(term.i * n + term.j)].push_back(terms.product(term));
    std::vector<Trace> D = factored_sums(sums, terms.variables());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) D[at(i * n + j)] = D[at(j * n + i)];
    // from the rates u to those of the joints: rows, then columns
    for (int i = n - 1; i >= 0; --i)
      if (const int k = model.next(i); k >= 0)
        for (int j = 0; j < n; ++j) D[at(i * n + j)] += D[at(k * n + j)];
    for (int j = n - 1; j >= 0; --j)
      if (const int k = model.next(j); k >= 0)
        for (int i = 0; i < n; ++i) D[at(i * n + j)] += D[at(i * n + k)];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) tape.output(D[at(i * n + j)], "M");
  }
  return tidied(tape);
}

template class ReducedDynamics<double>;
template class ReducedDynamics<Interval>;
template class ReducedDynamics<Trace>;

}  // namespace torsor
