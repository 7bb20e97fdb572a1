#include "torsor/simulate/control_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/control/control_plan.hpp"
#include "torsor/control/pose_error.hpp"
#include "torsor/dynamics/limit_watch.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/simulate/deviating_model.hpp"
#include "torsor/simulate/simulation.hpp"
#include "torsor/simulate/wall_contact.hpp"
#include "torsor/reduction/reduce.hpp"

namespace torsor {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double settled_within = 1e-3;  // of the way, and rad
constexpr double idle_below = 1e-6;      // of the greatest torque of its kind: what such a joint does is rounding
constexpr double lost_beyond = 1;        // of the way: a loop whose tool is farther from its plan is given up
constexpr double piece = 0.05;           // s

/// The law as a simulation asks it.
class LawInput final : public TorqueInput {
 public:
  LawInput(ControlLaw& law, ControlPlan plan, WallContact* wall)
      : law_(law), plan_(std::move(plan)), wall_(wall), breaks_{plan_.duration()} {}

  void effort(double t, std::span<const double> q, std::span<const double> qd, std::span<double> tau) override {
    ControlState state{t, q, qd, {}};
    if (wall_) state.tool_force.f = wall_->force(q, qd);
    law_.effort(state, plan_.at(t), tau);
    lost = std::max(lost, law_.report().lost);
    saturated += law_.report().saturated;
    ++samples;
  }
  std::span<const double> breaks() const override { return breaks_; }

  double lost = 0;
  long samples = 0, saturated = 0;

 private:
  ControlLaw& law_;
  ControlPlan plan_;
  WallContact* wall_;
  std::vector<double> breaks_;
};

class Recorder final : public Observer {
 public:
  Recorder(const ControlSetting& setting, WallContact* wall, double every, ControlTrace& trace)
      : setting_(setting), wall_(wall), every_(every), trace_(trace), motions_(setting.model), limits(setting.model) {
    trace.tau.resize(static_cast<std::size_t>(setting.model.nv));
  }

  void instant(const Simulation& s) override {
    if (!trace_.t.empty() && s.t() < trace_.t.back() + every_ / 2) return;  // where one piece ends the next begins
    motions_.set(setting_.model, s.q(), s.qd(), {});
    const Motion<double> e = pose_error(setting_.plan->tool(s.t()).X, motions_.of(setting_.tool).X);
    double power = 0;
    for (std::size_t i = 0; i < trace_.tau.size(); ++i) {
      power += s.tau()[i] * s.qd()[i];
      trace_.tau[i].push_back(s.tau()[i]);
    }
    limits.add(s.t(), {s.q(), s.qd(), s.qdd(), s.tau()});
    trace_.t.push_back(s.t());
    trace_.q.emplace_back(s.q().begin(), s.q().end());
    trace_.position_error.push_back(norm(e.v));
    trace_.angle_error.push_back(setting_.model.nv < 6 ? 0 : norm(e.w));  // fewer joints place the origin only
    trace_.power.push_back(power);
    trace_.force.push_back(wall_ ? norm(wall_->force(s.q(), s.qd())) : 0);
  }

 private:
  const ControlSetting& setting_;
  WallContact* wall_;
  double every_;
  ControlTrace& trace_;
  FrameMotions motions_;

 public:
  LimitWatch limits;
};

double largest(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

double mean(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

double root_mean_square(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return x.empty() ? 0 : std::sqrt(sum / static_cast<double>(x.size()));
}

/// Half the range of an torque from the given entry on, per its greatest: the largest of the joints.
double largest_swing(const ControlTrace& trace, std::span<const double> idle, std::size_t first) {
  double largest_share = 0;
  for (std::size_t i = 0; i < trace.tau.size(); ++i) {
    const std::vector<double>& tau = trace.tau[i];
    const double peak = largest(tau);
    if (!(peak > idle[i])) continue;
    const auto [least, most] = std::minmax_element(tau.begin() + static_cast<std::ptrdiff_t>(first), tau.end());
    largest_share = std::max(largest_share, (*most - *least) / 2 / peak);
  }
  return largest_share;
}

void measure(const ControlSetting& setting, const ControlTrace& trace, bool complete, ControlFigures& f) {
  const ControlTask& task = setting.experiment.task;
  f.peak_position = largest(trace.position_error);
  f.rms_position = root_mean_square(trace.position_error);
  f.peak_angle = largest(trace.angle_error);
  f.peak_power = largest(trace.power);
  f.peak_force = largest(trace.force);

  // newtons and newton metres are not to be compared
  f.rms_torque = f.peak_torque = f.rms_thrust = f.peak_thrust = unknown;
  const std::vector<CoordinateKind> kinds = velocity_kinds(setting.model);
  const auto slides = [&](std::size_t i) { return kinds[i] == CoordinateKind::length; };
  for (std::size_t i = 0; i < trace.tau.size(); ++i) {
    double& rms = slides(i) ? f.rms_thrust : f.rms_torque;
    double& peak = slides(i) ? f.peak_thrust : f.peak_torque;
    rms = std::fmax(rms, root_mean_square(trace.tau[i]));
    peak = std::fmax(peak, largest(trace.tau[i]));
  }

  f.steady_position = f.steady_angle = f.steady_force = f.limit_cycle = f.settling = unknown;
  const double steady_from = task.duration + task.rest / 2;
  const auto first =
      static_cast<std::size_t>(std::lower_bound(trace.t.begin(), trace.t.end(), steady_from) - trace.t.begin());
  if (!complete || !(task.rest > 0) || first == trace.t.size()) return;
  f.steady_position = mean(std::span(trace.position_error).subspan(first));
  f.steady_angle = mean(std::span(trace.angle_error).subspan(first));
  f.steady_force = mean(std::span(trace.force).subspan(first));
  std::vector<double> idle;
  for (std::size_t i = 0; i < trace.tau.size(); ++i)
    idle.push_back(idle_below * (slides(i) ? f.peak_thrust : f.peak_torque));
  f.limit_cycle = largest_swing(trace, idle, first);

  // the last instant at which an error is too large
  f.settling = 0;
  for (std::size_t k = 0; k < trace.t.size(); ++k)
    if (trace.position_error[k] > settled_within * setting.plan->length() || trace.angle_error[k] > settled_within)
      f.settling = k + 1 == trace.t.size() ? infinity : std::max(0.0, trace.t[k + 1] - task.duration);
}

}  // namespace

Result<ControlSetting> prepare(const ControlExperiment& experiment, const Description& robot) {
  Faults errors = check_experiment(experiment);
  const auto model = build(robot);
  errors.insert(errors.end(), model.faults().begin(), model.faults().end());
  if (!errors.empty()) return errors;
  ControlSetting s;
  s.experiment = experiment;
  s.model = *model;
  if (!experiment.limits)
    for (Limits& limits : s.model.limits) limits.effort = infinity;
  // a tool of the file, or else the frame of a link
  const auto named = std::ranges::find(s.model.frames, experiment.tool, &Frame<double>::name);
  const int link = s.model.body_index(experiment.tool);
  if (experiment.tool.empty() && !s.model.frames.empty())
    s.tool = s.model.frames.back();
  else if (named != s.model.frames.end())
    s.tool = *named;
  else if (link >= 0)
    s.tool = {experiment.tool, link, s.model[link].link};
  else
    return Fault{{}, fmt::format("tool \"{}\"", experiment.tool), "tool-unknown", "the robot has no such frame", ""};

  const double period = experiment.rate > 0 ? 1 / experiment.rate : 1e-3;
  auto plan = plan_task(s.model, s.tool, experiment.task, period);
  if (!plan) return plan.faults();
  s.plan = std::make_shared<const ControlPlan>(*plan);
  s.plant = deviating_model(s.model, experiment.model_error, experiment.seed);
  s.loaded = s.plant;
  if (experiment.task.kind == TaskKind::payload)
    s.loaded =
        with_payload(s.plant, s.tool.body, s.tool.X_body_frame, Inertia<double>{experiment.task.payload, {}, {}});

  if (experiment.model == ControllerKind::reduced) {
    std::vector<JointState> states;
    for (int k = 0; k <= 200; ++k) {
      const ControlReference r = plan->at(plan->duration() * k / 200);
      states.push_back({{r.q.begin(), r.q.end()}, {r.qd.begin(), r.qd.end()}, {r.qdd.begin(), r.qdd.end()}});
    }
    auto reduction = reduce(robot, states, {.tolerance = experiment.reduced_tolerance, .consistent = true});
    if (!reduction) return reduction.faults();
    s.reduced = std::make_shared<const ReducedModel>(std::move(reduction->model));
  }
  return s;
}

ControlRun run_law(const ControlSetting& s, const ControlLawRow& row) {
  const ControlExperiment& e = s.experiment;
  const ControlTask& task = e.task;
  const auto dynamics = make_controller_model(e.model, s.model, task.start, s.reduced.get());
  const auto law = row.make({s.model, s.tool, *dynamics, task.start, e.gains, e.impedance, s.plan->knots(e.knots),
                             e.impedance_bandwidth});
  std::optional<WallContact> wall, measured, seen;  // each has a workspace of its own
  if (task.kind == TaskKind::contact)
    for (auto* one : {&wall, &measured, &seen}) one->emplace(s.model, s.tool, task.wall);
  LawInput input(*law, *s.plan, measured ? &*measured : nullptr);

  ControlRun run;
  run.law = row.name;
  SimulationRules rules;
  rules.sampling = {e.rate > 0 ? 1 / e.rate : 0, e.rate > 0 ? e.delay : 0};
  rules.saturate = e.limits;
  rules.integrator = e.integrator;
  rules.steps.step = e.step;
  rules.every = e.rate > 0 ? 1 / e.rate : 1e-3;
  Recorder recorder(s, seen ? &*seen : nullptr, rules.every, run.trace);

  // with a payload, the arm as it is before and behind the instant from when on it is carried
  const double end = task.duration + task.rest;
  const double change = task.kind == TaskKind::payload ? std::clamp(task.payload_time, 0.0, end) : end;
  std::vector<double> q = task.start, qd(q.size());
  double t = 0;
  const auto go = [&](const Model<double>& arm, double until) {
    Simulation simulation(arm, rules);
    if (const Faults errors = simulation.start(t, q, qd); !errors.empty()) {
      run.ended = to_string(errors.front());
      run.end = {EndKind::not_finite, t, -1};
      return;
    }
    // in pieces, so that a loop that is lost costs little
    do {
      run.end = simulation.run(std::min(until, simulation.t() + piece), input, wall ? &*wall : nullptr, &recorder);
      if (!run.end)
        run.ended = describe(run.end, arm);
      else if (run.trace.position_error.back() > lost_beyond * s.plan->length())
        run.ended = fmt::format("given up at {:.4g} s: the tool is {:.3g} m from its plan", simulation.t(),
                                run.trace.position_error.back());
    } while (run.ended.empty() && simulation.t() < until);
    t = simulation.t();
    q.assign(simulation.q().begin(), simulation.q().end());
    qd.assign(simulation.qd().begin(), simulation.qd().end());
  };
  if (change > 0) go(s.plant, change);
  if (run.ended.empty() && change < end) go(s.loaded, end);

  measure(s, run.trace, run.ended.empty(), run.figures);
  run.passed = recorder.limits.passed();
  run.figures.lost = input.lost;
  run.figures.samples = input.samples;
  run.figures.saturated = input.saturated;
  return run;
}

Result<std::vector<SpeedRun>> run_speeds(const ControlExperiment& experiment, const Description& robot,
                                         const ControlLawRow& row, std::span<const double> factors,
                                         std::span<const ControllerKind> kinds) {
  std::vector<SpeedRun> all;
  for (const double factor : factors) {
    SpeedRun speed{factor, experiment.task.duration / factor, 0, {}};
    for (const ControllerKind kind : kinds) {
      ControlExperiment e = experiment;
      e.task.duration = speed.duration;
      e.task.payload_time /= factor;
      e.model = kind;
      const auto setting = prepare(e, robot);
      if (!setting) return setting.faults();
      for (int k = 0; k <= 100; ++k)
        speed.peak_speed = std::max(speed.peak_speed, norm(setting->plan->tool(speed.duration * k / 100).twist.v));
      speed.runs.push_back(run_law(*setting, row));
      speed.runs.back().trace = {};
    }
    all.push_back(std::move(speed));
  }
  return all;
}

}  // namespace torsor
