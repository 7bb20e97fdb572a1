// Pages with a robot or mechanism that moves, for notebooks; _view.py says of what.
#include <nanobind/stl/string.h>

#include "python/bindings/arrays.hpp"
#include "python/bindings/mechanism.hpp"
#include "python/bindings/page.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/report/mechanism_view.hpp"
#include "torsor/report/robot_view.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

constexpr const char* function_name = "view";

std::string page_of(const std::string& title, MovingView view) {
  Report report;
  report.title = title;
  report.section("").figure(std::move(view));
  return html_of(report);
}

std::vector<double> times_of(nb::handle t, std::size_t rows) {
  std::vector<double> times = vector_of(function_name, "t", t, static_cast<int>(rows));
  for (std::size_t k = 1; k < times.size(); ++k)
    if (!(times[k] > times[k - 1])) refuse(function_name, "t does not increase at row " + std::to_string(k));
  return times;
}

/// Torques of the rows, or none.
std::vector<std::vector<double>> torques_of(nb::handle torques, std::size_t rows, int columns) {
  if (torques.is_none()) return {};
  auto out = rows_of(function_name, "torques", torques, columns);
  if (out.size() != rows)
    refuse(function_name, "torques has " + std::to_string(out.size()) + " rows; expected " + std::to_string(rows));
  return out;
}

std::string view_robot(const Robot& robot, nb::handle t, nb::handle q, nb::handle torques, const std::string& title) {
  const Model<double>& m = robot.coordinates();
  const auto rows = rows_of(function_name, "q", q, m.nq);
  const std::vector<double> times = times_of(t, rows.size());
  const auto tau = torques_of(torques, rows.size(), m.nv);
  RobotMotion motion;
  for (std::size_t k = 0; k < rows.size(); ++k)
    motion.add(times[k], rows[k], tau.empty() ? std::span<const double>{} : std::span<const double>(tau[k]));
  if (motion.empty()) refuse(function_name, "there is no position to show");
  return page_of(title, robot_view(robot, "The robot as it moves", motion));
}

std::string view_ranges(const Robot& robot, nb::handle q, const std::string& title) {
  const std::vector<double> at =
      q.is_none() ? posture_of(robot) : vector_of(function_name, "q", q, robot.coordinates().nq);
  return page_of(title, joint_range_view(robot, "The robot, one joint at a time through its range", at));
}

/// poses: of each instant and body sixteen numbers, a homogeneous matrix by rows.
std::string view_mechanism(const LoadedMechanism& m, nb::handle t, nb::handle poses, nb::handle torques,
                           const std::string& title) {
  const auto rows = rows_of(function_name, "poses", poses, 16 * m.bodies());
  const std::vector<double> times = times_of(t, rows.size());
  const auto tau = torques_of(torques, rows.size(), static_cast<int>(m.description.actuators.size()));
  MechanismMotion motion(m);
  std::vector<Transform<double>> bodies(static_cast<std::size_t>(m.bodies()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const double* const X = rows[k].data() + 16 * b;
      bodies[b] = {{{X[0], X[4], X[8]}, {X[1], X[5], X[9]}, {X[2], X[6], X[10]}}, {X[3], X[7], X[11]}};
    }
    motion.add(times[k], bodies, tau.empty() ? std::span<const double>{} : std::span<const double>(tau[k]));
  }
  if (motion.empty()) refuse(function_name, "there is no instant to show");
  return page_of(title, mechanism_view(motion, "The mechanism as it moves"));
}

std::string view_start(const LoadedMechanism& m, const std::string& title) {
  MechanismMotion motion(m);
  motion.add(described_state(m));
  return page_of(title, mechanism_view(motion, "The mechanism where its file puts it"));
}

}  // namespace

void bind_view(nb::module_& m) {
  m.def("_view_robot", view_robot, "robot"_a, "t"_a, "q"_a, "torques"_a.none(), "title"_a);
  m.def("_view_ranges", view_ranges, "robot"_a, "q"_a.none(), "title"_a);
  m.def("_view_mechanism", view_mechanism, "mechanism"_a, "t"_a, "poses"_a, "torques"_a.none(), "title"_a);
  m.def("_view_start", view_start, "mechanism"_a, "title"_a);
}

}  // namespace torsor::python
