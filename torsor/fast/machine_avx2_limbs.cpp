// One state of a tree in limbs, for registers of 32 bytes and fused products. This unit alone is compiled for them
// (CMakeLists.txt), and entered only where they are.
#include "torsor/fast/limb_solve.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

class LimbTree {
 public:
  explicit LimbTree(const LimbPlan& plan) : plan_(plan), state_(plan), solver_(plan) {}

  void refill() { state_.fill(); }

  [[gnu::flatten]] void inverse(const LimbCall& call) {
    constexpr LimbQuestion ask{.force = true};
    state_.outward<ask>(call);
    state_.inward<ask>();
    write_torques(call);
  }

  [[gnu::flatten]] void mass(const LimbCall& call) {
    constexpr LimbQuestion ask{.mass = true};
    state_.outward<ask>(call);
    state_.inward<ask>();
    const LimbPlaces places{plan_, false};
    if (plan_.branched) clear(call.dqdd);
    mass_of_pairs<true>(plan_, state_, places, call.dqdd);
    add_rotors(call.dqdd);
  }

  [[gnu::flatten]] bool forward(const LimbCall& call) {
    constexpr LimbQuestion ask{.force = true, .mass = true};
    state_.outward<ask>(call);
    state_.inward<ask>();
    return accelerations(call);
  }

  [[gnu::flatten]] void derivatives(const LimbCall& call) {
    constexpr LimbQuestion ask{.force = true, .mass = true, .slopes = true};
    state_.outward<ask>(call);
    state_.inward<ask>();
    write_torques(call);
    if (plan_.branched) clear(call.dq), clear(call.dqd), clear(call.dqdd);
    derivatives_of_pairs<true>(plan_, state_, {plan_, false}, call.dq, call.dqd, call.dqdd);
    add_rotors(call.dqdd);
  }

  /// h_i = sum over k, m of h_ikm qd_k qd_m with h_ikm = h_imk: half its slope by qd_k is C_ik.
  [[gnu::flatten]] void coriolis(const LimbCall& call, LimbTerms* terms) {
    constexpr LimbQuestion ask{.force = true, .mass = true, .slopes = true};
    state_.outward<ask>(call);
    state_.inward<ask>();
    write_torques(call);
    if (plan_.branched) clear(call.dqd), clear(call.dqdd);
    derivatives_of_pairs<true, false>(plan_, state_, {plan_, false}, nullptr, call.dqd, call.dqdd);
    for (int i = 0; i < plan_.tree.nv * plan_.tree.nv; ++i) call.dqd[i] *= 0.5;
    add_rotors(call.dqdd);
    if (terms) write_terms(call, *terms);
  }

  [[gnu::flatten]] bool forward_derivatives(const LimbCall& call) {
    constexpr LimbQuestion ask{.force = true, .mass = true, .slopes = true, .later = true};
    state_.outward<ask>(call);
    state_.inward<ask>();
    if (!accelerations(call)) return false;
    state_.accelerate(solver_.x);
    const LimbPlaces padded{plan_, true};
    derivatives_of_pairs<false>(plan_, state_, padded, solver_.dq, solver_.dqd, nullptr);
    if (call.friction_q)
      for_diagonal(padded.stride(), [&](int v, std::ptrdiff_t at) {
        solver_.dq[at] += call.friction_q[v];
        solver_.dqd[at] += call.friction_qd[v];
      });
    solver_.invert();
    solver_.multiply(call.dq, call.dqd);
    for (int r = 0; r < state_.count(); ++r)
      for (int c = 0; c < state_.count(); ++c) {
        const double* from = solver_.Minv + LimbPlan::place(r) * padded.stride() + LimbPlan::place(c);
        double* to = call.dtau + static_cast<std::ptrdiff_t>(plan_.limbs[r].v) * plan_.tree.nv + plan_.limbs[c].v;
        for (int i = 0; i < plan_.limbs[r].count; ++i, from += padded.stride(), to += plan_.tree.nv)
          put_first(to, FourLanes::load(from), plan_.limbs[c].count);
      }
    return true;
  }

  /// Poses and motions have the axes of the base, about the point `away` from its origin.
  [[gnu::flatten]] void kinematics(const double* q, const LimbTool& tool, Transform<double>& X, double* J) {
    using L = FourLanes;
    state_.outward_along(q, tool.path, tool.limbs);
    const Transform<L>& all = state_[tool.path[tool.limbs - 1]].X;
    const auto of_body = [&](const Vec3<L>& u) TORSOR_INLINED {
      return Vec3<double>{u.x.v[tool.lane], u.y.v[tool.lane], u.z.v[tool.lane]};
    };
    const Transform<double> body{{of_body(all.R.x), of_body(all.R.y), of_body(all.R.z)}, of_body(all.p)};
    const Transform<double> seen = body * tool.X_body;
    const Vec3<double> away = state_.origin();
    X = tool.X_world * Transform<double>{seen.R, seen.p + away};

    const std::ptrdiff_t n = plan_.tree.nv;
    for (std::ptrdiff_t i = 0; i < 6 * n; ++i) J[i] = 0;
    const Vec3<L> point{L(seen.p.x), L(seen.p.y), L(seen.p.z)};
    const Mat3<double>& R = tool.X_world.R;
    for (int i = 0; i < tool.limbs; ++i) {
      const Limb& limb = plan_.limbs[tool.path[i]];
      const Motion<L>& s = state_[tool.path[i]].column.s;
      const bool last = i + 1 == tool.limbs && limb.kind == LimbKind::chain;
      const int count = last ? tool.lane + 1 : limb.count;
      const Vec3<L> v = s.v + cross(s.w, point);
      const auto write = [&](double* to, const Vec3<L>& u) TORSOR_INLINED {
        put_first(to, R.x.x * u.x + R.y.x * u.y + R.z.x * u.z, count);
        put_first(to + n, R.x.y * u.x + R.y.y * u.y + R.z.y * u.z, count);
        put_first(to + 2 * n, R.x.z * u.x + R.y.z * u.y + R.z.z * u.z, count);
      };
      write(J + limb.v, s.w);
      write(J + 3 * n + limb.v, v);
    }
  }

 private:
  TORSOR_INLINE void clear(double* M) const {
    for (int i = 0; i < plan_.tree.nv * plan_.tree.nv; ++i) M[i] = 0;
  }

  /// f(v, place on the diagonal of a matrix of four rows for each limb) for every coordinate.
  template <class F>
  TORSOR_INLINE void for_diagonal(int stride, const F& f) const {
    for (int k = 0; k < state_.count(); ++k)
      for (int l = 0; l < plan_.limbs[k].count; ++l)
        f(plan_.limbs[k].v + l, static_cast<std::ptrdiff_t>(4 * k + l) * (stride + 1));
  }

  TORSOR_INLINE void write_torques(const LimbCall& call) const {
    const int n = plan_.tree.nv;
    for (int k = 0; k < state_.count(); ++k) {
      const LaneLimb& b = state_[k];
      put_first(call.tau + plan_.limbs[k].v, dot(b.column.s, b.body.F), plan_.limbs[k].count);
    }
    if (!call.qdd) return;
    const double* const rotor = plan_.tree.rotor.data();
    for (int v = 0; v < n; ++v) call.tau[v] += rotor[v] * call.qdd[v];
    for (const RotorCoupling<double>& c : plan_.tree.rotor_coupling) {
      call.tau[c.i] += c.value * call.qdd[c.j];
      call.tau[c.j] += c.value * call.qdd[c.i];
    }
  }

  /// From the sums over subtrees: I and h of each give the wrench of its weight, I s qd adds up to the momentum.
  TORSOR_INLINE void write_terms(const LimbCall& call, LimbTerms& out) const {
    using L = FourLanes;
    const Vec3<L> against = lanes_detail::in_all(call.a);
    Force<L> momentum{};
    out.mass = 0;
    out.first = {};
    for (int k = 0; k < state_.count(); ++k) {
      const Limb& limb = plan_.limbs[k];
      const LaneLimb& b = state_[k];
      const Motion<L>& s = b.column.s;
      const Force<L> weight{cross(b.body.C.h, against), against * b.body.C.m};
      put_first(out.gravity + limb.v, dot(s, weight), limb.count);
      momentum += b.column.C_s * four_of(call.qd + limb.v, limb.count);
      if (out.reactions) {
        const Force<L> f = ~b.X * b.body.F;
        for (int l = 0; l < limb.count; ++l)
          out.reactions[limb.body + l] = {{f.n.x.v[l], f.n.y.v[l], f.n.z.v[l]}, {f.f.x.v[l], f.f.y.v[l], f.f.z.v[l]}};
      }
      if (limb.parent >= 0) continue;
      const double m = b.body.C.m.v[0];
      out.mass += m;
      out.first.x += b.body.C.h.x.v[0];
      out.first.y += b.body.C.h.y.v[0];
      out.first.z += b.body.C.h.z.v[0];
    }
    const auto sum = [](const L& x) TORSOR_INLINED { return lanes_detail::sum_of_all(x).v[0]; };
    const Vec3<double> o = state_.origin(), f{sum(momentum.f.x), sum(momentum.f.y), sum(momentum.f.z)};
    out.momentum = {{sum(momentum.n.x) + (o.y * f.z - o.z * f.y), sum(momentum.n.y) + (o.z * f.x - o.x * f.z),
                     sum(momentum.n.z) + (o.x * f.y - o.y * f.x)},
                    f};
    out.first.x += out.mass * o.x;
    out.first.y += out.mass * o.y;
    out.first.z += out.mass * o.z;
  }

  TORSOR_INLINE void add_rotors(double* M) const {
    const int n = plan_.tree.nv;
    const double* const rotor = plan_.tree.rotor.data();
    for (int v = 0; v < n; ++v) M[v * n + v] += rotor[v];
    for (const RotorCoupling<double>& c : plan_.tree.rotor_coupling) {
      M[c.i * n + c.j] += c.value;
      M[c.j * n + c.i] += c.value;
    }
  }

  /// qdd from the state, without accelerations so far.
  TORSOR_INLINE bool accelerations(const LimbCall& call) {
    const LimbPlaces padded{plan_, true};
    const int N = padded.stride();
    if (plan_.branched && !plan_.tree.rotor_coupling.empty())
      for (int i = 0; i < N * N; ++i) solver_.M[i] = 0;
    mass_of_pairs<false>(plan_, state_, padded, solver_.M);
    for (int k = 0; k < state_.count(); ++k) {
      const Limb& limb = plan_.limbs[k];
      const LaneLimb& b = state_[k];
      (four_of(call.driving + limb.v, limb.count) - dot(b.column.s, b.body.F)).store(solver_.x + LimbPlan::place(k));
      for (int l = limb.count; l < 4; ++l) solver_.M[(LimbPlan::place(k) + l) * (N + 1)] = 1;
    }
    const double* const rotor = plan_.tree.rotor.data();
    for_diagonal(N, [&](int v, std::ptrdiff_t at) { solver_.M[at] += rotor[v]; });
    for (const RotorCoupling<double>& c : plan_.tree.rotor_coupling) {
      const int i = padded_place(c.i), j = padded_place(c.j);
      solver_.M[static_cast<std::ptrdiff_t>(i > j ? i : j) * N + (i > j ? j : i)] += c.value;
    }
    if (!solver_.factor()) return false;
    solver_.solve();
    for (int k = 0; k < state_.count(); ++k)
      put_first(call.qdd_out + plan_.limbs[k].v, FourLanes::load(solver_.x + LimbPlan::place(k)), plan_.limbs[k].count);
    return true;
  }

  TORSOR_INLINE int padded_place(int v) const {
    int k = 0;
    while (v >= plan_.limbs[k].v + plan_.limbs[k].count) ++k;
    return 4 * k + v - plan_.limbs[k].v;
  }

  const LimbPlan& plan_;
  LimbState state_;
  LimbSolver solver_;
};

}  // namespace TORSOR_MACHINE

LimbKernels limb_kernels_avx2() {
  return {[](const LimbPlan& plan) -> void* { return new LimbTree(plan); },
          [](void* tree) { delete static_cast<LimbTree*>(tree); },
          [](void* tree) { static_cast<LimbTree*>(tree)->refill(); },
          [](void* tree, const LimbCall& call) { static_cast<LimbTree*>(tree)->inverse(call); },
          [](void* tree, const LimbCall& call) { static_cast<LimbTree*>(tree)->mass(call); },
          [](void* tree, const LimbCall& call) { return static_cast<LimbTree*>(tree)->forward(call); },
          [](void* tree, const LimbCall& call) { static_cast<LimbTree*>(tree)->derivatives(call); },
          [](void* tree, const LimbCall& call, LimbTerms* out) { static_cast<LimbTree*>(tree)->coriolis(call, out); },
          [](void* tree, const LimbCall& call) { return static_cast<LimbTree*>(tree)->forward_derivatives(call); },
          [](void* tree, const double* q, const LimbTool& tool, Transform<double>& X, double* J) {
            static_cast<LimbTree*>(tree)->kinematics(q, tool, X, J);
          }};
}

}  // namespace torsor
