#include "torsor/mechanism/forward_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "torsor/how_many.hpp"
#include "torsor/mechanism/branch_leap.hpp"
#include "torsor/mechanism/branch_watch.hpp"
#include "torsor/mechanism/coordinate_partition.hpp"
#include "torsor/mechanism/force_switches.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/function_check.hpp"
#include "torsor/mechanism/impulse_step.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/mechanism/newton_blocks.hpp"
#include "torsor/mechanism/packed_state.hpp"
#include "torsor/mechanism/singular_crossing.hpp"
#include "torsor/mechanism/singular_passage.hpp"
#include "torsor/mechanism/stage_projection.hpp"
#include "torsor/mechanism/start.hpp"
#include "torsor/mechanism/step_budget.hpp"
#include "torsor/numeric/switch_search.hpp"
#include "torsor/trajectory/resolved_time.hpp"

namespace torsor {
namespace {

constexpr const char* friction_needs =
    "dry friction is not for semi-implicit nor for the partitioned formulation: take another integrator, and the "
    "augmented one";

constexpr double most_made_up = 1;     // what the balance may miss, of all energy and work so far
constexpr double least_energy = 1e-9;  // of the mechanism's own: less is rounding

/// One run: the right side, the projection, the accounts.
class ForwardRun {
 public:
  ForwardRun(const Mechanism& m, MechanismState& state, const ForwardRunRules& rules)
      : m_(m),
        state_(state),
        trial_(state),
        rules_(rules),
        assembly_(m, EquationSet::all),
        forward_(m, assembly_.motion()),
        size_(size_of(m)),
        units_(own_units(m, rules.interval)),
        drivers_(m, state.t, rules.time / 10),
        A_(state.bodies.size()),
        y_(packed_per_body * state.bodies.size() + 1),
        recent_(3e-5 * units_.time),
        switches_(m, units_),
        functions_(functions_of(m.description), state.t, state.t + rules.time) {}

  ForwardRunReport go(const std::function<bool(const ForwardInstant&)>& at_instant) {
    const IntegratorRow* const method = find_integrator(rules_.integrator);
    if (!method) return stop(RunStop::start, fmt::format("there is no integrator \"{}\"", rules_.integrator));
    if (!start()) return report_;
    const std::unique_ptr<Integrator> integrator = make_integrator(*method);
    search_.resize(switches_.count());
    if (!search_.empty()) switches_.look(state_, forward_, search_.at_start());
    const double t0 = state_.t, t_end = t0 + rules_.time;
    const auto slope = [this](double t, std::span<const double> y, std::span<double> dy) { slope_at(t, y, dy); };
    const Slope f(slope);

    if (!report(at_instant)) return stop_by_caller();
    for (long k = 1; report_.t < t_end; ++k) {
      const double target = std::min(t_end, t0 + static_cast<double>(k) * rules_.interval);
      budget_.begin(report_.t, target, report_.count);
      if (turns_beyond(rules_.interval / StepBudget::most))
        return stop_too_fast("no number of steps is enough for that");
      if (!method->adaptive && turns_beyond(rules_.step))
        return stop_too_fast(fmt::format("in steps of {} s", rules_.step));
      // looks along the whole of a driver's function: not of one that is too fast anyway
      if (!leaps_) leaps_.emplace(m_, state_, rules_.time, rules_.interval);
      // a remainder that is rounding is no step
      while (target - state_.t > 1e-9 * rules_.interval) {
        if (leapt_ = leaps_->upon(state_.t); leapt_) {
          if (!leap(target)) return report_;
          integrator->restart();
          continue;
        }
        double t = state_.t;
        recent_.remember(t, y_);
        y_start_ = y_;
        const double until = functions_.until(state_.t, leaps_->until(target));
        // a remainder that is rounding is no step here, either
        if (until < target && until - state_.t < 1e-13 * (std::fabs(state_.t) + rules_.interval)) {
          state_.t = until;
          continue;
        }
        // where a function jumps the step still has what was before
        const bool jumps = functions_.jumps_at(until);
        latest_ = jumps ? before_jump(until) : until;
        const StepEnd end = integrator->step(f, t, y_, until);
        latest_ = infinity;
        if (end == StepEnd::taken) unsound_.clear();
        report_.count = integrator->count(), report_.estimated_error = integrator->estimated_error();
        const bool creeps = end == StepEnd::taken && method->adaptive && t < target && recent_.creeping(t - state_.t);
        if (creeps && runs_away(t)) return stop_too_fast("no step is short enough for that");
        const double corner = until < target ? until : infinity;
        if (creeps) cross(f, t, corner);
        if (method->adaptive && budget_.spent(t, report_.count)) return stop_spent(target);
        if (end != StepEnd::taken && !(method->adaptive && cross(f, t, corner))) return stop_at(end);
        const bool whole = end == StepEnd::taken && !creeps;
        const std::optional<int> event =
            whole && !search_.empty() ? find_event(*integrator, *method, f, t) : std::nullopt;
        if (!project(t)) return report_;
        if (event || (!whole && !search_.empty())) {
          if (!happen(event)) return report_;
          if (event) recent_.begin_anew();
          integrator->restart();
          continue;
        }
        if (t == until && until < target) recent_.begin_anew();
        if (jumps && t == until) integrator->restart();
        // a change that is no more than the error allowed leaves what the method remembers true enough; to forget it at
        // every step would mean to look for a first step at every step. What implicit methods remember they begin to search with
        if ((changed_ > rules_.tolerance && !method->implicit) || creeps || end != StepEnd::taken)
          integrator->restart();
      }
      if (state_.t - target > 1e-9 * rules_.interval) {  // a crossing went past it
        const std::vector<double> y_ahead = y_;
        const MechanismState ahead = state_;
        y_ = on_crossing(target);
        if (!project(target)) return report_;
        if (!report(at_instant)) return stop_by_caller();
        if (target < t_end) y_ = y_ahead, state_ = ahead;
        continue;
      }
      state_.t = target;
      if (!report(at_instant)) return stop_by_caller();
    }
    stop(RunStop::none, "");
    report_.finished = true;
    return report_;
  }

 private:
  const Mechanism& m_;
  MechanismState& state_;
  MechanismState trial_, stood_, came_;  // before a step; after it, not yet brought back onto the equations
  const ForwardRunRules& rules_;
  Assembly assembly_;
  MechanismForward forward_;  // with the factors of the assembly
  double size_;
  OwnUnits units_;
  DriverWatch drivers_;
  std::vector<Motion<double>> A_;
  std::vector<double> y_, packed_;  // bodies, then the work done
  ForwardRunReport report_;
  double energy_at_start_ = 0, potential_at_start_ = 0, gap_ = 0;
  double speed_ = 0, changed_ = 0;  // at the last instant; by the last projection, largest entry of y
  bool project_stages_ = false, redundant_ = false;
  bool locked_ = false, leapt_ = false;  // leapt: it stands where a leap has brought it
  std::string unsound_;                  // whose function was no number when last looked at
  std::optional<CoordinatePartition> partition_;
  StepBudget budget_;
  RecentStates recent_;
  SingularCrossing crossing_;  // the last one
  std::vector<double> crossing_times_;
  std::optional<SingularPassages> passages_;
  std::optional<BranchLeaps> leaps_;
  ForceSwitches switches_;
  SwitchSearch search_;
  ResolvedTime functions_;
  double latest_ = infinity;                // functions of time are asked for instants up to there
  std::vector<double> y_start_, y_inside_;  // of a step
  MechanismState looked_;
  long events_then_ = 0;  // at the last instant
  int at_once_ = 0;       // events that have come without time going on
  double happened_ = -infinity;

  /// What a step of any method must see: what prescribes motion, and what pushes.
  static std::vector<const TimeFunction*> functions_of(const MechanismDescription& d) {
    std::vector<const TimeFunction*> all;
    for (const MechanismDriver& each : d.drivers) all.push_back(&each.function);
    for (const MechanismCarrier& each : d.carriers) {
      for (const TimeFunction& f : each.position) all.push_back(&f);
      for (const MechanismCarrier::Turn& turn : each.turns) all.push_back(&turn.angle);
    }
    for (const MechanismActuator& each : d.actuators) all.push_back(&each.effort);
    for (const MechanismSpring& each : d.springs) all.push_back(&each.effort);
    for (const MechanismForce& each : d.forces)
      for (const auto* three : {&each.force, &each.moment})
        for (const TimeFunction& f : *three) all.push_back(&f);
    return all;
  }

  /// The switches at t of y.
  void look(double t, std::span<const double> y, std::span<double> g) {
    looked_.t = t;
    unpack_state(y, units_, looked_);
    looked_.angles = state_.angles;
    switches_.look(looked_, forward_, g);
  }

  /// The first switch that passes zero in the last step; the step then ends there.
  std::optional<int> find_event(Integrator& integrator, const IntegratorRow& method, const Slope& f, double& t) {
    looked_ = state_;
    y_inside_.resize(y_.size());
    const auto inside = [&](double at, std::span<double> g) {
      if (at == t) return look(at, y_, g);
      integrator.inside(f, at, y_inside_);
      look(at, y_inside_, g);
    };
    const auto passed =
        search_.first({state_.t, t, integrator.inside_degree(), false, static_cast<int>(switches_.one_sided())}, inside,
                      [](int) { return false; });
    if (!passed) return std::nullopt;
    double when = passed->t;
    const bool again =
        (method.implicit || rules_.integrator == "semi-implicit") && when - state_.t > 1e-6 * (t - state_.t);
    if (!again || !take_again(integrator, f, passed->which, when)) {
      integrator.inside(f, passed->t, y_inside_);
      y_ = y_inside_;
      when = passed->t;
    }
    integrator.cut(f, when, y_);
    t = when;
    return passed->which;
  }

  /// The step once more, to the event: the inside of some methods is not as good as their steps, so that it is looked for at
  /// ends of steps.
  bool take_again(Integrator& integrator, const Slope& f, int which, double& when) {
    std::vector<double> g(switches_.count());
    const double t0 = state_.t;
    for (int round = 0; round < 4; ++round) {
      y_ = y_start_;
      integrator.restart();
      for (double t = t0; t < when;)
        if (integrator.step(f, t, y_, when) != StepEnd::taken) return false;
      if (round == 3) break;
      look(when, y_, g);
      const double here = g[static_cast<std::size_t>(which)], apart = 1e-3 * (when - t0);
      integrator.inside(f, when - apart, y_inside_);
      look(when - apart, y_inside_, g);
      const double by = -here * apart / (here - g[static_cast<std::size_t>(which)]);
      if (!(std::fabs(by) < 0.1 * (when - t0))) return true;
      if (std::fabs(by) <= 1e-15 * std::max(std::fabs(when), when - t0)) return true;
      when += by;
    }
    return true;
  }

  /// A switch has passed zero where the run stands, or modes are to be found anew.
  bool happen(const std::optional<int>& which) {
    if (which)
      switches_.happen(*which, state_, forward_, report_.events);
    else
      switches_.begin(state_, forward_, report_.events);
    trial_.modes = state_.modes;
    pack_state(state_, units_, y_);
    switches_.look(state_, forward_, search_.at_start());
    constexpr long most_events = 100'000;  // from one instant to the next
    constexpr int most_at_once = 1000;     // without getting on
    constexpr double on = 1e-9;            // of a step
    at_once_ = state_.t - happened_ < on * rules_.step ? at_once_ + 1 : 0;
    happened_ = state_.t;
    if (at_once_ > most_at_once)
      return fail(RunStop::no_step,
                  fmt::format("stops and friction changed {} times at {:.9g} s", at_once_, happened_));
    if (static_cast<long>(report_.events.size()) - events_then_ < most_events) return true;
    return fail(RunStop::no_step,
                fmt::format("stops and friction changed {} times since the last instant", most_events));
  }

  std::string name_of(int block) const { return m_.block_name(m_.blocks[static_cast<std::size_t>(block)]); }

  /// Methods that mechanisms bring something of their own to.
  std::unique_ptr<Integrator> make_integrator(const IntegratorRow& method) {
    const StepRules steps{rules_.step, rules_.tolerance, rules_.tolerance / 100, 0};
    if (rules_.integrator == "semi-implicit")
      return impulse_steps(m_, assembly_.motion(), state_, units_, redundant_, steps);
    // friction that sticks, and laws, join bodies that the blocks know nothing of
    if (rules_.integrator == "radau" && m_.description.frictions.empty() && m_.description.laws.empty())
      return radau(y_.size(), steps, newton_blocks(m_, state_, units_, redundant_));
    return method.make(y_.size(), steps);
  }

  /// The integrator came no further.
  ForwardRunReport stop_at(StepEnd end) {
    if (!unsound_.empty()) return stop_at_function();
    const bool adaptive = find_integrator(rules_.integrator)->adaptive;
    if (runs_away(state_.t) || (!adaptive && turns_beyond(rules_.step)))
      return stop_too_fast("no step is short enough for that");
    if (locks(adaptive ? 1e-3 * rules_.interval : rules_.step)) return report_;
    // stages of a step that is far too long contradict each other as well
    const AssemblyReport asked = locked_ ? assembly_.accelerations(state_, A_) : AssemblyReport{};
    if (asked.block >= 0 && (adaptive || !driving_functions(m_).empty()))
      return stop_locked(asked.block, "an acceleration", asked.gap,
                         name_of(asked.block) + " asks for accelerations that no forces can give it");
    std::string why = end == StepEnd::too_small    ? "no step is short enough for the error allowed"
                      : end == StepEnd::not_finite ? "within the next step accelerations are no longer numbers"
                                                   : "the implicit method finds no solution, however short the step";
    forward_.accelerations(state_, A_);
    report_.block = forward_.most_loaded_block();
    if (report_.block >= 0) why += fmt::format("; {} bears most", name_of(report_.block));
    // all is well where it stands: the method is not made for it
    const bool stiff = (!adaptive || end == StepEnd::no_convergence) && rules_.integrator != "radau" && all_numbers();
    return stop(stiff ? RunStop::too_stiff : RunStop::no_step, why);
  }

  /// Whether the drivers ask for what cannot be closed so many seconds later; then that is the end.
  bool locks(double moment) {
    if (const std::string pole = profile_pole(m_, state_); !pole.empty()) return !fail(RunStop::function_ends, pole);
    const auto lock = lock_ahead(m_, state_, moment);
    if (!lock) return false;
    stop_locked(lock->block, "a position", lock->gap, why_locked(m_, *lock));
    return true;
  }

  /// No motion goes on from here: because of drivers that are too many, or for good.
  ForwardRunReport stop_locked(int block, const char* asked, double gap, const std::string& why) {
    report_.block = block;
    const std::vector<int> fighting = drivers_too_many(m_, beside(m_, state_));
    if (fighting.empty()) return stop(RunStop::locked, "it locks: " + why);
    report_.block = fighting.back();
    return stop(RunStop::drivers_fight, "it " + drivers_fight(m_, fighting, asked, gap));
  }

  ForwardRunReport stop_too_fast(const std::string& but) {
    const FastestDriver fastest = fastest_driver(m_, state_.t);
    if (fastest.name.empty()) return stop(RunStop::no_step, but);
    return stop(RunStop::driver_too_fast,
                fmt::format("{} asks for {:.3g} {}/s: {}", fastest.name, fastest.rate, fastest.unit, but));
  }

  /// Steps have become too short to reach the next instant: for a driver, or for where it stands.
  ForwardRunReport stop_spent(double target) {
    if (const std::string pole = profile_pole(m_, state_); !pole.empty()) return stop(RunStop::function_ends, pole);
    const std::string but = fmt::format("{} steps since the last instant have not reached the next, at {:.6g} s",
                                        budget_.steps(report_.count), target);
    if (fastest_rate(m_, state_.t, target) * rules_.interval > 100) return stop_too_fast(but);  // rad or sizes
    return stop(RunStop::no_step, stands_singular(m_, state_) ? but + ", and it stands upon a singular position" : but);
  }

  /// Whether a driver turns so far in a step that turns cannot be told from one another.
  bool turns_beyond(double step) const { return fastest_driver(m_, state_.t).share * step > 1.5; }

  /// Whether a driver goes where no step follows it: upon a pole of its function.
  bool runs_away(double t) const {
    return fastest_driver(m_, t).share * rules_.interval > 1e4;  // rad or sizes, from one instant to the next
  }

  /// An instant was refused, by whom it was reported to or because it has no numbers.
  ForwardRunReport stop_by_caller() {
    if (report_.stop != RunStop::none) return report_;
    if (unsound_.empty())
      return all_numbers() ? stop(RunStop::by_caller, "")
                           : stop(RunStop::no_step, "accelerations are no longer numbers");
    return stop_at_function();
  }

  ForwardRunReport stop_at_function() {
    const std::string pole = profile_pole(m_, state_),
                      ends = fmt::format("the function of {} is no longer a number", unsound_);
    return stop(RunStop::function_ends, pole.empty() ? ends : pole);
  }

  ForwardRunReport stop(RunStop reason, std::string why) {
    report_.t = state_.t, report_.stop = reason;
    report_.why = std::move(why);
    report_.jumps = drivers_.jumps();
    if (leaps_) crossing_times_.insert(crossing_times_.end(), leaps_->passed().begin(), leaps_->passed().end());
    report_.singular_times =
        all_passages(passages_ ? passages_->times() : std::vector<double>(), crossing_times_, 1e-2 * units_.time);
    return report_;
  }

  bool fail(RunStop reason, std::string why) { return stop(reason, std::move(why)).finished; }

  /// Assembles, and finds out whether equations depend on one another.
  bool start() {
    const MechanismState given = state_;
    const AssemblyReport positions = assembly_.from_guess(state_);
    if (!positions.closed) {
      report_.block = std::max(positions.block, 0);
      return fail(RunStop::start,
                  fmt::format("{} does not close: {:.3g} m or rad are missing after {}", name_of(report_.block),
                              positions.gap, how_many(positions.rounds, "round")));
    }
    // where the rank would take too long to find they may
    const MobilityReport& mobile = report_.equations.emplace(mobility(m_, state_, EquationSet::all));
    redundant_ = mobile.too_large || mobile.redundant > 0;
    assembly_.expect_redundancy(redundant_);
    const AssemblyReport rates = start_velocities(m_, assembly_, state_);
    if (!rates.closed) report_.block = std::max(rates.block, 0);
    if (std::string lost = lost_velocities(m_, given, state_, rates.closed); !lost.empty())
      return fail(RunStop::start, std::move(lost));
    if (!rates.closed)
      return fail(RunStop::start, name_of(report_.block) + " asks for velocities that contradict the other equations");
    if (driven_from_singular(m_, state_, assembly_.positions(state_))) return fail(RunStop::start, singular_start);
    report_.start = start_velocity(m_, given, state_);
    if (!m_.description.frictions.empty() &&
        (rules_.integrator == "semi-implicit" || rules_.formulation == MechanismFormulation::partitioned))
      return fail(RunStop::start, friction_needs);
    if (switches_.count() > 0) switches_.begin(state_, forward_, report_.events), trial_.modes = state_.modes;
    project_stages_ = rules_.project_stages.value_or(mobile.redundant > 0 && stages_need_projection(m_, state_));
    pack_state(state_, units_, y_);
    if (!forward_.accelerations(state_, A_))
      return fail(RunStop::start, "a body without inertia is free to move: give it some");
    if (rules_.formulation == MechanismFormulation::partitioned) {
      partition_.emplace(m_, state_);
      if (!partition_->accelerations(state_, A_))
        return fail(
            RunStop::start,
            "no coordinates are independent here, or some have no inertia: the augmented formulation bears that");
    }
    energy_at_start_ = forward_.energy().energy(), potential_at_start_ = forward_.energy().potential;
    gap_ = positions.gap;
    if (rules_.watch_singular) passages_.emplace(m_, state_);
    return true;
  }

  void slope_at(double t, std::span<const double> y, std::span<double> dy) {
    trial_.t = std::min(t, latest_);
    unpack_state(y, units_, trial_);
    trial_.angles = state_.angles;
    if (!accelerate()) {
      // where a function has ended nothing is locked
      unsound_ = unsound_function(m_, trial_);
      locked_ = unsound_.empty();
      std::fill(dy.begin(), dy.end(), std::nan(""));
      return;
    }
    locked_ = false;
    pack_slope(trial_, y, A_, units_, dy);
    dy.back() = (partition_ ? partition_->energy().power + partition_->driver_power()
                            : forward_.energy().power + forward_.driver_power()) /
                units_.energy;
  }

  /// Accelerations of the trial state, by the formulation of this run.
  bool accelerate() {
    if (partition_)
      return partition_->positions(trial_).closed && partition_->velocities(trial_) &&
             partition_->accelerations(trial_, A_);
    if (project_stages_) assembly_.project(trial_);
    // stages lie near to one another and to where the last step was projected: what was factored there may serve again
    const bool found = forward_.accelerations_near(trial_, A_);
    const double size = std::max(1 / (units_.time * units_.time), reach_of(A_, units_.length));
    return found && forward_.gap() < 1e-6 * size;
  }

  /// Over a singular position that steps creep up to (singular_crossing.hpp); not over a corner of what pushes, within which steps
  /// are short for its sake.
  bool cross(const Slope& f, double& t, double corner) {
    auto over = find_crossing(recent_, f, t, units_.time, [&](double at, const std::vector<double>& y) {
      const double left = balance_at(at, y);
      return std::array{left, std::max(forward_.energy().kinetic, 1e-12 * units_.energy)};
    });
    if (!over || over->t1 > corner) return false;
    crossing_ = *std::move(over);
    y_ = crossing_.y1, t = crossing_.t1;
    ++report_.crossings;
    crossing_times_.push_back((crossing_.t0 + crossing_.t1) / 2);
    recent_.forget();
    return true;
  }

  /// Over a branch point of what is driven, as the drivers say (branch_leap.hpp): what they do there is the change of energy.
  bool leap(double target) {
    const double before = balance_at(state_.t, y_);
    if (const DrivenRunReport& end = leaps_->report(); !leaps_->go(state_, target))
      return state_.t = end.t, report_.block = end.block, fail(end.stop, end.why);
    if (passages_) passages_->look(state_);
    pack_state(state_, units_, y_);
    y_.back() += (balance_at(state_.t, y_) - before) / units_.energy;
    recent_.forget();
    return true;
  }

  std::vector<double> on_crossing(double t) {
    std::vector<double> d0(y_.size()), d1(y_.size());
    slope_at(crossing_.t0, crossing_.y0, d0), slope_at(crossing_.t1, crossing_.y1, d1);
    return crossing_.at(t, d0, d1);
  }

  /// Energy less work of y.
  double balance_at(double t, const std::vector<double>& y) {
    trial_.t = t;
    unpack_state(y, units_, trial_);
    trial_.angles = state_.angles;
    forward_.accelerations(trial_, A_);
    return forward_.energy().energy() - y.back() * units_.energy;
  }

  bool all_numbers() const {
    double sum = forward_.energy().energy();
    for (const Motion<double>& a : A_) sum += dot(a.w, a.w) + dot(a.v, a.v);
    return std::isfinite(sum);
  }

  /// After a step: the state of y, brought back onto the equations.
  bool project(double t) {
    stood_ = state_;
    state_.t = t;
    unpack_state(y_, units_, state_);
    if (partition_ && partition_->refresh(state_)) partition_->positions(state_), partition_->velocities(state_);
    came_ = state_;
    const auto [positions, rates] = assembly_.project(state_);
    report_.worst_drift = std::max(report_.worst_drift, positions.before);
    if (!positions.closed) {
      unsound_ = unsound_function(m_, state_);
      if (!unsound_.empty()) return stop_at_function().finished;
      report_.block = std::max(positions.block, 0);
      const std::string why =
          fmt::format("{} can no longer be closed: {:.3g} m or rad are missing", name_of(report_.block), positions.gap);
      const bool blown_up = positions.before > size_;  // by one step: it is too long for what moves it
      if (blown_up && turns_beyond(rules_.step)) return stop_too_fast("a step is too long for that").finished;
      if (blown_up) return fail(RunStop::too_stiff, why);
      if (driving_functions(m_).empty()) return fail(RunStop::no_step, why);
      // who it is does not depend on how far beyond it the step came
      std::swap(state_, stood_);
      if (locks(t - state_.t)) return false;
      return stop_locked(report_.block, "a position", positions.gap, why).finished;
    }
    if (turned_over(m_, came_, state_, report_.t, units_.time))
      return !locks(t - stood_.t) && fail(RunStop::undetermined, turned_over_words);
    if (switches_.count() > 0) switches_.hold(state_, forward_);
    gap_ = positions.gap;
    report_.worst_gap = std::max(report_.worst_gap, positions.gap);
    report_.worst_rate_gap = std::max(report_.worst_rate_gap, rates.gap);
    if (passages_) passages_->look(state_);
    packed_ = y_;
    pack_state(state_, units_, y_);
    changed_ = 0;
    for (std::size_t k = 0; k < y_.size(); ++k) changed_ = std::max(changed_, std::fabs(y_[k] - packed_[k]));
    return true;
  }

  bool report(const std::function<bool(const ForwardInstant&)>& at_instant) {
    events_then_ = static_cast<long>(report_.events.size());
    forward_.accelerations(state_, A_);
    const bool known = !leapt_ || leaps_->forces_known(A_);
    if (leapt_) std::ranges::copy(leaps_->A(), A_.begin());
    if (!all_numbers()) {  // this instant has none to report
      unsound_ = unsound_function(m_, state_);
      return false;
    }
    drivers_.look(state_.t);
    for (const DriverJump& jump : drivers_.jumps())
      if (jump.of_value) {
        fail(RunStop::driver_jumps, fmt::format("the value of {} jumps by {:.3g} {}", jump.name, jump.by, jump.unit));
        report_.t = jump.t;
        return false;
      }
    // upon the very end of what can be reached velocities have no bounds, and are none to be told
    const double speed = speed_of(state_, size_);
    if (speed_ > 0 && speed > 10 * speed_ && locks(1e-3 * rules_.interval)) return false;
    speed_ = speed;
    const MechanismEnergy& e = forward_.energy();
    const double work = y_.back() * units_.energy, error = e.energy() - work - energy_at_start_;
    const double had = energy_at_start_ - potential_at_start_ + std::max(potential_at_start_ - e.potential, 0.0) +
                       std::fabs(work) + least_energy * units_.energy;
    report_.energy_had = std::max(report_.energy_had, had);
    if (std::fabs(error) > most_made_up * report_.energy_had)
      return fail(RunStop::energy_made_up,
                  fmt::format("the motion has {:.3g} J that come from nowhere, where {:.3g} J is what there was and was "
                              "done: steps are too long for it",
                              error, report_.energy_had));
    report_.worst_energy_error = std::max(report_.worst_energy_error, std::fabs(error));
    report_.largest_energy =
        std::max({report_.largest_energy, e.kinetic, std::fabs(e.potential - potential_at_start_)});
    report_.t = state_.t;
    return at_instant({state_, A_, forward_, work, error, gap_, known});
  }
};

}  // namespace

ForwardRunReport run_forward(const Mechanism& m, MechanismState& state, const ForwardRunRules& rules,
                             const std::function<bool(const ForwardInstant&)>& at_instant) {
  ForwardRunReport report = ForwardRun(m, state, rules).go(at_instant);
  if (report.block >= 0) report.stopped_by = m.block_name(m.blocks[static_cast<std::size_t>(report.block)]);
  return report;
}

}  // namespace torsor
