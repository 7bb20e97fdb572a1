// Poses of all links, Coriolis matrices and regressors of many states, on lanes: the recursions of kinematics/ and
// dynamics/ as they stand. Included by one translation unit per instruction set, as machine_kernels.hpp is.
#pragma once

#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/inertial_regressor.hpp"
#include "torsor/fast/term_call.hpp"
#include "torsor/fast/tree_kernels.hpp"
#include "torsor/spatial/pose_matrix.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

template <class T>
struct TermTree : LaneTree<T> {
  explicit TermTree(const Tree<double>& from) : LaneTree<T>(from), coriolis(this->tree), regressor(this->tree) {}

  /// That many numbers of a state; allocates where there have not been so many.
  T* room(std::size_t size) {
    if (numbers.size() < size) numbers.resize(size, T(0));
    return numbers.data();
  }

  CoriolisWork<T> coriolis;
  InertialRegressorWork<T> regressor;
  std::vector<T> numbers;
};

template <class T>
void* create_terms(const Tree<double>& tree) {
  return static_cast<LaneTree<T>*>(new TermTree<T>(tree));
}
template <class T>
void destroy_terms(void* self) {
  delete static_cast<TermTree<T>*>(static_cast<LaneTree<T>*>(self));
}

/// step(terms, room) writes `size` numbers of every state of a register.
template <class T, class Step>
void for_term_blocks(void* self, const TermCall& call, int size, const Step& step) {
  for_tree_blocks<T>(self, call, [&](LaneTree<T>& lanes, std::int64_t first, int rows) {
    auto& terms = static_cast<TermTree<T>&>(lanes);
    T* const numbers = terms.room(static_cast<std::size_t>(size));
    step(terms, numbers);
    store_rows(numbers, size, call.out + first * call.out_stride, call.out_stride, rows);
  });
}

template <class T>
void term_poses(void* self, const TermCall& call) {
  const int bodies = static_cast<LaneTree<T>*>(self)->tree.size();
  for_term_blocks<T>(self, call, (call.links ? 16 : 12) * bodies, [&](TermTree<T>& t, T* out) {
    forward_kinematics(t.tree, t.at, std::span(t.X));
    for (int i = 0; i < bodies; ++i)
      if (call.links)
        write_pose_matrix(t.X[i] * t.tree[i].link, out + 16 * i);
      else
        write_pose_row(t.X[i], out + 12 * i);
  });
}

template <class T>
void term_coriolis_matrix(void* self, const TermCall& call) {
  const int n = static_cast<LaneTree<T>*>(self)->tree.nv;
  for_term_blocks<T>(self, call, n * n, [&](TermTree<T>& t, T* out) {
    coriolis_matrix(t.tree, t.at, Rates<const T>(t.qd), t.coriolis, std::span<T>(out, cells(n, n)));
  });
}

/// Row by row, since those of the answer are longer.
template <class T>
void term_regressor(void* self, const TermCall& call) {
  for_tree_blocks<T>(self, call, [&](LaneTree<T>& lanes, std::int64_t first, int rows) {
    auto& t = static_cast<TermTree<T>&>(lanes);
    const int n = t.tree.nv, columns = inertial_count * t.tree.size();
    T* const Y = t.room(cells(n, columns));
    inertial_regressor(t.tree, t.at, Rates<const T>(t.qd), Rates<const T>(t.a), t.loads.base, t.regressor, columns,
                       std::span<T>(Y, cells(n, columns)));
    double* to = call.out + first * call.out_stride;
    for (int k = 0; k < n; ++k, to += call.columns)
      store_rows(Y + cell(k, columns, 0), columns, to, call.out_stride, rows);
  });
}

inline TermKernels terms_of_doubles() {
  using T = Lanes<double, register_bytes / static_cast<int>(sizeof(double))>;
  return {create_terms<T>, destroy_terms<T>, term_poses<T>, term_coriolis_matrix<T>, term_regressor<T>};
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
