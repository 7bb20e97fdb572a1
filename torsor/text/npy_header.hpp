// The head of an NPY file, as NumPy writes arrays (NumPy enhancement proposal 1): the bytes \x93NUMPY, a version, the
// length of a text in two bytes (1.0) or four (2.0), and the text, the literal of a Python dictionary
//   {'descr': '<f8', 'fortran_order': False, 'shape': (1000, 18), }
// Taken are little-endian doubles and floats in C order, in one or two dimensions. What NumPy can write and this cannot
// take is told with the call that mends it.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

#include "torsor/result.hpp"

namespace torsor {

struct NpyHeader {
  int bytes = 8;  // of a number: 8 or 4
  std::int64_t rows = 0, columns = 0;
};

/// Reads the head off the front of a stream; file is the name for faults. An array of one dimension is one row.
Result<NpyHeader> read_npy_header(std::istream& in, const std::string& file);

/// The head of an array of doubles with so many columns, of a length that does not depend on the number of rows.
std::string npy_header(std::int64_t rows, std::int64_t columns);

}  // namespace torsor
