// Answers in several parts, in lanes: the recursions of dynamics/ and kinematics/ as they stand, each with its products
// written out in one function. Included by one translation unit per instruction set, as machine_kernels.hpp is.
#pragma once

#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/inverse_derivatives.hpp"
#include "torsor/dynamics/momentum.hpp"
#include "torsor/fast/answer_call.hpp"
#include "torsor/fast/friction_slope.hpp"
#include "torsor/fast/lanes_inverse.hpp"
#include "torsor/fast/tree_kernels.hpp"
#include "torsor/spatial/pose_matrix.hpp"

// of a function that calls a recursion: all that it calls is written out inside
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define TORSOR_FLAT
#else
#define TORSOR_FLAT [[gnu::flatten]]
#endif

namespace torsor {
inline namespace TORSOR_MACHINE {

template <class T>
struct AnswerTree : LaneTree<T> {
  explicit AnswerTree(const Tree<double>& from)
      : LaneTree<T>(from), derivatives(this->tree), coriolis(this->tree), moving(this->tree), v(this->X.size()) {}

  /// One of the rooms for matrices; allocates where it has not been as large.
  std::span<T> room(std::size_t k, std::size_t size) {
    if (rooms[k].size() < size) rooms[k].resize(size, T(0));
    return std::span(rooms[k]).first(size);
  }

  InverseDerivativesWork<T> derivatives;
  CoriolisWork<T> coriolis;
  MomentumWork<T> moving;
  std::vector<Motion<T>> v;
  std::array<std::vector<T>, 5> rooms;
};

template <class T>
void* create_answers(const Tree<double>& tree) {
  return static_cast<LaneTree<T>*>(new AnswerTree<T>(tree));
}
template <class T>
void destroy_answers(void* self) {
  delete static_cast<AnswerTree<T>*>(static_cast<LaneTree<T>*>(self));
}

/// A block of states of a call, and where its answers go.
template <class T>
struct AnswerBlock {
  using Real = typename T::Real;
  AnswerTree<T>& tree;
  const AnswerCall<Real>& call;
  std::int64_t first;
  int rows;

  bool wanted(std::size_t part) const { return call.part[part].data; }
  void store(std::size_t part, const T* numbers, std::size_t count) const {
    const StateRows<Real>& to = call.part[part];
    if (to.data) store_rows(numbers, static_cast<int>(count), to.row(first), to.stride, rows);
  }
  void store(std::size_t part, std::span<const T> numbers) const { store(part, numbers.data(), numbers.size()); }
  void store(std::size_t part, const T& number) const { store(part, &number, 1); }
  void store(std::size_t part, const Vec3<T>& x) const {
    const T numbers[] = {x.x, x.y, x.z};
    store(part, numbers, 3);
  }
  void store(std::size_t part, const Force<T>& f) const {
    const T numbers[] = {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z};
    store(part, numbers, 6);
  }
  /// Forces of all bodies, moment and force of each.
  void store(std::size_t part, const std::vector<Force<T>>& forces) const {
    if (!wanted(part)) return;
    const std::span<T> numbers = tree.room(4, 6 * forces.size());
    T* to = numbers.data();
    for (const Force<T>& f : forces) {
      to[0] = f.n.x, to[1] = f.n.y, to[2] = f.n.z, to[3] = f.f.x, to[4] = f.f.y, to[5] = f.f.z;
      to += 6;
    }
    store(part, std::span<const T>(numbers));
  }
  void add_friction(T* effort) const { add_tree_friction(call, first, tree, effort); }
};

/// step(block) for every register of states.
template <class T, class Step>
void for_answer_blocks(void* self, const AnswerCall<typename T::Real>& call, const Step& step) {
  for_tree_blocks<T>(self, call, [&](LaneTree<T>& lanes, std::int64_t first, int rows) {
    step(AnswerBlock<T>{static_cast<AnswerTree<T>&>(lanes), call, first, rows});
  });
}

template <class T>
TORSOR_FLAT void derive(AnswerTree<T>& t, const InverseDerivatives<T>& out) {
  inverse_derivatives(t.tree, t.at, Rates<const T>(t.qd), Rates<const T>(t.a), t.loads, t.derivatives, Rates<T>(t.out),
                      out);
}

/// What friction adds to torques and to the diagonals of their derivatives.
template <class T>
void add_friction_and_slopes(const AnswerBlock<T>& block, const InverseDerivatives<T>& out) {
  AnswerTree<T>& t = block.tree;
  const auto& call = block.call;
  const int n = t.tree.nv;
  block.add_friction(t.out.data());
  for (int k = 0; k < call.frictions; ++k) {
    const int v = call.friction[k].v;
    out.dqd[cell(v, n, v)] += friction_slope<T>(call.friction[k]);
  }
  if (call.differences && call.differences->friction) {
    const auto* viscous = call.differences->friction + (call.row + block.first) * 3 * n;
    for (int v = 0; v < n; ++v) out.dqd[cell(v, n, v)] += T::load(viscous + v * T::count);
  }
  const std::span<T> slopes = t.room(4, static_cast<std::size_t>(n));
  for (const auto& [rows, matrix] : {std::pair{call.by_q, out.dq}, std::pair{call.by_qd, out.dqd}}) {
    if (!rows.data) continue;
    read_rows(rows.data, rows.stride, block.first, block.rows, n, slopes.data());
    for (int v = 0; v < n; ++v) matrix[cell(v, n, v)] += slopes[static_cast<std::size_t>(v)];
  }
}

template <class T>
InverseDerivatives<T> derivatives_of(const AnswerBlock<T>& block) {
  AnswerTree<T>& t = block.tree;
  const std::size_t all = cells(t.tree.nv, t.tree.nv);
  const InverseDerivatives<T> out{t.room(0, all), t.room(1, all), t.room(2, all)};
  derive(t, out);
  add_friction_and_slopes(block, out);
  return out;
}

template <class T>
void answer_inverse_derivatives(void* self, const AnswerCall<typename T::Real>& call) {
  for_answer_blocks<T>(self, call, [](const AnswerBlock<T>& block) {
    const InverseDerivatives<T> D = derivatives_of(block);
    block.store(0, std::span<const T>(block.tree.out));
    block.store(1, std::span<const T>(D.dq));
    block.store(2, std::span<const T>(D.dqd));
    block.store(3, std::span<const T>(D.dqdd));
  });
}

template <class T>
void answer_forward_derivatives(void* self, const AnswerCall<typename T::Real>& call) {
  for_answer_blocks<T>(self, call, [](const AnswerBlock<T>& block) {
    AnswerTree<T>& t = block.tree;
    const int n = t.tree.nv;
    const std::size_t all = cells(n, n);
    const InverseDerivatives<T> D = derivatives_of(block);
    const std::span<T> inverse = t.room(3, all), product = t.room(4, all);
    invert_positive(D.dqdd.data(), n, inverse.data());
    // without accelerations there is no answer at all
    T none(0);
    for (const T& x : t.a) none += x * T(0);
    for (T& x : inverse) x += none;
    negative_product(inverse.data(), D.dq.data(), n, product.data());
    block.store(1, std::span<const T>(product));
    negative_product(inverse.data(), D.dqd.data(), n, product.data());
    block.store(2, std::span<const T>(product));
    block.store(3, std::span<const T>(inverse));
  });
}

template <class T>
TORSOR_FLAT Momentum<T> momentum_of(AnswerTree<T>& t, std::span<T> A) {
  return momentum(t.tree, t.at, Rates<const T>(t.qd), t.moving, A);
}

template <class T>
void answer_momentum(void* self, const AnswerCall<typename T::Real>& call) {
  for_answer_blocks<T>(self, call, [](const AnswerBlock<T>& block) {
    AnswerTree<T>& t = block.tree;
    const std::span<T> A = block.wanted(5) ? t.room(0, cells(6, t.tree.nv)) : std::span<T>();
    const Momentum<T> m = momentum_of(t, A);
    block.store(0, m.kinetic);
    block.store(1, m.potential);
    block.store(2, m.centre);
    block.store(3, m.about_origin);
    block.store(4, m.about_centre);
    if (!A.empty()) block.store(5, std::span<const T>(A));
  });
}

template <class T>
TORSOR_FLAT void jacobians(AnswerTree<T>& t, const Transform<T>& X, int body, std::span<T> J, std::span<T> Jd) {
  const std::span<const Transform<T>> poses(t.X);
  jacobian(t.tree, poses, body, X.p, J);
  if (!Jd.empty()) jacobian_rate(t.tree, poses, Rates<const T>(t.qd), body, X.p, std::span(t.v), Jd);
}

template <class T>
void answer_motion(void* self, const AnswerCall<typename T::Real>& call) {
  for_answer_blocks<T>(self, call, [](const AnswerBlock<T>& block) {
    AnswerTree<T>& t = block.tree;
    const int n = t.tree.nv, body = block.call.tool_body;
    const std::size_t all = cells(6, n);
    forward_kinematics(t.tree, t.at, std::span(t.X));
    T pose[12];
    Transform<T> X_body_frame = cast<T>(block.call.X_body_tool, [](auto x) { return T(x); });
    if (const auto& own = block.call.frames; own.data) [[unlikely]] {
      read_rows(own.data, own.stride, block.call.row + block.first, block.rows, 12, pose);
      X_body_frame = {{{pose[0], pose[3], pose[6]}, {pose[1], pose[4], pose[7]}, {pose[2], pose[5], pose[8]}},
                      {pose[9], pose[10], pose[11]}};
    }
    const Transform<T> X = t.X[static_cast<std::size_t>(body)] * X_body_frame;
    write_pose_row(X, pose);
    block.store(0, pose, 12);
    if (!block.wanted(1) && !block.wanted(2) && !block.wanted(3) && !block.wanted(4)) return;

    const bool rates = block.wanted(2) || block.wanted(4);
    const std::span<T> J = t.room(0, all), Jd = rates ? t.room(1, all) : std::span<T>();
    jacobians(t, X, body, J, Jd);
    T twist[6], acceleration[6];
    for (int i = 0; i < 6; ++i) {
      twist[i] = acceleration[i] = T(0);
      for (int k = 0; k < n; ++k) {
        const std::size_t at = cell(i, n, k);
        twist[i] += J[at] * t.qd[static_cast<std::size_t>(k)];
        if (rates)
          acceleration[i] += J[at] * t.a[static_cast<std::size_t>(k)] + Jd[at] * t.qd[static_cast<std::size_t>(k)];
      }
    }
    block.store(1, twist, 6);
    block.store(2, acceleration, 6);
    block.store(3, std::span<const T>(J));
    if (rates) block.store(4, std::span<const T>(Jd));
  });
}

/// Torques of the state in t.out; accelerations and loads may be left out.
template <class T>
TORSOR_FLAT void torques(AnswerTree<T>& t, Rates<const T> qd, Rates<const T> qdd, const BodyLoads<T>& loads,
                         std::span<T> tau) {
  inverse_newton_euler(t.tree, t.at, qd, qdd, loads, t.newton_euler, Rates<T>(tau));
}

template <class T>
void answer_reactions(void* self, const AnswerCall<typename T::Real>& call) {
  for_answer_blocks<T>(self, call, [](const AnswerBlock<T>& block) {
    AnswerTree<T>& t = block.tree;
    torques(t, Rates<const T>(t.qd), Rates<const T>(t.a), t.loads, std::span(t.out));
    block.add_friction(t.out.data());
    block.store(0, std::span<const T>(t.out));
    block.store(1, t.newton_euler.f);
  });
}

template <class T>
TORSOR_FLAT void coriolis(AnswerTree<T>& t, Rates<const T> qd, std::span<T> C) {
  coriolis_matrix(t.tree, t.at, qd, t.coriolis, C);
}
template <class T>
TORSOR_FLAT void mass(AnswerTree<T>& t, std::span<T> M) {
  inertia_composite_body(t.tree, t.at, t.composite, M);
}

/// M, C, gravity, friction, load, bias, tau, reactions, kinetic, potential, mass centre, momentum about the origin.
template <class T>
void answer_terms(void* self, const AnswerCall<typename T::Real>& call) {
  for_answer_blocks<T>(self, call, [](const AnswerBlock<T>& block) {
    AnswerTree<T>& t = block.tree;
    const std::size_t n = static_cast<std::size_t>(t.tree.nv);
    const Rates<const T> qd(t.qd);
    const std::span<T> M = t.room(0, n * n), C = t.room(1, n * n), torque = t.room(2, 5 * n);
    const std::span<T> gravity = torque.subspan(0, n), friction = torque.subspan(n, n), load = torque.subspan(2 * n, n),
                       bias = torque.subspan(3 * n, n), tau = torque.subspan(4 * n, n);
    mass(t, M);
    coriolis(t, qd, C);
    torques(t, qd, Rates<const T>(t.a), t.loads, tau);
    block.store(7, t.newton_euler.f);
    if (block.call.loaded) torques(t, qd, {}, t.loads, bias);
    // weight and energy are those of the model, whatever acts
    const Vec3<T> acting = t.tree.gravity;
    t.tree.gravity = t.gravity;
    torques(t, {}, {}, {}, gravity);
    const Momentum<T> m = momentum_of(t, {});
    t.tree.gravity = acting;
    for (T& x : friction) x = T(0);
    block.add_friction(friction.data());
    for (std::size_t i = 0; i < n; ++i) {
      T own = gravity[i];
      for (std::size_t k = 0; k < n; ++k) own += C[i * n + k] * qd[k];
      load[i] = block.call.loaded ? bias[i] - own : T(0);
      bias[i] = (block.call.loaded ? bias[i] : own) + friction[i];
      tau[i] += friction[i];
    }
    block.store(0, std::span<const T>(M));
    block.store(1, std::span<const T>(C));
    block.store(2, std::span<const T>(gravity));
    block.store(3, std::span<const T>(friction));
    block.store(4, std::span<const T>(load));
    block.store(5, std::span<const T>(bias));
    block.store(6, std::span<const T>(tau));
    block.store(8, m.kinetic);
    block.store(9, m.potential);
    block.store(10, m.centre);
    block.store(11, m.about_origin);
  });
}

/// C(q, qd)_ij is the sum over k of h_ijk qd_k: the matrix at the rate of one joint alone is the coefficients of that
/// joint. They are stored as h_ikj, which is the same, so that numbers lie together.
template <class T>
void answer_christoffel(void* self, const AnswerCall<typename T::Real>& call) {
  for_answer_blocks<T>(self, call, [](const AnswerBlock<T>& block) {
    AnswerTree<T>& t = block.tree;
    const int n = t.tree.nv;
    const std::span<T> C = t.room(0, cells(n, n)), rate = t.room(1, static_cast<std::size_t>(n));
    for (T& x : rate) x = T(0);
    for (int k = 0; k < n; ++k) {
      rate[static_cast<std::size_t>(k)] = T(1);
      coriolis(t, Rates<const T>(rate), C);
      rate[static_cast<std::size_t>(k)] = T(0);
      const auto& to = block.call.part[0];
      for (int i = 0; i < n; ++i)
        store_rows(C.data() + i * n, n, to.row(block.first) + cell(i * n + k, n, 0), to.stride, block.rows);
    }
  });
}

template <class Real>
AnswerKernels<Real> answers_of() {
  using T = Lanes<Real, register_bytes / static_cast<int>(sizeof(Real))>;
  return {create_answers<T>,    destroy_answers<T>, answer_inverse_derivatives<T>, answer_forward_derivatives<T>,
          answer_momentum<T>,   answer_motion<T>,   answer_reactions<T>,           answer_terms<T>,
          answer_christoffel<T>};
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
