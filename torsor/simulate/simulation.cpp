#include "torsor/simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/model/unit_quaternions.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/first_dip.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

constexpr int least_degree = 3;                     // of the polynomial that stands for a switch in a step
constexpr int most_looks = highest_dip_degree + 1;  // places in a step at which events are looked for
constexpr int most_halvings = 4;                    // of a step in which a switch that is no polynomial comes near zero
constexpr int many_short = 50;      // steps below the shortest in a row that are taken for chatter
constexpr long most_coarse = 4096;  // steps at the shortest before a finer one is tried again
constexpr double most_made_up = 4;  // what the balance may miss, of all energy and work so far

/// Times closer than this are one.
double hardly(double t) { return 64 * std::numeric_limits<double>::epsilon() * std::abs(t); }

/// Whether the energy at an instant can have come from what there was at the start and what was done since.
bool believable(const Account& now, const Account& start) {
  double had = start.kinetic + std::abs(now.potential - start.potential) + 1e-9 * std::abs(start.potential);
  for (const double work : {now.effort_work, now.friction_loss, now.surroundings_work, now.stop_work})
    had += std::abs(work);
  return !(std::abs(now.balance_error) > most_made_up * had);
}

StepRules coarse_rules(const SimulationRules& rules) {
  StepRules steps = rules.steps;
  steps.step = rules.shortest;
  return steps;
}

}  // namespace

Simulation::Simulation(const Model<double>& model, const SimulationRules& rules)
    : model_(model), rules_(rules), plant_(model_, rules_) {
  TORSOR_EXPECT(check(model, rules).empty());
  integrator_ = find_integrator(rules_.integrator)->make(plant_.size(), rules_.steps);
  coarse_ = runge_kutta_4(plant_.size(), coarse_rules(rules_));
  last_ = integrator_.get();
  y_.resize(plant_.size());
  inside_.resize(plant_.size());
  shown_q_.resize(static_cast<std::size_t>(model.nq));
  modes_.resize(plant_.dry.coordinates().size());
  const SampleAndHold& sampling = rules_.sampling;
  if (sampling.period > 0)
    ring_.assign(2 + static_cast<std::size_t>(std::ceil(sampling.delay / sampling.period)),
                 {0, std::vector<double>(static_cast<std::size_t>(model.nv))});
}

Errors Simulation::start(double t, std::span<const double> q, std::span<const double> qd) {
  TORSOR_EXPECT(q.size() == static_cast<std::size_t>(model_.nq) && qd.size() == static_cast<std::size_t>(model_.nv));
  Errors errors;
  const auto fault = [&errors](std::string offender, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), "start", std::move(what), std::move(remedy)});
  };
  for (int k = 0; k < model_.nq; ++k)
    if (!std::isfinite(q[k])) fault(fmt::format("position \"{}\"", model_.position_names[k]), "is not a number", "");
  for (int k = 0; k < model_.nv; ++k)
    if (!std::isfinite(qd[k])) fault(fmt::format("velocity \"{}\"", model_.velocity_names[k]), "is not a number", "");
  if (!std::isfinite(t)) fault("time", "is not a number", "");
  if (!errors.empty()) return errors;
  std::copy(q.begin(), q.end(), shown_q_.begin());
  if (const auto bad = normalize_quaternions(model_, shown_q_)) fault("position", bad->what, bad->remedy);
  for (const JointStops::Stop& s : plant_.stops.all())
    if (q[s.q] < s.lower || q[s.q] > s.upper)
      fault(fmt::format("coordinate \"{}\"", model_.velocity_names[s.v]),
            fmt::format("starts at {}, outside its range {} to {}", q[s.q], s.lower, s.upper),
            "start inside, or leave the stops out");
  if (!errors.empty()) return errors;

  plant_.use(nullptr, nullptr);
  plant_.start(shown_q_, qd, y_);
  t_ = start_ = t;
  shown_ = false;
  shown_count_ = sample_ = 0;
  first_ = waiting_ = 0;
  short_ = troubled_ = 0;
  coarse_left_ = coarse_length_ = 0;
  plant_.until(t);
  plant_.clear_faults();
  made_up_ = false;
  start_account_ = {};
  show(t_, y_);
  start_account_ = account_;
  if (plant_.fault().kind == EndKind::singular)
    fault(fmt::format("coordinate \"{}\"", model_.velocity_names[plant_.fault().coordinate]),
          "the mass matrix is singular: it can move, perhaps with others, without moving any mass",
          "give the links it moves mass and inertia, or its motor a rotor");
  return errors;
}

RunEnd Simulation::run(double t_end, EffortInput& input, Surroundings* surroundings, Observer* observer) {
  input_ = &input;
  observer_ = observer;
  plant_.use(rules_.sampling.period > 0 ? nullptr : &input, surroundings);
  g0_.resize(static_cast<std::size_t>(plant_.switches()));
  g1_.resize(g0_.size());
  g_.resize(g0_.size());
  looks_.resize(g0_.size() * most_looks);
  const auto breaks = input.breaks();
  break_ = static_cast<std::size_t>(std::upper_bound(breaks.begin(), breaks.end(), t_) - breaks.begin());

  RunEnd end{EndKind::reached, t_, -1};
  plant_.clear_faults();
  plant_.until(t_);
  sample();
  deliver();
  settle();
  while (end && t_ < t_end) {
    if (plant_.fault().kind != EndKind::reached) {
      end = {plant_.fault().kind, t_, plant_.fault().coordinate};
      break;
    }
    show_passed(true);
    if (made_up_) break;
    const double target = next_target(t_end, breaks), before = t_;
    if (target - t_ > hardly(t_)) {
      // what the input does at the target belongs to the next step
      plant_.until(std::nextafter(target, t_));
      if (const StepEnd taken = step(target); taken != StepEnd::taken) {
        end = failure(taken);
        break;
      }
      plant_.normalise(y_);
      plant_.clear_faults();
      const long events = events_;
      if (const auto stopped = find_events(before)) end = *stopped;
      watch_steps(before, target, events != events_);
      show_passed(false);
      if (made_up_) break;
      if (count().steps >= rules_.most_steps) end = {EndKind::too_many_steps, t_, -1};
    } else {
      t_ = target;
    }
    if (t_ < target) continue;
    while (break_ < breaks.size() && breaks[break_] <= t_) ++break_;
    plant_.until(t_);
    sample();
    deliver();
    if (t_ < t_end) settle();
  }
  if (!made_up_ && (!shown_ || shown_t_ != t_)) {
    made_up_ = !show(t_, y_);
    if (observer_ && !made_up_) observer_->instant(*this);
  }
  if (made_up_) return {EndKind::made_up, shown_t_, -1};
  if (end) end.t = t_;
  return end;
}

/// The next instant at which something jumps.
double Simulation::next_target(double t_end, std::span<const double> breaks) {
  double target = t_end;
  if (break_ < breaks.size()) target = std::min(target, breaks[break_]);
  if (rules_.sampling.period > 0) {
    target = std::min(target, start_ + static_cast<double>(sample_) * rules_.sampling.period);
    if (waiting_ > 0) target = std::min(target, ring_[first_].t);
  }
  return target;
}

/// Asks the input, if it is time.
void Simulation::sample() {
  if (!(rules_.sampling.period > 0)) return;
  const double due = start_ + static_cast<double>(sample_) * rules_.sampling.period;
  if (t_ < due - hardly(due)) return;
  Pending& answer = ring_[(first_ + waiting_) % ring_.size()];
  plant_.place(y_);
  input_->effort(t_, plant_.q(), plant_.qd(), answer.tau);
  answer.t = due + rules_.sampling.delay;
  if (sample_ == 0) plant_.hold(answer.tau);
  ++sample_;
  ++waiting_;
}

/// Applies the answers that have arrived.
void Simulation::deliver() {
  for (; waiting_ > 0 && ring_[first_].t <= t_ + hardly(t_); --waiting_) {
    plant_.hold(ring_[first_].tau);
    first_ = (first_ + 1) % ring_.size();
  }
}

/// One step of the method, or at the shortest step where the method would stall.
StepEnd Simulation::step(double target) {
  refused_ = integrator_->count().refused;
  if (coarse_left_ == 0) {
    last_ = integrator_.get();
    const StepEnd end = last_->step(plant_, t_, y_, target);
    if ((end != StepEnd::too_small && end != StepEnd::no_convergence) || !find_integrator(rules_.integrator)->adaptive)
      return end;
    // a jump in the right side: over it at the shortest step
    short_ = troubled_ = many_short;
    watch_steps(t_, target, false);
  }
  if (--coarse_left_ == 0) integrator_->restart();
  last_ = coarse_.get();
  const double before = t_;
  const StepEnd end = last_->step(plant_, t_, y_, target);
  chatter_time_ += t_ - before;
  return end;
}

/// Steps below the shortest again and again, and most of them refused at first, ended by events or far shorter still,
/// are chatter; others may be what a fast motion needs.
void Simulation::watch_steps(double before, double target, bool event) {
  if (last_ == coarse_.get() && coarse_left_ > 0) return;
  const bool is_short = t_ - before < rules_.shortest && target - before >= rules_.shortest;
  if (t_ - before > 10 * rules_.shortest) coarse_length_ = 0;
  if (is_short || short_ >= many_short) {
    ++short_;
    if (event || integrator_->count().refused > refused_ || t_ - before < rules_.shortest / 100) ++troubled_;
  } else {
    short_ = troubled_ = 0;
  }
  if (short_ < many_short) return;
  if (2 * troubled_ >= short_) {
    coarse_length_ = std::clamp(2 * coarse_length_, 16L, most_coarse);
    coarse_left_ = coarse_length_;
    if (coarse_length_ == 16) tell(EventKind::chatters, -1, 0);
  }
  short_ = troubled_ = 0;
}

std::span<double> Simulation::inside(double t) {
  if (t == t_)
    std::copy(y_.begin(), y_.end(), inside_.begin());
  else
    last_->inside(plant_, t, inside_), plant_.normalise(inside_);
  return inside_;
}

/// The switches at an instant of the last step.
void Simulation::look(double t, std::span<double> g) { plant_.switching(t, inside(t), g); }

/// Looks into the last step; if a mode ended in it, the state goes back to there, and the mode changes.
std::optional<RunEnd> Simulation::find_events(double before) {
  if (g0_.empty()) return std::nullopt;
  const int count = static_cast<int>(g0_.size()), one_sided = plant_.one_sided();
  const bool coarse = last_ == coarse_.get();
  const double end = t_;
  // as many looks as the polynomial of the step has freedom, kept for each switch in a row, >= 0 while nothing happens
  const int n = coarse ? 1 : std::clamp(last_->inside_degree(), least_degree, highest_dip_degree);
  for (int look_at = 0; look_at <= n; ++look_at) {
    if (look_at > 0) look(look_at == n ? end : before + (end - before) * look_at / n, g1_);
    const auto& g = look_at == 0 ? g0_ : g1_;
    for (int i = 0; i < count; ++i)
      looks_[cell(i, most_looks, look_at)] = i >= one_sided && g0_[i] < 0 ? -g[i] : g[i];
  }
  int first = -1;
  double when = infinity;
  for (int i = 0; i < count; ++i) {
    const auto values = std::span<const double>(looks_).subspan(cell(i, most_looks, 0), static_cast<std::size_t>(n + 1));
    const auto t = coarse ? (values.back() < 0 ? std::optional(end) : std::nullopt)
                          : passing(i, before, end, values, most_halvings);
    if (t && *t < when) when = *t, first = i;
  }
  if (first < 0) {
    std::swap(g0_, g1_);
    return std::nullopt;
  }
  const auto y = inside(when);
  std::copy(y.begin(), y.end(), y_.begin());
  t_ = when;
  show_passed(false);  // in the modes they were in
  return happen(first);
}

/// When a switch first passes zero in (a, b], with its values there at equal distances, >= 0 while nothing happens. A
/// switch that is no polynomial may pass zero where the polynomial through its values does not quite: it is looked at more
/// closely if that comes near.
std::optional<double> Simulation::passing(int which, double a, double b, std::span<const double> values, int halvings) {
  const int n = static_cast<int>(values.size()) - 1;
  const BernsteinCoefficients form = bernstein(values);
  const double least = *std::min_element(form.begin(), form.begin() + n + 1);
  double margin = 0;
  if (!plant_.follows_state(which)) {
    // the difference of order n
    double choose = 1;
    for (int k = 0; k <= n; choose = choose * (n - k) / (k + 1), ++k)
      margin += ((n - k) % 2 == 0 ? choose : -choose) * values[static_cast<std::size_t>(k)];
    margin = std::abs(margin);
  }
  if (least >= margin) return std::nullopt;

  const double sign = which >= plant_.one_sided() && g0_[which] < 0 ? -1 : 1;
  const auto value = [&](double t) { return look(t, g_), sign * g_[static_cast<std::size_t>(which)]; };
  const auto place = [&](double u) { return u == 1 ? b : a + (b - a) * u; };
  if (const auto dip = first_dip(values)) {
    const double from = place(dip->from), to = place(dip->to), below = value(to);
    if (below < 0) return crossing(which, sign, from, std::max(value(from), 0.0), to, below);
  } else if (margin == 0 && values.back() >= 0) {
    return std::nullopt;
  }
  if (halvings == 0) {
    if (!(values.back() < 0)) return std::nullopt;
    return crossing(which, sign, a, std::max(values.front(), 0.0), b, values.back());
  }
  // the two halves, each with as many looks
  std::array<double, most_looks> finer{};
  for (const double from : {a, (a + b) / 2}) {
    const double to = from == a ? (a + b) / 2 : b;
    for (int k = 0; k <= n; ++k)
      finer[static_cast<std::size_t>(k)] = value(k == n ? to : from + (to - from) * k / n);
    finer[0] = std::max(finer[0], 0.0);
    const std::span<const double> looked(finer.data(), static_cast<std::size_t>(n + 1));
    if (const auto t = passing(which, from, to, looked, halvings - 1)) return t;
  }
  return std::nullopt;
}

/// The end of the shortest bracket of a change from sign g >= 0 to sign g < 0 in (a, b]: false position, kept inside, with
/// halving.
double Simulation::crossing(int which, double sign, double a, double ga, double b, double gb) {
  const double scale = std::max(std::abs(b), b - a);
  for (int k = 0; k < 200 && b - a > 2 * std::numeric_limits<double>::epsilon() * scale; ++k) {
    const double part = k % 3 == 2 || ga == gb ? 0.5 : std::clamp(ga / (ga - gb), 1e-3, 1 - 1e-3);
    const double c = a + (b - a) * part;
    if (!(c > a && c < b)) break;
    look(c, g_);
    const double g = sign * g_[static_cast<std::size_t>(which)];
    (g >= 0 ? a : b) = c;
    (g >= 0 ? ga : gb) = g;
  }
  return b;
}

/// The mode behind one of the switches has ended.
std::optional<RunEnd> Simulation::happen(int which) {
  const int dry = 2 * static_cast<int>(plant_.dry.coordinates().size());
  if (which < dry) {
    if (plant_.dry.mode(which / 2) != 0) plant_.stop(plant_.dry.coordinates()[which / 2], y_);
  } else if (which < plant_.one_sided()) {
    JointStops::Stop& s = plant_.stops.all()[(which - dry) / 2];
    const bool touches = s.side == 0;
    const int side = (which - dry) % 2 == 0 ? -1 : 1;
    if (rules_.stops == Stops::error) return RunEnd{EndKind::at_limit, t_, s.v};
    const int direction = touches ? side : s.side;
    s.side = touches ? side : 0;
    tell(touches ? EventKind::touches_stop : EventKind::leaves_stop, s.v, direction);
  } else {
    tell(EventKind::switches, which - plant_.one_sided(), 0);
  }
  settle();
  return std::nullopt;
}

/// After a jump: the modes of friction that fit, and nothing remembered of the steps before.
void Simulation::settle() {
  std::copy(plant_.dry.modes().begin(), plant_.dry.modes().end(), modes_.begin());
  if (!modes_.empty()) plant_.settle(t_, y_);
  if (!g0_.empty()) plant_.switching(t_, y_, g0_);
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const int mode = plant_.dry.mode(i);
    if (mode != modes_[i]) tell(mode == 0 ? EventKind::sticks : EventKind::slides, plant_.dry.coordinates()[i], mode);
  }
  integrator_->restart();
}

void Simulation::tell(EventKind kind, int coordinate, int direction) {
  ++events_;
  if (!observer_) return;
  show(t_, y_);
  shown_ = false;
  observer_->event(*this, {t_, kind, coordinate, direction});
}

/// False where that instant is not to be believed; the account then stays that of the one before.
bool Simulation::show(double t, std::span<const double> y) {
  shown_t_ = t;
  shown_ = true;
  plant_.evaluate(t, y);
  std::copy(plant_.q().begin(), plant_.q().end(), shown_q_.begin());
  const Account now = plant_.account(y);
  if (!believable(now, start_account_)) return false;
  account_ = now;
  return true;
}

/// The instants that the last step has passed; those at its end when what happens there has happened.
void Simulation::show_passed(bool up_to_now) {
  if (!observer_) return;
  const auto due = [this] { return rules_.every > 0 ? start_ + static_cast<double>(shown_count_) * rules_.every : t_; };
  if (rules_.every > 0)
    for (; due() < t_ - hardly(t_) && !made_up_; ++shown_count_) {
      made_up_ = !show(due(), inside(due()));
      if (!made_up_) observer_->instant(*this);
    }
  if (made_up_ || !up_to_now || due() > t_ + hardly(t_) || (shown_ && shown_t_ == t_ && shown_count_ > 0)) return;
  made_up_ = !show(t_, y_);
  ++shown_count_;
  if (!made_up_) observer_->instant(*this);
}

StepCount Simulation::count() const {
  StepCount sum = integrator_->count();
  sum.steps += coarse_->count().steps;
  sum.slopes += coarse_->count().slopes;
  return sum;
}

RunEnd Simulation::failure(StepEnd end) const {
  if (plant_.fault().kind != EndKind::reached) return {plant_.fault().kind, t_, plant_.fault().coordinate};
  if (end == StepEnd::not_finite) return {EndKind::not_finite, t_, -1};
  return {end == StepEnd::too_small ? EndKind::step_too_small : EndKind::no_convergence, t_, -1};
}

}  // namespace torsor
