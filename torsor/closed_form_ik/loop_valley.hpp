// Beside a curve of solutions the loop nearly closes all along a valley, and exactly at some places of it only: a wrist that
// is stretched to 1e-9 rad turns joints 4 and 6 against each other for next to no change of the tool. Descents stall there, and
// determinants are zero to rounding. On the valley's floor
//
//   error(q) = -r u,    u the unit twist in which the end is moved least
//
// so that r is all that is missing; floor and tangent t follow from the bordered system
//
//   | J   u | | dq |   | -error |        | J   u | | t |   | 0 |
//   | v'  0 | | r  | = |    0   | ,      | v'  0 | | s | = | 1 |        v the unit motion of the joints that moves it
//
// which is regular where J is not, and s is the slope of r along t. Where r changes its sign is a solution, and where it comes
// nearest to zero there may be a double one (Allgower & Georg 1990, Numerical continuation methods, on bordered systems).
#pragma once

#include <span>

#include "torsor/closed_form_ik/turning_loop.hpp"

namespace torsor {

class LoopValley {
 public:
  /// Walks the floor next to q both ways, until it comes round, or climbs out of the valley.
  void walk(const TurningLoop&, const SixAngles& q);

  /// Where r changes its sign or comes nearest to zero: starts for close_loop.
  std::span<const SixAngles> places() const { return {place_.data(), static_cast<std::size_t>(places_)}; }

  /// Whether q is on the part that was walked.
  bool passed(const SixAngles& q) const;

 private:
  struct Stand {
    SixAngles q, t;  // t: unit tangent
    std::array<double, 6> u;
    double r = 0, slope = 0;  // along t
  };
  static bool settle(const TurningLoop&, const SixAngles& v, Stand&);
  bool step(const TurningLoop&, const Stand& from, double by, Stand& to) const;
  void look_between(const TurningLoop&, const Stand&, const Stand&, double by);
  void add(const SixAngles& q);

  static constexpr int most_points = 160, most_places = 24;
  std::array<SixAngles, most_points> point_;
  std::array<SixAngles, most_places> place_;
  int points_ = 0, places_ = 0;
};

}  // namespace torsor
