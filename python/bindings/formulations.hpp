// The catalogues in Python: rows by name, prepared once per robot and thread, run state by state.
#pragma once

#include <algorithm>
#include <string>

#include "python/bindings/robot.hpp"
#include "python/bindings/row_call.hpp"
#include "torsor/formulations/catalogue.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/formulations/forward_catalogue.hpp"
#include "torsor/text/suggest.hpp"

namespace torsor::python {

/// A formulation with the robot in the forms that it runs on.
template <class Run>
struct Prepared {
  RobotForms<double> forms;
  Run run;
};

/// ValueError: no such formulation; with the likely one and all there are.
template <class Rows>
[[noreturn]] void refuse_name(const char* function, const std::string& name, const Rows& rows) {
  std::vector<std::string_view> names;
  std::string all;
  for (const auto& row : rows) {
    names.push_back(row.name);
    (all += all.empty() ? "" : ", ") += row.name;
  }
  const std::string hint = did_you_mean(name, names);
  refuse(function, "formulation \"" + printable(name) + "\" is not in the catalogue; " + hint +
                       (hint.empty() ? "" : " ") + "expected one of " + all);
}

std::string formulation_name(const char* function, nb::handle name);

/// The row of that name, which can serve the robot; ValueError else.
template <class Row>
const Row& formulation_of(const char* function, std::span<const Row> rows, nb::handle given, const Robot& robot) {
  const std::string name = formulation_name(function, given);
  const Row* const row = find_formulation(rows, name);
  if (!row) refuse_name(function, name, rows);
  if (const std::string reason = refusal(*row, robot.forms()); !reason.empty())
    refuse(function, "formulation \"" + name + "\" does not serve this robot: " + reason);
  return *row;
}

/// Calls body(prepared, state) for every state; argument 0 of the call is q.
template <class Row, class Body>
void run_formulation(const RowCall& call, const Robot& robot, const Row& row, const Body& body) {
  using Run = decltype(row.prepare(robot.forms()));
  const RobotForms<double>& forms = robot.forms();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto prepared = robot.work<Prepared<Run>>(&row, [&] {
      auto made = std::make_unique<Prepared<Run>>(Prepared<Run>{forms, {}});
      made->run = row.prepare(made->forms);
      return made;
    });
    for (std::int64_t k = first; k < first + count; ++k) {
      prepared->forms.set(call.row(0, k));
      body(*prepared, k);
    }
  });
}

/// Forward dynamics by a row of its catalogue.
struct ForwardRun {
  explicit ForwardRun(const Model<double>& m)
      : model(m), configuration(m), work(m), driving(static_cast<std::size_t>(m.nv)) {}

  void run(const ForwardFormulation<double>& row, std::span<const double> q, std::span<const double> qd,
           std::span<const double> tau, const BodyLoads<double>& loads, std::span<double> qdd) {
    configuration.set(model, q);
    std::copy(tau.begin(), tau.end(), driving.begin());
    add_joint_friction<double>(model, q, qd, -1, driving);
    row.run(model, configuration, qd, driving, loads, work, qdd);
  }

  const Model<double>& model;
  Configuration<double> configuration;
  ForwardWork<double> work;
  std::vector<double> driving;
};

const ForwardFormulation<double>& forward_formulation_of(const char* function, nb::handle name, const Robot& robot);

/// ts.formulations and ts.Formulation.
void bind_formulations(nb::module_& m);

}  // namespace torsor::python
