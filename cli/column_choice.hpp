// Which columns of a table are drawn, and over which: what the user says, or else all of them over the time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

/// The most curves that one run draws.
inline constexpr std::size_t most_curves = 256;

/// Indices into the header; without x, the number of the row runs along the x axis.
struct ColumnChoice {
  std::optional<int> x;
  std::vector<int> y;
};

/// x is the name of a column (else the time is taken, as motions have it), columns a list of columns and quantities (tau for
/// tau1, tau2, ...) separated by commas (else all). A name may leave out the unit of its heading. Names that the header does not have are faults, all of them told.
Result<ColumnChoice> choose_columns(const std::vector<std::string>& header, const std::optional<std::string>& x,
                                    const std::optional<std::string>& columns);

}  // namespace torsor
