// Faults of the library as Python's exceptions: torsor.Error, a ValueError with every fault in it.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>

#include "torsor/result.hpp"

namespace torsor::python {

/// Raises torsor.Error with these faults.
[[noreturn]] void raise(const Faults& errors);

/// From here on torsor::Error, thrown where a Result without a value is opened, reaches Python as torsor.Error.
void translate_errors();

/// The value, or torsor.Error with all that stands against it.
template <class T>
T value_of(Result<T> result) {
  return *std::move(result);
}

/// A sentence of the library whose advice is for the command, as it reads in Python: `torsor convert --tip` has another name
/// there, or is left to the command itself (torsor.command).
std::string in_python(std::string sentence);

/// A list of torsor.Fault.
nanobind::object faults_of(const Faults& errors);

}  // namespace torsor::python
