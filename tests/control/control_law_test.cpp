// Every law alone, against closed forms: what it answers on its plan, how errors die out, what it does at limits and
// near a singular position.
#include "torsor/control/control_law.hpp"

#include <doctest/doctest.h>

#include "tests/support/closed_loop.hpp"
#include "torsor/numeric/ldlt.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

const std::vector<double> from{0.2, 0.6, -1.2, 0.3, 0.7, -0.2}, to{0.7, 0.2, -0.6, -0.3, 1.1, 0.4};

// those whose answer on the plan is the plan's own torque
const std::vector<std::string_view> exact{"feed-forward",      "computed-torque", "passivity", "resolved-acceleration",
                                          "operational-space", "impedance-force", "impedance"};

Model<double> unlimited(const std::string& name) {
  Model<double> model = robot_named(name);
  for (Limits& limits : model.limits) limits.effort = std::numeric_limits<double>::infinity();
  return model;
}

std::vector<double> at_rest(std::span<const double> q) {
  std::vector<double> y(q.begin(), q.end());
  y.resize(2 * q.size());
  return y;
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE(
    "on the plan the laws that know the arm ask for the torques of the plan, and at rest all but PD hold the weight") {
  for (const std::string name : {"puma560", "puma560_drives", "stanford", "ur5"}) {
    const Model<double> model = unlimited(name);
    TreeDynamics<double> tree(model);
    Plan plan(model, from, to, 1);
    std::vector<double> tau(6), expected(6);
    for (const ControlLawRow& row : control_laws()) {
      CAPTURE(name);
      CAPTURE(row.name);
      Controlled controlled(row.name, model, from, {}, {}, {{0, from}, {1, to}});
      const bool knows = std::find(exact.begin(), exact.end(), row.name) != exact.end();
      for (const double t : {0.0, 0.3, 0.5, 1.0}) {
        if (!knows && (row.name == "pd" || (t > 0 && t < 1))) continue;
        const ControlReference reference = plan.at(t);
        tree.inverse(plan.q, plan.qd, plan.qdd, expected);
        controlled.law->effort({t, plan.q, plan.qd, {}}, reference, tau);
        CHECK(largest_difference(tau, expected) < 1e-9);
        CHECK(controlled.law->report().lost < 1e-9);
        CHECK(controlled.law->report().saturated == 0);
      }
    }
  }
}

TEST_CASE("with the true model inside the integrator the hand stays on its plan to 1e-8") {
  const Model<double> model = unlimited("puma560");
  TestArm plant(model);
  for (const std::string_view name : exact) {
    CAPTURE(name);
    Plan plan(model, from, to, 0.5);
    Controlled controlled(name, model, from);
    std::vector<double> y = at_rest(from);
    double position = 0, angle = 0, joints = 0;
    run_inside(plant, *controlled.law, plan, {}, 0.6, 0.02, y, [&](double t, std::span<const double> state) {
      const ControlReference r = plan.at(t);
      const Motion<double> e = pose_error(r.tool.X, plant.tool(state).X);
      position = std::max(position, norm(e.v));
      angle = std::max(angle, norm(e.w));
      joints = std::max(joints, largest_difference(state.first(6), plan.q));
    });
    CHECK(position < 1e-8);
    CHECK(angle < 1e-8);
    CHECK(joints < 1e-8);
  }
}

TEST_CASE(
    "errors die out as the gains say: of the joints under computed torque, of the hand under the laws around it") {
  const Model<double> model = unlimited("puma560");
  const ControlGains gains{400, 30};  // underdamped: e = e0 exp(-15 t) (cos w t + 15/w sin w t), w^2 = 400 - 225
  const double w = std::sqrt(gains.kp - gains.kv * gains.kv / 4);
  const auto decay = [&](double t) {
    return std::exp(-gains.kv / 2 * t) * (std::cos(w * t) + gains.kv / (2 * w) * std::sin(w * t));
  };
  TestArm plant(model);
  std::vector<double> off = from;
  for (std::size_t i = 0; i < 6; ++i) off[i] += i % 2 == 0 ? 0.02 : -0.03;

  SUBCASE("joints") {
    Plan plan(model, from, to, 0.5);
    Controlled controlled("computed-torque", model, from, gains);
    std::vector<double> y = at_rest(off);
    run_inside(plant, *controlled.law, plan, {}, 0.4, 0.05, y, [&](double t, std::span<const double> state) {
      plan.at(t);
      for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(plan.q[i] - state[i] - (from[i] - off[i]) * decay(t)) < 1e-8);
    });
  }
  SUBCASE("tool") {
    for (const std::string_view name : {"resolved-acceleration", "operational-space", "impedance-force"}) {
      CAPTURE(name);
      Plan plan(model, from, to, 0.5);
      Controlled controlled(name, model, from, gains);
      std::vector<double> y = at_rest(off);
      const Vec3<double> e0 = plan.at(0).tool.X.p - plant.tool(y).X.p;
      run_inside(plant, *controlled.law, plan, {}, 0.4, 0.05, y, [&](double t, std::span<const double> state) {
        CHECK(norm(plan.at(t).tool.X.p - plant.tool(state).X.p - e0 * decay(t)) < 1e-8);
      });
    }
  }
  SUBCASE("decoupling follows its wanted value alone, and lags a plan that moves") {
    Plan plan(model, from, from, 1);  // a step: at rest elsewhere
    Controlled controlled("nonlinear-decoupling", model, from, gains);
    std::vector<double> y = at_rest(off);
    const Vec3<double> e0 = plan.at(0).tool.X.p - plant.tool(y).X.p;
    run_inside(plant, *controlled.law, plan, {}, 0.4, 0.05, y, [&](double t, std::span<const double> state) {
      CHECK(norm(plan.at(t).tool.X.p - plant.tool(state).X.p - e0 * decay(t)) < 1e-8);
    });
  }
}

TEST_CASE("under the passivity-based law the energy of the error falls at the stated rate") {
  const Model<double> model = unlimited("puma560");
  Plan plan(model, from, to, 0.5);
  TestArm plant(model);
  const ControlGains gains{400, 40};
  Controlled controlled("passivity", model, from, gains);
  const std::vector<double> inertia = free_inertias(*controlled.dynamics, from);

  // V = s^T M s / 2 and its stated rate, at a state of the loop
  std::vector<double> M(36), s(6);
  const auto energy = [&](double t, std::span<const double> y, double& rate) {
    plan.at(t);
    controlled.dynamics->mass(y.first(6), M);
    for (int i = 0; i < 6; ++i) s[i] = y[6 + i] - plan.qd[i] - gains.kp / gains.kv * (plan.q[i] - y[i]);
    double V = 0;
    rate = 0;
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) V += s[i] * M[cell(i, 6, j)] * s[j] / 2;
      rate -= inertia[i] * gains.kv * s[i] * s[i];
    }
    return V;
  };
  std::vector<double> y = at_rest(from);
  for (std::size_t i = 0; i < 6; ++i) y[i] += 0.2;
  double rate = 0, before = 0, t_before = 0, rate_before = 0;
  before = energy(0, y, rate_before);
  const double first = before;
  run_inside(plant, *controlled.law, plan, {}, 0.3, 2.5e-4, y, [&](double t, std::span<const double> state) {
    const double V = energy(t, state, rate);
    // the trapezoidal rule over 0.25 ms is wrong by the third power of it
    CHECK(V - before == doctest::Approx((t - t_before) * (rate + rate_before) / 2).epsilon(1e-4).scale(1e-9));
    CHECK(V < before);
    before = V;
    t_before = t;
    rate_before = rate;
  });
  CHECK(before < first / 100);
}

TEST_CASE("a redundant arm keeps its hand on the plan while its posture follows the joints' own") {
  const Model<double> model = unlimited("panda");
  const std::vector<double> start{0.1, -0.4, 0.2, -2, 0.1, 1.7, 0.3}, end{0.5, -0.1, -0.2, -1.6, 0.3, 1.9, 0};
  TestArm plant(model);
  for (const std::string_view name : {"operational-space", "resolved-acceleration"}) {
    CAPTURE(name);
    Plan plan(model, start, end, 0.5);
    Controlled controlled(name, model, start);
    std::vector<double> y = at_rest(start);
    // moved in the null space alone, as far as that is straight: the tool hardly notices, and the posture comes back
    ControlledTool tool(model, model.frames.back());
    tool.set(start, std::vector<double>(7));
    tool.factor();
    std::vector<double> aside(7, 0.3);
    tool.resolve({}, aside);
    for (std::size_t i = 0; i < 7; ++i) y[i] += aside[i];
    const double moved = largest_difference(std::span(y).first(7), start);
    REQUIRE(moved > 0.01);
    run_inside(plant, *controlled.law, plan, {}, 0.6, 0.05, y, [](double, std::span<const double>) {});
    const ControlReference r = plan.at(0.6);
    CHECK(norm(pose_error(r.tool.X, plant.tool(y).X).v) < 1e-6);
    CHECK(largest_difference(std::span(y).first(7), plan.q) < 1e-4);
  }
}

TEST_CASE("operational space divides the work by inertia: the posture's efforts do not accelerate the hand") {
  const Model<double> model = unlimited("iiwa14");
  const std::vector<double> q{0.1, 0.6, -0.3, -1.2, 0.4, 0.9, 0.2}, at_zero(7);
  Plan here(model, q, q, 1);
  std::vector<double> elsewhere = q;
  for (std::size_t i = 0; i < 7; ++i) elsewhere[i] += 0.2 * (i % 2 == 0 ? 1 : -1);
  Controlled controlled("operational-space", model, q);
  ControlReference r = here.at(0);
  TreeDynamics<double> tree(model);
  std::vector<double> tau(7), qdd(7), one(7), other(7);
  FrameMotions motions(model);
  const auto tool_acceleration = [&](std::span<const double> posture) {
    r.q = posture;
    controlled.law->effort({0, q, at_zero, {}}, r, tau);
    REQUIRE(tree.forward(q, at_zero, tau, qdd) < 0);
    motions.set(model, q, at_zero, qdd);
    const FrameMotion m = motions.of(model.frames.back());
    return norm(m.a) + norm(m.wd);
  };
  CHECK(tool_acceleration(elsewhere) < 1e-8);
  CHECK(largest_difference(qdd, at_zero) > 10);  // the posture does move
  // and the tool pushes with the force it is told to: tau changes by J^T f
  one = tau;
  r.push = {{0, 0, 0}, {0, 0, -20}};
  controlled.law->effort({0, q, at_zero, {}}, r, other);
  ControlledTool tool(model, model.frames.back());
  tool.set(q, at_zero);
  for (int i = 0; i < 7; ++i) CHECK(other[i] - one[i] == doctest::Approx(-20 * tool.J()[cell(5, 7, i)]).scale(10));
}

TEST_CASE("efforts end at the limits of the joints, and the joints that are cut are counted") {
  Model<double> model = robot_named("puma560");
  for (const ControlLawRow& row : control_laws()) {
    CAPTURE(row.name);
    Plan plan(model, from, from, 1);
    Controlled controlled(row.name, model, from, {}, {}, {{0, from}});
    std::vector<double> far = from, tau(6);
    for (double& x : far) x += 1.0;
    controlled.law->effort({0, far, std::vector<double>(6), {}}, plan.at(0), tau);
    int at_limit = 0;
    for (int i = 0; i < 6; ++i) {
      CHECK(std::abs(tau[i]) <= model.limits[i].effort);
      at_limit += std::abs(tau[i]) == model.limits[i].effort ? 1 : 0;
    }
    CHECK(at_limit > 0);
    CHECK(controlled.law->report().saturated == at_limit);
  }
}

TEST_CASE("at a singular position efforts stay bounded, and what the hand gives up is told") {
  const Model<double> model = unlimited("puma560");
  std::vector<double> q = from, tau(6), before(6);
  q[4] = 0;  // the wrist is straight: no turning about the axis across joints 4 and 6
  const std::vector<double> at_zero(6);
  const auto check = [&](std::string_view name, const Impedance& impedance, double acceleration) {
    CAPTURE(name);
    Controlled controlled(name, model, from, {}, impedance);
    Plan plan(model, q, q, 1);
    ControlReference r = plan.at(0);
    // a turn of 0.1 rad that is lost: across the axes of joints 5 and 6, which the tool's y and z are along
    const Mat3<double> R = r.tool.X.R;
    r.tool.X.R = rotation_about(R.x, 0.1) * R;
    r.tool.acceleration.w = R.x * acceleration;
    controlled.law->effort({0, q, at_zero, {}}, r, tau);
    CHECK(controlled.law->report().lost > 0.1);
    CHECK(controlled.law->report().smallest_singular_value < 1e-9);
    for (const double x : tau) CHECK(std::abs(x) < 1000);
    // and nothing jumps on the way through
    before = tau;
    q[4] = 1e-6;
    controlled.law->effort({0, q, at_zero, {}}, r, tau);
    CHECK(largest_difference(tau, before) < 0.1);
    q[4] = 0;
  };
  for (const ControlLawRow& row : control_laws())
    if (row.tool && row.name != "resolved-rate-interpolated") check(row.name, {}, 0);
  // a chosen spring is a force, of which nothing is lost: an acceleration of the plan is
  Impedance chosen;
  chosen.mass.fill(1);
  chosen.damping.fill(20);
  chosen.stiffness.fill(100);
  check("impedance", chosen, 100);
}

TEST_CASE("a hand with a chosen impedance answers a step of force as the second-order system that was asked for") {
  const Model<double> model = unlimited("puma560");
  TestArm plant(model);
  Impedance chosen;
  for (std::size_t i = 0; i < 6; ++i) {
    chosen.mass[i] = i < 3 ? 0.4 : 8;
    chosen.damping[i] = chosen.mass[i] * 12;
    chosen.stiffness[i] = chosen.mass[i] * 160;
  }
  for (int axis = 0; axis < 3; ++axis) {
    Plan plan(model, from, from, 1);
    Controlled controlled("impedance-force", model, from, {}, chosen);
    std::vector<double> y = at_rest(from);
    const Vec3<double> p0 = plant.tool(y).X.p;
    Force<double> push;
    (axis == 0 ? push.f.x : axis == 1 ? push.f.y : push.f.z) = 10;
    const double h = 0.01;
    std::vector<double> x{0};
    run_inside(plant, *controlled.law, plan, push, 0.8, h, y, [&](double, std::span<const double> state) {
      const Vec3<double> way = plant.tool(state).X.p - p0;
      x.push_back(axis == 0 ? way.x : axis == 1 ? way.y : way.z);
    });
    // x_k+1 - x_f = a (x_k - x_f) - b (x_k-1 - x_f), least squares in a, b: z^2 - a z + b = 0 has the poles exp(s h)
    const double final_value = 10 / chosen.stiffness[3];
    double cc = 0, cd = 0, dd = 0, ce = 0, de = 0;
    for (std::size_t k = 1; k + 1 < x.size(); ++k) {
      const double c = x[k] - final_value, d = -(x[k - 1] - final_value), e = x[k + 1] - final_value;
      cc += c * c;
      cd += c * d;
      dd += d * d;
      ce += c * e;
      de += d * e;
    }
    const double det = cc * dd - cd * cd, a = (ce * dd - de * cd) / det, b = (cc * de - cd * ce) / det;
    const double real = std::log(b) / (2 * h), imaginary = std::acos(a / (2 * std::sqrt(b))) / h;
    CHECK(real == doctest::Approx(-6).epsilon(0.01));
    CHECK(imaginary == doctest::Approx(std::sqrt(160.0 - 36.0)).epsilon(0.01));
    CHECK(x.back() == doctest::Approx(final_value).epsilon(0.02));
  }
}

TEST_CASE(
    "without a force sensor the hand accelerates by its own inertia under spring, damper and the force from outside") {
  const Model<double> model = unlimited("puma560");
  TestArm plant(model);
  Random random(6);
  Impedance chosen;
  for (std::size_t i = 0; i < 6; ++i) {
    chosen.stiffness[i] = random.uniform(10, 1000);
    chosen.damping[i] = random.uniform(1, 100);
    chosen.mass[i] = 1;  // not used: the arm's own
  }
  Controlled controlled("impedance", model, from, {}, chosen);
  Plan plan(model, from, to, 1);
  const ControlReference r = plan.at(0.4);
  ControlledTool tool(model, model.frames.back());
  for (int k = 0; k < 20; ++k) {
    std::vector<double> y = plan.q, tau(6), dy(12), M(36), column(6);
    for (double& x : y) x += random.uniform(-0.05, 0.05);
    for (int i = 0; i < 6; ++i) y.push_back(random.uniform(-1, 1));
    const std::span<const double> q = std::span(y).first(6), qd = std::span(y).subspan(6);
    const Force<double> f_e = random.force(20);
    controlled.law->effort({0.4, q, qd, f_e}, r, tau);
    plant.slope(y, tau, f_e, dy);
    tool.set(q, qd);

    // L (xdd - xdd_d) = f_e + K1 (xd_d - xd) + K2 (x_d - x), with L^-1 = J M^-1 J^T
    // K1 and K2 are diagonal along the axes of the wanted tool
    const Motion<double> e = pose_error(r.tool.X, tool.X), ed = r.tool.twist - tool.twist;
    const auto in_hand = [&](const Motion<double>& m) {
      const Vec3<double> w = ~r.tool.X.R * m.w, v = ~r.tool.X.R * m.v;
      return std::array<double, 6>{w.x, w.y, w.z, v.x, v.y, v.z};
    };
    const std::array<double, 6> x = in_hand(e), xd = in_hand(ed);
    std::array<double, 6> out{};
    for (std::size_t j = 0; j < 6; ++j) out[j] = chosen.stiffness[j] * x[j] + chosen.damping[j] * xd[j];
    const Vec3<double> n = f_e.n + r.tool.X.R * Vec3<double>{out[0], out[1], out[2]},
                       f = f_e.f + r.tool.X.R * Vec3<double>{out[3], out[4], out[5]};
    out = {n.x, n.y, n.z, f.x, f.y, f.z};
    controlled.dynamics->mass(q, M);
    ldlt_factor<double>(M, 6);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) column[i] += tool.J()[cell(j, 6, i)] * out[j];
    ldlt_solve<double>(M, 6, column);
    const Motion<double>&drift = tool.drift, &a_d = r.tool.acceleration;
    const std::array<double, 6> c{drift.w.x, drift.w.y, drift.w.z, drift.v.x, drift.v.y, drift.v.z},
        planned{a_d.w.x, a_d.w.y, a_d.w.z, a_d.v.x, a_d.v.y, a_d.v.z};
    for (int i = 0; i < 6; ++i) {
      double a = c[i], expected = planned[i];
      for (int j = 0; j < 6; ++j) {
        a += tool.J()[cell(i, 6, j)] * dy[6 + j];
        expected += tool.J()[cell(i, 6, j)] * column[j];
      }
      CHECK(a == doctest::Approx(expected).epsilon(1e-8).scale(100));
    }
  }
}

TEST_CASE("a robot whose joints have more than one degree of freedom is refused in a sentence, others are not") {
  CHECK(control_refusal(robot_named("floating")).find("more than one degree of freedom") != std::string::npos);
  for (const char* name : {"puma560", "panda", "two_link", "scara", "stanford"})
    CHECK(control_refusal(robot_named(name)).empty());
}
