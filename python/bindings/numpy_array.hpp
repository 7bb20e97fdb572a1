// NumPy's C interface, for the two files that know it: it costs a tenth of what a general protocol for arrays does, which is
// most of a call with one state. arrays.cpp imports it for both.
#pragma once

#include "python/bindings/arrays.hpp"

#define PY_ARRAY_UNIQUE_SYMBOL torsor_numpy
#ifndef TORSOR_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

namespace torsor::python {

inline PyArrayObject* as_array(nb::handle h) { return reinterpret_cast<PyArrayObject*>(h.ptr()); }

inline nb::object stolen(PyObject* object) {
  if (!object) throw nb::python_error();
  return nb::steal(object);
}

inline std::string text(nb::handle h) { return nb::str(h).c_str(); }

inline std::string shape_text(std::span<const npy_intp> shape) {
  std::string out = "(";
  for (std::size_t k = 0; k < shape.size(); ++k) out += (k ? ", " : "") + std::to_string(shape[k]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

inline std::span<const npy_intp> shape_of(PyArrayObject* array) {
  return {PyArray_DIMS(array), static_cast<std::size_t>(PyArray_NDIM(array))};
}

inline std::string dtype_text(PyArrayObject* array) {
  return text(nb::handle(reinterpret_cast<PyObject*>(PyArray_DESCR(array))));
}

inline nb::object converted(nb::handle array, int type) {
  return stolen(PyArray_FromAny(array.ptr(), PyArray_DescrFromType(type), 0, 0, NPY_ARRAY_CARRAY_RO, nullptr));
}

/// ValueError where it is a masked array: its mask would be lost.
void refuse_masked(const char* function, const std::string& name, nb::handle value);

/// Whatever was given as an array of real numbers; ValueError of `function` where it is none.
nb::object numbers(const char* function, const char* name, nb::handle value);

}  // namespace torsor::python
