// DhArm<T>: a serial arm of revolute and prismatic joints in the frames of a DH table, inertias in the link frames: what
// the classical formulations are written in. Links, and everything that belongs to one, are numbered 1 .. n as in the
// papers; frame 0 is the base.
//
//   standard  A_i = Rz(theta_i) Tz(d_i) Tx(a_i) Rx(alpha_i)     joint i acts on z of frame i - 1
//   modified  A_i = Tx(a_i) Rx(alpha_i) Rz(theta_i) Tz(d_i)     joint i acts on z of frame i
//
// Axes so nearly parallel that their common normal lies far away have no such row with lengths of the arm's own size:
// moments about points kilometres away lose all digits. They need Hayati's fifth parameter, a turn beta about y, and
//
//   Ry(beta) = Rx(-90 deg) Rz(beta) Rx(90 deg)
//
// makes two rows of four parameters of it: one of them has a joint that is held at beta for ever. So every formulation
// runs as its source has it, on an arm with a joint more that never moves, and the arm is the robot's to rounding.
#pragma once

#include "torsor/model/dh_chain.hpp"

namespace torsor {

/// What is special about the numbers of a link, decided while they are numbers: a symbolic scalar cannot be asked.
struct DhStructure {
  int quarter_turns = -1;   // of the twist, 0 .. 3; -1 where it is no multiple of a right angle
  bool a = true, d = true;  // whether they may differ from zero
  bool products = true;     // whether any product of inertia may
};

template <class T>
struct DhLink {
  bool prismatic = false;
  T a{0}, ca{1}, sa{0};  // length, cosine and sine of the twist alpha
  T c{1}, s{0}, d{0};    // cosine and sine of theta, and d, where the joint variable is zero
  T m{0};                // mass
  Vec3<T> r;             // mass centre, in the link frame
  Sym3<T> I;             // inertia tensor about the mass centre, in the axes of the link frame
  DhStructure structure = {};
  bool held = false;  // its joint never moves, and is none of the robot's coordinates
};

template <class T>
struct DhArm {
  Convention convention = Convention::standard_dh;
  std::vector<DhLink<T>> links;
  Vec3<T> g;           // acceleration of free fall, in frame 0
  bool level = false;  // g has no component but -z: known here, for scalars that cannot be asked
  Transform<T> X_base_0 = {};  // frame 0 in the base frame of the model

  int n() const { return static_cast<int>(links.size()); }
  const DhLink<T>& operator[](int i) const { return links[static_cast<std::size_t>(i - 1)]; }

  /// Rows whose joint is held, and the joints that move: all n but for nearly parallel axes.
  int held() const {
    int count = 0;
    for (const DhLink<T>& l : links) count += l.held ? 1 : 0;
    return count;
  }
  int joints() const { return n() - held(); }
};

/// Cosine and sine of theta_i, and d_i, at some position: index 1 .. n.
template <class T>
struct DhPosition {
  explicit DhPosition(int n = 0) : c(static_cast<std::size_t>(n) + 1, T(1)), s(c.size(), T(0)), d(c.size(), T(0)) {}
  /// Held joints where they are held, the others at zero.
  explicit DhPosition(const DhArm<T>& arm) : DhPosition(arm.n()) {
    for (int i = 1; i <= arm.n(); ++i)
      if (arm[i].held) {
        c[i] = arm[i].c;
        s[i] = arm[i].s;
        d[i] = arm[i].d;
      }
  }

  std::vector<T> c, s, d;

  /// The variable of joint i by its cosine and sine (revolute) or as it is (prismatic).
  void set(const DhArm<T>& arm, int i, const T& cos_q, const T& sin_q, const T& q) {
    const DhLink<T>& l = arm[i];
    c[i] = l.prismatic ? l.c : l.c * cos_q - l.s * sin_q;
    s[i] = l.prismatic ? l.s : l.s * cos_q + l.c * sin_q;
    d[i] = l.prismatic ? l.d + q : l.d;
  }

  /// The variables of all joints that move, in radians and metres. Never allocates.
  void set(const DhArm<T>& arm, std::span<const T> q) requires Analytic<T> {
    TORSOR_EXPECT(q.size() == static_cast<std::size_t>(arm.joints()) && c.size() == arm.links.size() + 1);
    for (int i = 1, k = 0; i <= arm.n(); ++i) {
      if (arm[i].held) continue;
      const T& x = q[static_cast<std::size_t>(k++)];
      if (arm[i].prismatic)
        set(arm, i, T(1), T(0), x);
      else
        set(arm, i, cos(x), sin(x), T(0));
    }
  }
};

/// The same arm over another scalar; `convert` maps each number.
template <class U, class T, class Convert>
DhArm<U> cast(const DhArm<T>& arm, const Convert& convert) {
  DhArm<U> out{arm.convention, {}, cast<U>(arm.g, convert), arm.level, cast<U>(arm.X_base_0, convert)};
  for (const DhLink<T>& l : arm.links)
    out.links.push_back({l.prismatic, convert(l.a), convert(l.ca), convert(l.sa), convert(l.c), convert(l.s),
                         convert(l.d), convert(l.m), cast<U>(l.r, convert), cast<U>(l.I, convert), l.structure,
                         l.held});
  return out;
}

template <class U, class T, class Convert>
DhPosition<U> cast(const DhPosition<T>& from, const Convert& convert) {
  DhPosition<U> out(static_cast<int>(from.c.size()) - 1);
  for (std::size_t i = 0; i < from.c.size(); ++i) {
    out.c[i] = convert(from.c[i]);
    out.s[i] = convert(from.s[i]);
    out.d[i] = convert(from.d[i]);
  }
  return out;
}

/// What is special about a link; a sliding joint has a d.
DhStructure structure_of(const DhLink<double>&);

/// Whether every link of the chain is one row of that convention's table, in order: then dh_arm() has the file's numbers.
bool is_written_in(const Description&, Convention);

/// The table of a description in a DH convention: its own rows where it is written in them, else those that to_dh() finds.
/// Or why it has none: besides what to_dh() refuses, helical and mimic joints, and rotors that are bodies.
Result<DhConversion> dh_rows(const Description&, Convention, GeometryTolerance = {});

/// The arm of a description in a DH convention: the rows of its table, with a held joint for every fifth parameter; a table in the other convention whose axes are nearly parallel is
/// only regrouped, so that it needs none. Refuses what dh_rows() refuses.
Result<DhArm<double>> dh_arm(const Description&, Convention, GeometryTolerance = {.snap = false});

}  // namespace torsor
