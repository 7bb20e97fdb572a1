#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/drives/sizing.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "torsor/dynamics/energy.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/trajectory/pick_and_place.hpp"

using namespace torsor;

namespace {

/// A robot, the same without rotors, its drives and the sizing of it all.
struct Bench {
  Description description;
  Model<double> robot, load;
  Sizing sizing;

  Bench(const Description& d, const DriveSheet& sheet, std::vector<double> ratios)
      : description(d),
        robot(*build(d)),
        load(*build(without_rotors(d))),
        sizing(SizingSetup{robot, load, {}, *assign_drives(sheet, d, robot), std::move(ratios)}) {}
};

Description disc(double friction, double rotor, double gear, const std::string& more = "") {
  return *read_robot_toml(
      fmt::format(
          "name = \"disc\"\nconvention = \"placement\"\n[[link]]\nname = \"disc\"\njoint = \"revolute\"\nmass = 4\n"
          "inertia = [0.25, 0.25, 0.5]\nfriction = {{ viscous = {}, coulomb = {} }}\n"
          "rotor = {{ inertia = {}, gear = {} }}\n{}",
          0.2 * friction, 0.3 * friction, rotor, gear, more),
      "disc.toml");
}

constexpr double J_disc = 0.5, J_rotor = 1e-4, gear = 50, a = 4, ramp = 0.3, cruise = 0.7, V = a * ramp;
constexpr double T = 2 * ramp + cruise;

/// Speed is a trapezoid; the jumps of acceleration lie at no particular part of the duration.
void trapezoid(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
  const double left = T - t;
  qdd[0] = t < ramp ? a : left < ramp ? -a : 0;
  qd[0] = t < ramp ? a * t : left < ramp ? a * left : V;
  q[0] = t < ramp ? a * t * t / 2 : left < ramp ? V * (ramp + cruise) - a * left * left / 2 : V * (t - ramp / 2);
}

/// Integral of (k + m s)^2 from 0 to h.
double square(double k, double m, double h) { return k * k * h + k * m * h * h + m * m * h * h * h / 3; }

const Motor sized_servo{"servo", "", {{0, 300, 400}, {0.2, 0.2, 0.1}}, {{0, 300}, {0.07, 0.07}}, J_rotor, 0.1, 0.5};

}  // namespace

TEST_CASE(
    "a disc with friction under a trapezoid of speed: peaks, rms and energies are those of the hand calculation") {
  Bench bench(disc(1, J_rotor, gear), {}, {});
  const SizingError error = size(bench.sizing, {1, T, trapezoid});
  CHECK(error.settled);
  CHECK(error.energy < 1e-8);
  const double J = J_disc + gear * gear * J_rotor, c = 0.2, C = 0.3, way = V * (ramp + cruise);
  const double up = J * a + C, down = -J * a + c * V + C;
  const ShaftDemand& joint = bench.sizing.joint(0);
  CHECK(joint.torque.value == doctest::Approx(J * a + c * V + C).epsilon(1e-9));
  CHECK(joint.torque.time == doctest::Approx(ramp).epsilon(1e-9));
  CHECK(joint.speed.value == doctest::Approx(V).epsilon(1e-12));
  CHECK(joint.power.value == doctest::Approx((J * a + c * V + C) * V).epsilon(1e-9));
  CHECK(joint.braking.value == doctest::Approx(down * V).epsilon(1e-9));
  CHECK(joint.mean_speed() == doctest::Approx(way / T).epsilon(1e-11));
  const double squares = square(up, c * a, ramp) + (c * V + C) * (c * V + C) * cruise + square(down, -c * a, ramp);
  CHECK(joint.rms_torque() == doctest::Approx(std::sqrt(squares / T)).epsilon(1e-10));
  // the net energy is what friction takes; what comes back is the brake's work, friction all the while
  const double lost = c * (2 * a * a * ramp * ramp * ramp / 3 + V * V * cruise) + C * way;
  const double back = -(down * V * ramp - (down + c * V) * a * ramp * ramp / 2 + c * a * a * ramp * ramp * ramp / 3);
  CHECK(joint.net_energy() == doctest::Approx(lost).epsilon(1e-10));
  CHECK(joint.energy_returned() == doctest::Approx(back).epsilon(1e-9));
  CHECK(bench.sizing.total().net_energy() == doctest::Approx(lost).epsilon(1e-10));

  // the motor has the same power at another speed
  const ShaftDemand& motor = bench.sizing.motor(0).shaft;
  CHECK(motor.torque.value == doctest::Approx(joint.torque.value / gear).epsilon(1e-12));
  CHECK(motor.speed.value == doctest::Approx(V * gear).epsilon(1e-12));
  CHECK(motor.energy_returned() == doctest::Approx(back).epsilon(1e-9));
  // through the gear goes what the rotor does not take
  CHECK(bench.sizing.gear(0).torque.value == doctest::Approx(J_disc * a + c * V + C).epsilon(1e-9));
}

TEST_CASE("the mean torque of a gear is weighted with the way and the cube of the torque") {
  Bench bench(disc(0, J_rotor, gear), {}, {});
  size(bench.sizing, {1, T, trapezoid});
  // torque J a while it speeds up and slows down, none on the cruise
  const double moved = V * ramp, way = V * (ramp + cruise);
  CHECK(bench.sizing.gear(0).gear_torque() == doctest::Approx(J_disc * a * std::cbrt(moved / way)).epsilon(1e-10));
}

TEST_CASE("a gear with losses costs more while it drives and holds back less while it brakes") {
  DriveSheet sheet{{sized_servo}, {{"disc", 0, {}, 0.8, {}}}};
  Bench bench(disc(1, 0.123, gear), sheet, {});  // the motor's rotor takes the place of the robot's
  size(bench.sizing, {1, T, trapezoid});
  const double c = 0.2, C = 0.3, eta = 0.8, rotor = J_rotor * gear * a;
  const double up = rotor + (J_disc * a + C) / gear / eta, slope = c * a / gear;
  const double steady = (c * V + C) / gear / eta, down = -rotor + eta * (-J_disc * a + c * V + C) / gear;
  const MotorUse& use = bench.sizing.motor(0);
  CHECK(use.shaft.torque.value == doctest::Approx(up + slope / eta * ramp).epsilon(1e-9));
  const double squares = square(up, slope / eta, ramp) + steady * steady * cruise + square(down, -slope * eta, ramp);
  CHECK(use.shaft.rms_torque() == doctest::Approx(std::sqrt(squares / T)).epsilon(1e-10));
  // copper: R (tau/k)^2
  CHECK(*use.copper_loss(sized_servo) == doctest::Approx(0.5 * squares / 0.01).epsilon(1e-10));
  CHECK(use.of_peak.value == doctest::Approx((up + slope / eta * ramp) / 0.2).epsilon(1e-9));
  CHECK(use.of_speed(sized_servo) == doctest::Approx(V * gear / 400).epsilon(1e-12));
  CHECK(use.of_continuous(sized_servo) == doctest::Approx(std::sqrt(squares / T) / 0.07).epsilon(1e-10));
  CHECK(use.fits(sized_servo));
  CHECK(verdict(use, sized_servo).starts_with("fits: "));
}

TEST_CASE(
    "standing still belongs to the cycle: it cools a motor that holds nothing, and heats one that holds a weight") {
  Bench flat(disc(0, J_rotor, gear), {}, {});
  size(flat.sizing, {1, T, trapezoid});
  const double before = flat.sizing.joint(0).rms_torque();
  size_rest(flat.sizing, std::array{0.0}, T, 2.0, false);
  CHECK(flat.sizing.time() == doctest::Approx(T + 2));
  CHECK(flat.sizing.joint(0).rms_torque() == doctest::Approx(before * std::sqrt(T / (T + 2))).epsilon(1e-12));

  // an arm of 4 kg at 0.1 m, held out
  const std::string turned = "com = [0.1, 0, 0]\n[base]\nrpy_deg = [90, 0, 0]\n";
  for (const bool braked : {false, true}) {
    Bench arm(disc(0, J_rotor, gear, turned), {}, {});
    size_rest(arm.sizing, std::array{0.0}, 0, 1, braked);
    CHECK(arm.sizing.joint(0).rms_torque() == doctest::Approx(braked ? 0 : 4 * 0.1 * 9.81));
    CHECK(arm.sizing.joint(0).energy_taken() == 0);
  }
}

TEST_CASE("for an inertia the best ratio is sqrt(J_load / J_rotor), and the sweep has its least rms torque there") {
  const double best = std::sqrt(J_disc / J_rotor);
  Bench bench(disc(0, J_rotor, gear), {}, {best * 0.98, best, best * 1.02});
  size(bench.sizing, {1, T, trapezoid});
  CHECK(bench.sizing.best_ratio(0) == doctest::Approx(best).epsilon(1e-11));
  const auto sweep = bench.sizing.sweep(0);
  REQUIRE(sweep.size() == 3);
  CHECK(sweep[1].shaft.rms_torque() < sweep[0].shaft.rms_torque());
  CHECK(sweep[1].shaft.rms_torque() < sweep[2].shaft.rms_torque());
  CHECK(sweep[1].shaft.rms_torque() ==
        doctest::Approx(2 * std::sqrt(J_disc * J_rotor) * a * std::sqrt(2 * ramp / T)).epsilon(1e-10));
}

TEST_CASE("each ratio of a sweep is what the robot built with that gear has, gravity, friction and all") {
  const std::string turned = "com = [0.1, 0, 0]\n[base]\nrpy_deg = [90, 0, 0]\n";
  const std::vector<double> ratios = ratio_steps(5, 200, 40);
  CHECK(ratios.front() == 5);
  CHECK(ratios.back() == 200);
  Bench bench(disc(1, J_rotor, gear, turned), {}, ratios);
  size(bench.sizing, {1, T, trapezoid});
  std::size_t least = 0;
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    const ShaftDemand& swept = bench.sizing.sweep(0)[k].shaft;
    if (swept.rms_torque() < bench.sizing.sweep(0)[least].shaft.rms_torque()) least = k;
    Bench built(disc(1, J_rotor, ratios[k], turned), {}, {});
    size(built.sizing, {1, T, trapezoid});
    const ShaftDemand& motor = built.sizing.motor(0).shaft;
    CAPTURE(ratios[k]);
    CHECK(swept.torque.value == doctest::Approx(motor.torque.value).epsilon(2e-6));
    CHECK(swept.rms_torque() == doctest::Approx(motor.rms_torque()).epsilon(1e-9));
    CHECK(swept.speed.value == doctest::Approx(motor.speed.value).epsilon(2e-6));
    CHECK(swept.net_energy() == doctest::Approx(motor.net_energy()).epsilon(1e-9));
  }
  // the closed form lies where the sweep has its least
  REQUIRE(least > 0);
  REQUIRE(least + 1 < ratios.size());
  CHECK(bench.sizing.best_ratio(0) > ratios[least - 1]);
  CHECK(bench.sizing.best_ratio(0) < ratios[least + 1]);
}

TEST_CASE("coupled motors share the power of their joints, and their speeds are the inverse matrix times the joints'") {
  const auto text =
      "name = \"wrist\"\nconvention = \"placement\"\n[[link]]\nname = \"a\"\njoint = \"revolute\"\nmass = 1\n"
      "com = [0.1, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n[[link]]\nname = \"b\"\njoint = { kind = \"revolute\", axis = [0, "
      "1, 0] }\n"
      "mass = 1\ncom = [0.2, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n[[transmission]]\nmotors = [\"left\", \"right\"]\n"
      "joints = [\"a\", \"b\"]\nmatrix = [[0.01, 0.01], [0.02, -0.02]]\nrotor_inertia = [1e-4, 2e-4]\n";
  Bench bench(*read_robot_toml(text, "wrist.toml"), {}, {10});
  const auto motion = [](double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
    const double s = std::sin(2 * t), c = std::cos(2 * t);
    q[0] = s, qd[0] = 2 * c, qdd[0] = -4 * s;
    q[1] = c, qd[1] = -2 * s, qdd[1] = -4 * c;
  };
  double worst = 0;
  const SizingError error = size(bench.sizing, {2, 2, motion}, [&](double, std::span<const double> now) {
    const Sizing& s = bench.sizing;
    const double qd0 = s.speed(now, 0), qd1 = s.speed(now, 1);
    worst = std::max({worst, std::abs(s.motor_speed(now, 0) - (50 * qd0 + 25 * qd1)),
                      std::abs(s.motor_speed(now, 1) - (50 * qd0 - 25 * qd1))});
    const double joints = s.effort(now, 0) * qd0 + s.effort(now, 1) * qd1;
    const double motors =
        s.motor_torque(now, 0) * s.motor_speed(now, 0) + s.motor_torque(now, 1) * s.motor_speed(now, 1);
    worst = std::max({worst, std::abs(joints - motors), std::abs(joints - s.total_power(now))});
  });
  CHECK(error.settled);
  CHECK(worst < 1e-11);
  CHECK(bench.sizing.drives()[1].name == "right");
  CHECK(bench.sizing.sweep(0).empty());
  // without losses, motors given as they are described take no other torque
  DriveSheet same{{}, {}};
  for (const double inertia : {1e-4, 2e-4}) {
    Motor motor = sized_servo;
    motor.rotor_inertia = inertia;
    same.motors.push_back(motor);
  }
  same.motors[0].name = "l";
  same.drives = {{"left", 0, {}, 1, {}}, {"right", 1, {}, 1, {}}};
  Bench replaced(bench.description, same, {});
  size(replaced.sizing, {2, 2, motion});
  for (std::size_t d = 0; d < 2; ++d)
    CHECK(replaced.sizing.motor(d).shaft.rms_torque() ==
          doctest::Approx(bench.sizing.motor(d).shaft.rms_torque()).epsilon(1e-12));
}

TEST_CASE("a rotor that is a body on a turning link feels its link turn, which a sweep of ratios leaves out") {
  const auto robot = [](const std::string& as) {
    return *read_robot_toml(
        "name = \"two\"\nconvention = \"placement\"\n[[link]]\nname = \"a\"\njoint = \"revolute\"\nmass = 1\n"
        "inertia = [0.1, 0.1, 0.1]\n[[link]]\nname = \"b\"\njoint = \"prismatic\"\nmass = 2\ninertia = [0.1, 0.1, "
        "0.1]\n"
        "rotor = { inertia = 1e-3, gear = 200, as = \"" +
            as + "\" }\n",
        "two.toml");
  };
  // a slide along the axis of a turn: the load is weight and mass, the gear is in rad/m
  const auto motion = [](double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
    q[0] = t * t, qd[0] = 2 * t, qdd[0] = 2;
    q[1] = t * t / 2, qd[1] = t, qdd[1] = 1;
  };
  const double m = 2, g = 9.81, n = 200, J = 1e-3;
  for (const bool body : {false, true}) {
    Bench bench(robot(body ? "body" : "diagonal"), {}, {n});
    size(bench.sizing, {2, 1, motion});
    const ShaftDemand& motor = bench.sizing.motor(0).shaft;
    // the body turns with its link, too: J (n qdd_2 + qdd_1)
    CHECK(motor.torque.value == doctest::Approx(m * (g + 1) / n + J * (n + (body ? 2 : 0))).epsilon(1e-12));
    CHECK(motor.speed.value == doctest::Approx(n).epsilon(1e-12));
    CHECK(bench.sizing.gear(0).torque.value == doctest::Approx(m * (g + 1)).epsilon(1e-12));
    // the sweep knows nothing of the link under the rotor
    CHECK(bench.sizing.sweep(0)[0].shaft.torque.value == doctest::Approx(m * (g + 1) / n + J * n).epsilon(1e-12));
  }
}

TEST_CASE("over a pick and place of a PUMA the energies balance with mechanical energy and friction") {
  const auto description = load_robot("puma560_drives");
  REQUIRE(description);
  Bench bench(*description, {}, {});
  const auto motion = pick_and_place_puma560();
  // half way through a move: kinetic energy, too
  const double end = 0.8 * motion.duration() + 0.137;
  const auto sampler = [&](double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
    motion.sample(t, q, qd, qdd);
  };
  const SizingError error = size(bench.sizing, {6, end, sampler});
  CHECK(error.settled);
  std::vector<double> q(6), qd(6), qdd(6), friction(6);
  Configuration<double> configuration(bench.robot);
  EnergyWork<double> work(bench.robot);
  const auto mechanical = [&](double t) {
    motion.sample(t, q, qd, qdd);
    configuration.set(bench.robot, std::span<const double>(q));
    const Energy<double> e = energy<double>(bench.robot, configuration, qd, work);
    return e.kinetic + e.potential;
  };
  const double gained = mechanical(end) - mechanical(0);
  CHECK(std::abs(gained) > 1);
  // what friction takes, by steps of its own
  double lost = 0;
  constexpr int steps = 20000;
  for (int k = 0; k <= steps; ++k) {
    motion.sample(end * k / steps, q, qd, qdd);
    std::ranges::fill(friction, 0.0);
    add_joint_friction<double>(bench.robot, q, qd, 1, friction);
    double power = 0;
    for (int i = 0; i < 6; ++i) power += friction[i] * qd[i];
    lost += power * end / steps * (k == 0 || k == steps ? 0.5 : 1);
  }
  double net = 0, motors = 0;
  for (int k = 0; k < 6; ++k) {
    net += bench.sizing.joint(k).net_energy();
    motors += bench.sizing.motor(static_cast<std::size_t>(k)).shaft.net_energy();
  }
  // the steps of the friction are good to 1e-7
  CHECK(net == doctest::Approx(gained + lost).epsilon(1e-6));
  CHECK(motors == doctest::Approx(net).epsilon(1e-9));
  CHECK(bench.sizing.total().net_energy() == doctest::Approx(net).epsilon(1e-9));
  // on one supply one motor's brake is another's drive
  double taken = 0;
  for (int k = 0; k < 6; ++k) taken += bench.sizing.joint(k).energy_taken();
  CHECK(bench.sizing.total().energy_taken() < taken);
}

TEST_CASE("rows are summed by the trapezoidal rule, and the stated error is of the size of the true one") {
  Bench exact(disc(1, J_rotor, gear), {}, {}), rows(disc(1, J_rotor, gear), {}, {});
  const auto smooth = [](double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
    q[0] = 1 - std::cos(3 * t), qd[0] = 3 * std::sin(3 * t), qdd[0] = 9 * std::cos(3 * t);
  };
  size(exact.sizing, {1, 1, smooth});
  SizingRows sum(rows.sizing);
  MotionRow row{0, {0}, {0}, {0}};
  for (int k = 0; k <= 40; ++k) {
    row.t = k / 40.0;
    smooth(row.t, row.q, row.qd, row.qdd);
    sum.add(row);
  }
  const double off = std::abs(rows.sizing.joint(0).energy_taken() - exact.sizing.joint(0).energy_taken());
  CHECK(off > 1e-4);
  CHECK(sum.error().energy > off / 3);
  CHECK(sum.error().energy < off * 6);
  CHECK(rows.sizing.time() == doctest::Approx(1));
}

TEST_CASE("limits of the robot are compared with the first instant beyond them") {
  Bench bench(disc(0, J_rotor, gear, "limits = { velocity = 0.6, effort = 100 }\n"), {}, {});
  size(bench.sizing, {1, T, trapezoid});
  CHECK(bench.sizing.speed_exceeded(0) == doctest::Approx(0.15).epsilon(1e-2));
  CHECK(std::isinf(bench.sizing.torque_exceeded(0)));
}

TEST_CASE("fitting ratios are ranges, and a verdict says what is too much") {
  const double low = 5, high = 400;
  DriveSheet sheet{{sized_servo}, {}};
  Bench bench(disc(1, J_rotor, gear), sheet, ratio_steps(low, high, 60));
  size(bench.sizing, {1, T, trapezoid});
  const auto ranges = fitting_ratios(bench.sizing.ratios(), bench.sizing.sweep(0), sized_servo);
  REQUIRE(ranges.size() == 1);
  CHECK(ranges[0].first > low);
  // top speed 400 rad/s allows 333
  CHECK(ranges[0].second < 400 / V);
  CHECK(verdict(bench.sizing.sweep(0).front(), sized_servo).find("too weak for the peak") == 0);
  CHECK(verdict(bench.sizing.sweep(0).back(), sized_servo).find("too slow") != std::string::npos);
}
