// Will the motor of a data sheet move the shoulder of a PUMA 560 through a pick-and-place all day, and which gear suits it?
#include <cstdio>
#include <torsor/torsor.hpp>

using namespace torsor;

int main() {
  const auto robot = Robot::try_load("puma560_drives");
  const auto sheet = read_drive_toml(R"(
[[motor]]
name = "200 W servo"
rated_torque = 0.64
rated_speed_rpm = 3000
peak_torque = 1.91
max_speed_rpm = 5000
rotor_inertia_kgcm2 = 0.26

[[drive]]
joint = "shoulder"
motor = "200 W servo"
efficiency = 0.85
)",
                                     "motors.toml");
  if (!robot || !sheet) return 2;
  const Robot load(without_rotors(robot->description()));
  const auto drives = assign_drives(*sheet, robot->description(), robot->model());
  if (!drives) return 2;

  // eight seconds of work and two of rest
  Sizing sizing({robot->model(), load.model(), {}, *drives, ratio_steps(20, 400, 100)});
  const auto motion = pick_and_place_puma560();
  const SizingError error = size(sizing, motion);
  std::vector<double> q(6), rate(6);
  motion.sample(motion.duration(), q, rate, rate);
  size_rest(sizing, q, motion.duration(), 2.0, false);

  const std::size_t shoulder = 1;
  const Motor& motor = sheet->motors[0];
  const MotorUse& use = sizing.motor(shoulder);
  std::printf("joint: peak %.2f N m at %.2f s, rms %.2f N m, %.1f J taken, %.1f J returned (good to %.0e J)\n",
              sizing.joint(1).torque.value, sizing.joint(1).torque.time, sizing.joint(1).rms_torque(),
              sizing.joint(1).energy_taken(), sizing.joint(1).energy_returned(), error.energy);
  std::printf("motor: %s\n", verdict(use, motor).c_str());
  for (const auto& [low, high] : fitting_ratios(sizing.ratios(), sizing.sweep(shoulder), motor))
    std::printf("gears from %.0f to %.0f would do; rms torque is least at %.0f\n", low, high,
                sizing.best_ratio(shoulder));
  return use.fits(motor) && error.settled ? 0 : 1;
}
