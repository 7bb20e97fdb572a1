/* A control loop at 1 kHz in C: computed torque on a PUMA 560 that carries a load. The robot is simulated by a second
 * handle; in its place stand the drives and the encoders. Prints how long the computing of a cycle took at worst.
 *
 *   tau = M(q) (qdd_ref + kd (qd_ref - qd) + kp (q_ref - q)) + bias(q, qd): one call of torsor_inverse.
 *
 * The one argument, if given, is the duration in seconds. */
#define _POSIX_C_SOURCE 200809L /* for clock_gettime; NOLINT(bugprone-reserved-identifier) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <torsor/torsor.h>

enum { joints = 6, nanoseconds = 1000000000, period = 1000000 };

static const double start[joints] = {0, 0.8, -0.8, 0, 0.5, 0}, swing[joints] = {0.4, -0.2, 0.3, 0.5, 0.2, -0.6};

/* The reference at time t: every joint swings about its start. */
static void reference(double t, double* q, double* qd, double* qdd) {
  const double w = 6;
  for (int k = 0; k < joints; ++k) {
    q[k] = start[k] + swing[k] * (1 - cos(w * t));
    qd[k] = swing[k] * w * sin(w * t);
    qdd[k] = swing[k] * w * w * cos(w * t);
  }
}

static double microseconds(struct timespec from, struct timespec to) {
  return 1e6 * (double)(to.tv_sec - from.tv_sec) + 1e-3 * (double)(to.tv_nsec - from.tv_nsec);
}

/* The robot under constant torques over one period, in steps that take velocity first. */
static torsor_status simulate(torsor_robot* plant, const double* tau, double* q, double* qd) {
  const int steps = 4;
  const double h = 1e-9 * period / steps;
  double qdd[joints];
  for (int step = 0; step < steps; ++step) {
    const torsor_status status = torsor_forward(plant, q, qd, tau, qdd);
    if (status != TORSOR_OK) return status;
    for (int k = 0; k < joints; ++k) q[k] += h * (qd[k] += h * qdd[k]);
  }
  return TORSOR_OK;
}

int main(int argc, char** argv) {
  const double duration = argc > 1 ? atof(argv[1]) : 0.2;
  const double kp = 400, kd = 40, com[3] = {0, 0, 0.1};

  /* set-up: everything that allocates */
  torsor_robot *robot, *plant;
  if (torsor_load("puma560", &robot) != TORSOR_OK) return fprintf(stderr, "%s\n", torsor_error_message()), 2;
  if (torsor_set_payload(robot, torsor_frame_index(robot, "hand"), 2, com, NULL) != TORSOR_OK) return 2;
  if (torsor_clone(robot, &plant) != TORSOR_OK) return fprintf(stderr, "%s\n", torsor_error_message()), 2;
  double limit[joints], q[joints], qd[joints], q_ref[joints], qd_ref[joints], qdd[joints], tau[joints];
  if (torsor_nv(robot) != joints || torsor_limits(robot, NULL, NULL, NULL, limit) != TORSOR_OK) return 2;

  /* the arm starts beside its reference */
  reference(0, q, qd, qdd);
  q[0] += 0.02;

  double worst = 0, error = 0;
  int late = 0;
  torsor_status status = TORSOR_OK;
  struct timespec next, begin, end;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (long cycle = 0; status == TORSOR_OK && cycle < lround(duration * nanoseconds / period); ++cycle) {
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    reference(1e-9 * period * (double)cycle, q_ref, qd_ref, qdd);
    for (int k = 0; k < joints; ++k) qdd[k] += kd * (qd_ref[k] - qd[k]) + kp * (q_ref[k] - q[k]);
    status = torsor_inverse(robot, q, qd, qdd, tau);
    for (int k = 0; k < joints; ++k) tau[k] = fmax(-limit[k], fmin(limit[k], tau[k]));
    clock_gettime(CLOCK_MONOTONIC, &end);
    worst = fmax(worst, microseconds(begin, end));
    if (microseconds(next, end) > 1e-3 * period) ++late;

    /* the other side of the cables */
    error = 0;
    for (int k = 0; k < joints; ++k) error = fmax(error, fabs(q_ref[k] - q[k]));
    if (status == TORSOR_OK) status = simulate(plant, tau, q, qd);
    next.tv_nsec += period;
    if (next.tv_nsec >= nanoseconds) next.tv_nsec -= nanoseconds, ++next.tv_sec;
  }
  torsor_free(plant);
  torsor_free(robot);

  printf("%g s at 1 kHz: at worst %.1f microseconds of computing in a cycle, %d cycles late, last error %.1e rad\n",
         duration, worst, late, error);
  if (status != TORSOR_OK) fprintf(stderr, "%s\n", torsor_status_text(status));
  return status == TORSOR_OK && error < 1e-2 ? 0 : 1;
}
