// Singular positions that a run under forces passes between its steps, and which no step falls upon. Where equations lose rank
// the determinant of
//
//   D = | J     |   J: a full set of independent equations,
//       | N^T M |   N: the motions they leave free, at a position before
//
// vanishes: it changes its sign, or (where the rank falls by two, as in a row of parallelograms) touches zero. It depends on
// the position alone, so that it is looked at every so far, not at every step. N is renewed before it has turned away.
#pragma once

#include <deque>

#include "torsor/mechanism/mobility.hpp"

namespace torsor {

class SingularPassages {
 public:
  /// Watches nothing in large mechanisms (more than 30 bodies), and where bodies turn that have no inertia.
  SingularPassages(const Mechanism&, const MechanismState& assembled);

  /// The state after a step.
  void look(const MechanismState&);

  /// s: when they were passed.
  const std::vector<double>& times() const { return times_; }

 private:
  struct Look {
    MechanismState state;
    double way = 0, det = 0;  // gone since the start; of D
  };

  const Mechanism& mechanism_;
  MechanismEquations equations_;
  double size_, way_ = 0;
  bool watches_ = false;
  int freedoms_ = -1;
  std::vector<bool> taken_;                         // rows
  std::vector<std::vector<Force<double>>> border_;  // rows of N^T M
  double sign_ = 1, largest_ = 0;
  std::vector<double> D_;
  std::vector<int> order_;
  std::deque<Look> looks_;  // the last four
  MechanismState last_;
  std::vector<double> times_;

  bool renew(const MechanismState&);
  double determinant(const MechanismState&);
  /// Whether the equations lose rank in truth so far between two looks; then its time.
  bool confirm(const Look&, const Look&, double part);
};

/// Those that steps passed, and those that only a crossing did (singular_crossing.hpp): in order, each once, if they are not
/// `same` seconds apart.
std::vector<double> all_passages(const std::vector<double>& passed, const std::vector<double>& crossings, double same);

}  // namespace torsor
