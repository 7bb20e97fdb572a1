// Laws in the loop: sampled, held, delayed, on an arm that is not quite the one of their model.
#include "torsor/simulate/control_run.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "torsor/control/control_plan.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/simulate/deviating_model.hpp"

using namespace torsor;

namespace {

const Description& puma() {
  static const Description robot = *load_robot("puma560");
  return robot;
}

ControlExperiment experiment(TaskKind kind, const Description& robot = puma()) {
  const Model<double> model = *build(robot);
  ControlExperiment e;
  e.robot = robot.name;
  e.task = *default_task(kind, model, model.frames.back(), {});
  e.task.duration = 0.6;
  e.task.payload_time = 0.3;
  e.task.rest = 0.4;
  for (const ControlLawRow& row : control_laws()) e.laws.emplace_back(row.name);
  return e;
}

ControlSetting setting(const ControlExperiment& e, const Description& robot = puma()) {
  auto s = prepare(e, robot);
  for (const Fault& error : s.faults()) MESSAGE(to_string(error));
  REQUIRE(s);
  return *std::move(s);
}

ControlRun run(const ControlSetting& s, std::string_view law) { return run_law(s, *find_control_law(law)); }

/// What a law must keep with a model 10 % wrong, at 1 kHz: tool errors at most and at rest [m, rad], no limit cycle.
struct Bounds {
  std::string_view law;
  double peak, steady, peak_angle, steady_angle;
};
constexpr Bounds line_bounds[] = {
    {"pd", 12e-3, 8e-3, 50e-3, 33e-3},
    {"pd-gravity", 2.5e-3, 0.5e-3, 8e-3, 2.5e-3},
    {"feed-forward", 0.6e-3, 0.5e-3, 4e-3, 2.5e-3},
    {"computed-torque", 0.4e-3, 0.3e-3, 2e-3, 0.8e-3},
    {"passivity", 0.6e-3, 0.5e-3, 4e-3, 2.5e-3},
    {"resolved-rate", 2.5e-3, 0.5e-3, 8e-3, 2.5e-3},
    {"resolved-rate-interpolated", 2.5e-3, 0.5e-3, 8e-3, 2.5e-3},
    {"resolved-acceleration", 0.4e-3, 0.3e-3, 2e-3, 0.8e-3},
    {"nonlinear-decoupling", 50e-3, 0.3e-3, 60e-3, 0.8e-3},
    {"operational-space", 0.4e-3, 0.3e-3, 2e-3, 0.8e-3},
    {"impedance", 0.4e-3, 0.3e-3, 2e-3, 0.8e-3},
    {"impedance-force", 0.4e-3, 0.3e-3, 2e-3, 0.8e-3},
};
constexpr double most_cycle = 0.01;  // of the peak torque of a joint

bool keeps(const Bounds& b, const ControlRun& run) {
  const ControlFigures& f = run.figures;
  return run.ended.empty() && f.peak_position < b.peak && f.steady_position < b.steady && f.peak_angle < b.peak_angle &&
         f.steady_angle < b.steady_angle && f.limit_cycle < most_cycle;
}

}  // namespace

TEST_CASE("computed torque with the true model inside the integrator keeps the hand on its line to 1e-8") {
  ControlExperiment e = experiment(TaskKind::line);
  e.rate = 0;
  e.laws = {"computed-torque"};
  const ControlFigures f = run(setting(e), "computed-torque").figures;
  CHECK(f.peak_position < 1e-8);
  CHECK(f.peak_angle < 1e-8);
}

TEST_CASE("sampled and held, the error of computed torque falls with the first power of the period") {
  ControlExperiment e = experiment(TaskKind::line);
  std::vector<double> errors;
  for (const double rate : {500.0, 1000.0, 2000.0, 4000.0}) {
    e.rate = rate;
    errors.push_back(run(setting(e), "computed-torque").figures.rms_position);
  }
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    const double slope = std::log2(errors[k] / errors[k + 1]);
    CAPTURE(k);
    CHECK(slope > 0.9);
    CHECK(slope < 1.1);
  }
}

TEST_CASE(
    "every law keeps its bounds with a model 10 % wrong at 1 kHz, and none does with the sign of a gain turned round") {
  ControlExperiment e = experiment(TaskKind::line);
  e.delay = 0.5e-3;
  e.model_error = 0.1;
  const ControlSetting s = setting(e);
  e.gains.kp = -e.gains.kp;
  const ControlSetting flipped = setting(e);
  REQUIRE(std::size(line_bounds) == control_laws().size());
  for (const Bounds& bounds : line_bounds) {
    CAPTURE(bounds.law);
    const ControlRun good = run(s, bounds.law);
    CAPTURE(good.figures.peak_position);
    CAPTURE(good.figures.steady_position);
    CAPTURE(good.figures.peak_angle);
    CAPTURE(good.figures.steady_angle);
    CAPTURE(good.figures.limit_cycle);
    CHECK(keeps(bounds, good));
    const ControlRun bad = run(flipped, bounds.law);
    CHECK_FALSE(keeps(bounds, bad));
    CHECK(bad.ended.find("from its plan") != std::string::npos);
    // what comes to no end is not steady
    CHECK(std::isnan(bad.figures.steady_position));
    CHECK(std::isnan(bad.figures.limit_cycle));
    CHECK(std::isnan(bad.figures.settling));
  }
}

TEST_CASE("no law swings at rest on an arm whose hand is much lighter about some axes than others") {
  const Description robot = *load_robot("ur5");
  ControlExperiment e = experiment(TaskKind::line, robot);
  e.model_error = 0.1;
  const ControlSetting s = setting(e, robot);
  for (const ControlLawRow& row : control_laws()) {
    CAPTURE(row.name);
    CHECK(run(s, row.name).figures.limit_cycle < most_cycle);
  }
}

TEST_CASE("a hand has settled only when its angle has, too") {
  ControlExperiment e = experiment(TaskKind::line);
  e.delay = 0.5e-3;
  e.model_error = 0.1;
  // a spring that is weak about some axes
  ControlSetting s = setting(e);
  const auto dynamics = make_controller_model(ControllerKind::full, s.model, e.task.start);
  s.experiment.impedance = natural_impedance(s.model, s.tool, *dynamics, e.task.start, e.gains);
  const ControlFigures askew = run(s, "impedance").figures, straight = run(s, "computed-torque").figures;
  CHECK(askew.steady_position < straight.steady_position);
  CHECK(askew.steady_angle > 1e-3);
  CHECK(std::isinf(askew.settling));
  CHECK(straight.settling < 0.1);
  // the greatest of one joint, so that it is below the peak of one
  CHECK(straight.rms_torque < straight.peak_torque);
  CHECK_FALSE(straight.swings());
}

TEST_CASE("at the wall an impedance gives way as its spring and the wall's say, and stiff laws push harder") {
  ControlExperiment e = experiment(TaskKind::contact);
  e.impedance_bandwidth = 0.25;
  const ControlSetting s = setting(e);
  const ControlRun soft = run(s, "impedance-force"), stiff = run(s, "computed-torque");
  REQUIRE(soft.ended.empty());
  // five millimetres shared by two springs in series; the tool's is diagonal along its own axes
  const auto dynamics = make_controller_model(ControllerKind::full, s.model, e.task.start);
  const Impedance own = natural_impedance(s.model, s.tool, *dynamics, e.task.start, {e.gains.kp / 16, e.gains.kv / 4});
  const Vec3<double> n = ~s.plan->tool(1).X.R * e.task.wall.normal;
  const double k = e.task.wall.stiffness;
  // behind the wall by d: k d n + K (x - x_d) = 0, n . (x - x_d) = 5 mm - d
  const double compliance = n.x * n.x / own.stiffness[3] + n.y * n.y / own.stiffness[4] + n.z * n.z / own.stiffness[5];
  const double force = 0.005 / (1 / k + compliance);
  CHECK(soft.figures.steady_force == doctest::Approx(force).epsilon(1e-3));
  CHECK(stiff.figures.steady_force > 2 * force);
  CHECK(soft.figures.peak_force < stiff.figures.peak_force);
  CHECK(soft.figures.limit_cycle < most_cycle);
}

TEST_CASE("a payload taken up on the way is carried from then on, and nothing is different before") {
  ControlExperiment e = experiment(TaskKind::payload);
  const ControlSetting s = setting(e);
  e.task.kind = TaskKind::line;
  const ControlRun without = run(setting(e), "computed-torque"), with = run(s, "computed-torque");
  REQUIRE(with.trace.t.size() == without.trace.t.size());
  for (std::size_t k = 0; with.trace.t[k] < 0.3 - 1e-9; ++k)
    CHECK(with.trace.position_error[k] == without.trace.position_error[k]);
  CHECK(with.figures.steady_position > 10 * without.figures.steady_position);
  // at rest the motors hold the loaded arm
  TreeDynamics<double> loaded(s.loaded);
  std::vector<double> hold(6);
  ControlPlan plan = *s.plan;
  loaded.gravity(plan.at(1).q, hold);
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(with.trace.tau[i].back() == doctest::Approx(hold[i]).epsilon(0.05).scale(1));
}

TEST_CASE("without Coriolis terms in the model the error grows with the square of the speed") {
  ControlExperiment e = experiment(TaskKind::line);
  e.limits = false;
  e.task.duration = 1;
  e.rate = 2000;
  const double factors[] = {0.5, 1, 2};
  const ControllerKind kinds[] = {ControllerKind::full, ControllerKind::no_coriolis};
  const auto speeds = run_speeds(e, puma(), *find_control_law("computed-torque"), factors, kinds);
  REQUIRE(speeds);
  REQUIRE(speeds->size() == 3);
  const auto error = [&](std::size_t speed, std::size_t kind) {
    return (*speeds)[speed].runs[kind].figures.peak_position;
  };
  CHECK(std::log2(error(1, 1) / error(0, 1)) == doctest::Approx(2).epsilon(0.1));
  CHECK(std::log2(error(2, 1) / error(1, 1)) == doctest::Approx(2).epsilon(0.2));
  for (std::size_t k = 0; k < 3; ++k) CHECK(error(k, 1) > 10 * error(k, 0));
  CHECK((*speeds)[2].peak_speed == doctest::Approx(2 * (*speeds)[1].peak_speed).epsilon(1e-9));
}

TEST_CASE("a reduced model of one percent is nearly as good as the whole") {
  ControlExperiment e = experiment(TaskKind::line);
  e.model = ControllerKind::reduced;
  const ControlSetting s = setting(e);
  REQUIRE(s.reduced);
  for (const std::string_view law : {"computed-torque", "passivity", "operational-space"}) {
    CAPTURE(law);
    const ControlRun reduced = run(s, law);
    CHECK(reduced.figures.peak_position < 0.2e-3);
    CHECK(reduced.figures.limit_cycle < most_cycle);
  }
}

TEST_CASE("an experiment repeats to the last digit, and another seed is another arm") {
  ControlExperiment e = experiment(TaskKind::arc);
  e.model_error = 0.1;
  const ControlRun one = run(setting(e), "operational-space"), again = run(setting(e), "operational-space");
  CHECK(one.trace.position_error == again.trace.position_error);
  CHECK(one.trace.tau == again.trace.tau);
  e.seed = 2;
  CHECK(run(setting(e), "operational-space").figures.peak_position != one.figures.peak_position);
}

TEST_CASE("an arm that deviates does so within bounds, and remains possible") {
  const Model<double> model = *build(*load_robot("puma560_drives"));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Model<double> other = deviating_model(model, 0.2, seed);
    for (int i = 0; i < model.size(); ++i) {
      const Inertia<double>&a = model[i].inertia, &b = other[i].inertia;
      CHECK(std::abs(b.m - a.m) <= 0.2 * a.m);
      CHECK(norm(mass_centre(b) - mass_centre(a)) <= 0.2 * norm(mass_centre(a)) + 1e-15);
      const Sym3<double> I = tensor_about_centre(a), J = tensor_about_centre(b);
      CHECK(std::abs(J.xx - I.xx) <= (1.2 * 1.2 - 1) * I.xx + 1e-12);
      // one factor for the whole tensor: its axes and its triangle are those of the body
      CHECK(J.yy * I.zz == doctest::Approx(J.zz * I.yy).epsilon(1e-9));
    }
  }
  const Model<double> same = deviating_model(model, 0, 1);
  CHECK(same[1].inertia.I.xx == doctest::Approx(model[1].inertia.I.xx).epsilon(1e-14));
  CHECK(deviating_model(model, 0.1, 7)[2].inertia.m == deviating_model(model, 0.1, 7)[2].inertia.m);
  CHECK(deviating_model(model, 0.1, 7)[2].inertia.m != deviating_model(model, 0.1, 8)[2].inertia.m);
}

TEST_CASE("faults of an experiment are told together, before anything runs") {
  ControlExperiment e = experiment(TaskKind::line);
  e.laws = {"pd", "bang-bang"};
  e.rate = -5;
  e.delay = NAN;
  e.model_error = 2;
  e.impedance.mass = {1, 1, 1, 1, 1, 0};
  const auto s = prepare(e, puma());
  REQUIRE_FALSE(s);
  CHECK(s.faults().size() == 5);
  CHECK(s.faults().front().remedy.find("computed-torque") != std::string::npos);

  e = experiment(TaskKind::line);
  e.tool = "drill";
  CHECK_FALSE(prepare(e, puma()));
  e.tool.clear();
  e.task.way = {9, 0, 0};
  CHECK_FALSE(prepare(e, puma()));
}
