#include "torsor/simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/model/unit_quaternions.hpp"
#include "torsor/numeric/switch_search.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/simulate/plant.hpp"

namespace torsor {
namespace {

constexpr int many_short = 50;         // steps below the shortest in a row that are taken for chatter
constexpr long most_coarse = 4096;     // steps at the shortest before a finer one is tried again
constexpr double farthest = 1e6;       // rad or m at a start: from there on rounding is above 1e-10
constexpr double steps_a_period = 20;  // of a joint on its stop, at least
constexpr double most_made_up = 4;     // what the balance may miss, of all energy and work so far

/// Times closer than this are one.
double hardly(double t) { return 64 * std::numeric_limits<double>::epsilon() * std::abs(t); }

/// What there was at the start and what was exchanged since.
double energy_had(const Account& now, const Account& start) {
  double had = start.kinetic + std::abs(now.potential - start.potential) + 1e-9 * std::abs(start.potential);
  for (const double work : {now.torque_work, now.friction_loss, now.surroundings_work, now.stop_work})
    had += std::abs(work);
  return had;
}

StepRules coarse_rules(const SimulationRules& rules) {
  StepRules steps = rules.steps;
  steps.step = rules.shortest;
  return steps;
}

}  // namespace

Simulation::Simulation(const Model<double>& model, const SimulationRules& rules) : Simulation(model, nullptr, rules) {}

Simulation::Simulation(const SimulatedRobot& robot, const SimulationRules& rules)
    : Simulation(robot.model, &robot, rules) {}

Simulation::Simulation(const Model<double>& model, const SimulatedRobot* robot, const SimulationRules& rules)
    : model_(model),
      rules_(rules),
      plant_(std::make_unique<Plant>(model_, robot, rules_)),
      switches_(std::make_unique<SwitchSearch>()) {
  TORSOR_EXPECT(check(model, rules).empty());
  integrator_ = find_integrator(rules_.integrator)->make(plant_->size(), rules_.steps);
  coarse_ = runge_kutta_4(plant_->size(), coarse_rules(rules_));
  last_ = integrator_.get();
  y_.resize(plant_->size());
  accepted_.resize(plant_->size());
  inside_.resize(plant_->size());
  shown_q_.resize(static_cast<std::size_t>(model.nq));
  for (auto* tau : {&torque0_, &torque1_, &torque_}) tau->resize(static_cast<std::size_t>(model.nv));
  modes_.resize(plant_->dry.coordinates().size());
  const SampleAndHold& sampling = rules_.sampling;
  if (sampling.period > 0)
    ring_.assign(2 + static_cast<std::size_t>(std::ceil(sampling.delay / sampling.period)),
                 {0, std::vector<double>(static_cast<std::size_t>(model.nv))});
}

Simulation::~Simulation() = default;

std::span<const double> Simulation::qd() const {
  return plant_->qd();
}
std::span<const double> Simulation::qdd() const {
  return plant_->qdd();
}
std::span<const double> Simulation::tau() const {
  return plant_->tau();
}
std::span<const double> Simulation::friction() const {
  return plant_->friction();
}
std::span<const double> Simulation::stop_torque() const {
  return plant_->stop_torque();
}
bool Simulation::stuck(int coordinate) const {
  return plant_->dry.stuck(coordinate);
}
std::span<const JointStop> Simulation::stops() const {
  return plant_->stops.all();
}
double Simulation::estimated_error() const {
  return std::max(integrator_->estimated_error() + coarse_->estimated_error(), largest_balance_error_);
}

Faults Simulation::start(double t, std::span<const double> q, std::span<const double> qd) {
  TORSOR_EXPECT(q.size() == static_cast<std::size_t>(model_.nq) && qd.size() == static_cast<std::size_t>(model_.nv));
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), "start", std::move(what), std::move(remedy)});
  };
  for (int k = 0; k < model_.nq; ++k)
    if (!std::isfinite(q[k])) fault(fmt::format("position \"{}\"", model_.position_names[k]), "is not a number", "");
  for (int k = 0; k < model_.nq; ++k)
    if (std::isfinite(q[k]) && std::abs(q[k]) > farthest)
      fault(fmt::format("position \"{}\"", model_.position_names[k]),
            fmt::format("is {}: at such numbers rounding is larger than what moves", q[k]),
            fmt::format("start within {} rad or m", farthest));
  for (int k = 0; k < model_.nv; ++k)
    if (!std::isfinite(qd[k])) fault(fmt::format("velocity \"{}\"", model_.velocity_names[k]), "is not a number", "");
  if (!std::isfinite(t)) fault("time", "is not a number", "");
  if (!errors.empty()) return errors;
  std::copy(q.begin(), q.end(), shown_q_.begin());
  if (const auto bad = normalize_quaternions(model_, shown_q_)) fault("position", bad->what, bad->remedy);
  for (const JointStop& s : plant_->stops.all())
    if (q[s.q] < s.lower || q[s.q] > s.upper)
      fault(fmt::format("coordinate \"{}\"", model_.velocity_names[s.v]),
            fmt::format("starts at {}, outside its range {} to {}", q[s.q], s.lower, s.upper),
            "start inside, or leave the stops out");
  if (!errors.empty()) return errors;

  plant_->use(nullptr, nullptr);
  plant_->start(shown_q_, qd, y_);
  t_ = start_ = accepted_t_ = step_start_ = t;
  std::copy(y_.begin(), y_.end(), accepted_.begin());
  shown_ = false;
  shown_count_ = sample_ = 0;
  first_ = waiting_ = 0;
  short_ = troubled_ = 0;
  coarse_left_ = coarse_length_ = 0;
  plant_->until(t);
  plant_->clear_faults();
  made_up_ = false;
  start_account_ = {};
  show(t_, y_);
  start_account_ = account_;
  largest_kinetic_ = account_.kinetic;
  largest_balance_error_ = exchanged_ = 0;
  if (const Plant::Fault& met = plant_->fault(); met.kind == EndKind::not_closed || met.kind == EndKind::dead_centre)
    fault(fmt::format("coordinate \"{}\"", model_.velocity_names[met.coordinate]),
          met.kind == EndKind::not_closed ? "the loops cannot be closed at the start"
                                          : "the loops are at a dead centre at the start",
          "start at another position");
  if (plant_->fault().kind == EndKind::singular)
    fault(fmt::format("coordinate \"{}\"", model_.velocity_names[plant_->fault().coordinate]),
          "the mass matrix is singular: it can move, perhaps with others, without moving any mass",
          "give the links it moves mass and inertia, or its motor a rotor");
  return errors;
}

RunEnd Simulation::run(double t_end, TorqueInput& input, Surroundings* surroundings, Observer* observer) {
  input_ = &input;
  observer_ = observer;
  plant_->use(rules_.sampling.period > 0 ? nullptr : &input, surroundings);
  switches_->resize(static_cast<std::size_t>(plant_->switches()));
  const auto breaks = input.breaks();
  break_ = static_cast<std::size_t>(std::upper_bound(breaks.begin(), breaks.end(), t_) - breaks.begin());

  RunEnd end{EndKind::reached, t_, -1};
  cap_ = rules_.sampling.period > 0 || !find_integrator(rules_.integrator)->adaptive ? 0 : input.longest_step();
  largest_torque_ = 0, overlooked_ = 0;
  plant_->clear_faults();
  plant_->until(t_);
  sample();
  deliver();
  settle();
  while (end && t_ < t_end) {
    if (plant_->fault().kind != EndKind::reached) {
      end = {plant_->fault().kind, t_, plant_->fault().coordinate};
      break;
    }
    show_passed(true);
    if (made_up_) break;
    std::copy(y_.begin(), y_.end(), accepted_.begin());
    accepted_t_ = t_;
    const double target = next_target(t_end, breaks), before = step_start_ = t_;
    if (target - t_ > hardly(t_)) {
      // what the input does at the target belongs to the next step
      plant_->until(std::nextafter(target, t_));
      if (const StepEnd taken = step(std::min(target, t_ + longest_step())); taken != StepEnd::taken) {
        end = failure(taken);
        break;
      }
      plant_->normalise(y_);
      if (overlooks()) {
        t_ = before;
        std::copy(accepted_.begin(), accepted_.end(), y_.begin());
        integrator_->restart();
        continue;
      }
      plant_->clear_faults();
      // energies cost as much as half a step of the cheapest method: for those who watch
      if (observer_) plant_->place(y_), made_up_ = !weigh(plant_->account(y_));
      if (made_up_) break;
      const long events = events_;
      if (const auto stopped = find_events(before)) end = *stopped;
      watch_steps(before, target, events != events_);
      show_passed(false);
      if (made_up_) break;
      if (count().steps >= rules_.most_steps) end = {EndKind::too_many_steps, t_, -1};
      if (end && observer_ && observer_->is_lost()) end = {EndKind::lost, t_, -1};
    } else {
      t_ = target;
    }
    if (t_ < target) continue;
    while (break_ < breaks.size() && breaks[break_] <= t_) ++break_;
    plant_->until(t_);
    sample();
    deliver();
    if (t_ < t_end) settle();
  }
  if (!made_up_ && (!shown_ || shown_t_ != t_)) {
    made_up_ = !show(t_, y_);
    if (observer_ && !made_up_) observer_->instant(*this);
  }
  if (made_up_) {
    // back to the last instant that can be believed
    t_ = accepted_t_;
    std::copy(accepted_.begin(), accepted_.end(), y_.begin());
    show(t_, y_);
    return {EndKind::made_up, t_, -1};
  }
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

/// A step of fixed length may be too long for the spring of a stop, one chosen by its error for a function that nobody knows.
double Simulation::longest_step() const {
  if (cap_ > 0) return cap_;
  const auto touched = [](const JointStop& s) { return s.side != 0; };
  const auto stops = plant_->stops.all();
  return std::any_of(stops.begin(), stops.end(), touched) && !find_integrator(rules_.integrator)->adaptive
             ? 1 / (steps_a_period * rules_.stop_frequency)
             : infinity;
}

/// Whether the input did something between the looks of the last step that both its ends know nothing of: a push may be over before a
/// method has looked again. The step is then to be taken again, shorter, until it is seen or too short to matter.
bool Simulation::overlooks() {
  if (!(cap_ > 0) || last_ == coarse_.get()) return false;
  constexpr double looks[] = {0.185, 0.467, 0.754, 0.93};  // between the stages of the explicit method
  constexpr double much = 0.05;                            // of the largest torque so far
  constexpr int most_in_vain = 20;  // steps that are still not smooth when they are shortest: noise
  const double longest = input_->longest_step(), shortest = longest / 256;
  if (overlooked_ > most_in_vain) return false;
  const auto torque_at = [this](double t, std::vector<double>& tau) {
    plant_->place(inside(t));
    input_->effort(t, plant_->q(), plant_->qd(), tau);
    for (const double each : tau) largest_torque_ = std::max(largest_torque_, std::abs(each));
  };
  const double end = std::nextafter(t_, step_start_), h = end - step_start_;
  torque_at(step_start_, torque0_);
  torque_at(end, torque1_);
  bool unseen = false;
  for (const double u : looks) {
    torque_at(step_start_ + u * h, torque_);
    for (std::size_t k = 0; k < torque_.size(); ++k)
      unseen = unseen || std::abs(torque_[k] - (1 - u) * torque0_[k] - u * torque1_[k]) > much * largest_torque_;
  }
  if (!unseen) {
    cap_ = std::min(longest, 1.2 * cap_);
    return false;
  }
  if (t_ - step_start_ < 2 * shortest) {
    ++overlooked_;
    return false;
  }
  cap_ = (t_ - step_start_) / 2;
  return true;
}

/// Asks the input, if it is time.
void Simulation::sample() {
  if (!(rules_.sampling.period > 0)) return;
  const double due = start_ + static_cast<double>(sample_) * rules_.sampling.period;
  if (t_ < due - hardly(due)) return;
  Pending& answer = ring_[(first_ + waiting_) % ring_.size()];
  plant_->place(y_);
  input_->effort(t_, plant_->q(), plant_->qd(), answer.tau);
  answer.t = due + rules_.sampling.delay;
  if (sample_ == 0) plant_->hold(answer.tau);
  ++sample_;
  ++waiting_;
}

/// Applies the answers that have arrived.
void Simulation::deliver() {
  for (; waiting_ > 0 && ring_[first_].t <= t_ + hardly(t_); --waiting_) {
    plant_->hold(ring_[first_].tau);
    first_ = (first_ + 1) % ring_.size();
  }
}

/// One step of the method, or at the shortest step where the method would stall.
StepEnd Simulation::step(double target) {
  refused_ = integrator_->count().refused;
  if (coarse_left_ == 0) {
    last_ = integrator_.get();
    const StepEnd end = last_->step(*plant_, t_, y_, target);
    if ((end != StepEnd::too_small && end != StepEnd::no_convergence) || !find_integrator(rules_.integrator)->adaptive)
      return end;
    // a jump in the right side: over it at the shortest step
    short_ = troubled_ = many_short;
    watch_steps(t_, target, false);
  }
  if (--coarse_left_ == 0) integrator_->restart();
  last_ = coarse_.get();
  const double before = t_;
  const StepEnd end = last_->step(*plant_, t_, y_, target);
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

/// False where that instant is not to be believed; the account then stays that of the one before.
bool Simulation::show(double t, std::span<const double> y) {
  shown_t_ = t;
  shown_ = true;
  plant_->evaluate(t, y);
  std::copy(plant_->q().begin(), plant_->q().end(), shown_q_.begin());
  const Account now = plant_->account(y);
  if (!weigh(now)) return false;
  account_ = now;
  if (t > accepted_t_) {
    std::copy(y.begin(), y.end(), accepted_.begin());
    accepted_t_ = t;
  }
  return true;
}

/// Whether the energy at an instant can have come from what there was at the start and what was done since.
bool Simulation::weigh(const Account& now) {
  exchanged_ = std::max(exchanged_, energy_had(now, start_account_));
  // one step from rest: a method of order 1 has the speed at its end, and the power of its start, none
  double power = 0;
  for (std::size_t k = 0; k < plant_->qd().size(); ++k) power += std::abs(plant_->tau()[k] * plant_->qd()[k]);
  if (std::abs(now.balance_error) > most_made_up * (exchanged_ + power * (t_ - step_start_))) return false;
  largest_kinetic_ = std::max(largest_kinetic_, now.kinetic - std::max(now.balance_error, 0.0));
  largest_balance_error_ = std::max(largest_balance_error_, std::abs(now.balance_error));
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
  if (plant_->fault().kind != EndKind::reached) return {plant_->fault().kind, t_, plant_->fault().coordinate};
  if (end == StepEnd::not_finite) return {EndKind::not_finite, t_, -1};
  return {end == StepEnd::too_small ? EndKind::step_too_small : EndKind::no_convergence, t_, -1};
}

}  // namespace torsor
