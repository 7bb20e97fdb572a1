// The C interface: dynamics of many states, in both precisions.
#include <cstdint>

#include "c/handle.hpp"

using namespace torsor;

namespace {

/// Rows one after the other.
template <class Real>
struct Array {
  Real* data;
  std::size_t width;

  operator StateRows<Real>() const { return {data, static_cast<std::ptrdiff_t>(width)}; }
  bool overlaps(const auto& other, std::size_t states) const {
    const auto from = [](const auto& a) { return reinterpret_cast<std::uintptr_t>(a.data); };
    const auto size = [states](const auto& a) { return states * a.width * sizeof *a.data; };
    return data && other.data && from(*this) < from(other) + size(other) && from(other) < from(*this) + size(*this);
  }
};

/// Calls run(states) when the outputs are there, and apart from what is read while they are written.
template <class Real, std::size_t inputs, std::size_t outputs, class Run>
torsor_status rows(const char* function, torsor_robot* robot, std::size_t states,
                   const Array<const Real> (&in)[inputs], const Array<Real> (&out)[outputs], const Run& run) {
  constexpr std::size_t most_numbers = std::size_t{1} << 58;  // beyond what any memory holds, below overflow
  if (states == 0) return TORSOR_OK;
  for (const auto& o : out) {
    if (states > most_numbers / std::max<std::size_t>(o.width, 1))
      return refuse(TORSOR_BAD_ARGUMENT, function, "there are too many states");
    if (!o.data) return refuse(TORSOR_BAD_ARGUMENT, function, "an output is NULL");
    for (const auto& i : in)
      if (o.overlaps(i, states)) return refuse(TORSOR_BAD_ARGUMENT, function, "rows of an output lie in an input");
  }
  if (outputs == 2 && out[0].overlaps(out[outputs - 1], states))
    return refuse(TORSOR_BAD_ARGUMENT, function, "the outputs overlap");
  if (!in[0].data) return refuse(TORSOR_BAD_ARGUMENT, function, "q is NULL");
  return guarded(function, [&] {
    const Status status = run(static_cast<std::int64_t>(states));
    return status ? TORSOR_OK : status_of(*robot, function, status);
  });
}

torsor_status no_robot(const char* function) { return refuse(TORSOR_BAD_ARGUMENT, function, "the robot is NULL"); }

template <class Real>
torsor_status inverse(const char* function, torsor_robot* robot, std::size_t states, const Real* q, const Real* qd,
                      const Real* qdd, Real* tau) {
  if (!robot) return no_robot(function);
  if (const torsor_status status = need_masses(function, robot); status != TORSOR_OK) return status;
  const Array<const Real> in[] = {{q, robot->nq}, {qd, robot->nv}, {qdd, robot->nv}};
  const Array<Real> out[] = {{tau, robot->nv}};
  return rows(function, robot, states, in, out, [&](std::int64_t n) {
    return robot->dynamics.inverse(n, StateRows<const Real>(in[0]), StateRows<const Real>(in[1]),
                                   StateRows<const Real>(in[2]), StateRows<Real>(out[0]));
  });
}

template <class Real>
torsor_status coriolis(const char* function, torsor_robot* robot, std::size_t states, const Real* q, const Real* qd,
                       Real* tau) {
  if (!robot) return no_robot(function);
  if (const torsor_status status = need_masses(function, robot); status != TORSOR_OK) return status;
  const Array<const Real> in[] = {{q, robot->nq}, {qd, robot->nv}};
  const Array<Real> out[] = {{tau, robot->nv}};
  return rows(function, robot, states, in, out, [&](std::int64_t n) {
    return robot->dynamics.coriolis(n, StateRows<const Real>(in[0]), StateRows<const Real>(in[1]),
                                    StateRows<Real>(out[0]));
  });
}

template <class Real>
torsor_status mass(const char* function, torsor_robot* robot, std::size_t states, const Real* q, Real* M) {
  if (!robot) return no_robot(function);
  if (const torsor_status status = need_masses(function, robot); status != TORSOR_OK) return status;
  const Array<const Real> in[] = {{q, robot->nq}};
  const Array<Real> out[] = {{M, robot->nv * robot->nv}};
  return rows(function, robot, states, in, out, [&](std::int64_t n) {
    return robot->dynamics.mass(n, StateRows<const Real>(in[0]), StateRows<Real>(out[0]));
  });
}

template <class Real>
torsor_status forward(const char* function, torsor_robot* robot, std::size_t states, const Real* q, const Real* qd,
                      const Real* tau, Real* qdd) {
  if (!robot) return no_robot(function);
  if (const torsor_status status = need_masses(function, robot); status != TORSOR_OK) return status;
  const Array<const Real> in[] = {{q, robot->nq}, {qd, robot->nv}, {tau, robot->nv}};
  const Array<Real> out[] = {{qdd, robot->nv}};
  return rows(function, robot, states, in, out, [&](std::int64_t n) {
    return robot->dynamics.forward(n, StateRows<const Real>(in[0]), StateRows<const Real>(in[1]),
                                   StateRows<const Real>(in[2]), StateRows<Real>(out[0]));
  });
}

template <class Real>
torsor_status tool(const char* function, torsor_robot* robot, std::size_t states, const Real* q, Real* poses, Real* J) {
  if (!robot) return no_robot(function);
  const Array<const Real> in[] = {{q, robot->nq}};
  const Array<Real> out[] = {{poses, torsor_robot::pose_numbers}, {J, 6 * robot->nv}};
  return rows(function, robot, states, in, out, [&](std::int64_t n) {
    return robot->dynamics.tool(n, StateRows<const Real>(in[0]), StateRows<Real>(out[0]), StateRows<Real>(out[1]));
  });
}

}  // namespace

torsor_status torsor_inverse_rows(torsor_robot* robot, size_t states, const double* q, const double* qd,
                                  const double* qdd, double* tau) {
  return inverse(__func__, robot, states, q, qd, qdd, tau);
}
torsor_status torsor_coriolis_rows(torsor_robot* robot, size_t states, const double* q, const double* qd, double* tau) {
  return coriolis(__func__, robot, states, q, qd, tau);
}
torsor_status torsor_mass_rows(torsor_robot* robot, size_t states, const double* q, double* mass_matrices) {
  return mass(__func__, robot, states, q, mass_matrices);
}
torsor_status torsor_forward_rows(torsor_robot* robot, size_t states, const double* q, const double* qd,
                                  const double* tau, double* qdd) {
  return forward(__func__, robot, states, q, qd, tau, qdd);
}
torsor_status torsor_tool_rows(torsor_robot* robot, size_t states, const double* q, double* poses, double* jacobians) {
  return tool(__func__, robot, states, q, poses, jacobians);
}

torsor_status torsor_inverse_rows_float(torsor_robot* robot, size_t states, const float* q, const float* qd,
                                        const float* qdd, float* tau) {
  return inverse(__func__, robot, states, q, qd, qdd, tau);
}
torsor_status torsor_coriolis_rows_float(torsor_robot* robot, size_t states, const float* q, const float* qd,
                                         float* tau) {
  return coriolis(__func__, robot, states, q, qd, tau);
}
torsor_status torsor_mass_rows_float(torsor_robot* robot, size_t states, const float* q, float* mass_matrices) {
  return mass(__func__, robot, states, q, mass_matrices);
}
torsor_status torsor_forward_rows_float(torsor_robot* robot, size_t states, const float* q, const float* qd,
                                        const float* tau, float* qdd) {
  return forward(__func__, robot, states, q, qd, tau, qdd);
}
torsor_status torsor_tool_rows_float(torsor_robot* robot, size_t states, const float* q, float* poses,
                                     float* jacobians) {
  return tool(__func__, robot, states, q, poses, jacobians);
}
