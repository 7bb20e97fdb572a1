#define TORSOR_IMPORTS_NUMPY
#include "python/bindings/arrays.hpp"

#include <algorithm>
#include <cmath>

#include "python/bindings/numpy_array.hpp"
#include "torsor/expect.hpp"
#include "torsor/closed_form_ik/is_frame.hpp"

namespace torsor::python {

void import_numpy() {
  if (_import_array() < 0) throw nb::python_error();
}

void refuse(const char* function, const std::string& what) {
  throw nb::value_error((std::string(function) + ": " + what).c_str());
}

std::string string_of(const char* function, const char* name, nb::handle value) {
  if (!nb::isinstance<nb::str>(value))
    refuse(function, std::string(name) + " is " + text(nb::repr(value.type())) + "; expected a str");
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (!bytes) {
    PyErr_Clear();
    refuse(function, std::string(name) + " is no text: " + text(nb::steal(PyObject_ASCII(value.ptr()))) +
                         "; expected a str without lone surrogates");
  }
  return {bytes, static_cast<std::size_t>(size)};
}

std::vector<std::string> strings_of(const char* function, const char* name, nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return {string_of(function, name, value)};
  if (!PySequence_Check(value.ptr()))
    refuse(function, std::string(name) + " is " + text(nb::repr(value.type())) + "; expected a str or a list of them");
  std::vector<std::string> out;
  for (const nb::handle each : value) out.push_back(string_of(function, name, each));
  return out;
}

std::string path_of(const char* function, const char* name, nb::handle value) {
  const nb::object path = nb::steal(PyOS_FSPath(value.ptr()));
  if (!path.is_valid()) throw nb::python_error();
  if (!nb::isinstance<nb::str>(path))
    throw nb::type_error((std::string(function) + ": expected a str or a path").c_str());
  return string_of(function, name, path);
}

void refuse_masked(const char* function, const std::string& name, nb::handle value) {
  if (PyArray_CheckExact(value.ptr()) || !PyArray_Check(value.ptr())) return;
  // there is none before somebody has imported them
  const nb::object masked = nb::steal(PyImport_GetModule(nb::str("numpy.ma").ptr()));
  if (masked.is_valid() && PyObject_IsInstance(value.ptr(), nb::object(masked.attr("MaskedArray")).ptr()) == 1)
    refuse(function, name + " is a masked array; expected an array without a mask: fill it first, with its filled()");
}

nb::object numbers(const char* function, const char* name, nb::handle value) {
  refuse_masked(function, name, value);
  PyObject* const array = PyArray_FromAny(value.ptr(), nullptr, 0, 0, 0, nullptr);
  if (!array) {
    PyErr_Clear();
    refuse(function, std::string(name) + " is no array of numbers: " + text(nb::repr(value.type())) +
                         "; expected an array or nested lists of equal lengths");
  }
  nb::object out = nb::steal(array);
  const int type = PyArray_TYPE(as_array(out));
  // more digits than a double has are not dropped unasked
  if (!PyTypeNum_ISINTEGER(type) && (!PyTypeNum_ISFLOAT(type) || type == NPY_LONGDOUBLE))
    refuse(function, std::string(name) + " has dtype " + dtype_text(as_array(out)) +
                         "; expected real numbers (float64, float32 or integers)");
  return out;
}

nb::object new_array(std::span<const double> entries, std::initializer_list<std::size_t> shape) {
  npy_intp dims[8];
  std::copy(shape.begin(), shape.end(), dims);
  nb::object out = stolen(PyArray_SimpleNew(static_cast<int>(shape.size()), dims, NPY_DOUBLE));
  TORSOR_EXPECT(static_cast<std::size_t>(PyArray_SIZE(as_array(out))) == entries.size());
  std::copy(entries.begin(), entries.end(), static_cast<double*>(PyArray_DATA(as_array(out))));
  return out;
}

nb::object new_array(std::span<const double> entries) { return new_array(entries, {entries.size()}); }

void write_pose(const Transform<double>& X, double* out) {
  const double rows[16] = {X.R.x.x, X.R.y.x, X.R.z.x, X.p.x, X.R.x.y, X.R.y.y, X.R.z.y, X.p.y,
                           X.R.x.z, X.R.y.z, X.R.z.z, X.p.z, 0,       0,       0,       1};
  std::copy(rows, rows + 16, out);
}

nb::object new_array(const Transform<double>& X) {
  double rows[16];
  write_pose(X, rows);
  return new_array(rows, {4, 4});
}

std::vector<double> vector_of(const char* function, const char* name, nb::handle value, int size) {
  const nb::object array = converted(numbers(function, name, value), NPY_DOUBLE);
  PyArrayObject* const a = as_array(array);
  if (PyArray_NDIM(a) != 1 || (size >= 0 && PyArray_DIM(a, 0) != size))
    refuse(function, std::string(name) + " has shape " + shape_text(shape_of(a)) + "; expected " +
                         (size >= 0 ? "(" + std::to_string(size) + ",)" : std::string("one axis")));
  const double* const data = static_cast<const double*>(PyArray_DATA(a));
  std::vector<double> out(data, data + PyArray_DIM(a, 0));
  for (std::size_t k = 0; k < out.size(); ++k)
    if (!std::isfinite(out[k]))
      refuse(function, std::string(name) + "[" + std::to_string(k) + "] is not finite; expected finite numbers");
  return out;
}

std::vector<std::vector<double>> rows_of(const char* function, const char* name, nb::handle value, int columns) {
  const nb::object array = converted(numbers(function, name, value), NPY_DOUBLE);
  PyArrayObject* const a = as_array(array);
  if (PyArray_NDIM(a) != 2 || (columns >= 0 && PyArray_DIM(a, 1) != columns))
    refuse(function, std::string(name) + " has shape " + shape_text(shape_of(a)) + "; expected (rows, " +
                         (columns >= 0 ? std::to_string(columns) : std::string("coordinates")) + ")");
  std::vector<std::vector<double>> out;
  for (npy_intp k = 0; k < PyArray_DIM(a, 0); ++k)
    out.push_back(vector_of(function, name, stolen(PySequence_GetItem(array.ptr(), k)), columns));
  return out;
}

std::vector<Transform<double>> poses_of(const char* function, const char* name, nb::handle value) {
  const nb::object array = converted(numbers(function, name, value), NPY_DOUBLE);
  if (PyArray_NDIM(as_array(array)) != 3)
    refuse(function,
           std::string(name) + " has shape " + shape_text(shape_of(as_array(array))) + "; expected (poses, 4, 4)");
  std::vector<Transform<double>> out;
  for (npy_intp k = 0; k < PyArray_DIM(as_array(array), 0); ++k)
    out.push_back(pose_of(function, name, stolen(PySequence_GetItem(array.ptr(), k))));
  return out;
}

Transform<double> pose_of(const char* function, const char* name, nb::handle value) {
  const nb::object array = converted(numbers(function, name, value), NPY_DOUBLE);
  PyArrayObject* const a = as_array(array);
  if (PyArray_NDIM(a) != 2 || PyArray_DIM(a, 0) != 4 || PyArray_DIM(a, 1) != 4)
    refuse(function, std::string(name) + " has shape " + shape_text(shape_of(a)) + "; expected (4, 4), a pose");
  return pose_of(function, std::string(name), std::span(static_cast<const double*>(PyArray_DATA(a)), 16));
}

PoseOrFault pose_or_fault(std::span<const double> m) {
  PoseOrFault out;
  out.X.R = {{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}};
  out.X.p = {m[3], m[7], m[11]};
  const bool last_row = m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1;
  out.fault = !std::ranges::all_of(m, [](double x) { return std::isfinite(x); }) ? "some of it is not finite"
              : !last_row           ? "its last row is not 0 0 0 1"
              : !is_frame(out.X.R) ? "the columns of its rotation are not the axes of a right-handed frame"
                                    : nullptr;
  return out;
}

Transform<double> pose_of(const char* function, const std::string& name, std::span<const double> m) {
  const PoseOrFault pose = pose_or_fault(m);
  if (pose.fault)
    refuse(function,
           name + " is no pose: " + pose.fault + "; expected a rotation and a finite position over the row 0 0 0 1");
  return pose.X;
}

}  // namespace torsor::python
