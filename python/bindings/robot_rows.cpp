// Robots that differ from row to row, in Python: torsor.RobotRows stands on this class and puts words to it.
#include "python/bindings/robot_rows.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>

#include "python/bindings/no_answer.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

const Robot& first_of(const nb::list& robots) { return nb::cast<const Robot&>(nb::object(robots[0])); }

}  // namespace

RobotNumbersOfRows::RobotNumbersOfRows(nb::object robot, std::int64_t count, nb::handle masses, nb::handle centres,
                                       nb::handle tensors, nb::handle rotors, nb::handle friction)
    : held_(std::move(robot)), robot_(nb::cast<const Robot&>(held_)), count_(count) {
  const Model<double>& model = robot_.model();
  const auto numbers_of = [&](const char* name, nb::handle value, std::size_t each) {
    if (value.is_none()) return std::vector<double>();
    std::vector<double> out = vector_of("RobotRows", name, nb::object(value.attr("reshape")(-1)), -1);
    if (out.size() != static_cast<std::size_t>(count) * each) throw std::logic_error("numbers of robots do not fit");
    return out;
  };
  const std::size_t links = model.bodies.size(), nv = static_cast<std::size_t>(model.nv);
  const std::vector<double> m = numbers_of("masses", masses, links), c = numbers_of("mass_centres", centres, 3 * links),
                            I = numbers_of("inertias", tensors, 9 * links);
  rotors_ = numbers_of("rotors", rotors, nv);
  if (!rotors_.empty() && !model.rotor_coupling.empty())
    refuse("RobotRows", "rotors are given, and motors of " + model.name +
                            " move several joints at once, so that there is no rotor of one joint; expected them in "
                            "the robot's file");
  friction_ = numbers_of("friction", friction, 3 * nv);
  for (std::size_t k = 0; k < m.size(); ++k) {
    const Vec3<double> at{c[3 * k], c[3 * k + 1], c[3 * k + 2]};
    const double* const t = I.data() + 9 * k;
    const Inertia<double> in_link = inertia_about_centre<double>(m[k], at, {t[0], t[4], t[8], t[1], t[2], t[5]});
    inertias_.push_back(model.bodies[k % links].link * in_link);
  }
  make_once();
}

RobotNumbersOfRows::RobotNumbersOfRows(nb::list robots)
    : robot_(first_of(robots)), count_(static_cast<std::int64_t>(robots.size())), each_(std::move(robots)) {
  for (const nb::handle each : each_) {
    models_.push_back(&nb::cast<const Robot&>(each));
    const std::string differs = numbers_.add(models_.back()->model());
    if (!differs.empty())
      refuse("RobotRows.of", "robot " + std::to_string(models_.size() - 1) + " differs from robot 0 in " + differs +
                                 "; expected robots that differ in lengths, inertias, rotors and friction alone");
  }
  make_once();
}

double RobotNumbersOfRows::mass(std::int64_t row) const {
  const std::size_t links = robot_.model().bodies.size();
  const std::span<const Inertia<double>> all = own_frames() ? numbers_.rows().inertias : inertias_;
  double sum = 0;
  for (const Inertia<double>& I : all.subspan(static_cast<std::size_t>(row) * links, links)) sum += I.m;
  return sum;
}

Pool<RowDynamics>::Lease RobotNumbersOfRows::lease(int threads) const {
  return pools_.of<RowDynamics>(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(threads))).lease([&] {
    auto rows = std::make_unique<RowDynamics>(robot_, RowOptions{.threads = threads});
    const Status status =
        rows->set_robots(own_frames() ? numbers_.rows() : RobotsOfRows{count_, inertias_, rotors_, friction_});
    if (status.kind == Status::not_prepared)
      refuse("RobotRows", "friction of \"" +
                              robot_.model().velocity_names[static_cast<std::size_t>(status.coordinate)] +
                              "\" is not zero; expected friction of joints of one degree of freedom alone");
    if (!status) throw std::logic_error("numbers of robots do not fit");
    return rows;
  });
}

StateRows<const double> RobotNumbersOfRows::frames(const char* function, nb::handle name) const {
  if (!own_frames()) return {};
  const std::string key = name.is_none() ? std::string() : string_of(function, "frame", name);
  const auto known = frames_.find(key);
  if (known != frames_.end()) return {known->second.data(), 12};
  const int body = robot_.frame(function, name).body;
  std::vector<double> numbers;
  for (const Robot* const each : models_) {
    const Frame<double> own = each->frame(function, name);
    if (own.body != body)
      refuse(function, "frame \"" + own.name + "\" is not on the same link of every robot; expected one that is");
    const auto& [R, p] = own.X_body_frame;
    const std::array row{R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z, p.x, p.y, p.z};
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  return {frames_.emplace(key, std::move(numbers)).first->second.data(), 12};
}

const Transform<double>& RobotNumbersOfRows::link(std::int64_t row, std::size_t body) const {
  return models_[static_cast<std::size_t>(row)]->model().bodies[body].link;
}

void take_robots(RowCall& call, const RowSubject& subject) {
  if (subject.robots)
    call.take("robots", nb::module_::import_("numpy").attr("zeros")(nb::make_tuple(subject.robots->count(), 1)), 1);
}

Fault undetermined_fault(const RowCall& call, const RowSubject& subject, std::int64_t state) {
  if (!subject.robots && call.numbers_of(2, state).size() == static_cast<std::size_t>(subject.robot.nv()))
    return undetermined_fault(call, subject.robot, state);
  const Model<double> model =
      subject.robots ? subject.robots->lease(1)->robot(state % subject.robots->count()) : subject.robot.model();
  if (joint_without_direction(call, model, state) < 0) {
    std::vector<double> tau = call.numbers_of(2, state), qdd(static_cast<std::size_t>(model.nv));
    tau.resize(qdd.size());  // the first of them
    TreeDynamics<double> tree(model);
    if (const int coordinate = tree.forward(call.numbers_of(0, state), call.numbers_of(1, state), tau, qdd);
        coordinate >= 0)
      return massless_fault(call, model, state, coordinate);
  }
  return meaningless_fault(call, &model, state);
}

void bind_robot_rows(nb::module_& m) {
  using Rows = RobotNumbersOfRows;
  nb::class_<Rows>(m, "_RobotRows")
      .def(nb::init<nb::object, std::int64_t, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle>(), "robot"_a,
           "count"_a, "masses"_a, "centres"_a, "tensors"_a, "rotors"_a.none(), "friction"_a.none())
      .def(nb::init<nb::list>(), "robots"_a)
      .def("inverse_dynamics", Asked<inverse_dynamics_of>::of_robots, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(),
           "formulation"_a.none(), "out"_a.none(), "threads"_a, "loads"_a.none())
      .def("mass_matrix", Asked<mass_matrix_of>::of_robots, "q"_a.none(), "formulation"_a.none(), "out"_a.none(),
           "threads"_a)
      .def("forward_dynamics", Asked<forward_dynamics_of>::of_robots, "q"_a.none(), "qd"_a.none(), "tau"_a.none(),
           "formulation"_a.none(), "out"_a.none(), "threads"_a, "loads"_a.none(), "return_valid"_a)
      .def("inverse_derivatives", Asked<inverse_derivatives_of>::of_robots, "q"_a.none(), "qd"_a.none(),
           "qdd"_a.none(), "out"_a.none(), "threads"_a, "loads"_a.none())
      .def("forward_derivatives", Asked<forward_derivatives_of>::of_robots, "q"_a.none(), "qd"_a.none(),
           "tau"_a.none(), "out"_a.none(), "threads"_a, "loads"_a.none(), "return_valid"_a)
      .def("christoffel", Asked<christoffel_of>::of_robots, "q"_a.none(), "formulation"_a, "out"_a.none(), "threads"_a)
      .def("energy", Asked<energy_of>::of_robots, "q"_a.none(), "qd"_a.none(), "out"_a.none(), "threads"_a)
      .def("momentum", Asked<momentum_of>::of_robots, "q"_a.none(), "qd"_a.none(), "threads"_a)
      .def("terms", Asked<terms_of>::of_robots, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(), "threads"_a,
           "loads"_a.none())
      .def("reactions", Asked<reactions_of>::of_robots, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(), "threads"_a,
           "loads"_a.none())
      .def("frame_motion", Asked<frame_motion_of>::of_robots, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(),
           "frame"_a.none(), "out"_a.none(), "threads"_a)
      .def("jacobian", Asked<jacobian_of>::of_robots, "q"_a.none(), "frame"_a.none(), "out"_a.none(), "threads"_a)
      .def("jacobian_rate", Asked<jacobian_rate_of>::of_robots, "q"_a.none(), "qd"_a.none(), "frame"_a.none(),
           "out"_a.none(), "threads"_a)
      .def("rollout", Asked<rollout_of>::of_robots, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "h"_a, "method"_a,
           "hold"_a, "out"_a.none(), "threads"_a, "loads"_a.none(), "return_valid"_a);
}

}  // namespace torsor::python
