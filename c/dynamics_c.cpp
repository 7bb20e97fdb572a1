// The C interface: dynamics and kinematics of one state.
#include "c/handle.hpp"

using namespace torsor;

namespace {

using In = std::span<const double>;
using Out = std::span<double>;

In given(const double* numbers, std::size_t count) { return numbers ? In(numbers, count) : In(); }
In given_or_zero(const torsor_robot* robot, const double* rates) {
  return {rates ? rates : robot->zero.data(), robot->nv};
}

/// Rates and torques that may be left out, of a robot that has masses.
torsor_status check_rates(const char* function, const torsor_robot* robot, const double* first, const double* second) {
  if (!robot) return refuse(TORSOR_BAD_ARGUMENT, function, "the robot is NULL");
  if (const torsor_status status = need_masses(function, robot); status != TORSOR_OK) return status;
  if (!finite_or_null(first, robot->nv) || !finite_or_null(second, robot->nv))
    return refuse(TORSOR_NOT_FINITE, function, "a velocity, acceleration or torque is not finite");
  return TORSOR_OK;
}

torsor_status inverse(const char* function, torsor_robot* robot, const double* q, const double* qd, const double* qdd,
                      double* tau) {
  if (!robot) return refuse(TORSOR_BAD_ARGUMENT, function, "the robot is NULL");
  if (const torsor_status status = need_masses(function, robot); status != TORSOR_OK) return status;
  if (!robot->rates_show)
    if (const torsor_status status = check_rates(function, robot, qd, qdd); status != TORSOR_OK) return status;
  return compute(function, robot, q, robot->nv, tau, [&](In position, Out result) {
    return robot->dynamics.inverse(position, given(qd, robot->nv), given(qdd, robot->nv), result);
  });
}

/// What was found, a piece after the other, to where it is wanted.
void tool_out(const double* found, std::initializer_list<std::pair<double*, std::size_t>> wanted) {
  for (const auto& [out, count] : wanted) {
    if (out) std::copy(found, found + count, out);
    found += count;
  }
}

}  // namespace

torsor_status torsor_inverse(torsor_robot* robot, const double* q, const double* qd, const double* qdd, double* tau) {
  return inverse(__func__, robot, q, qd, qdd, tau);
}

torsor_status torsor_gravity(torsor_robot* robot, const double* q, double* tau) {
  return inverse(__func__, robot, q, nullptr, nullptr, tau);
}

torsor_status torsor_bias(torsor_robot* robot, const double* q, const double* qd, double* tau) {
  return inverse(__func__, robot, q, qd, nullptr, tau);
}

torsor_status torsor_coriolis(torsor_robot* robot, const double* q, const double* qd, double* tau) {
  if (const torsor_status status = check_rates(__func__, robot, qd, nullptr); status != TORSOR_OK) return status;
  return compute(__func__, robot, q, robot->nv, tau, [&](In position, Out result) {
    return robot->dynamics.coriolis(position, given(qd, robot->nv), result);
  });
}

torsor_status torsor_coriolis_matrix(torsor_robot* robot, const double* q, const double* qd, double* coriolis) {
  if (const torsor_status status = check_rates(__func__, robot, qd, nullptr); status != TORSOR_OK) return status;
  return compute(__func__, robot, q, robot->nv * robot->nv, coriolis, [&](In position, Out result) {
    return robot->dynamics.coriolis_matrix(position, given_or_zero(robot, qd), result);
  });
}

torsor_status torsor_mass(torsor_robot* robot, const double* q, double* mass) {
  if (!robot) return refuse(TORSOR_BAD_ARGUMENT, __func__, "the robot is NULL");
  if (const torsor_status status = need_masses(__func__, robot); status != TORSOR_OK) return status;
  return compute(__func__, robot, q, robot->nv * robot->nv, mass,
                 [&](In position, Out result) { return robot->dynamics.mass(position, result); });
}

torsor_status torsor_forward(torsor_robot* robot, const double* q, const double* qd, const double* tau, double* qdd) {
  if (const torsor_status status = check_rates(__func__, robot, qd, tau); status != TORSOR_OK) return status;
  return compute(__func__, robot, q, robot->nv, qdd, [&](In position, Out result) {
    return robot->dynamics.forward(position, given_or_zero(robot, qd), given_or_zero(robot, tau), result);
  });
}

torsor_status torsor_inverse_derivatives(torsor_robot* robot, const double* q, const double* qd, const double* qdd,
                                         double* tau, double* dq, double* dqd, double* dqdd) {
  if (const torsor_status status = check_rates(__func__, robot, qd, qdd); status != TORSOR_OK) return status;
  const std::size_t nv = robot->nv, square = nv * nv;
  const torsor_status status = find(__func__, robot, q, nv + 3 * square, [&](In position, Out result) {
    const Out matrices = result.subspan(nv);
    const Status found = robot->dynamics.inverse(
        position, given(qd, nv), given(qdd, nv), result.first(nv),
        {matrices.first(square), matrices.subspan(square, square), matrices.subspan(2 * square)});
    return found && !all_finite(matrices) ? Status{Status::not_finite, -1} : found;
  });
  if (status == TORSOR_OK) tool_out(robot->result.data(), {{tau, nv}, {dq, square}, {dqd, square}, {dqdd, square}});
  return status;
}

torsor_status torsor_forward_derivatives(torsor_robot* robot, const double* q, const double* qd, const double* tau,
                                         double* qdd, double* dq, double* dqd, double* dtau) {
  if (const torsor_status status = check_rates(__func__, robot, qd, tau); status != TORSOR_OK) return status;
  const std::size_t nv = robot->nv, square = nv * nv;
  const torsor_status status = find(__func__, robot, q, nv + 3 * square, [&](In position, Out result) {
    const Out matrices = result.subspan(nv);
    const Status found = robot->dynamics.forward(
        position, given_or_zero(robot, qd), given_or_zero(robot, tau), result.first(nv),
        {matrices.first(square), matrices.subspan(square, square), matrices.subspan(2 * square)});
    return found && !all_finite(matrices) ? Status{Status::not_finite, -1} : found;
  });
  if (status == TORSOR_OK) tool_out(robot->result.data(), {{qdd, nv}, {dq, square}, {dqd, square}, {dtau, square}});
  return status;
}

torsor_status torsor_reactions(torsor_robot* robot, const double* q, const double* qd, const double* qdd, double* tau,
                               double* reactions) {
  if (const torsor_status status = check_rates(__func__, robot, qd, qdd); status != TORSOR_OK) return status;
  const std::size_t nv = robot->nv, count = 6 * robot->forces.size();
  const torsor_status status = find(__func__, robot, q, nv + count, [&](In position, Out result) {
    const Status found =
        robot->dynamics.reactions(position, given(qd, nv), given(qdd, nv), result.first(nv), robot->forces);
    double* out = result.data() + nv;
    for (std::size_t i = 0; i < robot->forces.size(); ++i) {
      const Force<double> f = ~robot->frames[i].X_body_frame * robot->forces[i];
      out = put(f.f, put(f.n, out));
    }
    return found && !all_finite(result) ? Status{Status::not_finite, -1} : found;
  });
  if (status == TORSOR_OK) tool_out(robot->result.data(), {{tau, nv}, {reactions, count}});
  return status;
}

torsor_status torsor_loop_reactions(torsor_robot* robot, const double* q, const double* qd, const double* qdd,
                                    double* reactions, int* unique) {
  if (const torsor_status status = check_rates(__func__, robot, qd, qdd); status != TORSOR_OK) return status;
  const std::size_t nv = robot->nv, count = 6 * robot->loop_forces.size();
  const torsor_status status = find(__func__, robot, q, nv + count, [&](In position, Out result) {
    const Status found = robot->dynamics.reactions(position, given(qd, nv), given(qdd, nv), result.first(nv),
                                                   robot->forces, {robot->loop_forces, robot->unique});
    double* out = result.data() + nv;
    for (const Force<double>& f : robot->loop_forces) out = put(f.f, put(f.n, out));
    return found && !all_finite(result) ? Status{Status::not_finite, -1} : found;
  });
  if (status != TORSOR_OK) return status;
  tool_out(robot->result.data() + nv, {{reactions, count}});
  if (unique) std::ranges::copy(robot->unique, unique);
  return status;
}

torsor_status torsor_energy(torsor_robot* robot, const double* q, const double* qd, torsor_energies* energies) {
  if (const torsor_status status = check_rates(__func__, robot, qd, nullptr); status != TORSOR_OK) return status;
  if (!energies) return refuse(TORSOR_BAD_ARGUMENT, __func__, "the output is NULL");
  Energy<double> e;
  const torsor_status status = find(__func__, robot, q, 0, [&](In position, Out) {
    const Status found = robot->dynamics.energy(position, given_or_zero(robot, qd), e);
    const double sum =
        e.momentum.n.x + e.momentum.n.y + e.momentum.n.z + e.momentum.f.x + e.momentum.f.y + e.momentum.f.z;
    return found && !all_finite({&sum, 1}) ? Status{Status::not_finite, -1} : found;
  });
  if (status != TORSOR_OK) return status;
  *energies = {e.kinetic, e.potential, e.mass, {}, {}, {}};
  put(e.mass > 0 ? e.first_moment * (1 / e.mass) : Vec3<double>{}, energies->mass_centre);
  put(e.momentum.f, energies->momentum);
  put(e.momentum.n, energies->angular_momentum);
  return TORSOR_OK;
}

torsor_status torsor_kinematics(torsor_robot* robot, const double* q, int frame, double position[3],
                                double rotation[9]) {
  if (!has_frame(robot, frame) || (!position && !rotation))
    return refuse(TORSOR_BAD_ARGUMENT, __func__, "there is no such frame, or no output");
  const torsor_status status =
      find(__func__, robot, q, torsor_robot::pose_numbers, [&](In at, Out result) {
        Transform<double> X;
        const Status found = robot->dynamics.frame(at, robot->frames[frame], X);
        put(X.R, put(X.p, result.data()));
        return found;
      });
  if (status == TORSOR_OK) tool_out(robot->result.data(), {{position, 3}, {rotation, 9}});
  return status;
}

torsor_status torsor_poses(torsor_robot* robot, const double* q, double* positions, double* rotations) {
  if (!robot || (!positions && !rotations))
    return refuse(TORSOR_BAD_ARGUMENT, __func__, robot ? "there is no output" : "the robot is NULL");
  const std::size_t count = robot->frames.size();
  const torsor_status status = find(__func__, robot, q, torsor_robot::pose_numbers * count, [&](In at, Out result) {
    const Status found = robot->dynamics.poses(at, robot->poses);
    double *p = result.data(), *R = p + 3 * count;
    for (const Frame<double>& frame : robot->frames) {
      const Transform<double> X = frame_pose<double>(frame, robot->poses);
      p = put(X.p, p);
      R = put(X.R, R);
    }
    return found && !all_finite(result) ? Status{Status::not_finite, -1} : found;
  });
  if (status == TORSOR_OK) tool_out(robot->result.data(), {{positions, 3 * count}, {rotations, 9 * count}});
  return status;
}

torsor_status torsor_jacobian(torsor_robot* robot, const double* q, int frame, double* jacobian) {
  if (!has_frame(robot, frame)) return refuse(TORSOR_BAD_ARGUMENT, __func__, "there is no such frame");
  return compute(__func__, robot, q, 6 * robot->nv, jacobian, [&](In at, Out result) {
    Transform<double> X;
    return robot->dynamics.frame(at, robot->frames[frame], X, result);
  });
}
