/* Torsor for controllers that are not C++20: the dynamics of one robot behind a handle, in C99.
 *
 *   torsor_robot* robot;
 *   if (torsor_load("puma560", &robot) != TORSOR_OK) { fputs(torsor_error_message(), stderr); return 2; }
 *   double q[6] = {0}, tau[6];
 *   torsor_gravity(robot, q, tau);
 *   torsor_free(robot);
 *
 * Units are SI and radians. q has torsor_nq numbers; qd, qdd and tau have torsor_nv. Matrices are row-major. Arrays
 * belong to the caller; an output may be the same array as an input.
 *
 * Real time. After loading, no function allocates, locks, reads a file, prints or throws, and the time of each is
 * bounded by the size of the robot: those from torsor_set_gravity on are fit for a control loop. The exception is
 * torsor_clone, which belongs to the set-up like loading.
 *
 * Refusals. Every function that can refuse returns a status, and then leaves its outputs as they were. No argument can
 * make it crash as long as the arrays are as long as they should be: NULL, an index out of range, NaN and infinity are
 * refused.
 *
 * Threads. A handle is used by one thread at a time; each thread has its own (torsor_clone). Different handles share
 * nothing, and may be loaded, used and freed at the same time. torsor_clone reads the handle it copies: no other thread
 * may change or use that one meanwhile. torsor_error_message is of the calling thread.
 */
#ifndef TORSOR_H
#define TORSOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A robot: its model, its payloads and the memory for its computations. */
typedef struct torsor_robot torsor_robot;

typedef enum torsor_status {
  TORSOR_OK = 0,
  TORSOR_BAD_ARGUMENT = 1, /* NULL where something is needed, an index out of range, a payload that no body can be */
  TORSOR_BAD_INPUT = 2,    /* no such robot, or its file has faults: torsor_error_message lists them all */
  TORSOR_NOT_FINITE = 3,   /* a given number is NaN or infinite, a result is too large, a quaternion has length zero */
  TORSOR_SINGULAR = 4,     /* the accelerations are not determined: something can move without moving any mass */
  TORSOR_NO_MEMORY = 5,
  TORSOR_UNEXPECTED = 6 /* a fault of the library itself */
} torsor_status;

/* The version of the library, "0.1.0". */
const char* torsor_version(void);

/* What a status means, in a few words; never NULL. */
const char* torsor_status_text(torsor_status status);

/* Why the last torsor_load, torsor_load_text or torsor_clone of this thread failed: a line for each fault, with file,
 * line, rule and remedy. Empty if it did not fail. The text lasts until the next of these calls. */
const char* torsor_error_message(void);

/* Set-up. */

/* Loads a built-in robot by its name, or a file (robot file or URDF) by its path. *robot is NULL unless TORSOR_OK. */
torsor_status torsor_load(const char* name_or_path, torsor_robot** robot);

/* The same from text in memory, length bytes of it; it need not end with a zero. */
torsor_status torsor_load_text(const char* text, size_t length, torsor_robot** robot);

/* An independent handle on the same robot, with the gravity, payloads and wrenches it has now: for another thread. */
torsor_status torsor_clone(const torsor_robot* robot, torsor_robot** copy);

/* Gives the handle back; NULL is allowed. */
void torsor_free(torsor_robot* robot);

/* What the robot is. */

/* What the check (torsor check) doubts about the robot though it could be loaded: a line each, with line, rule and
 * probable cause. Empty if there is nothing; lasts as long as the handle. */
const char* torsor_warnings(const torsor_robot* robot);

/* Names last as long as the handle; NULL for an index out of range. Counts of a NULL robot are 0. */
const char* torsor_name(const torsor_robot* robot);

/* nq coordinates of position, nv of velocity. They are as many, except that a ball joint and a free body have a
 * quaternion e0 e1 e2 e3 in their position and an angular velocity in their velocity. A quaternion may have any length
 * but zero: every function divides by it. The velocities of ball, planar and free joints are components in the moving
 * body, not the rates of their q. A joint that mimics another has no coordinates: it moves with those of its master,
 * and its efforts are in its master's. */
int torsor_nq(const torsor_robot* robot);
int torsor_nv(const torsor_robot* robot);
const char* torsor_position_name(const torsor_robot* robot, int index);
const char* torsor_velocity_name(const torsor_robot* robot, int index);

/* Frames: first the links in the order of the model, then the tools of the file. The last frame is the default tool:
 * the last tool, or, in a file without tools, its last link once more. */
int torsor_frame_count(const torsor_robot* robot);
const char* torsor_frame_name(const torsor_robot* robot, int frame);

/* The frame of that name, -1 if there is none. A tool comes before a link of the same name. */
int torsor_frame_index(const torsor_robot* robot, const char* name);

/* The limits of the joints, nv numbers each, infinite where the file gives none; each pointer may be NULL. lower and
 * upper are of positions, and stand at the index of the joint's velocity, which is that of its position only if no ball
 * or free joint comes before. Joints of several freedoms have no limits: theirs are infinite. Those of a joint that
 * mimics another are not among them. No function enforces limits. */
torsor_status torsor_limits(const torsor_robot* robot, double* lower, double* upper, double* velocity, double* effort);

/* The position with every joint at zero and every quaternion at 1 0 0 0. */
torsor_status torsor_neutral_position(const torsor_robot* robot, double* q);

/* What acts on it; kept until changed. */

/* The acceleration of free fall in the world, in place of the file's. */
torsor_status torsor_set_gravity(torsor_robot* robot, const double gravity[3]);

/* A rigid payload held at a frame, in place of that frame's earlier one; mass 0, com and inertia NULL: none. com is its mass
 * centre in the frame (NULL: the origin). inertia is its tensor about the mass centre along the frame's axes, entries
 * xx yy zz xy xz yz, where xy is minus the integral of x y dm (NULL: zero, a point mass). TORSOR_BAD_ARGUMENT for a
 * negative mass, for a com or a tensor without a mass, for a tensor that no body has (a negative principal moment, or
 * one larger than the other two together), and for what a robot file may not have either: a mass or an entry of the
 * tensor beyond 1e12 or, where it is not 0, below 1e-100, a com beyond 1e6 m. */
torsor_status torsor_set_payload(torsor_robot* robot, int frame, double mass, const double com[3],
                                 const double inertia[6]);

/* A force and a moment that the surroundings exert on the robot at a frame's origin, along the frame's axes, in place
 * of that frame's earlier ones; NULL: zero. */
torsor_status torsor_set_wrench(torsor_robot* robot, int frame, const double force[3], const double moment[3]);

/* Dynamics: rotors, friction, payloads and wrenches included. */

/* Inverse dynamics: the efforts that a motion needs, tau = M qdd + bias. qd or qdd NULL: zero. */
torsor_status torsor_inverse(torsor_robot* robot, const double* q, const double* qd, const double* qdd, double* tau);

/* The efforts that hold the robot still; inverse dynamics at rest. */
torsor_status torsor_gravity(torsor_robot* robot, const double* q, double* tau);

/* The efforts of a motion without acceleration: Coriolis, centrifugal, gravity, friction, wrenches. qd NULL: zero. */
torsor_status torsor_bias(torsor_robot* robot, const double* q, const double* qd, double* tau);

/* The mass matrix, nv x nv, symmetric. */
torsor_status torsor_mass(torsor_robot* robot, const double* q, double* mass);

/* Forward dynamics: the accelerations under given efforts. qd or tau NULL: zero. */
torsor_status torsor_forward(torsor_robot* robot, const double* q, const double* qd, const double* tau, double* qdd);

/* Kinematics. */

/* Where a frame is: the position of its origin in the world, and its rotation, 3 x 3, whose columns are the frame's
 * axes in the world: p_world = rotation p_frame + position. One of the two may be NULL. */
torsor_status torsor_kinematics(torsor_robot* robot, const double* q, int frame, double position[3],
                                double rotation[9]);

/* The Jacobian of a frame's origin, 6 x nv, in the world: (wx wy wz vx vy vz) = jacobian qd. */
torsor_status torsor_jacobian(torsor_robot* robot, const double* q, int frame, double* jacobian);

#ifdef __cplusplus
}
#endif

#endif
