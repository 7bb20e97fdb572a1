// The general arm of six joints: five eliminated, one left over (Raghavan & Roth 1990, 1993). The loop is cut at
// the axis of joint f, whose own angle drops out of the line (p, l) that the axis is:
//
//   Rc Cc Rd Cd Re Ce (line) = Cb^-1 Rb^-1 Ca^-1 Ra^-1 Cf^-1 (line)
//
// Of the line the 14 numbers  p, l, p.p, p.l, p x l, (p.p) l - 2 (p.l) p  have on both sides only products of one of 1,
// cos, sin per joint: 27 of them on the left, 9 on the right. Eliminating the right ones leaves six equations E. Of the
// three angles on the left one is left over, t; the other two enter by half tangents x, y, and with the six equations
// multiplied by x the 12 products x^i y^j, i = 0 .. 3, j = 0 .. 2, satisfy a 12 x 12 system M(t). det M is a
// trigonometric polynomial of degree 8: up to 16 solutions (Primrose 1986). It is sampled at 24 angles, developed in a
// series, and its real zeros are isolated.
//
// A prismatic joint has 1, d, d^2 in the place of 1, cos, sin, and d in the place of its half tangent: nothing else is
// different, as long as the joints f and t turn.
#pragma once

#include <span>

#include "torsor/closed_form_ik/turning_loop.hpp"
#include "torsor/numeric/circle_roots.hpp"

namespace torsor {

/// Which joint is which: the loop is read from joint `first` (0 .. 5) on, backwards or not, and `left_over` (0, 1, 2)
/// of the three joints c, d, e is the one whose angle is found first.
struct LoopCut {
  int first = 0, left_over = 0;
  bool backwards = false;

  /// Joint of the arm (0 .. 5) whose angle is left over.
  int joint() const;
};

/// [of 1, cos t, sin t][equation][3 i + j], i for the first of the other two joints, j for the second.
using LoopEquations = std::array<std::array<std::array<double, 9>, 6>, 3>;

/// Six equations, bilinear in (1, cos, sin) of two joints, with coefficients linear in (1, cos t, sin t).
struct Elimination {
  LoopCut cut;
  TurningLoop loop;        // as the cut reads it
  LoopEquations E;         // in 1, cos, sin of the other two joints
  LoopEquations E_xy;      // in 1, x, x^2 of their half tangents
  double least_pivot = 0;  // of the right side, per greatest: 0 where its rank is less than eight
  CircleSeries series;     // det M(t)
  double error = 0;        // of it
  double size = 0;         // of it: the sum of its coefficients
  CircleRoots roots;

  /// The angle that is left over, of positions of the arm's joints.
  double angle_of(const SixAngles& q) const {
    const double x = q[static_cast<std::size_t>(cut.joint())];
    return cut.backwards ? -x : x;
  }
};

/// Eliminates for one cut of a loop whose lengths are in units of the arm; false where det M is zero whatever t is. `touching`: the part of
/// its size within which it may be zero.
bool eliminate(const TurningLoop&, const LoopCut&, Elimination&, double touching = 1e-15);

/// Positions of all six joints of the arm, near a zero of det M.
struct LoopCandidates {
  std::array<SixAngles, 64> q;
  int count = 0;

  void add(const SixAngles& x) {
    if (count < static_cast<int>(q.size())) q[static_cast<std::size_t>(count++)] = x;
  }
  std::span<const SixAngles> all() const { return {q.data(), static_cast<std::size_t>(count)}; }
};

/// From the null vectors of M at some angles: a pair of angles each.
void candidates_at(const Elimination&, std::span<const double> t, LoopCandidates&);
/// Every pair of angles that nearly satisfies the equations at t: where several solutions share t.
void all_candidates_at(const Elimination&, double t, LoopCandidates&);

/// det M at the angles 2 pi m / 24, in lanes.
void sample_determinant(const LoopEquations& E_xy, std::span<double, 24> values);

}  // namespace torsor
