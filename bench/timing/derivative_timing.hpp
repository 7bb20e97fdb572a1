// How long derivatives take, here and now: the least of many batches, all of them in turn, so that ratios are comparable.
#pragma once

#include <string>
#include <vector>

#include "torsor/fields.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

struct DerivativeTime {
  std::string what;
  double seconds = 0;  // per call, from q on
};

constexpr auto fields(Of<DerivativeTime>) {
  return row_list("DerivativeTime", "", field("name", "", "", &DerivativeTime::what),
                  field("seconds_per_call", "s", "", &DerivativeTime::seconds));
}

/// Inverse dynamics, its derivatives by each way there is, those of forward dynamics, and steps with their Jacobians, at
/// one random motion, for so many seconds each.
std::vector<DerivativeTime> time_derivatives(const Model<double>&, double seconds_each);

}  // namespace torsor
