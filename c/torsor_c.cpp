// The C interface: loading, what a robot is, and what acts on it. One handle holds a robot and its Dynamics, so that
// nothing allocates after loading.
#include <cmath>
#include <cstdio>

#include "c/handle.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/loops/loop_model.hpp"
#include "torsor/loops/start_position.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/mass_spread.hpp"

using namespace torsor;

torsor_robot::torsor_robot(const Robot& given, std::string doubts)
    : robot(given), warnings(std::move(doubts)), dynamics(robot) {
  for (int i = 0; i < model.size(); ++i) frames.push_back({model.link_names[i], i, model[i].link});
  frames.insert(frames.end(), model.frames.begin(), model.frames.end());
  payloads.resize(frames.size());
  wrenches.resize(frames.size());
  loads.external.resize(model.bodies.size());
  for (const Body<double>& body : coordinates.bodies)
    if (row(body.kind).nq >= 4) quaternions.push_back(static_cast<std::size_t>(body.q));
  rates_show = find_whether_rates_show();
  // matrices of loops are made at the first question for one, which is not to be in a loop of control
  if (robot.loops()) dynamics.forward(start_position(robot), zero, zero, {result.data(), nv});
}

torsor_robot::torsor_robot(const torsor_robot& other) : torsor_robot(other.robot, other.warnings) {
  payloads = other.payloads;
  wrenches = other.wrenches;
  loads = other.loads;
  dynamics = dynamics_like(other.dynamics, other.dynamics.threads());
}

Dynamics torsor_robot::dynamics_like(const Dynamics& other, int threads) const {
  Dynamics made(robot, {.threads = threads});
  made.set_gravity(other.tree().gravity);
  for (std::size_t k = 0; k < frames.size(); ++k)
    if (payloads[k].m != 0) made.set_inertia(frames[k].body, other.tree()[frames[k].body].inertia);
  made.set_loads(loads);
  return made;
}

bool torsor_robot::find_whether_rates_show() {
  if (nv > 64 || robot.loops()) return false;  // looking for one costs them nothing that counts
  std::vector<double> q(nq), rates(nv);
  for (const Body<double>& body : model.bodies) set_neutral(body.kind, q.data() + body.q);
  for (std::size_t k = 0; k < nv; ++k) {
    rates[k] = std::nan("");
    if (dynamics.inverse(q, rates, zero, {result.data(), nv})) return false;
    if (dynamics.inverse(q, zero, rates, {result.data(), nv})) return false;
    rates[k] = 0;
  }
  return true;
}

namespace torsor {
namespace {

// of this thread: the faults of a set-up, or a line of a call in the loop, which allocates nothing
struct Refusal {
  std::string faults;
  char line[256] = "";
  const char* text = "";
};
thread_local Refusal last_refusal;

const char* name_at(const std::vector<std::string>& names, int index) {
  return 0 <= index && static_cast<std::size_t>(index) < names.size() ? names[index].c_str() : nullptr;
}

torsor_status build_robot(Result<Description> description, torsor_robot*& out) {
  const auto robot = description ? Robot::try_build(*std::move(description)) : Result<Robot>(description.faults());
  if (!robot) return refuse(TORSOR_BAD_INPUT, robot.faults());
  out = new torsor_robot(*robot, lines(robot->warnings()));
  return TORSOR_OK;
}

}  // namespace

torsor_status refuse(torsor_status status, const char* function, const char* what, const char* name) {
  const char* const quote = name ? "\"" : "";
  std::snprintf(last_refusal.line, sizeof last_refusal.line, "%s: %s%s%s%s%s", function,
                what ? what : torsor_status_text(status), name ? " " : "", quote, name ? name : "", quote);
  last_refusal.text = last_refusal.line;
  return status;
}

torsor_status refuse(torsor_status status, const Faults& faults) {
  last_refusal.faults = lines(faults);
  last_refusal.text = last_refusal.faults.c_str();
  return status;
}

void forget_refusals() { last_refusal.text = ""; }

std::string lines(const Faults& faults) {
  std::string text;
  for (const Fault& fault : faults) text += (text.empty() ? "" : "\n") + to_string(fault);
  return text;
}

torsor_status status_of(torsor_robot& robot, const char* function, const Status& status) {
  switch (status.kind) {
    case Status::ok: return TORSOR_OK;
    case Status::wrong_size: return refuse(TORSOR_BAD_ARGUMENT, function, "an array has the wrong size");
    case Status::not_finite:
      return refuse(TORSOR_NOT_FINITE, function, "an argument is not finite, or a result too large");
    case Status::massless:
      robot.massless = status.coordinate;
      return refuse(TORSOR_SINGULAR, function,
                    "this coordinate can move, perhaps with others, without moving any mass:",
                    torsor_velocity_name(&robot, status.coordinate));
    case Status::not_closed:
      return refuse(TORSOR_NO_SOLUTION, function, "the loops cannot be closed at this position, because of",
                    torsor_velocity_name(&robot, status.coordinate));
    case Status::dead_centre:
      robot.massless = status.coordinate;
      return refuse(TORSOR_SINGULAR, function, "the loops are at a dead centre, where a motion is lost:",
                    torsor_velocity_name(&robot, status.coordinate));
    case Status::not_prepared:
      return refuse(TORSOR_BAD_INPUT, function, "this is not computed for robots with loops [robot-loops]");
  }
  return refuse(TORSOR_UNEXPECTED, function);
}

}  // namespace torsor

const char* torsor_version(void) { return TORSOR_VERSION; }

const char* torsor_status_text(int status) {
  switch (status) {
    case TORSOR_OK: return "done";
    case TORSOR_BAD_ARGUMENT: return "an argument is NULL, out of range, no rigid body or no pose";
    case TORSOR_BAD_INPUT: return "there is no such robot, or its file has faults";
    case TORSOR_NOT_FINITE: return "a number is not finite";
    case TORSOR_SINGULAR:
      return "singular: the accelerations are not determined, or a motion of the tool or of loops is lost";
    case TORSOR_NO_MEMORY: return "there is not enough memory";
    case TORSOR_UNEXPECTED: return "a fault of the library itself";
    case TORSOR_NO_SOLUTION: return "no joint position puts the tool at the pose, or closes the loops";
  }
  return "no such status";
}

int torsor_exit_code(int status) {
  switch (status) {
    case TORSOR_OK: return 0;
    case TORSOR_SINGULAR:
    case TORSOR_NO_SOLUTION: return 1;
    default: return 2;
  }
}

const char* torsor_error_message(void) { return last_refusal.text; }

torsor_status torsor_load(const char* name_or_path, torsor_robot** robot) {
  return set_up(__func__, robot, [&](torsor_robot*& out) {
    return name_or_path ? build_robot(load_robot(name_or_path), out)
                        : refuse(TORSOR_BAD_ARGUMENT, "torsor_load", "the name is NULL");
  });
}

torsor_status torsor_load_text(const char* text, size_t length, torsor_robot** robot) {
  return set_up(__func__, robot, [&](torsor_robot*& out) {
    return text ? build_robot(read_robot_text({text, length}, "text"), out)
                : refuse(TORSOR_BAD_ARGUMENT, "torsor_load_text", "the text is NULL");
  });
}

torsor_status torsor_clone(const torsor_robot* robot, torsor_robot** copy) {
  return set_up(__func__, copy, [&](torsor_robot*& out) {
    if (!robot) return refuse(TORSOR_BAD_ARGUMENT, "torsor_clone", "the robot is NULL");
    out = new torsor_robot(*robot);
    return TORSOR_OK;
  });
}

torsor_status torsor_set_threads(torsor_robot* robot, int threads) {
  forget_refusals();
  if (!robot || threads < 1 || threads > 1024)
    return refuse(TORSOR_BAD_ARGUMENT, __func__, robot ? "threads are 1 to 1024" : "the robot is NULL");
  return guarded(__func__, [&] {
    robot->use_threads(threads);
    return TORSOR_OK;
  });
}

void torsor_free(torsor_robot* robot) { delete robot; }

const char* torsor_warnings(const torsor_robot* robot) { return robot ? robot->warnings.c_str() : ""; }

const char* torsor_name(const torsor_robot* robot) { return robot ? robot->robot.name().c_str() : nullptr; }
int torsor_nq(const torsor_robot* robot) { return robot ? robot->robot.nq() : 0; }
int torsor_nv(const torsor_robot* robot) { return robot ? robot->robot.nv() : 0; }

const char* torsor_position_name(const torsor_robot* robot, int index) {
  return robot ? name_at(robot->coordinates.position_names, index) : nullptr;
}

const char* torsor_velocity_name(const torsor_robot* robot, int index) {
  return robot ? name_at(robot->coordinates.velocity_names, index) : nullptr;
}

int torsor_link_count(const torsor_robot* robot) { return robot ? robot->model.size() : 0; }
int torsor_frame_count(const torsor_robot* robot) { return robot ? static_cast<int>(robot->frames.size()) : 0; }

int torsor_loop_count(const torsor_robot* robot) {
  return robot ? static_cast<int>(robot->robot.description().loops.size()) : 0;
}

const char* torsor_loop_name(const torsor_robot* robot, int loop) {
  if (loop < 0 || loop >= torsor_loop_count(robot)) return nullptr;
  return robot->robot.description().loops[static_cast<std::size_t>(loop)].name.c_str();
}

const char* torsor_frame_name(const torsor_robot* robot, int frame) {
  return has_frame(robot, frame) ? robot->frames[frame].name.c_str() : nullptr;
}

int torsor_frame_index(const torsor_robot* robot, const char* name) {
  if (!name) return -1;
  for (int frame = torsor_frame_count(robot) - 1; frame >= 0; --frame)
    if (robot->frames[frame].name == name) return frame;
  return -1;
}

torsor_status torsor_limits(const torsor_robot* robot, double* lower, double* upper, double* velocity, double* effort) {
  if (!robot) return refuse(TORSOR_BAD_ARGUMENT, __func__, "the robot is NULL");
  for (std::size_t k = 0; k < robot->nv; ++k) {
    const Limits& limits = robot->coordinates.limits[k];
    if (lower) lower[k] = limits.lower;
    if (upper) upper[k] = limits.upper;
    if (velocity) velocity[k] = limits.velocity;
    if (effort) effort[k] = limits.effort;
  }
  return TORSOR_OK;
}

torsor_status torsor_neutral_position(const torsor_robot* robot, double* q) {
  if (!robot || !q) return refuse(TORSOR_BAD_ARGUMENT, __func__, "the robot or q is NULL");
  const Model<double>& coordinates = robot->coordinates;
  if (robot->robot.loops())
    for (std::size_t k = 0; k < robot->nq; ++k) q[k] = robot->robot.loops()->reference[robot->robot.loops()->q[k]];
  else
    for (const Body<double>& body : coordinates.bodies) set_neutral(body.kind, q + body.q);
  return TORSOR_OK;
}

int torsor_massless_coordinate(const torsor_robot* robot) { return robot ? robot->massless : -1; }

torsor_status torsor_set_gravity(torsor_robot* robot, const double gravity[3]) {
  if (!robot || !gravity) return refuse(TORSOR_BAD_ARGUMENT, __func__, "the robot or gravity is NULL");
  if (!all_finite({gravity, 3})) return refuse(TORSOR_NOT_FINITE, __func__);
  robot->dynamics.set_gravity(vec(gravity));
  return TORSOR_OK;
}

torsor_status torsor_set_base_motion(torsor_robot* robot, const double angular_velocity[3],
                                     const double angular_acceleration[3], const double acceleration[3]) {
  if (!robot) return refuse(TORSOR_BAD_ARGUMENT, __func__, "the robot is NULL");
  for (const double* given : {angular_velocity, angular_acceleration, acceleration})
    if (!finite_or_null(given, 3)) return refuse(TORSOR_NOT_FINITE, __func__);
  robot->loads.base = {vec(angular_velocity), vec(angular_acceleration), vec(acceleration)};
  robot->dynamics.set_loads(robot->loads);
  return TORSOR_OK;
}

torsor_status torsor_set_payload(torsor_robot* robot, int frame, double mass, const double com[3],
                                 const double inertia[6]) {
  if (!has_frame(robot, frame)) return refuse(TORSOR_BAD_ARGUMENT, __func__, "there is no such frame");
  if (!std::isfinite(mass) || !finite_or_null(com, 3) || !finite_or_null(inertia, 6))
    return refuse(TORSOR_NOT_FINITE, __func__);
  const double* I = inertia;
  const Sym3<double> tensor = I ? Sym3<double>{I[0], I[1], I[2], I[3], I[4], I[5]} : Sym3<double>{};
  if (!can_be_a_body(mass_spread(mass, tensor), vec(com)))
    return refuse(TORSOR_BAD_ARGUMENT, __func__, "no rigid body has this mass, mass centre and inertia tensor");
  // as of a file, whose faults need memory
  const torsor_status sizes = guarded(__func__, [&] {
    const Part part{.mass = mass, .com = vec(com), .tensor = tensor};
    return check_part(part, {}, "").empty() ? TORSOR_OK
                                            : refuse(TORSOR_BAD_ARGUMENT, "torsor_set_payload",
                                                     "a number is larger or smaller than a robot file may have");
  });
  if (sizes != TORSOR_OK) return sizes;

  // summed anew from the link on, so that nothing is left of payloads put down
  const int body = robot->frames[frame].body;
  robot->payloads[frame] = robot->frames[frame].X_body_frame * inertia_about_centre(mass, vec(com), tensor);
  Inertia<double> sum = robot->model[body].inertia;
  for (std::size_t k = 0; k < robot->frames.size(); ++k)
    if (robot->frames[k].body == body) sum += robot->payloads[k];
  robot->dynamics.set_inertia(body, sum);
  return TORSOR_OK;
}

torsor_status torsor_set_wrench(torsor_robot* robot, int frame, const double force[3], const double moment[3]) {
  if (!has_frame(robot, frame)) return refuse(TORSOR_BAD_ARGUMENT, __func__, "there is no such frame");
  if (!finite_or_null(force, 3) || !finite_or_null(moment, 3)) return refuse(TORSOR_NOT_FINITE, __func__);
  const int body = robot->frames[frame].body;
  robot->wrenches[frame] = robot->frames[frame].X_body_frame * Force<double>{vec(moment), vec(force)};
  Force<double> sum;
  for (std::size_t k = 0; k < robot->frames.size(); ++k)
    if (robot->frames[k].body == body) sum += robot->wrenches[k];
  robot->loads.external[body] = sum;
  robot->dynamics.set_loads(robot->loads);
  return TORSOR_OK;
}
