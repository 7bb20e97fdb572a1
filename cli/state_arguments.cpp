#include "cli/state_arguments.hpp"

#include <fmt/format.h>

#include <numbers>

#include "torsor/dynamics.hpp"
#include "torsor/loops/random_closed_position.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/degree_watch.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/model/unit_quaternions.hpp"

namespace torsor {
namespace {

using Kinds = std::vector<CoordinateKind>;

// a list of the right length, angles to radians
Result<std::vector<double>> read_list(const std::string& option, const std::string& text,
                                      const std::vector<std::string>& names, const Kinds* kinds, bool degrees) {
  const auto is_angle = [&](std::size_t k) {
    return kinds && k < kinds->size() && (*kinds)[k] == CoordinateKind::angle;
  };
  auto list = parse_angles(text, option, degrees, [&](std::size_t k, std::size_t) { return is_angle(k); });
  if (!list) return list;
  if (list->size() != names.size())
    return count_error(option, list->size(), std::to_string(names.size()),
                       fmt::format("in this order: {}", fmt::join(names, ", ")));
  for (std::size_t k = 0; degrees && k < names.size(); ++k)
    if (is_angle(k)) (*list)[k] = (*list)[k] / 180 * std::numbers::pi;
  return list;
}

Result<std::vector<double>> read_position(const Model<double>& model, const StateArguments& a) {
  if (*a.q == "zero") return neutral_position(model);
  if (*a.q == "random") {
    std::mt19937_64 engine(static_cast<std::uint64_t>(a.seed.value_or(1)));
    return random_position(model, engine);
  }
  const Kinds kinds = position_kinds(model);
  auto q = read_list("--q", *a.q, model.position_names, &kinds, a.degrees);
  if (!q) return q;
  if (const auto fault = normalize_quaternions(model, *q))
    return Fault{{}, "--q", "quaternion-unit", fault->what, fault->remedy};
  return q;
}

}  // namespace

void StateArguments::add_position_to(Options& options, const std::string& seed_help) {
  options
      .text("--q", "LIST", q,
            "positions in the order of the coordinates (torsor show ROBOT), by commas or blanks: 0.5, -pi/2, 90deg; or "
            "zero; "
            "or random")
      .whole("--seed", 0, 1LL << 53, seed, seed_help)
      .flag("--degrees", degrees,
            "angles are in degrees, their rates in degrees per second (squared): in the lists, in the columns of a "
            "file that "
            "name no unit, and in the answer");
}

void StateArguments::add_rates_to(Options& options) {
  options.text("--qd", "LIST", qd, "velocities; default zero")
      .text("--qdd", "LIST", qdd, "accelerations; default zero");
}

void StateArguments::add_torques_to(Options& options) {
  options.text("--qd", "LIST", qd, "velocities; default zero")
      .text("--tau", "LIST", tau, "joint torques, N m or N; default zero");
}

std::vector<std::string> StateArguments::given() const {
  std::vector<std::string> names;
  const auto add = [&names](bool is_given, const char* name) {
    if (is_given) names.emplace_back(name);
  };
  add(q.has_value(), "--q");
  add(seed.has_value(), "--seed");
  add(degrees, "--degrees");
  add(qd.has_value(), "--qd");
  add(qdd.has_value(), "--qdd");
  add(tau.has_value(), "--tau");
  return names;
}

Result<State> read_state(const Model<double>& model, const StateArguments& a) {
  State state;
  Faults errors;
  refuse_if(a.seed && a.q && *a.q != "random", "--seed", "without --q random", errors);
  const auto put = [&errors](Result<std::vector<double>> list, std::vector<double>& into) {
    collect(list, errors);
    if (list) into = *std::move(list);
  };
  if (a.q)
    put(read_position(model, a), state.q);
  else
    errors.push_back(
        fault_of("--q", "option-missing", "is missing",
                 fmt::format("give {} numbers ({}), or zero, or random", model.nq, fmt::join(model.position_names,
                     ", "))));

  const Kinds kinds = velocity_kinds(model);
  const auto rates = [&](const char* option, const std::optional<std::string>& text, const Kinds* angles,
                         std::vector<double>& into) {
    if (text && *text != "zero")
      put(read_list(option, *text, model.velocity_names, angles, a.degrees), into);
    else
      into.assign(static_cast<std::size_t>(model.nv), 0.0);
  };
  rates("--qd", a.qd, &kinds, state.qd);
  rates("--qdd", a.qdd, &kinds, state.qdd);
  rates("--tau", a.tau, nullptr, state.tau);
  if (!errors.empty()) return errors;
  if (!a.degrees) {
    DegreeWatch watch(model);
    watch.add(state.q);
    if (const std::string why = watch.suspicion(); !why.empty()) note(degrees_sentence(why, "--degrees"));
  }
  return state;
}

Result<State> read_state(const Robot& robot, const StateArguments& arguments) {
  if (!robot.loops() || arguments.q != "random") return read_state(robot.coordinates(), arguments);
  // of positions inside the limits the first where the loops close
  StateArguments a = arguments;
  a.q = "zero", a.seed = {};
  auto state = read_state(robot.coordinates(), a);
  if (!state) return state;
  std::mt19937_64 engine(static_cast<std::uint64_t>(arguments.seed.value_or(1)));
  Dynamics dynamics(robot, {.questions = Questions::all_but_forward});
  auto q = random_closed_position(robot, dynamics, engine);
  if (!q) return q.faults();
  state->q = *std::move(q);
  return state;
}

}  // namespace torsor
