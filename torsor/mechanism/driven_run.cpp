#include "torsor/mechanism/driven_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>

#include "torsor/mechanism/branch_bridge.hpp"
#include "torsor/mechanism/branch_watch.hpp"
#include "torsor/mechanism/function_check.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

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
    over_driven_ = drivers_too_many(mechanism_, state_);
    return rates(report);
  }

  /// To t, in as many steps as it takes.
  bool go_to(double t, double shortest, DrivenRunReport& report) {
    steps_left_ = most_steps;
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
        std::optional<BranchBridge> over = near && !watch_->singular(there) ? std::nullopt : bridge_over(branch, report);
        state_ = there, A_ = A_there;
        if (over) {
          report.branch_times.push_back(over->when());
          if (near && t <= over->to() && t >= over->from()) bridge_ = std::move(over);
          report.why.clear();
          report.stop = RunStop::none;
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

  bool stop(DrivenRunReport& report, RunStop reason, std::string why) const {
    report.stop = reason;
    report.why = std::move(why);
    return false;
  }

  /// Whether a function has ended there: nothing is locked then.
  bool ended(const MechanismState& state, DrivenRunReport& report) const {
    const std::string unsound = unsound_function(mechanism_, state);
    if (unsound.empty()) return false;
    report.block = -1;
    stop(report, RunStop::function_ends, fmt::format("the function of {} is no longer a number", unsound));
    return true;
  }

  /// No motion goes on from here: because of drivers that are too many, or for good.
  bool locked(DrivenRunReport& report, const char* asked, const std::string& why) const {
    if (over_driven_.empty()) return stop(report, RunStop::locked, "it locks: " + why);
    report.block = over_driven_.back();
    return stop(report, RunStop::drivers_fight, "it " + drivers_fight(mechanism_, over_driven_, asked, report.gap));
  }

  bool too_fast(DrivenRunReport& report) const {
    const FastestDriver fastest = fastest_driver(mechanism_, state_.t);
    report.block = -1;
    return stop(report, RunStop::driver_too_fast,
                fmt::format("{} asks for {:.3g} rad/s or m/s: {} steps since the last instant have not reached the next",
                            fastest.name, fastest.rate, most_steps - steps_left_));
  }

  /// Velocities and accelerations where the bodies are.
  bool rates(DrivenRunReport& report) {
    const AssemblyReport v = assembly_.velocities(state_), a = assembly_.accelerations(state_, A_);
    if (v.closed && a.closed) return true;
    report.block = v.closed ? a.block : v.block;
    report.gap = v.closed ? a.gap : v.gap;
    if (ended(state_, report)) return false;
    return locked(report, v.closed ? "an acceleration" : "a velocity",
                  fmt::format("{} asks for {} that nothing can have here", mechanism_.block_name(block(report.block)),
                              v.closed ? "accelerations" : "velocities"));
  }

  /// One step, halved until it can be made.
  bool step_towards(double t, double shortest, DrivenRunReport& report) {
    for (double h = t - state_.t;; h /= 2) {
      if (steps_left_ <= 0) return too_fast(report);
      const Step done = step(h, report);
      if (done == Step::taken) return true;
      if (h > shortest) continue;
      if (ended(guess_, report)) return false;
      if (done == Step::too_long) return too_fast(report);
      DriverWatch jumping(mechanism_, state_.t);
      jumping.look(state_.t + 1e3 * shortest);
      for (const DriverJump& jump : jumping.jumps())
        if (jump.of_value) {
          report.block = -1;
          return stop(report, RunStop::driver_jumps, fmt::format("the value of {} jumps by {:.3g}", jump.name, jump.by));
        }
      return locked(report, "a position",
                    fmt::format("{} cannot close, {:.2g} are left a moment later",
                                mechanism_.block_name(block(report.block)), report.gap));
    }
  }

  enum class Step { taken, refused, too_long };

  Step step(double h, DrivenRunReport& report) {
    constexpr double longest = 0.5;  // rad, or sizes of the mechanism: turns are told from one another
    guess_ = state_;
    guess_.t = state_.t + h;
    double gone = 0;
    for (std::size_t b = 0; b < way_.size(); ++b) {
      BodyState& s = guess_.bodies[b];
      way_[b] = {s.w * h + A_[b].w * (h * h / 2), s.v * h + A_[b].v * (h * h / 2)};
      s.w += A_[b].w * h, s.v += A_[b].v * h;
      gone = std::max({gone, norm(way_[b].w), norm(way_[b].v) / size_});
    }
    if (!(gone <= longest)) return Step::too_long;
    displace(guess_, way_);
    next_ = guess_;
    const AssemblyReport closed = assembly_.positions(next_);
    ++report.steps;
    --steps_left_;
    // a mend that is no longer small beside the way is a jump, or the edge of what can be reached
    const double mended = apart(next_, guess_, size_);
    if (!closed.closed || mended > 0.2 * gone + 1e-5) {
      report.block = closed.block;
      report.gap = std::max(closed.gap, mended);
      return Step::refused;
    }
    report.worst_gap = std::max(report.worst_gap, closed.gap);
    gap = closed.gap;
    std::swap(state_, next_);
    return Step::taken;
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
  std::optional<BranchBridge> bridge_over(double branch, const DrivenRunReport& report) {
    DrivenRunReport tried = report;
    const auto begins_before = [&](const Past& past) {
      return past.state.t <= branch - 2.5 * node_distance(past_.front().state);
    };
    const auto last = std::find_if(past_.rbegin(), past_.rend(), begins_before);
    const Past& from = last == past_.rend() ? past_.front() : *last;
    const double d = std::min(node_distance(from.state), (branch - from.state.t) / 2.6);
    state_ = from.state, A_ = from.A;
    BranchBridge over;
    for (std::size_t k = 0; k < BranchBridge::count; ++k) {
      const double t = branch + d * (static_cast<double>(k) - 2.5);
      const bool across = k == BranchBridge::count / 2;
      while (t - state_.t > 1e-6 * d)
        if (!(across ? step(t - state_.t, tried) == Step::taken : step_towards(t, 1e-3 * d, tried)) || !rates(tried))
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
  std::optional<BranchBridge> bridge_;  // instants on it are read off it
  double size_;
  std::vector<int> over_driven_;  // drivers that must agree to go on
  static constexpr int most_steps = 20000;  // from one instant to the next
  int steps_left_ = most_steps;

 public:
  double gap = 0;
};

}  // namespace

DrivenRunReport run_driven(const Mechanism& m, MechanismState& state, const DrivenRunRules& rules,
                           const std::function<bool(const DrivenInstant&)>& at_instant) {
  DrivenRunReport report;
  DrivenRun run(m, state);
  run.assembly().expect_redundancy(true);
  report.t = state.t;
  report.stop = RunStop::start;
  if (const Errors errors = assemble_start(m, run.assembly(), state); !errors.empty()) {
    report.why = fmt::format("{}: {}", errors[0].offender, errors[0].what);
    return report;
  }
  const AssemblyReport closed = run.assembly().positions(state);
  run.gap = closed.gap;
  if (starts_singular(m, state, closed)) {
    report.why = singular_start;
    return report;
  }
  report.stop = RunStop::none;
  if (!run.start(report)) return report;
  const double start = state.t, end = start + rules.time;
  DriverWatch watch(m, start);
  const auto instants = static_cast<long long>(std::ceil(rules.time / rules.interval - 1e-9));
  for (long long k = 0;; ++k) {
    report.t = state.t;
    if (!at_instant({state, run.A(), run.gap})) {
      report.stop = RunStop::by_caller;
      return report;
    }
    if (k == instants) break;
    const double next = k + 1 == instants ? end : start + rules.interval * static_cast<double>(k + 1);
    const bool there = run.go_to(next, 1e-10 * rules.time, report);
    report.t = state.t;
    watch.look(there ? next : state.t);
    report.jumps = watch.jumps();
    if (!there) return report;
    state.t = next;
  }
  report.finished = true;
  return report;
}

}  // namespace torsor
