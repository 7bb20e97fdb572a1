// Six joints and a pose as one closed loop, cut nowhere:
//
//   J_1(q_1) C_1 J_2(q_2) C_2 ... J_6(q_6) C_6 = 1,   J = Rz(q) of a revolute joint, Tz(q) of a prismatic one
//
// C_1 .. C_5 are what lies between the joints of the arm X_world_tool = B_0 J_1 B_1 ... J_6 B_6, and
// C_6 = B_6 X_tool_world B_0. It can be read from any joint on, and backwards: all signs change then.
#pragma once

#include <array>

#include "torsor/spatial/transform.hpp"

namespace torsor {

/// Positions of six joints: rad, and lengths of the loop where they are prismatic.
using SixAngles = std::array<double, 6>;

struct TurningLoop {
  std::array<Transform<double>, 6> C;
  std::array<bool, 6> slides{};  // which are prismatic

  const Transform<double>& operator[](std::size_t k) const { return C[k % 6]; }
};

/// Lengths of the loop times a factor.
TurningLoop scaled(const TurningLoop&, double factor);

/// A loop at joint positions, to first order.
struct LinearisedLoop {
  std::array<double, 36> J;  // columns (axis; point x axis) of the joints, row-major
  SixAngles error;           // (turn; shift) of the end
  double residual = 0;

  LinearisedLoop(const TurningLoop&, const SixAngles& q);
};

/// How a loop stands at joint positions.
struct LoopMeasure {
  double residual = 0;     // rad and lengths of the loop: how far it is from closed
  double determinant = 0;  // of its six columns
  double sigma = 0;        // their least singular value, nearly
  SixAngles idle{};        // unit motion of the joints that moves the end least, by sigma
  SixAngles least{};       // and the unit twist (turn; shift about the origin of joint 1) in which it is moved least
};

/// A loop with a residual below that is closed, lengths in units of the arm: some ten units of rounding.
inline constexpr double loop_closed = 1e-14;
/// Likewise of a loop whose slides lead far: rounding grows with the way.
double closed_residual(const TurningLoop&);

/// Newton's method on the loop itself, until rounding: answers whether it closes.
bool close_loop(const TurningLoop&, SixAngles& q, LoopMeasure&);

/// Onto the loop's solutions by the shortest way, where they are a curve.
bool close_along(const TurningLoop&, SixAngles& q);

LoopMeasure measured(const TurningLoop&, const SixAngles& q);

/// Where solutions meet, rounding leaves their place open by the root of its size: to where the determinant is zero, or
/// least, if the loop is as closed there.
void settle_on_fold(const TurningLoop&, SixAngles& q, LoopMeasure&);

double loop_residual(const TurningLoop&, const SixAngles& q);

/// Where the loop is nearly singular, two solutions lie side by side: the other one, as a start for close_loop.
SixAngles across_fold(const TurningLoop&, const SixAngles& q, const LoopMeasure&);

/// Angles between -pi and pi; slides stay as they are.
void turn_back(const TurningLoop&, SixAngles& q);

/// The greatest difference of two positions, by whole turns.
double apart(const SixAngles&, const SixAngles&);

}  // namespace torsor
