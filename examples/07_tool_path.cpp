// A seven-axis arm moves its tool along a straight line while it keeps to the middle of its joint limits; then a line
// that is too long, and why.
#include <cstdio>
#include <torsor/inverse_kinematics.hpp>
#include <torsor/trajectory.hpp>
#include <torsor/trajectory/path_motion.hpp>

using namespace torsor;

int main() {
  const Robot robot = Robot::load("iiwa14");

  // the first pose with the joints in the middle of their limits, then the line from it
  const Transform<double> first{rotation_y(3.0), {0.5, -0.2, 0.4}};
  const InverseKinematics ik(robot, robot.tool(), {.aim = find_aim("centre")});
  const IkSolutions begin = ik.solve(first, {.near = std::vector<double>{0, 0.5, 0, -1.5, 0, 1, 0}});
  if (begin.empty()) return 1;

  bool as_expected = true;
  for (const double length : {0.4, 2.0}) {
    const std::vector<Transform<double>> poses{first, {first.R, first.p + Vec3<double>{0, length, 0}}};
    const auto motion = pose_motion(poses, 0, *pace("quintic", 2));
    if (!motion) return 2;
    const FollowedPath path = ik.follow(tool_path(*motion, 0.25), begin[0].q);
    std::printf("line of %.1f m: %s\n", length, explanation(path, robot.model()).c_str());
    for (const PathSample& s : path.samples)
      std::printf("  %4.2f s  q4 %7.4f rad  qd4 %7.4f rad/s  least singular value %.3f\n", s.t, s.q[3], s.qd[3],
                  s.smallest_singular_value);
    as_expected = as_expected && path.finished() == (length < 1);
  }
  return as_expected ? 0 : 1;
}
