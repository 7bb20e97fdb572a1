// Two control laws on a PUMA 560 that is not quite the one of their model, against a wall: which of them pushes harder?
#include <cstdio>
#include <torsor/torsor.hpp>

int main() {
  const torsor::Robot robot = torsor::Robot::load("puma560");

  // a line that ends five millimetres behind a wall, found for this robot
  torsor::ControlExperiment experiment;
  const auto task = torsor::default_task(torsor::TaskKind::contact, robot.model(), robot.tool(), {});
  if (!task) return 1;
  experiment.task = *task;
  experiment.laws = {"computed-torque", "impedance"};
  experiment.impedance_bandwidth = 0.25;  // a soft tool
  experiment.rate = 1000;                 // Hz
  experiment.delay = 0.5e-3;              // s
  experiment.model_error = 0.1;           // the arm differs from the model by up to 10 %

  const auto setting = torsor::prepare(experiment, robot.description());
  if (!setting) {
    std::fprintf(stderr, "%s\n", to_string(setting.faults().front()).c_str());
    return 1;
  }
  for (const std::string& law : experiment.laws) {
    const torsor::ControlRun run = torsor::run_law(*setting, *torsor::find_control_law(law));
    std::printf("%-16s %5.1f N at the wall, %4.1f N at most\n", law.c_str(), run.figures.steady_force,
                run.figures.peak_force);
    if (!run.ended.empty()) return 1;
  }
}
