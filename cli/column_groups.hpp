// Which columns of a table belong in one picture: those of one quantity and unit, as their headings tell. tau.elbow, tau1 and
// tau_1 are parts of tau, vx of v; x y z and roll pitch yaw stay together; q1 (deg) is q1 in degrees. A column without a
// companion stands alone.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/text/column_heading.hpp"

namespace torsor {

/// A column's heading as a plot takes it: its name, and the unit that it names in brackets, or behind an underscore.
ColumnHeading plot_heading(std::string_view heading);

struct ColumnGroup {
  std::string stem;          // what the names of all have, whatever their units: "q" of q1 (deg) and q2 (m)
  std::string quantity;      // "tau", as it stands in the names; of a lone column its whole name
  std::string unit;          // of all of them
  std::string title;         // "Torques (tau)"
  std::vector<int> columns;  // indices into the headings, in their order
};

/// The groups in the order of their first columns; each column is in one of them.
std::vector<ColumnGroup> group_columns(std::span<const std::string> header);

}  // namespace torsor
