// gamma, G and dG/dt qd_a of a cluster of dyads by their closed forms (dyad_forms.hpp), in doubles, step by step.
//
// The branch is the sign. A step is taken only where the known points cannot have been too far apart, or too near, on
// the way: they move by less than what is left at its ends. Next to a dead centre nothing is answered: Newton's method
// decides there. Linear in the joints of the loops.
#pragma once

#include <array>

#include "torsor/loops/dyad_forms.hpp"

namespace torsor {

class PlanarDyads {
 public:
  enum class Outcome { done, too_large, near_singular };

  /// The cluster has a plan, and outlives this.
  explicit PlanarDyads(const LoopCluster& cluster);

  /// From where it is now, closed, to targets of the independent positions: changes those of q (of the tree). Otherwise
  /// q is as it was: the step is too large to be sure of the way, or it begins or ends next to a singular position.
  Outcome move(std::span<double> q, std::span<const double> target);
  /// Takes q as closed; false where it is next to a singular position, or not closed.
  bool look(std::span<const double> q);
  /// Of a loop, where it is now: the sign of its plan.
  double branch(std::size_t loop) const;
  /// What is known of the position is no longer true.
  void forget() { looked_ = false; }

  /// G of the last position, dependent x independent, row-major.
  void find_map(std::span<double> G) const;
  /// Adds dG/dt qd_a to the dependent accelerations; qd of the tree is complete.
  void add_map_rate(std::span<const double> qd, std::span<double> qdd);

 private:
  using Forms = DyadForms<double>;
  struct Place : Forms::Place {
    std::vector<double> arm;           // of each joint beside the corners, see travel
    std::vector<double> q;             // its position
    std::array<PlanePoint, 3> corners = {};  // of the triangle of two hinges: these, and where the loop closes
    double margin = 0, reach = 0;      // from where the loop cannot be closed; of all lengths together
  };

  const LoopCluster& c_;
  std::vector<Place> now_, next_;
  std::vector<double> before_, rate_;
  bool looked_ = false;

  static void turn(const DyadPlan::Loop& loop, std::span<const double> q, Place& place);
  static bool finish(const DyadPlan::Loop& loop, Place& place);
  static bool is_sure(const DyadPlan::Loop& loop, const Place& from, Place& to);
  static double travel(const DyadPlan::Loop& loop, const Place& from, Place& to);
};

}  // namespace torsor
