// NumPy arrays from numbers of the library, and texts, vectors, rows and poses from what a user hands over.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "torsor/spatial/transform.hpp"

namespace torsor::python {

namespace nb = nanobind;

/// To be called once, before anything else of this file.
void import_numpy();

/// Throws a ValueError: `FUNCTION: WHAT`.
[[noreturn]] void refuse(const char* function, const std::string& what);

/// Text of a str; ValueError where it is no str, or has surrogates that stand alone and so no bytes.
std::string string_of(const char* function, const char* name, nb::handle value);
/// Texts of a str, which is one, or of a sequence of them.
std::vector<std::string> strings_of(const char* function, const char* name, nb::handle value);
/// Text of a str or a path; TypeError where it is neither.
std::string path_of(const char* function, const char* name, nb::handle value);

/// A new array of doubles with these entries (as many as the shape has).
nb::object new_array(std::span<const double> entries, std::initializer_list<std::size_t> shape);
/// A new vector.
nb::object new_array(std::span<const double> entries);
/// The 4 x 4 matrix of a pose.
nb::object new_array(const Transform<double>& X);

/// A vector of finite doubles: of `size` entries, or of any number if that is negative.
std::vector<double> vector_of(const char* function, const char* name, nb::handle value, int size);
/// Rows of finite doubles, an array of two axes: `columns` each, or any number if that is negative.
std::vector<std::vector<double>> rows_of(const char* function, const char* name, nb::handle value, int columns);
/// Poses from an array (k, 4, 4).
std::vector<Transform<double>> poses_of(const char* function, const char* name, nb::handle value);
/// A pose from a 4 x 4 matrix with a rotation in it.
Transform<double> pose_of(const char* function, const char* name, nb::handle value);
/// The same from 16 numbers, row by row.
Transform<double> pose_of(const char* function, const std::string& name, std::span<const double> rows);
/// The same where the numbers are in doubt: no pose, and the reason.
struct PoseOrFault {
  Transform<double> X;
  const char* fault = nullptr;
};
PoseOrFault pose_or_fault(std::span<const double> rows);
/// Writes a pose as a row-major 4 x 4 matrix.
void write_pose(const Transform<double>& X, double* out);

}  // namespace torsor::python
