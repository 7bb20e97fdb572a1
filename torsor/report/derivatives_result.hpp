// First derivatives of the dynamics at a state, as a plain result.
#pragma once

#include "torsor/dynamics/derivative_sparsity.hpp"
#include "torsor/report/state_result.hpp"

namespace torsor {

/// Everything at a state. The motion is given by qdd or by tau; the other one follows.
struct StateDerivatives {
  explicit StateDerivatives(const Model<double>& model)
      : tau(static_cast<std::size_t>(model.nv)),
        qdd(tau),
        dtau_dq(cells(model.nv, model.nv)),
        dtau_dqd(dtau_dq),
        M(dtau_dq),
        dqdd_dq(dtau_dq),
        dqdd_dqd(dtau_dq),
        inverse_M(dtau_dq),
        q_next(static_cast<std::size_t>(model.nq)),
        qd_next(tau),
        A(cells(2 * model.nv, 2 * model.nv)),
        B(cells(2 * model.nv, model.nv)) {}

  std::vector<double> tau, qdd, dtau_dq, dtau_dqd, M, dqdd_dq, dqdd_dqd, inverse_M, q_next, qd_next, A, B;
  int massless = -1;  // the coordinate that makes M singular; nothing of forward dynamics then
};

/// Which derivatives may differ from zero.
struct DerivativePatterns {
  DerivativeSparsity of_tree;
  std::optional<DerivativeSparsity>
      of_robot;  // where its exact structure can be found, and nothing was changed by loads
};

/// Where derivatives may differ from zero, as numbers: 1 or 0.
struct PatternResult {
  const DerivativeSparsity& of;
  std::size_t n;
};

constexpr auto fields(Of<PatternResult>) {
  using P = PatternResult;
  const auto part = [](std::vector<char> DerivativeSparsity::*which) {
    return [which](const P& p) {
      const std::vector<char>& may = p.of.*which;
      return matrix_of({may.begin(), may.end()}, p.n);
    };
  };
  return field_list("NonzeroDerivatives", "1 where a derivative may differ from zero.",
                    field("dtau_dq", "", "", part(&DerivativeSparsity::dq)),
                    field("dtau_dqd", "", "", part(&DerivativeSparsity::dqd)),
                    field("M", "", "", part(&DerivativeSparsity::dqdd)));
}

struct DerivativesResult {
  StateResult state;
  const StateDerivatives& of;
  const DerivativePatterns& patterns;
  double step = 0;  // 0: none

  std::size_t n() const { return of.tau.size(); }
};

constexpr auto fields(Of<DerivativesResult>) {
  using D = DerivativesResult;
  using S = StateDerivatives;
  const auto matrix = [](std::vector<double> S::*which) {
    return [which](const D& d) { return matrix_of(d.of.*which, d.n()); };
  };
  const auto regular = [](std::vector<double> S::*which) {
    return
        [which](const D& d) { return d.of.massless < 0 ? std::optional(matrix_of(d.of.*which, d.n())) : std::nullopt; };
  };
  const auto stepped = [](auto get) {
    return [get](const D& d) { return d.step > 0 ? std::optional(get(d)) : std::nullopt; };
  };
  return field_list(
      "DerivativesResult", "First derivatives of the dynamics at a state.", fields_of_part(&D::state),
      field("qdd", "", "", [](const D& d) { return d.state.rates(d.of.qdd); }),
      field("tau", "", "", [](const D& d) { return d.of.tau; }), field("dtau_dq", "", "", matrix(&S::dtau_dq)),
      field("dtau_dqd", "", "", matrix(&S::dtau_dqd)), field("M", "", "dtau/dqdd", matrix(&S::M)),
      field("M_positive_definite", "", "", [](const D& d) { return d.of.massless < 0; }),
      field("dqdd_dq", "", "", regular(&S::dqdd_dq)).or_absent(),
      field("dqdd_dqd", "", "", regular(&S::dqdd_dqd)).or_absent(),
      field("dqdd_dtau", "", "M^-1", regular(&S::inverse_M)).or_absent(),
      field("nonzero_of_tree", "", "by the tree and its kinds of joints",
            [](const D& d) {
              return PatternResult{d.patterns.of_tree, d.n()};
            }),
      field("nonzero_of_robot", "", "for its numbers, exactly",
            [](const D& d) {
              return d.patterns.of_robot ? std::optional(PatternResult{*d.patterns.of_robot, d.n()}) : std::nullopt;
            })
          .or_absent(),
      field("step", "s", "", stepped([](const D& d) { return d.step; })).or_absent(),
      field("q_next", "", "", stepped([](const D& d) { return d.state.positions(d.of.q_next); })).or_absent(),
      field("qd_next", "", "", stepped([](const D& d) { return d.state.rates(d.of.qd_next); })).or_absent(),
      field("A", "", "by (q, qd)", stepped([](const D& d) { return matrix_of(d.of.A, 2 * d.n()); })).or_absent(),
      field("B", "", "by tau", stepped([](const D& d) { return matrix_of(d.of.B, d.n()); })).or_absent());
}

}  // namespace torsor
