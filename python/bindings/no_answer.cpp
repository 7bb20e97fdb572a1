#include "python/bindings/no_answer.hpp"

#include <vector>

namespace torsor::python {
namespace {

std::vector<double> doubles(const RowCall& call, int argument, std::int64_t state, int columns) {
  if (!call.floats()) {
    const auto row = call.row(argument, state);
    return {row.begin(), row.end()};
  }
  const float* const row = call.in<float>(argument).row(state);
  return {row, row + columns};
}

/// The joint whose quaternion has length zero at q; -1 if there is none.
int joint_without_direction(const Model<double>& model, std::span<const double> q) {
  for (int i = 0; i < model.size(); ++i) {
    if (row(model[i].kind).nq < 4) continue;
    const auto e = q.subspan(static_cast<std::size_t>(model[i].q), 4);
    if (std::ranges::all_of(e, [](double x) { return x == 0; })) return i;
  }
  return -1;
}

}  // namespace

Error undetermined_fault(const RowCall& call, const Robot& robot, std::int64_t state) {
  const Model<double>& model = robot.model;
  const std::string who = call.single() ? "the state" : "state " + std::to_string(state);
  const std::vector<double> q = doubles(call, 0, state, model.nq), qd = doubles(call, 1, state, model.nv),
                            tau = doubles(call, 2, state, model.nv);
  if (const int joint = joint_without_direction(model, q); joint >= 0)
    return {{}, who, "quaternion-length", "the quaternion of joint \"" + model.joint_names[joint] + "\" has length zero",
            "give it any other length, such as 1 0 0 0"};
  std::vector<double> qdd(tau);
  const int undetermined = robot.fast()->forward(q, qd, tau, qdd);
  if (undetermined >= 0)
    return {{}, who, "massless-coordinate",
            "its accelerations are not determined: \"" + model.velocity_names[undetermined] +
                "\" moves no mass, or so little that it is lost in the rounding of what others move",
            "give the last links of every branch mass and inertia, or their joints rotors"};
  return {{}, who, "too-large", "its accelerations are too large for numbers: speeds or efforts overflow",
          "look for a wrong unit or a run that diverged"};
}

}  // namespace torsor::python
