// What code can be generated for: one row per function, the same names on the command line and in C. Arguments and results
// are plain arrays; matrices are row-major.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

enum class CodeFunction : unsigned char { id, bias, gravity, mass, coriolis, fd, fk, jacobian, derivatives, ik };

/// An array of a generated function.
struct CodeArgument {
  std::string_view name;
  int rows = 0, columns = 1;
  bool is_result = false;

  int size() const { return rows * columns; }
};

struct CodeFunctionRow {
  CodeFunction function;
  std::string_view name, what;
  std::array<std::string_view, 3> arguments;
  std::array<std::string_view, 3> results;
};

inline constexpr std::array<CodeFunctionRow, 10> code_functions{{
    {CodeFunction::id, "id", "torques tau for a motion; friction and rotors included", {"q", "qd", "qdd"}, {"tau"}},
    {CodeFunction::bias, "bias", "torques tau without accelerations: id with qdd = 0", {"q", "qd"}, {"tau"}},
    {CodeFunction::gravity, "gravity", "torques tau that hold the robot still", {"q"}, {"tau"}},
    {CodeFunction::mass, "mass", "mass matrix M, rotors included", {"q"}, {"M"}},
    {CodeFunction::coriolis, "coriolis", "matrix C of Coriolis and centrifugal torques C qd", {"q", "qd"}, {"C"}},
    {CodeFunction::fd,
     "fd",
     "accelerations qdd under torques tau; friction and rotors included",
     {"q", "qd", "tau"},
     {"qdd"}},
    {CodeFunction::fk, "fk", "pose of the tool in the world: rotation R, position p", {"q"}, {"R", "p"}},
    {CodeFunction::jacobian,
     "jacobian",
     "pose and Jacobian of the tool in the world: (w; v) = J qd",
     {"q"},
     {"R", "p", "J"}},
    {CodeFunction::derivatives,
     "derivatives",
     "derivatives of the torques of id by q, qd and qdd",
     {"q", "qd", "qdd"},
     {"tau_q", "tau_qd", "M"}},
    {CodeFunction::ik,
     "ik",
     "all joint positions of a pose of the tool, a row each; state 1 found, 0 out of reach, -1 near a singularity",
     {"R", "p", "value"},
     {"branch", "state"}},
}};

constexpr const CodeFunctionRow& row(CodeFunction function) {
  return code_functions[static_cast<std::size_t>(function)];
}

constexpr std::optional<CodeFunction> code_function(std::string_view name) {
  for (const CodeFunctionRow& each : code_functions)
    if (each.name == name) return each.function;
  return std::nullopt;
}

struct CodeIk;

/// The arrays of a function of a robot with nq position and nv velocity coordinates, arguments first; of inverse kinematics
/// those that its form has.
std::vector<CodeArgument> code_arguments(CodeFunction, int nq, int nv, const CodeIk* = nullptr);

}  // namespace torsor
