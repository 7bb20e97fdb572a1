// The same recursion over a recording number: how many operations the torques of a planar two-link arm really need.
#include <cstdio>
#include <torsor/dynamics/inverse_newton_euler.hpp>
#include <torsor/robot.hpp>
#include <torsor/scalar/trace.hpp>
#include <torsor/scalar/trace_count.hpp>
#include <torsor/scalar/trace_passes.hpp>

using namespace torsor;

int main() {
  const Robot robot = Robot::load("two_link");
  Tape tape;
  {
    Recording recording(tape);
    const Model<Trace> model = cast<Trace>(robot.model());
    Configuration<Trace> configuration(model);
    std::vector<Trace> qd, qdd, tau(2);
    for (int i = 0; i < 2; ++i) {
      const std::string n = std::to_string(i + 1);
      configuration[i].c = tape.input("c" + n);
      configuration[i].s = tape.input("s" + n);
      qd.push_back(tape.input("qd" + n));
      qdd.push_back(tape.input("qdd" + n));
    }
    NewtonEulerWork<Trace> work(model);
    inverse_newton_euler<Trace>(model, configuration, qd, qdd, {}, work, tau);
    for (int i = 0; i < 2; ++i) tape.output(tau[i], "tau" + std::to_string(i + 1));
  }
  const auto print = [](const char* name, const OperationCount& c) {
    std::printf("%-28s %4d multiplications %4d additions\n", name, c.multiplications, c.additions);
  };
  print("as executed", count(tape));
  print("structural zeros not counted", count(tape, Rule::structured));
  const Tape small = live(share(fold(tape)));
  print("folded, shared, live", count(small));
  std::printf("%s", to_text(small).c_str());
}
