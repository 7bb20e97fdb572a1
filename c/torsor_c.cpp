// The C interface on top of the library: one handle holds a robot and its Dynamics, so that nothing allocates after
// loading. Results are computed in the handle's own memory and copied out only when they are all finite: a refused call
// leaves the caller's arrays alone, and outputs may be inputs.
#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <utility>

#include "c/torsor.h"
#include "torsor/dynamics.hpp"
#include "torsor/io/load_robot.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/mass_spread.hpp"
#include "torsor/numeric/finite.hpp"

using namespace torsor;

struct torsor_robot {
  torsor_robot(const Robot& given, std::string doubts)
      : robot(given), warnings(std::move(doubts)), dynamics(robot) {
    for (int i = 0; i < model.size(); ++i) frames.push_back({model.link_names[i], i, model[i].link});
    frames.insert(frames.end(), model.frames.begin(), model.frames.end());
    payloads.resize(frames.size());
    wrenches.resize(frames.size());
    loads.external.resize(model.bodies.size());
    for (const Body<double>& body : model.bodies)
      if (row(body.kind).nq >= 4) quaternions.push_back(static_cast<std::size_t>(body.q));
    rates_show = find_whether_rates_show();
  }
  torsor_robot(const torsor_robot& other) : torsor_robot(other.robot, other.warnings) {
    payloads = other.payloads;
    wrenches = other.wrenches;
    loads = other.loads;
    dynamics.set_gravity(other.dynamics.model().gravity);
    for (std::size_t k = 0; k < frames.size(); ++k)
      if (payloads[k].m != 0) dynamics.set_inertia(frames[k].body, other.dynamics.model()[frames[k].body].inertia);
    dynamics.set_loads(loads);
  }
  torsor_robot& operator=(const torsor_robot&) = delete;

  Robot robot;
  std::string warnings;  // a line each
  Dynamics dynamics;     // with the payloads and the gravity that were set
  const Model<double>& model = robot.model();
  std::vector<Frame<double>> frames;  // links, then tools

  // what frames carry and feel, in the frames of their bodies
  std::vector<Inertia<double>> payloads;
  std::vector<Force<double>> wrenches;
  Loads loads;  // the sums of the wrenches

  /// A speed or acceleration that is no number shows in the torques, so that a loop need not look for one beforehand: so
  /// it is unless a joint moves no mass. A payload only makes more of them show.
  bool find_whether_rates_show() {
    if (nv > 64) return false;  // looking for one costs them nothing that counts
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
  bool rates_show = false;

  std::vector<std::size_t> quaternions;  // where in q they begin
  std::size_t nq = static_cast<std::size_t>(model.nq), nv = static_cast<std::size_t>(model.nv);
  std::vector<double> zero = std::vector<double>(nv);
  std::vector<double> result = std::vector<double>(std::max({nv * nv, 6 * nv, pose_numbers}));

  static constexpr std::size_t pose_numbers = 12;  // position and rotation
};

namespace {

thread_local std::string last_message;

// nothing is thrown into C
template <class Run>
torsor_status guarded(const Run& run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return TORSOR_NO_MEMORY;
  } catch (...) {
    return TORSOR_UNEXPECTED;
  }
}

// set-up: what can be said about a failure is said
template <class Make>
torsor_status set_up(torsor_robot** out, const Make& make) {
  last_message.clear();
  if (out) *out = nullptr;
  const torsor_status status = out ? guarded([&] { return make(*out); }) : TORSOR_BAD_ARGUMENT;
  if (status != TORSOR_OK && last_message.empty())
    guarded([&] {
      last_message = torsor_status_text(status);
      return status;
    });
  return status;
}

std::string lines(const Faults& faults) {
  std::string text;
  for (const Fault& fault : faults) text += (text.empty() ? "" : "\n") + to_string(fault);
  return text;
}

torsor_status build_robot(Result<Description> description, torsor_robot*& out) {
  const auto robot = description ? Robot::try_build(*std::move(description)) : Result<Robot>(description.faults());
  if (!robot) {
    last_message = lines(robot.faults());
    return TORSOR_BAD_INPUT;
  }
  out = new torsor_robot(*robot, lines(robot->warnings()));
  return TORSOR_OK;
}

// an array that may be left out
bool finite_or_null(const double* numbers, std::size_t count) { return !numbers || all_finite({numbers, count}); }

Vec3<double> vec(const double* v) { return v ? Vec3<double>{v[0], v[1], v[2]} : Vec3<double>{}; }

bool has_frame(const torsor_robot* robot, int frame) {
  return robot && 0 <= frame && static_cast<std::size_t>(frame) < robot->frames.size();
}

const char* name_at(const std::vector<std::string>& names, int index) {
  return 0 <= index && static_cast<std::size_t>(index) < names.size() ? names[index].c_str() : nullptr;
}

// every function divides quaternions by their lengths: zero is none to divide by
bool quaternions_have_length(const torsor_robot* robot, const double* q) {
  return std::ranges::all_of(robot->quaternions, [q](std::size_t at) {
    return std::any_of(q + at, q + at + 4, [](double x) { return x != 0; });
  });
}

torsor_status status_of(const Status& status) {
  switch (status.kind) {
    case Status::ok: return TORSOR_OK;
    case Status::wrong_size: return TORSOR_BAD_ARGUMENT;
    case Status::not_finite: return TORSOR_NOT_FINITE;
    case Status::massless: return TORSOR_SINGULAR;
  }
  return TORSOR_UNEXPECTED;
}

// runs run(q, result), which answers a Status, and hands the result out, count numbers, if they are all finite
template <class Run>
torsor_status compute(torsor_robot* robot, const double* q, std::size_t count, double* out, const Run& run) {
  if (!robot || !q || !out) return TORSOR_BAD_ARGUMENT;
  if (!all_finite({q, robot->nq}) || !quaternions_have_length(robot, q)) return TORSOR_NOT_FINITE;
  return guarded([&] {
    const std::span<double> result(robot->result.data(), count);
    if (const Status status = run(std::span<const double>(q, robot->nq), result); !status) return status_of(status);
    for (std::size_t k = 0; k < count; ++k) out[k] = result[k];
    return TORSOR_OK;
  });
}

std::span<const double> rates(const double* given, std::size_t count) {
  return given ? std::span<const double>(given, count) : std::span<const double>();
}

}  // namespace

const char* torsor_version(void) { return TORSOR_VERSION; }

const char* torsor_status_text(torsor_status status) {
  switch (status) {
    case TORSOR_OK: return "done";
    case TORSOR_BAD_ARGUMENT: return "an argument is NULL, out of range or no rigid body";
    case TORSOR_BAD_INPUT: return "there is no such robot, or its file has faults";
    case TORSOR_NOT_FINITE: return "a number is not finite";
    case TORSOR_SINGULAR: return "the accelerations are not determined: a coordinate moves no mass";
    case TORSOR_NO_MEMORY: return "there is not enough memory";
    case TORSOR_UNEXPECTED: return "a fault of the library itself";
  }
  return "no such status";
}

const char* torsor_error_message(void) { return last_message.c_str(); }

torsor_status torsor_load(const char* name_or_path, torsor_robot** robot) {
  return set_up(robot, [&](torsor_robot*& out) {
    return name_or_path ? build_robot(load_robot(name_or_path), out) : TORSOR_BAD_ARGUMENT;
  });
}

torsor_status torsor_load_text(const char* text, size_t length, torsor_robot** robot) {
  return set_up(robot, [&](torsor_robot*& out) {
    return text ? build_robot(read_robot_text({text, length}, "text"), out) : TORSOR_BAD_ARGUMENT;
  });
}

torsor_status torsor_clone(const torsor_robot* robot, torsor_robot** copy) {
  return set_up(copy, [&](torsor_robot*& out) {
    if (!robot) return TORSOR_BAD_ARGUMENT;
    out = new torsor_robot(*robot);
    return TORSOR_OK;
  });
}

void torsor_free(torsor_robot* robot) { delete robot; }

const char* torsor_warnings(const torsor_robot* robot) { return robot ? robot->warnings.c_str() : ""; }

const char* torsor_name(const torsor_robot* robot) { return robot ? robot->model.name.c_str() : nullptr; }
int torsor_nq(const torsor_robot* robot) { return robot ? robot->model.nq : 0; }
int torsor_nv(const torsor_robot* robot) { return robot ? robot->model.nv : 0; }

const char* torsor_position_name(const torsor_robot* robot, int index) {
  return robot ? name_at(robot->model.position_names, index) : nullptr;
}

const char* torsor_velocity_name(const torsor_robot* robot, int index) {
  return robot ? name_at(robot->model.velocity_names, index) : nullptr;
}

int torsor_frame_count(const torsor_robot* robot) { return robot ? static_cast<int>(robot->frames.size()) : 0; }

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
  if (!robot) return TORSOR_BAD_ARGUMENT;
  for (std::size_t k = 0; k < robot->nv; ++k) {
    const Limits& limits = robot->model.limits[k];
    if (lower) lower[k] = limits.lower;
    if (upper) upper[k] = limits.upper;
    if (velocity) velocity[k] = limits.velocity;
    if (effort) effort[k] = limits.effort;
  }
  return TORSOR_OK;
}

torsor_status torsor_neutral_position(const torsor_robot* robot, double* q) {
  if (!robot || !q) return TORSOR_BAD_ARGUMENT;
  for (const Body<double>& body : robot->model.bodies) set_neutral(body.kind, q + body.q);
  return TORSOR_OK;
}

torsor_status torsor_set_gravity(torsor_robot* robot, const double gravity[3]) {
  if (!robot || !gravity) return TORSOR_BAD_ARGUMENT;
  if (!all_finite({gravity, 3})) return TORSOR_NOT_FINITE;
  robot->dynamics.set_gravity(vec(gravity));
  return TORSOR_OK;
}

torsor_status torsor_set_payload(torsor_robot* robot, int frame, double mass, const double com[3],
                                 const double inertia[6]) {
  if (!has_frame(robot, frame)) return TORSOR_BAD_ARGUMENT;
  if (!std::isfinite(mass) || !finite_or_null(com, 3) || !finite_or_null(inertia, 6)) return TORSOR_NOT_FINITE;
  const double* I = inertia;
  const Sym3<double> tensor = I ? Sym3<double>{I[0], I[1], I[2], I[3], I[4], I[5]} : Sym3<double>{};
  if (!can_be_a_body(mass_spread(mass, tensor), vec(com))) return TORSOR_BAD_ARGUMENT;
  // as of a file, whose faults need memory
  const torsor_status sizes = guarded([&] {
    const Part part{.mass = mass, .com = vec(com), .tensor = tensor};
    return check_part(part, {}, "").empty() ? TORSOR_OK : TORSOR_BAD_ARGUMENT;
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
  if (!has_frame(robot, frame)) return TORSOR_BAD_ARGUMENT;
  if (!finite_or_null(force, 3) || !finite_or_null(moment, 3)) return TORSOR_NOT_FINITE;
  const int body = robot->frames[frame].body;
  robot->wrenches[frame] = robot->frames[frame].X_body_frame * Force<double>{vec(moment), vec(force)};
  Force<double> sum;
  for (std::size_t k = 0; k < robot->frames.size(); ++k)
    if (robot->frames[k].body == body) sum += robot->wrenches[k];
  robot->loads.external[body] = sum;
  robot->dynamics.set_loads(robot->loads);
  return TORSOR_OK;
}

torsor_status torsor_inverse(torsor_robot* robot, const double* q, const double* qd, const double* qdd, double* tau) {
  if (!robot) return TORSOR_BAD_ARGUMENT;
  if (!robot->rates_show && (!finite_or_null(qd, robot->nv) || !finite_or_null(qdd, robot->nv)))
    return TORSOR_NOT_FINITE;
  return compute(robot, q, robot->nv, tau, [&](std::span<const double> position, std::span<double> result) {
    return robot->dynamics.inverse(position, rates(qd, robot->nv), rates(qdd, robot->nv), result);
  });
}

torsor_status torsor_gravity(torsor_robot* robot, const double* q, double* tau) {
  return torsor_inverse(robot, q, nullptr, nullptr, tau);
}

torsor_status torsor_bias(torsor_robot* robot, const double* q, const double* qd, double* tau) {
  return torsor_inverse(robot, q, qd, nullptr, tau);
}

torsor_status torsor_mass(torsor_robot* robot, const double* q, double* mass) {
  if (!robot) return TORSOR_BAD_ARGUMENT;
  return compute(robot, q, robot->nv * robot->nv, mass,
                 [&](std::span<const double> position, std::span<double> result) {
                   return robot->dynamics.mass(position, result);
                 });
}

torsor_status torsor_forward(torsor_robot* robot, const double* q, const double* qd, const double* tau, double* qdd) {
  if (!robot) return TORSOR_BAD_ARGUMENT;
  if (!finite_or_null(qd, robot->nv) || !finite_or_null(tau, robot->nv)) return TORSOR_NOT_FINITE;
  return compute(robot, q, robot->nv, qdd, [&](std::span<const double> position, std::span<double> result) {
    const double* zero = robot->zero.data();
    const auto given = [&](const double* x) { return rates(x ? x : zero, robot->nv); };
    return robot->dynamics.forward(position, given(qd), given(tau), result);
  });
}

torsor_status torsor_kinematics(torsor_robot* robot, const double* q, int frame, double position[3],
                                double rotation[9]) {
  if (!has_frame(robot, frame) || !q || (!position && !rotation)) return TORSOR_BAD_ARGUMENT;
  double pose[torsor_robot::pose_numbers];
  const torsor_status status =
      compute(robot, q, torsor_robot::pose_numbers, pose, [&](std::span<const double> at, std::span<double> result) {
        Transform<double> X;
        const Status found = robot->dynamics.frame(at, robot->frames[frame], X);
        const Mat3<double> rows = ~X.R;
        std::size_t k = 0;
        for (const Vec3<double>& v : {X.p, rows.x, rows.y, rows.z})
          for (const double x : {v.x, v.y, v.z}) result[k++] = x;
        return found;
      });
  if (status != TORSOR_OK) return status;
  if (position) std::copy(pose, pose + 3, position);
  if (rotation) std::copy(pose + 3, std::end(pose), rotation);
  return TORSOR_OK;
}

torsor_status torsor_jacobian(torsor_robot* robot, const double* q, int frame, double* jacobian) {
  if (!has_frame(robot, frame)) return TORSOR_BAD_ARGUMENT;
  return compute(robot, q, 6 * robot->nv, jacobian, [&](std::span<const double> at, std::span<double> result) {
    Transform<double> X;
    return robot->dynamics.frame(at, robot->frames[frame], X, result);
  });
}
