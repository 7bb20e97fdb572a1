#include "torsor/dynamics/other_tool.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/transmission.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

/// The robot without any mass: its torques are those of what is added to it.
Model<double> massless(Model<double> model) {
  for (Body<double>& body : model.bodies) body.inertia = {};
  std::fill(model.rotor.begin(), model.rotor.end(), 0.0);
  model.rotor_coupling.clear();
  model.friction.clear();
  return model;
}

/// One kind of run over all samples, through the maps of the tool.
class Runner {
 public:
  Runner(const OtherTool& tool, const Model<double>& model, const std::vector<TorqueSample>& samples)
      : tool_(tool), model_(model), kinds_(position_kinds(model)), n_(static_cast<std::size_t>(model.nv)) {
    for (const TorqueSample& sample : samples) inputs_.push_back(seen(sample));
  }

  /// One column: what `effort(input, tau)` gives at every sample, as the tool writes it.
  template <class Effort>
  Numbers column(const Effort& effort) const {
    Numbers all, tau(n_), motor(n_);
    all.reserve(inputs_.size() * n_);
    for (const TorqueSample& input : inputs_) {
      std::fill(tau.begin(), tau.end(), 0.0);
      effort(input, tau);
      if (tool_.at_motors) {
        motor_torques(model_, tau, motor);
        tau = motor;
      }
      write(tau, all);
    }
    return all;
  }

  /// The rigid-body torques of a model with the coordinates of this one.
  Numbers rigid(const Model<double>& model, bool moving = true, double friction = 0) const {
    Configuration<double> configuration(model);
    NewtonEulerWork<double> work(model);
    return column([&](const TorqueSample& in, Numbers& tau) {
      configuration.set(model, in.q);
      const Rates<const double> still;
      inverse_newton_euler<double>(model, configuration, moving ? Rates<const double>(in.qd) : still,
                                   moving ? Rates<const double>(in.qdd) : still, {}, work, tau);
      if (friction != 0) add_joint_friction<double>(model, in.q, in.qd, friction, tau);
    });
  }

 private:
  /// The sample as the tool takes it.
  TorqueSample seen(const TorqueSample& sample) const {
    TorqueSample out = sample;
    const bool plain = model_.nq == model_.nv;
    for (std::size_t k = 0; k < out.q.size(); ++k) {
      if (plain && !tool_.order.empty()) out.q[k] = sample.q[static_cast<std::size_t>(tool_.order[k])];
      if (plain && !tool_.sense.empty()) out.q[k] *= tool_.sense[k];
      if (kinds_[k] == CoordinateKind::angle) out.q[k] *= tool_.angle;
      if (plain && !tool_.zero.empty()) out.q[k] += tool_.zero[k];
    }
    for (std::size_t k = 0; k < n_; ++k) {
      const std::size_t from = tool_.order.empty() ? k : static_cast<std::size_t>(tool_.order[k]);
      double factor = tool_.sense.empty() ? 1 : tool_.sense[k];
      if (plain && kinds_[k] == CoordinateKind::angle) factor *= tool_.angular_rate;
      out.qd[k] = factor * tool_.velocity * sample.qd[from];
      out.qdd[k] = factor * tool_.acceleration * sample.qdd[from];
    }
    return out;
  }

  void write(const Numbers& tau, Numbers& all) const {
    Numbers out = tau;
    for (std::size_t k = 0; k < n_; ++k)
      out[tool_.order.empty() ? k : static_cast<std::size_t>(tool_.order[k])] =
          (tool_.sense.empty() ? 1 : tool_.sense[k]) * tau[k];
    for (std::size_t k = 0; k < n_; ++k)
      all.push_back((tool_.torque_sense.empty() ? 1 : tool_.torque_sense[k]) *
                    out[tool_.torque_order.empty() ? k : static_cast<std::size_t>(tool_.torque_order[k])]);
  }

  const OtherTool& tool_;
  const Model<double>& model_;
  std::vector<CoordinateKind> kinds_;
  std::size_t n_;
  std::vector<TorqueSample> inputs_;
};

constexpr double no_factor = 1e-9;  // what is smaller is a column that was not recorded

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

void add(OtherTorques& out, FittedSize at_zero, double per_unit, Numbers column) {
  out.at_zero.push_back(std::move(at_zero));
  out.per_unit.push_back(per_unit);
  out.columns.push_back(std::move(column));
}

/// Units of a coefficient: of angles and of lengths.
struct Units {
  const char *angular, *linear;
};
constexpr Units dry_units{"N m", "N"}, viscous_units{"N m s/rad", "N s/m"}, rotor_units{"kg m²", "kg"};

/// What the file has of it at a coordinate, with the joints that follow, which is the most that can be taken away; infinite where
/// that is no number. level(law, ratio) is that of one joint, which moves `ratio` times as fast as the coordinate.
template <class Level>
double friction_at(const Model<double>& model, int coordinate, const Level& level) {
  double sum = 0;
  for (const auto& [body, law] : model.friction)
    if (model[body].v == coordinate)
      sum += law.table.values.empty() && !law.function ? level(law, model[body].ratio) : infinity;
  return sum;
}

/// A column for each joint: what law(qd, qdd) of it gives, beside what there is at that coordinate.
template <class There, class Law>
void add_for_each_joint(const Runner& run, const Model<double>& model, const char* name, const Units& units,
                        const There& there, const Law& law, OtherTorques& out) {
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  for (int k = 0; k < model.nv; ++k)
    add(out,
        {.name = name + (" of " + model.velocity_names[k]),
         .unit = kinds[k] == CoordinateKind::angle ? units.angular : units.linear,
         .least = -there(k)},
        1, run.column([&](const TorqueSample& in, Numbers& tau) { tau[k] = law(in.qd[k], in.qdd[k]); }));
}

void add_payload(const Runner& run, const Model<double>& model, bool body, OtherTorques& out) {
  const Frame<double>& tool = model.frames.back();
  const Model<double> bare = massless(model);
  const auto unit = [&](const Inertia<double>& load) {
    return run.rigid(with_payload(bare, tool.body, tool.X_body_frame, load));
  };
  add(out, {"payload mass", 0, "kg"}, 1, unit({1, {}, {}}));
  if (!body) return;
  // torques are linear in all ten numbers of a body, as long as they are about a fixed point
  add(out, {"payload mass times x", 0, "kg m"}, 1, unit({0, {1, 0, 0}, {}}));
  add(out, {"payload mass times y", 0, "kg m"}, 1, unit({0, {0, 1, 0}, {}}));
  add(out, {"payload mass times z", 0, "kg m"}, 1, unit({0, {0, 0, 1}, {}}));
  constexpr std::pair<const char*, double Sym3<double>::*> elements[] = {
      {"xx", &Sym3<double>::xx}, {"yy", &Sym3<double>::yy}, {"zz", &Sym3<double>::zz},
      {"xy", &Sym3<double>::xy}, {"xz", &Sym3<double>::xz}, {"yz", &Sym3<double>::yz}};
  for (const auto& [name, element] : elements) {
    Inertia<double> load;
    load.I.*element = 1;
    add(out, {std::string("payload inertia ") + name + " about the tool", 0, "kg m²"}, 1, unit(load));
  }
}

void add_gravity(const Runner& run, const Model<double>& model, OtherTorques& out) {
  Model<double> still = model;
  constexpr const char* names[] = {"gravity along x", "gravity along y", "gravity along z"};
  const double file[] = {model.gravity.x, model.gravity.y, model.gravity.z};
  for (int k = 0; k < 3; ++k) {
    still.gravity = {k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
    add(out, {names[k], file[k], "m/s²"}, 1, run.rigid(still, false));
  }
}

void add_columns(Addition addition, const Runner& run, const Model<double>& model, OtherTorques& out) {
  const auto viscous = [&](int k) {
    return friction_at(model, k, [](const auto& law, double ratio) { return ratio * ratio * law.viscous; });
  };
  const auto dry = [&](int k, bool forwards) {
    return friction_at(model, k, [forwards](const auto& law, double ratio) {
      return abs(ratio) * ((ratio > 0) == forwards ? law.coulomb_positive : law.coulomb_negative);
    });
  };
  const auto forwards = [&](int k) { return dry(k, true); };
  const auto backwards = [&](int k) { return dry(k, false); };
  switch (addition) {
    case Addition::gravity_size: {
      const double size = norm(model.gravity);
      return add(out, {"gravity", size, "m/s²"}, size, run.rigid(model, false));
    }
    case Addition::gravity_vector: return add_gravity(run, model, out);
    case Addition::viscous:
      return add_for_each_joint(
          run, model, "added viscous friction", viscous_units, viscous, [](double qd, double) { return qd; }, out);
    case Addition::coulomb:
      return add_for_each_joint(
          run, model, "added dry friction", dry_units,
          [&](int k) { return std::min(forwards(k), backwards(k)); }, [](double qd, double) { return sign(qd); }, out);
    case Addition::coulomb_pair:
      add_for_each_joint(
          run, model, "added dry friction forwards", dry_units, forwards, [](double qd, double) { return qd > 0; },
          out);
      return add_for_each_joint(
          run, model, "added dry friction backwards", dry_units, backwards, [](double qd, double) { return -(qd < 0); },
          out);
    case Addition::rotor:
      return add_for_each_joint(
          run, model, "added rotor inertia", rotor_units, [&](int k) { return model.rotor[k]; },
          [](double, double qdd) { return qdd; }, out);
    case Addition::payload_mass: return add_payload(run, model, false, out);
    case Addition::payload_body: return add_payload(run, model, true, out);
    case Addition::torque_size:
      return add(out, {.name = "factor of the torques", .value = 1, .unit = "", .smallest = no_factor}, 1, out.tau);
  }
}

}  // namespace

Result<OtherTorques> other_torques(const OtherTool& tool, const std::vector<TorqueSample>& samples) {
  const auto model = build(tool.robot);
  if (!model) return model.faults();
  const Runner runner(tool, *model, samples);
  OtherTorques out;
  out.tau = runner.rigid(*model, true, tool.friction);
  for (const Addition addition : tool.additions) add_columns(addition, runner, *model, out);
  const auto n = static_cast<std::size_t>(model->nv);
  const auto of_joint = [&](int joint, const auto& entry) {
    Numbers column(out.tau.size(), 0.0);
    for (auto k = static_cast<std::size_t>(joint); k < column.size(); k += n) column[k] = entry(k);
    return column;
  };
  for (const int joint : tool.sized_torques)
    add(out, {.name = "factor of " + model->velocity_names[joint], .value = 1, .unit = "", .smallest = no_factor}, 1,
        of_joint(joint, [&](std::size_t k) { return out.tau[k]; }));
  const std::vector<CoordinateKind> kinds = velocity_kinds(*model);
  for (const int joint : tool.offset_torques)
    add(out, {.name = "offset of " + model->velocity_names[joint], .unit = std::string(torque_unit(kinds[joint]))}, 1,
        of_joint(joint, [](std::size_t) { return 1.0; }));
  return out;
}

}  // namespace torsor
