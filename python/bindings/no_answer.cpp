#include "python/bindings/no_answer.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "torsor/report/loop_summary.hpp"

namespace torsor::python {
namespace {

std::string who(const RowCall& call, std::int64_t state) {
  return call.single() ? "the state" : "state " + std::to_string(state);
}

/// The largest number that came or that gravity has, by the name of its argument and of its coordinate where it is of one.
std::string largest_number(const RowCall& call, const Model<double>* model, std::int64_t state) {
  std::string found;
  double largest = -1;
  for (int k = 0; k < call.taken(); ++k) {
    const std::vector<double> numbers = call.numbers_of(k, state);
    std::vector<std::string> names;
    const std::string_view argument = call.name(k);
    if (model && argument == "q") names = model->position_names;
    if (model && (argument == "qd" || argument == "qdd" || argument == "tau")) names = model->velocity_names;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!(std::abs(numbers[i]) > largest)) continue;
      largest = std::abs(numbers[i]);
      found = call.name(k) + ("[" + std::to_string(i) + "]") +
              (i < names.size() ? ", of \"" + names[i] + "\"," : "") + " is " +
              nb::cast<std::string>(nb::repr(nb::float_(numbers[i])));
    }
  }
  if (model)
    for (const double g : {model->gravity.x, model->gravity.y, model->gravity.z})
      if (std::abs(g) > largest) {
        largest = std::abs(g);
        found = "the robot's gravity has " + nb::cast<std::string>(nb::repr(nb::float_(g))) + " m/s^2";
      }
  return found;
}

}  // namespace

int joint_without_direction(const RowCall& call, const Model<double>& model, std::int64_t state, int argument) {
  const auto zero = [](auto x) { return x == 0; };
  for (int i = 0; i < model.size(); ++i) {
    if (row(model[i].kind).nq < 4) continue;
    const int first = model[i].q;
    const auto all_zero = [&](const auto* row) { return std::all_of(row + first, row + first + 4, zero); };
    if (call.floats() ? all_zero(call.in<float>(argument).row(state)) : all_zero(call.in<double>(argument).row(state)))
      return i;
  }
  return -1;
}

Fault meaningless_fault(const RowCall& call, const Model<double>* model, std::int64_t state, int argument) {
  if (const int joint = model ? joint_without_direction(call, *model, state, argument) : -1; joint >= 0)
    return {{}, who(call, state), "quaternion-length",
            "the quaternion of joint \"" + model->joint_names[joint] + "\" has length zero",
            "give it any other length, such as 1 0 0 0"};
  return {{}, who(call, state), "too-large",
          "its answer is too large for numbers: " + largest_number(call, model, state),
          "look for a wrong unit or a run that diverged"};
}

Fault no_answer_fault(const RowCall& call, const Robot& robot, std::int64_t state) {
  if (robot.loops()) {
    std::vector<double> all(static_cast<std::size_t>(robot.tree().nq));
    if (auto fault = loop_fault(robot, robot.kinematics()->positions(call.numbers_of(0, state), all)))
      return *std::move(fault);
  }
  return meaningless_fault(call, &robot.coordinates(), state);
}

Fault massless_fault(const RowCall& call, const Model<double>& model, std::int64_t state, int coordinate) {
  return {{}, who(call, state), "massless-coordinate",
          "its accelerations are not determined: \"" + model.velocity_names[static_cast<std::size_t>(coordinate)] +
              "\" moves no mass, or so little that it is lost in the rounding of what others move",
          "give the last links of every branch mass and inertia, or their joints rotors"};
}

Fault undetermined_fault(const RowCall& call, const Robot& robot, std::int64_t state) {
  const Model<double>& model = robot.coordinates();
  if (joint_without_direction(call, model, state) < 0) {
    std::vector<double> qdd(static_cast<std::size_t>(model.nv));
    const int undetermined = massless(robot.dynamics()->forward(call.numbers_of(0, state), call.numbers_of(1, state),
                                                                call.numbers_of(2, state), qdd));
    if (undetermined >= 0) return massless_fault(call, model, state, undetermined);
  }
  return no_answer_fault(call, robot, state);
}

}  // namespace torsor::python
