#include "torsor/mechanism/driven_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>

#include "torsor/mechanism/branch_watch.hpp"
#include "torsor/mechanism/function_check.hpp"
#include "torsor/scalar/infinity.hpp"

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

/// States at six equal distances in time about a branch point, none so near to it that its velocities are uncertain; in
/// between holds the polynomial through all of them.
struct Bridge {
  static constexpr std::size_t count = 6;
  std::array<MechanismState, count> states;
  std::array<std::vector<Motion<double>>, count> A;
  std::array<double, count> det;

  double from() const { return states.front().t; }
  double to() const { return states.back().t; }

  template <class Of>
  auto at(double t, const Of& of) const {
    const double x = (t - from()) / (to() - from()) * (count - 1);
    std::array<double, count> weight;
    for (std::size_t k = 0; k < count; ++k) {
      weight[k] = 1;
      for (std::size_t i = 0; i < count; ++i)
        if (i != k) weight[k] *= (x - static_cast<double>(i)) / (static_cast<double>(k) - static_cast<double>(i));
    }
    auto sum = of(0) * weight[0];
    for (std::size_t k = 1; k < count; ++k) sum = sum + of(k) * weight[k];
    return sum;
  }

  /// Everything at t; the state is to be closed once more, and the angles counted.
  void read(double t, MechanismState& state, std::vector<Motion<double>>& a) const {
    state = states[count / 2];
    state.t = t;
    for (std::size_t b = 0; b < state.bodies.size(); ++b) {
      const auto of = [&](const auto& part) { return at(t, [&](std::size_t k) { return part(states[k].bodies[b]); }); };
      BodyState& body = state.bodies[b];
      const Quaternion<double> near = body.p;
      body.r = of([](const BodyState& x) { return x.r; });
      body.v = of([](const BodyState& x) { return x.v; });
      body.w = of([](const BodyState& x) { return x.w; });
      body.p = normalized(Quaternion<double>{of([&](const BodyState& x) { return nearer(x.p, near).e0; }),
                                             of([&](const BodyState& x) { return nearer(x.p, near).e1; }),
                                             of([&](const BodyState& x) { return nearer(x.p, near).e2; }),
                                             of([&](const BodyState& x) { return nearer(x.p, near).e3; })});
      a[b] = at(t, [&](std::size_t k) { return A[k][b]; });
    }
  }

  /// When the determinant vanishes, between the two in the middle.
  double when() const {
    double low = states[count / 2 - 1].t, high = states[count / 2].t;
    const auto value = [&](double t) { return at(t, [&](std::size_t k) { return det[k]; }); };
    for (int half = 0; half < 60; ++half) {
      const double middle = (low + high) / 2;
      ((value(middle) > 0) == (det[count / 2] > 0) ? high : low) = middle;
    }
    return (low + high) / 2;
  }
};

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

  /// Velocities and accelerations at the start, and what to look after from there.
  bool start(DrivenRunReport& report) {
    watch_.emplace(mechanism_, state_);
    det_ = watch_->look(state_);
    return rates(report);
  }

  /// To t, in as many steps as it takes.
  bool go_to(double t, double shortest, DrivenRunReport& report) {
    if (bridge_ && t > bridge_->to()) {
      state_ = bridge_->states.back(), A_ = bridge_->A.back(), det_ = bridge_->det.back();
      bridge_.reset();
      past_.clear();
    }
    while (!bridge_ && t - state_.t > 1e-3 * shortest) {
      remember();
      if (!step_towards(t, shortest, report)) return false;
      const bool moves = rates(report);
      const double det = watch_->look(state_);
      constexpr double near_it = 1e-2;  // of the largest determinant
      const bool near = !moves || std::fabs(det) < near_it;
      if (near || (det > 0) != (det_ > 0)) {
        const MechanismState there = state_;
        const std::vector<Motion<double>> A_there = A_;
        const Past before = past_.back();
        // where the determinant's straight line vanishes
        const double h = there.t - before.state.t, branch = before.state.t + h * before.det / (before.det - det);
        std::optional<Bridge> over = near && !watch_->singular(there) ? std::nullopt : bridge_over(branch, report);
        state_ = there, A_ = A_there;
        if (over) {
          report.branch_times.push_back(over->when());
          if (near && t <= over->to() && t >= over->from()) bridge_ = std::move(over);
          report.why.clear();
          report.block = -1;
        }
        if (!over && !moves) {
          state_ = before.state, A_ = before.A;
          return false;
        }
        // upon the very end of what can be reached velocities have no bounds
        constexpr double upon_it = 1e-4;  // what can be told of it where gaps are squares of ways
        if (!over && std::fabs(det) < upon_it) {
          DrivenRunReport beyond = report;
          // a little further, and by more than what closing leaves open
          const double further = there.t + std::max(1e-3 * h, 1e3 * shortest);
          while (further - state_.t > shortest)
            if (!step_towards(further, shortest, beyond) || !rates(beyond)) {
              report = beyond;
              return false;
            }
          state_ = there, A_ = A_there;
        }
      }
      det_ = det;
    }
    if (!bridge_) return true;
    bridge_->read(t, state_, A_);
    gap = assembly_.positions(state_).gap;
    return true;
  }

 private:
  const ConstraintBlock& block(int k) const { return mechanism_.blocks[static_cast<std::size_t>(std::max(k, 0))]; }

  /// Whether a function has ended there: nothing is locked then.
  bool ended(const MechanismState& state, DrivenRunReport& report) const {
    const std::string unsound = unsound_function(mechanism_, state);
    if (unsound.empty()) return false;
    report.why = fmt::format("the function of {} is no longer a number", unsound);
    report.block = -1;
    report.function_ended = true;
    return true;
  }

  /// Velocities and accelerations where the bodies are.
  bool rates(DrivenRunReport& report) {
    const AssemblyReport v = assembly_.velocities(state_), a = assembly_.accelerations(state_, A_);
    if (v.closed && a.closed) return true;
    report.block = v.closed ? a.block : v.block;
    report.gap = v.closed ? a.gap : v.gap;
    if (!ended(state_, report))
      report.why = fmt::format("it locks: {} asks for {} that nothing can have here",
                               mechanism_.block_name(block(report.block)), v.closed ? "accelerations" : "velocities");
    return false;
  }

  /// One step, halved until it can be made.
  bool step_towards(double t, double shortest, DrivenRunReport& report) {
    for (double h = t - state_.t;; h /= 2) {
      if (step(h, report)) return true;
      if (h > shortest) continue;
      if (!ended(guess_, report))
        report.why = fmt::format("it locks: {} cannot close, {:.2g} are left a moment later",
                                 mechanism_.block_name(block(report.block)), report.gap);
      return false;
    }
  }

  bool step(double h, DrivenRunReport& report) {
    guess_ = state_;
    guess_.t = state_.t + h;
    for (std::size_t b = 0; b < way_.size(); ++b) {
      BodyState& s = guess_.bodies[b];
      way_[b] = {s.w * h + A_[b].w * (h * h / 2), s.v * h + A_[b].v * (h * h / 2)};
      s.w += A_[b].w * h, s.v += A_[b].v * h;
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

  struct Past {
    MechanismState state;
    std::vector<Motion<double>> A;
    double det;
  };

  /// Keeps what was passed last, as far back as a bridge may begin.
  void remember() {
    past_.push_back({state_, A_, det_});
    while (past_.size() > 2 && state_.t - past_[1].state.t > 3 * node_distance(past_[1].state)) past_.pop_front();
  }

  /// Seconds between the nodes of a bridge: far enough from the branch point for velocities and accelerations to keep their
  /// digits, near enough for the polynomial.
  double node_distance(const MechanismState& state) const {
    constexpr double way = 0.02;
    double speed = 0;
    for (const BodyState& b : state.bodies) speed = std::max({speed, norm(b.w), norm(b.v) / size_});
    return speed > 0 ? way / speed : infinity;
  }

  /// Passes a branch point in one long step, straight on. None: that cannot be done, or it is none.
  std::optional<Bridge> bridge_over(double branch, const DrivenRunReport& report) {
    DrivenRunReport tried = report;
    const auto begins_before = [&](const Past& past) {
      return past.state.t <= branch - 2.5 * node_distance(past_.front().state);
    };
    const auto last = std::find_if(past_.rbegin(), past_.rend(), begins_before);
    const Past& from = last == past_.rend() ? past_.front() : *last;
    const double d = std::min(node_distance(from.state), (branch - from.state.t) / 2.6);
    state_ = from.state, A_ = from.A;
    Bridge over;
    for (std::size_t k = 0; k < Bridge::count; ++k) {
      const double t = branch + d * (static_cast<double>(k) - 2.5);
      const bool across = k == Bridge::count / 2;
      while (t - state_.t > 1e-6 * d)
        if (!(across ? step(t - state_.t, tried) : step_towards(t, 1e-3 * d, tried)) || !rates(tried))
          return std::nullopt;
      over.states[k] = state_, over.A[k] = A_;
      over.det[k] = watch_->look(state_);
    }
    if ((over.det.front() > 0) == (over.det.back() > 0)) return std::nullopt;
    return over;
  }

  const Mechanism& mechanism_;
  MechanismState& state_;
  Assembly assembly_;
  std::optional<BranchWatch> watch_;
  double det_ = 1;
  std::vector<Motion<double>> A_, way_;
  MechanismState guess_, next_;
  std::deque<Past> past_;
  std::optional<Bridge> bridge_;  // instants on it are read off it
  double size_;

 public:
  double gap = 0;
};

/// Drivers that others and the joints leave nothing to prescribe, the last one last; empty: there are none.
std::vector<int> drivers_too_many(const Mechanism& m, const MechanismState& state) {
  std::vector<int> drivers;
  for (const Dependence& d : mobility(m, state, EquationSet::all, 1e-6).dependences) {
    const auto take = [&](int block) {
      if (m.blocks[static_cast<std::size_t>(block)].drives) drivers.push_back(block);
    };
    take(d.block);
    for (const int partner : d.partners) take(partner);
  }
  std::sort(drivers.begin(), drivers.end());
  drivers.erase(std::unique(drivers.begin(), drivers.end()), drivers.end());
  return drivers;
}

}  // namespace

bool starts_singular(const Mechanism& m, const MechanismState& state, const AssemblyReport& closed) {
  // where it was hard to close, what was found is right to half the digits
  const double tolerance = closed.singular ? 1e-4 : 1e-9;
  const MobilityReport here = mobility(m, state, EquationSet::all, tolerance);
  return !here.too_large && here.freedoms > freedoms_nearby(m, state, EquationSet::all);
}

Errors assemble_start(const Mechanism& m, Assembly& assembly, MechanismState& state) {
  const auto fault = [&](const ConstraintBlock& block, std::string rule, std::string what, std::string remedy) {
    const auto k = static_cast<std::size_t>(block.index);
    const Where where = block.origin == ConstraintBlock::Origin::joint      ? m.description.joints[k].where
                        : block.origin == ConstraintBlock::Origin::coupling ? m.description.couplings[k].where
                                                                            : m.description.drivers[k].where;
    return Errors{{where, m.block_name(block), std::move(rule), std::move(what), std::move(remedy)}};
  };
  // too many drivers are at fault before any joint is
  const auto blame = [&](const AssemblyReport& report, const char* asked, std::string rule, std::string what,
                         std::string remedy) {
    const std::vector<int> fighting = drivers_too_many(m, state);
    if (fighting.size() < 2)
      return fault(m.blocks[static_cast<std::size_t>(std::max(report.block, 0))], std::move(rule), std::move(what),
                   std::move(remedy));
    std::string others;
    for (std::size_t k = 0; k + 1 < fighting.size(); ++k)
      others += (k == 0 ? "" : ", ") + m.block_name(m.blocks[static_cast<std::size_t>(fighting[k])]);
    return fault(m.blocks[static_cast<std::size_t>(fighting.back())], "drivers-fight",
                 fmt::format("it asks for {} that {} {} not allow with it: {:.3g} are left", asked, others,
                             fighting.size() == 2 ? "does" : "do", report.gap),
                 "leave one of them out, or let them agree");
  };
  if (m.blocks.empty()) return {};
  if (const AssemblyReport report = assembly.positions(state); !report.closed)
    return blame(report, "a position", "cannot-close",
                 fmt::format("it cannot close: {:.3g} m or rad are left where all others are best kept", report.gap),
                 "check lengths, points and axes, and that the drivers ask for a position that exists");
  if (const AssemblyReport report = assembly.velocities(state); !report.closed)
    return blame(
        report, "a velocity", "cannot-move",
        fmt::format("it asks for a velocity that nothing can have in this position: {:.3g} are left", report.gap),
        "the mechanism is locked here: start elsewhere, or let the drivers start at rest");
  return {};
}

Errors start_driven(const Mechanism& m, MechanismState& state) {
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  if (Errors errors = assemble_start(m, assembly, state); !errors.empty()) return errors;
  if (starts_singular(m, state, assembly.positions(state)))
    return {{{},
             m.description.name,
             "singular-start",
             "it stands in a singular position, from which it may go on in more than one way",
             "let the drivers start a little before or after it"}};
  const MobilityReport driven = mobility(m, state, EquationSet::all);
  if (driven.too_large || driven.freedoms == 0) return {};
  const int freedoms = mobility(m, state, EquationSet::without_drivers).freedoms;
  return {{{},
           m.description.name,
           "not-driven",
           fmt::format("of {} degrees of freedom {} {} not driven: its motion is not determined", freedoms,
                       driven.freedoms, driven.freedoms == 1 ? "is" : "are"),
           "add drivers to the file, or let forces move it, in a simulation"}};
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
  const AssemblyReport closed = run.assembly().positions(state);
  run.gap = closed.gap;
  if (starts_singular(m, state, closed)) {
    report.why = "it stands in a singular position, from which it may go on in more than one way";
    return report;
  }
  if (!run.start(report)) return report;
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
