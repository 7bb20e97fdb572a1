#include "torsor/mechanism/torque_limit.hpp"

#include <cmath>

namespace torsor {

std::vector<LimitedTorque> limited_torques(const MechanismDescription& d, double from, double to) {
  constexpr int parts = 10'000;
  std::vector<LimitedTorque> all;
  for (std::size_t k = 0; k < d.actuators.size(); ++k) {
    const MechanismActuator& a = d.actuators[k];
    if (!a.effort || !a.effort_limit) continue;
    const auto beyond = [&](double t) { return std::fabs(a.effort(t).f) - *a.effort_limit; };
    LimitedTorque found{static_cast<int>(k), 0, 0, a.name};
    double before = beyond(from), first = before > 0 ? from : -1;
    bool ever = before > 0;
    for (int i = 1; i <= parts && to > from; ++i) {
      const double h = (to - from) / parts, t = from + h * i, now = beyond(t);
      // between the two the way over the limit is taken as straight
      const double share = before > 0 && now > 0 ? 1
                           : before > 0          ? before / (before - now)
                           : now > 0             ? now / (now - before)
                                                 : 0;
      if (now > 0 && !ever) ever = true, first = t - share * h;
      found.seconds += share * h;
      before = now;
    }
    found.first = first;
    if (ever) all.push_back(found);
  }
  return all;
}

}  // namespace torsor
