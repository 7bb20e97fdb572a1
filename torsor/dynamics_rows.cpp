// Dynamics for many states: sizes, which alone decide the status; rows are answered by the engine.
#include "torsor/dynamics.hpp"
#include "torsor/fast/batch_products.hpp"
#include "torsor/fast/batch_terms.hpp"
#include "torsor/fast/dynamics_engine.hpp"
#include "torsor/fast/row_sizes.hpp"
#include "torsor/spatial/pose_matrix.hpp"

namespace torsor {
namespace {

constexpr Status wrong_rows{Status::wrong_size, -1};

using rows::are_apart, rows::are_given;

/// One row; empty where there are none.
template <class Real>
std::span<Real> row_of(StateRows<Real> rows, std::int64_t k, std::size_t length) {
  return rows.data ? std::span<Real>(rows.row(k), length) : std::span<Real>();
}

/// Answers products by `ask` if all is given and the rows for answers, nv long, are apart; with loops each state by `one`.
template <class Ask, class One>
Status products(DynamicsEngine& e, std::int64_t states, std::initializer_list<StateRows<const double>> given,
                std::initializer_list<StateRows<double>> answers, const Ask& ask, const One& one) {
  for (const StateRows<const double>& rows : given)
    if (!are_given(rows, states, e.nv())) return wrong_rows;
  for (const StateRows<double>& rows : answers)
    if (!are_apart(rows, states, e.nv())) return wrong_rows;
  if (BatchProducts* const by = e.products()) {
    ask(*by);
    return {};
  }
  const auto rates = [&e](auto rows, std::int64_t k) { return row_of(rows, k, e.nv()); };
  for (std::int64_t k = 0; k < states; ++k) one(k, rates);
  return {};
}

}  // namespace

template <class Real>
Status DynamicsRows<Real>::inverse(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, Rows tau) {
  DynamicsEngine& e = *static_cast<Dynamics&>(*this).engine_;
  if (!are_given(q, states, e.nq()) || !are_apart(tau, states, e.nv())) return wrong_rows;
  e.rows<Real>().inverse(states, q, qd, qdd, tau);
  return {};
}

template <class Real>
Status DynamicsRows<Real>::coriolis(std::int64_t states, ConstRows q, ConstRows qd, Rows tau) {
  DynamicsEngine& e = *static_cast<Dynamics&>(*this).engine_;
  if (!are_given(q, states, e.nq()) || !are_apart(tau, states, e.nv())) return wrong_rows;
  e.rows<Real>().coriolis(states, q, qd, tau);
  return {};
}

template <class Real>
Status DynamicsRows<Real>::mass(std::int64_t states, ConstRows q, Rows M) {
  DynamicsEngine& e = *static_cast<Dynamics&>(*this).engine_;
  if (!are_given(q, states, e.nq()) || !are_apart(M, states, e.nv() * e.nv())) return wrong_rows;
  e.rows<Real>().mass(states, q, M);
  return {};
}

template <class Real>
Status DynamicsRows<Real>::forward(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, Rows qdd) {
  DynamicsEngine& e = *static_cast<Dynamics&>(*this).engine_;
  if (!are_given(q, states, e.nq()) || !are_apart(qdd, states, e.nv())) return wrong_rows;
  e.rows<Real>().forward(states, q, qd, tau, qdd);
  return {};
}

template <class Real>
Status DynamicsRows<Real>::tool(std::int64_t states, ConstRows q, Rows X, Rows J) {
  DynamicsEngine& e = *static_cast<Dynamics&>(*this).engine_;
  if (!are_given(q, states, e.nq()) || !are_apart(X, states, 12) || !are_apart(J, states, 6 * e.nv()))
    return wrong_rows;
  e.rows<Real>().tool(states, q, X, J);
  return {};
}

Status Dynamics::poses(std::int64_t states, ConstRows q, Rows X) {
  DynamicsEngine& e = *engine_;
  if (!are_given(q, states, e.nq()) || !are_apart(X, states, 12 * e.bodies())) return wrong_rows;
  if (BatchTerms* const rows = e.row_terms()) {
    rows->poses(states, q, X);
    return {};
  }
  std::vector<Transform<double>> poses(e.bodies());
  for (std::int64_t k = 0; k < states; ++k) {
    e.poses({q.row(k), e.nq()}, poses);
    for (std::size_t i = 0; i < poses.size(); ++i) write_pose_row(poses[i], X.row(k) + 12 * i);
  }
  return {};
}

Status Dynamics::link_poses(std::int64_t states, ConstRows q, Rows matrices) {
  DynamicsEngine& e = *engine_;
  const std::size_t size = 16 * e.bodies();
  if (!are_given(q, states, e.nq()) || !are_apart(matrices, states, size)) return wrong_rows;
  if (BatchTerms* const rows = e.row_terms())
    rows->link_poses(states, q, matrices);
  else
    for (std::int64_t k = 0; k < states; ++k) e.link_poses({q.row(k), e.nq()}, {matrices.row(k), size});
  return {};
}

Status Dynamics::coriolis_matrix(std::int64_t states, ConstRows q, ConstRows qd, Rows C) {
  DynamicsEngine& e = *engine_;
  const std::size_t n = e.nv();
  if (!are_given(q, states, e.nq()) || !are_given(qd, states, n) || !are_apart(C, states, n * n)) return wrong_rows;
  if (BatchTerms* const rows = e.row_terms())
    rows->coriolis_matrix(states, q, qd, C);
  else
    for (std::int64_t k = 0; k < states; ++k) e.coriolis_matrix({q.row(k), e.nq()}, {qd.row(k), n}, {C.row(k), n * n});
  return {};
}

template class DynamicsRows<double>;
template class DynamicsRows<float>;

Status Dynamics::inverse_jvp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, ConstRows dq, ConstRows dqd,
                             ConstRows dqdd, Rows dtau) {
  return products(
      *engine_, states, {q}, {dtau},
      [&](BatchProducts& by) {
        by.inverse_jvp(states, q, qd, qdd, {dq, dqd, dqdd}, dtau);
      },
      [&](std::int64_t k, const auto& row) {
        engine_->inverse_jvp(row_of(q, k, engine_->nq()), row(qd, k), row(qdd, k),
                             {row(dq, k), row(dqd, k), row(dqdd, k)}, row(dtau, k));
      });
}

Status Dynamics::inverse_vjp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, ConstRows w, Rows by_q,
                             Rows by_qd, Rows by_qdd) {
  return products(
      *engine_, states, {q, w}, {by_q, by_qd, by_qdd},
      [&](BatchProducts& by) {
        by.inverse_vjp(states, q, qd, qdd, w, {by_q, by_qd, by_qdd});
      },
      [&](std::int64_t k, const auto& row) {
        engine_->inverse_vjp(row_of(q, k, engine_->nq()), row(qd, k), row(qdd, k), row(w, k),
                             {row(by_q, k), row(by_qd, k), row(by_qdd, k)});
      });
}

Status Dynamics::forward_jvp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, ConstRows dq, ConstRows dqd,
                             ConstRows dtau, Rows dqdd) {
  return products(
      *engine_, states, {q}, {dqdd},
      [&](BatchProducts& by) {
        by.forward_jvp(states, q, qd, tau, {dq, dqd, dtau}, dqdd);
      },
      [&](std::int64_t k, const auto& row) {
        engine_->forward_jvp(row_of(q, k, engine_->nq()), row(qd, k), row(tau, k),
                             {row(dq, k), row(dqd, k), row(dtau, k)}, row(dqdd, k));
      });
}

Status Dynamics::forward_vjp(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau, ConstRows u, Rows by_q,
                             Rows by_qd, Rows by_tau) {
  return products(
      *engine_, states, {q, u}, {by_q, by_qd, by_tau},
      [&](BatchProducts& by) {
        by.forward_vjp(states, q, qd, tau, u, {by_q, by_qd, by_tau});
      },
      [&](std::int64_t k, const auto& row) {
        engine_->forward_vjp(row_of(q, k, engine_->nq()), row(qd, k), row(tau, k), row(u, k),
                             {row(by_q, k), row(by_qd, k), row(by_tau, k)});
      });
}

}  // namespace torsor
