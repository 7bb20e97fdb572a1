// What the files of the C interface share: the handle of a robot, and how a call is refused. Results are computed in the
// handle's own memory and copied out only when they are all finite: a refused call leaves the caller's arrays alone, and
// outputs may be inputs.
#pragma once

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "c/torsor.h"
#include "torsor/dynamics.hpp"
#include "torsor/numeric/finite.hpp"

struct torsor_robot {
  torsor_robot(const torsor::Robot& given, std::string doubts);
  torsor_robot(const torsor_robot& other);
  torsor_robot& operator=(const torsor_robot&) = delete;

  /// Another number of threads for rows.
  void use_threads(int threads) { dynamics = dynamics_like(dynamics, threads); }

  torsor::Robot robot;
  std::string warnings;       // a line each
  torsor::Dynamics dynamics;  // with the payloads and the gravity that were set
  const torsor::Model<double>& model = robot.tree();               // its links
  const torsor::Model<double>& coordinates = robot.coordinates();  // what q and qd are: with loops the independent ones
  std::vector<torsor::Frame<double>> frames;  // links, then tools

  // what frames carry, and what acts on them, in the frames of their bodies
  std::vector<torsor::Inertia<double>> payloads;
  std::vector<torsor::Force<double>> wrenches;
  torsor::Loads loads;  // the sums of the wrenches, and the motion of the base

  /// A speed or acceleration that is no number shows in the torques, so that a loop need not look for one beforehand: so
  /// it is unless a joint moves no mass. A payload only makes more of them show.
  bool rates_show = false;
  bool has_masses = robot.without_masses().empty();  // of its own: a payload is a mass, too
  int massless = -1;  // the coordinate of the last status of that kind, or whose motion was lost at a dead centre

  std::vector<std::size_t> quaternions;  // where in q they begin
  std::size_t nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
  std::vector<double> zero = std::vector<double>(nv);

  static constexpr std::size_t pose_numbers = 12, energy_numbers = 12;
  // torques and three matrices of derivatives, a Jacobian, poses or forces of all frames
  std::vector<double> result =
      std::vector<double>(std::max({nv + 3 * nv * nv, 6 * nv, energy_numbers,
                                    nv + pose_numbers * (model.bodies.size() + model.frames.size()),
                                    nv + 6 * robot.description().loops.size()}));
  std::vector<torsor::Transform<double>> poses = std::vector<torsor::Transform<double>>(model.bodies.size());
  std::vector<torsor::Force<double>> forces = std::vector<torsor::Force<double>>(model.bodies.size());
  std::vector<torsor::Force<double>> loop_forces =
      std::vector<torsor::Force<double>>(robot.description().loops.size());
  std::vector<unsigned char> unique = std::vector<unsigned char>(forces.size() + loop_forces.size());

 private:
  bool find_whether_rates_show();
  torsor::Dynamics dynamics_like(const torsor::Dynamics& other, int threads) const;
};

namespace torsor {

/// Keeps for torsor_error_message why a call was refused, without allocating, and answers the status. The text of the
/// status stands for what is not said.
torsor_status refuse(torsor_status status, const char* function, const char* what = nullptr,
                     const char* name = nullptr);
/// The same of faults, at set-up.
torsor_status refuse(torsor_status status, const Faults& faults);
void forget_refusals();

std::string lines(const Faults& faults);

/// Nothing is thrown into C.
template <class Run>
torsor_status guarded(const char* function, const Run& run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return refuse(TORSOR_NO_MEMORY, function);
  } catch (...) {
    return refuse(TORSOR_UNEXPECTED, function);
  }
}

/// Set-up of a handle: NULL unless it is done, and then without a message.
template <class Handle, class Make>
torsor_status set_up(const char* function, Handle** out, const Make& make) {
  forget_refusals();
  if (!out) return refuse(TORSOR_BAD_ARGUMENT, function, "the place for the handle is NULL");
  *out = nullptr;
  return guarded(function, [&] { return make(*out); });
}

torsor_status status_of(torsor_robot& robot, const char* function, const Status& status);

/// An array that may be left out.
inline bool finite_or_null(const double* numbers, std::size_t count) {
  return !numbers || all_finite({numbers, count});
}

inline Vec3<double> vec(const double* v) { return v ? Vec3<double>{v[0], v[1], v[2]} : Vec3<double>{}; }

inline double* put(const Vec3<double>& v, double* out) {
  for (const double x : {v.x, v.y, v.z}) *out++ = x;
  return out;
}
inline double* put(const Mat3<double>& R, double* out) {
  const Mat3<double> rows = ~R;
  for (const Vec3<double>& v : {rows.x, rows.y, rows.z}) out = put(v, out);
  return out;
}

inline bool has_frame(const torsor_robot* robot, int frame) {
  return robot && 0 <= frame && static_cast<std::size_t>(frame) < robot->frames.size();
}

/// Dynamics need something that moves and has a mass: the robot itself, or what it carries.
inline torsor_status need_masses(const char* function, const torsor_robot* robot) {
  const auto heavy = [](const Inertia<double>& payload) { return payload.m != 0; };
  if (!robot || robot->has_masses || std::ranges::any_of(robot->payloads, heavy)) return TORSOR_OK;
  return refuse(
      TORSOR_BAD_INPUT, function,
      "none of the joints moves a mass, a robot for kinematics alone [robot-massless]; torsor inertia gives masses");
}

/// Every function divides quaternions by their lengths: zero is none to divide by.
inline bool quaternions_have_length(const torsor_robot* robot, const double* q) {
  return std::ranges::all_of(robot->quaternions, [q](std::size_t at) {
    return std::any_of(q + at, q + at + 4, [](double x) { return x != 0; });
  });
}

/// Runs run(q, result), which answers a Status, for count numbers of the result: TORSOR_OK, and they are all finite; it
/// is then for the caller to hand them out.
template <class Run>
torsor_status find(const char* function, torsor_robot* robot, const double* q, std::size_t count, const Run& run) {
  if (!robot || !q) return refuse(TORSOR_BAD_ARGUMENT, function, robot ? "q is NULL" : "the robot is NULL");
  if (!all_finite({q, robot->nq}) || !quaternions_have_length(robot, q))
    return refuse(TORSOR_NOT_FINITE, function, "q is not finite, or a quaternion has length zero");
  return guarded(function, [&] {
    const Status status = run(std::span<const double>(q, robot->nq), std::span<double>(robot->result.data(), count));
    return status ? TORSOR_OK : status_of(*robot, function, status);
  });
}

/// The same, and hands the result out.
template <class Run>
torsor_status compute(const char* function, torsor_robot* robot, const double* q, std::size_t count, double* out,
                      const Run& run) {
  if (!out) return refuse(TORSOR_BAD_ARGUMENT, function, "the output is NULL");
  const torsor_status status = find(function, robot, q, count, run);
  if (status == TORSOR_OK)
    for (std::size_t k = 0; k < count; ++k) out[k] = robot->result[k];
  return status;
}

}  // namespace torsor
