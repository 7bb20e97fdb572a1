// Where the rows of a path that was followed do not tell what a joint does between them.
#include <algorithm>
#include <cmath>

#include "torsor/numeric_ik/follow_path.hpp"
#include "torsor/kinematics/row_jump.hpp"

namespace torsor::detail {
namespace {

bool has_speeds(const PathSample& s) {
  return s.rates == RatesFrom::tool ||
         (s.rates == RatesFrom::least && s.smallest_singular_value >= speeds_singular_value);
}

}  // namespace

void end_at_jump(FollowedPath& path, std::span<const TaskJoint> joints, double longest_step) {
  for (std::size_t i = 0; i + 1 < path.samples.size(); ++i) {
    const PathSample &a = path.samples[i], &b = path.samples[i + 1];
    // speeds that the tool does not determine tell nothing: there less is a jump
    const double least = has_speeds(a) && has_speeds(b) ? longest_step : longest_step / 100;
    // and those of a row all but upon a singular position no more than the row beside it: there a joint turns over
    const bool upon = least == longest_step && (a.rates == RatesFrom::least || b.rates == RatesFrom::least);
    double worst = 1;
    for (const TaskJoint& joint : joints) {
      const auto q = static_cast<std::size_t>(joint.q), v = static_cast<std::size_t>(joint.v);
      const double change = b.q[q] - a.q[q];
      const double slower = std::min(std::abs(a.qd[v]), std::abs(b.qd[v]));
      const double told = upon ? change_told(b.t - a.t, slower, slower, least * joint.unit)
                               : change_told(b.t - a.t, a.qd[v], b.qd[v], least * joint.unit);
      if (!(std::abs(change) > worst * told)) continue;
      worst = std::abs(change) / told;
      path.joint = joint.v;
      path.beyond = change;
      path.limit = told;
    }
    if (worst == 1) continue;
    path.stop = PathStop::jump;
    path.stop_time = a.t;
    path.asked_time = b.t;
    path.smallest_singular_value = std::min(a.smallest_singular_value, b.smallest_singular_value);
    path.factor = a.factor;
    path.samples.resize(i + 1);
    return;
  }
}

}  // namespace torsor::detail
