// Every joint position that puts the tool of a PUMA 560 at a pose, each with its label: shoulder, elbow, wrist.
#include <cstdio>
#include <torsor/inverse_kinematics.hpp>

int main() {
  const torsor::InverseKinematics ik(torsor::Robot::load("puma560"));
  const auto solutions = ik.solve({torsor::rotation_y(1.2), {0.5, 0.1, 0.6}});
  for (const auto& s : solutions) {
    std::printf("%s ", s.label.c_str());
    for (const double q : s.q) std::printf("%8.3f%s", q, &q == &s.q.back() ? "\n" : "");
  }
  return solutions.size() == 8 ? 0 : 1;
}
