/* The C interface as a C99 program sees it. PUMA values are those of tests/golden/puma560.json, state 5, computed
 * outside Torsor; the two-link arm has a closed form. Returns 0 when every check holds. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <torsor/torsor.h>

static int checks = 0, failures = 0;

#define CHECK(condition) check((condition) ? 1 : 0, #condition, __LINE__)

static void check(int good, const char* text, int line) {
  ++checks;
  if (good) return;
  ++failures;
  fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, line, text);
}

/* The largest difference, over the largest number expected. */
static double disagreement(const double* given, const double* expected, int count) {
  double difference = 0, scale = 0;
  for (int k = 0; k < count; ++k) {
    difference = fmax(difference, fabs(given[k] - expected[k]));
    scale = fmax(scale, fabs(expected[k]));
  }
  return difference / scale;
}

static torsor_robot* load(const char* name) {
  torsor_robot* robot = NULL;
  CHECK(torsor_load(name, &robot) == TORSOR_OK);
  CHECK(strcmp(torsor_error_message(), "") == 0);
  return robot;
}

static torsor_status load_text(const char* text, torsor_robot** robot) {
  return torsor_load_text(text, strlen(text), robot);
}

static const double puma_q[] = {
    -2.55731554794478,  -1.658461763756964,  -1.9130248130389873,
    1.9704376595260378, -0.7990946429055983, 0.5737862497120236,
};
static const double puma_qd[] = {
    -1.8076778207216453, -0.1912772419008113, -0.21398869860811187,
    -1.4358752427218144, 0.14182336135518492, 0.7077173414909392,
};
static const double puma_qdd[] = {
    -0.3366214357407449, -1.8464383526595194, -0.8739470263505646,
    -1.097189929329196,  1.8685527007742841,  0.6467914006719973,
};
static const double puma_tau[] = {
    -2.600084628262255,    -10.705909280627143,   -5.0381329964234745,
    -0.013433823050218377, -0.016465841419318335, 5.225114698484536e-05,
};
static const double puma_h[] = {
    -0.4349117298059025,     1.535660298245527,     0.5230976966806329,
    -0.00022601429922783364, -0.004925778989695011, -2.496072318804939e-05,
};
static const double puma_G[] = {
    0.0, -6.111370488743014, -3.8715813867841704, -0.007774443200371231, -0.015212031959598343, 0.0,
};
static const double puma_D[] = {
    1.6585667613750523,      0.8127748539534052,      0.12377316395867699,    -0.0011197102986620748,
    0.0004479131063130711,   -3.000515755687492e-05,  0.8127748539534052,     2.8285616759816388,
    0.7206343750533946,      0.0016876118216045636,   -0.0011623482203067194, -2.640990123880164e-05,
    0.12377316395867699,     0.7206343750533946,      0.3608210761251501,     0.0009141532894992192,
    -0.0005453792198944533,  -2.6409901238801622e-05, -0.0011197102986620748, 0.0016876118216045636,
    0.0009141532894992192,   0.0017438485340276347,   1.386601541999159e-20,  2.789423548597051e-05,
    0.0004479131063130711,   -0.0011623482203067194,  -0.0005453792198944533, 1.386601541999159e-20,
    0.0006421599999999998,   1.0587911840678754e-21,  -3.000515755687492e-05, -2.640990123880164e-05,
    -2.6409901238801622e-05, 2.789423548597051e-05,   1.0587911840678754e-21, 3.999999999999999e-05,
};

static void a_robot_tells_what_it_is(void) {
  torsor_robot* robot = load("puma560");
  CHECK(strcmp(torsor_name(robot), "PUMA 560") == 0);
  CHECK(strcmp(torsor_warnings(robot), "") == 0);
  CHECK(torsor_nq(robot) == 6 && torsor_nv(robot) == 6);
  CHECK(strcmp(torsor_position_name(robot, 0), "waist") == 0);
  CHECK(strcmp(torsor_velocity_name(robot, 5), "flange") == 0);
  CHECK(torsor_position_name(robot, 6) == NULL && torsor_position_name(robot, -1) == NULL);

  /* six links, and the last of them again as the tool */
  CHECK(torsor_frame_count(robot) == 7);
  CHECK(strcmp(torsor_frame_name(robot, 0), "trunk") == 0);
  CHECK(torsor_frame_index(robot, "forearm") == 2);
  CHECK(torsor_frame_index(robot, "hand") == 6);
  CHECK(torsor_frame_index(robot, "nose") == -1);
  CHECK(torsor_frame_name(robot, 7) == NULL && torsor_frame_name(robot, -1) == NULL);

  double lower[6], upper[6], velocity[6], effort[6];
  CHECK(torsor_limits(robot, lower, upper, velocity, effort) == TORSOR_OK);
  CHECK(fabs(lower[1] + 0.78539816339744831) < 1e-15 && fabs(upper[1] - 3.9269908169872415) < 1e-15);
  CHECK(isinf(velocity[0]) && effort[0] == 97.6);
  CHECK(torsor_limits(robot, NULL, NULL, NULL, NULL) == TORSOR_OK);
  torsor_free(robot);
  torsor_free(NULL);
  CHECK(strlen(torsor_version()) >= 5);
  CHECK(strcmp(torsor_status_text(TORSOR_SINGULAR), torsor_status_text(TORSOR_OK)) != 0);
  CHECK(torsor_status_text((torsor_status)99) != NULL);
}

static void the_puma_has_its_golden_dynamics(void) {
  torsor_robot* robot = load("puma560");
  double tau[6], mass[36], bias[6], qdd[6];
  CHECK(torsor_inverse(robot, puma_q, puma_qd, puma_qdd, tau) == TORSOR_OK);
  CHECK(disagreement(tau, puma_tau, 6) < 1e-12);
  CHECK(torsor_gravity(robot, puma_q, tau) == TORSOR_OK);
  CHECK(disagreement(tau, puma_G, 6) < 1e-12);
  CHECK(torsor_mass(robot, puma_q, mass) == TORSOR_OK);
  CHECK(disagreement(mass, puma_D, 36) < 1e-12);
  for (int k = 0; k < 6; ++k) bias[k] = puma_h[k] + puma_G[k];
  CHECK(torsor_bias(robot, puma_q, puma_qd, tau) == TORSOR_OK);
  CHECK(disagreement(tau, bias, 6) < 1e-12);
  CHECK(torsor_forward(robot, puma_q, puma_qd, puma_tau, qdd) == TORSOR_OK);
  CHECK(disagreement(qdd, puma_qdd, 6) < 1e-9);

  /* what is left out is zero; an output may be an input */
  const double zero[6] = {0};
  double other[6];
  CHECK(torsor_inverse(robot, puma_q, NULL, puma_qdd, tau) == TORSOR_OK);
  CHECK(torsor_inverse(robot, puma_q, zero, puma_qdd, other) == TORSOR_OK);
  CHECK(memcmp(tau, other, sizeof tau) == 0);
  CHECK(torsor_forward(robot, puma_q, NULL, NULL, qdd) == TORSOR_OK);
  CHECK(torsor_forward(robot, puma_q, zero, zero, other) == TORSOR_OK);
  CHECK(memcmp(qdd, other, sizeof qdd) == 0);
  memcpy(other, puma_qdd, sizeof other);
  CHECK(torsor_inverse(robot, puma_q, puma_qd, other, other) == TORSOR_OK);
  CHECK(disagreement(other, puma_tau, 6) < 1e-12);
  torsor_free(robot);
}

static void frames_are_where_the_table_says(void) {
  torsor_robot* robot = load("puma560");
  const int tool = torsor_frame_index(robot, "hand"), arm = torsor_frame_index(robot, "upper_arm");
  const double zero[6] = {0};
  const double tool_expected[3] = {0.4318 + 0.0203, -0.15005, 0.67183 + 0.4318};
  const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, tilted[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
  double p[3], R[9];
  CHECK(torsor_kinematics(robot, zero, tool, p, R) == TORSOR_OK);
  CHECK(disagreement(p, tool_expected, 3) < 1e-15);
  CHECK(disagreement(R, upright, 9) < 1e-15);
  CHECK(torsor_kinematics(robot, zero, arm, NULL, R) == TORSOR_OK);
  CHECK(disagreement(R, tilted, 9) < 1e-15);
  CHECK(torsor_kinematics(robot, zero, arm, p, NULL) == TORSOR_OK);

  /* the lower half of the Jacobian is how the origin moves, the upper half how the axes turn: dR = [w] R */
  double J[36], ahead[3], behind[3], R_ahead[9], R_behind[9];
  CHECK(torsor_jacobian(robot, puma_q, tool, J) == TORSOR_OK);
  CHECK(torsor_kinematics(robot, puma_q, tool, p, R) == TORSOR_OK);
  for (int k = 0; k < 6; ++k) {
    double q[6];
    const double h = 1e-5;
    memcpy(q, puma_q, sizeof q);
    q[k] += h;
    CHECK(torsor_kinematics(robot, q, tool, ahead, R_ahead) == TORSOR_OK);
    q[k] -= 2 * h;
    CHECK(torsor_kinematics(robot, q, tool, behind, R_behind) == TORSOR_OK);
    for (int i = 0; i < 3; ++i) {
      CHECK(fabs(J[6 * (3 + i) + k] - (ahead[i] - behind[i]) / (2 * h)) < 1e-9);
      /* w_z = row y of dR times row x of R, and so on around */
      const int a = (i + 1) % 3, b = (i + 2) % 3;
      double w = 0;
      for (int j = 0; j < 3; ++j) w += (R_ahead[3 * b + j] - R_behind[3 * b + j]) / (2 * h) * R[3 * a + j];
      CHECK(fabs(J[6 * i + k] - w) < 1e-9);
    }
  }
  torsor_free(robot);
}

static void what_acts_on_the_robot_can_be_changed(void) {
  torsor_robot *robot = load("two_link"), *copy = NULL;
  const double g = 9.8062, l = 0.85, m1 = 3.7, m2 = 2.3, q[2] = {0.3, 0.5}, c1 = cos(0.3), c12 = cos(0.8);
  const double own[2] = {g * l * ((m1 / 2 + m2) * c1 + m2 / 2 * c12), g * l * m2 / 2 * c12};
  const int tip = torsor_frame_count(robot) - 1;
  double tau[2], with_payload[2], J[12], mass[4], heavy[4];
  CHECK(torsor_gravity(robot, q, tau) == TORSOR_OK);
  CHECK(disagreement(tau, own, 2) < 1e-14);
  CHECK(torsor_mass(robot, q, mass) == TORSOR_OK);

  /* a body at the tip: its weight at its lever, its inertia about the last axis */
  const double m = 1.7, com[3] = {0.1, 0, 0}, inertia[6] = {0.01, 0.02, 0.025, 0.001, -0.002, 0.003};
  const double loaded[2] = {own[0] + m * g * (l * c1 + (l + 0.1) * c12), own[1] + m * g * (l + 0.1) * c12};
  CHECK(torsor_set_payload(robot, tip, m, com, inertia) == TORSOR_OK);
  CHECK(torsor_gravity(robot, q, with_payload) == TORSOR_OK);
  CHECK(disagreement(with_payload, loaded, 2) < 1e-14);
  CHECK(torsor_mass(robot, q, heavy) == TORSOR_OK);
  CHECK(fabs(heavy[3] - mass[3] - (0.025 + m * (l + 0.1) * (l + 0.1))) < 1e-14);

  /* a copy has the payload, and goes its own way */
  CHECK(torsor_clone(robot, &copy) == TORSOR_OK);
  CHECK(torsor_set_payload(robot, tip, 0, NULL, NULL) == TORSOR_OK);
  CHECK(torsor_gravity(robot, q, with_payload) == TORSOR_OK);
  CHECK(memcmp(with_payload, tau, sizeof tau) == 0);
  CHECK(torsor_gravity(copy, q, with_payload) == TORSOR_OK);
  CHECK(disagreement(with_payload, loaded, 2) < 1e-14);
  CHECK(torsor_set_payload(copy, tip, 0, NULL, NULL) == TORSOR_OK);
  CHECK(torsor_gravity(copy, q, with_payload) == TORSOR_OK);
  CHECK(memcmp(with_payload, tau, sizeof tau) == 0);

  /* forces along the tip's axes, turned by q1 + q2, are carried by the joints: tau = own - J^T (moment, force) */
  const double force[3] = {3, -2, 1}, moment[3] = {0.1, 0.2, 0.7}, s12 = sin(0.8);
  const double fx = c12 * force[0] - s12 * force[1], fy = s12 * force[0] + c12 * force[1];
  double pushed[2], expected[2];
  CHECK(torsor_set_wrench(robot, tip, force, moment) == TORSOR_OK);
  CHECK(torsor_gravity(robot, q, pushed) == TORSOR_OK);
  CHECK(torsor_jacobian(robot, q, tip, J) == TORSOR_OK);
  for (int k = 0; k < 2; ++k) expected[k] = own[k] - (J[4 + k] * moment[2] + J[6 + k] * fx + J[8 + k] * fy);
  CHECK(disagreement(pushed, expected, 2) < 1e-14);

  /* the link's frame is another frame of the same body: both wrenches count */
  CHECK(torsor_set_wrench(robot, tip - 1, force, moment) == TORSOR_OK);
  CHECK(torsor_gravity(robot, q, pushed) == TORSOR_OK);
  for (int k = 0; k < 2; ++k) expected[k] = 2 * expected[k] - own[k];
  CHECK(disagreement(pushed, expected, 2) < 1e-14);
  CHECK(torsor_set_wrench(robot, tip, NULL, NULL) == TORSOR_OK);
  CHECK(torsor_set_wrench(robot, tip - 1, NULL, NULL) == TORSOR_OK);
  CHECK(torsor_gravity(robot, q, pushed) == TORSOR_OK);
  CHECK(disagreement(pushed, own, 2) < 1e-14);

  /* twice the gravity, twice the torques; the copy keeps its own */
  const double gravity[3] = {0, -2 * 9.8062, 0};
  CHECK(torsor_set_gravity(robot, gravity) == TORSOR_OK);
  CHECK(torsor_gravity(robot, q, pushed) == TORSOR_OK);
  for (int k = 0; k < 2; ++k) expected[k] = 2 * own[k];
  CHECK(disagreement(pushed, expected, 2) < 1e-14);
  CHECK(torsor_gravity(copy, q, pushed) == TORSOR_OK);
  CHECK(disagreement(pushed, own, 2) < 1e-14);
  torsor_free(copy);
  torsor_free(robot);
}

static void wrong_robots_are_refused_with_reasons(void) {
  torsor_robot* robot = (torsor_robot*)&checks; /* anything but NULL */
  CHECK(torsor_load("puma650", &robot) == TORSOR_BAD_INPUT);
  CHECK(robot == NULL);
  CHECK(strstr(torsor_error_message(), "robot-unknown") != NULL);
  CHECK(strstr(torsor_error_message(), "puma560") != NULL);
  CHECK(torsor_load("/nowhere/arm.toml", &robot) == TORSOR_BAD_INPUT);
  CHECK(strstr(torsor_error_message(), "/nowhere/arm.toml") != NULL);

  /* every fault of a text, each with its line */
  CHECK(load_text("[[link]]\nname = \"a\"\njoint = \"revolut\"\nmass = -1\n", &robot) == TORSOR_BAD_INPUT);
  CHECK(strstr(torsor_error_message(), "text:3: ") != NULL);
  CHECK(strstr(torsor_error_message(), "text:4: ") != NULL);
  CHECK(load_text("", &robot) == TORSOR_BAD_INPUT);
  CHECK(strstr(torsor_error_message(), "file-empty") != NULL);
  CHECK(load_text("<robot name='x'>", &robot) == TORSOR_BAD_INPUT);

  CHECK(torsor_load(NULL, &robot) == TORSOR_BAD_ARGUMENT);
  CHECK(strlen(torsor_error_message()) > 0);
  CHECK(torsor_load("puma560", NULL) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_load_text(NULL, 3, &robot) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_clone(NULL, &robot) == TORSOR_BAD_ARGUMENT);

  /* a text need not end with a zero */
  static const char text[] = "[[link]]\nname = \"a\"\njoint = \"revolute\"\nmass = 1\nnonsense";
  CHECK(torsor_load_text(text, sizeof text - 9, &robot) == TORSOR_OK);
  CHECK(torsor_nv(robot) == 1);
  torsor_free(robot);
  CHECK(load_text("<robot name='u'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' ixy='0' "
                  "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link><joint name='j' type='continuous'>"
                  "<parent link='a'/><child link='b'/></joint></robot>",
                  &robot) == TORSOR_OK);
  CHECK(strcmp(torsor_position_name(robot, 0), "j") == 0);
  torsor_free(robot);
}

/* Each refusal leaves the outputs as they were. */
static void bad_arguments_are_refused_and_nothing_is_written(void) {
  torsor_robot* robot = load("puma560");
  const double good[6] = {0}, bad[6] = {0, 0, NAN, 0, 0, 0}, worse[6] = {0, 0, 0, 0, 0, -INFINITY};
  double out[36], before[36];
  for (int k = 0; k < 36; ++k) before[k] = out[k] = 100 + k;
#define REFUSED(call, status) (CHECK((call) == (status)), CHECK(memcmp(out, before, sizeof out) == 0))
  REFUSED(torsor_inverse(robot, bad, good, good, out), TORSOR_NOT_FINITE);
  REFUSED(torsor_inverse(robot, good, bad, good, out), TORSOR_NOT_FINITE);
  REFUSED(torsor_inverse(robot, good, good, worse, out), TORSOR_NOT_FINITE);
  REFUSED(torsor_gravity(robot, worse, out), TORSOR_NOT_FINITE);
  REFUSED(torsor_bias(robot, good, worse, out), TORSOR_NOT_FINITE);
  REFUSED(torsor_mass(robot, bad, out), TORSOR_NOT_FINITE);
  REFUSED(torsor_forward(robot, bad, good, good, out), TORSOR_NOT_FINITE);
  REFUSED(torsor_forward(robot, good, bad, good, out), TORSOR_NOT_FINITE);
  REFUSED(torsor_forward(robot, good, good, bad, out), TORSOR_NOT_FINITE);
  REFUSED(torsor_kinematics(robot, bad, 0, out, out + 3), TORSOR_NOT_FINITE);
  REFUSED(torsor_jacobian(robot, bad, 0, out), TORSOR_NOT_FINITE);

  /* numbers whose result is too large for a double */
  const double huge[6] = {1e300, 1e300, 1e300, 1e300, 1e300, 1e300};
  REFUSED(torsor_inverse(robot, good, huge, NULL, out), TORSOR_NOT_FINITE);

  REFUSED(torsor_inverse(NULL, good, good, good, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_inverse(robot, NULL, good, good, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_inverse(robot, good, good, good, NULL), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_gravity(NULL, good, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_bias(NULL, good, good, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_mass(NULL, good, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_mass(robot, NULL, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_mass(robot, good, NULL), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_forward(NULL, good, good, good, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_forward(robot, NULL, good, good, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_kinematics(NULL, good, 0, out, out + 3), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_kinematics(robot, good, 7, out, out + 3), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_kinematics(robot, good, -1, out, out + 3), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_kinematics(robot, NULL, 0, out, out + 3), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_kinematics(robot, good, 0, NULL, NULL), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_jacobian(robot, good, 7, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_jacobian(robot, good, 0, NULL), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_limits(NULL, out, out, out, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_neutral_position(NULL, out), TORSOR_BAD_ARGUMENT);
  REFUSED(torsor_neutral_position(robot, NULL), TORSOR_BAD_ARGUMENT);
#undef REFUSED

  /* loads that are refused change nothing */
  double tau[6], again[6];
  const double negative[6] = {1, -1, 1, 0, 0, 0}, triangle[6] = {1, 1, 3, 0, 0, 0}, product[6] = {1, 1, 1, 1.5, 0, 0};
  CHECK(torsor_gravity(robot, puma_q, tau) == TORSOR_OK);
  CHECK(torsor_set_payload(robot, 6, -1, NULL, NULL) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(robot, 6, 1, NULL, negative) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(robot, 6, 1, NULL, triangle) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(robot, 6, 1, NULL, product) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(robot, 6, NAN, NULL, NULL) == TORSOR_NOT_FINITE);
  CHECK(torsor_set_payload(robot, 6, 1, bad, NULL) == TORSOR_NOT_FINITE);
  CHECK(torsor_set_payload(robot, 6, 1, NULL, bad) == TORSOR_NOT_FINITE);
  CHECK(torsor_set_payload(robot, 7, 1, NULL, NULL) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_payload(NULL, 0, 1, NULL, NULL) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_wrench(robot, -1, good, good) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_wrench(robot, 6, bad, good) == TORSOR_NOT_FINITE);
  CHECK(torsor_set_wrench(NULL, 0, good, good) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_gravity(robot, NULL) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_set_gravity(robot, bad) == TORSOR_NOT_FINITE);
  CHECK(torsor_gravity(robot, puma_q, again) == TORSOR_OK);
  CHECK(memcmp(tau, again, sizeof tau) == 0);
  torsor_free(robot);

  CHECK(torsor_nq(NULL) == 0 && torsor_nv(NULL) == 0 && torsor_frame_count(NULL) == 0);
  CHECK(torsor_name(NULL) == NULL && torsor_position_name(NULL, 0) == NULL && torsor_velocity_name(NULL, 0) == NULL);
  CHECK(torsor_frame_name(NULL, 0) == NULL && torsor_frame_index(NULL, "hand") == -1);
}

static void a_coordinate_that_moves_no_mass_is_singular(void) {
  torsor_robot* robot = NULL;
  const double q[2] = {0.2, 0.3};
  double qdd[2] = {7, 8};
  /* a point mass on the axis of the second joint */
  CHECK(load_text("[[link]]\nname = \"a\"\njoint = \"revolute\"\nmass = 1\ncom = [1, 0, 0]\n"
                  "[[link]]\nname = \"b\"\njoint = \"revolute\"\nmass = 1\n",
                  &robot) == TORSOR_OK);
  CHECK(torsor_forward(robot, q, NULL, NULL, qdd) == TORSOR_SINGULAR);
  CHECK(qdd[0] == 7 && qdd[1] == 8);
  const double com[3] = {0.5, 0, 0};
  CHECK(torsor_set_payload(robot, 1, 1, com, NULL) == TORSOR_OK);
  CHECK(torsor_forward(robot, q, NULL, NULL, qdd) == TORSOR_OK);
  torsor_free(robot);
}

static void what_is_doubtful_is_told_and_loaded_all_the_same(void) {
  torsor_robot *robot = NULL, *copy = NULL;
  CHECK(load_text("[[link]]\nname = \"a\"\njoint = \"revolute\"\nmass = 1\ncom = [0.1, 0, 0]\ninertia = [1, 1, 5]\n",
                  &robot) == TORSOR_OK);
  CHECK(strcmp(torsor_error_message(), "") == 0);
  CHECK(strstr(torsor_warnings(robot), "text:") != NULL);
  CHECK(strstr(torsor_warnings(robot), "[triangle]") != NULL);
  CHECK(torsor_clone(robot, &copy) == TORSOR_OK);
  CHECK(strcmp(torsor_warnings(copy), torsor_warnings(robot)) == 0);
  torsor_free(robot);
  torsor_free(copy);
  CHECK(strcmp(torsor_warnings(NULL), "") == 0);
}

static void a_floating_robot_has_one_position_more_than_velocities(void) {
  torsor_robot* robot = load("floating");
  double q[64], tau[64] = {0};
  const int nq = torsor_nq(robot), nv = torsor_nv(robot);
  CHECK(nq == nv + 1 && nq <= 64);
  CHECK(torsor_neutral_position(robot, q) == TORSOR_OK);
  CHECK(q[0] == 1);
  for (int k = 1; k < nq; ++k) CHECK(q[k] == 0);
  CHECK(torsor_gravity(robot, q, tau) == TORSOR_OK);
  q[0] = 0;
  CHECK(torsor_gravity(robot, q, tau) == TORSOR_NOT_FINITE);
  torsor_free(robot);
}

/* Golden numbers again, by derivatives, rows and inverse kinematics; all else is compared with C++ beside this file. */
static void derivatives_rows_and_inverse_kinematics(void) {
  torsor_robot* robot = load("puma560");
  double tau[6], dq[36], dqdd[36], two_q[12], two_tau[12], p[3], R[9], all[48], one[6];
  CHECK(torsor_inverse_derivatives(robot, puma_q, puma_qd, puma_qdd, tau, dq, NULL, dqdd) == TORSOR_OK);
  CHECK(disagreement(tau, puma_tau, 6) < 1e-12);
  CHECK(disagreement(dqdd, puma_D, 36) < 1e-12);
  for (int j = 0; j < 6; ++j) {
    double ahead[6], behind[6], q[6];
    const double h = 1e-6;
    memcpy(q, puma_q, sizeof q);
    q[j] = puma_q[j] + h;
    CHECK(torsor_inverse(robot, q, puma_qd, puma_qdd, ahead) == TORSOR_OK);
    q[j] = puma_q[j] - h;
    CHECK(torsor_inverse(robot, q, puma_qd, puma_qdd, behind) == TORSOR_OK);
    for (int i = 0; i < 6; ++i) CHECK(fabs((ahead[i] - behind[i]) / (2 * h) - dq[6 * i + j]) < 1e-7);
  }

  memcpy(two_q, puma_q, sizeof puma_q);
  memset(two_q + 6, 0, sizeof puma_q);
  CHECK(torsor_inverse_rows(robot, 2, two_q, NULL, NULL, two_tau) == TORSOR_OK);
  CHECK(disagreement(two_tau, puma_G, 6) < 1e-12);

  torsor_energies e, later;
  CHECK(torsor_energy(robot, puma_q, NULL, &e) == TORSOR_OK);
  CHECK(e.kinetic == 0 && e.mass > 0);
  CHECK(torsor_energy(robot, puma_q, puma_qd, &later) == TORSOR_OK);
  double twice = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) twice += puma_qd[i] * puma_D[6 * i + j] * puma_qd[j];
  CHECK(fabs(later.kinetic - twice / 2) < 1e-12 && later.potential == e.potential);

  torsor_ik* ik = NULL;
  torsor_ik_solution about[TORSOR_IK_CAPACITY];
  int count = 0;
  CHECK(torsor_ik_create(robot, torsor_frame_index(robot, "hand"), &ik) == TORSOR_OK);
  CHECK(torsor_kinematics(robot, puma_q, torsor_frame_index(robot, "hand"), p, R) == TORSOR_OK);
  CHECK(torsor_ik_solve(ik, p, R, TORSOR_IK_CAPACITY, all, about, &count) == TORSOR_OK);
  CHECK(count == 8 && strlen(about[0].label) > 0);
  CHECK(torsor_ik_nearest(ik, p, R, puma_q, one, NULL) == TORSOR_OK);
  torsor_ik_free(ik);
  torsor_free(robot);
}

int main(void) {
  a_robot_tells_what_it_is();
  the_puma_has_its_golden_dynamics();
  frames_are_where_the_table_says();
  what_acts_on_the_robot_can_be_changed();
  wrong_robots_are_refused_with_reasons();
  bad_arguments_are_refused_and_nothing_is_written();
  a_coordinate_that_moves_no_mass_is_singular();
  what_is_doubtful_is_told_and_loaded_all_the_same();
  a_floating_robot_has_one_position_more_than_velocities();
  derivatives_rows_and_inverse_kinematics();
  printf("%d checks, %d failed\n", checks, failures);
  return failures > 0;
}
