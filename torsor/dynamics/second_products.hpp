// SecondProducts: second derivatives of inverse and forward dynamics along directions, friction included: the products of
// TreeProducts over dual numbers. One object per thread. Here a change of the position is one of its numbers (nq of them,
// quaternions of any length), and so is a gradient by it: second derivatives by numbers are symmetric, those along turns
// of a body are not. A function of friction that was set in code is refused: nothing is known of its slopes.
//
//   hessian(w, e):     d/dt of the gradient of w . f at x + t e            = (sum_k w_k Hessian of f_k) e
//   curvature(c, e):   d/dt of the change of f along c, at x + t e         = f''(x)[c, e]
#pragma once

#include "torsor/dynamics/tree_products.hpp"
#include "torsor/model/joint_tangent.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// A change of the numbers of (q, qd, and qdd or tau): nq, nv, nv of them, or none for no change. And where such a gradient goes.
struct NumbersChange {
  std::span<const double> q, qd, last;
};
struct NumbersGradient {
  std::span<double> q, qd, last;
};

class SecondProducts {
 public:
  explicit SecondProducts(const Model<double>& model) : model_(refused(model)), products_(model_) {
    const auto nq = static_cast<std::size_t>(model.nq), nv = static_cast<std::size_t>(model.nv);
    q_.resize(nq), change_q_.resize(nq), gradient_.resize(nq);
    for (auto* x : {&qd_, &last_, &weights_, &by_q_, &by_qd_, &by_last_, &change_qd_, &change_last_, &displacement_})
      x->resize(nv);
  }
  SecondProducts(const SecondProducts&) = delete;
  SecondProducts& operator=(const SecondProducts&) = delete;

  /// Of tau = inverse(q, qd, qdd); an empty qd or qdd stands for zero.
  void inverse_hessian(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
                       std::span<const double> w, const NumbersChange& along, const NumbersGradient& out) {
    set(q, qd, qdd, along);
    constant(w, weights_);
    products_.inverse_vjp(q_, qd_, last_, weights_, {by_q_, by_qd_, by_last_});
    give(out);
  }
  void inverse_curvature(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
                         const NumbersChange& change, const NumbersChange& along, std::span<double> out) {
    set(q, qd, qdd, along);
    set_change(change);
    products_.inverse_jvp(q_, qd_, last_, {displacement_, change_qd_, change_last_}, by_q_);
    tangents(by_q_, out);
  }

  /// Of qdd = forward(q, qd, tau). -1, or a coordinate that moves no mass, as TreeDynamics: then nothing is to be used.
  int forward_hessian(std::span<const double> q, std::span<const double> qd, std::span<const double> tau,
                      std::span<const double> u, const NumbersChange& along, const NumbersGradient& out) {
    set(q, qd, tau, along);
    constant(u, weights_);
    const int massless = products_.forward_vjp(q_, qd_, last_, weights_, {by_q_, by_qd_, by_last_});
    if (massless < 0) give(out);
    return massless;
  }
  int forward_curvature(std::span<const double> q, std::span<const double> qd, std::span<const double> tau,
                        const NumbersChange& change, const NumbersChange& along, std::span<double> out) {
    set(q, qd, tau, along);
    set_change(change);
    const int massless = products_.forward_jvp(q_, qd_, last_, {displacement_, change_qd_, change_last_}, by_q_);
    if (massless < 0) tangents(by_q_, out);
    return massless;
  }

  /// Base motion and external forces, kept until changed.
  void set_loads(const BodyLoads<double>& loads) {
    const auto convert = [](double x) { return D(x); };
    auto& to = products_.dynamics.loads;
    to.base = cast<D>(loads.base, convert);
    to.external.clear();
    for (const Force<double>& f : loads.external) to.external.push_back(cast<D>(f, convert));
  }

 private:
  using D = Dual<double>;

  static Model<D> refused(const Model<double>& model) {
    for (const auto& [body, law] : model.friction)
      if (law.function)
        throw Error({Fault{.where = {},
                           .offender = model.joint_names[static_cast<std::size_t>(body)],
                           .rule = "friction-function",
                           .what = "second derivatives of friction that is a function set in code are not known",
                           .remedy = "give the law as a table"}});
    return cast<D>(model, [](double x) { return D(x); });
  }
  static void constant(std::span<const double> from, std::vector<D>& to) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = D(from.empty() ? 0.0 : from[k]);
  }
  static void varied(std::span<const double> from, std::span<const double> along, std::vector<D>& to) {
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k] = D(from.empty() ? 0.0 : from[k], {along.empty() ? 0.0 : along[k]});
  }
  static void tangents(const std::vector<D>& from, std::span<double> to) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = from[k].tangent[0];
  }
  void set(std::span<const double> q, std::span<const double> qd, std::span<const double> last,
           const NumbersChange& along) {
    varied(q, along.q, q_);
    varied(qd, along.qd, qd_);
    varied(last, along.last, last_);
  }
  void set_change(const NumbersChange& change) {
    constant(change.q, change_q_);
    constant(change.qd, change_qd_);
    constant(change.last, change_last_);
    position_tangent<D>(model_, q_, change_q_, displacement_);
  }
  void give(const NumbersGradient& out) {
    position_gradient<D>(model_, q_, by_q_, gradient_);
    tangents(gradient_, out.q);
    tangents(by_qd_, out.qd);
    tangents(by_last_, out.last);
  }

  Model<D> model_;
  TreeProducts<D> products_;
  std::vector<D> q_, qd_, last_, weights_, by_q_, by_qd_, by_last_, change_q_, change_qd_, change_last_, displacement_,
      gradient_;
};

}  // namespace torsor
