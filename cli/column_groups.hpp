// Which columns of a table belong in one picture: those of one quantity, as their names tell. tau.elbow, tau1 and tau_1
// are parts of tau, vx of v; x y z and roll pitch yaw stay together. A column without a companion stands alone.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace torsor {

struct ColumnGroup {
  std::string quantity;      // "tau", as it stands in the names; of a lone column its whole name
  std::string title;         // "Torques (tau)"
  std::vector<int> columns;  // indices into the names, in their order
};

/// The groups in the order of their first columns; each column is in one of them.
std::vector<ColumnGroup> group_columns(std::span<const std::string> names);

}  // namespace torsor
