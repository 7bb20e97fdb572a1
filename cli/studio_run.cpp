#include "cli/studio_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/simulate/surroundings.hpp"

namespace torsor {

/// What pushes the tool: constant in the world while a piece of the run lasts.
struct StudioRun::Push final : Surroundings {
  explicit Push(const Model<double>& m) : model(m), at(m), X(m.bodies.size()) {}

  void act(double, std::span<const double> q, std::span<const double>, std::span<Force<double>> forces) override {
    if (body < 0 || (force.x == 0 && force.y == 0 && force.z == 0)) return;
    at.set(model, q);
    forward_kinematics(model, at, std::span(X));
    const Vec3<double> f = ~X[static_cast<std::size_t>(body)].R * force;
    forces[static_cast<std::size_t>(body)] += Force<double>{cross(point, f), f};
  }

  const Model<double>& model;
  Configuration<double> at;
  std::vector<Transform<double>> X;
  int body = -1;
  Vec3<double> point = {}, force = {};
};

struct StudioRun::Law final : TorqueInput {
  void effort(double t, std::span<const double> q, std::span<const double> qd, std::span<double> tau) override {
    if (!law) {
      std::copy(constant.begin(), constant.end(), tau.begin());
      return;
    }
    law->effort({t, q, qd, {}}, {target, zero, zero, tool, {}}, tau);
  }

  std::vector<double> constant, target, zero;
  CartesianState tool = {};
  std::unique_ptr<ControllerModel> dynamics;
  std::unique_ptr<ControlLaw> law;
};

StudioRun::StudioRun(const Robot& robot, const std::optional<Frame<double>>& tool, std::span<const double> q,
                     std::span<const double> qd, double friction)
    : model_(robot.model()), tool_(tool), start_(q.begin(), q.end()) {
  for (auto& [body, law] : model_.friction) {
    law.viscous *= friction;
    law.coulomb_positive *= friction;
    law.coulomb_negative *= friction;
    law.breakaway_positive *= friction;
    law.breakaway_negative *= friction;
    for (double& x : law.table.values) x *= friction;
  }
  SimulationRules rules;
  rules.stops = Stops::stiff;
  // to be looked at: a screen shows no more digits
  rules.steps.relative = 1e-7;
  rules.steps.absolute = 1e-9;
  rules.most_steps = 200000;
  if (const Faults faults = check(model_, rules); !faults.empty()) throw_error(faults);
  simulation_ = std::make_unique<Simulation>(model_, rules);
  if (const Faults faults = simulation_->start(0, q, qd); !faults.empty()) throw_error(faults);
  push_ = std::make_unique<Push>(model_);
  if (tool_) push_->body = tool_->body, push_->point = tool_->X_body_frame.p;
  law_ = std::make_unique<Law>();
  drive("none", {}, q);
}

StudioRun::~StudioRun() = default;

void StudioRun::drive(const std::string& name, const ControlGains& gains, std::span<const double> target) {
  const auto nv = static_cast<std::size_t>(model_.nv);
  law_->law.reset();
  law_->constant.assign(nv, 0);
  law_->zero.assign(nv, 0);
  law_->target.assign(target.begin(), target.end());
  if (name == "none") return;
  if (name == "hold") {
    Dynamics(model_).gravity(start_, law_->constant);
    return;
  }
  const ControlLawRow* const row = find_control_law(name);
  if (!row) refuse_call(name, "control-law", "there is no such law", "torsor control --help names them");
  if (const std::string why = control_refusal(model_); !why.empty()) refuse_call(name, "control-robot", why);
  if (!tool_) refuse_call(name, "tool-missing", "the robot has no tool");
  law_->dynamics = make_controller_model(ControllerKind::full, model_, target);
  law_->law = row->make({model_, *tool_, *law_->dynamics, law_->target, gains, {}, {{0, law_->target}}, 1});
  law_->tool = {};
  DynamicsOptions options;
  options.tool = tool_;
  std::vector<double> J(6 * nv);
  Dynamics(model_, options).tool(target, law_->tool.X, J);
}

void StudioRun::push(const Vec3<double>& force) { push_->force = force; }

RunEnd StudioRun::go_on(double seconds) { return simulation_->run(simulation_->t() + seconds, *law_, push_.get()); }

namespace {

/// What may be changed while a run goes on.
struct RunSettings {
  double friction = 1;
  ControlGains gains;
  Vec3<double> push;
};

RunSettings settings_of(const StudioRequest& in) {
  const auto bounded = [&in](const char* name, double otherwise, double most, const char* range) {
    const double x = in.number_or(name, otherwise);
    if (!(x >= 0 && x <= most)) refuse_call(name, "call-field", range);
    return x;
  };
  const auto f = in.numbers_if("push", 3).value_or(std::vector<double>(3));
  for (const double x : f)
    if (!(std::abs(x) <= 1e6)) refuse_call("push", "call-field", "it is beyond 1e6 N");
  return {bounded("friction", 1, 100, "it is not a factor from 0 to 100"),
          {bounded("kp", 400, 1e8, "it is not from 0 to 1e8"), bounded("kv", 40, 1e6, "it is not from 0 to 1e6")},
          {f[0], f[1], f[2]}};
}

}  // namespace

void StudioRobot::check_run(const StudioRequest& in, StudioAnswer& out) {
  const RunSettings settings = settings_of(in);
  out.json.field("friction", settings.friction);
}

void StudioRobot::begin_run(const StudioRequest& in, StudioAnswer& out) {
  if (const Faults faults = robot_.without_masses(); !faults.empty()) throw_error(faults);
  const StudioState at = state_of(in);
  run_ = std::make_unique<StudioRun>(loaded(in).robot, tool_, at.q, at.qd, settings_of(in).friction);
  out.json.field("t", 0.0);
}

void StudioRobot::go_on(const StudioRequest& in, StudioAnswer& out) {
  if (!run_) refuse_call("go_on", "run-missing", "no run was begun", "begin one");
  const double seconds = in.number("seconds");
  if (!(seconds > 0 && seconds <= 0.5)) refuse_call("seconds", "call-field", "it is not within 0.5 s");
  const RunSettings settings = settings_of(in);
  run_->drive(in.text_or("law", "none"), settings.gains, in.numbers("target", static_cast<std::size_t>(robot_.nq())));
  run_->push(settings.push);
  const RunEnd end = run_->go_on(seconds);
  const Simulation& s = run_->simulation();
  JsonWriter& json = out.json;
  json.field("t", s.t()).field("ended", !end);
  if (!end) json.field("why", torsor::describe(end, run_->model()));
  const auto field = [&json](const char* name, std::span<const double> numbers) { json.key(name).value(numbers); };
  field("q", s.q());
  field("qd", s.qd());
  field("tau", s.tau());
  const Account& a = s.account();
  json.key("energy")
      .begin_object()
      .field("kinetic", a.kinetic)
      .field("potential", a.potential)
      .field("torque_work", a.torque_work);
  json.field("friction_loss", a.friction_loss)
      .field("surroundings_work", a.surroundings_work)
      .field("stop_work", a.stop_work);
  json.field("balance_error", a.balance_error).end_object();
  std::vector<double> poses;
  write_poses(loaded_->dynamics, s.q(), poses);
  out.rows("poses", poses, 7);
}

}  // namespace torsor
