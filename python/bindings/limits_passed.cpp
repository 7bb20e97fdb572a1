// Limits of a robot that rows of a motion pass, in Python.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "python/bindings/arrays.hpp"
#include "python/bindings/pickles.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/dynamics/limit_watch.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

struct Passed {
  PassedLimit limit;
  std::string joint, text;
};

}  // namespace

template <>
struct Parts<PassedLimit> {
  static void each(auto& take, auto& p) { take(p.kind, p.coordinate, p.value, p.limit, p.time, p.first, p.instants); }
};
template <>
struct Parts<Passed> {
  static void each(auto& take, auto& p) { take(p.limit, p.joint, p.text); }
};

namespace {

std::vector<Passed> limits_passed(const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, nb::handle t) {
  const char* const f = "limits_passed";
  const Model<double>& model = robot.model();
  std::optional<std::size_t> count;
  const auto rows = [&](const char* name, nb::handle given, int width) {
    std::vector<std::vector<double>> found;
    if (given.is_none()) return found;
    found = rows_of(f, name, given, width);
    if (count && *count != found.size())
      refuse(f, std::string(name) + " has " + std::to_string(found.size()) + " rows; expected " + std::to_string(*count));
    count = found.size();
    return found;
  };
  const auto positions = rows("q", q, model.nq), speeds = rows("qd", qd, model.nv), efforts = rows("tau", tau, model.nv);
  if (!count) refuse(f, "nothing is given; expected q, qd or tau");
  const std::vector<double> times = t.is_none() ? std::vector<double>() : vector_of(f, "t", t, static_cast<int>(*count));
  LimitWatch watch(model);
  const auto row = [](const std::vector<std::vector<double>>& of, std::size_t i) {
    return of.empty() ? std::span<const double>() : std::span<const double>(of[i]);
  };
  for (std::size_t i = 0; i < *count; ++i)
    watch.add(times.empty() ? static_cast<double>(i) : times[i], row(positions, i), row(speeds, i), row(efforts, i));
  std::vector<Passed> out;
  for (const PassedLimit& each : watch.passed()) {
    std::string when = (times.empty() ? "in row " : "at ") + std::to_string(each.time);
    if (times.empty()) when.resize(when.find('.'));
    out.push_back({each, model.velocity_names[static_cast<std::size_t>(each.coordinate)],
                   describe(each, model, times.empty() ? when : when + " s")});
  }
  return out;
}

}  // namespace

void bind_limits_passed(nb::module_& m) {
  nb::class_<Passed> passed_type(m, "PassedLimit", "A limit of a robot that a motion passes, with its worst value.");
  pickled_by_parts(passed_type)
      .def_ro("joint", &Passed::joint, "Which coordinate.")
      .def_prop_ro("quantity", [](const Passed& p) { return std::string(limit_name(p.limit.kind)); }, "'position', 'speed' or 'effort'.")
      .def_prop_ro("value", [](const Passed& p) { return p.limit.value; }, "The worst, with its sign.")
      .def_prop_ro("limit", [](const Passed& p) { return p.limit.limit; }, "rad, m, rad/s, m/s, N m or N")
      .def_prop_ro("time", [](const Passed& p) { return p.limit.time; }, "When (s), or in which row.")
      .def_prop_ro("first", [](const Passed& p) { return p.limit.first; }, "When it was first passed.")
      .def_prop_ro("instants", [](const Passed& p) { return p.limit.instants; }, "In how many rows.")
      .def("__str__", [](const Passed& p) { return p.text; })
      .def("__repr__", [](const Passed& p) { return "<PassedLimit " + p.text + ">"; });
  m.def("limits_passed", limits_passed, "robot"_a, "q"_a = nb::none(), "qd"_a = nb::none(), "tau"_a = nb::none(),
        "t"_a = nb::none(),
        nb::sig("def limits_passed(robot: Robot, q: " TORSOR_OPTIONAL_STATE ", qd: " TORSOR_OPTIONAL_STATE
                ", tau: " TORSOR_OPTIONAL_STATE ", t: " TORSOR_OPTIONAL_STATE ") -> list[PassedLimit]"),
        R"(Every limit of the robot that rows of a motion pass, positions first: those of position, speed and effort.

Rows (rows, nq) and (rows, nv); what is not given is not looked at. t: their times (s), else rows are counted from 0.

>>> import torsor as ts
>>> robot = ts.load("ur5")
>>> for passed in ts.limits_passed(robot, qd=[[0, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0]]):
...     print(passed.joint, passed.quantity, passed.value, passed.time)
shoulder_pan speed 4.0 1.0
)");
}

}  // namespace torsor::python
