#include "torsor/fast/tree_engine.hpp"

#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/fast/batch_products.hpp"
#include "torsor/fast/batch_terms.hpp"
#include "torsor/fast/fast_dynamics.hpp"
#include "torsor/fast/placed_tree.hpp"
#include "torsor/fast/state_products.hpp"
#include "torsor/kinematics/jacobian.hpp"

namespace torsor {
namespace {

Model<double> with_tool(Model<double> model, const std::optional<Frame<double>>& tool) {
  if (tool) model.frames.push_back(*tool);
  return model;
}

/// Of a serial arm the first number tells: what is not finite goes inward with forces and inertias, and outward again
/// with accelerations. To read all that a kernel has just written would wait for its stores.
Status status_of_arm(bool serial, std::span<const double> answer) {
  return status_of(serial ? answer.first(1) : answer);
}

/// Where q is not finite no pivot is, which is not to say that a coordinate has no mass.
Status no_mass(int coordinate, std::span<const double> q) {
  return all_finite(q) ? Status{Status::massless, coordinate} : Status{Status::not_finite, -1};
}

Status status_of_pose(const Transform<double>& X) {
  const double sum = X.R.x.x + X.p.x + X.p.y + X.p.z;  // the last turn, and all before it
  return status_of({&sum, 1});
}

/// Of all poses: the last one tells of its own branch alone.
Status status_of_poses(std::span<const double> q, double last) {
  return all_finite(q) ? status_of({&last, 1}) : Status{Status::not_finite, -1};
}

Status status_of_energy(const Energy<double>& e) {
  const double numbers[] = {e.kinetic, e.potential};
  return status_of(numbers);
}

Status status_of_gradient(std::span<const double> a, std::span<const double> b, std::span<const double> c) {
  return all_finite(a) && all_finite(b) && all_finite(c) ? Status{} : Status{Status::not_finite, -1};
}

// Coordinates up to which room for a square matrix is taken beforehand; beyond, where a matrix is asked for: torques need none.
constexpr int matrix_beforehand = 500;

class TreeEngine final : public DynamicsEngine {
 public:
  TreeEngine(const Model<double>& model, DynamicsOptions options)
      : DynamicsEngine(model.nq, model.nv, model),
        options_(std::move(options)),
        model_(with_tool(model, options_.tool)),
        fast_(model_, options_.instruction_set, options_.questions),
        placed_(model_, options_.instruction_set),
        newton_euler_(model_),
        poses_(model_.bodies.size()),
        torques_(static_cast<std::size_t>(model_.nv)),
        mass_(model_.nv <= matrix_beforehand ? cells(model_.nv, model_.nv) : 0),
        coriolis_(model_),
        energy_(model_) {}

  Status inverse(In q, In qd, In qdd, Out tau) override {
    fast_.inverse(q, qd, qdd, tau);
    return status_of_arm(fast_.canonical(), tau);
  }

  Status inverse(In q, In qd, In qdd, Out tau, const InverseDerivatives<double>& derivatives) override {
    fast_.inverse(q, qd, qdd, tau, derivatives);
    return status_of(tau);
  }

  Status coriolis(In q, In qd, Out tau) override {
    fast_.coriolis(q, qd, tau);
    return status_of(tau);
  }

  Status coriolis_matrix(In q, In qd, Out C) override {
    mass_.resize(C.size());
    if (!fast_.mass_and_coriolis(q, qd, {}, torques_, mass_, C))
      torsor::coriolis_matrix<double>(model_, placed_.configuration(q), qd, coriolis_, C);
    return status_of(C);
  }

  Status mass(In q, Out M) override {
    fast_.mass(q, M);
    // |M_ij| is at most the root of M_ii M_jj, and on some positions M does not depend: 2 n numbers tell, not n^2
    const std::size_t step = fast_.canonical() ? M.size() : nv() + 1;
    double sum = all_finite(q) ? 0 : nan;
    for (std::size_t i = 0; i < M.size(); i += step) sum += M[i] - M[i];
    return status_of({&sum, 1});
  }

  Status forward(In q, In qd, In tau, Out qdd) override {
    const int massless = fast_.forward(q, qd, tau, qdd);
    return massless < 0 ? status_of_arm(fast_.canonical(), qdd) : no_mass(massless, q);
  }

  Status forward(In q, In qd, In tau, Out qdd, const ForwardDerivatives<double>& derivatives) override {
    const int massless = fast_.forward(q, qd, tau, qdd, derivatives);
    return massless < 0 ? status_of_arm(fast_.canonical(), qdd) : no_mass(massless, q);
  }

  Status inverse_jvp(In q, In qd, In qdd, const MotionChange<double>& change, Out dtau) override {
    state_products().inverse_jvp(q, qd, qdd, change, dtau);
    return status_of(dtau);
  }

  Status inverse_vjp(In q, In qd, In qdd, In w, const InverseGradient<double>& out) override {
    state_products().inverse_vjp(q, qd, qdd, w, out);
    return status_of_gradient(out.q, out.qd, out.qdd);
  }

  Status forward_jvp(In q, In qd, In tau, const DriveChange<double>& change, Out dqdd) override {
    const int massless = state_products().forward_jvp(q, qd, tau, change, dqdd);
    return massless < 0 ? status_of(dqdd) : no_mass(massless, q);
  }

  Status forward_vjp(In q, In qd, In tau, In u, const ForwardGradient<double>& out) override {
    const int massless = state_products().forward_vjp(q, qd, tau, u, out);
    return massless < 0 ? status_of_gradient(out.q, out.qd, out.tau) : no_mass(massless, q);
  }

  Status reactions(In q, In qd, In qdd, Out tau, std::span<Force<double>> forces,
                   const LoopReactionSpans& loops) override {
    std::ranges::fill(loops.unique, static_cast<unsigned char>(1));
    fast_.tree().inverse(q, qd, qdd, tau);
    std::ranges::copy(fast_.tree().reactions(), forces.begin());
    return status_of(tau);
  }

  Status energy(In q, In qd, Energy<double>& out) override {
    out = torsor::energy<double>(model_, placed_.configuration(q), qd, energy_);
    return status_of_energy(out);
  }

  Status terms(In q, In qd, In qdd, const TermSpans& out) override {
    const bool free = nothing_acts(fast_.loads()), at_once = free && fast_.terms(q, qd, qdd, out);
    if (!at_once && !fast_.mass_and_coriolis(q, qd, qdd, torques_, out.M, out.C)) {
      fast_.mass(q, out.M);
      coriolis_matrix(q, qd, out.C);
    }
    if (!at_once || !fast_.terms_have_reactions()) {
      inverse_newton_euler<double>(model_, placed_.configuration(q), qd, qdd, fast_.loads(), newton_euler_, out.tau);
      std::ranges::copy(newton_euler_.f, out.reactions.begin());
    }
    if (!at_once) out.energy = torsor::energy<double>(model_, newton_euler_.X, qd, energy_);
    std::ranges::fill(out.friction, 0.0);
    add_joint_friction<double>(model_, q, qd, 1.0, out.friction);
    for (std::size_t k = 0; k < nv(); ++k) out.tau[k] += out.friction[k];
    fast_.inverse(q, qd, {}, out.bias);
    std::ranges::fill(out.load, 0.0);
    if (free && !at_once) fast_.inverse(q, {}, {}, out.gravity);
    if (free) return status_of(out.tau);
    // what the loads add is the difference they make
    const Loads loads = fast_.loads();
    fast_.set_loads({});
    fast_.inverse(q, {}, {}, out.gravity);
    fast_.inverse(q, qd, {}, torques_);
    fast_.set_loads(loads);
    for (std::size_t k = 0; k < nv(); ++k) out.load[k] = out.bias[k] - torques_[k];
    return status_of(out.tau);
  }

  Status tool(In q, Transform<double>& X, Out J) override {
    X = fast_.tool_pose_and_jacobian(q, J);
    return status_of_pose(X);
  }

  Status frame(In q, const Frame<double>& frame, Transform<double>& X, Out J) override {
    const std::span<Transform<double>> all(poses_);
    poses(q, all);
    X = frame_pose<double>(frame, all);
    if (!J.empty()) jacobian<double>(model_, all, frame.body, X.p, J);
    return status_of_pose(X);
  }

  Status poses(In q, std::span<Transform<double>> X) override {
    placed_.poses(q, X);
    return X.empty() ? Status{} : status_of_poses(q, X.back().R.x.x + X.back().p.x + X.back().p.y + X.back().p.z);
  }

  Status link_poses(In q, Out matrices) override {
    placed_.link_poses(q, matrices);
    if (matrices.empty()) return {};
    const Out last = matrices.last(16);
    return status_of_poses(q, last[0] + last[3] + last[7] + last[11]);
  }

  Status positions(In q, Out all) override {
    std::ranges::copy(q, all.begin());
    return status_of(all);
  }

  BatchProducts* products() override {
    BatchDynamics<double>& rows = batch(doubles_);
    if (!row_products_) row_products_ = std::make_unique<BatchProducts>(model_, batch_options(), rows);
    row_products_->set_loads(fast_.loads());
    return row_products_.get();
  }

  BatchTerms* row_terms() override {
    if (!row_terms_) row_terms_ = std::make_unique<BatchTerms>(model_, batch_options());
    return row_terms_.get();
  }

  void set_loads(const BodyLoads<double>& loads) override {
    fast_.set_loads(loads);
    doubles_.loads_are_old = floats_.loads_are_old = true;
  }

  void set_gravity(const Vec3<double>& gravity) override {
    model_.gravity = gravity;
    robot_changed();
  }

  void set_inertia(int body, const Inertia<double>& inertia) override {
    TORSOR_EXPECT(0 <= body && body < model_.size());
    model_.bodies[static_cast<std::size_t>(body)].inertia = inertia;
    robot_changed();
  }

  const Loads& loads() const override { return fast_.loads(); }
  const Model<double>& model() const override { return model_; }
  const Model<double>& tree() const override { return model_; }
  int threads() const override { return options_.threads; }
  bool canonical() const override { return fast_.canonical(); }
  const Faults& why_not() const override { return fast_.why_not(); }

 private:
  /// Rows of a precision: made when they are first asked for, and anew for another robot.
  template <class Real>
  struct Batch {
    std::unique_ptr<BatchDynamics<Real>> dynamics;
    bool loads_are_old = true;
  };

  DynamicsOptions options_;
  Model<double> model_;
  FastDynamics fast_;
  PlacedTree placed_;
  NewtonEulerWork<double> newton_euler_;
  std::vector<Transform<double>> poses_;
  std::vector<double> torques_, mass_;
  CoriolisWork<double> coriolis_;
  EnergyWork<double> energy_;
  std::unique_ptr<StateProducts> state_products_;
  Batch<double> doubles_;
  Batch<float> floats_;
  std::unique_ptr<BatchProducts> row_products_;  // on the doubles
  std::unique_ptr<BatchTerms> row_terms_;

  BatchOptions batch_options() const { return {options_.threads, options_.instruction_set}; }

  StateProducts& state_products() {
    if (!state_products_) state_products_ = std::make_unique<StateProducts>(model_, fast_);
    return *state_products_;
  }

  template <class Real>
  BatchDynamics<Real>& batch(Batch<Real>& batch) {
    auto& [dynamics, loads_are_old] = batch;
    if (!dynamics) dynamics = std::make_unique<BatchDynamics<Real>>(model_, batch_options());
    if (loads_are_old) dynamics->set_loads(fast_.loads());
    loads_are_old = false;
    return *dynamics;
  }

  RowsEngine<double>& rows_of_doubles() override { return batch(doubles_); }
  RowsEngine<float>& rows_of_floats() override { return batch(floats_); }

  void robot_changed() {
    fast_.refill();
    row_products_.reset();
    row_terms_.reset();
    doubles_ = {};
    floats_ = {};
  }
};

}  // namespace

std::unique_ptr<DynamicsEngine> tree_engine(const Model<double>& model, DynamicsOptions options) {
  return std::make_unique<TreeEngine>(model, std::move(options));
}

}  // namespace torsor
