// Regressor: Y of tau = Y phi for any list of parameters of a model (dynamic_parameters.hpp), the columns of the
// inertial ones from the recursion, those of the drives from their laws:
//
//   rotor       qdd of its coordinate, of a spherical     coupling of two rotors    each one's qdd for the other
//               joint of all three
//   viscous     r (r qd)                                  r: the ratio of a joint that mimics another, else 1
//   dry         r sign(r qd) where the sign is its own, times 1 - e, and of its breakaway level times
//               e = exp(-(r qd / stribeck)^2), 0 without Stribeck's effect
#pragma once

#include <utility>

#include "torsor/identification/dynamic_parameters.hpp"

namespace torsor {

template <Ordered T>
class Regressor {
 public:
  /// The model must outlive it.
  Regressor(const Model<T>& model, std::vector<DynamicParameter> parameters)
      : parameters_(std::move(parameters)),
        model_(model),
        configuration_(model),
        work_(model) {
    const int inertial = inertial_count * model.size();
    for (int c = 0; c < inertial && in_order_; ++c)
      in_order_ =
          c < columns() && parameters_[static_cast<std::size_t>(c)] ==
                               DynamicParameter{ParameterKind::inertial, c / inertial_count, c % inertial_count};
    for (int c = inertial; c < columns() && in_order_; ++c)
      in_order_ = parameters_[static_cast<std::size_t>(c)].kind != ParameterKind::inertial;
    if (!in_order_) inertial_.resize(cells(model.nv, inertial));
  }
  Regressor(const Model<T>&&, std::vector<DynamicParameter>) = delete;

  const std::vector<DynamicParameter>& parameters() const { return parameters_; }
  int columns() const { return static_cast<int>(parameters_.size()); }
  int rows() const { return model_.nv; }
  /// Whether the first columns are those of all inertial parameters, body after body.
  bool in_order() const { return in_order_; }

  /// Y, row-major rows() x columns(), at q (nq), qd, qdd (nv); an empty qd or qdd stands for zero. Never allocates.
  void at(std::span<const T> q, Rates<const T> qd, Rates<const T> qdd, std::span<T> Y) {
    TORSOR_EXPECT(Y.size() == cells(rows(), columns()));
    configuration_.set(model_, q);
    const int all = inertial_count * model_.size();
    inertial_regressor<T>(model_, configuration_, qd, qdd, base, work_, in_order_ ? columns() : all,
                          in_order_ ? Y : std::span<T>(inertial_));
    fill(qd, qdd, Y);
  }

  /// The columns that the first ones of a regressor in order leave, or all; the inertial ones from the last motion.
  void fill(Rates<const T> qd, Rates<const T> qdd, std::span<T> Y) const {
    const int all = inertial_count * model_.size(), first = in_order_ ? all : 0;
    for (int row = 0; row < rows(); ++row)
      for (int c = first; c < columns(); ++c) Y[cell(row, columns(), c)] = T(0);
    for (int c = first; c < columns(); ++c) {
      const DynamicParameter& p = parameters_[static_cast<std::size_t>(c)];
      const auto y = [&](int row) -> T& { return Y[cell(row, columns(), c)]; };
      if (p.kind == ParameterKind::inertial) {
        for (int row = 0; row < rows(); ++row) y(row) = inertial_[cell(row, all, inertial_count * p.index + p.which)];
      } else if (p.kind == ParameterKind::rotor) {
        for (int j = p.index; !qdd.empty() && j < p.index + rotor_width(model_, p.index); ++j) y(j) = qdd[j];
      } else if (p.kind == ParameterKind::rotor_coupling) {
        const RotorCoupling<T>& pair = model_.rotor_coupling[p.index];
        if (!qdd.empty()) y(pair.i) = qdd[pair.j], y(pair.j) = qdd[pair.i];
      } else if (!qd.empty()) {
        const Body<T>& b = model_[p.index];
        y(b.v) = b.ratio * friction_column(p, T(b.ratio * qd[b.v]));
      }
    }
  }

  BaseMotion<T> base;  // how the base moves, kept until changed

 private:
  T friction_column(const DynamicParameter& p, const T& speed) const {
    if (p.kind == ParameterKind::viscous) return speed;
    const Friction<T>* law = friction_of(model_, p.index);
    const bool breakaway = p.kind == ParameterKind::breakaway_positive || p.kind == ParameterKind::breakaway_negative;
    T share(breakaway ? 0 : 1);
    if (law && law->stribeck_velocity > 0) {
      const T u = speed / T(law->stribeck_velocity), fade = exp(-(u * u));
      share = breakaway ? fade : T(1) - fade;
    }
    const T zero(0);
    const bool positive = p.kind == ParameterKind::coulomb_positive || p.kind == ParameterKind::breakaway_positive;
    return positive ? select(zero < speed, share, zero) : select(speed < zero, T(-share), zero);
  }

  std::vector<DynamicParameter> parameters_;
  const Model<T>& model_;
  Configuration<T> configuration_;
  InertialRegressorWork<T> work_;
  bool in_order_ = true;
  std::vector<T> inertial_;  // where not
};

}  // namespace torsor
