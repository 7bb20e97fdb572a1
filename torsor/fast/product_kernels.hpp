// Products of vectors with the derivatives of inverse dynamics, on lanes: the recursions of dynamics/inverse_products.hpp as
// they stand. Included by one translation unit per instruction set, as machine_kernels.hpp is.
#pragma once

#include "torsor/dynamics/inverse_products.hpp"
#include "torsor/fast/friction_slope.hpp"
#include "torsor/fast/product_call.hpp"
#include "torsor/fast/tree_kernels.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

template <class T>
struct ProductTree : LaneTree<T> {
  explicit ProductTree(const Tree<double>& from) : LaneTree<T>(from), work(this->tree) {
    for (int k = 0; k < 3; ++k) along[k] = answer[k] = this->qd;
  }
  InverseProductsWork<T> work;
  std::vector<T> along[3], answer[3];
};

template <class T>
void* create_products(const Tree<double>& tree) {
  return static_cast<LaneTree<T>*>(new ProductTree<T>(tree));
}
template <class T>
void destroy_products(void* self) {
  delete static_cast<ProductTree<T>*>(static_cast<LaneTree<T>*>(self));
}

/// step(products) for every register of states, with `taken` rows of vectors beforehand and `given` of answers afterwards.
template <class T, class Step>
void for_product_blocks(void* self, const ProductCall& call, int taken, int given, const Step& step) {
  for_tree_blocks<T>(self, call, [&](LaneTree<T>& lanes, std::int64_t first, int rows) {
    auto& p = static_cast<ProductTree<T>&>(lanes);
    const int n = p.tree.nv;
    for (int k = 0; k < taken; ++k) read_rows(call.along[k], call.along_stride[k], first, rows, n, p.along[k].data());
    step(p);
    for (int k = 0; k < given; ++k)
      if (call.answer[k])
        store_rows(p.answer[k].data(), n, call.answer[k] + first * call.answer_stride[k], call.answer_stride[k], rows);
  });
}

template <class T>
void jvp_states(void* self, const ProductCall& call) {
  for_product_blocks<T>(self, call, 3, 1, [&](ProductTree<T>& p) {
    const auto& [dq, dqd, dqdd] = p.along;
    inverse_jacobian_vector<T>(p.tree, p.at, p.qd, p.a, p.loads, {dq, dqd, dqdd}, p.work, p.answer[0]);
    for (int k = 0; k < call.frictions; ++k) {
      const int v = call.friction[k].v;
      p.answer[0][v] += friction_slope<T>(call.friction[k]) * dqd[v];
    }
  });
}

template <class T>
void vjp_states(void* self, const ProductCall& call) {
  for_product_blocks<T>(self, call, 1, 3, [&](ProductTree<T>& p) {
    auto& [by_q, by_qd, by_qdd] = p.answer;
    inverse_vector_jacobian<T>(p.tree, p.at, p.qd, p.a, p.loads, p.along[0], p.work, {by_q, by_qd, by_qdd});
    for (int k = 0; k < call.frictions; ++k) {
      const int v = call.friction[k].v;
      by_qd[v] += friction_slope<T>(call.friction[k]) * p.along[0][v];
    }
  });
}

inline ProductKernels products_of_doubles() {
  using T = Lanes<double, register_bytes / static_cast<int>(sizeof(double))>;
  return {create_products<T>, destroy_products<T>, jvp_states<T>, vjp_states<T>};
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
