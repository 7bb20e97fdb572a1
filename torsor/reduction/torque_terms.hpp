// The equations of motion of a robot as a list of numeric terms, exactly: every term of D', h' and G' in the rates of
// absolute angles (dynamics/reduced_model.hpp says what these are), sums of angles recombined so that terms are few.
//
// Coefficients are the exact numbers of the file where these fit fractions of 64 bits, so that all that cancels does. Where they
// do not, they are rounded to a grid that is 2^-43 of the largest one, and what is left of cancelling terms is removed.
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "torsor/reduction/reduced_model.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/angle_sums.hpp"
#include "torsor/symbolic/symbolic_dynamics.hpp"

namespace torsor {

class TorqueTerms {
 public:
  TorqueTerms() = default;
  /// Faults where the robot is no serial arm of revolute and prismatic joints, or its polynomials grow too large.
  static Result<TorqueTerms> of(const Description&);

  /// The joints and angles of the robot, without terms.
  const ReducedModel& frame() const { return frame_; }
  const std::vector<TorqueTerm>& inertia() const { return inertia_; }
  const std::vector<TorqueTerm>& gravity() const { return gravity_; }

  /// h' of these terms of D', by the Christoffel symbols: what makes dD/dt - 2C skew. May throw PolyOverflow.
  std::vector<TorqueTerm> velocity(std::span<const TorqueTerm> inertia);

 private:
  explicit TorqueTerms(SymbolicRobot robot);

  void expand(const SymbolicDynamics&, bool exact);
  Poly with_exact_numbers(const Poly&) const;
  Poly on_grid(const Poly&, double grid) const;
  void append(TermPart, int i, int j, const Poly&, std::vector<TorqueTerm>&);
  Poly polynomial(const TorqueTerm&) const;

  SymbolicRobot robot_;
  std::optional<AngleSums> sums_;
  ReducedModel frame_;
  std::vector<int> angle_of_;  // per angle of the symbols: its number in the frame
  int first_rate_ = 0;         // variable of the first velocity
  double least_ = 0;           // coefficients up to this are the rounding of what cancels
  std::map<std::tuple<int, int, std::vector<TermFactor>>, Fraction> exact_;  // coefficients of the inertias
  std::vector<TorqueTerm> inertia_, gravity_;
};

/// The variables of a state that terms are made of.
struct TermState {
  TermState(const ReducedModel& frame, std::span<const double> q, std::span<const double> rates,
            std::span<const double> accelerations);

  std::vector<double> c, s;  // per angle
  std::vector<double> d;     // per joint: the displacement of a slide
  std::vector<double> qd, u, ud;
};

/// Adds what a term contributes to tau (n) at a state; a term of D' with, or without, the velocity terms that follow from it.
void add_torque(const ReducedModel& frame, const TorqueTerm&, const TermState&, bool with_velocity,
                std::span<double> tau);

}  // namespace torsor
