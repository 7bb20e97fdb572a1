#include "torsor/control/controller_model.hpp"

#include <algorithm>

#include "torsor/control/control_law.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/loops/friction_split.hpp"
#include "torsor/reduction/reduced_model.hpp"

namespace torsor {
namespace {

using In = std::span<const double>;
using Out = std::span<double>;

Model<double> without_friction(Model<double> model) {
  model.friction.clear();
  return model;
}

/// The coordinates with their friction, and how to make the dynamics without it.
struct Belief {
  explicit Belief(const Model<double>& model) : coordinates(model), tree(without_friction(model)) {}
  explicit Belief(FrictionSplit split)
      : coordinates(std::move(split.coordinates)), closed(std::move(split.rigid)), passive(std::move(split.passive)) {}

  Dynamics dynamics() const {
    const DynamicsOptions options{.questions = Questions::all_but_forward};
    return closed ? Dynamics(*closed, options) : Dynamics(*tree, options);
  }

  Model<double> coordinates;
  std::optional<Model<double>> tree;
  std::optional<Robot> closed, passive;  // with loops: without friction; with that of passive joints, where there is some
};

class FullController : public ControllerModel {
 public:
  explicit FullController(const Belief& belief)
      : ControllerModel(belief.coordinates),
        rigid_(belief.dynamics()),
        C_(cells(n(), n())),
        with_(static_cast<std::size_t>(n())),
        without_(with_) {
    if (belief.passive) passive_.emplace(*belief.passive, DynamicsOptions{.questions = Questions::all_but_forward});
  }

  void add_friction(In q, In qd, Out tau) override {
    ControllerModel::add_friction(q, qd, tau);
    if (!passive_) return;
    // what the friction of passive joints adds
    passive_->bias(q, qd, with_);
    rigid_.bias(q, qd, without_);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += with_[k] - without_[k];
  }

  void inverse(In q, In qd, In qdd, Out tau) override { rigid_.inverse(q, qd, qdd, tau); }
  void mass(In q, Out M) override { rigid_.mass(q, M); }
  void coriolis(In q, In qd, In v, Out tau) override {
    rigid_.coriolis_matrix(q, qd, C_);
    for (int i = 0; i < n(); ++i) {
      tau[i] = 0;
      for (int j = 0; j < n(); ++j) tau[i] += C_[cell(i, n(), j)] * v[j];
    }
  }

 protected:
  Dynamics rigid_;

 private:
  std::vector<double> C_, with_, without_;
  std::optional<Dynamics> passive_;
};

class NoCoriolisController final : public FullController {
 public:
  using FullController::FullController;
  void inverse(In q, In, In qdd, Out tau) override { rigid_.inverse(q, {}, qdd, tau); }
  void coriolis(In, In, In, Out tau) override { std::fill(tau.begin(), tau.end(), 0.0); }
};

class GravityController final : public FullController {
 public:
  GravityController(const Belief& belief, In start) : FullController(belief) {
    FullController full(belief);
    inertia_ = free_inertias(full, start);
  }
  void inverse(In q, In, In qdd, Out tau) override {
    rigid_.gravity(q, tau);
    for (std::size_t i = 0; i < qdd.size(); ++i) tau[i] += inertia_[i] * qdd[i];
  }
  void mass(In, Out M) override {
    std::fill(M.begin(), M.end(), 0.0);
    for (int i = 0; i < n(); ++i) M[cell(i, n(), i)] = inertia_[i];
  }
  void coriolis(In, In, In, Out tau) override { std::fill(tau.begin(), tau.end(), 0.0); }

 private:
  std::vector<double> inertia_;
};

class ReducedController final : public ControllerModel {
 public:
  ReducedController(const Model<double>& model, const ReducedModel& reduced)
      : ControllerModel(model), reduced_(reduced), sum_(reduced.joints.size()), other_(reduced.joints.size()) {}

  void inverse(In q, In qd, In qdd, Out tau) override { reduced_.inverse(q, qd, qdd, tau); }
  void mass(In q, Out M) override { reduced_.mass(q, M); }
  // the symmetric bilinear form of the quadratic one: (h(qd + v) - h(qd - v)) / 4, gravity cancels
  void coriolis(In q, In qd, In v, Out tau) override {
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] = qd[i] + v[i];
    reduced_.inverse(q, sum_, {}, tau);
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] = qd[i] - v[i];
    reduced_.inverse(q, sum_, {}, other_);
    for (std::size_t i = 0; i < sum_.size(); ++i) tau[i] = (tau[i] - other_[i]) / 4;
  }

 private:
  ReducedDynamics<double> reduced_;
  std::vector<double> sum_, other_;
};

}  // namespace

ControllerModel::ControllerModel(const Model<double>& model) : model_(model) {}

void ControllerModel::add_friction(In q, In qd, Out tau) { add_joint_friction<double>(model_, q, qd, 1.0, tau); }

namespace {

std::unique_ptr<ControllerModel> make(ControllerKind kind, const Belief& belief, In start) {
  switch (kind) {
    case ControllerKind::no_coriolis: return std::make_unique<NoCoriolisController>(belief);
    case ControllerKind::gravity: return std::make_unique<GravityController>(belief, start);
    default: return std::make_unique<FullController>(belief);
  }
}

}  // namespace

std::unique_ptr<ControllerModel> make_controller_model(ControllerKind kind, const Model<double>& model, In start,
                                                       const ReducedModel* reduced) {
  TORSOR_EXPECT(model.nq == model.nv && start.size() == static_cast<std::size_t>(model.nq));
  TORSOR_EXPECT((kind == ControllerKind::reduced) == (reduced != nullptr));
  if (kind == ControllerKind::reduced) return std::make_unique<ReducedController>(model, *reduced);
  return make(kind, Belief(model), start);
}

std::unique_ptr<ControllerModel> make_controller_model(ControllerKind kind, const Robot& robot, In start) {
  TORSOR_EXPECT(kind != ControllerKind::reduced);
  if (!robot.loops()) return make_controller_model(kind, robot.model(), start);
  TORSOR_EXPECT(robot.nq() == robot.nv() && start.size() == static_cast<std::size_t>(robot.nq()));
  return make(kind, Belief(*split_friction(robot)), start);
}

}  // namespace torsor
