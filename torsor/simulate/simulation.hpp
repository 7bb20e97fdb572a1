// A run of a model under torques: forward dynamics integrated in time, with the events of dry friction, stops and sampled
// control between the steps. Nothing is allocated during a run. One object per thread, the model shared.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "torsor/simulate/account.hpp"
#include "torsor/simulate/joint_stop.hpp"
#include "torsor/simulate/rules.hpp"

namespace torsor {

class Plant;
struct SimulatedRobot;
class Simulation;
class Surroundings;
class SwitchSearch;

/// Who watches a run. During a call the simulation's state and account are those of that instant.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void instant(const Simulation&) {}
  virtual void event(const Simulation&, const Event&) {}
  /// Asked after every step: whether the run need not go on.
  virtual bool is_lost() const { return false; }
};

class Simulation {
 public:
  /// The rules must be without fault (check()); the model must outlive this.
  Simulation(const Model<double>& model, const SimulationRules& rules = {});
  Simulation(const Model<double>&&, const SimulationRules& = {}) = delete;
  /// Of a tree, or of a robot with loops in its independent coordinates: without surroundings. It must outlive this.
  Simulation(const SimulatedRobot& robot, const SimulationRules& rules = {});
  Simulation(const SimulatedRobot&&, const SimulationRules& = {}) = delete;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// Sets time [s], position q (nq) and velocity qd (nv), and all accounts to zero; or why one cannot start there.
  Faults start(double t, std::span<const double> q, std::span<const double> qd);

  /// From the present instant to t_end; may be called again to go on. The observer sees the instants start + k every,
  /// the end, and the events; never an instant whose energy the steps have made up: the run ends before it.
  RunEnd run(double t_end, TorqueInput& input, Surroundings* surroundings = nullptr, Observer* observer = nullptr);

  const Model<double>& model() const { return model_; }
  const SimulationRules& rules() const { return rules_; }
  /// The instant shown to the observer; after a run its end.
  double t() const { return shown_t_; }
  std::span<const double> q() const { return shown_q_; }
  std::span<const double> qd() const;
  std::span<const double> qdd() const;
  std::span<const double> tau() const;       // of the input, after saturation
  std::span<const double> friction() const;  // what it takes
  std::span<const double> stop_torque() const;
  const Account& account() const { return account_; }
  /// Largest kinetic energy (less what the steps made up) and largest |balance_error| since the start, J: at the ends of
  /// all steps that an observer watched, else of runs; and the latter as a share of the energy at the start and all that
  /// was exchanged since.
  double largest_kinetic() const { return largest_kinetic_; }
  double largest_balance_error() const { return largest_balance_error_; }
  double balance_share() const { return exchanged_ > 0 ? largest_balance_error_ / exchanged_ : 0; }
  bool stuck(int coordinate) const;
  std::span<const JointStop> stops() const;

  /// Of the whole run since the construction: steps, the integrator's own error estimate (largest entry of position,
  /// velocity and work; no less than what the balance of energy misses), events, and the time spent at the shortest step
  /// for chatter.
  StepCount count() const;
  double estimated_error() const;
  long events() const { return events_; }
  double chatter_time() const { return chatter_time_; }

 private:
  struct Pending {
    double t = 0;
    std::vector<double> tau;
  };
  double next_target(double t_end, std::span<const double> breaks);
  double longest_step() const;
  bool overlooks();
  StepEnd step(double target);
  void watch_steps(double before, double target, bool event);
  std::optional<RunEnd> find_events(double before);
  std::optional<RunEnd> happen(int which);
  void sample();
  void deliver();
  void settle();
  void tell(EventKind kind, int coordinate, int direction);
  bool show(double t, std::span<const double> y);
  bool weigh(const Account& now);
  void show_passed(bool up_to_now);
  RunEnd failure(StepEnd end) const;
  std::span<double> inside(double t);

  Simulation(const Model<double>& model, const SimulatedRobot* robot, const SimulationRules& rules);

  const Model<double>& model_;
  SimulationRules rules_;
  std::unique_ptr<Plant> plant_;
  std::unique_ptr<Integrator> integrator_, coarse_;
  Integrator* last_ = nullptr;  // of the two, the one that took the last step
  double t_ = 0, start_ = 0, shown_t_ = 0, accepted_t_ = 0, step_start_ = 0, chatter_time_ = 0;
  double largest_kinetic_ = 0, largest_balance_error_ = 0, exchanged_ = 0;
  bool shown_ = false, made_up_ = false;
  long shown_count_ = 0, events_ = 0;
  std::vector<double> y_, accepted_, inside_, shown_q_;
  std::unique_ptr<SwitchSearch> switches_;
  std::vector<int> modes_;
  Account account_, start_account_;

  TorqueInput* input_ = nullptr;
  Observer* observer_ = nullptr;
  std::size_t break_ = 0;

  // sample and hold: a ring of answers under way
  long sample_ = 0;
  std::vector<Pending> ring_;
  std::size_t first_ = 0, waiting_ = 0;

  // what an input does between the looks of a step
  double cap_ = 0, largest_torque_ = 0;
  int overlooked_ = 0;
  std::vector<double> torque0_, torque1_, torque_;

  // short steps in a row, and how many at the shortest step are still to be taken for them
  int short_ = 0, troubled_ = 0;
  long coarse_left_ = 0, coarse_length_ = 0, refused_ = 0;
};

}  // namespace torsor
