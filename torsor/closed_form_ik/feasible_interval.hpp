// Where something is possible: of an angle that may be chosen, or a shift.
#pragma once

namespace torsor {

/// A range of an angle or a shift.
struct FeasibleInterval {
  double from = 0, to = 0;
};

}  // namespace torsor
