// The kernels of one instruction set: rows of states into lanes, sines and cosines, a recursion, and back. Included by one
// translation unit per machine, which instantiates them for its own lanes.
#pragma once

#include <limits>
#include <type_traits>

#include "torsor/fast/block.hpp"
#include "torsor/fast/chain_columns.hpp"
#include "torsor/fast/chain_forward.hpp"
#include "torsor/fast/chain_kinematics.hpp"
#include "torsor/fast/lanes_sincos.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// Scratch of one block of states, carved out of the caller's room.
template <class T>
struct ChainWork {
  T *q, *s, *c, *qd, *a, *out, *M;
  ChainForce<T>* force;

  TORSOR_INLINE ChainWork(std::byte* room, int n) {
    T* next = reinterpret_cast<T*>(room);
    const auto take = [&](int count) TORSOR_INLINED { return std::exchange(next, next + count); };
    // a register's worth more, where sines are computed for several joints at once
    constexpr int spare = T::count == 1 ? 16 : 0;
    q = take(n), s = take(n + spare), c = take(n + spare), qd = take(n), a = take(n), out = take(n + 12);
    force = reinterpret_cast<ChainForce<T>*>(take(6 * n));
    M = take(n * (n > 6 ? n : 6));
  }
};

/// Largest angle to which the offset of a frame is added before sine and cosine are taken, which rounds it by 7e-15 at most.
/// Larger ones are turned by the offset afterwards.
template <class Real>
inline constexpr Real largest_sum = sizeof(Real) == 8 ? Real(64) : Real(16);

/// Sine and cosine of angles of any size, or of no numbers, by the library, then turned by the offset of the link's frame.
template <class Real>
[[gnu::noinline]] void circle_of_any(const CanonicalLink<Real>& l, const Real* q, int n, Real* s, Real* c) {
  sine_cosine_of_any(q, n, s, c);
  for (int k = 0; k < n; ++k) {
    const Real sine = s[k], cosine = c[k];
    s[k] = l.c0 * sine + l.s0 * cosine;
    c[k] = l.c0 * cosine - l.s0 * sine;
  }
}

/// Sine and cosine of the angles of joints first (0 or 1) .. n - 1, of all lanes.
template <class T>
TORSOR_INLINE void circle_of_joints(const ChainCall<typename T::Real>& call, int first, int n, const T* q, T* s, T* c) {
  using Real = typename T::Real;
  lanes_detail::AngleWatch<Real, T::count> watch{largest_sum<Real>};
  const auto set = [&](int i) TORSOR_INLINED {
    const T x = q[i] + call.theta0[i];
    watch.look(x);
    sine_cosine(x, s[i], c[i]);
  };
  if (first == 0) set(0);
#pragma GCC unroll 8
  for (int i = 1; i < n; ++i) set(i);
  if (watch.any()) [[unlikely]]
    for (int i = first; i < n; ++i) {
      Real angle[T::count], sine[T::count], cosine[T::count];
      q[i].store(angle);
      circle_of_any(call.links[i], angle, T::count, sine, cosine);
      s[i] = T::load(sine), c[i] = T::load(cosine);
    }
}

/// Lanes of one state: of its joints or its columns.
template <class Real>
using StateLanes = Lanes<Real, (register_bytes < 32 ? register_bytes : 32) / static_cast<int>(sizeof(Real))>;

/// The same for one state: lanes hold joints.
template <class Real>
TORSOR_INLINE void circle_of_one(const ChainCall<Real>& call, Real* s, Real* c) {
  using T = StateLanes<Real>;
  lanes_detail::AngleWatch<Real, T::count> watch{largest_sum<Real>};
  for (int i = 0; i < call.n; i += T::count) {
    const int some = call.n - i < T::count ? call.n - i : T::count;
    const T x = lanes_detail::load_part<T>(call.q + i, some) + T::load(call.theta0 + i);
    T sine, cosine;
    watch.look(x);
    sine_cosine(x, sine, cosine);
    sine.store(s + i), cosine.store(c + i);
  }
  if (watch.any()) [[unlikely]]
    for (int i = 0; i < call.n; ++i) circle_of_any(call.links[i], call.q + i, 1, s + i, c + i);
}

/// Where the block's coordinates are, in lanes.
template <class T>
struct BlockState {
  const T *q, *qd, *a;
  T* out;
};

/// Reads positions of `rows` states from `first` on; sines and cosines of joint 1 only if `turned`.
template <class T>
TORSOR_INLINE BlockState<T> read_positions(const ChainCall<typename T::Real>& call, int n, std::int64_t first, int rows,
                                           ChainWork<T>& w, bool turned) {
  if constexpr (T::count == 1) {
    circle_of_one(call, reinterpret_cast<typename T::Real*>(w.s), reinterpret_cast<typename T::Real*>(w.c));
    return {reinterpret_cast<const T*>(call.q), nullptr, nullptr, reinterpret_cast<T*>(call.out)};
  } else {
    read_rows(call.q, call.q_stride, first, rows, n, w.q);
    circle_of_joints(call, turned ? 0 : 1, n, w.q, w.s, w.c);
    return {w.q, nullptr, nullptr, w.out};
  }
}

/// The same with rates, and with accelerations or torques.
template <class T>
TORSOR_INLINE BlockState<T> read_block(const ChainCall<typename T::Real>& call, int n, std::int64_t first, int rows,
                                       ChainWork<T>& w) {
  BlockState<T> x;
  if constexpr (T::count == 1) {
    const auto as_lanes = [](const typename T::Real* from) TORSOR_INLINED { return reinterpret_cast<const T*>(from); };
    if (!call.qd || !call.a)
      for (int i = 0; i < n; ++i) w.qd[i] = T(0);
    x = read_positions(call, n, first, rows, w, true);
    x.qd = call.qd ? as_lanes(call.qd) : w.qd;
    x.a = call.a ? as_lanes(call.a) : w.qd;
  } else {
    read_rows(call.qd, call.qd_stride, first, rows, n, w.qd);
    read_rows(call.a, call.a_stride, first, rows, n, w.a);
    // the angle of joint 1 only turns the world about the fall
    x = read_positions(call, n, first, rows, w, !call.level || call.ends);
    x.qd = w.qd;
    x.a = w.a;
  }
  return x;
}

/// What the drives of the joints take besides: rotors, and friction that is alike in all rows.
template <class T, class P>
TORSOR_INLINE void add_drives(const ChainCall<typename T::Real>& call, const CanonicalLink<typename T::Real, P>* links,
                              const BlockState<T>& x, const T* qdd) {
  using Real = typename T::Real;
  // an angle that is no number is to show, even where it does not matter
  x.out[0] = x.out[0] + (x.q[0] - x.q[0]);
  if (call.rotors)
    for (int i = 0; i < call.n; ++i) x.out[i] = x.out[i] + links[i].rotor * qdd[i];
  for (int k = 0; k < call.rotor_couplings; ++k) {
    const RotorCoupling<Real>& r = call.rotor_coupling[k];
    x.out[r.i] = x.out[r.i] + r.value * qdd[r.j];
    x.out[r.j] = x.out[r.j] + r.value * qdd[r.i];
  }
  for (int k = 0; k < call.frictions; ++k) add_friction(call.friction[k], x.qd, x.out);
}

/// Torques of the block, rotors and friction included.
template <class T>
TORSOR_INLINE void inverse_block(const ChainCall<typename T::Real>& call, ChainWork<T>& w, const BlockState<T>& x,
                                 const T* qdd) {
  using Real = typename T::Real;
  const auto recursion = [&](const ChainEnds<T>* ends) TORSOR_INLINED {
    chain_inverse<T, Real>(call.links, call.n, call.g, call.level, ends, x.q, w.s, w.c, x.qd, qdd, w.force, x.out);
  };
  if (call.ends) [[unlikely]] {
    const ChainEnds<Real>& o = *call.ends;
    const auto spread = [](const Vec3<Real>& v) TORSOR_INLINED { return Vec3<T>{T(v.x), T(v.y), T(v.z)}; };
    const ChainEnds<T> ends{{spread(o.base.w), spread(o.base.wd), spread(o.base.a)},
                            {spread(o.tip.n), spread(o.tip.f)}};
    recursion(&ends);
  } else {
    recursion(nullptr);
  }
  add_drives(call, call.links, x, qdd);
}

/// Lower triangle of the mass matrix, rotors included; the other, too, if there is one state and its rotors drive a joint
/// each.
template <class T, class P>
TORSOR_INLINE void mass_block(const ChainCall<typename T::Real>& call, const CanonicalLink<typename T::Real, P>* links,
                              ChainWork<T>& w, const T* q, T* M) {
  using Real = typename T::Real;
  const int n = call.n;
  if constexpr (T::count == 1)
    chain_mass_of_one<StateLanes<Real>>(links, n, q, w.s, w.c, w.force, M);
  else
    chain_mass<T, Real>(links, n, q, w.s, w.c, w.force, M);
  M[0] = M[0] + (q[0] - q[0]);
  if (call.rotors)
    for (int i = 0; i < n; ++i) M[i * n + i] = M[i * n + i] + T(links[i].rotor);
  for (int k = 0; k < call.rotor_couplings; ++k) {
    const RotorCoupling<Real>& r = call.rotor_coupling[k];
    const int at = (r.i > r.j ? r.i : r.j) * n + (r.i > r.j ? r.j : r.i);
    M[at] = M[at] + T(r.value);
  }
}

/// Runs `step` over all states in blocks of lanes. The arms there are have six or seven joints; of many states their
/// number is told the compiler, which then moves rows in and out without asking how long they are.
template <class T, class Step>
TORSOR_INLINE void for_blocks(const ChainCall<typename T::Real>& call, const Step& step) {
  ChainWork<T> w(call.work, call.n);
  const auto run = [&](auto n) TORSOR_INLINED {
    for (std::int64_t first = 0; first < call.states; first += T::count) {
      const std::int64_t left = call.states - first;
      step(w, n, first, left < T::count ? static_cast<int>(left) : T::count);
    }
  };
  if constexpr (T::count == 1) {
    step(w, call.n, 0, 1);
  } else {
    if (call.n == 6) return run(std::integral_constant<int, 6>{});
    if (call.n == 7) return run(std::integral_constant<int, 7>{});
    run(call.n);
  }
}

template <class T>
void inverse_states(const ChainCall<typename T::Real>& call) {
  for_blocks<T>(call, [&](ChainWork<T>& w, int n, std::int64_t first, int rows) TORSOR_INLINED {
    const BlockState<T> x = read_block(call, n, first, rows, w);
    inverse_block(call, w, x, x.a);
    if constexpr (T::count > 1) store_rows(x.out, n, call.out + first * call.out_stride, call.out_stride, rows);
  });
}

template <class T>
void mass_states(const ChainCall<typename T::Real>& call) {
  for_blocks<T>(call, [&](ChainWork<T>& w, auto joints, std::int64_t first, int rows) TORSOR_INLINED {
    const int n = joints;
    typename T::Real* const to = call.out + first * call.out_stride;
    if constexpr (T::count > 1) expect_rows(to, call.out_stride, n * n, rows);
    const BlockState<T> x = read_positions(call, n, first, rows, w, false);
    T* const M = T::count == 1 ? x.out : w.M;
    mass_block(call, call.links, w, x.q, M);
    if constexpr (!std::is_same_v<decltype(joints), int>) {
      // both triangles straight from the lower one
      store_rows<T>([&](int k) TORSOR_INLINED {
        const int i = k / n, j = k % n;
        return M[i > j ? i * n + j : j * n + i];
      }, n * n, to, call.out_stride, rows);
    } else {
      if (T::count > 1 || call.rotor_couplings > 0)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < i; ++j) M[j * n + i] = M[i * n + j];
      if constexpr (T::count > 1) store_rows(M, n * n, to, call.out_stride, rows);
    }
  });
}

/// How near a state is to one in which some coordinate moves no mass of its own, of the diagonal that M (n x n) had and of one
/// over its pivots: below 1 there is an answer, elsewhere it is doubtful; no number where a pivot is negative or none. Sums
/// stand for the largest of their terms, which are positive; so nothing is compared before the end.
template <class T>
TORSOR_INLINE T pivot_measure(int n, const T* diagonal, const T* M) {
  using Real = typename T::Real;
  using Bits = typename lanes_detail::Register<typename lanes_detail::IntegerOf<Real>::Type, T::count>::Vector;
  T entries(0), inverses(0), growth(0);
  Bits signs{};
  for (int i = 0; i < n; ++i) {
    const T one_over = M[i * n + i];
    entries = entries + diagonal[i];
    inverses = inverses + one_over;
    if constexpr (sizeof(Real) == 4) growth = growth + diagonal[i] * one_over;
    signs |= lanes_detail::same_bits<Bits>(one_over.v);
  }
  T measure = Real(1 / most_unequal) * entries * inverses;
  // the rounding of doubles asks for less than that
  if constexpr (sizeof(Real) == 4) measure = measure + Real(1) / largest_growth<Real> * growth;
  return T::of(lanes_detail::same_bits<typename T::Vector>(lanes_detail::same_bits<Bits>(measure.v) |
                                                           signs >> (8 * sizeof(Real) - 1)));
}

/// Accelerations of the block from torques and the bias, which is in x.out.
template <class T, class P>
TORSOR_INLINE void accelerate_block(const ChainCall<typename T::Real>& call,
                                    const CanonicalLink<typename T::Real, P>* links, int n, ChainWork<T>& w,
                                    const BlockState<T>& x) {
  using Real = typename T::Real;
  for (int i = 0; i < n; ++i) x.out[i] = x.a[i] - x.out[i];
  mass_block(call, links, w, x.q, w.M);
  T* const diagonal = reinterpret_cast<T*>(w.force);
  for (int i = 0; i < n; ++i) diagonal[i] = w.M[i * n + i];
  solve_lower(n, w.M, x.out);
  const T measure = pivot_measure(n, diagonal, w.M) + (x.out[0] - x.out[0]);
  lanes_detail::AngleWatch<Real, T::count> watch{Real(1)};
  watch.look(measure);
  if (watch.any()) [[unlikely]] {
    const T spoiled = nan_unless_below(measure, Real(1));
    for (int i = 0; i < n; ++i) x.out[i] = x.out[i] + spoiled;
    if (call.doubtful) *call.doubtful = true;
  }
}

template <class T>
void forward_states(const ChainCall<typename T::Real>& call) {
  for_blocks<T>(call, [&](ChainWork<T>& w, int n, std::int64_t first, int rows) TORSOR_INLINED {
    const BlockState<T> x = read_block(call, n, first, rows, w);
    // the bias is what no acceleration takes
    T* const none = w.M;
    for (int i = 0; i < n; ++i) none[i] = T(0);
    inverse_block(call, w, x, none);
    accelerate_block(call, call.links, n, w, x);
    if constexpr (T::count > 1) store_rows(x.out, n, call.out + first * call.out_stride, call.out_stride, rows);
  });
}

template <class T>
void kinematics_states(const ChainCall<typename T::Real>& call) {
  using Real = typename T::Real;
  for_blocks<T>(call, [&](ChainWork<T>& w, int n, std::int64_t first, int rows) TORSOR_INLINED {
    if constexpr (T::count > 1) {
      expect_rows(call.out + first * call.out_stride, call.out_stride, 12, rows);
      expect_rows(call.jacobian + first * call.jacobian_stride, call.jacobian_stride, 6 * n, rows);
    }
    const BlockState<T> x = read_positions(call, n, first, rows, w, true);
    auto* const frame = reinterpret_cast<Motion<T>*>(w.force);
    T* const J = T::count == 1 ? reinterpret_cast<T*>(call.jacobian) : w.M;
    chain_kinematics<T, Real>(call.links, n, call.X_world_0, call.tool_link, call.X_link_tool, x.q, w.s, w.c, frame,
                              x.out, J);
    if constexpr (T::count > 1) {
      store_rows(x.out, 12, call.out + first * call.out_stride, call.out_stride, rows);
      store_rows(J, 6 * n, call.jacobian + first * call.jacobian_stride, call.jacobian_stride, rows);
    }
  });
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
