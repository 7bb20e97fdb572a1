// The C interface: inverse kinematics. A handle keeps what was found for the last pose, for its rates and for what came
// near it.
#include <cstdio>

#include "c/handle.hpp"
#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/trajectory/cartesian.hpp"

using namespace torsor;

struct torsor_ik {
  torsor_ik(const Robot& given, const Frame<double>& frame)
      : robot(given), solver(robot, frame), refusal(lines(solver.refusal())) {}

  Robot robot;
  InverseKinematics solver;
  std::string refusal;
  Transform<double> pose;  // that was last asked for
  IkSolutions solutions;
  std::size_t nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
};

namespace {

static_assert(static_cast<int>(IkStatus::near_singular) == TORSOR_IK_NEAR_SINGULAR &&
              static_cast<int>(IkStatus::singular) == TORSOR_IK_SINGULAR &&
              static_cast<int>(IkStatus::outside_limits) == TORSOR_IK_OUTSIDE_LIMITS);

void tool_out(const IkSolution& found, double* q, torsor_ik_solution* about) {
  if (q) std::ranges::copy(found.q, q);
  if (!about) return;
  std::snprintf(about->label, sizeof about->label, "%s", found.label.c_str());
  about->state = static_cast<torsor_ik_state>(found.status);
  about->position_residual = found.position_residual;
  about->angle_residual = found.angle_residual;
}

/// Solves, keeps what was found and says whether there is something.
torsor_status solve(const char* function, torsor_ik* ik, const double* position, const double* rotation,
                    const IkChoice& choice) {
  if (!ik || !position || !rotation)
    return refuse(TORSOR_BAD_ARGUMENT, function, "the handle, the position or the rotation is NULL");
  if (!all_finite({position, 3}) || !all_finite({rotation, 9}))
    return refuse(TORSOR_NOT_FINITE, function, "the pose is not finite");
  const Mat3<double> rows{vec(rotation), vec(rotation + 3), vec(rotation + 6)}, R = ~rows;
  if (!is_frame(R))
    return refuse(TORSOR_BAD_ARGUMENT, function, "the rotation is none: its columns are no right-handed unit axes");
  ik->pose = {R, vec(position)};
  ik->solutions = {};
  ik->solutions = ik->solver.solve(ik->pose, choice);
  if (!ik->solutions.empty()) return TORSOR_OK;
  return refuse(TORSOR_NO_SOLUTION, function, "the pose is", status_name(ik->solutions.status).data());
}

}  // namespace

torsor_status torsor_ik_create(const torsor_robot* robot, int frame, torsor_ik** ik) {
  return set_up(__func__, ik, [&](torsor_ik*& out) {
    if (!has_frame(robot, frame))
      return refuse(TORSOR_BAD_ARGUMENT, "torsor_ik_create", "the robot is NULL, or there is no such frame");
    const Faults loops = refuse_loops(robot->robot.description());
    if (!loops.empty()) return refuse(TORSOR_BAD_INPUT, loops);
    out = new torsor_ik(robot->robot, robot->frames[frame]);
    return TORSOR_OK;
  });
}

void torsor_ik_free(torsor_ik* ik) { delete ik; }

const char* torsor_ik_family(const torsor_ik* ik) {
  // names of families are literals
  return ik && ik->solver.closed() ? ik->solver.closed()->family().data() : nullptr;
}

const char* torsor_ik_no_closed_form(const torsor_ik* ik) { return ik ? ik->refusal.c_str() : ""; }

torsor_status torsor_ik_solve(torsor_ik* ik, const double position[3], const double rotation[9], int capacity,
                              double* q, torsor_ik_solution* about, int* count) {
  if (!count || capacity < 0 || (capacity > 0 && !q))
    return refuse(TORSOR_BAD_ARGUMENT, __func__, "the count or q is NULL, or the capacity negative");
  return guarded(__func__, [&] {
    const torsor_status status = solve("torsor_ik_solve", ik, position, rotation, {});
    if (status != TORSOR_OK && status != TORSOR_NO_SOLUTION) return status;
    *count = static_cast<int>(ik->solutions.size());
    for (int k = 0; k < std::min(*count, capacity); ++k)
      tool_out(ik->solutions[static_cast<std::size_t>(k)], q + static_cast<std::size_t>(k) * ik->nq,
               about ? about + k : nullptr);
    return status;
  });
}

torsor_status torsor_ik_nearest(torsor_ik* ik, const double position[3], const double rotation[9], const double* near,
                                double* q, torsor_ik_solution* about) {
  if (!ik || !near || !q) return refuse(TORSOR_BAD_ARGUMENT, __func__, "the handle, near or q is NULL");
  if (!all_finite({near, ik->nq})) return refuse(TORSOR_NOT_FINITE, __func__, "near is not finite");
  return guarded(__func__, [&] {
    const torsor_status status = solve("torsor_ik_nearest", ik, position, rotation,
                                       {.near = std::vector<double>(near, near + ik->nq)});
    if (status == TORSOR_OK) tool_out(ik->solutions[0], q, about);
    return status;
  });
}

torsor_status torsor_ik_unreached(const torsor_ik* ik, double* q, torsor_ik_solution* about, double* short_by) {
  if (!ik || !ik->solutions.nearest)
    return refuse(TORSOR_BAD_ARGUMENT, __func__, "the last pose of this handle was not out of reach");
  tool_out(*ik->solutions.nearest, q, about);
  if (short_by) *short_by = ik->solutions.short_by;
  return TORSOR_OK;
}

torsor_status torsor_ik_rates(torsor_ik* ik, int solution, const double velocity[6], const double acceleration[6],
                              double* qd, double* qdd) {
  if (!ik || solution < 0 || static_cast<std::size_t>(solution) >= ik->solutions.size() || (!qd && !qdd))
    return refuse(TORSOR_BAD_ARGUMENT, __func__,
                  "the last pose of this handle has no such solution, or there is no output");
  if (!finite_or_null(velocity, 6) || !finite_or_null(acceleration, 6)) return refuse(TORSOR_NOT_FINITE, __func__);
  return guarded(__func__, [&] {
    const auto motion = [](const double* x) { return x ? Motion<double>{vec(x), vec(x + 3)} : Motion<double>{}; };
    const ToolRates rates = ik->solver.rates(ik->solutions[static_cast<std::size_t>(solution)],
                                             {ik->pose, motion(velocity), motion(acceleration)});
    if (rates.status == RateStatus::not_finite || !all_finite(rates.qd) || !all_finite(rates.qdd))
      return refuse(TORSOR_NOT_FINITE, "torsor_ik_rates", "a result is too large");
    if (qd) std::ranges::copy(rates.qd, qd);
    if (qdd) std::ranges::copy(rates.qdd, qdd);
    return rates.status == RateStatus::singular
               ? refuse(TORSOR_SINGULAR, "torsor_ik_rates",
                        "some motions of the tool are lost here: the rates are the least that come nearest")
               : TORSOR_OK;
  });
}
