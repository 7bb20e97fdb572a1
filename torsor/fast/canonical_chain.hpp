// CanonicalChain: a serial arm of revolute and prismatic joints in the frames, and with the inertial parameters, that
// make its recursions cheapest. Computed once, when the model is built; torques, mass matrix and accelerations are those
// of the model to rounding. What the joints carry is not: reactions and energies belong to the model's own parameters.
//
// Frames. z_i along axis i, x_i along the common normal to axis i + 1, origin where the normal from axis i - 1 meets axis i:
//
//   R_i = Rx(alpha_i) Rz(theta_i),    theta_i = q_i + theta0_i,    origin i + 1 at (a_i, 0, d_i) in frame i
//
// so that a_i, d_i of a link say where its distal joint is. Where two axes are so nearly parallel that their normal lies
// far away, the origin stays where the model has it and gets a second component b_i.
//
// Parameters (Khalil & Gautier 1990; here by moments J = integral of r r^T dm, first moments h, mass m). A revolute joint
// is blind to m, h_z and J_zz of what it carries: they act the same from the link before, and are moved there. A
// prismatic joint is blind to all of J, which moves likewise. A revolute link is left with seven numbers, and no mass.
#pragma once

#include <vector>

#include "torsor/model/geometry.hpp"
#include "torsor/kinematics/base_motion.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// Angles between consecutive axes that cost nothing to turn by.
enum class Twist : unsigned char { none, quarter, minus_quarter, any };

/// Which components of the place of the next joint are not zero.
enum class LinkOffset : unsigned char { none, a, d, a_d, any };

/// What is left of a revolute link's moments beside xx and yy: links are often their own mirror image in a plane of their
/// frame (x = 0: hx, xy, xz vanish; y = 0: hy, xy, yz vanish), or in both.
enum class LinkInertia : unsigned char { any, mirrored_x, mirrored_y, bare };

/// S is the number of its geometry, P that of what it carries, which lanes may hold for as many robots.
template <class S, class P = S>
struct CanonicalLink {
  bool prismatic = false;
  Twist twist = Twist::none;
  LinkOffset offset = LinkOffset::none;
  LinkInertia inertia = LinkInertia::any;
  S ca{1}, sa{0};          // cosine and sine of the twist alpha_i, from axis i - 1 to axis i about x_{i-1}
  S theta0{0};             // angle about z where the joint variable is zero
  S c0{1}, s0{0};          // its cosine and sine
  S a{0}, b{0}, d{0};      // the next joint's origin; zero at the last
  P m{0}, hx{0}, hy{0}, hz{0};                              // m and hz are zero for a revolute link
  P xx{0}, yy{0}, xy{0}, xz{0}, yz{0};                      // J about the next joint's origin, revolute only (zz = 0)
  P oxx{0}, oyy{0}, oxy{0}, oxz{0}, oyz{0};                 // J about its own origin, revolute only (zz = 0)
  P rotor{0};
};

/// What is not at rest beyond the joints: a base that moves and a wrench at the last link; in frame 0, and about the last
/// link's origin in its frame.
template <class T>
struct ChainEnds {
  BaseMotion<T> base;  // a at the origin of frame 0 and with gravity taken off
  Force<T> tip;        // that the last link exerts on its surroundings
};

struct CanonicalChain {
  std::vector<CanonicalLink<double>> links;  // link k moves with coordinate k
  Transform<double> X_base_0;            // frame 0: axis 1 with its origin, turned so that gravity has no x
  Transform<double> X_world_0;
  Vec3<double> g;                        // free fall, in frame 0: (0, g_y, g_z)
  bool level = false;                    // g has no component but z
  std::vector<RotorCoupling<double>> rotor_coupling;
  std::vector<int> link_of_body;                 // per body of the model; -1: fixed to the base
  std::vector<Transform<double>> X_link_body;    // and where it sits on its link
  std::vector<Snap> snaps;                       // special geometry assumed beyond rounding, with residuals
  Vec3<double> x_first;   // x of link 0 at zero, in the base
  Tree<double> carried;   // the links as bodies, for their inertias

  int n() const { return static_cast<int>(links.size()); }
};

/// The canonical chain of a model, or why it has none: branches, joints of other kinds, coordinates that are shared.
/// By default nothing is moved but by rounding; with a tolerance that snaps, nearly special angles become special.
Result<CanonicalChain> canonical_chain(const Model<double>&, GeometryTolerance = {.snap = false});

/// The chain again after inertias or gravity of its model have changed, its geometry being as it was; allocates nothing.
void refill(const Model<double>&, CanonicalChain&, GeometryTolerance = {.snap = false});

/// Longest chain whose accelerations come cheaper from its mass matrix than from articulated bodies.
inline constexpr int longest_solved_chain = 10;

/// The same link over another scalar; `convert` maps each double.
template <class U, class Convert>
CanonicalLink<U> cast(const CanonicalLink<double>& l, const Convert& convert) {
  CanonicalLink<U> out;
  out.prismatic = l.prismatic;
  out.twist = l.twist;
  out.offset = l.offset;
  out.inertia = l.inertia;
  const auto set = [&](U& to, double from) { to = convert(from); };
  set(out.ca, l.ca), set(out.sa, l.sa), set(out.theta0, l.theta0), set(out.c0, l.c0), set(out.s0, l.s0);
  set(out.a, l.a), set(out.b, l.b), set(out.d, l.d);
  set(out.m, l.m), set(out.hx, l.hx), set(out.hy, l.hy), set(out.hz, l.hz);
  set(out.xx, l.xx), set(out.yy, l.yy), set(out.xy, l.xy), set(out.xz, l.xz), set(out.yz, l.yz);
  set(out.oxx, l.oxx), set(out.oyy, l.oyy), set(out.oxy, l.oxy), set(out.oxz, l.oxz), set(out.oyz, l.oyz);
  set(out.rotor, l.rotor);
  return out;
}

}  // namespace torsor
