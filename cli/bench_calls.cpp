#include "cli/bench_calls.hpp"

#include <fmt/format.h>

#include <random>

#include "cli/file_use.hpp"
#include "torsor/formulations/catalogue.hpp"
#include "torsor/formulations/operation_census.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/urdf_writer.hpp"
#include "torsor/formulations/record_formulation.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/scalar/trace.hpp"
#include "torsor/scalar/trace_count.hpp"

namespace torsor {
namespace {

BenchStates random_states(const Model<double>& model, std::size_t count) {
  std::mt19937_64 engine(1);
  const auto nv = static_cast<std::size_t>(model.nv);
  BenchStates states{count, {}, {}, {}, std::vector<double>(count * nv)};
  TreeDynamics<double> dynamics(model, Questions::all_but_forward);
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<double> q = random_position(model, engine);
    states.q.insert(states.q.end(), q.begin(), q.end());
    for (std::size_t i = 0; i < nv; ++i) states.qd.push_back(2 * uniform(engine) - 1);
    for (std::size_t i = 0; i < nv; ++i) states.qdd.push_back(2 * uniform(engine) - 1);
    const std::span<const double> qd(states.qd), qdd(states.qdd);
    dynamics.inverse(q, qd.subspan(k * nv, nv), qdd.subspan(k * nv, nv), std::span(states.tau).subspan(k * nv, nv));
  }
  return states;
}

/// Multiplications and additions that a formulation executes for this robot, zeros and ones of its numbers used.
template <class Formulations>
long operations_of(const BenchRobot& robot, Formulations formulations, std::string_view name) {
  for (const Body<double>& body : robot.model.bodies)
    if (row(body.kind).nv > 1) return 0;
  const auto forms = robot_forms(robot.description);
  const auto* formulation = find_formulation(formulations, name);
  if (!forms || !formulation) return 0;
  const OperationCount count = total(tally_stages(record(*formulation, *forms), Rule::structured)).live;
  return count.multiplications + count.additions;
}

// the recursions of trees

struct TreeWork {
  const Model<double>& model;
  TreeDynamics<double> dynamics{model};
  std::vector<double> out;
};

struct TreeInverse : TreeWork {
  void run(const BenchState& x) { dynamics.inverse(x.q, x.qd, x.qdd, out); }
};

struct TreeMass : TreeWork {
  void run(const BenchState& x) { dynamics.mass(x.q, out); }
};

struct TreeForward : TreeWork {
  void run(const BenchState& x) { dynamics.forward(x.q, x.qd, x.tau, out); }
};

struct TreeJacobian {
  const Model<double>& model;
  int last;  // the link whose origin it is of
  std::vector<double> out = std::vector<double>(cells(6, model.nv));
  Configuration<double> configuration{model};
  std::vector<Transform<double>> X = std::vector<Transform<double>>(model.bodies.size());

  void run(const BenchState& x) {
    configuration.set(model, x.q);
    forward_kinematics<double>(model, configuration, X);
    jacobian<double>(model, X, last, (X[last] * model[last].link).p, out);
  }
};

template <class Work>
std::optional<BenchCall> tree_call(const BenchRobot& robot, std::size_t size, long operations) {
  auto work = std::make_shared<Work>(Work{{robot.model, TreeDynamics<double>(robot.model), std::vector<double>(size)}});
  return single_call(robot, std::move(work), operations);
}

std::optional<BenchCall> tree_inverse(const BenchRobot& robot) {
  return tree_call<TreeInverse>(robot, static_cast<std::size_t>(robot.model.nv),
                                operations_of(robot, inverse_formulations<Trace>(), "tree-newton-euler"));
}

std::optional<BenchCall> tree_mass(const BenchRobot& robot) {
  return tree_call<TreeMass>(robot, cells(robot.model.nv, robot.model.nv),
                             operations_of(robot, mass_formulations<Trace>(), "composite-body"));
}

std::optional<BenchCall> tree_forward(const BenchRobot& robot) {
  return tree_call<TreeForward>(robot, static_cast<std::size_t>(robot.model.nv), 0);
}

int last_moving(const Model<double>& model) {
  int last = 0;
  for (int i = 0; i < model.size(); ++i)
    if (model[i].nv > 0) last = i;
  return last;
}

std::optional<BenchCall> tree_jacobian(const BenchRobot& robot) {
  return single_call(robot, std::make_shared<TreeJacobian>(TreeJacobian{robot.model, last_moving(robot.model)}));
}

}  // namespace

Result<BenchRobot> compared_robot(std::string name, const Description& description, std::size_t states,
                                  std::size_t batch) {
  // through the URDF, so that all compute with the same numbers; tools would become links, which the peers leave out
  Description bare = description;
  bare.tools.clear();
  auto urdf = write_urdf(bare);
  if (!urdf) return urdf.faults();
  auto read = read_robot_text(*urdf, name + ".urdf");
  if (!read) return read.faults();
  // Jacobians are those of the last link that moves
  for (const LinkDescription& link : std::vector(read->links.rbegin(), read->links.rend()))
    if (link.kind != JointKind::fixed) {
      read->tools.push_back({"last moving link", link.name, {}});
      break;
    }
  auto model = build(*read);
  if (!model) return model.faults();
  BenchRobot robot{std::move(name), *std::move(urdf), *std::move(read), *std::move(model), {}, {}};
  // all ask for the body that moves last
  const int last = last_moving(robot.model);
  robot.model.frames = {{"last", last, robot.model[last].link}};
  robot.states = random_states(robot.model, states);
  robot.batch = random_states(robot.model, std::max(states, batch));
  return robot;
}

Result<BenchRobot> compared_robot(const std::string& name_or_path, std::size_t states, std::size_t batch) {
  const FilesRead opened;
  const auto description = load_robot(name_or_path);
  if (Faults errors = file_use().also_reads(opened); !errors.empty()) return errors;
  if (!description) return description.faults();
  return compared_robot(description->name, *description, states, batch);
}

std::span<const BenchRow> tree_bench_rows() {
  static constexpr BenchRow all[] = {
      {"id", "tree", tree_inverse},
      {"mass", "tree", tree_mass},
      {"fd", "tree", tree_forward},
      {"jacobian", "tree", tree_jacobian},
  };
  return all;
}

std::span<const BenchRow> bench_rows() {
  static const std::vector<BenchRow> all = [] {
    std::vector<BenchRow> rows;
    for (const auto part : {tree_bench_rows(), fast_bench_rows(), derivative_bench_rows(), generated_bench_rows()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}

std::string_view bench_title(std::string_view function) {
  if (function == "id") return "inverse dynamics";
  if (function == "mass") return "mass matrix";
  if (function == "fd") return "forward dynamics";
  if (function == "jacobian") return "kinematics + Jacobian";
  if (function == "derivatives") return "derivatives of inverse dynamics";
  if (function == "fd-derivatives") return "derivatives of forward dynamics";
  return function;
}

}  // namespace torsor
