#include "torsor/mechanism/driven_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/mobility.hpp"

namespace torsor {
namespace {

/// How far two states are apart: the largest way of a mass centre over the size of the mechanism, and angle of a body.
double apart(const MechanismState& a, const MechanismState& b, double size) {
  double most = 0;
  for (std::size_t k = 0; k < a.bodies.size(); ++k) {
    const Quaternion<double>&p = a.bodies[k].p, &q = b.bodies[k].p;
    const double cosine = p.e0 * q.e0 + p.e1 * q.e1 + p.e2 * q.e2 + p.e3 * q.e3;
    const double angle = 2 * std::sqrt(std::max(0.0, 1 - cosine * cosine));
    most = std::max({most, norm(a.bodies[k].r - b.bodies[k].r) / size, angle});
  }
  return most;
}

double size_of(const Mechanism& m) {
  double size = 0;
  for (const std::vector<PlacedSide>* sides : {&m.side_i, &m.side_j})
    for (const PlacedSide& side : *sides)
      if (side.body != ground) size = std::max(size, norm(side.s));
  return size > 0 ? size : 1;
}

class DrivenRun {
 public:
  DrivenRun(const Mechanism& m, MechanismState& state)
      : mechanism_(m),
        state_(state),
        assembly_(m, EquationSet::all),
        A_(m.description.bodies.size()),
        way_(A_),
        size_(size_of(m)) {}

  Assembly& assembly() { return assembly_; }
  std::span<const Motion<double>> A() const { return A_; }

  /// Velocities and accelerations where the bodies are.
  bool rates(DrivenRunReport& report) {
    const AssemblyReport v = assembly_.velocities(state_), a = assembly_.accelerations(state_, A_);
    if (v.closed && a.closed) return true;
    report.block = v.closed ? a.block : v.block;
    report.gap = v.closed ? a.gap : v.gap;
    report.why = fmt::format("it locks: {} asks for {} that nothing can have here",
                             mechanism_.block_name(block(report.block)), v.closed ? "accelerations" : "velocities");
    return false;
  }

  /// To t, in as many steps as it takes.
  bool go_to(double t, double shortest, DrivenRunReport& report) {
    while (t - state_.t > 1e-3 * shortest) {
      double h = t - state_.t;
      for (;; h /= 2) {
        if (step(h, report)) break;
        if (h <= shortest) {
          report.why = fmt::format("it locks: {} cannot close, {:.2g} are left a moment later",
                                   mechanism_.block_name(block(report.block)), report.gap);
          return false;
        }
      }
      if (!rates(report)) return false;
    }
    return true;
  }

 private:
  const ConstraintBlock& block(int k) const { return mechanism_.blocks[static_cast<std::size_t>(std::max(k, 0))]; }

  bool step(double h, DrivenRunReport& report) {
    guess_ = state_;
    guess_.t = state_.t + h;
    for (std::size_t b = 0; b < way_.size(); ++b) {
      const BodyState& s = state_.bodies[b];
      way_[b] = {s.w * h + A_[b].w * (h * h / 2), s.v * h + A_[b].v * (h * h / 2)};
    }
    displace(guess_, way_);
    next_ = guess_;
    const AssemblyReport closed = assembly_.positions(next_);
    ++report.steps;
    // a mend that is no longer small beside the way is a jump, or the edge of what can be reached
    const double mended = apart(next_, guess_, size_), gone = apart(guess_, state_, size_);
    if (!closed.closed || mended > 0.2 * gone + 1e-5 || gone > 0.5) {
      report.block = closed.block;
      report.gap = std::max(closed.gap, mended);
      return false;
    }
    report.worst_gap = std::max(report.worst_gap, closed.gap);
    gap = closed.gap;
    std::swap(state_, next_);
    return true;
  }

  const Mechanism& mechanism_;
  MechanismState& state_;
  Assembly assembly_;
  std::vector<Motion<double>> A_, way_;
  MechanismState guess_, next_;
  double size_;

 public:
  double gap = 0;
};

}  // namespace

Errors assemble_start(const Mechanism& m, Assembly& assembly, MechanismState& state) {
  const auto fault = [&](const AssemblyReport& report, std::string rule, std::string what, std::string remedy) {
    const ConstraintBlock& block = m.blocks[static_cast<std::size_t>(std::max(report.block, 0))];
    const auto k = static_cast<std::size_t>(block.index);
    const Where where = block.origin == ConstraintBlock::Origin::joint      ? m.description.joints[k].where
                        : block.origin == ConstraintBlock::Origin::coupling ? m.description.couplings[k].where
                                                                            : m.description.drivers[k].where;
    return Errors{{where, m.block_name(block), std::move(rule), std::move(what), std::move(remedy)}};
  };
  if (m.blocks.empty()) return {};
  if (const AssemblyReport report = assembly.positions(state); !report.closed)
    return fault(report, "cannot-close",
                 fmt::format("it cannot close: {:.3g} m or rad are left where all others are best kept", report.gap),
                 "check lengths, points and axes, and that the drivers ask for a position that exists");
  if (const AssemblyReport report = assembly.velocities(state); !report.closed)
    return fault(report, "cannot-move",
                 fmt::format("it asks for a velocity that nothing can have: {:.3g} are left", report.gap),
                 "drivers that fight each other, or a position that is locked");
  return {};
}

DrivenRunReport run_driven(const Mechanism& m, MechanismState& state, const DrivenRunRules& rules,
                           const std::function<bool(const DrivenInstant&)>& at_instant) {
  DrivenRunReport report;
  DrivenRun run(m, state);
  run.assembly().expect_redundancy(true);
  report.t = state.t;
  if (const Errors errors = assemble_start(m, run.assembly(), state); !errors.empty()) {
    report.why = fmt::format("{}: {}", errors[0].offender, errors[0].what);
    return report;
  }
  run.gap = run.assembly().positions(state).gap;
  if (!run.rates(report)) return report;
  const double start = state.t, end = start + rules.time;
  const auto instants = static_cast<long long>(std::ceil(rules.time / rules.interval - 1e-9));
  for (long long k = 0;; ++k) {
    report.t = state.t;
    if (!at_instant({state, run.A(), run.gap})) return report;
    if (k == instants) break;
    const double next = k + 1 == instants ? end : start + rules.interval * static_cast<double>(k + 1);
    const bool there = run.go_to(next, 1e-10 * rules.time, report);
    report.t = state.t;
    if (!there) return report;
    state.t = next;
  }
  report.finished = true;
  return report;
}

}  // namespace torsor
