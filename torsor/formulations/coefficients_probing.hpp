// The coefficients of tau = D qdd + h + c by probing (Fu, Gonzalez & Lee 1987, problems 3.11 and 3.12): whatever gives
// tau is asked at chosen motions, and no coefficient is ever computed as such. e_j is the j-th unit vector.
//
//   c        with gravity, tau at qd = 0, qdd = 0                                            1 call
//   h        without gravity, tau at qd, qdd = 0                                             1 call
//   D        without gravity, tau at qd = 0, qdd = e_j is its column j                       n calls
//   h_ikk    without gravity, tau_i at qd = e_k, qdd = 0                                     n calls
//   h_ikm    without gravity, tau_i at qd = e_k + e_m is h_ikk + h_imm + 2 h_ikm             n(n-1)/2 calls
//
// so n + 2 calls for D, h and c, and n(n+1)/2 for all h_ikm. Each call costs what the probed formulation costs: over
// one of O(n), D takes O(n^2) and the h_ikm O(n^3).
#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "torsor/model/configuration.hpp"

namespace torsor {

/// Something that fills tau (n) from qd and qdd (n) at one position.
template <class F, class T>
concept InverseDynamics = std::invocable<F&, Rates<const T>, Rates<const T>, Rates<T>>;

template <class T>
struct ProbingWork {
  explicit ProbingWork(int n) : zero(static_cast<std::size_t>(n), T(0)), probe(zero), tau(zero) {}

  std::vector<T> zero, probe, tau;
};

/// c (n) of an arm under gravity; returns the number of calls.
template <Ring T, InverseDynamics<T> Inverse>
int probe_gravity(Inverse& inverse, ProbingWork<T>& w, Rates<T> c) {
  inverse(Rates<const T>(w.zero), Rates<const T>(w.zero), c);
  return 1;
}

/// h (n) of an arm without gravity; returns the number of calls.
template <Ring T, InverseDynamics<T> Inverse>
int probe_velocity(Inverse& weightless, Rates<const T> qd, ProbingWork<T>& w, Rates<T> h) {
  weightless(qd, Rates<const T>(w.zero), h);
  return 1;
}

/// D (row-major n x n) of an arm without gravity; returns the number of calls.
template <Ring T, InverseDynamics<T> Inverse>
int probe_inertia(Inverse& weightless, ProbingWork<T>& w, std::span<T> D) {
  const std::size_t n = w.zero.size();
  for (std::size_t j = 0; j < n; ++j) {
    w.probe[j] = T(1);
    weightless(Rates<const T>(w.zero), Rates<const T>(w.probe), Rates<T>(w.tau));
    w.probe[j] = T(0);
    for (std::size_t i = 0; i < n; ++i) D[i * n + j] = w.tau[i];
  }
  return static_cast<int>(n);
}

/// h_ikm at [(i n + k) n + m] of an arm without gravity; returns the number of calls.
template <Field T, InverseDynamics<T> Inverse>
int probe_christoffel(Inverse& weightless, ProbingWork<T>& w, std::span<T> h) {
  const std::size_t n = w.zero.size();
  const auto at = [n](std::size_t i, std::size_t k, std::size_t m) { return (i * n + k) * n + m; };
  const T half = T(1) / T(2);
  int calls = 0;
  const auto ask = [&] {
    weightless(Rates<const T>(w.probe), Rates<const T>(w.zero), Rates<T>(w.tau));
    ++calls;
  };
  for (std::size_t k = 0; k < n; ++k) {
    w.probe[k] = T(1);
    ask();
    for (std::size_t i = 0; i < n; ++i) h[at(i, k, k)] = w.tau[i];
    for (std::size_t m = 0; m < k; ++m) {
      w.probe[m] = T(1);
      ask();
      w.probe[m] = T(0);
      for (std::size_t i = 0; i < n; ++i)
        h[at(i, k, m)] = h[at(i, m, k)] = (w.tau[i] - h[at(i, k, k)] - h[at(i, m, m)]) * half;
    }
    w.probe[k] = T(0);
  }
  return calls;
}

}  // namespace torsor
