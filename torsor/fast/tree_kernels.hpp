// The tree algorithms on lanes: the recursions of dynamics/, as they stand, over a tree whose every number fills a
// register. Branches, floating bases, ball joints, mimic joints: whatever has no canonical chain.
#pragma once

#include "torsor/dynamics/forward_articulated_body.hpp"
#include "torsor/dynamics/forward_mass_matrix.hpp"
#include "torsor/fast/block.hpp"
#include "torsor/fast/lanes_sincos.hpp"
#include "torsor/kinematics/jacobian.hpp"

namespace torsor {

namespace detail {
template <class Real, int N>
inline constexpr bool holds_numbers<Lanes<Real, N>> = true;
}

inline namespace TORSOR_MACHINE {

/// A tree over lanes with the scratch of every question, for one thread.
template <class T>
struct LaneTree {
  using Real = typename T::Real;

  explicit LaneTree(const Tree<double>& from)
      : tree(of(from)),
        at(tree),
        newton_euler(tree),
        composite(tree),
        q(static_cast<std::size_t>(tree.nq), T(0)),
        qd(static_cast<std::size_t>(tree.nv), T(0)),
        a(qd),
        out(qd),
        wide(cells(tree.nv > 6 ? tree.nv : 6, tree.nv > 2 ? tree.nv : 2), T(0)),
        X(tree.bodies.size()),
        external(tree.bodies.size()),
        gravity(tree.gravity) {
    if (tree.coupled())
      solve = new MassMatrixWork<T>(tree);
    else
      articulated = new ArticulatedBodyWork<T>(tree);
  }
  ~LaneTree() {
    delete solve;
    delete articulated;
  }
  LaneTree(const LaneTree&) = delete;
  LaneTree& operator=(const LaneTree&) = delete;

  static Tree<T> of(const Tree<double>& from) {
    return cast<T>(from, [](double x) { return T(static_cast<Real>(x)); });
  }

  /// What acts from outside, alike in all states.
  void set_loads(const TreeCall<Real>& call) {
    const auto spread = [](const Vec3<Real>& v) { return Vec3<T>{T(v.x), T(v.y), T(v.z)}; };
    loads.base = {spread(call.base.w), spread(call.base.wd), spread(call.base.a)};
    loads.external = {};
    if (!call.external) return;
    for (std::size_t i = 0; i < external.size(); ++i)
      external[i] = {spread(call.external[i].n), spread(call.external[i].f)};
    loads.external = external;
  }

  /// Sets the configuration and the rates to `rows` states from `first` on.
  void read(const TreeCall<Real>& call, std::int64_t first, int rows) {
    read_rows(call.q, call.q_stride, first, rows, tree.nq, q.data());
    read_rows(call.qd, call.qd_stride, first, rows, tree.nv, qd.data());
    read_rows(call.a, call.a_stride, first, rows, tree.nv, a.data());
    if (call.differences) [[unlikely]]
      differ(call, first, rows);
    at.set(tree, std::span<const T>(q));
  }

  /// Makes the robots of these rows, and what acts on them.
  [[gnu::noinline]] void differ(const TreeCall<Real>& call, std::int64_t first, int rows) {
    const RowDifferences<Real>& d = *call.differences;
    const std::int64_t row = call.row + first;
    if (d.bodies) {
      const T* x = block(d.bodies, row, body_numbers * tree.size());
      for (Body<T>& body : tree.bodies) {
        body.inertia = {x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7], x[8], x[9]}};
        x += body_numbers;
      }
    }
    if (d.rotors) std::copy_n(block(d.rotors, row, tree.nv), tree.nv, tree.rotor.begin());
    const auto vector = [](const T* x) { return Vec3<T>{x[0], x[1], x[2]}; };
    if (d.placements) {
      const T* x = block(d.placements, row, placement_numbers * tree.size());
      for (Body<T>& body : tree.bodies) {
        body.placement = {{vector(x), vector(x + 3), vector(x + 6)}, vector(x + 9)};
        x += placement_numbers;
      }
    }
    T x[9];
    tree.gravity = gravity;
    if (d.gravity) {
      read_rows(d.gravity, d.gravity_stride, row, rows, 3, x);
      tree.gravity = vector(x);
    }
    if (d.base) {
      read_rows(d.base, d.base_stride, row, rows, 9, x);
      loads.base = {vector(x), vector(x + 3), vector(x + 6)};
    }
    if (!d.external && !d.wrench) return;
    for (std::size_t i = 0; i < external.size(); ++i) {
      if (d.external)
        read_rows(d.external + 6 * static_cast<std::ptrdiff_t>(i), d.external_stride, row, rows, 6, x);
      else
        for (T& each : x) each = T(0);
      external[i] = {vector(x), vector(x + 3)};
    }
    loads.external = external;
    if (!d.wrench) return;
    read_rows(d.wrench, d.wrench_stride, row, rows, 6, x);
    const auto spread = [](Real y) { return T(y); };
    external[static_cast<std::size_t>(d.wrench_body)] +=
        cast<T>(d.X_body_wrench, spread) * Force<T>{vector(x), vector(x + 3)};
  }

  /// The registers of the block of rows that a row begins.
  static const T* block(const Real* numbers, std::int64_t row, int count) {
    return reinterpret_cast<const T*>(numbers) + row / T::count * count;
  }

  Tree<T> tree;
  Configuration<T> at;
  NewtonEulerWork<T> newton_euler;
  CompositeBodyWork<T> composite;
  MassMatrixWork<T>* solve = nullptr;             // forward dynamics of a coupled tree
  ArticulatedBodyWork<T>* articulated = nullptr;  // and of any other
  BodyLoads<T> loads;
  std::vector<T> q, qd, a, out, wide;
  std::vector<Transform<T>> X;
  std::vector<Force<T>> external;  // of the loads
  Vec3<T> gravity;                 // where it does not differ
};

/// What the joints' own friction takes.
template <class T>
TORSOR_INLINE void add_tree_friction(const TreeCall<typename T::Real>& call, std::int64_t first, const LaneTree<T>& l,
                                     T* effort) {
  for (int k = 0; k < call.frictions; ++k) add_friction(call.friction[k], l.qd.data(), effort);
  if (call.differences && call.differences->friction) [[unlikely]]
    add_row_friction(call.differences->friction + (call.row + first) * 3 * l.tree.nv, l.tree.nv, l.qd.data(), effort);
}

template <class T, class Step>
void for_tree_blocks(void* self, const TreeCall<typename T::Real>& call, const Step& step) {
  auto& lanes = *static_cast<LaneTree<T>*>(self);
  lanes.set_loads(call);
  for (std::int64_t first = 0; first < call.states; first += T::count) {
    const std::int64_t left = call.states - first;
    const int rows = left < T::count ? static_cast<int>(left) : T::count;
    lanes.read(call, first, rows);
    step(lanes, first, rows);
  }
}

template <class T>
void tree_inverse(void* self, const TreeCall<typename T::Real>& call) {
  for_tree_blocks<T>(self, call, [&](LaneTree<T>& l, std::int64_t first, int rows) {
    inverse_newton_euler(l.tree, l.at, Rates<const T>(l.qd), Rates<const T>(l.a), l.loads, l.newton_euler,
                         Rates<T>(l.out));
    add_tree_friction(call, first, l, l.out.data());
    store_rows(l.out.data(), l.tree.nv, call.out + first * call.out_stride, call.out_stride, rows);
  });
}

template <class T>
void tree_mass(void* self, const TreeCall<typename T::Real>& call) {
  for_tree_blocks<T>(self, call, [&](LaneTree<T>& l, std::int64_t first, int rows) {
    const int n = l.tree.nv;
    inertia_composite_body(l.tree, l.at, l.composite, std::span(l.wide).first(cells(n, n)));
    store_rows(l.wide.data(), n * n, call.out + first * call.out_stride, call.out_stride, rows);
  });
}

template <class T>
void tree_forward(void* self, const TreeCall<typename T::Real>& call) {
  using Real = typename T::Real;
  for_tree_blocks<T>(self, call, [&](LaneTree<T>& l, std::int64_t first, int rows) {
    // torques less what friction takes
    const int n = l.tree.nv;
    for (int k = 0; k < n; ++k) l.out[k] = T(0);
    add_tree_friction(call, first, l, l.out.data());
    for (int k = 0; k < n; ++k) l.a[k] = l.a[k] - l.out[k];
    T spoiled(0);
    if (l.solve) {
      forward_mass_matrix(l.tree, l.at, Rates<const T>(l.qd), Rates<const T>(l.a), l.loads, *l.solve, Rates<T>(l.out));
      for (int i = 0; i < n; ++i) {
        // the diagonal entry that M had, over its pivot
        T diagonal = l.solve->M[i * n + i];
        for (int k = 0; k < i; ++k) diagonal += l.solve->M[i * n + k] * l.solve->M[i * n + k] * l.solve->M[k * n + k];
        spoiled += nan_unless_below(diagonal / l.solve->M[i * n + i], largest_growth<Real>);
      }
    } else {
      forward_articulated_body(l.tree, l.at, Rates<const T>(l.qd), Rates<const T>(l.a), l.loads, *l.articulated,
                               Rates<T>(l.out));
      T largest(0);
      for (const T& d : l.articulated->d) largest = larger_of(largest, d);
      for (const T& d : l.articulated->d) spoiled += nan_unless_below(largest / d, largest_growth<Real>);
    }
    for (int k = 0; k < n; ++k) l.out[k] += spoiled;
    if (call.doubtful && n > 0) {
      lanes_detail::AngleWatch<Real, T::count> watch{std::numeric_limits<Real>::max()};
      watch.look(l.out[0]);
      if (watch.any()) *call.doubtful = true;
    }
    store_rows(l.out.data(), n, call.out + first * call.out_stride, call.out_stride, rows);
  });
}

template <class T>
void tree_kinematics(void* self, const TreeCall<typename T::Real>& call) {
  for_tree_blocks<T>(self, call, [&](LaneTree<T>& l, std::int64_t first, int rows) {
    const auto spread = [](typename T::Real x) { return T(x); };
    forward_kinematics(l.tree, l.at, std::span(l.X));
    const Transform<T> X = l.X[call.tool_body] * cast<T>(call.X_body_tool, spread);
    const auto J = std::span(l.wide).first(cells(6, l.tree.nv));
    jacobian(l.tree, std::span<const Transform<T>>(l.X), call.tool_body, X.p, J);
    const T pose[12] = {X.R.x.x, X.R.y.x, X.R.z.x, X.R.x.y, X.R.y.y, X.R.z.y,
                        X.R.x.z, X.R.y.z, X.R.z.z, X.p.x,   X.p.y,   X.p.z};
    store_rows(pose, 12, call.out + first * call.out_stride, call.out_stride, rows);
    store_rows(J.data(), 6 * l.tree.nv, call.jacobian + first * call.jacobian_stride, call.jacobian_stride, rows);
  });
}

template <class T>
void* create_tree(const Tree<double>& tree) {
  return new LaneTree<T>(tree);
}
template <class T>
void destroy_tree(void* self) {
  delete static_cast<LaneTree<T>*>(self);
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
