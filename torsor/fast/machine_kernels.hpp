// The tables of one machine. Included by one translation unit per instruction set, which is compiled for it and for
// nothing else; all that is instantiated here bears the machine's namespace.
#pragma once

#include "torsor/fast/chain_kernels.hpp"
#include "torsor/fast/tree_kernels.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

template <class Real>
using ManyLanes = Lanes<Real, register_bytes / static_cast<int>(sizeof(Real))>;

template <class Real>
TreeKernels<Real> tree_kernels() {
  using T = ManyLanes<Real>;
  return {create_tree<T>, destroy_tree<T>, tree_inverse<T>, tree_mass<T>, tree_forward<T>, tree_kinematics<T>};
}

template <class Real>
void sine_cosine_of_all(const Real* x, std::int64_t n, Real* s, Real* c) {
  using T = ManyLanes<Real>;
  for (std::int64_t k = 0; k < n; k += T::count) {
    const int some = n - k < T::count ? static_cast<int>(n - k) : T::count;
    T sine, cosine;
    set_sine_cosine(lanes_detail::load_part<T>(x + k, some), sine, cosine);
    lanes_detail::store_part(sine, s + k, some);
    lanes_detail::store_part(cosine, c + k, some);
  }
}

inline MachineKernels<double> kernels_of_doubles() {
  using T = ManyLanes<double>;
  using One = Lanes<double, 1>;
  return {T::count,
          {inverse_states<T>, mass_states<T>, forward_states<T>, kinematics_states<T>},
          {inverse_states<One>, mass_states<One>, forward_states<One>, kinematics_states<One>},
          tree_kernels<double>(),
          sine_cosine_of_all<double>};
}

/// One state alone is not asked for in single precision.
inline MachineKernels<float> kernels_of_floats() {
  using T = ManyLanes<float>;
  return {T::count,
          {inverse_states<T>, mass_states<T>, forward_states<T>, kinematics_states<T>},
          {},
          tree_kernels<float>(),
          sine_cosine_of_all<float>};
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
