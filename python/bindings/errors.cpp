#include "python/bindings/errors.hpp"

namespace torsor::python {

namespace nb = nanobind;

nb::object faults_of(const Errors& errors) {
  const nb::object fault = nb::module_::import_("torsor._error").attr("Fault");
  nb::list list;
  for (const Error& e : errors)
    list.append(fault(printable(e.where.file).c_str(), e.where.line, printable(e.offender).c_str(), e.rule.c_str(),
                      printable(e.what).c_str(), printable(e.remedy).c_str(), to_string(e).c_str()));
  return list;
}

void raise(const Errors& errors) {
  const nb::object type = nb::module_::import_("torsor._error").attr("Error");
  const nb::object error = type(faults_of(errors));
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

}  // namespace torsor::python
