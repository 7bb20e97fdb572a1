#include "python/bindings/answer.hpp"

#include <algorithm>

#include "python/bindings/errors.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/numeric/integrator.hpp"
#include "torsor/result.hpp"

namespace torsor::python {

void warn_of_run(const std::string& what) {
  const nb::object category = nb::module_::import_("torsor._error").attr("RunWarning");
  if (PyErr_WarnEx(category.ptr(), printable(in_python(what)).c_str(), 1) < 0) throw nb::python_error();
}

double positive(const char* function, const char* name, double x, double most) {
  if (!(x > 0 && x <= most))
    refuse(function, std::string(name) + " is " + nb::cast<std::string>(nb::repr(nb::float_(x))) +
                         "; expected a number above zero");
  return x;
}

void refuse_word(const char* function, const char* name, const std::string& given,
                 const std::vector<std::string_view>& words) {
  std::string all;
  for (const std::string_view word : words) (all += all.empty() ? "" : ", ") += word;
  const std::string hint = did_you_mean(given, words);
  refuse(function, std::string(name) + " is \"" + printable(given) + "\"; " + hint + (hint.empty() ? "" : " ") +
                       "expected one of " + all);
}

std::size_t word_of(const char* function, const char* name, const std::string& given,
                    const std::vector<std::string_view>& words) {
  const auto found = std::find(words.begin(), words.end(), given);
  if (found == words.end()) refuse_word(function, name, given, words);
  return static_cast<std::size_t>(found - words.begin());
}

const std::string& integrator_of(const char* function, const std::string& given) {
  if (find_integrator(given)) return given;
  std::vector<std::string_view> names;
  for (const IntegratorRow& each : integrators()) names.push_back(each.name);
  refuse_word(function, "integrator", given, names);
}

}  // namespace torsor::python
