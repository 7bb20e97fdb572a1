// A linear spring of a joint, tau = k (q - q0) in inverse dynamics, as a friction table that does not depend on speed: the
// model has no springs of its own. The table is straight over 100 rad or m on either side of the rest position, further than
// a spring goes; beyond it the torque stays constant.
#pragma once

#include <cmath>
#include <optional>

#include "torsor/model/friction.hpp"

namespace torsor::detail {

struct LinearSpring {
  double stiffness = 0, rest = 0;
};

inline constexpr double spring_span = 100;

inline FrictionTable<double> spring_table(const LinearSpring& spring) {
  const double most = spring.stiffness * spring_span;
  return {{spring.rest - spring_span, spring.rest, spring.rest + spring_span}, {0}, {-most, 0, most}};
}

/// The spring that a table describes, if it does.
inline std::optional<LinearSpring> as_spring(const FrictionTable<double>& table) {
  if (table.q.size() != 3 || table.values.size() != 3 || table.values[1] != 0) return std::nullopt;
  const LinearSpring spring{table.values[2] / spring_span, table.q[1]};
  const FrictionTable<double> same = spring_table(spring);
  for (std::size_t k = 0; k < 3; ++k)
    if (same.q[k] != table.q[k] || std::abs(same.values[k] - table.values[k]) > 1e-14 * std::abs(table.values[k]))
      return std::nullopt;
  return spring;
}

}  // namespace torsor::detail
