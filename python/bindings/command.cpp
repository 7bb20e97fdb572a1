// The verbs of the command inside Python: their text and pages as strings.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <iostream>
#include <mutex>
#include <sstream>

#include "cli/printable_output.hpp"
#include "cli/redirected.hpp"
#include "cli/verb.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/text/text_file.hpp"

namespace torsor::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

nb::tuple run_captured(const std::vector<std::string>& arguments) {
  static std::mutex one_at_a_time;  // the streams are everybody's
  int code = 0;
  std::stringbuf in, out, err;
  {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(one_at_a_time);
    const Redirected reading(std::cin, in), writing(std::cout, out), complaining(std::cerr, err);
    code = run_verb(arguments);
  }
  // names of files need not be text
  const auto text = [](const std::string& bytes) {
    return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
  };
  return nb::make_tuple(code, text(out.str()), text(err.str()));
}

int run_directly(const std::vector<std::string>& arguments) {
  const nb::gil_scoped_release release;
  make_standard_output_printable();
  const int code = run_verb(arguments);
  std::cout.flush();
  return code;
}

void write_text(const std::string& path, const std::string& text) {
  const Faults faults = write_text_file(path, text);
  if (faults.empty()) return;
  PyErr_SetString(PyExc_OSError, to_string(faults.front()).c_str());
  throw nb::python_error();
}

}  // namespace

void bind_command(nb::module_& m) {
  m.def("_run_captured", run_captured, "arguments"_a,
        nb::sig("def _run_captured(arguments: collections.abc.Sequence[str]) -> tuple[int, str, str]"));
  m.def("_run_directly", run_directly, "arguments"_a,
        nb::sig("def _run_directly(arguments: collections.abc.Sequence[str]) -> int"));
  m.def("_write_text", write_text, "path"_a, "text"_a, nb::sig("def _write_text(path: str, text: str) -> None"));
}

}  // namespace torsor::python
