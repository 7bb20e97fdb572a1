// A driven run that goes on when it is asked to (driven_run.hpp says how).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

#include "torsor/mechanism/branch_bridge.hpp"
#include "torsor/mechanism/branch_watch.hpp"
#include "torsor/mechanism/driven_stop.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor::detail {

/// Moves a state that others keep.
class DrivenRun {
 public:
  DrivenRun(const Mechanism& m, MechanismState& state, const DrivenRunRules& rules)
      : mechanism_(m),
        state_(state),
        assembly_(m, EquationSet::all),
        A_(m.description.bodies.size()),
        A_next_(A_),
        way_(A_),
        size_(size_of(m)),
        shortest_(1e-10 * rules.time),
        moment_(1e-3 * rules.interval),
        why_{m, moment_, {}} {}

  std::span<const Motion<double>> A() const { return A_; }
  double gap() const { return gap_; }  // largest error of a position equation

  /// Closes the state, finds velocities and accelerations, and what to look after from there.
  bool start(DrivenRunReport& report) {
    assembly_.expect_redundancy(true);
    report.t = state_.t;
    if (const Faults errors = assemble_start(mechanism_, assembly_, state_); !errors.empty())
      return why_.stop(report, RunStop::start, fmt::format("{}: {}", errors[0].offender, errors[0].what));
    const AssemblyReport closed = assembly_.positions(state_);
    gap_ = closed.gap;
    if (starts_singular(mechanism_, state_, closed)) return why_.stop(report, RunStop::start, singular_start);
    watch_.emplace(mechanism_, state_);
    report.watched = watch_->watches();
    why_.over_driven = drivers_too_many(mechanism_, state_);
    return rates(state_, A_, report) || stopped(report);
  }

  /// To t, in as many steps as it takes; false: it comes no further.
  bool go_to(double t, DrivenRunReport& report) {
    const bool there = gone_to(t, report);
    report.t = state_.t;
    if (!there || (rest_ && !lies_at_rest() && !leaves_rest(report))) return false;
    if (report.rest_time < 0 && rest_) report.rest_time = rest_->t;
    state_.t = t;
    return true;
  }

 private:
  bool gone_to(double t, DrivenRunReport& report) {
    steps_left_ = most_steps;
    if (bridge_ && t > bridge_->to()) leave(*std::exchange(bridge_, std::nullopt));
    if (!bridge_ && (!follow(t, report) || (!bridge_ && !look_around(report)))) return false;
    if (bridge_) {
      bridge_->read(t, state_, A_);
      gap_ = close(state_).gap;
    }
    return true;
  }

  static constexpr double hair = 3e-7;  // rad, or sizes of the mechanism: nearer to it a singular position is one
  static constexpr double longest = 0.5;  // step, rad or sizes: turns are told from one another
  static constexpr double near_it = 1e-2;  // clearance, next to which velocities begin to lose digits

  /// Next to a singular position as exactly as can be.
  AssemblyReport close(MechanismState& state) {
    AssemblyReport closed = assembly_.positions(state);
    if (closed.closed && watch_->clearance() < near_it) {
      watch_->close(state);
      closed.gap = assembly_.gap(state);
    }
    return closed;
  }

  /// Velocities and accelerations where bodies are; it stands there then.
  bool rates(MechanismState& state, std::vector<Motion<double>>& A, DrivenRunReport& report) {
    unclosed_.clear();
    watch_->stand(state);
    if (watch_->clearance() < near_it && watch_->rates(state, A)) return true;
    const AssemblyReport v = assembly_.velocities(state), a = assembly_.accelerations(state, A);
    if (v.closed && a.closed) return true;
    unclosed_ = v.closed ? "accelerations" : "velocities";
    report.block = v.closed ? a.block : v.block;
    report.gap = v.closed ? a.gap : v.gap;
    return false;
  }

  /// To t, over branch points between; where t falls upon one, there is a bridge then.
  bool follow(double t, DrivenRunReport& report) {
    while (t - state_.t > 1e-3 * shortest_) {
      remember();
      switch (step_towards(t, report)) {
        case Way::stopped: return false;
        case Way::gone_on:
          if (rest_ && apart(state_, *rest_, size_) > 5 * hair) return leaves_rest(report);
          break;
        case Way::singular:
          if (std::optional<BranchBridge> over = rest_ ? std::nullopt : bridge_over(singular_at_, report)) {
            report.branch_times.push_back(over->when());
            report.block = -1;
            if (t <= over->to()) {
              bridge_ = std::move(over);
              return true;
            }
            leave(*over);
          } else if (!creep(report)) {
            return stopped(report);
          }
          break;
      }
    }
    return true;
  }

  void leave(const BranchBridge& over) {
    stand(over.states.back(), over.A.back());
    past_.clear();
  }

  void stand(const MechanismState& state, const std::vector<Motion<double>>& A) {
    state_ = state, A_ = A;
    watch_->stand(state_);
  }

  /// Onto a singular position that is less than a hair away, by the step that was refused for it: to rest there.
  bool creep(DrivenRunReport& report) {
    if (!closed_ || moved_ > hair || !rates(next_, A_next_, report)) return false;
    if (!rest_) rest_ = state_;
    std::swap(state_, next_), std::swap(A_, A_next_);
    return true;
  }

  /// Of an instant next to a singular position velocities have few digits, and upon the very end of what can be reached no
  /// bounds: whether it goes on behind it, and if that is a branch point, by its bridge.
  bool look_around(DrivenRunReport& report) {
    if (!(watch_->clearance() < 0.1 * near_it) || rest_) {
      if (rest_) return rests(report);
      return true;
    }
    const MechanismState there = state_;
    const std::vector<Motion<double>> A_there = A_;
    const auto past = past_;
    const double t = there.t, gap_there = gap_;
    DrivenRunReport beyond = report;
    if (!follow(t + 1e-3 * moment_ + 1e3 * shortest_, beyond)) {
      report = beyond;
      return false;
    }
    const double far = node_distance(there);
    if (!bridge_ && std::isfinite(far)) follow(t + std::min(far, 1e3 * moment_), beyond);
    if (bridge_ && t >= bridge_->from()) {
      report = beyond;
      return true;
    }
    bridge_.reset(), rest_.reset();
    past_ = past, gap_ = gap_there;
    stand(there, A_there);
    return true;
  }

  /// Whether it stays where it has come to rest, for a moment at least.
  bool rests(DrivenRunReport& report) {
    const MechanismState there = state_;
    const std::vector<Motion<double>> A_there = A_;
    DrivenRunReport beyond = report;
    if (!follow(there.t + 1e-3 * moment_ + 1e3 * shortest_, beyond) && beyond.stop != RunStop::undetermined) {
      report = beyond;
      return false;
    }
    stand(there, A_there);
    return true;
  }

  /// Whether its velocities and accelerations are those of one that has hardly moved since it came to rest: they have no
  /// digits where a driver asks for more than a hair and the bodies are not there.
  bool lies_at_rest() const {
    const double since = std::max(state_.t - rest_->t, moment_);
    double way = speed_of(state_, size_) * since;
    for (const Motion<double>& a : A_)
      way = std::max({way, norm(a.w) * since * since, norm(a.v) / size_ * since * since});
    return way <= 1e3 * hair;
  }

  /// A row later the driver asks for what is out of reach, or bodies may have gone one way or another.
  bool leaves_rest(DrivenRunReport& report) const { return why_.blocked(state_, "", report, 1e3 * moment_); }

  enum class Way { gone_on, singular, stopped };

  /// One step, halved until it can be made, or until a singular position is all that is between here and there.
  Way step_towards(double t, DrivenRunReport& report) {
    for (double h = t - state_.t;; h /= 2) {
      if (steps_left_ <= 0) return too_fast(report);
      if (creeps_on_pole(t, report)) return Way::stopped;
      const Step done = step(h, report);
      if (done == Step::taken) return Way::gone_on;
      // who goes there and back within a step has gone; at rest velocities have no digits to tell it by
      if (done == Step::divided && ((rest_ ? moved_ : std::max(moved_, extent(h))) <= hair || h <= shortest_)) {
        const double det = watch_->determinant(next_);
        singular_at_ = state_.t + (det < 0 ? h / (1 - det) : h);
        return Way::singular;
      }
      if (h > shortest_) continue;
      if (why_.ended(guess_, report)) return Way::stopped;
      if (done == Step::too_long) {
        // upon a singular position velocities without digits look fast
        if (!(watch_->clearance() < near_it)) return too_fast(report);
        leaves_rest(report);
        return Way::stopped;
      }
      if (!why_.jumps(state_, 1e3 * shortest_, report)) why_.blocked(state_, unclosed_, report);
      return Way::stopped;
    }
  }

  /// Whether all steps that are left would be spent upon a pole of a profile: looked at when many are.
  bool creeps_on_pole(double t, DrivenRunReport& report) {
    constexpr int look_every = 500;
    if (steps_left_ == most_steps || steps_left_ % look_every != 0) return false;
    const MechanismState there = ahead(t - state_.t);
    return why_.at_pole(state_, report, &there, 2 * longest * steps_left_);
  }

  Way too_fast(DrivenRunReport& report) const {
    why_.too_fast(state_, most_steps - steps_left_, report);
    return Way::stopped;
  }

  bool stopped(DrivenRunReport& report) const {
    return !why_.ended(state_, report) && why_.blocked(state_, unclosed_, report);
  }

  enum class Step { taken, refused, too_long, divided };  // divided: from there by a singular position

  /// So far along velocities and accelerations.
  MechanismState ahead(double h) {
    MechanismState there = state_;
    there.t += h;
    for (std::size_t b = 0; b < way_.size(); ++b) {
      BodyState& s = there.bodies[b];
      way_[b] = way_of(b, h);
      s.w += A_[b].w * h, s.v += A_[b].v * h;
    }
    displace(there, way_);
    return there;
  }

  Motion<double> way_of(std::size_t b, double h) const {
    const BodyState& s = state_.bodies[b];
    return {s.w * h + A_[b].w * (h * h / 2), s.v * h + A_[b].v * (h * h / 2)};
  }

  /// How far from here it gets on such a step, wherever that ends.
  double extent(double h) const {
    double most = 0;
    for (std::size_t b = 0; b < way_.size(); ++b)
      for (const double part : {0.25, 0.5, 0.75, 1.0}) {
        const Motion<double> x = way_of(b, part * h);
        most = std::max({most, norm(x.w), norm(x.v) / size_});
      }
    return most;
  }

  /// Whether the branch is the same there, and all the way: two branches may touch, and part again.
  bool on_branch(double h) {
    for (const double part : {0.25, 0.5, 0.75})
      if (!watch_->goes_on(ahead(part * h))) return false;
    return watch_->goes_on(next_);
  }

  /// `across`: also over a branch point, straight on.
  Step step(double h, DrivenRunReport& report, bool across = false) {
    guess_ = ahead(h);
    double gone = 0;
    for (const Motion<double>& way : way_) gone = std::max({gone, norm(way.w), norm(way.v) / size_});
    if (!(gone <= longest)) return Step::too_long;
    next_ = guess_;
    const AssemblyReport closed = close(next_);
    closed_ = closed.closed;
    ++report.steps;
    --steps_left_;
    // a mend that is no longer small beside the way is a jump, or the edge of what can be reached
    const double mended = apart(next_, guess_, size_);
    if (!closed.closed || mended > (across ? 0.2 * extent(h) : 0.2 * gone + 1e-5)) {
      report.block = closed.block;
      report.gap = std::max(closed.gap, mended);
      return Step::refused;
    }
    moved_ = apart(next_, state_, size_);
    if (!across && !on_branch(h)) return Step::divided;
    if (!rates(next_, A_next_, report)) {
      watch_->stand(state_);
      return Step::divided;
    }
    report.worst_gap = std::max(report.worst_gap, closed.gap);
    gap_ = closed.gap;
    std::swap(state_, next_), std::swap(A_, A_next_);
    return Step::taken;
  }

  struct Past {
    MechanismState state;
    std::vector<Motion<double>> A;
  };

  /// Keeps what was passed last, as far back as a bridge may begin.
  void remember() {
    past_.push_back({state_, A_});
    // by how fast it is now: where it started from rest, a bridge would have had no end
    while (past_.size() > 2 && state_.t - past_[1].state.t > 3 * node_distance(state_)) past_.pop_front();
  }

  /// Seconds between the nodes of a bridge: far enough from the branch point for velocities and accelerations to keep their
  /// digits, near enough for the polynomial.
  double node_distance(const MechanismState& state) const {
    constexpr double way = 0.02;
    const double speed = speed_of(state, size_);
    return speed > 0 ? way / speed : infinity;
  }

  /// Passes a branch point in one long step, straight on. None: that cannot be done, or it is none. It stands where it stood.
  std::optional<BranchBridge> bridge_over(double branch, const DrivenRunReport& report) {
    const MechanismState here = state_, there = next_;
    const std::vector<Motion<double>> A_here = A_;
    const double gap_here = gap_, moved = moved_;
    const bool closed = closed_;
    std::optional<BranchBridge> over = try_bridge(branch, report);
    stand(here, A_here);
    next_ = there, gap_ = gap_here, moved_ = moved, closed_ = closed;
    return over;
  }

  std::optional<BranchBridge> try_bridge(double branch, DrivenRunReport tried) {
    const auto begins_before = [&](const Past& past) {
      return past.state.t <= branch - 2.5 * node_distance(past.state);
    };
    const auto last = std::find_if(past_.rbegin(), past_.rend(), begins_before);
    const Past& from = last == past_.rend() ? past_.front() : *last;
    const double d = std::min(node_distance(from.state), (branch - from.state.t) / 2.6);
    if (!(d > shortest_)) return std::nullopt;
    stand(from.state, from.A);
    BranchBridge over;
    for (std::size_t k = 0; k < BranchBridge::count; ++k) {
      const double t = branch + d * (static_cast<double>(k) - 2.5);
      const bool across = k == BranchBridge::count / 2;
      while (t - state_.t > 1e-6 * d)
        if (across ? step(t - state_.t, tried, true) != Step::taken : !step_within(t, 1e-3 * d, tried))
          return std::nullopt;
      over.states[k] = state_, over.A[k] = A_;
    }
    watch_->stand(over.states.front());
    for (std::size_t k = 0; k < BranchBridge::count; ++k) over.det[k] = watch_->determinant(over.states[k]);
    // what is beyond the end of its reach is no branch point, however short it is
    const double when = over.when();
    for (const double part : {-0.3, -0.1, -0.03, -0.003, 0.0, 0.003, 0.03, 0.1, 0.3}) {
      over.read(when + part * d, next_, A_next_);
      const AssemblyReport on_it = assembly_.positions(next_);
      if (!on_it.closed || on_it.singular) return std::nullopt;
    }
    return over;
  }

  /// A step of at least so many seconds.
  bool step_within(double t, double least, DrivenRunReport& report) {
    for (double h = t - state_.t; steps_left_ > 0; h /= 2) {
      if (step(h, report) == Step::taken) return true;
      if (h <= least) return false;
    }
    return false;
  }

  const Mechanism& mechanism_;
  MechanismState& state_;
  Assembly assembly_;
  std::optional<BranchWatch> watch_;
  std::vector<Motion<double>> A_, A_next_, way_;
  MechanismState guess_, next_;
  std::deque<Past> past_;
  std::optional<BranchBridge> bridge_;  // instants on it are read off it
  std::optional<MechanismState> rest_;  // upon a singular position
  double size_, shortest_, moment_;     // s: of a step; a little later
  DrivenStop why_;
  static constexpr int most_steps = 20000;  // from one instant to the next
  int steps_left_ = most_steps;
  // of the last step
  bool closed_ = false;
  double moved_ = 0, singular_at_ = 0, gap_ = 0;
  std::string unclosed_;  // what had no solution: velocities, accelerations
};

}  // namespace torsor::detail
