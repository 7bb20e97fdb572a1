// The C interface: positions as a space with directions.
#include <random>

#include "c/handle.hpp"
#include "torsor/loops/random_closed_position.hpp"
#include "torsor/model/joint_tangent.hpp"
#include "torsor/model/position_space.hpp"

using namespace torsor;

namespace {

using In = std::span<const double>;
using Out = std::span<double>;

/// Another position beside the first, or numbers along the coordinates.
torsor_status check_position(const char* function, const torsor_robot* robot, const double* q) {
  if (!robot || !q) return refuse(TORSOR_BAD_ARGUMENT, function, robot ? "a position is NULL" : "the robot is NULL");
  if (!all_finite({q, robot->nq}) || !quaternions_have_length(robot, q))
    return refuse(TORSOR_NOT_FINITE, function, "a position is not finite, or a quaternion has length zero");
  return TORSOR_OK;
}
torsor_status check_numbers(const char* function, const torsor_robot* robot, const double* numbers, bool of_position) {
  if (!robot || !numbers)
    return refuse(TORSOR_BAD_ARGUMENT, function, robot ? "the displacement is NULL" : "the robot is NULL");
  if (!all_finite({numbers, of_position ? robot->nq : robot->nv}))
    return refuse(TORSOR_NOT_FINITE, function, "a displacement or gradient is not finite");
  return TORSOR_OK;
}

/// Two matrices, each where it is wanted.
template <class Run>
torsor_status two_matrices(const char* function, torsor_robot* robot, const double* q, double* one, double* two,
                           const Run& run) {
  const std::size_t square = robot->nv * robot->nv;
  const torsor_status status = find(function, robot, q, 2 * square, [&](In position, Out result) {
    run(position, result.first(square), result.subspan(square));
    return all_finite(result) ? Status{} : Status{Status::not_finite, -1};
  });
  if (status != TORSOR_OK) return status;
  if (one) std::copy_n(robot->result.data(), square, one);
  if (two) std::copy_n(robot->result.data() + square, square, two);
  return status;
}

/// A Status of numbers that may be too large.
Status finite(Out result) { return all_finite(result) ? Status{} : Status{Status::not_finite, -1}; }

}  // namespace

torsor_status torsor_integrate(torsor_robot* robot, const double* q, const double* d, double* to) {
  if (const torsor_status status = check_numbers(__func__, robot, d, false); status != TORSOR_OK) return status;
  return compute(__func__, robot, q, robot->nq, to, [&](In position, Out result) {
    integrate_position<double>(robot->coordinates, position, {d, robot->nv}, result);
    return finite(result);
  });
}

torsor_status torsor_difference(torsor_robot* robot, const double* from, const double* to, double* d) {
  if (const torsor_status status = check_position(__func__, robot, to); status != TORSOR_OK) return status;
  return compute(__func__, robot, from, robot->nv, d, [&](In position, Out result) {
    position_difference<double>(robot->coordinates, position, {to, robot->nq}, result);
    return finite(result);
  });
}

torsor_status torsor_interpolate(torsor_robot* robot, const double* from, const double* to, double share, double* q) {
  if (const torsor_status status = check_position(__func__, robot, to); status != TORSOR_OK) return status;
  if (!all_finite({&share, 1})) return refuse(TORSOR_NOT_FINITE, __func__, "the share is not finite");
  return compute(__func__, robot, from, robot->nq, q, [&](In position, Out result) {
    interpolate_position<double>(robot->coordinates, position, {to, robot->nq}, share, result);
    return finite(result);
  });
}

torsor_status torsor_integrate_tangents(torsor_robot* robot, const double* q, const double* d, double* by_q,
                                        double* by_d) {
  if (const torsor_status status = check_numbers(__func__, robot, d, false); status != TORSOR_OK) return status;
  return two_matrices(__func__, robot, q, by_q, by_d, [&](In, Out one, Out two) {
    integrate_tangents<double>(robot->coordinates, {d, robot->nv}, one, two);
  });
}

torsor_status torsor_difference_tangents(torsor_robot* robot, const double* from, const double* to, double* by_from,
                                         double* by_to) {
  if (const torsor_status status = check_position(__func__, robot, to); status != TORSOR_OK) return status;
  return two_matrices(__func__, robot, from, by_from, by_to, [&](In position, Out one, Out two) {
    difference_tangents<double>(robot->coordinates, position, {to, robot->nq}, one, two);
  });
}

torsor_status torsor_position_tangent(torsor_robot* robot, const double* q, const double* change, double* d) {
  if (const torsor_status status = check_numbers(__func__, robot, change, true); status != TORSOR_OK) return status;
  return compute(__func__, robot, q, robot->nv, d, [&](In position, Out result) {
    position_tangent<double>(robot->coordinates, position, {change, robot->nq}, result);
    return finite(result);
  });
}

torsor_status torsor_position_gradient(torsor_robot* robot, const double* q, const double* along, double* gradient) {
  if (const torsor_status status = check_numbers(__func__, robot, along, false); status != TORSOR_OK) return status;
  return compute(__func__, robot, q, robot->nq, gradient, [&](In position, Out result) {
    position_gradient<double>(robot->coordinates, position, {along, robot->nv}, result);
    return finite(result);
  });
}

torsor_status torsor_random_position(torsor_robot* robot, unsigned long seed, double* q) {
  if (!robot || !q) return refuse(TORSOR_BAD_ARGUMENT, __func__, "the robot or q is NULL");
  return guarded(__func__, [&] {
    std::mt19937_64 engine(seed);
    const auto drawn = random_closed_position(robot->robot, robot->dynamics, engine);
    if (!drawn) return refuse(TORSOR_NO_SOLUTION, __func__, "no position that closes the loops was drawn");
    std::ranges::copy(*drawn, q);
    return TORSOR_OK;
  });
}
