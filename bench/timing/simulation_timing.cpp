#include "bench/timing/simulation_timing.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>

#include "torsor/dynamics.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/simulate/simulation.hpp"

namespace torsor {
namespace {

constexpr double duration = 2, period = 1e-3, way = 0.5, w = std::numbers::pi, stiffness = 400, damping = 40;
constexpr int turns = 5;

/// tau = inverse dynamics of the wanted acceleration, put right by the errors.
class Computed final : public TorqueInput {
 public:
  Computed(const Model<double>& model, std::vector<double> middle)
      : dynamics_(model, {.questions = Questions::all_but_forward}), middle_(std::move(middle)), qdd_(middle_.size()) {}

  void effort(double t, std::span<const double> q, std::span<const double> qd, std::span<double> tau) override {
    const double s = way * std::sin(w * t), sd = way * w * std::cos(w * t), sdd = -w * w * s;
    for (std::size_t k = 0; k < qdd_.size(); ++k) {
      const double e = middle_[k] + s - q[k];
      worst = std::max(worst, std::abs(e));
      qdd_[k] = sdd + damping * (sd - qd[k]) + stiffness * e;
    }
    dynamics_.inverse(q, qd, qdd_, tau);
  }

  double worst = 0;

 private:
  Dynamics dynamics_;
  std::vector<double> middle_, qdd_;
};

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

Result<std::vector<SimulationTime>> time_simulation(
    const Model<double>& model, double seconds_each,
    const std::function<Result<std::vector<SimulationTime>>()>& others) {
  if (model.nq != model.nv)
    return Fault{{}, model.name, "motion-joints", "has joints of several degrees of freedom", "take a robot without"};
  std::vector<double> middle;
  for (const Limits& bound : position_bounds(model)) middle.push_back((bound.lower + bound.upper) / 2);
  const std::vector<double> speed(middle.size(), way * w);
  const struct {
    std::string what, integrator;
    double tolerance;
  } methods[] = {{"semi-implicit, steps of 1 ms", "semi-implicit", 1e-10},
                 {"rk4, steps of 1 ms", "rk4", 1e-10},
                 {"dormand-prince, tolerance 1e-6", "dormand-prince", 1e-6},
                 {"dormand-prince, tolerance 1e-10", "dormand-prince", 1e-10}};
  std::vector<SimulationTime> rows;
  const auto keep = [&rows](const SimulationTime& found) {
    const auto known = std::ranges::find(rows, found.what, &SimulationTime::what);
    if (known == rows.end())
      rows.push_back(found);
    else if (found.simulated > known->simulated)
      *known = found;
  };
  // in turn, so that what else the machine does meets all of them
  for (int turn = 0; turn < turns; ++turn) {
    for (const auto& method : methods) {
      SimulationRules rules;
      rules.integrator = method.integrator;
      rules.steps.step = period;
      rules.steps.relative = rules.steps.absolute = method.tolerance;
      rules.sampling.period = period;
      rules.saturate = false;
      double spent = 0;
      do {
        Simulation simulation(model, rules);
        Computed computed(model, middle);
        const double start = processor_time();
        Faults errors = simulation.start(0, middle, speed);
        if (!errors.empty()) return errors;
        const RunEnd end = simulation.run(duration, computed);
        const double seconds = processor_time() - start;
        if (!end) return Fault{{}, method.what, "simulation-stop", describe(end, model), ""};
        keep({method.what, duration / std::max(seconds, 1e-9), computed.worst});
        spent += std::max(seconds, 1e-6);
      } while (spent < seconds_each / turns);
    }
    if (!others) continue;
    const auto found = others();
    if (!found) return found.faults();
    for (const SimulationTime& row : *found) keep(row);
  }
  return rows;
}

}  // namespace torsor
