/* Inverse kinematics and many states at once in C: every way in which a PUMA 560 reaches a pose, with the torques that hold
 * it there; the one nearest to where the arm is, and how its joints move while the tool goes straight down. */
#include <stdio.h>
#include <torsor/torsor.h>

enum { joints = 6 };

static int fail(void) { return fprintf(stderr, "%s\n", torsor_error_message()), 2; }

int main(void) {
  torsor_robot* robot = NULL;
  torsor_ik* ik = NULL;
  if (torsor_load("puma560", &robot) != TORSOR_OK) return fail();
  const int tool = torsor_frame_count(robot) - 1;
  if (torsor_ik_create(robot, tool, &ik) != TORSOR_OK) return fail();

  /* a pose that the arm can reach: the one it has */
  const double q[joints] = {0.3, 0.6, -0.4, 0.2, 0.9, -0.5};
  double position[3], rotation[9];
  if (torsor_kinematics(robot, q, tool, position, rotation) != TORSOR_OK) return fail();

  double all[TORSOR_IK_CAPACITY * joints], tau[TORSOR_IK_CAPACITY * joints];
  torsor_ik_solution about[TORSOR_IK_CAPACITY];
  int count = 0;
  if (torsor_ik_solve(ik, position, rotation, TORSOR_IK_CAPACITY, all, about, &count) != TORSOR_OK) return fail();
  if (torsor_inverse_rows(robot, (size_t)count, all, NULL, NULL, tau) != TORSOR_OK) return fail();
  printf("%d solutions; torques at shoulder and elbow (N m)\n", count);
  for (int k = 0; k < count; ++k)
    printf("  %s  %8.3f %8.3f%s\n", about[k].label, tau[k * joints + 1], tau[k * joints + 2],
           about[k].state == TORSOR_IK_OUTSIDE_LIMITS ? "  outside limits" : "");

  double nearest[joints], qd[joints];
  const double down[6] = {0, 0, 0, 0, 0, -0.1};
  if (torsor_ik_nearest(ik, position, rotation, q, nearest, about) != TORSOR_OK) return fail();
  if (torsor_ik_rates(ik, 0, down, NULL, qd, NULL) != TORSOR_OK) return fail();
  printf("nearest is %s; down at 0.1 m/s:", about[0].label);
  for (int k = 0; k < joints; ++k) printf(" %.3f", qd[k]);
  printf(" rad/s\n");

  /* out of reach: how far */
  const double far[3] = {2, 0, 0};
  double missing = 0;
  const torsor_status status = torsor_ik_solve(ik, far, rotation, 0, NULL, NULL, &count);
  if (status != TORSOR_NO_SOLUTION || torsor_ik_unreached(ik, NULL, NULL, &missing) != TORSOR_OK) return fail();
  printf("2 m ahead: %s, by %.3f m\n", torsor_status_text(status), missing);
  torsor_ik_free(ik);
  torsor_free(robot);
  return 0;
}
