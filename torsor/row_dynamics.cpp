#include "torsor/row_dynamics.hpp"

#include "torsor/fast/row_parts.hpp"

namespace torsor {

RowDynamics::RowDynamics(const Robot& robot, RowOptions options) : RowDynamics(robot.model(), options) {}
RowDynamics::RowDynamics(const Model<double>& model, RowOptions options)
    : parts_(std::make_unique<Parts>(model, options)) {}
RowDynamics::RowDynamics(RowDynamics&&) noexcept = default;
RowDynamics& RowDynamics::operator=(RowDynamics&&) noexcept = default;
RowDynamics::~RowDynamics() = default;

Status RowDynamics::set_robots(const RobotsOfRows& robots) {
  Parts& p = *parts_;
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(robots.count, 0)),
             nv = static_cast<std::size_t>(p.model.nv);
  const auto fits = [count](std::size_t size, std::size_t each) { return size == 0 || size == count * each; };
  if (robots.count < 0 || !fits(robots.inertias.size(), p.model.bodies.size()) || !fits(robots.rotors.size(), nv) ||
      !fits(robots.friction.size(), 3 * nv) || !fits(robots.placements.size(), p.model.bodies.size()))
    return rows::wrong;
  for (const Body<double>& b : p.model.bodies)
    for (std::size_t k = 0; b.nv > 1 && k < robots.friction.size(); ++k) {
      const int v = static_cast<int>(k % nv);
      if (b.v <= v && v < b.v + b.nv && robots.friction[k] != 0) return {Status::not_prepared, v};
    }
  p.robots.reset();
  // trees keep the robots of their last block
  p.own.clear();
  for (int k = 0; k < p.workers.threads(); ++k) p.own.emplace_back(p.model, p.options);
  if (robots.count > 0)
    p.robots.emplace(
        p.own.front().dynamics.row_robots(
            {robots.count, robots.inertias, robots.rotors, robots.friction, robots.placements}));
  return {};
}

std::int64_t RowDynamics::robots() const { return parts_->robots ? parts_->robots->count() : 0; }

Model<double> RowDynamics::robot(std::int64_t row) const {
  Model<double> model = parts_->model;
  if (parts_->robots) parts_->robots->make(row, model);
  return model;
}

Status RowDynamics::inverse(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, Rows tau,
                            const LoadsOfRows& loads) {
  Parts& p = *parts_;
  if (!p.fit(states, loads) || !rows::are_given(q, states, cells(p.model.nq, 1)) ||
      !rows::are_apart(tau, states, p.model.nv))
    return rows::wrong;
  p.share(states, loads, [&](Parts::Thread& thread, std::int64_t first, std::int64_t count) {
    thread.dynamics.inverse(count, rows::from(q, first), rows::from(qd, first), rows::from(qdd, first),
                            rows::from(tau, first));
  });
  return {};
}

Status RowDynamics::mass(std::int64_t states, ConstRows q, Rows M) {
  Parts& p = *parts_;
  if (!p.fit(states, {}) || !rows::are_given(q, states, cells(p.model.nq, 1)) ||
      !rows::are_apart(M, states, cells(p.model.nv, p.model.nv)))
    return rows::wrong;
  p.share(states, {}, [&](Parts::Thread& thread, std::int64_t first, std::int64_t count) {
    thread.dynamics.mass(count, rows::from(q, first), rows::from(M, first));
  });
  return {};
}

Status RowDynamics::forward(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, Rows qdd,
                            const LoadsOfRows& loads) {
  Parts& p = *parts_;
  if (!p.fit(states, loads) || !rows::are_given(q, states, cells(p.model.nq, 1)) ||
      !rows::are_apart(qdd, states, p.model.nv))
    return rows::wrong;
  p.share(states, loads, [&](Parts::Thread& thread, std::int64_t first, std::int64_t count) {
    thread.dynamics.forward(count, rows::from(q, first), rows::from(qd, first), rows::from(tau, first),
                            rows::from(qdd, first));
  });
  return {};
}

Status RowDynamics::rollout(std::int64_t states, const RolloutStart& start, const RolloutStates& out,
                            const LoadsOfRows& loads) {
  Parts& p = *parts_;
  const std::ptrdiff_t nq = p.model.nq, nv = p.model.nv;
  if (!p.fit(states, loads) || (states > 0 && !(start.q.data && start.qd.data)) || start.periods < 0 ||
      start.hold < 1 || !rows::are_apart(out.q, states, start.periods * nq) ||
      !rows::are_apart(out.qd, states, start.periods * nv))
    return rows::wrong;
  p.share(states, loads, [&](Parts::Thread& thread, std::int64_t first, std::int64_t count) {
    std::optional<RowSteps>& steps = thread.steps[static_cast<int>(start.method)];
    if (!steps) {
      steps.emplace(p.model, start.method, piece_states);
      thread.q.resize(static_cast<std::size_t>(piece_states * nq));
      thread.qd.resize(static_cast<std::size_t>(piece_states * nv));
    }
    double *const q = thread.q.data(), *const qd = thread.qd.data();
    for (std::int64_t s = 0; s < count; ++s) {
      std::copy_n(start.q.row(first + s), nq, q + s * nq);
      std::copy_n(start.qd.row(first + s), nv, qd + s * nv);
    }
    for (std::int64_t period = 0; period < start.periods; ++period) {
      ConstRows tau = rows::from(start.tau, first);
      if (tau.data) tau.data += period * nv;
      for (int k = 0; k < start.hold; ++k)
        steps->step(count, q, qd, start.step, [&](const double* at, const double* rates, double* qdd) {
          thread.dynamics.forward(count, {at, nq}, {rates, nv}, tau, {qdd, nv});
        });
      for (std::int64_t s = 0; s < count; ++s) {
        std::copy_n(q + s * nq, nq, out.q.row(first + s) + period * nq);
        std::copy_n(qd + s * nv, nv, out.qd.row(first + s) + period * nv);
      }
    }
  });
  return {};
}

const Model<double>& RowDynamics::model() const { return parts_->model; }
int RowDynamics::threads() const { return parts_->workers.threads(); }

}  // namespace torsor
