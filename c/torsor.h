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
 * Real time. From torsor_set_gravity to torsor_position_gradient no function allocates, locks, reads a file, prints or
 * throws, and the time of each is bounded by the size of the robot: they are fit for a control loop. Set-up allocates,
 * rows do so at their first call (see there), and inverse kinematics at every pose.
 *
 * Refusals. Every function that can refuse returns a status, and then leaves its outputs as they were (but
 * torsor_ik_rates, see there); torsor_error_message says which argument was the cause. No argument can make it crash as
 * long as the arrays are as long as they should be: NULL, an index out of range, NaN and infinity are refused.
 *
 * Loops. Of a robot with closed loops (docs/loops.md) q, qd, qdd and tau are those of its independent joints, nq and nv
 * count them, names and limits are theirs; links and frames are all. A position is reached from the one that was asked
 * for before, which keeps the branch, or else from where the loops were assembled; so the last digits of an answer
 * depend on it, and its time on the way. TORSOR_NO_SOLUTION: they cannot be closed there. TORSOR_SINGULAR: they are at a
 * dead centre. Coriolis terms, derivatives and positions that are refused allocate, rows are computed one after the
 * other, and inverse kinematics is refused (TORSOR_BAD_INPUT).
 *
 * Threads. A handle is used by one thread at a time; each thread has its own (torsor_clone). Different handles share
 * nothing that changes, and may be loaded, used and freed at the same time. torsor_clone and torsor_ik_create read the
 * handle they are given: no other thread may change or use that one meanwhile. torsor_error_message is of the calling
 * thread.
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
  TORSOR_BAD_ARGUMENT = 1, /* NULL where something is needed, an index out of range, what no body or no pose can be */
  TORSOR_BAD_INPUT = 2,    /* no such robot, or its file has faults: torsor_error_message lists them all; or a question
                              that is not answered for a robot with loops or without masses */
  TORSOR_NOT_FINITE = 3,   /* a given number is NaN or infinite, a result is too large, a quaternion has length zero */
  TORSOR_SINGULAR = 4,     /* the accelerations are not determined: something can move without moving any mass; or
                              motions of the tool are lost; or loops are at a dead centre */
  TORSOR_NO_MEMORY = 5,
  TORSOR_UNEXPECTED = 6, /* a fault of the library itself */
  TORSOR_NO_SOLUTION = 7 /* no joint position puts the tool at the pose; or the loops cannot be closed there */
} torsor_status;

/* The version of the library, "0.2.0". */
const char* torsor_version(void);

/* What a status means, in a few words; never NULL, whatever the number. */
const char* torsor_status_text(int status);

/* What a program that ends with a status returns, as the command torsor does: 0 done, 1 there is no solution
 * (TORSOR_SINGULAR, TORSOR_NO_SOLUTION), 2 anything else. */
int torsor_exit_code(int status);

/* Why the last call of this thread that was refused, was: its name and the cause; of a robot that could not be loaded a
 * line for each fault, with file, line, rule and remedy. Empty after set-up that was done. The text lasts until the next
 * refusal or set-up. */
const char* torsor_error_message(void);

/* Set-up. */

/* Loads a built-in robot by its name, or a file (robot file or URDF) by its path. *robot is NULL unless TORSOR_OK. */
torsor_status torsor_load(const char* name_or_path, torsor_robot** robot);

/* The same from text in memory, length bytes of it; it need not end with a zero. */
torsor_status torsor_load_text(const char* text, size_t length, torsor_robot** robot);

/* An independent handle on the same robot, with the gravity, payloads, wrenches, base motion and number of threads it has
 * now: for another thread. */
torsor_status torsor_clone(const torsor_robot* robot, torsor_robot** copy);

/* On how many threads the functions on rows compute, 1 to 1024; 1 unless set. They are this handle's own. */
torsor_status torsor_set_threads(torsor_robot* robot, int threads);

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
 * and its torques are in its master's. */
int torsor_nq(const torsor_robot* robot);
int torsor_nv(const torsor_robot* robot);
const char* torsor_position_name(const torsor_robot* robot, int index);
const char* torsor_velocity_name(const torsor_robot* robot, int index);

/* Frames: first the links in the order of the model, then the tools of the file. The last frame is the default tool:
 * the last tool, or, in a file without tools, the link that is its default tool once more. */
int torsor_link_count(const torsor_robot* robot);
int torsor_frame_count(const torsor_robot* robot);
const char* torsor_frame_name(const torsor_robot* robot, int frame);

/* The frame of that name, -1 if there is none. A tool comes before a link of the same name. */
int torsor_frame_index(const torsor_robot* robot, const char* name);

/* The limits of the joints, nv numbers each, infinite where the file gives none; each pointer may be NULL. lower and
 * upper are of positions, and stand at the index of the joint's velocity, which is that of its position only if no ball
 * or free joint comes before. Joints of several freedoms have no limits: theirs are infinite. Those of a joint that
 * mimics another are not among them. No function enforces limits. */
torsor_status torsor_limits(const torsor_robot* robot, double* lower, double* upper, double* velocity, double* effort);

/* The position with every joint at zero and every quaternion at 1 0 0 0; with loops where they were assembled. */
torsor_status torsor_neutral_position(const torsor_robot* robot, double* q);

/* The index of the velocity that the last TORSOR_SINGULAR of this handle was about: it can move, perhaps with others,
 * without moving any mass, or its motion is lost at a dead centre of loops. -1: there was none. */
int torsor_massless_coordinate(const torsor_robot* robot);

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

/* How the base moves, in the world: its angular velocity and acceleration, and the acceleration of its origin; NULL: zero.
 * In torques and accelerations, not in energies and kinematics. */
torsor_status torsor_set_base_motion(torsor_robot* robot, const double angular_velocity[3],
                                     const double angular_acceleration[3], const double acceleration[3]);

/* Dynamics: rotors, friction, payloads, wrenches and the motion of the base included. */

/* Inverse dynamics: the torques that a motion needs, tau = M qdd + bias. qd or qdd NULL: zero. */
torsor_status torsor_inverse(torsor_robot* robot, const double* q, const double* qd, const double* qdd, double* tau);

/* The torques that hold the robot still; inverse dynamics at rest. */
torsor_status torsor_gravity(torsor_robot* robot, const double* q, double* tau);

/* The torques of a motion without acceleration: Coriolis, centrifugal, gravity, friction, wrenches. qd NULL: zero. */
torsor_status torsor_bias(torsor_robot* robot, const double* q, const double* qd, double* tau);

/* The mass matrix, nv x nv, symmetric. */
torsor_status torsor_mass(torsor_robot* robot, const double* q, double* mass);

/* Forward dynamics: the accelerations under given torques. qd or tau NULL: zero. */
torsor_status torsor_forward(torsor_robot* robot, const double* q, const double* qd, const double* tau, double* qdd);

/* C(q, qd) qd alone: Coriolis and centrifugal torques without gravity, friction and loads; and the matrix C of Christoffel
 * coefficients, nv x nv, for which dM/dt = C + C^T. qd NULL: zero. */
torsor_status torsor_coriolis(torsor_robot* robot, const double* q, const double* qd, double* tau);
torsor_status torsor_coriolis_matrix(torsor_robot* robot, const double* q, const double* qd, double* coriolis);

/* Inverse and forward dynamics with their derivatives, nv x nv each: entry (i, j) is that of answer i by coordinate j. Of a
 * joint of several degrees of freedom, dq is along its velocity coordinates. Each output may be NULL. */
torsor_status torsor_inverse_derivatives(torsor_robot* robot, const double* q, const double* qd, const double* qdd,
                                         double* tau, double* dq, double* dqd, double* dqdd);
torsor_status torsor_forward_derivatives(torsor_robot* robot, const double* q, const double* qd, const double* tau,
                                         double* qdd, double* dq, double* dqd, double* dtau);

/* What the parent exerts on each link through its joint: torsor_link_count x 6, moment then force, at the origin and along
 * the axes of that link's frame, in the order of the frames, links being the first of them; and the torques. Either output
 * may be NULL. qd or qdd NULL: zero. */
torsor_status torsor_reactions(torsor_robot* robot, const double* q, const double* qd, const double* qdd, double* tau,
                               double* reactions);

/* Joints that close loops, in the order of the file; 0 without loops. NULL where there is no such loop. */
int torsor_loop_count(const torsor_robot* robot);
const char* torsor_loop_name(const torsor_robot* robot, int loop);

/* What the first link of each loop exerts on the second through the joint that closes it: torsor_loop_count x 6, moment then
 * force, in the frame of that joint on the second link. unique: of each link, then of each loop, 1; or 0 where redundant
 * equations leave many reactions, of which the least is given. Either output may be NULL. qd or qdd NULL: zero. */
torsor_status torsor_loop_reactions(torsor_robot* robot, const double* q, const double* qd, const double* qdd,
                                    double* reactions, int* unique);

/* Energies (J; the potential one is zero at the world's origin), mass, mass centre and momentum in the world, for a base
 * at rest. Kinetic energy includes the rotors, momentum does not. The angular momentum is about the world's origin. */
typedef struct torsor_energies {
  double kinetic, potential, mass;
  double mass_centre[3];
  double momentum[3], angular_momentum[3];
} torsor_energies;
torsor_status torsor_energy(torsor_robot* robot, const double* q, const double* qd, torsor_energies* energies);

/* Kinematics. */

/* Where all frames are: torsor_frame_count x 3 and x 9 numbers, each as torsor_kinematics has them. One may be NULL. */
torsor_status torsor_poses(torsor_robot* robot, const double* q, double* positions, double* rotations);

/* Where a frame is: the position of its origin in the world, and its rotation, 3 x 3, whose columns are the frame's
 * axes in the world: p_world = rotation p_frame + position. One of the two may be NULL. */
torsor_status torsor_kinematics(torsor_robot* robot, const double* q, int frame, double position[3],
                                double rotation[9]);

/* The Jacobian of a frame's origin, 6 x nv, in the world: (wx wy wz vx vy vz) = jacobian qd. */
torsor_status torsor_jacobian(torsor_robot* robot, const double* q, int frame, double* jacobian);

/* Positions as a space with directions, one number for each velocity coordinate. Nothing allocates but
 * torsor_random_position.
 *
 * The position to which a displacement d (nv) leads, such as qd times a short time: a joint of one degree of freedom
 * adds, a quaternion turns about the axes of the body by the vector d, a free joint shifts along those that it had. */
torsor_status torsor_integrate(torsor_robot* robot, const double* q, const double* d, double* to);
/* The displacement that leads from one position to another; turns of quaternions are the shorter way. */
torsor_status torsor_difference(torsor_robot* robot, const double* from, const double* to, double* d);
/* The position at a share of the way, 0 at `from` and 1 at `to`. */
torsor_status torsor_interpolate(torsor_robot* robot, const double* from, const double* to, double share, double* q);
/* How these change, along the velocity coordinates: nv x nv each; either may be NULL. */
torsor_status torsor_integrate_tangents(torsor_robot* robot, const double* q, const double* d, double* by_q,
                                        double* by_d);
torsor_status torsor_difference_tangents(torsor_robot* robot, const double* from, const double* to, double* by_from,
                                         double* by_to);
/* The displacement (nv) that a change of the numbers of q (nq) stands for, and its transpose: the gradient by these
 * numbers (nq) from one along displacements (nv). */
torsor_status torsor_position_tangent(torsor_robot* robot, const double* q, const double* change, double* d);
torsor_status torsor_position_gradient(torsor_robot* robot, const double* q, const double* along, double* gradient);
/* A position drawn inside the joint limits, the same for the same seed on every machine; with loops one that closes
 * them. */
torsor_status torsor_random_position(torsor_robot* robot, unsigned long seed, double* q);

/* Rows: the same for many states, which lie one after the other, several at a time and on the threads that were set. NULL
 * for qd, qdd or tau stands for zeros. A state that is not finite, or has no accelerations, has NaN in its own answer and
 * in no other, and no status. No output may overlap an input. The first call allocates, and so does the first one in
 * another precision or after another gravity, payload, wrench or base motion. */

torsor_status torsor_inverse_rows(torsor_robot* robot, size_t states, const double* q, const double* qd,
                                  const double* qdd, double* tau);
torsor_status torsor_coriolis_rows(torsor_robot* robot, size_t states, const double* q, const double* qd, double* tau);
torsor_status torsor_mass_rows(torsor_robot* robot, size_t states, const double* q, double* mass_matrices);
torsor_status torsor_forward_rows(torsor_robot* robot, size_t states, const double* q, const double* qd,
                                  const double* tau, double* qdd);
/* Of the default tool, the last frame: 12 numbers, its rotation by rows, then its position; and its Jacobian. */
torsor_status torsor_tool_rows(torsor_robot* robot, size_t states, const double* q, double* poses, double* jacobians);

torsor_status torsor_inverse_rows_float(torsor_robot* robot, size_t states, const float* q, const float* qd,
                                        const float* qdd, float* tau);
torsor_status torsor_coriolis_rows_float(torsor_robot* robot, size_t states, const float* q, const float* qd,
                                         float* tau);
torsor_status torsor_mass_rows_float(torsor_robot* robot, size_t states, const float* q, float* mass_matrices);
torsor_status torsor_forward_rows_float(torsor_robot* robot, size_t states, const float* q, const float* qd,
                                        const float* tau, float* qdd);
torsor_status torsor_tool_rows_float(torsor_robot* robot, size_t states, const float* q, float* poses,
                                     float* jacobians);

/* Inverse kinematics of one frame, by the closed form where the arm has one, else by descents. The handle keeps the robot:
 * the torsor_robot it was made from may be freed. It keeps what was found for its last pose, too. */
typedef struct torsor_ik torsor_ik;

typedef enum torsor_ik_state {
  TORSOR_IK_OK = 0,
  TORSOR_IK_NEAR_SINGULAR = 1,
  TORSOR_IK_SINGULAR = 2,
  TORSOR_IK_OUTSIDE_LIMITS = 3 /* reaches the pose, with a joint beyond its limits */
} torsor_ik_state;

typedef struct torsor_ik_solution {
  char label[32]; /* signs of shoulder, elbow and wrist "+ - +", or "root 2 +"; empty where a descent found it */
  torsor_ik_state state;
  double position_residual, angle_residual; /* m, rad: between the pose asked for and that of q */
} torsor_ik_solution;

/* No pose has more solutions. */
enum { TORSOR_IK_CAPACITY = 8 };

/* Set-up. *ik is NULL unless TORSOR_OK. */
torsor_status torsor_ik_create(const torsor_robot* robot, int frame, torsor_ik** ik);
void torsor_ik_free(torsor_ik* ik);

/* The family of arms whose closed form is used, NULL if none is; and why none is, a line each, else empty. */
const char* torsor_ik_family(const torsor_ik* ik);
const char* torsor_ik_no_closed_form(const torsor_ik* ik);

/* Every joint position that puts the frame at a pose in the world (rotation by rows, as torsor_kinematics has it), inside
 * the limits or not: *count of them, of which the first `capacity` are handed out, rows of nq in q. about, of as many, may
 * be NULL. A robot without a closed form has the one that a descent from its neutral position finds. TORSOR_NO_SOLUTION:
 * the pose is out of reach, and *count 0. */
torsor_status torsor_ik_solve(torsor_ik* ik, const double position[3], const double rotation[9], int capacity,
                              double* q, torsor_ik_solution* about, int* count);

/* The solution nearest to given joints, any inside the limits before any outside; descents start there. It is then the
 * handle's one solution, number 0. about may be NULL. */
torsor_status torsor_ik_nearest(torsor_ik* ik, const double position[3], const double rotation[9], const double* near,
                                double* q, torsor_ik_solution* about);

/* After TORSOR_NO_SOLUTION: joints that come near the pose, and by how many metres (or radians, where only the orientation
 * cannot be had) it is missed. Each output may be NULL. */
torsor_status torsor_ik_unreached(const torsor_ik* ik, double* q, torsor_ik_solution* about, double* short_by);

/* How the joints move at a solution of the last pose, by its number, while the frame moves with that velocity and
 * acceleration (angular, then linear, in the world; NULL: zero). Either output may be NULL. TORSOR_SINGULAR: motions of
 * the tool are lost there; the outputs, written all the same, are the least that come as near as can be. */
torsor_status torsor_ik_rates(torsor_ik* ik, int solution, const double velocity[6], const double acceleration[6],
                              double* qd, double* qdd);

#ifdef __cplusplus
}
#endif

#endif
