// How far a step in time may go and still see all that given functions of time do. A method of integration looks at a few
// instants of a step: a push of 20 ms inside a step of 0.2 s may fall between them, and the error it estimates knows nothing of
// that. So a step ends
//
//   at the next corner of a function: where a formula has abs, min or max, at knots of a table, where a law begins and ends;
//   before that, where a quartic through five of the function's values does not follow it any more.
//
// Bounds of the function (TimeShape) prove that it does; of a function that has none, 64 samples tell.
#pragma once

#include <vector>

#include "torsor/trajectory/time_function.hpp"

namespace torsor {

class ResolvedTime {
 public:
  /// Functions, which must outlive this, of a run from t0 to t1.
  ResolvedTime(std::vector<const TimeFunction*> functions, double t0, double t1);

  /// Where a step from t, to `target` at most, has to end.
  double until(double t, double target);

  /// Whether one of them jumps there: what it was a moment before is not what it is.
  bool jumps_at(double t) const;

 private:
  struct Watched {
    const TimeFunction* f;
    double size;   // how far its values are apart in the whole run
    double known;  // it is followed up to there
  };
  std::vector<Watched> all_;
  double span_;
};

/// A moment before a jump, which is looked at instead of the jump: functions may be no numbers upon it.
inline double before_jump(double t) { return t - 1e-12 * (1 + (t < 0 ? -t : t)); }

}  // namespace torsor
