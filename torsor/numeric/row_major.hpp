// Where an entry of a row-major matrix lies in its storage. The product is formed in std::size_t: an int would overflow
// from 46 341 rows and columns on, and large models are read before anyone asks for their matrices.
#pragma once

#include <cstddef>

namespace torsor {

/// Place of entry (row, column) of a matrix with so many columns.
constexpr std::size_t cell(int row, int columns, int column) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
}

/// Number of entries of a matrix.
constexpr std::size_t cells(int rows, int columns) { return cell(rows, columns, 0); }

}  // namespace torsor
