// One state of a tree in limbs (limb_plan.hpp): poses, velocities, accelerations and forces of four bodies side by side.
// All but the product of the poses is done for four at once; what goes from body to body is a sum along the lanes. All
// vectors have the axes of the base, about the point where the first body is. The terms are those of
// dynamics/inverse_derivatives.hpp; along a chain of joints of one freedom, where s x s = 0,
//
//   sd = psid = v x s        psidd = a x s + v x psid        with v and a of the body itself
#pragma once

#include "torsor/fast/lanes_sincos.hpp"
#include "torsor/fast/limb_lanes.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

class LimbState {
 public:
  using L = FourLanes;
  static constexpr int lanes = L::count;

  explicit LimbState(const LimbPlan& plan)
      : plan_(plan),
        count_(plan.count()),
        limbs_(new LaneLimb[plan.limbs.size()]),
        mass_(new double[plan.tree.bodies.size()]) {
    fill();
  }
  ~LimbState() {
    delete[] limbs_;
    delete[] mass_;
  }
  /// Takes the numbers of the plan.
  void fill() {
    for (int k = 0; k < count_; ++k) fill(k);
    for (int i = plan_.tree.size() - 1; i >= 0; --i) mass_[i] = plan_.tree[i].inertia.m;
    for (int i = plan_.tree.size() - 1; i >= 0; --i)
      if (const int parent = plan_.tree[i].parent; parent >= 0) mass_[parent] += mass_[i];
    for (int k = 0; k < count_; ++k)
      for (int l = 0; l < lanes; ++l)
        if (const Limb& limb = plan_.limbs[k]; limb.kind != LimbKind::chain || l < limb.count)
          put(limbs_[k].m_subtree, l, mass_[limb.body + (limb.kind == LimbKind::chain ? l : 0)]);
  }
  LimbState(const LimbState&) = delete;
  LimbState& operator=(const LimbState&) = delete;

  /// Everything outward: poses, and with them what is asked.
  template <LimbQuestion ask>
  TORSOR_INLINE void outward(const LimbCall& call);

  /// Poses and allowed motions alone, of these limbs: each after its parent.
  TORSOR_INLINE void outward_along(const double* q, const int* path, int limbs);

  /// Sums over subtrees.
  template <LimbQuestion ask>
  TORSOR_INLINE void inward();

  /// Accelerations of the joints (four for each limb) after all: forces of subtrees and what derivatives need of them.
  TORSOR_INLINE void accelerate(const double* qdd);

  int count() const { return count_; }
  /// What all is seen from: the origin of the first body, from that of the base, along its axes.
  Vec3<double> origin() const { return {-root_.end.p.v[0], -root_.end.p.v[1], -root_.end.p.v[2]}; }
  const Limb& limb(int k) const { return plan_.limbs[k]; }
  const LaneLimb& operator[](int k) const { return limbs_[k]; }
  LaneLimb& operator[](int k) { return limbs_[k]; }

 private:
  void fill(int k);
  TORSOR_INLINE void place_chain(const double* q, const Limb& limb, LaneLimb& b, const LaneLimb::Frame& from);
  TORSOR_INLINE void place_joint(const double* q, const Limb& limb, LaneLimb& b, const LaneLimb::Frame& from);
  template <LimbQuestion ask>
  TORSOR_INLINE void move_chain(const LimbCall& call, int k);
  template <LimbQuestion ask>
  TORSOR_INLINE void move_joint(const LimbCall& call, int k);
  template <LimbQuestion ask>
  TORSOR_INLINE static void set_body(const Motion<L>& v, const Motion<L>& a, LaneLimb& b);
  TORSOR_INLINE void start(const LimbCall& call);
  static void subtract_pushes(const LimbCall& call, const Limb& limb, LaneLimb& b);

  const LimbPlan& plan_;
  int count_;
  LaneLimb* limbs_;
  double* mass_;  // of the subtrees
  LaneLimb root_;  // only its end
};

inline void LimbState::fill(int k) {
  const Limb& limb = plan_.limbs[k];
  LaneLimb& b = limbs_[k];
  b = LaneLimb{};
  // lanes without a body stay where the last one is
  b.placement.R.x.x = b.placement.R.y.y = b.placement.R.z.z = L(1.0);
  const bool chain = limb.kind == LimbKind::chain;
  for (int l = 0; l < lanes; ++l) {
    if (l < limb.count) {
      const Motion<double>& s = plan_.tree.S[plan_.tree[limb.body].column + limb.v - plan_.tree[limb.body].v + l];
      put(b.S.w, l, s.w);
      put(b.S.v, l, s.v);
    }
    if (chain && l >= limb.count) continue;
    const Body<double>& body = plan_.tree[limb.body + (chain ? l : 0)];
    const auto& [m, h, I] = body.inertia;
    put(b.inertia.m, l, m);
    put(b.inertia.h, l, h);
    put(b.inertia.I.xx, l, I.xx), put(b.inertia.I.yy, l, I.yy), put(b.inertia.I.zz, l, I.zz);
    put(b.inertia.I.xy, l, I.xy), put(b.inertia.I.xz, l, I.xz), put(b.inertia.I.yz, l, I.yz);
    if (!chain) continue;
    put(b.placement.R.x, l, body.placement.R.x);
    put(b.placement.R.y, l, body.placement.R.y);
    put(b.placement.R.z, l, body.placement.R.z);
    put(b.placement.p, l, body.placement.p);
  }
}

/// The base, seen from where the first body is.
TORSOR_INLINE void LimbState::start(const LimbCall& call) {
  using lanes_detail::in_all;
  const Limb& first = plan_.limbs[0];
  const Body<double>& body = plan_.tree[first.body];
  Vec3<double> origin = body.placement.p;
  if (first.kind == LimbKind::chain)
    origin += body.placement.R.z * (call.q[0] * plan_.tree.S[0].v.z);
  else if (body.kind == JointKind::free)
    origin += body.placement.R * Vec3<double>{call.q[4], call.q[5], call.q[6]};
  root_.end = {four_lanes(1, 0, 0, 0), four_lanes(0, 1, 0, 0), four_lanes(0, 0, 1, 0),
               four_lanes(-origin.x, -origin.y, -origin.z, 0)};
  root_.v_end = {in_all(call.w), in_all(cross(call.w, origin))};
  root_.a_end = {in_all(call.wd), in_all(call.a + cross(call.wd, origin))};
}

/// Poses of the bodies of a chain, one after the other; then components from lanes to registers.
TORSOR_INLINE void LimbState::place_chain(const double* q, const Limb& limb, LaneLimb& b, const LaneLimb::Frame& from) {
  const L position = four_of(q + limb.q, limb.count);
  L c, s;
  set_sine_cosine(position * b.S.w.z, s, c);
  const L d = position * b.S.v.z;
  Transform<L>& X = b.X;
  X.R.x = b.placement.R.x * c + b.placement.R.y * s;
  X.R.y = b.placement.R.y * c - b.placement.R.x * s;
  X.R.z = b.placement.R.z;
  X.p = b.placement.p + b.placement.R.z * d;
  LaneLimb::Frame frame = from;
  L x[lanes], y[lanes], z[lanes], p[lanes];
  for (int l = 0; l < lanes; ++l) {
    const auto turned = [&](const Vec3<L>& u) TORSOR_INLINED {
      return frame.x * everywhere(u.x, l) + frame.y * everywhere(u.y, l) + frame.z * everywhere(u.z, l);
    };
    const L x_next = turned(X.R.x), y_next = turned(X.R.y), z_next = turned(X.R.z);
    p[l] = frame.p = frame.p + turned(X.p);
    x[l] = frame.x = x_next;
    y[l] = frame.y = y_next;
    z[l] = frame.z = z_next;
  }
  b.end = frame;
  transpose(x[0], x[1], x[2], x[3]);
  transpose(y[0], y[1], y[2], y[3]);
  transpose(z[0], z[1], z[2], z[3]);
  transpose(p[0], p[1], p[2], p[3]);
  X.R.x = {x[0], x[1], x[2]};
  X.R.y = {y[0], y[1], y[2]};
  X.R.z = {z[0], z[1], z[2]};
  X.p = {p[0], p[1], p[2]};
}

/// The one body of a joint of several freedoms.
TORSOR_INLINE void LimbState::place_joint(const double* q, const Limb& limb, LaneLimb& b, const LaneLimb::Frame& from) {
  const Body<double>& body = plan_.tree[limb.body];
  JointPosition<double> at;
  const double* const x = q + limb.q;
  if (body.kind == JointKind::planar) {
    L s, c;
    set_sine_cosine(L(x[0]), s, c);
    at.c = c.v[0], at.s = s.v[0];
    at.p = {x[1], x[2], 0};
  } else {
    const double size = __builtin_sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    at.e = {x[0] / size, x[1] / size, x[2] / size, x[3] / size};
    if (body.kind == JointKind::free) at.p = {x[4], x[5], x[6]};
  }
  const Transform<double> pose = joint_transform(body.kind, body.placement, at);
  const auto turned = [&](const Vec3<double>& u) TORSOR_INLINED {
    return from.x * L(u.x) + from.y * L(u.y) + from.z * L(u.z);
  };
  b.end = {turned(pose.R.x), turned(pose.R.y), turned(pose.R.z), from.p + turned(pose.p)};
  const auto spread = [](const L& u) TORSOR_INLINED {
    return Vec3<L>{everywhere(u, 0), everywhere(u, 1), everywhere(u, 2)};
  };
  b.X = {{spread(b.end.x), spread(b.end.y), spread(b.end.z)}, spread(b.end.p)};
}

inline void LimbState::subtract_pushes(const LimbCall& call, const Limb& limb, LaneLimb& b) {
  Force<L> push{};
  const bool chain = limb.kind == LimbKind::chain;
  for (int l = 0; l < lanes; ++l) {
    if (chain && l >= limb.count) break;
    put(push.n, l, call.external[limb.body + (chain ? l : 0)].n);
    put(push.f, l, call.external[limb.body + (chain ? l : 0)].f);
  }
  b.body.F -= b.X * push;
}

/// What bodies take that move with v and a, from their poses.
template <LimbQuestion ask>
TORSOR_INLINE void LimbState::set_body(const Motion<L>& v, const Motion<L>& a, LaneLimb& b) {
  const Inertia<L> C = b.X * b.inertia;
  if constexpr (ask.mass) b.body.C = C;
  if constexpr (ask.slopes) {
    if constexpr (ask.later) b.own = C;
    b.body.set(v, a);
  } else {
    b.body.F = C * a + cross(v, C * v);
  }
}

template <LimbQuestion ask>
TORSOR_INLINE void LimbState::move_chain(const LimbCall& call, int k) {
  const Limb& limb = plan_.limbs[k];
  LaneLimb& b = limbs_[k];
  place_chain(call.q, limb, b, limb.parent < 0 ? root_.end : limbs_[limb.parent].end);
  const Vec3<L> axis = b.X.R.z * b.S.w.z;
  const Motion<L> s{axis, b.X.R.z * b.S.v.z + cross(b.X.p, axis)};
  b.column.s = s;
  if constexpr (!ask.force) {
    if constexpr (ask.mass) b.body.C = b.X * b.inertia;
  } else {
    const LaneLimb& before = limb.parent < 0 ? root_ : limbs_[limb.parent];
    const L rate = four_of(call.qd ? call.qd + limb.v : nullptr, limb.count);
    Motion<L> v = s * rate;
    lanes_detail::go_on(v, before.v_end, b.v_end);
    const Motion<L> psid = cross(v, s);
    Motion<L> a = s * four_of(call.qdd ? call.qdd + limb.v : nullptr, limb.count) + psid * rate;
    lanes_detail::go_on(a, before.a_end, b.a_end);
    set_body<ask>(v, a, b);
    if constexpr (ask.slopes) {
      b.column.psid = psid;
      b.column.psid_sd = psid + psid;
      b.column.psidd = cross(a, s) + cross(v, psid);
    }
  }
}

/// All limbs of a joint: each coordinate's motion enters what the others do.
template <LimbQuestion ask>
TORSOR_INLINE void LimbState::move_joint(const LimbCall& call, int k) {
  const Limb& joint = plan_.limbs[k];
  const LaneLimb& before = joint.parent < 0 ? root_ : limbs_[joint.parent];
  const int end = k + joint.parts;
  place_joint(call.q, joint, limbs_[k], before.end);
  Motion<L> v = before.v_end, a = before.a_end;
  for (int i = k; i < end; ++i) {
    LaneLimb& b = limbs_[i];
    b.X = limbs_[k].X;
    b.end = limbs_[k].end;
    b.column.s = b.X * b.S;
    if constexpr (ask.force)
      lanes_detail::add_all(v,
                            b.column.s * four_of(call.qd ? call.qd + plan_.limbs[i].v : nullptr, plan_.limbs[i].count));
  }
  LaneLimb& last = limbs_[end - 1];
  if constexpr (!ask.force) {
    if constexpr (ask.mass) last.body.C = last.X * last.inertia;
  } else {
    for (int i = k; i < end; ++i) {
      const Limb& limb = plan_.limbs[i];
      ColumnTerms<L>& c = limbs_[i].column;
      const Motion<L> sd = cross(v, c.s);
      lanes_detail::add_all(a, c.s * four_of(call.qdd ? call.qdd + limb.v : nullptr, limb.count) +
                                   sd * four_of(call.qd ? call.qd + limb.v : nullptr, limb.count));
      if constexpr (ask.slopes) {
        c.psid = cross(before.v_end, c.s);
        c.psid_sd = c.psid + sd;
        c.psidd = cross(before.a_end, c.s) + cross(before.v_end, c.psid);
      }
    }
    last.v_end = v;
    last.a_end = a;
    set_body<ask>(v, a, last);
  }
}

template <LimbQuestion ask>
TORSOR_INLINE void LimbState::outward(const LimbCall& call) {
  start(call);
  for (int k = 0; k < count_; k += plan_.limbs[k].parts) {
    if (plan_.limbs[k].kind == LimbKind::chain)
      move_chain<ask>(call, k);
    else
      move_joint<ask>(call, k);
    if constexpr (ask.force)
      if (call.external) [[unlikely]]
        subtract_pushes(call, plan_.limbs[k], limbs_[k + plan_.limbs[k].parts - 1]);
  }
}

TORSOR_INLINE void LimbState::outward_along(const double* q, const int* path, int limbs) {
  LimbCall call;
  call.q = q;
  start(call);
  for (int i = 0; i < limbs; i += plan_.limbs[path[i]].parts)
    if (plan_.limbs[path[i]].kind == LimbKind::chain)
      move_chain<LimbQuestion{}>(call, path[i]);
    else
      move_joint<LimbQuestion{}>(call, path[i]);
}

template <LimbQuestion ask>
TORSOR_INLINE void LimbState::inward() {
  for (int k = count_ - 1; k >= 0; --k) {
    LaneLimb& b = limbs_[k];
    if (plan_.limbs[k].parts > 1) {
      b.body = limbs_[k + 1].body;
    } else {
      const int *child = plan_.children[k].data(), *const end = child + plan_.children[k].size();
      if (plan_.limbs[k].kind == LimbKind::chain) {
        // along a chain the one child at once
        if (child == end)
          lanes_detail::each_sum<ask>(b.body, b.body, [](L& x, const L&) TORSOR_INLINED { x = sum_inward(x); });
        else
          lanes_detail::each_sum<ask>(b.body, limbs_[*child++].body, [](L& x, const L& o) TORSOR_INLINED {
            x = sum_inward(x) + everywhere(o, 0);
          });
      }
      for (; child != end; ++child)
        lanes_detail::each_sum<ask>(b.body, limbs_[*child].body,
                                    [](L& x, const L& o) TORSOR_INLINED { x += everywhere(o, 0); });
    }
    if constexpr (ask.mass) {
      b.body.C.m = b.m_subtree;
      if constexpr (ask.slopes && !ask.later)
        b.column.multiply(b.body);
      else
        b.column.C_s = b.body.C * b.column.s;
    }
  }
}

TORSOR_INLINE void LimbState::accelerate(const double* qdd) {
  for (int k = 0; k < count_; k += plan_.limbs[k].parts) {
    const Limb& limb = plan_.limbs[k];
    LaneLimb& b = limbs_[k];
    const Motion<L> before = limb.parent < 0 ? Motion<L>{} : limbs_[limb.parent].a_end;
    Motion<L> a = b.column.s * L::load(qdd + LimbPlan::place(k));
    if (limb.kind == LimbKind::chain) {
      lanes_detail::go_on(a, before, b.a_end);
      const Motion<L> more = cross(a, b.column.s);
      b.column.psidd += more;
      b.added = b.own * a;
      continue;
    }
    a = before;
    const int end = k + limb.parts;
    for (int i = k; i < end; ++i) {
      lanes_detail::add_all(a, limbs_[i].column.s * L::load(qdd + LimbPlan::place(i)));
      limbs_[i].column.psidd += cross(before, limbs_[i].column.s);
    }
    limbs_[end - 1].a_end = a;
    limbs_[end - 1].added = limbs_[end - 1].own * a;
  }
  for (int k = count_ - 1; k >= 0; --k) {
    LaneLimb& b = limbs_[k];
    const auto each = [](Force<L>& x, const Force<L>& o, const auto& f) TORSOR_INLINED {
      lanes_detail::each_of_vector(x.n, o.n, f);
      lanes_detail::each_of_vector(x.f, o.f, f);
    };
    if (plan_.limbs[k].parts > 1) {
      b.added = limbs_[k + 1].added;
    } else {
      if (plan_.limbs[k].kind == LimbKind::chain)
        each(b.added, b.added, [](L& x, const L&) TORSOR_INLINED { x = sum_inward(x); });
      for (const int child : plan_.children[k])
        each(b.added, limbs_[child].added, [](L& x, const L& o) TORSOR_INLINED { x += everywhere(o, 0); });
    }
    b.body.F += b.added;
    b.column.multiply(b.body);
  }
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
