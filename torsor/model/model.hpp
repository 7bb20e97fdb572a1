// Model<T>: what the algorithms need, and nothing else. A kinematic tree whose bodies come after their parents, each
// with a joint that acts in canonical form, inertias at the joint frames. Built from a Description, then const and
// shared by threads.
//
// What is not a rigid tree enters here and nowhere else: rotor inertia as an extra diagonal (and pairs, for coupled
// transmissions), a mimic joint by sharing the coordinate of its master, a payload as part of a body's inertia.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/expect.hpp"
#include "torsor/model/friction.hpp"
#include "torsor/model/joint.hpp"
#include "torsor/spatial/inertia.hpp"

namespace torsor {

/// A body and the joint that carries it. Its frame is the joint's frame after the motion; z is the axis of a one-dof
/// joint.
template <class T>
struct Body {
  int parent = -1;  // -1: the base
  JointKind kind = JointKind::fixed;
  int q = 0, v = 0;        // first position and velocity coordinate; a mimic joint has those of its master
  int column = 0, nv = 0;  // its columns of S: column .. column + nv
  T ratio{1}, offset{0};   // position of a one-dof joint = ratio * q + offset (1, 0 unless it mimics)
  T pitch{0};              // helical: metres per radian
  Transform<T> placement;  // joint frame at position zero, in the parent's body frame
  Transform<T> link;       // the author's link frame (DH frame, URDF link), in the body frame
  Inertia<T> inertia;      // of the link, in the body frame
};

/// Bounds of one velocity coordinate's joint; infinite where the file gives none.
struct Limits {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double velocity = std::numeric_limits<double>::infinity(), effort = std::numeric_limits<double>::infinity();
  double acceleration = std::numeric_limits<double>::infinity(), deceleration = std::numeric_limits<double>::infinity();
  double jerk = std::numeric_limits<double>::infinity();
};

/// A named frame fixed to a body: the tool, a sensor, a point of interest.
template <class T>
struct Frame {
  std::string name;
  int body = -1;
  Transform<T> X_body_frame;
};

/// Motors of some joints through a constant matrix: joint velocity = matrix * motor velocity, motor torque = matrix^T *
/// joint torque.
struct Transmission {
  std::vector<std::string> motors;
  std::vector<int> dofs;       // velocity coordinates, as many as motors
  std::vector<double> matrix;  // row-major, rows = dofs, columns = motors
};

template <class T>
struct JointFriction {
  int body = 0;
  Friction<T> law;
};

/// An off-diagonal pair of the rotor inertia matrix in joint coordinates (coupled transmissions): M_ij and M_ji.
template <class T>
struct RotorCoupling {
  int i = 0, j = 0;
  T value{0};
};

/// The numbers of a model that the recursions run on, and no words: any scalar can have one, lanes of a machine too.
template <class T>
struct Tree {
  std::vector<Body<T>> bodies;
  std::vector<Motion<T>> S;  // allowed motions, in body frames; already times the ratio of a mimic joint
  int nq = 0, nv = 0;

  Transform<T> base;  // base frame in the world
  Vec3<T> gravity;    // acceleration of free fall, in the world

  std::vector<T>
      rotor;  // per velocity coordinate: rotor inertia seen at the joint; of a spherical one three times the same
  std::vector<RotorCoupling<T>> rotor_coupling;

  int size() const { return static_cast<int>(bodies.size()); }

  /// Some coordinate moves several joints, or a rotor matrix couples joints: then the tree is not the whole story of
  /// the mass matrix.
  bool coupled() const { return S.size() != static_cast<std::size_t>(nv) || !rotor_coupling.empty(); }

  const Body<T>& operator[](int i) const { return bodies[i]; }
};

template <class T>
struct Model : Tree<T> {
  std::string name;
  std::vector<JointFriction<T>> friction;   // joints that have any
  std::vector<Transmission> transmissions;  // coordinates in none are driven directly
  std::vector<Limits> limits;               // per velocity coordinate
  std::vector<Frame<T>> frames;             // the last one is the default tool

  std::vector<std::string> link_names, joint_names;         // per body
  std::vector<std::string> position_names, velocity_names;  // per coordinate: "elbow", "base.e0", "base.wx"

  /// Index of a link by name, -1 if there is none.
  int body_index(std::string_view link) const {
    for (int i = 0; i < this->size(); ++i)
      if (link_names[i] == link) return i;
    return -1;
  }
};

/// The same tree over another scalar; `convert` maps each number (for a Trace: to structural 0, 1 or a design constant; for
/// a finite field: to what a polynomial is there).
template <class U, class T, class Convert>
Tree<U> cast(const Tree<T>& m, const Convert& convert) {
  Tree<U> out;
  out.nq = m.nq;
  out.nv = m.nv;
  out.base = cast<U>(m.base, convert);
  out.gravity = cast<U>(m.gravity, convert);
  for (const Body<T>& b : m.bodies)
    out.bodies.push_back({b.parent, b.kind, b.q, b.v, b.column, b.nv, convert(b.ratio), convert(b.offset),
                          convert(b.pitch), cast<U>(b.placement, convert), cast<U>(b.link, convert),
                          cast<U>(b.inertia, convert)});
  for (const Motion<T>& s : m.S) out.S.push_back(cast<U>(s, convert));
  for (const T& r : m.rotor) out.rotor.push_back(convert(r));
  for (const auto& c : m.rotor_coupling) out.rotor_coupling.push_back({c.i, c.j, convert(c.value)});
  return out;
}

/// The same model over another scalar.
template <class U, class T, class Convert>
Model<U> cast(const Model<T>& m, const Convert& convert) {
  Model<U> out{cast<U>(static_cast<const Tree<T>&>(m), convert),
               m.name,
               {},
               m.transmissions,
               m.limits,
               {},
               m.link_names,
               m.joint_names,
               m.position_names,
               m.velocity_names};
  for (const auto& f : m.frames) out.frames.push_back({f.name, f.body, cast<U>(f.X_body_frame, convert)});
  for (const auto& [body, law] : m.friction) out.friction.push_back({body, cast<U>(law, convert)});
  return out;
}

template <class U>
Model<U> cast(const Model<double>& m) {
  return cast<U>(m, [](double x) { return U(x); });
}

/// The model with a rigid payload joined to a body; its inertia is given in the frame X_body_frame of that body.
template <class T>
Model<T> with_payload(Model<T> m, int body, const Transform<T>& X_body_frame, const Inertia<T>& payload) {
  TORSOR_EXPECT(0 <= body && body < m.size());
  m.bodies[body].inertia += X_body_frame * payload;
  return m;
}

}  // namespace torsor
