#include "torsor/dynamics.hpp"

#include "torsor/fast/tree_engine.hpp"
#include "torsor/loops/loop_dynamics.hpp"

// Every call: sizes first, alike for every engine, and then the engine's answer.
namespace torsor {
namespace {

constexpr Status wrong_size{Status::wrong_size, -1};

}  // namespace

Dynamics::Dynamics(const Model<double>& model, DynamicsOptions options)
    : engine_(tree_engine(model, std::move(options))) {}
Dynamics::Dynamics(const Robot& robot, DynamicsOptions options) {
  if (robot.loops())
    engine_ = loop_engine(robot.tree(), robot.loops(), refuse_loops(robot.description()), options);
  else
    engine_ = tree_engine(robot.model(), std::move(options));
}
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;
Dynamics::~Dynamics() = default;

Status Dynamics::inverse(In q, In qd, In qdd, Out tau) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_rates(qd) || !e.are_rates(qdd) || !e.are_all(tau)) return wrong_size;
  return e.inverse(q, qd, qdd, tau);
}

Status Dynamics::inverse(In q, In qd, In qdd, Out tau, const InverseDerivatives<double>& derivatives) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_rates(qd) || !e.are_rates(qdd) || !e.are_all(tau)) return wrong_size;
  if (!e.is_square(derivatives.dq) || !e.is_square(derivatives.dqd) || !e.is_square(derivatives.dqdd))
    return wrong_size;
  return e.inverse(q, qd, qdd, tau, derivatives);
}

Status Dynamics::coriolis(In q, In qd, Out tau) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_rates(qd) || !e.are_all(tau)) return wrong_size;
  return e.coriolis(q, qd, tau);
}

Status Dynamics::coriolis_matrix(In q, In qd, Out C) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_all(qd) || !e.is_square(C)) return wrong_size;
  return e.coriolis_matrix(q, qd, C);
}

Status Dynamics::mass(In q, Out M) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.is_square(M)) return wrong_size;
  return e.mass(q, M);
}

Status Dynamics::forward(In q, In qd, In tau, Out qdd) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_rates(qd) || !e.are_all(tau) || !e.are_all(qdd)) return wrong_size;
  return e.forward(q, qd, tau, qdd);
}

Status Dynamics::forward(In q, In qd, In tau, Out qdd, const ForwardDerivatives<double>& derivatives) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_rates(qd) || !e.are_all(tau) || !e.are_all(qdd)) return wrong_size;
  if (!e.is_square(derivatives.dq) || !e.is_square(derivatives.dqd) || !e.is_square(derivatives.dtau))
    return wrong_size;
  return e.forward(q, qd, tau, qdd, derivatives);
}

Status Dynamics::inverse_jvp(In q, In qd, In qdd, const MotionChange<double>& change, Out dtau) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_rates(qd) || !e.are_rates(qdd) || !e.are_all(dtau)) return wrong_size;
  if (!e.are_rates(change.q) || !e.are_rates(change.qd) || !e.are_rates(change.qdd)) return wrong_size;
  return e.inverse_jvp(q, qd, qdd, change, dtau);
}

Status Dynamics::inverse_vjp(In q, In qd, In qdd, In w, const InverseGradient<double>& gradient) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_rates(qd) || !e.are_rates(qdd) || !e.are_all(w)) return wrong_size;
  if (!e.are_all(gradient.q) || !e.are_all(gradient.qd) || !e.are_all(gradient.qdd)) return wrong_size;
  return e.inverse_vjp(q, qd, qdd, w, gradient);
}

Status Dynamics::forward_jvp(In q, In qd, In tau, const DriveChange<double>& change, Out dqdd) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_rates(qd) || !e.are_all(tau) || !e.are_all(dqdd)) return wrong_size;
  if (!e.are_rates(change.q) || !e.are_rates(change.qd) || !e.are_rates(change.tau)) return wrong_size;
  return e.forward_jvp(q, qd, tau, change, dqdd);
}

Status Dynamics::forward_vjp(In q, In qd, In tau, In u, const ForwardGradient<double>& gradient) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_rates(qd) || !e.are_all(tau) || !e.are_all(u)) return wrong_size;
  if (!e.are_all(gradient.q) || !e.are_all(gradient.qd) || !e.are_all(gradient.tau)) return wrong_size;
  return e.forward_vjp(q, qd, tau, u, gradient);
}

Status Dynamics::reactions(In q, In qd, In qdd, Out tau, std::span<Force<double>> forces,
                           const LoopReactionSpans& loops) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_rates(qd) || !e.are_rates(qdd) || !e.are_all(tau)) return wrong_size;
  if (forces.size() != e.bodies()) return wrong_size;
  if (!loops.loops.empty() && loops.loops.size() != e.loops()) return wrong_size;
  if (!loops.unique.empty() && loops.unique.size() != e.bodies() + e.loops()) return wrong_size;
  return e.reactions(q, qd, qdd, tau, forces, loops);
}

Status Dynamics::energy(In q, In qd, Energy<double>& out) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_all(qd)) return wrong_size;
  return e.energy(q, qd, out);
}

Status Dynamics::terms(In q, In qd, In qdd, const TermSpans& out) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_all(qd) || !e.are_all(qdd)) return wrong_size;
  if (!e.is_square(out.M) || !e.is_square(out.C) || out.reactions.size() != e.bodies()) return wrong_size;
  for (const Out torques : {out.gravity, out.friction, out.load, out.bias, out.tau})
    if (!e.are_all(torques)) return wrong_size;
  return e.terms(q, qd, qdd, out);
}

Status Dynamics::tool(In q, Transform<double>& X, Out J) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.is_jacobian(J)) return wrong_size;
  return e.tool(q, X, J);
}

Status Dynamics::frame(In q, const Frame<double>& frame, Transform<double>& X, Out J) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || (!J.empty() && !e.is_jacobian(J))) return wrong_size;
  if (frame.body < 0 || static_cast<std::size_t>(frame.body) >= e.bodies()) return wrong_size;
  return e.frame(q, frame, X, J);
}

Status Dynamics::poses(In q, std::span<Transform<double>> X) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || X.size() != e.bodies()) return wrong_size;
  return e.poses(q, X);
}

Status Dynamics::link_poses(In q, Out matrices) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || matrices.size() != 16 * e.bodies()) return wrong_size;
  return e.link_poses(q, matrices);
}

Status Dynamics::positions(In q, Out all) {
  DynamicsEngine& e = *engine_;
  if (!e.is_position(q) || !e.are_of_the_tree(all)) return wrong_size;
  return e.positions(q, all);
}

Status Dynamics::set_loads(const BodyLoads<double>& loads) {
  if (loads.external.size() > engine_->bodies()) return wrong_size;
  engine_->set_loads(loads);
  return {};
}

const Loads& Dynamics::loads() const { return engine_->loads(); }
void Dynamics::set_gravity(const Vec3<double>& gravity) { engine_->set_gravity(gravity); }
void Dynamics::set_inertia(int body, const Inertia<double>& inertia) { engine_->set_inertia(body, inertia); }
const Model<double>& Dynamics::model() const { return engine_->model(); }
const Model<double>& Dynamics::tree() const { return engine_->tree(); }
void Dynamics::return_to_start() { engine_->return_to_start(); }
std::size_t Dynamics::loops() const { return engine_->loops(); }
double Dynamics::closure_error() const { return engine_->closure_error(); }
int Dynamics::threads() const { return engine_->threads(); }
bool Dynamics::canonical() const { return engine_->canonical(); }
const Faults& Dynamics::why_not() const { return engine_->why_not(); }

}  // namespace torsor
