// BatchProducts, the part of Dynamics for rows of products with derivatives: several states in one register, on one thread or
// several. Serial arms and all other models run on the recursions of trees; accelerations, where a product needs them, come
// from BatchDynamics. A state that is no number spoils its own answer and no other. Nothing is allocated after set-up.
#pragma once

#include <array>
#include <memory>

#include "torsor/dynamics/loads.hpp"
#include "torsor/fast/batch_dynamics.hpp"

namespace torsor {

class BatchProducts {
 public:
  /// rows: of the same model, under the same loads; it and the model must outlive the products.
  BatchProducts(const Model<double>& model, BatchOptions options, BatchDynamics<double>& rows);
  ~BatchProducts();

  using In = StateRows<const double>;
  using Out = StateRows<double>;

  /// Rows of the change of tau with changes of q, qd, qdd; those without data are none. Answers share no memory with what is given.
  void inverse_jvp(std::int64_t states, In q, In qd, In qdd, const std::array<In, 3>& change, Out dtau);
  /// Rows of the gradients of w . tau by q, qd, qdd; those without data are left out.
  void inverse_vjp(std::int64_t states, In q, In qd, In qdd, In w, const std::array<Out, 3>& gradient);
  /// The same of qdd = forward(q, qd, tau), all three gradients given; NaN where there are no accelerations.
  void forward_jvp(std::int64_t states, In q, In qd, In tau, const std::array<In, 3>& change, Out dqdd);
  void forward_vjp(std::int64_t states, In q, In qd, In tau, In u, const std::array<Out, 3>& gradient);

  void set_loads(const BodyLoads<double>&);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace torsor
